package rating

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxElo is the largest Elo difference ever reported, that of a score of
// 0.999: beyond it a match measures nothing but its own length. (fishtest,
// stat_util.py, cuts at the same score.)
const MaxElo = 1199.8261952903928 // 400 log10(999)

// NormalizedUnit is the normalized Elo of one standard deviation of a game's
// score, 800/ln 10. (Van den Bergh, "Normalized Elo", cantate.be/Fishtest.)
const NormalizedUnit = 347.43558552260146

// MinSample is the number of observations below which an Estimate is marked
// Few and widens its variance.
const MinSample = 32

// Score returns the expected score at a logistic Elo difference:
// 1/(1 + 10^(-elo/400)).
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Elo returns the logistic Elo difference of an expected score, cut to
// -MaxElo..MaxElo. It is the inverse of Score between these.
func Elo(score float64) float64 {
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

// NormalizedElo returns the normalized Elo of an expected score, given the
// variance of one game's score (twice that of a pair's mean score). The
// variance must be positive.
func NormalizedElo(score, gameVariance float64) float64 {
	return NormalizedUnit * (score - 0.5) / math.Sqrt(gameVariance)
}

// NormalizedScore is the inverse of NormalizedElo.
func NormalizedScore(nelo, gameVariance float64) float64 {
	return 0.5 + nelo/NormalizedUnit*math.Sqrt(gameVariance)
}

// Interval is a closed range of numbers.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Contains reports whether Low <= x <= High.
func (i Interval) Contains(x float64) bool { return i.Low <= x && x <= i.High }

// Half returns half the width.
func (i Interval) Half() float64 { return (i.High - i.Low) / 2 }

// Elo turns an interval of scores into one of logistic Elo.
func (i Interval) Elo() Interval { return Interval{Elo(i.Low), Elo(i.High)} }

// normalized turns an interval of scores into one of normalized Elo.
func (i Interval) normalized(gameVariance float64) Interval {
	return Interval{NormalizedElo(i.Low, gameVariance), NormalizedElo(i.High, gameVariance)}
}

// around returns mean +- margin within 0..1.
func around(mean, margin float64) Interval {
	return Interval{max(0, mean-margin), min(1, mean+margin)}
}

// Estimate is what a tally says about X's strength. Every number in it is
// finite, whatever the tally:
//
//   - With nothing played the score is 1/2 and the interval is everything.
//   - With fewer than MinSample observations the variance is widened (as if a
//     lost and a won observation had been seen besides) and Few is set.
//   - Where all observations are alike (all won, all lost, all even) the sample
//     variance says nothing; the variance is widened in the same way, Few is
//     set, and the interval also covers every mean compatible with the class's
//     exact binomial bound, so that 100 % of 5 pairs stays a wide interval.
//   - Elo and its bounds are cut at MaxElo.
type Estimate struct {
	N       int     `json:"n"`        // observations
	Unit    string  `json:"unit"`     // "pair" or "game"
	Level   float64 `json:"level"`    // confidence of the intervals, such as 0.95
	AnyTime bool    `json:"any_time"` // the intervals hold at whatever time one looks
	Few     bool    `json:"few"`      // too few observations, or all alike: read with care

	Score      float64  `json:"score"`
	SE         float64  `json:"se"` // standard error of Score
	ScoreRange Interval `json:"score_range"`

	Elo      float64  `json:"elo"` // logistic
	EloRange Interval `json:"elo_range"`

	NElo      float64  `json:"nelo"` // normalized
	NEloRange Interval `json:"nelo_range"`

	// LOS is the likelihood of superiority: the chance that X is the stronger,
	// by the normal approximation with no prior. It is for one look at a match
	// of fixed length.
	LOS float64 `json:"los"`
}

// Estimate judges a finished match of fixed length from its pairs, with
// intervals of the given level (0.95 for 95 %). It panics unless the level lies
// between 0 and 1. For matches watched while they run see Sequence.
func (p Pairs) Estimate(level float64) Estimate { return estimate(p.sample(), level) }

// Estimate is Pairs.Estimate for independent games. Games of pairs are not
// independent.
func (g Games) Estimate(level float64) Estimate { return estimate(g.sample(), level) }

func estimate(s sample, level float64) Estimate {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("rating: confidence level %v, want between 0 and 1", level))
	}
	few := s.alike || s.n < MinSample
	variance := s.variance
	if few {
		variance = s.widened(1)
	}
	se := math.Sqrt(variance / float64(max(s.n, 1)))
	r := around(s.mean, quantile(level)*se)
	if s.alike {
		r = hull(r, alikeRange(s, level))
	}
	return newEstimate(s, variance, r, Estimate{Level: level, Few: few})
}

