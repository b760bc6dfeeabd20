package rating

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"selfplaylab/reports/text"
)

// Estimate holds the conclusions from a tally about A's strength.
// All its numbers are finite for any tally:
//
//   - With nothing played the score is 1/2 and the interval covers all values.
//   - The interval of a match of fixed length covers at least as often as Level says, also for few pairs and rare
//     results (see scoreInterval). It is symmetrical about the score only where the results are.
//   - With fewer than MinSample observations, and with equal ones, the sample variance says little. SE, NElo and LOS
//     then use a variance widened by one lost and one won observation.
//   - Elo and its bounds are cut at MaxElo.
//   - Warnings holds the reasons why the numbers are weak.
type Estimate struct {
	N       int     `json:"n"`        // number of observations
	Unit    string  `json:"unit"`     // "pair" or "game"
	Level   float64 `json:"level"`    // confidence of the intervals, such as 0.95
	AnyTime bool    `json:"any_time"` // the intervals hold together, after any number of looks
	Few     bool    `json:"few"`      // tooFew, noIntervalYet or allAlike is among the warnings

	Warnings warnings `json:"warnings"` // reasons why the numbers are weak

	Score      float64  `json:"score"`       // A's mean points a game, in [0, 1]
	SE         float64  `json:"se"`          // standard error of Score
	ScoreRange Interval `json:"score_range"` // interval of Score

	Elo      float64  `json:"elo"`       // logistic Elo of Score
	EloRange Interval `json:"elo_range"` // interval of Elo, cut at MaxElo

	NElo      float64  `json:"nelo"`       // normalized Elo of Score
	NEloRange Interval `json:"nelo_range"` // interval of NElo

	// LOS is the likelihood of superiority: the probability that A is the stronger player, by
	// the normal approximation without a prior. It holds for a single look at a match of fixed
	// length.
	LOS float64 `json:"los"`
}

// Estimate judges a finished match of fixed length from its pairs.
// level is the confidence, such as 0.95.
// It panics unless the level lies between 0 and 1.
// A match watched while it runs needs a Sequence.
func (p Pairs) Estimate(level float64) Estimate { return estimate(p.sample(), level) }

// EstimateByOpening returns the estimate for pairs against several opponents on the same
// openings, because an opening may suit a player against all of them. points has an entry for
// each opening: the points of a game, summed over the opponents. The interval is Student's over
// the openings. With fewer than two openings it is Estimate's.
func (p Pairs) EstimateByOpening(points []float64, level float64) Estimate {
	s := p.sample()
	if len(points) < 2 || s.n < len(points) {
		return estimate(s, level)
	}
	_, se, half := MeanByOpening(points, float64(s.n)/float64(len(points)), 1, level)
	r := around(s.mean, half)
	e := newEstimate(s, s.widened(1), r, Estimate{Level: level, Warnings: s.warnings()})
	e.SE, e.LOS = se, normal((e.Score-0.5)/se)
	return e
}

// estimate returns the estimate of a match of fixed length.
// It panics unless the level lies between 0 and 1.
func estimate(s sample, level float64) Estimate {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("rating: confidence level %v, want between 0 and 1", level))
	}
	e := Estimate{Level: level, Warnings: s.warnings()}
	variance := s.variance
	if e.Warnings.few() {
		variance = s.widened(1)
	}
	return newEstimate(s, variance, scoreInterval(s.counts[:s.classes], level), e)
}

// warnings returns the warnings that follow from the sample alone.
func (s sample) warnings() (w warnings) {
	if s.n < MinSample {
		w |= tooFew
	}
	switch unlike := s.n - s.commonest; {
	case s.n == 0:
	case unlike == 0:
		w |= allAlike
	case unlike < minUnlike && s.n >= MinSample:
		w |= sparse
	}
	return w
}

// newEstimate completes e from a sample, its variance and the score's interval.
func newEstimate(s sample, variance float64, r Interval, e Estimate) Estimate {
	e.N, e.Unit = s.n, s.unit
	e.Score, e.ScoreRange = s.mean, r
	e.SE = math.Sqrt(variance / float64(max(s.n, 1)))
	e.Elo, e.EloRange = eloOf(s.mean), r.Elo()
	game := s.games() * variance
	e.NElo, e.NEloRange = normalizedElo(s.mean, game), Interval{normalizedElo(r.Low, game), normalizedElo(r.High, game)}
	e.LOS = normal((s.mean - 0.5) / e.SE)
	if s.n > 0 && (e.EloRange.Low == -MaxElo) != (e.EloRange.High == MaxElo) {
		e.Warnings |= oneSided
	}
	e.Few = e.Warnings.few()
	return e
}

