package rating

import (
	"fmt"
	"math"
	"selfplaylab/reports/text"
)

// difference is the lead of one match over another, independent one in Elo. Independent matches
// have different openings and seeds, such as matches of a player against the same opponent
// before and after a change.
type difference struct {
	level    float64
	n        [2]int  // pairs of the two matches
	elo      float64 // Elo of the first match less Elo of the second
	eloRange Interval
}

// Compare returns the difference of two independent matches, the first less the second.
// It panics unless the level lies between 0 and 1.
//
// The squares of the arms of both intervals add up: by Newcombe for proportions
// ("Interval estimation for the difference between independent proportions", Statistics
// in Medicine 17, 1998, method 10), and by Zou and Donner otherwise ("Construction of
// confidence limits about effect measures", Statistics in Medicine 27, 2008).
// The result is as lopsided as the two intervals, and for few pairs as exact.
// Where an end of either Elo is cut at MaxElo, the arm of the
// difference reaches to the largest possible difference, twice MaxElo.
func Compare(a, b Pairs, level float64) difference {
	x, y := a.Estimate(level), b.Estimate(level)
	in := differenceRange(x.Elo, x.EloRange, y.Elo, y.EloRange, 2*MaxElo)
	if x.EloRange.Low == -MaxElo || y.EloRange.High == MaxElo {
		in.Low = -2 * MaxElo
	}
	if x.EloRange.High == MaxElo || y.EloRange.Low == -MaxElo {
		in.High = 2 * MaxElo
	}
	return difference{level, [2]int{x.N, y.N}, x.Elo - y.Elo, in}
}

// differenceRange returns the interval of x - y from
// the intervals of x and y, cut to -limit..limit.
func differenceRange(x float64, in Interval, y float64, other Interval, limit float64) Interval {
	return Interval{
		max(-limit, x-y-math.Hypot(x-in.Low, other.High-y)),
		min(limit, x-y+math.Hypot(in.High-x, y-other.Low)),
	}
}

// String returns text such as "+12.3 Elo, from -1.0 to +25.7 (95 %, 400 against 500 pairs)".
// With one end unknown it returns "at least -1.0 Elo (...)"
// or "at most ...", and with both "too few games yet (...)".
func (d difference) String() string {
	n := fmt.Sprintf("%s against %s", text.Count(d.n[0]), text.Plural(d.n[1], "pair"))
	low, high := d.eloRange.Low <= -2*MaxElo, d.eloRange.High >= 2*MaxElo
	line := text.Signed(d.elo, 1) + " Elo, " + text.Ends(d.eloRange.Low, d.eloRange.High, 1)
	switch {
	case min(d.n[0], d.n[1]) == 0 || low && high:
		return "too few games yet (" + n + ")"
	case high:
		line = "at least " + text.Signed(d.eloRange.Low, 1) + " Elo"
	case low:
		line = "at most " + text.Signed(d.eloRange.High, 1) + " Elo"
	}
	return fmt.Sprintf("%s (%s, %s)", line, text.Level(d.level), n)
}
