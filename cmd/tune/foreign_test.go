package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/engines/catalog"
	"selfplaylab/params/tuning"
)

// Runs that this program cannot go on with, though they are whole, are refused
// by name and left as they are.
func TestForeignRuns(t *testing.T) {
	t.Parallel()
	game, err := catalog.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	start, err := game.Preset(game.Default)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*datasets.Meta, *tuning.Spec)
		want   []string
	}{
		"another game": {
			func(m *datasets.Meta, _ *tuning.Spec) { m.Game = "chess" },
			[]string{`unknown game "chess"`, "quoridor"},
		},
		"another version of the game": {
			func(m *datasets.Meta, _ *tuning.Spec) { m.GameVersion = 99 },
			[]string{"was made with version 99 of quoridor", "its games would differ; use the program that made it (revision abc123) or start a new run"},
		},
		"other parameters": {
			func(m *datasets.Meta, _ *tuning.Spec) { m.Parameters = []string{"x", "y"} },
			[]string{"has other parameters of quoridor than this program: x, y"},
		},
		"other rules": {
			func(m *datasets.Meta, _ *tuning.Spec) { m.Rules = "variant=blitz" },
			[]string{"rule variant=blitz of quoridor: want seed | standard"},
		},
		"a match": {
			func(m *datasets.Meta, _ *tuning.Spec) { m.Kind = "match" },
			[]string{`is a run of "match", not of tune`},
		},
		"another method": {
			func(_ *datasets.Meta, s *tuning.Spec) { s.Method = "anneal" },
			[]string{`unknown method "anneal"`, "spsa"},
		},
		"values out of range": {
			func(_ *datasets.Meta, s *tuning.Spec) { s.Values[0] = 1e6 },
			[]string{"a_E = 1e+06 is out of range; allowed: -20 to 100"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			meta := datasets.Meta{
				Kind: "tune", Game: game.Name, GameVersion: game.Version, Rules: "variant=seed", Seed: 1,
				Revision: "abc123", Parameters: game.Space.Names(),
			}
			spec := tuning.Spec{
				Method: "spsa", Start: game.Default, Values: start.Vector.Clone(), Active: []string{"a_E"},
				Iterations: 2, Pairs: 1, VerifyMin: 1, VerifyMax: 2, Level: 0.95,
			}
			c.change(&meta, &spec)
			w, err := datasets.Create(dir, meta, spec)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
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