// MeanByOpening returns the mean points of a game,
// its standard error and half of Student's interval.
// points has an entry for each opening, the sum over all opponents.
// scores is 1 for points of one player and 2 for the difference of two players' points.
// With a single opening the error and the interval are infinite.
func MeanByOpening(points []float64, opponents, scores, level float64) (mean, se, half float64) {
	n := float64(len(points))
	mean, variance := stat.PopMeanVariance(points, nil)
	// One pair of coin tosses a score with each opponent is
	// added, so that few openings never have an error of zero.
	se = math.Sqrt((float64(variance*n)+float64(.125*scores*opponents))/(n+1)/(n-1)) / opponents
	return mean / opponents, se, float64(se * Student(len(points), level))
}

// EloError returns half the width of EloRange.
func (e Estimate) EloError() float64 { return e.EloRange.Half() }

// Decided returns the decision of the score's interval: +1 if A is better, -1 if worse, 0 if
// neither is shown.
func (e Estimate) Decided() int { return e.ScoreRange.Decided() }

// String returns text such as "+12.3 ± 4.5 Elo (95 %, 2,000 pairs)".
// A lopsided interval, and one with an end beyond MaxElo, has both
// ends: "> +1200 Elo, from +338 to > +1200 (95 %, only 8 pairs)".
// Without any information it is "too few games yet (12 pairs)".
func (e Estimate) String() string {
	if e.N == 0 {
		return "no " + e.Unit + "s played"
	}
	n := text.Plural(e.N, e.Unit)
	if e.Unknown() {
		return "too few games yet (" + n + ")"
	}
	level := text.Level(e.Level)
	if e.AnyTime {
		level += " at any time"
	}
	switch {
	case e.Few && e.N >= MinSample && !e.AnyTime:
		n += ", all alike"
	case e.Few:
		n = "only " + n
	}
	return fmt.Sprintf("%s (%s, %s)", e.eloText(), level, n)
}

// Verdict returns the interval's decision about A in words, "better", "worse" or "not shown to
// be better", with the numbers.
func (e Estimate) Verdict() string {
	words := [...]string{"worse", "not shown to be better", "better"}
	return words[e.Decided()+1] + ": " + e.String()
}

// Normalized returns the normalized Elo with its interval, in the form of String.
func (e Estimate) Normalized() string {
	switch {
	case e.N >= MinSample && e.Warnings.Has(allAlike):
		return "not defined: all " + e.Unit + "s have the same score"
	case e.N == 0 || e.Unknown() || e.Few:
		return "too few games yet"
	}
	return fmt.Sprintf("%s, %s (%s, %s)", text.Signed(e.NElo, 1), text.Ends(e.NEloRange.Low, e.NEloRange.High, 1), text.Level(e.Level),
		text.Plural(e.N, e.Unit))
}

// Superior returns the likelihood of superiority, such as "97.5 % likely".
// Below MinSample observations the normal approximation does not hold: three lost
// pairs would be "0.3 %", although their interval of Elo reaches up to +153.
func (e Estimate) Superior() string {
	if e.N < MinSample {
		return "too few games yet"
	}
	return Chance(e.LOS) + " likely"
}

// Unknown reports whether the interval says nothing, because both its ends are beyond MaxElo.
func (e Estimate) Unknown() bool { return e.EloRange.Low == -MaxElo && e.EloRange.High == MaxElo }

// Early reports whether the observations are too few for an interval to rely on.
func (e Estimate) Early() bool { return e.Unknown() || e.Few && (e.AnyTime || e.N < MinSample) }

// lopsided is the largest difference of an interval's arms, as a share of its half-width, at
// which the interval is still written with ±.
const lopsided = 0.2

// eloText returns Elo with half its interval, or with both ends if it is lopsided or cut.
func (e Estimate) eloText() string {
	up, down := e.EloRange.High-e.Elo, e.Elo-e.EloRange.Low
	if e.EloRange.Low > -MaxElo && e.EloRange.High < MaxElo && math.Abs(up-down) <= lopsided*e.EloError() {
		return text.PlusMinus(e.Elo, e.EloError(), 1) + " Elo"
	}
	return fmt.Sprintf("%s Elo, from %s to %s", EloText(e.Elo), EloText(e.EloRange.Low), EloText(e.EloRange.High))
}
