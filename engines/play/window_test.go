package play

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// TestWindowShowsRunningGame looks at a worker's game while it is played; looking changes
// nothing.
func TestWindowShowsRunningGame(t *testing.T) {
	v := open(t, nil)
	preset, err := v.Game.Preset("final")
	if err != nil {
		t.Fatal(err)
	}
	setup := Setup{Game: v.Game.Name, Version: v.Game.Version, Rules: v.Rules, Seed: 3, OpeningPlies: 4}
	job := Job{Seats: [2]player.Config{{Name: "x", Values: preset.Vector}, {Name: "than", Values: preset.Vector}}, To: 1}
	plain := NewWorker(v, setup)
	defer plain.Close()
	want, err := plain.Play(context.Background(), job)
	if err != nil {
		t.Fatal(err)
	}
	looked := NewWorker(v, setup)
	defer looked.Close()
	looked.Window = &Window{}
	looked.Window.Look() // requests a view
	got, err := looked.Play(context.Background(), job)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if string(a) != string(b) {
		t.Error("a window changes the games")
	}
	view := looked.Window.Look()
	ref := v.NewReferee()
	var moves []engines.Move
	if err := ref.Reset(view.Position); err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Fields(got[0].Games[0].Moves) {
		m, err := ref.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
		ref.Play(m)
	}
	if n := view.Opening + 1; len(view.Moves) != n || !slices.Equal(view.Moves, moves[:n]) || view.Names != [2]string{"x", "than"} {
		t.Errorf("the first decision shows %+v of %v", view, moves)
	}
}
