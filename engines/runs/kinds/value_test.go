package kinds_test

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
)

// TestGameIsPassedAsValue plays a match of a game that is passed as a value, and resumes it by its record.
func TestGameIsPassedAsValue(t *testing.T) {
	known, err := games.Find("mills")
	if err != nil {
		t.Fatal(err)
	}
	game := *known
	game.Name = "passed"
	ask := func() *match.Config {
		cfg := match.New()
		cfg.Game.Value, cfg.A, cfg.B, cfg.Pairs = &game, player.Ask("strong"), player.Ask("paper"), 4
		if err := cfg.Limits.UnmarshalText([]byte("depth=1")); err != nil {
			t.Fatal(err)
		}
		return cfg
	}
	dir := filepath.Join(t.TempDir(), "run")
	plan, err := ask().Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Create(dir, plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Play(t.Context(), runs.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	again, err := record.Resume(dir, kinds.All().Find, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Head.Variant.Game != &game {
		t.Errorf("the record is of %s, not of the game that was passed", again.Head.Variant.Game.Name)
	}
	if err := again.Abandon(); err != nil {
		t.Fatal(err)
	}
	other := game
	if err := games.Include(&game, &other); err == nil || !strings.Contains(err.Error(), "another game of this program has this name") {
		t.Errorf("a second game of the name: %v", err)
	}
	other.Name = "a game"
	if err := games.Include(&other); err == nil || !strings.Contains(err.Error(), "without dots, slashes and spaces") {
		t.Errorf("a bad name: %v", err)
	}
}
