package play

import (
	"fmt"
	"testing"

	"selfplaylab/engines"
)

// TestIllegalAnswer: the fault of an illegal move stands next to the decision that it is
// about, and only then is that counted.
func TestIllegalAnswer(t *testing.T) {
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
