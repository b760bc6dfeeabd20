package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMarginsMatchTextbookAndCover checks a textbook's sample, and the coverage of 4,000 simulated
// samples of 12 pairs: 95 % intervals miss the mean in 5 %, give or take four standard errors.
func TestMarginsMatchTextbookAndCover(t *testing.T) {
	var m Margins
	for _, x := range []float64{2, 4, 4, 4, 5, 5, 7, 9} {
		m.Add(x)
	}
	// Mean 5, standard deviation sqrt(32/7); t of 7 degrees at 97.5 % is 2.3646.
	half := 2.364624 * math.Sqrt(32.0/7/8)
	if mean, in := m.Interval(0.95); mean != 5 || math.Abs(in.High-5-half) > 1e-5 || math.Abs(in.Low-5+half) > 1e-5 || m.N() != 8 {
		t.Errorf("%v %+v of %d, want 5 ± %v", mean, in, m.N(), half)
	}
	one, few := marginsOf(1, 3), marginsOf(MinSample-1, 3, 5)
	if _, in := one.Interval(0.95); !math.IsInf(in.High, 1) {
		t.Errorf("of one pair %+v", in)
	}
	for _, c := range []struct {
		of          Margins
		long, short string
	}{
		{one, "+3 cells a game (1 pair, too few for an interval)", "+3.00"},
		{marginsOf(2, 1), "+1 cell a game (2 pairs, too few for an interval)", "+1.00"}, // instead of "from +1 to +1"
		{marginsOf(2, 0), "0 cells a game (2 pairs, too few for an interval)", "0.00"},
		{few, "+3.968 cells a game (31 pairs, too few for an interval)", "+3.97"},
		{marginsOf(MinSample, 3), "+3 cells a game (32 pairs, all alike)", "+3.00"},
		{marginsOf(MinSample, 3, 5), "+4 cells a game, from +3.634 to +4.366 (95 %, 32 pairs)", "+4.00 ± 0.37"},
	} {
		if long, short := c.of.Text(0.95, "cells"), c.of.Short(0.95); long != c.long || short != c.short {
			t.Errorf("%q and %q, want %q and %q", long, short, c.long, c.short)
		}
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

// marginsOf returns n pairs, which have the given margins in turn.
func marginsOf(n int, margins ...float64) (m Margins) {
	for i := range n {
		m.Add(margins[i%len(margins)])
	}
	return m
}
