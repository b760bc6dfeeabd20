package quadratic

import (
	"fmt"
	"math"
	"testing"

	"selfplaylab/params"
)

// nearer answers that the value nearer to an optimum, in steps, wins every game.
func nearer(p params.Param, optimum float64) func(params.Trial) params.Score {
	return func(t params.Trial) (s params.Score) {
		far := func(x float64) float64 { return math.Abs(p.Coordinate(x) - p.Coordinate(optimum)) }
		k := 2
		switch a, b := far(t.A[0]), far(t.B[0]); {
		case a < b-1e-12:
			k = 4
		case a > b+1e-12:
			k = 0
		}
		s.Pairs[k] = t.Pairs
		return s
	}
}

// TestBounds: from any start, including a bound, 200 comparisons without chance find an optimum
// anywhere in the range, and no pair of values is proposed repeatedly.
func TestBounds(t *testing.T) {
	for _, p := range []params.Param{
		{Name: "x", Min: 0, Max: 10, Step: 1},
		{Name: "c", Min: 1e-2, Max: 1e2, Step: .1, Log: true},
		{Name: "n", Min: 0, Max: 100, Step: 5, Whole: true},
	} {
		lo, hi := p.Bounds()
		for _, start := range []float64{0, .1, .3, .5, .8, .9, 1} {
			for _, best := range []float64{0, .05, .1, .2, .4, .5, .6, .8, .9, .95, .98, 1} {
				at := func(share float64) float64 {
					x := p.Value(lo + share*(hi-lo))
					if p.Whole {
						x = math.Round(x)
					}
					return x
				}
				tuner := newTuner(t, Settings{Space: params.Space{p}, Start: params.Vector{at(start)}, Active: []int{0}, Seed: 1, Pairs: 200})
				proposed := map[string]int{}
				most := 0
				answer := nearer(p, at(best))
				play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score {
					key := fmt.Sprint(min(trial.A[0], trial.B[0]), max(trial.A[0], trial.B[0]))
					proposed[key]++
					most = max(most, proposed[key])
					return answer(trial)
				})
				off := math.Abs(p.Coordinate(tuner.Recommend()[0])-p.Coordinate(at(best))) / (hi - lo)
				if off > .02 || !p.Whole && most > 20 {
					t.Errorf("%s, start at %g, optimum at %g of the range: ends %.1f %% of the range off, one pair of values asked for %d times",
						p.Name, start, best, 100*off, most)
				}
			}
		}
	}
}
