package play

import (
	"testing"
	"time"
)

// TestDeadlineOnlyWithTimeLimit: limits of other kinds have no deadline.
func TestDeadlineOnlyWithTimeLimit(t *testing.T) {
	s := &seat{}
	if d := (&table{}).deadline(s); d != 0 {
		t.Errorf("without a clock %v", d)
	}
	s.limits.Time = time.Second
	if d := (&table{}).deadline(s); d != time.Second+stallMargin {
		t.Errorf("with 1 s a move %v", d)
	}
	if d := (&table{stall: time.Minute}).deadline(s); d != time.Minute {
		t.Errorf("with a deadline of its own %v", d)
	}
}
