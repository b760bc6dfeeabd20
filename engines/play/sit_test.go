package play

import (
	"context"
	"slices"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// resigner resigns at once and counts its closings.
type resigner struct{ closed *int }

func (r *resigner) Configure([]float64) error { return nil }

func (r *resigner) Reset(string, uint64) error { return nil }

func (r *resigner) Choose(context.Context, []engines.Move, engines.Limits) (engines.Decision, error) {
	return engines.Decision{}, &engines.Fault{Reason: engines.Resigned}
}

func (r *resigner) Close() error { *r.closed++; return nil }

// TestPlayerKeepsItsSeat keeps a player for the next job, replaces it by another, and starts
// one again that could not be started.
func TestPlayerKeepsItsSeat(t *testing.T) {
	made, closed, broken := map[string]int{}, 0, true
	seat := func(name string) player.Config {
		return player.Config{Name: name, Custom: &player.Custom{Name: name, New: func(engines.Variant) (engines.Player, error) {
			made[name]++
			if broken && name == "broken" {
				return nil, &engines.Fault{Reason: engines.Crash, Detail: "cannot start"}
			}
			return &resigner{&closed}, nil
		}}}
	}
	w := NewWorker(open(t, nil), Setup{Seed: 1})
	play := func(a, b string, want engines.Reason) {
		t.Helper()
		pairs, err := w.Play(t.Context(), Job{Seats: [2]player.Config{seat(a), seat(b)}, To: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := pairs[0].Games[0].Reason; got != want {
			t.Errorf("%s against %s: %s, want %s", a, b, got, want)
		}
	}
	play("x", "y", engines.Resigned)
	play("x", "z", engines.Resigned)
	play("broken", "z", engines.Crash)
	broken = false
	play("broken", "z", engines.Resigned)
	if made["x"] != 1 || made["y"] != 1 || made["z"] != 1 || closed != 2 {
		t.Errorf("made %v, %d closed; want each once but for the broken one, and y and x closed", made, closed)
	}
	if err := w.Close(); err != nil || closed != 4 {
		t.Errorf("%d closed at the end, %v", closed, err)
	}
}

// spoiler is a player that overwrites the moves that it is given.
type spoiler struct{ engines.Player }

func (s spoiler) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	d, err := s.Player.Choose(ctx, history, limits)
	clear(history)
	return d, err
}

// TestSpoiledHistoryDoesNotChangeGame gives a custom player its own copy of the moves.
func TestSpoiledHistoryDoesNotChangeGame(t *testing.T) {
	v := open(t, nil)
	weak, err := v.Game.Preset(v.Game.WeakPreset)
	if err != nil {
		t.Fatal(err)
	}
	var played [2]string
	for i := range played {
		code := &player.Custom{New: func(v engines.Variant) (engines.Player, error) {
			if i == 0 {
				return v.NewPlayer(), nil
			}
			return spoiler{v.NewPlayer()}, nil
		}}
		seat := player.Config{Name: "x", Custom: code, Values: weak.Vector}
		pairs, err := NewWorker(v, Setup{Seed: 1}).Play(t.Context(), Job{Seats: [2]player.Config{seat, seat}, To: 1})
		if err != nil {
			t.Fatal(err)
		}
		played[i] = pairs[0].Games[0].Moves
	}
	if len(played[0]) < 20 || played[0] != played[1] {
		t.Errorf("%q without and %q with it", played[0], played[1])
	}
}

// TestSixIdleProgramsAreKept keeps the last six programs that left their seat, and uses them
// for their next job.
func TestSixIdleProgramsAreKept(t *testing.T) {
	w, closed := NewWorker(open(t, nil), Setup{Seed: 1}), make([]int, 8)
	program := func(i int) player.Config { return player.Config{Engine: &player.Engine{File: string(rune('a' + i))}} }
	for i := range closed {
		w.seats[0] = occupied{player: &resigner{&closed[i]}, as: program(i)}
		if err := w.vacate(0); err != nil || w.seats[0].player != nil {
			t.Fatal(err, w.seats[0])
		}
	}
	if !slices.Equal(closed, []int{1, 1, 0, 0, 0, 0, 0, 0}) || len(w.idle) != maxIdle {
		t.Errorf("%d are kept, closed %v; want the first two closed", len(w.idle), closed)
	}
	w.fetch(0, program(1))
	if w.seats[0].player != nil {
		t.Error("a program that was closed sits down")
	}
	w.fetch(1, program(4))
	if s := w.seats[1]; s.player == nil || s.as.Engine.File != "e" || len(w.idle) != maxIdle-1 {
		t.Errorf("%+v sits, %d are kept", s, len(w.idle))
	}
	if err := w.Close(); err != nil || !slices.Equal(closed, slices.Repeat([]int{1}, len(closed))) {
		t.Errorf("closed at the end: %v, %v", closed, err)
	}
}