// newEstimate completes e from a sample, its variance and the score's interval.
func newEstimate(s sample, variance float64, r Interval, e Estimate) Estimate {
	e.N, e.Unit = s.n, s.unit
	e.Score, e.ScoreRange = s.mean, r
	e.SE = math.Sqrt(variance / float64(max(s.n, 1)))
	e.Elo, e.EloRange = Elo(s.mean), r.Elo()
	game := s.games() * variance
	e.NElo, e.NEloRange = NormalizedElo(s.mean, game), r.normalized(game)
	e.LOS = normal((s.mean - 0.5) / e.SE)
	return e
}

// alikeRange is the interval of the mean when all n observations fell into one
// class: by Clopper and Pearson the class has a probability of at least
// q = ((1-level)/2)^(1/n), and the rest may lie anywhere.
func alikeRange(s sample, level float64) Interval {
	if s.n == 0 {
		return Interval{0, 1}
	}
	q := math.Pow((1-level)/2, 1/float64(s.n))
	return Interval{q * s.mean, float64(q*s.mean) + (1 - q)}
}

func hull(a, b Interval) Interval {
	return Interval{min(a.Low, b.Low), max(a.High, b.High)}
}

// EloError returns the error bar of Elo: half the width of EloRange.
func (e Estimate) EloError() float64 { return e.EloRange.Half() }

// Decided returns +1 when the whole interval lies above a score of 1/2, -1 when
// it lies below, and 0 when the question is open.
func (e Estimate) Decided() int {
	switch {
	case e.ScoreRange.Low > 0.5:
		return 1
	case e.ScoreRange.High < 0.5:
		return -1
	}
	return 0
}

// String reads such as "+12.3 ± 4.5 Elo (95 %, 2,000 pairs)". Where an end of
// the interval is beyond MaxElo both ends are given instead:
// "> +1200 Elo, from +338 to > +1200 (95 %, only 8 pairs)".
func (e Estimate) String() string {
	if e.N == 0 {
		return "no " + e.Unit + "s played"
	}
	level := percent(e.Level)
	if e.AnyTime {
		level += " at any time"
	}
	n := count(e.N, e.Unit)
	switch {
	case e.Few && e.N >= MinSample && !e.AnyTime:
		n += ", all alike"
	case e.Few:
		n = "only " + n
	}
	return fmt.Sprintf("%s (%s, %s)", e.eloText(), level, n)
}

func (e Estimate) eloText() string {
	if e.EloRange.Low > -MaxElo && e.EloRange.High < MaxElo {
		return fmt.Sprintf("%s ± %.1f Elo", eloString(e.Elo), e.EloError())
	}
	return fmt.Sprintf("%s Elo, from %s to %s", eloString(e.Elo), eloString(e.EloRange.Low), eloString(e.EloRange.High))
}

// Verdict says what the interval shows about X: "better", "worse" or "not shown
// to be better", each with the numbers.
func (e Estimate) Verdict() string {
	words := [...]string{"worse", "not shown to be better", "better"}
	return words[e.Decided()+1] + ": " + e.String()
}

// eloString writes an Elo with its sign; what was cut at MaxElo reads as
// "> +1200" or "< -1200".
func eloString(elo float64) string {
	switch {
	case elo >= MaxElo:
		return fmt.Sprintf("> +%.0f", MaxElo)
	case elo <= -MaxElo:
		return fmt.Sprintf("< -%.0f", MaxElo)
	case math.Abs(elo) < 0.05:
		return "0.0"
	}
	return fmt.Sprintf("%+.1f", elo)
}

// count writes "1 pair", "2,000 pairs".
func count(n int, unit string) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if n != 1 {
		unit += "s"
	}
	return b.String() + " " + unit
}

// quantile returns z with P(|Z| <= z) = level for a standard normal Z.
func quantile(level float64) float64 { return math.Sqrt2 * math.Erfinv(level) }

// normal returns the standard normal distribution function.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
