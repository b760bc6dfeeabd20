package spsa

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/tunertest"
)

// TestEffects: the losses and slopes of a known quadratic come out within their
// intervals, about as often as the intervals promise.
func TestEffects(t *testing.T) {
	active, err := tunertest.Space.Active(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	inside, total, peaks := 0, 0, 0
	for range 40 {
		best := tunertest.Optimum.Clone()
		best[0]++ // off the optimum: a slope of -8 Elo a step is left
		var obs []Observation
		for range 400 {
			o := Observation{X: best.Clone(), Than: best.Clone()}
			for _, i := range active {
				p := tunertest.Space[i]
				centre := p.Coordinate(best[i]) + r.NormFloat64()
				flip := float64(2*r.IntN(2) - 1)
				o.X[i], o.Than[i] = p.Clip(p.Value(centre+flip)), p.Clip(p.Value(centre-flip))
			}
			s := tunertest.Answer(params.Trial{X: o.X, Than: o.Than, Pairs: 40}, r)
			o.Score = s.Mean()
			obs = append(obs, o)
		}
		effects, err := Effects(tunertest.Space, active, best, obs)
		if err != nil || len(effects) != len(active) {
			t.Fatalf("%d effects: %v", len(effects), err)
		}
		for _, e := range effects {
			slope := 0.0
			if e.Param == 0 {
				slope = -8
			}
			u, low, high, ok := e.Optimum(0.95)
			if !ok || !(low < u && u < high) {
				t.Fatalf("optimum of parameter %d at %v in %v to %v, %v", e.Param, u, low, high, ok)
			}
			if truth := slope / 8; low <= truth && truth <= high {
				peaks++
			}
			for _, z := range []float64{(e.Loss - 4) / e.LossSE, (e.Slope - slope) / e.SlopeSE} {
				total++
				if math.Abs(z) < 1.96 {
					inside++
				}
			}
		}
	}
	// 320 intervals of 95 %: fewer than 285 inside has a chance below 1e-4.
	if inside < 285 {
		t.Errorf("%d of %d intervals hold the truth", inside, total)
	}
	// 160 of 95 %: fewer than 141 has a chance below 1e-3.
	if peaks < 141 {
		t.Errorf("%d of %d intervals hold the optimum", peaks, total/2)
	}
}

// TestOptimumUnknown: without a curvature that is shown there is no place.
func TestOptimumUnknown(t *testing.T) {
	for _, e := range []Effect{{Slope: 3, SlopeSE: 1, Loss: 1, LossSE: 1}, {Loss: -5, LossSE: 1, SlopeSE: 1}, {}} {
		if u, low, high, ok := e.Optimum(0.95); ok {
			t.Errorf("%+v: %v in %v to %v", e, u, low, high)
		}
	}
	// By hand: no covariance, z = 1.959964; 4 (25 - z^2) u^2 - 2 (2*10*5) u + 100 - z^2 = 0.
	u, low, high, ok := Effect{Slope: 10, SlopeSE: 1, Loss: 5, LossSE: 1}.Optimum(0.95)
	if !ok || u != 1 || math.Abs(low-0.6717) > 1e-3 || math.Abs(high-1.6914) > 1e-3 {
		t.Errorf("%v in %v to %v, %v", u, low, high, ok)
	}
}

func TestEffectsRefusals(t *testing.T) {
	v := tunertest.Space.Default()
	if _, err := Effects(tunertest.Space, []int{0}, v, []Observation{{X: v, Than: v}}); err == nil {
		t.Error("nothing moved, but no error")
	}
	w := v.Clone()
	w[0]++
	if _, err := Effects(tunertest.Space, []int{0}, v, []Observation{{X: w, Than: v}}); err == nil {
		t.Error("one trial, but no error")
	}
	same := make([]Observation, 50)
	for i := range same {
		same[i] = Observation{X: w, Than: v, Score: 0.5}
	}
	if _, err := Effects(tunertest.Space, []int{0}, v, same); err == nil {
		t.Error("slope and curvature told apart by one pair of values")
	}
}
