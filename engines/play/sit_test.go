package play

import (
	"context"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// resigner resigns at once, and is closed.
type resigner struct{ closed *int }

func (r *resigner) Configure([]float64) error { return nil }

func (r *resigner) Reset(string, uint64) error { return nil }

func (r *resigner) Choose(context.Context, []engines.Move, engines.Limits) (engines.Decision, error) {
	return engines.Decision{}, &engines.Fault{Reason: engines.Resigned}
}

func (r *resigner) Close() error { *r.closed++; return nil }

// TestSit: a player stays in its seat for the next job, another takes it, and one that
// could not be started is started again.
func TestSit(t *testing.T) {
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
