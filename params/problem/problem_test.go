package problem

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/params"
)

// TestValuesMatchOtherImplementation compares p at the optimum and at 0 with the table of an
// independent implementation of CLOP's problems.
func TestValuesMatchOtherImplementation(t *testing.T) {
	want := map[string][2]float64{
		"LOG": {.619233, .455611}, "FLAT": {.549834, .514806}, "POWER": {.529104, .512497},
		"ANGLE": {.731059, .717273}, "STEP": {.731059, .432238}, "ROSENBROCK": {.731059, .331812},
		"CORRELATED": {.524979, .438459}, "LOG2": {.619233, .455611}, "LOG5": {.619233, .455611}, "LOG12": {.619233, .455611},
	}
	for _, p := range All() {
		best, zero := p.win(p.Optimum), p.win(make(params.Vector, len(p.Space)))
		if w := want[p.Name]; math.Abs(best-w[0]) > 6e-7 || math.Abs(zero-w[1]) > 6e-7 {
			t.Errorf("%s: p %.6f at the optimum and %.6f at 0, want %v", p.Name, best, zero, w)
		}
		if err := p.Space.Check(p.Start); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// TestNoPointBeatsOptimum draws random points: none is better than the optimum of its problem.
func TestNoPointBeatsOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tries many points")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range All() {
		for range 20000 {
			// LOG's optimum is -.525 exactly: 8/(4x + 4.1) = 4.
			if v := p.Random(r); p.Regret(v) < 0 {
				t.Errorf("%s: %v is %v better than the optimum", p.Name, v, -p.Regret(v))
				break
			}
		}
	}
}

// TestPlayFollowsChances compares counts of pairs with the probabilities that the fields of
// Problem promise.
func TestPlayFollowsChances(t *testing.T) {
	const pairs = 40000
	p := Log()
	trial := params.Trial{A: params.Vector{-.5}, B: params.Vector{.2}, Pairs: pairs}
	win := logistic(p.Strength(trial.A) - p.Strength(trial.B))
	r := rand.New(rand.NewPCG(3, 4))
	s := p.Play(trial, r)
	se := math.Sqrt(win * (1 - win) / 2 / pairs)
	if math.Abs(s.Mean()-win) > 4*se || s.N() != pairs || s.Pairs[1]+s.Pairs[3] != 0 {
		t.Errorf("%v: mean %v, want %v ± %v and no draws", s.Pairs, s.Mean(), win, se)
	}
	independent := s.Variance()
	if ratio := independent / (win * (1 - win) / 2); math.Abs(ratio-1) > .05 {
		t.Errorf("variance of independent games %v times p (1 - p) / 2", ratio)
	}
	p.Spread = 1
	if v := p.Play(trial, r).Variance(); v < 1.1*independent {
		t.Errorf("with openings that decide both games, variance %v; without %v", v, independent)
	}
	p.Spread, p.Draws = 0, 1
	if v := p.Play(trial, r).Variance(); v > .8*independent {
		t.Errorf("with draws variance %v, without %v", v, independent)
	}
}
