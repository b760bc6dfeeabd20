package selfplay

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/runs/experiment"
	"selfplaylab/engines/testmode"
)

const someSeconds = `schema = 1
title = "Some seconds"

[[run]]
name = "first"
kind = "match"
game = "quoridor"
a = "final"
b = "v12.7"
pairs = 500

[[run]]
name = "tuned"
kind = "tune"
game = "quoridor"
iters = 60
pairs = 8
screen-pairs = 0
rate-pairs = 0
verify-min = 200
verify-pairs = 200

[[run]]
name = "look"
kind = "search"
game = "gobang"
player = ["fixed@depth=3", "fixed,ordering=off@depth=3"]
positions = 60

[[run]]
name = "last"
kind = "tournament"
game = "quoridor"
player = ["final", "v12.7", "mine:{runs}/tuned/tuned.toml"]
pairs = 100
`

// An experiment that was killed in every run and phase, before and after a value that a
// later run needs, and interrupted in the last ends with the results of one that was not.
func TestExperimentKilled(t *testing.T) {
	clitest.SkipUnderRace(t)
	testmode.SkipUnlessLong(t) // a storm of kills
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.toml"), []byte(someSeconds), 0o666); err != nil {
		t.Fatal(err)
	}
	clitest.OK(t, dir, "selfplay", "run", "x.toml", "--out", "whole", "--workers", "2")
	stops := []string{"kill match 200", "kill match 700", "kill tune 400", "kill verify 100", "kill search 50", "kill tournament 200", "interrupt tournament 400"}
	for i, stop := range stops {
		r := clitest.RunUntil(t, dir, stop, "selfplay", again(dir, fmt.Sprint(1+i%3))...)
		if interrupted := strings.HasPrefix(stop, "interrupt"); interrupted && r.Code != 130 || !interrupted && r.Code >= 0 {
			t.Fatalf("%s: exit code %d\n%s", stop, r.Code, r.Stderr)
		} else if interrupted && !strings.Contains(r.Stderr, "Continue with:\n  selfplay run --resume killed\n") {
			t.Errorf("interrupted, said\n%s", r.Stderr)
		}
	}
	clitest.OK(t, dir, "selfplay", again(dir, "2")...)
	for _, name := range []string{experiment.RowsName, "tuned/tuned.toml", "last/games/part-000000.parquet"} {
		want, err := os.ReadFile(filepath.Join(dir, "whole", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "killed", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs after kills (%v)", name, err)
		}
	}
}

// again returns the arguments that begin the experiment or go on with it.
func again(dir, workers string) []string {
	if _, err := os.Stat(filepath.Join(dir, "killed", "asked.toml")); err != nil {
		return []string{"run", "x.toml", "--out", "killed", "--workers", workers}
	}
	return []string{"run", "--resume", "killed", "--workers", workers}
}
