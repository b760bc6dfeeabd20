package quadratic

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/params"
)

// TestAround: a model of another tuner's trials, mirrored around centres that move by
// themselves, states losses and differences about as reliably as it claims.
func TestAround(t *testing.T) {
	if testing.Short() {
		t.Skip("short: fits many models")
	}
	p := quadratic3()
	const runs = 60
	loss, optimum, between, reached := 0, 0, 0, 0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 3))
		centre, best := params.Vector{0, 2.5, 0}, params.Vector{1.5, 1.2, .5}
		var trials []params.Trial
		var scores []params.Score
		for k := range 400 {
			x, other := centre.Clone(), centre.Clone()
			for i := range x {
				centre[i] += .03*(best[i]-centre[i]) + .05*r.NormFloat64()
				d := 1.2 * float64(2*r.IntN(2)-1)
				x[i], other[i] = centre[i]+d, centre[i]-d
			}
			trial := params.Trial{ID: k, A: x, B: other, Pairs: 8}
			trials, scores = append(trials, trial), append(scores, p.Play(trial, r))
		}
		set := Settings{Space: p.Space, Start: p.Start, Active: []int{0, 1, 2}}
		m, err := Around(set, best, trials, scores)
		if err != nil {
			t.Fatal(err)
		}
		for j, loss1 := range []float64{.05, .2} {
			if q := m.Params[j]; math.Abs(q.Loss.Value-eloUnit*loss1) < 1.96*q.Loss.SE {
				loss++
			}
			if q, own := m.Params[j], bestOf(p, best, j); q.Low <= own && own <= q.High {
				optimum++
			}
		}
		from := params.Vector{.5, 2, 0}
		truth := eloUnit * (p.Strength(best) - p.Strength(from))
		if e := m.Between(best, from); math.Abs(e.Value-truth) < 1.96*e.SE {
			between++
		}
		// A match with a vector far away determines the difference from it.
		from = params.Vector{-2, 3.5, 0}
		far := params.Trial{A: best, B: from, Pairs: 400}
		tied, err := Around(set, best, append(trials, far), append(scores, p.Play(far, r)), from)
		if err != nil {
			t.Fatal(err)
		}
		truth = eloUnit * (p.Strength(best) - p.Strength(from))
		if e := tied.Between(best, from); math.Abs(e.Value-truth) < 1.96*e.SE && e.SE < 20 {
			reached++
		}
	}
	t.Logf("losses %d and optima %d of %d, differences %d and %d of %d", loss, optimum, 2*runs, between, reached, runs)
	// 95 % of 120 is 114, of 60 is 57; fewer than 105 and 51 have chances below 1e-3.
	if loss < 105 || optimum < 105 || between < 51 || reached < 51 {
		t.Errorf("the truth is inside too few intervals: losses %d, optima %d of %d, differences %d and %d of %d", loss, optimum, 2*runs, between, reached, runs)
	}
}

// TestAroundNothing leaves out parameters that no trial moved; no trial at all is an error.
func TestAroundNothing(t *testing.T) {
	p := quadratic3()
	set := Settings{Space: p.Space, Start: p.Start, Active: []int{0, 1, 2}}
	if _, err := Around(set, p.Start, nil, nil); err == nil {
		t.Error("a model of no trials")
	}
	r := rand.New(rand.NewPCG(1, 1))
	var trials []params.Trial
	var scores []params.Score
	for k := range 100 {
		trial := params.Trial{ID: k, A: params.Vector{-4, 5, 0}, B: params.Vector{-6, 5, 0}, Pairs: 4}
		trials, scores = append(trials, trial), append(scores, p.Play(trial, r))
	}
	m, err := Around(set, p.Start, trials, scores)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Params) != 1 || m.Params[0].Name != "a" {
		t.Errorf("a model of %+v", m.Params)
	}
}
