package engines

import (
	"fmt"
	"time"
)

// The kinds of budgets, named as in the text of Limits.
const (
	BudgetDepth    = "depth"
	BudgetNodes    = "nodes"
	BudgetPlayouts = "playouts"
	BudgetTime     = "time"
)

// Budget is a kind of limit that a game's player supports.
type Budget struct {
	Kind string // BudgetDepth, BudgetNodes, BudgetPlayouts or BudgetTime
	// Max is the largest value that makes sense to the player, of time in
	// nanoseconds; 0 for the largest of its kind.
	Max int64
	// Slack is by how much a decision may exceed a limit of nodes or playouts,
	// because the player finishes the work it has started.
	Slack int64
}

// Bounds of limits for any player.
const (
	// MaxCount is the largest limit of nodes or playouts: the largest count that
	// JSON and spreadsheets keep exactly.
	MaxCount int64 = 1 << 53
	// MaxDepth is the largest limit of depth.
	MaxDepth = 1000
	// MinTime and MaxTime bound a limit of time: below a millisecond the
	// scheduler of any system decides, above a day nobody waits.
	MinTime = time.Millisecond
	MaxTime = 24 * time.Hour
)

// max returns the largest value of a budget.
func (b Budget) max() int64 {
	bound := map[string]int64{BudgetDepth: MaxDepth, BudgetNodes: MaxCount, BudgetPlayouts: MaxCount, BudgetTime: int64(MaxTime)}[b.Kind]
	if b.Max > 0 {
		return min(b.Max, bound)
	}
	return bound
}

// limit is a Limits of one kind.
func (b Budget) limit(value int64) Limits {
	switch b.Kind {
	case BudgetDepth:
		return Limits{Depth: int(value)}
	case BudgetNodes:
		return Limits{Nodes: value}
	case BudgetPlayouts:
		return Limits{Playouts: value}
	}
	return Limits{Time: time.Duration(value)}
}

// value is what a Limits says about the budget's kind; 0 for nothing.
func (b Budget) value(l Limits) int64 {
	switch b.Kind {
	case BudgetDepth:
		return int64(l.Depth)
	case BudgetNodes:
		return l.Nodes
	case BudgetPlayouts:
		return l.Playouts
	}
	return int64(l.Time)
}

// check reports a value out of bounds.
func (b Budget) check(value int64) error {
	lowest := int64(1)
	if b.Kind == BudgetTime {
		lowest = int64(MinTime)
	}
	if value >= lowest && value <= b.max() {
		return nil
	}
	if b.Kind == BudgetTime {
		return fmt.Errorf("time=%v: want %v to %v", time.Duration(value), MinTime, time.Duration(b.max()))
	}
	return fmt.Errorf("%s=%d: want %d to %d", b.Kind, value, lowest, b.max())
}

// SearchTime returns how long a search may take under a time limit of which spent
// is already gone. It keeps back 1/32 of the limit, at most half a millisecond, so
// that the search can stop and its answer arrives in time. The result is above 0
// even if no time is left.
func SearchTime(limit, spent time.Duration) time.Duration {
	return max(limit-spent-min(limit/32, time.Millisecond/2), 1)
}
