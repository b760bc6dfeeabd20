package gauntlet_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/gauntlet"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
)

func gauntletConfig() *gauntlet.Config {
	a := gauntlet.Kind().New().(*gauntlet.Config)
	a.Game.Game, a.Player, a.Pairs = "quoridor", player.Ask("final"), 6
	a.Opponents = []player.Config{player.Ask("bad"), player.Ask("v12.7"), player.Ask("v16.7")}
	return a
}

func gauntletMoves(t *testing.T, dir string) (list []string) {
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for g, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, g.Moves)
	}
	return list
}

// TestResumedGauntletHasSameGames stops a run after its first trial and resumes it, without an
// effect on the games.
func TestResumedGauntletHasSameGames(t *testing.T) {
	root, stop := t.TempDir(), errors.New("stopped")
	for _, name := range []string{"whole", "parts"} {
		plan, err := gauntletConfig().Plan()
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Create(filepath.Join(root, name), plan, record.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		o := runs.Options{Workers: 1}
		if name == "parts" {
			o.Progress = func(p runs.Progress) {
				if p.Games >= 12 {
					cancel(stop)
				}
			}
		}
		if err := r.Play(ctx, o); (name == "parts") != errors.Is(err, stop) {
			t.Fatalf("%s: %v", name, err)
		}
		cancel(nil)
	}
	parts := filepath.Join(root, "parts")
	if n := len(gauntletMoves(t, parts)); n == 0 || n >= 36 {
		t.Fatalf("%d games after the stop; want some of 36", n)
	}
	r, err := record.Resume(parts, kinds.All().Find, record.Origin{})
	if err == nil {
		err = r.Play(t.Context(), runs.Options{Workers: 2})
	}
	if err != nil {
		t.Fatal(err)
	}
	got, want := gauntletMoves(t, parts), gauntletMoves(t, filepath.Join(root, "whole"))
	if len(got) != 36 || len(want) != 36 {
		t.Fatalf("%d and %d games, want 36", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("game %d differs", i)
		}
	}
}
