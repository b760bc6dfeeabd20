package rating

import (
	"fmt"
	"math"
	"selfplaylab/reports/text"
)

// difference is by how much one independent match went better than another: runs
// with different openings and seeds, such as the same player against the same
// opponent before and after a change.
type difference struct {
	Level float64 `json:"level"`
	N     [2]int  `json:"n"` // pairs of the two matches

	Score      float64  `json:"score"` // by how much the first's score is higher
	ScoreRange Interval `json:"score_range"`

	Elo      float64  `json:"elo"` // by how many Elo the first is higher
	EloRange Interval `json:"elo_range"`

	// Chance is the chance that the first is truly higher, by the normal
	// approximation with no prior.
	Chance   float64  `json:"chance"`
	Warnings warnings `json:"warnings"` // of either match
}

// Compare returns the difference of two independent matches, the first less the
// second. It panics unless the level lies between 0 and 1.
//
// The intervals are put together from those of the two matches by the squares of
// their arms: of Newcombe ("Interval estimation for the difference between
// independent proportions", Statistics in Medicine 17, 1998, method 10) for
// proportions, and of Zou and Donner ("Construction of confidence limits about
// effect measures", Statistics in Medicine 27, 2008) for all else. They are as
// lopsided as theirs, and are right for few pairs as far as theirs are. Where an
// end of the Elo of either is cut at MaxElo, the arm of the difference there
// reaches to the largest difference there is, twice MaxElo.
func Compare(a, b Pairs, level float64) difference {
	x, y := a.Estimate(level), b.Estimate(level)
	d := difference{
		Level: level, N: [2]int{x.N, y.N}, Warnings: x.Warnings | y.Warnings,
		Score: x.Score - y.Score, Elo: x.Elo - y.Elo,
		Chance: normal((x.Score - y.Score) / math.Hypot(x.SE, y.SE)),
	}
	d.ScoreRange = differenceRange(x.Score, x.ScoreRange, y.Score, y.ScoreRange, 1)
	d.EloRange = differenceRange(x.Elo, x.EloRange, y.Elo, y.EloRange, 2*MaxElo)
	if x.EloRange.Low == -MaxElo || y.EloRange.High == MaxElo {
		d.EloRange.Low = -2 * MaxElo
	}
	if x.EloRange.High == MaxElo || y.EloRange.Low == -MaxElo {
		d.EloRange.High = 2 * MaxElo
	}
	return d
}

func differenceRange(x float64, in Interval, y float64, other Interval, limit float64) Interval {
	return Interval{
		max(-limit, x-y-math.Hypot(x-in.Low, other.High-y)),
		min(limit, x-y+math.Hypot(in.High-x, y-other.Low)),
	}
}

// String reads such as "+12.3 Elo, from -1.0 to +25.7 (95 %, 400 against 500
// pairs)". Where an end of the interval is not known it reads "at least -1.0 Elo
// (...)" or "at most ...", and where both are not "too few games yet (...)".
func (d difference) String() string {
	n := fmt.Sprintf("%s against %s", text.Count(d.N[0]), text.Plural(d.N[1], "pair"))
	low, high := d.EloRange.Low <= -2*MaxElo, d.EloRange.High >= 2*MaxElo
	line := fmt.Sprintf("%+.1f Elo, from %+.1f to %+.1f", d.Elo, d.EloRange.Low, d.EloRange.High)
	switch {
	case min(d.N[0], d.N[1]) == 0 || low && high:
		return "too few games yet (" + n + ")"
	case high:
		line = fmt.Sprintf("at least %+.1f Elo", d.EloRange.Low)
	case low:
		line = fmt.Sprintf("at most %+.1f Elo", d.EloRange.High)
	}
	return fmt.Sprintf("%s (%s, %s)", line, text.Level(d.Level), n)
}
