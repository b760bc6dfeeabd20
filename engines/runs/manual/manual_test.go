package manual_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/manual"
)

func game(t *testing.T, moves string, outcome engines.Outcome, reason engines.Reason) *manual.Config {
	t.Helper()
	g, err := games.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	preset, err := g.Preset(g.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	return &manual.Config{
		Variant: v, Second: manual.Seat{Player: preset.Name, Values: preset.Vector},
		Game: &play.Game{Moves: moves, Plies: len(strings.Fields(moves)), Outcome: outcome, Reason: reason},
	}
}

// A game that was played is a run that can be read, told of, replayed and not gone
// on with.
func TestKept(t *testing.T) {
	plan, err := game(t, "e2 e8 d1h", engines.SecondWins, "resigned").Plan()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "game")
	r, err := runs.Create(dir, plan, runs.Origin{CommandLine: "selfplay serve"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Play(context.Background(), runs.Options{}); err != nil {
		t.Fatal(err)
	}
	told, err := resultOf(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := told.Summary(); err != nil || !s.Finished || s.What != "a person v final" || s.Result != "final, who moved second, won by resigned after 3 plies" {
		t.Errorf("%+v, %v", s, err)
	}
	rec, err := kinds.All().Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if page, err := rec.Page(t.Context(), true); err != nil || len(page.Sections) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
	replay, err := rec.Find("0:0:0")
	if err != nil {
		t.Fatal(err)
	}
	plies := 0
	if err := replay.Recorded(func(play.Ply) { plies++ }); err != nil || plies != 3 {
		t.Errorf("%d plies, %v", plies, err)
	}
	if err := replay.Play(t.Context(), func(play.Ply) {}); err == nil || err.Error() != "a person played on a board and cannot be asked again" {
		t.Errorf("asked again: %v", err)
	}
	if again, err := runs.Resume(dir, kinds.All().Find, runs.Origin{}); err == nil {
		if err := again.Play(context.Background(), runs.Options{}); err == nil || !strings.Contains(err.Error(), "over") {
			t.Errorf("gone on with: %v", err)
		}
	}
}

// TestLevelKept: a game against a level says so, with the level's values and limits.
func TestLevelKept(t *testing.T) {
	c, err := kinds.All().ReadBoard([]byte(`{"game": "quoridor", "moves": "e2 e8", "outcome": "0-1", "reason": "resigned", "second": "level:8"}`))
	if err != nil {
		t.Fatal(err)
	}
	if s := c.(*manual.Config).Second; s.Player != "level:8" || s.Limits.Depth != 2 || len(s.Values) == 0 {
		t.Errorf("%+v", s)
	}
	plan, err := c.Plan()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "game")
	r, err := runs.Create(dir, plan, runs.Origin{})
	if err == nil {
		err = r.Play(t.Context(), runs.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	told, err := resultOf(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := told.Summary(); err != nil || s.What != "a person v level:8" {
		t.Errorf("%+v, %v", s, err)
	}
}

// What did not happen by the rules is not kept.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		moves   string
		outcome engines.Outcome
		reason  engines.Reason
		want    string
	}{
		{"e2 e9", engines.FirstWins, "resigned", "e9"},
		{"e2 e8", engines.FirstWins, "goal", "goes on"},
		{"e2 e8", engines.Draw, "resigned", "does not end"},
		{"e2 e8", engines.FirstWins, "agreed", "does not end"},
		{"e2 e8", engines.Ongoing, "resigned", "does not end"},
	} {
		_, err := game(t, c.moves, c.outcome, c.reason).Plan()
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := (&manual.Config{}).Plan(); err == nil {
		t.Error("a game out of nothing")
	}
}

// resultOf reads a recorded run.
func resultOf(t *testing.T, dir string) (runs.Result, error) {
	t.Helper()
	v, err := kinds.All().Open(dir)
	if err != nil {
		return nil, err
	}
	return v.Result(t.Context())
}
