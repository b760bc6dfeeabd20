package tune

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning"
)

// emptyRun makes a run without a trial.
func emptyRun(t *testing.T, dir string) {
	t.Helper()
	cfg := tuning.New()
	if err := config.Table(cfg, map[string]any{"game": "quoridor", "params": "a_E", "iters": int64(2), "pairs": int64(1)}); err != nil {
		t.Fatal(err)
	}
	emptyRunOf(t, dir, cfg)
}

func emptyRunOf(t *testing.T, dir string, cfg runs.Config) {
	t.Helper()
	plan, err := cfg.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Create(dir, plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Play(ctx, runs.Options{}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// A run of another version of the game can be looked at, but not gone on with.
func TestAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	emptyRun(t, dir)
	whole := dir
	dir = filepath.Join(t.TempDir(), "forged")
	if err := datasetstest.Forge(whole, dir, func(m *datasets.Meta, _ map[string]any) { m.GameVersion = 99 }); err != nil {
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
	cfg := match.New()
	if err := config.Table(cfg, map[string]any{"game": "quoridor", "a": "final", "b": "bad", "pairs": int64(1)}); err != nil {
		t.Fatal(err)
	}
	emptyRunOf(t, dir, cfg)
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
		change func(m *datasets.Meta, spec map[string]any)
		want   []string
	}{
		"another game": {
			func(m *datasets.Meta, _ map[string]any) { m.Game = "shogi" },
			[]string{`unknown game "shogi"`, "quoridor"},
		},
		"other parameters": {
			func(m *datasets.Meta, _ map[string]any) { m.Parameters[0], m.Parameters[1] = "x", "y" },
			[]string{"has other parameters of quoridor than this program: x, y"},
		},
		"other rules": {
			func(m *datasets.Meta, _ map[string]any) { m.Rules = "variant=blitz" },
			[]string{"rule variant=blitz of quoridor: want seed | standard"},
		},
		"another kind": {
			func(m *datasets.Meta, _ map[string]any) { m.Kind = "dance" },
			[]string{`is a run of "dance"`},
		},
		"another method": {
			func(_ *datasets.Meta, spec map[string]any) { datasetstest.Set(spec, "anneal", "method") },
			[]string{`unknown method`, "spsa"},
		},
		"values out of range": {
			func(_ *datasets.Meta, spec map[string]any) {
				spec["start"].(map[string]any)["values"].([]any)[0] = 1e6
			},
			[]string{"a_E = 1e+06 is out of range; allowed: -20 to 100"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole, dir := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "forged")
			emptyRun(t, whole)
			if err := datasetstest.Forge(whole, dir, c.change); err != nil {
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
