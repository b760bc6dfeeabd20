package rating

import (
	"fmt"
	"math"
)

// length describes the duration of an SPRT.
type length struct {
	Mean float64 // in pairs
	P95  float64 // pairs within which 95 % of the tests end
	Pass float64 // probability that H1 is accepted
}

// Length returns the duration of the test and its probability to pass when A is truly elo
// better, in the model's unit. variance is the variance of a pair's mean score (see Plan). It
// panics if check fails or the variance is not in 0..1/4.
//
// The ratio is approximated by Brownian motion between the bounds, with Van den Bergh's drift
// ("The generalized maximum likelihood ratio for the expectation value of a distribution",
// section 3).
func (s SPRT) Length(elo, variance float64) length {
	w := s.motion(elo, variance)
	var l length
	l.Mean, l.Pass = brownian(w.drift, w.variance, w.low, w.high)
	l.P95 = w.quantile(0.95, l.Mean)
	return l
}

// motion returns the Brownian motion that approximates the ratio. Its variance is twice the
// drift at either hypothesis, so that its probabilities to end at a bound are the test's. Its
// bounds are those after the mean number of pairs.
func (s SPRT) motion(elo, variance float64) motion {
	if err := s.check(); err != nil {
		panic("rating: " + err.Error())
	}
	if !(variance > 0 && variance <= 0.25) {
		panic(fmt.Sprintf("rating: variance %v of a pair's mean score, want above 0 and at most 1/4", variance))
	}
	s = s.withDefaults()
	score := Score
	if s.Model == Normalized {
		score = func(nelo float64) float64 { return 0.5 + float64(nelo/normalizedUnit*math.Sqrt(2*variance)) } // see normalizedElo
	}
	s0 := score(s.Elo0)
	s1 := score(s.Elo1)
	x := score(elo)
	drift := math.Log((variance+float64((x-s0)*(x-s0)))/(variance+float64((x-s1)*(x-s1)))) / 2
	w := motion{drift, math.Log1p((s1 - s0) * (s1 - s0) / variance), math.Log(s.Beta), -math.Log(s.Alpha)}
	mean, _ := brownian(w.drift, w.variance, w.low, w.high)
	w.low, w.high = w.low*allowance(mean), w.high*allowance(mean)
	return w
}
