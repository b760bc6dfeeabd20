package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMargins: against a textbook's sample, and coverage by simulation: of 4,000
// samples of 12 pairs, 95 % intervals miss the mean in 5 %, give or take four
// standard errors.
func TestMargins(t *testing.T) {
	var m Margins
	for _, x := range []float64{2, 4, 4, 4, 5, 5, 7, 9} {
		m.Add(x)
	}
	// Mean 5, standard deviation sqrt(32/7); t of 7 degrees at 97.5 % is 2.3646.
	half := 2.364624 * math.Sqrt(32.0/7/8)
	if mean, in := m.Interval(0.95); mean != 5 || math.Abs(in.High-5-half) > 1e-5 || math.Abs(in.Low-5+half) > 1e-5 || m.N() != 8 {
		t.Errorf("%v %+v of %d, want 5 ± %v", mean, in, m.N(), half)
	}
	if got, want := m.Text(0.95, "cells"), "+5 cells a game, from +3.213 to +6.787 (95 %, 8 pairs)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var one, none Margins
	for range 2 {
		none.Add(0)
	}
	if got, want := none.Text(0.95, "cells"), "0 cells a game, from 0 to 0 (95 %, 2 pairs)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	one.Add(3)
	if _, in := one.Interval(0.95); !math.IsInf(in.High, 1) || one.Text(0.95, "cells") != "+3 cells a game (1 pair, too few for an interval)" {
		t.Errorf("of one pair %+v, %q", in, one.Text(0.95, "cells"))
	}
	r := rand.New(rand.NewPCG(1, 2))
	const samples, level = 4000, 0.95
	missed := 0
	for range samples {
		var m Margins
		for range 12 {
			m.Add(3 + 2*r.NormFloat64())
		}
		if _, in := m.Interval(level); in.Low > 3 || in.High < 3 {
			missed++
		}
	}
	if share, se := float64(missed)/samples, math.Sqrt(level*(1-level)/samples); math.Abs(share-(1-level)) > 4*se {
		t.Errorf("%.3f of the intervals miss", share)
	}
}
