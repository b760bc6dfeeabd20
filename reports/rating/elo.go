package rating

import (
	"fmt"
	"math"

	"selfplaylab/reports/text"

	"gonum.org/v1/gonum/stat/distuv"
)

// MaxElo is the largest Elo difference ever reported, at a score of 0.999. A larger one would
// measure only the length of the match. (fishtest, stat_util.py, cuts at the same score.)
const MaxElo = 1199.8261952903928 // 400 log10(999)

// normalizedUnit is the normalized Elo of one standard deviation of a game's score: 800/ln 10.
// (Van den Bergh, "Normalized Elo", cantate.be/Fishtest.)
const normalizedUnit = 347.43558552260146

// MinSample is the number of observations below which an
// Estimate has the warning tooFew and a widened standard error.
const MinSample = 32

// Score returns the expected score at a logistic Elo difference: 1/(1 + 10^(-elo/400)).
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// eloOf returns the logistic Elo difference of an expected score, cut to -MaxElo..MaxElo.
// Within these bounds it is the inverse of Score.
func eloOf(score float64) float64 {
	switch {
	case score <= 0.001:
		return -MaxElo
	case score >= 0.999:
		return MaxElo
	case score == 0.5:
		return 0 // instead of -0
	}
	return -400 * math.Log10(1/score-1)
}

// normalizedElo returns the normalized Elo of an expected score.
// gameVariance is the variance of one game's score, twice that of a pair's mean score.
// It must be positive.
func normalizedElo(score, gameVariance float64) float64 {
	return normalizedUnit * (score - 0.5) / math.Sqrt(gameVariance)
}

// Interval is a closed range of numbers, with Low <= High.
type Interval struct {
	Low  float64 `json:"low"`  // inclusive
	High float64 `json:"high"` // inclusive
}

// Half returns half the width.
func (i Interval) Half() float64 { return (i.High - i.Low) / 2 }

// Decided returns +1 if the whole interval lies above a score of 1/2, -1 if it lies below, and
// 0 otherwise.
func (i Interval) Decided() int {
	switch {
	case i.Low > 0.5:
		return 1
	case i.High < 0.5:
		return -1
	}
	return 0
}

// Elo converts an interval of scores to one of logistic Elo, cut at MaxElo.
func (i Interval) Elo() Interval { return Interval{eloOf(i.Low), eloOf(i.High)} }

// around returns mean ± margin, cut to 0..1.
func around(mean, margin float64) Interval {
	margin = float64(margin) // never fused with the caller's product
	return Interval{max(0, mean-margin), min(1, mean+margin)}
}

// Student returns the quantile of Student's distribution for the interval of a mean of n values.
// level is the confidence.
func Student(n int, level float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(max(n-1, 1))}.Quantile((1 + level) / 2)
}

// EloText returns an Elo with its sign, and "> +1200" or "< -1200" for a value cut at MaxElo.
func EloText(elo float64) string {
	switch {
	case elo >= MaxElo:
		return fmt.Sprintf("> +%.0f", MaxElo)
	case elo <= -MaxElo:
		return fmt.Sprintf("< -%.0f", MaxElo)
	}
	return text.Signed(elo, 1)
}

// Chance returns a probability such as "97.5 %".
// A value that rounds to 0 or 1 is "> 99.9 %" or "< 0.1 %", because no sample shows certainty.
func Chance(p float64) string {
	switch {
	case p > 0.9995:
		return "> 99.9 %"
	case p < 0.0005:
		return "< 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*p)
}

// quantile returns the z with P(|Z| <= z) = level for a standard normal Z.
func quantile(level float64) float64 { return float64(-distuv.UnitNormal.Quantile((1 - level) / 2)) }

// normal returns the standard normal distribution function.
func normal(z float64) float64 { return float64(distuv.UnitNormal.CDF(z)) }
