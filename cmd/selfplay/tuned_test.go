package main

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
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
		a.Start, a.Pairs, a.ScreenPairs, a.VerifyPairs = "bad", ptr(16), ptr(0), ptr(0)
		set(t, a, "iters", "60")
	}))
	res := clitest.OK(t, dir, "selfplay", strings.Fields("match --game quoridor --a run/tuned.toml --b bad --pairs 200")...)
	if !strings.Contains(res.Stdout, "run/tuned.toml\n") || !strings.Contains(res.Stdout, "A's Elo          +") {
		t.Errorf("the tuned player is not shown to be better than the bad start:\n%s", res.Stdout)
	}
	for _, tool := range []string{"eval", "best"} {
		res := clitest.OK(t, dir, "selfplay", tool, "--game", "quoridor", "--params", "run/tuned.toml")
		if !strings.Contains(res.Stdout, "move ") {
			t.Errorf("%s prints %q", tool, res.Stdout)
		}
	}
}
