package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/runs/ask"
	"selfplaylab/engines/runs/duel"
	"selfplaylab/engines/runs/run"
	"selfplaylab/engines/runs/tuning"
)

// emptyRun makes a run without a trial.
func emptyRun(t *testing.T, dir string) {
	t.Helper()
	asked := tuning.New()
	if err := ask.Table(asked, map[string]any{"game": "quoridor", "params": "a_E", "iters": int64(2), "pairs": int64(1)}); err != nil {
		t.Fatal(err)
	}
	emptyRunOf(t, dir, asked)
}

func emptyRunOf(t *testing.T, dir string, asked run.Asked) {
	t.Helper()
	plan, err := asked.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Create(dir, plan, run.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Play(ctx, run.Options{}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// A run of another version of the game can be looked at, but not gone on with.
func TestAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	emptyRun(t, dir)
	path := filepath.Join(dir, "run.toml")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "game_version = 1", "game_version = 99", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	clitest.OK(t, ".", "tune", "report", dir)
	res := clitest.Run(t, ".", "tune", "resume", dir)
	for _, want := range []string{dir, "was made with version 99 of quoridor", "or start a new run"} {
		if res.Code != 1 || !strings.Contains(res.Stderr, want) {
			t.Errorf("exit code %d, want 1 and %q\n%s", res.Code, want, res.Stderr)
		}
	}
}

// A run of another kind is named as that.
func TestAnotherKind(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	asked := duel.New()
	if err := ask.Table(asked, map[string]any{"game": "quoridor", "a": "final", "b": "bad", "pairs": int64(1)}); err != nil {
		t.Fatal(err)
	}
	emptyRunOf(t, dir, asked)
	for _, command := range []string{"resume", "report"} {
		res := clitest.Run(t, ".", "tune", command, dir)
		if want := dir + `: is a run of "match", not of tune`; res.Code != 1 || !strings.Contains(res.Stderr, want) {
			t.Errorf("tune %s: exit code %d, want 1 and %q\n%s", command, res.Code, want, res.Stderr)
		}
	}
}

// Runs that this program cannot go on with, though they are whole, are refused
// by name and left as they are.
func TestForeignRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit [2]string
		want []string
	}{
		"another game":        {[2]string{"game = 'quoridor'", "game = 'chess'"}, []string{`unknown game "chess"`, "quoridor"}},
		"other parameters":    {[2]string{"'a_E', 'a_EB'", "'x', 'y'"}, []string{"has other parameters of quoridor than this program: x, y"}},
		"other rules":         {[2]string{"rules = 'variant=seed'", "rules = 'variant=blitz'"}, []string{"rule variant=blitz of quoridor: want seed | standard"}},
		"another kind":        {[2]string{"kind = 'tune'", "kind = 'dance'"}, []string{`is a run of "dance"`}},
		"another method":      {[2]string{"method = 'spsa'", "method = 'anneal'"}, []string{`unknown method`, "spsa"}},
		"values out of range": {[2]string{"values = [22.0", "values = [1000000.0"}, []string{"a_E = 1e+06 is out of range; allowed: -20 to 100"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			emptyRun(t, dir)
			path := filepath.Join(dir, "run.toml")
			good, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			bad := strings.Replace(string(good), c.edit[0], c.edit[1], 1)
			if bad == string(good) {
				t.Fatalf("no %q in\n%s", c.edit[0], good)
			}
			if err := os.WriteFile(path, []byte(bad), 0o666); err != nil {
				t.Fatal(err)
			}
			before := t.TempDir()
			if err := os.CopyFS(before, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"resume", "report"} {
				res := clitest.Run(t, ".", "tune", command, dir)
				if res.Code != 1 || res.Stdout != "" {
					t.Errorf("tune %s: exit code %d, stdout %q", command, res.Code, res.Stdout)
				}
				for _, want := range append(c.want, dir) {
					if !strings.Contains(res.Stderr, want) {
						t.Errorf("tune %s: no %q in\n%s", command, want, res.Stderr)
					}
				}
			}
			if err := clitest.Same(before, dir, clitest.Kept); err != nil {
				t.Error("it was changed: ", err)
			}
		})
	}
}
