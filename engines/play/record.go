package play

import (
	"selfplaylab/engines"
	"time"
)

// record is the outcome of one game. Arrays are by side, not by player.
type record struct {
	moves     []engines.Move
	outcome   engines.Outcome
	reason    engines.Reason
	illegal   [2]int
	nodes     [2]int64
	chosen    int     // moves chosen by a player
	broken    [2]bool // the player failed and must be replaced
	abandoned bool    // a player was left behind and may still read moves
	margin    *float64
	detail    string // what went wrong, for people; "" if nothing

	notes []Note // decisions, if the table takes notes

	cpu   [2]CPU           // of sides that are metered
	began [2]time.Duration // what a program had used before its first decision; 0 if unknown

	left [2]time.Duration // on the clocks of sides that have one
	made [2]int           // moves by their clock

	lost [2]int // decisions in a row whose score resigns
	won  [2]int // and whose score agrees that the opponent does
	even [2]int // decisions in a row whose score is a draw's
}

// CPU is the processor time of decisions. Zero Decisions means that nothing was measured.
type CPU struct {
	Time      time.Duration
	Decisions int64
}

func (c *CPU) add(more CPU) {
	c.Time += more.Time
	c.Decisions += more.Decisions
}

// Bounds of the counts that a player may report.
const (
	maxNodes  = 1e12 // per decision: a quarter of an hour at a billion a second
	maxDepth  = 1 << 20
	maxDetail = 1 << 16 // bytes
)

// bound clips the counts that a player reports: external programs may write anything.
func bound(d *engines.Decision) {
	d.Nodes, d.Depth = min(max(d.Nodes, 0), maxNodes), min(max(d.Depth, 0), maxDepth)
	d.Mate = min(max(d.Mate, -maxDepth), maxDepth)
}
