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
	chosen    int     // number of moves chosen by a player
	broken    [2]bool // the player failed and must be replaced
	abandoned bool    // a player was abandoned and may still read moves
	margin    *float64
	detail    string // the fault in words, for people; "" if there was none
	log       string // as Game.Log

	notes []Note // one a decision, if the table records notes

	cpu   [2]CPU           // of metered sides
	began [2]time.Duration // processor time of a program before its first decision; 0 if unknown

	left [2]time.Duration // time left on the clocks of sides that have one
	made [2]int           // number of moves by their clock

	lost [2]int // successive decisions with a resigning score
	won  [2]int // successive decisions that agree with the opponent's resignation
	even [2]int // successive decisions with a drawing score
}

// CPU is the processor time of decisions. Zero Decisions means that nothing was measured.
type CPU struct {
	Time      time.Duration // of all measured decisions
	Decisions int64         // number of measured decisions
}

func (c *CPU) add(more CPU) {
	c.Time += more.Time
	c.Decisions += more.Decisions
}

// Bounds of the counts that a player may report.
const (
	maxNodes  = 1e12 // units a decision: a quarter of an hour at a billion a second
	maxDepth  = 1 << 20
	maxDetail = 1 << 16 // bytes
	maxLog    = 1 << 20 // bytes
)

// bound clips the counts that a player reports, because external programs may write anything.
func bound(d *engines.Decision) {
	d.Nodes, d.Depth = min(max(d.Nodes, 0), maxNodes), min(max(d.Depth, 0), maxDepth)
	d.Mate = min(max(d.Mate, -maxDepth), maxDepth)
}
