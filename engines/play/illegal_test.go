package play

import (
	"fmt"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// TestIllegalAnswerIsNotedAtItsDecision counts a fault for the decision that was illegal, and
// for no other.
func TestIllegalAnswerIsNotedAtItsDecision(t *testing.T) {
	fault := &engines.Fault{Reason: engines.IllegalMove, Detail: "answered \"0,0\" (a9 here)"}
	moved := answer{Decision: engines.Decision{Move: 7}}
	for _, c := range []struct {
		program bool
		answer  answer
		err     error
		want    *engines.Fault
	}{
		{true, moved, fmt.Errorf("choose: %w", fault), fault}, {true, answer{}, fault, nil}, {false, moved, fault, nil}, {true, moved, nil, nil},
		{true, moved, &engines.Fault{Reason: engines.OutOfTime}, nil},
	} {
		if got := illegalAnswer(&seat{program: c.program}, c.answer, c.err); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestPanicOfNewNamesPlayer has a custom player whose New panics: the error names it.
func TestPanicOfNewNamesPlayer(t *testing.T) {
	w := NewWorker(open(t, nil), Setup{Seed: 1})
	defer w.Close()
	seat := player.Config{Name: "x", Custom: &player.Custom{New: func(engines.Variant) (engines.Player, error) { panic("boom") }}}
	_, err := w.Play(t.Context(), Job{Seats: [2]player.Config{seat, seat}, To: 1})
	if err == nil || !strings.HasPrefix(err.Error(), `player "x": panic: boom`) {
		t.Error(err)
	}
}
