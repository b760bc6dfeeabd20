package rating

import (
	"fmt"
	"math"
	"selfplaylab/reports/text"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// MaxElo is the largest Elo difference ever reported, that of a score of
// 0.999: beyond it a match measures nothing but its own length. (fishtest,
// stat_util.py, cuts at the same score.)
const MaxElo = 1199.8261952903928 // 400 log10(999)

// normalizedUnit is the normalized Elo of one standard deviation of a game's
// score, 800/ln 10. (Van den Bergh, "Normalized Elo", cantate.be/Fishtest.)
const normalizedUnit = 347.43558552260146

// MinSample is the number of observations below which an Estimate is marked
// tooFew and widens its standard error.
const MinSample = 32

// Score returns the expected score at a logistic Elo difference:
// 1/(1 + 10^(-elo/400)).
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// eloOf returns the logistic Elo difference of an expected score, cut to
// -MaxElo..MaxElo. It is the inverse of Score between these.
func eloOf(score float64) float64 {
	switch {
	case score <= 0.001:
		return -MaxElo
	case score >= 0.999:
		return MaxElo
	case score == 0.5:
		return 0 // not -0
	}
	return -400 * math.Log10(1/score-1)
}

// normalizedElo returns the normalized Elo of an expected score, given the
// variance of one game's score (twice that of a pair's mean score). The
// variance must be positive.
func normalizedElo(score, gameVariance float64) float64 {
	return normalizedUnit * (score - 0.5) / math.Sqrt(gameVariance)
}

// Interval is a closed range of numbers.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Half returns half the width.
func (i Interval) Half() float64 { return (i.High - i.Low) / 2 }

// Decided returns +1 when the whole interval lies above a score of 1/2, -1 when
// it lies below, and 0 when the question is open.
func (i Interval) Decided() int {
	switch {
	case i.Low > 0.5:
		return 1
	case i.High < 0.5:
		return -1
	}
	return 0
}

// Elo turns an interval of scores into one of logistic Elo.
func (i Interval) Elo() Interval { return Interval{eloOf(i.Low), eloOf(i.High)} }

// around returns mean +- margin within 0..1.
func around(mean, margin float64) Interval {
	margin = float64(margin) // never fused with the caller's product
	return Interval{max(0, mean-margin), min(1, mean+margin)}
}

// Estimate is what a tally says about A's strength. Every number in it is
// finite, whatever the tally:
//
//   - With nothing played the score is 1/2 and the interval is everything.
//   - The interval of a match of fixed length covers as often as Level says, or
//     more often, for few pairs and rare results too (see interval.go). It is not
//     symmetrical about the score where the results are not.
//   - With fewer than MinSample observations, and where all are alike, the sample
//     variance says little: SE, NElo and LOS are then those of a variance widened
//     as if a lost and a won observation had been seen besides.
//   - Elo and its bounds are cut at MaxElo.
//   - What makes the numbers weak is in warnings.
type Estimate struct {
	N       int     `json:"n"`        // observations
	Unit    string  `json:"unit"`     // "pair" or "game"
	Level   float64 `json:"level"`    // confidence of the intervals, such as 0.95
	AnyTime bool    `json:"any_time"` // the intervals hold at whatever time one looks
	Few     bool    `json:"few"`      // tooFew, noIntervalYet or allAlike is among the warnings

	Warnings warnings `json:"warnings"`

	Score      float64  `json:"score"`
	SE         float64  `json:"se"` // standard error of Score
	ScoreRange Interval `json:"score_range"`

	Elo      float64  `json:"elo"` // logistic
	EloRange Interval `json:"elo_range"`

	NElo      float64  `json:"nelo"` // normalized
	NEloRange Interval `json:"nelo_range"`

	// LOS is the likelihood of superiority: the chance that A is the stronger,
	// by the normal approximation with no prior. It is for one look at a match
	// of fixed length.
	LOS float64 `json:"los"`
}

// Estimate judges a finished match of fixed length from its pairs, with
// intervals of the given level (0.95 for 95 %). It panics unless the level lies
// between 0 and 1. For matches watched while they run see Sequence.
func (p Pairs) Estimate(level float64) Estimate { return estimate(p.sample(), level) }

// EstimateByOpening is Estimate of pairs against several opponents, all of which were played on the
// same openings: what suits a player in one may suit it against all of them. The points are a game's,
// summed over the opponents, in each opening. The interval is Student's.
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

// MeanByOpening is the mean of points a game, which are summed over so many opponents in each opening, with
// its standard error and half of Student's interval; both are infinite for one opening. The points are of
// one player, or, with scores 2, the difference of two players'.
func MeanByOpening(points []float64, opponents, scores, level float64) (mean, se, half float64) {
	n := float64(len(points))
	mean, variance := stat.PopMeanVariance(points, nil)
	// A pair of coins with each opponent besides, for each score: no error is zero after few openings.
	se = math.Sqrt((float64(variance*n)+float64(.125*scores*opponents))/(n+1)/(n-1)) / opponents
	return mean / opponents, se, float64(se * Student(len(points), level))
}

// Student is the quantile of Student's distribution for an interval of a mean of n values.
func Student(n int, level float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(max(n-1, 1))}.Quantile((1 + level) / 2)
}

