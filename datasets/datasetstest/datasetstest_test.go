package datasetstest

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/datasets"
)

func source(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	spec := map[string]any{"pairs": int64(1), "settings": map[string]any{"iters": int64(2)}}
	w, err := datasets.Create(dir, datasets.Meta{Kind: "tune", Game: "quoridor", GameVersion: 1, Seed: 1<<64 - 1, Parameters: []string{"a", "b"}}, spec)
	if err != nil {
		t.Fatal(err)
	}
	row := datasets.TrialRow{
		Phase: "tune", A: []float64{1, 2}, B: []float64{3, 4}, Best: []float64{1, 2},
		Pairs: 1, Even: 1, Games: 2, Wins: 1, Losses: 1, FirstPoints: 4,
	}
	games := []datasets.GameRow{
		{Phase: "tune", Game: 0, Outcome: "1-0", AScore: 1, Reason: "goal"},
		{Phase: "tune", Game: 1, Outcome: "1-0", AScore: 0, Reason: "goal"},
	}
	if err := w.Append(row, games, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestForgedRunHoldsSameRows reads a forged run: it has the changed configuration and the rows
// of the first one.
func TestForgedRunHoldsSameRows(t *testing.T) {
	from, to := source(t), filepath.Join(t.TempDir(), "forged")
	err := Forge(from, to, func(m *datasets.Meta, spec map[string]any) {
		m.Program = "another"
		Set(spec, int64(3), "pairs")
		Rename(spec, "itres", "settings", "iters")
	})
	if err != nil {
		t.Fatal(err)
	}
	log, err := datasets.Read(to)
	if err != nil {
		t.Fatal(err)
	}
	spec := map[string]any{}
	if err := log.Spec(&spec); err != nil {
		t.Fatal(err)
	}
	settings, _ := spec["settings"].(map[string]any)
	if log.Meta.Program != "another" || log.Meta.Seed != 1<<64-1 || spec["pairs"] != int64(3) || settings["itres"] != int64(2) || len(settings) != 1 || log.NumTrials != 1 {
		t.Errorf("%+v, %v, %d trials", log.Meta, spec, log.NumTrials)
	}
}

// TestForgeOtherRows rejects the rows of another seed.
func TestForgeOtherRows(t *testing.T) {
	to := filepath.Join(t.TempDir(), "forged")
	if err := Forge(source(t), to, func(m *datasets.Meta, _ map[string]any) { m.Seed = 5 }); err != nil {
		t.Fatal(err)
	}
	if _, err := datasets.Read(to); err == nil || !strings.Contains(err.Error(), "it belongs to another run") {
		t.Errorf("%v", err)
	}
}

func TestSetPanicsWithoutKey(t *testing.T) {
	for _, keys := range [][]string{{"pairs", "deep"}, {"piars"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is nowhere, but was set", keys)
				}
			}()
			Set(map[string]any{"pairs": int64(1)}, int64(2), keys...)
		}()
	}
}
