package rating

import (
	"fmt"
	"math"
)

// ratio is the log-likelihood ratio of two hypotheses: a
// sum over observations, each with a step of ln(p1_i/p0_i).
type ratio struct {
	sum       float64 // over all observations
	deviation float64 // of one step
	skew      float64 // third central moment of a step over its variance
}

// ratio returns the log-likelihood ratio of "A is elo1 better" to "A is elo0 better".
func (m *multinomial) ratio(model Model, elo0, elo1 float64) ratio {
	f0, f1 := m.under(model, elo0), m.under(model, elo1)
	var step [5]float64
	var r ratio
	for i := range m.classes {
		step[i] = math.Log1p(f0.tilt[i]) - math.Log1p(f1.tilt[i])
		r.sum += float64(m.count[i] * step[i])
	}
	mean := r.sum / m.total
	var second, third float64
	for i := range m.classes {
		d := step[i] - mean
		second += float64(m.count[i] * d * d)
		third += float64(m.count[i] * d * d * d)
	}
	r.deviation = math.Sqrt(second / m.total)
	r.skew = third / second
	return r
}

// overshoot returns the mean distance by which the ratio lies beyond a
// bound when it has just crossed it upwards or downwards: E H^2 / 2 E H for
// the ladder height H of its walk (Siegmund, "Sequential Analysis", 1985,
// corollary 8.33), by his expansion for nearly normal steps (chapter X).
// Draws make the true overshoot larger, so the error is on the safe side.
func (r ratio) overshoot() (up, down float64) {
	const normal = 0.5825971579390107 // -zeta(1/2)/sqrt(2 pi), in deviations
	rho := float64(normal * r.deviation)
	return max(0, rho+r.skew/6), max(0, rho-r.skew/6)
}

// Model is the unit of an SPRT's bounds.
type Model uint8

// The models.
const (
	Logistic   Model = iota // logistic Elo, which depends only on the score
	Normalized              // normalized Elo, the score in units of its deviation
)

// String returns "logistic" or "normalized".
func (m Model) String() string {
	if m == Normalized {
		return "normalized"
	}
	return "logistic"
}

// MarshalText returns the text of String, for JSON.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads "logistic" or "normalized"; another text is an error.
func (m *Model) UnmarshalText(text []byte) error {
	for _, model := range []Model{Logistic, Normalized} {
		if model.String() == string(text) {
			*m = model
			return nil
		}
	}
	return fmt.Errorf("unknown model %q: want logistic or normalized", text)
}

// under returns the likeliest distribution at an Elo difference.
func (m *multinomial) under(model Model, elo float64) fit {
	if model == Logistic {
		return m.mean(Score(elo))
	}
	t := elo / normalizedUnit
	if m.classes == 5 {
		t *= math.Sqrt2
	}
	return m.deviations(t)
}
