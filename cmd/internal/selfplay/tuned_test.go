package selfplay

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/tuning"
)

// The winner of a tuning run is a player for match, eval and best.
func TestPlaysTuned(t *testing.T) {
	if testing.Short() {
		t.Skip("tunes")
	}
	t.Parallel()
	// From the bad start a few iterations are enough.
	dir := filepath.Dir(tunedRun(t, func(a *tuning.Config) {
		a.Start, a.Pairs, a.ScreenPairs, a.VerifyMin, a.VerifyPairs, a.RatePairs = player.Ask("bad"), 16, 0, 64, 256, 0
		set(t, a, "iters", "60")
	}))
	res := clitest.OK(t, dir, "selfplay", strings.Fields("match --game quoridor --a run/tuned.toml --b bad --pairs 200")...)
	if !strings.Contains(res.Stdout, "run/tuned.toml\n") || !strings.Contains(res.Stdout, "  Yes, +") {
		t.Errorf("the tuned player is not shown to be better than the bad start:\n%s", res.Stdout)
	}
	for _, tool := range []string{"eval", "best"} {
		res := clitest.OK(t, dir, "selfplay", tool, "--game", "quoridor", "--params", "run/tuned.toml")
		if !strings.Contains(res.Stdout, "move ") {
			t.Errorf("%s prints %q", tool, res.Stdout)
		}
	}
	res = clitest.OK(t, dir, "selfplay", "export", "run", "--format", "pgn", "--game", "0:0:0")
	if !strings.Contains(res.Stdout, "[White ") {
		t.Errorf("a game of a tuning is exported as\n%s", res.Stdout)
	}
	res = clitest.OK(t, dir, "selfplay", "export", "run", "--format", "pgn")
	if n := strings.Count(res.Stdout, "[White "); n < 1920 {
		t.Errorf("%d games are exported", n)
	}
	// A digit changed by hand: it plays, and is not taken for what was verified.
	path := filepath.Join(dir, "run/tuned.toml")
	data, err := os.ReadFile(path)
	text := string(data)
	edited := regexp.MustCompile(`(?m)^a_E = \S+`).ReplaceAllString(text, "a_E = 3.5")
	if err = errors.Join(err, os.WriteFile(path, []byte(edited), 0o666)); err != nil || edited == text {
		t.Fatal(err, text)
	}
	res = clitest.OK(t, dir, "selfplay", strings.Fields("match --game quoridor --a run/tuned.toml --b bad --pairs 2")...)
	if !strings.Contains(res.Stdout, "run/tuned.toml (edited)") {
		t.Errorf("the edited file plays as\n%s", res.Stdout)
	}
}
