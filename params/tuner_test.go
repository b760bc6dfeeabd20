package params

import (
	"math"
	"strings"
	"testing"
)

// TestScoreMatchesFastchess compares with the counts 34, 54, 63, 64, 75, a row of fastchess's
// tests (app/tests/elo_test.cpp). It gives the score .57931 and, with C = 800/ln 10, the
// normalised Elo 57.9356 = C (s - 1/2) / (sqrt(2) sigma).
func TestScoreMatchesFastchess(t *testing.T) {
	s := Score{Pairs: [5]int{34, 54, 31 + 32, 64, 75}}
	if s.N() != 290 || math.Abs(s.Mean()-.57931) > 5e-6 {
		t.Errorf("%d pairs, mean %v", s.N(), s.Mean())
	}
	normalised := 800 / math.Ln10 * (s.Mean() - .5) / math.Sqrt(2*s.Variance())
	if math.Abs(normalised-57.9356) > 5e-4 {
		t.Errorf("variance %v gives the normalised Elo %v, want 57.9356", s.Variance(), normalised)
	}
	for _, c := range []struct {
		pairs          [5]int
		mean, variance float64
	}{
		{[5]int{}, .5, 0},
		{[5]int{0, 0, 7, 0, 0}, .5, 0},
		{[5]int{1, 0, 0, 0, 1}, .5, .25},
		{[5]int{1, 0, 2, 0, 1}, .5, .125}, // two independent games without draws: p (1 - p) / 2
	} {
		s := Score{Pairs: c.pairs}
		if s.Mean() != c.mean || s.Variance() != c.variance {
			t.Errorf("%v: mean %v, variance %v; want %v, %v", c.pairs, s.Mean(), s.Variance(), c.mean, c.variance)
		}
	}
}

func TestCheckRejectsOtherTrials(t *testing.T) {
	space := Space{{Name: "x", Min: 0, Max: 1}}
	good := Trial{ID: 3, A: Vector{0}, B: Vector{1}}
	if err := good.Check(space, 3); err != nil {
		t.Error(err)
	}
	for want, edit := range map[string]func(*Trial){
		"out of order":        func(t *Trial) { t.ID = 4 },
		"x = 2 is out of":     func(t *Trial) { t.B = Vector{2} },
		"vector of 0 values":  func(t *Trial) { t.A = nil },
		"not a finite number": func(t *Trial) { t.A = Vector{math.NaN()} },
	} {
		trial := good
		edit(&trial)
		if err := trial.Check(space, 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %q", err, want)
		}
	}
}
