package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
)

// The winner of a tuning run is a player for match, eval and best.
func TestPlaysTuned(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the other command")
	}
	t.Parallel()
	dir := t.TempDir()
	tune := filepath.Join(dir, "tune")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", tune, "selfplaylab/cmd/tune").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	// From the bad start a few iterations are enough.
	clitest.OK(t, dir, tune, strings.Fields("--game quoridor --start bad --iters 60 --pairs 16 --screen-pairs 0 --verify-pairs 0 --out runs/x")...)
	res := clitest.OK(t, dir, "selfplay", strings.Fields("match --game quoridor --a runs/x/tuned.toml --b bad --pairs 200")...)
	if !strings.Contains(res.Stdout, "runs/x/tuned.toml\n") || !strings.Contains(res.Stdout, "A's Elo          +") {
		t.Errorf("the tuned player is not shown to be better than the bad start:\n%s", res.Stdout)
	}
	for _, tool := range []string{"eval", "best"} {
		res := clitest.OK(t, dir, "selfplay", tool, "--game", "quoridor", "--params", "runs/x/tuned.toml")
		if !strings.Contains(res.Stdout, "move ") {
			t.Errorf("%s prints %q", tool, res.Stdout)
		}
	}
}