func estimate(s sample, level float64) Estimate {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("rating: confidence level %v, want between 0 and 1", level))
	}
	e := Estimate{Level: level, Warnings: s.warnings()}
	variance := s.variance
	if e.Warnings.few() {
		variance = s.widened(1)
	}
	return newEstimate(s, variance, interval(s.counts[:s.classes], level), e)
}

// warnings returns what a sample alone tells.
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

// few reports whether the sample variance is not to be trusted.
func (w warnings) few() bool { return w.Has(tooFew | noIntervalYet | allAlike) }

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

// EloError returns the error bar of Elo: half the width of EloRange.
func (e Estimate) EloError() float64 { return e.EloRange.Half() }

// Decided is that of the score's interval.
func (e Estimate) Decided() int { return e.ScoreRange.Decided() }

// String reads such as "+12.3 ± 4.5 Elo (95 %, 2,000 pairs)". Where the interval
// is lopsided or an end of it is beyond MaxElo both ends are given instead: "> +1200
// Elo, from +338 to > +1200 (95 %, only 8 pairs)". Where it tells nothing it reads
// "too few games yet (12 pairs)".
func (e Estimate) String() string { return e.with(e.eloText(), "too few games yet") }

// Won is the estimate as the share of the points that A won, for comparisons that are no
// games: "won 92.2 %, from 88.8 % to 95.6 % (95 %, 240 pairs)".
func (e Estimate) Won() string {
	low, high := text.Percent(e.ScoreRange.Low), text.Percent(e.ScoreRange.High)
	return e.with(fmt.Sprintf("won %s, from %s to %s", text.Percent(e.Score), low, high), "too few comparisons yet")
}

// with puts the confidence and the number of observations behind a value; few stands
// for one that tells nothing.
func (e Estimate) with(value, few string) string {
	if e.N == 0 {
		return "no " + e.Unit + "s played"
	}
	n := text.Plural(e.N, e.Unit)
	if e.Unknown() {
		return few + " (" + n + ")"
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
	return fmt.Sprintf("%s (%s, %s)", value, level, n)
}

// Unknown reports whether the interval tells nothing: there is none yet, or both
// its ends are beyond MaxElo.
func (e Estimate) Unknown() bool { return e.EloRange.Low == -MaxElo && e.EloRange.High == MaxElo }

// lopsided is the share of the half-width by which the two arms of an interval may
// differ before both ends are written instead of ±.
const lopsided = 0.2

func (e Estimate) eloText() string {
	up, down := e.EloRange.High-e.Elo, e.Elo-e.EloRange.Low
	if e.EloRange.Low > -MaxElo && e.EloRange.High < MaxElo && math.Abs(up-down) <= lopsided*e.EloError() {
		return text.PlusMinus(e.Elo, e.EloError(), 1) + " Elo"
	}
	return fmt.Sprintf("%s Elo, from %s to %s", EloText(e.Elo), EloText(e.EloRange.Low), EloText(e.EloRange.High))
}

// Verdict says what the interval shows about A: "better", "worse" or "not shown
// to be better", each with the numbers.
func (e Estimate) Verdict() string {
	words := [...]string{"worse", "not shown to be better", "better"}
	return words[e.Decided()+1] + ": " + e.String()
}

// EloText writes an Elo with its sign; what was cut at MaxElo reads as
// "> +1200" or "< -1200".
func EloText(elo float64) string {
	switch {
	case elo >= MaxElo:
		return fmt.Sprintf("> +%.0f", MaxElo)
	case elo <= -MaxElo:
		return fmt.Sprintf("< -%.0f", MaxElo)
	}
	return text.Signed(elo, 1)
}

// Chance writes a probability as "97.5 %". What rounds to certainty or
// impossibility, which no sample shows, reads "> 99.9 %" or "< 0.1 %".
func Chance(p float64) string {
	switch {
	case p > 0.9995:
		return "> 99.9 %"
	case p < 0.0005:
		return "< 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*p)
}

// Apart is the sentence for a picture of ratings: what it means that two
// intervals of a level lie apart. The standard error of a difference is at most
// the sum of the two, whatever their correlation, so for two players chosen
// beforehand the chance of it is at most 1 - level if they are equal.
func Apart(level float64) string {
	return fmt.Sprintf("Two players whose %s intervals lie apart probably differ: two equal ones, chosen before the games, lie apart in "+
		"%s of tournaments at most, but among many players some do by chance.",
		text.Level(level), text.Level(1-level))
}

// quantile returns z with P(|Z| <= z) = level for a standard normal Z.
func quantile(level float64) float64 { return float64(-distuv.UnitNormal.Quantile((1 - level) / 2)) }

// normal returns the standard normal distribution function.
func normal(z float64) float64 { return float64(distuv.UnitNormal.CDF(z)) }

// Normalized writes the normalized Elo with its interval, as String does the Elo.
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

// Superior writes the likelihood of superiority: "97.5 % likely". The normal approximation is no
// likelihood for less than MinSample observations: three lost pairs would be "0.3 %", with an
// interval of Elo up to +153.
func (e Estimate) Superior() string {
	if e.N < MinSample {
		return "too few games yet"
	}
	return Chance(e.LOS) + " likely"
}
