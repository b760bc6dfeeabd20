package external

import (
	"context"
	"time"

	"selfplaylab/engines"
)

// PID returns the number of the process, 0 if there is none.
func (p *Player) PID() int {
	if p.link == nil {
		return 0
	}
	return p.link.PID()
}

// Starts returns the number of processes started so far.
func (p *Player) Starts() int { return p.starts }

// Stderr returns a function that returns the end of
// the program's stderr, which is complete after Close.
func (p *Player) Stderr() func() string { return p.link.Stderr }

// Late exports late.
func Late(elapsed, limit, margin time.Duration) bool { return late(elapsed, limit, margin) }

// CheckWithin checks as Check does, with another bound on the wait for a decision.
func CheckWithin(e *Engine, v engines.Variant, stall time.Duration) Report {
	return check(context.Background(), e, v, stall)
}
