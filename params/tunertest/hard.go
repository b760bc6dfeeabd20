package tunertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/params"
)

// Hard is a situation in which no tuner finds anything, but each must keep its promises.
type Hard struct {
	Name  string        // of the subtest
	Space params.Space  // all its parameters are tuned
	Start params.Vector // where the tuner begins
	Pairs int           // the budget
	// draws the score of a trial; it may return the same score always
	Answer func(params.Trial, *rand.Rand) params.Score
}

// Active returns the indices of all parameters of the space.
func (h *Hard) Active() (list []int) {
	for i := range h.Space {
		list = append(list, i)
	}
	return list
}

// Line returns a space of d real parameters from -1 to 1.
func Line(d int) params.Space {
	var s params.Space
	for i := range d {
		s = append(s, params.Param{Name: fmt.Sprint("x", i), Min: -1, Max: 1, Step: .1})
	}
	return s
}

// constant answers every pair with k half points.
func constant(k int) func(params.Trial, *rand.Rand) params.Score {
	return func(t params.Trial, _ *rand.Rand) (s params.Score) {
		s.Pairs[k] = t.Pairs
		return s
	}
}

// odds draws pairs of independent games at given log-odds of A, a share draws of which are
// drawn.
func odds(t params.Trial, odds, draws float64, r *rand.Rand) (s params.Score) {
	win := 1 / (1 + math.Exp(-odds))
	for range t.Pairs {
		points := 0
		for range 2 {
			switch {
			case r.Float64() < draws:
				points++
			case r.Float64() < win:
				points += 2
			}
		}
		s.Pairs[points]++
	}
	return s
}

// deterministic answers as if one parameter decided every game: the last one in which A and B
// differ. The value nearer to .3 wins.
func deterministic(t params.Trial, _ *rand.Rand) (s params.Score) {
	k := 2
	for i := range t.A {
		if x, y := math.Abs(t.A[i]-.3), math.Abs(t.B[i]-.3); x < y {
			k = 4
		} else if x > y {
			k = 0
		}
	}
	s.Pairs[k] = t.Pairs
	return s
}

// Heavy answers with a weak peak at 0, and adds to the log-odds of each trial a number of
// Cauchy's distribution, whose variance is infinite.
func Heavy(t params.Trial, r *rand.Rand) params.Score {
	off := math.Tan(math.Pi * (r.Float64() - .5))
	return odds(t, t.B[0]*t.B[0]-t.A[0]*t.A[0]+off, .2, r)
}

// cycle answers as if each point beat the points clockwise of it, so that no point is best.
func cycle(t params.Trial, r *rand.Rand) params.Score {
	return odds(t, 20*(t.A[0]*t.B[1]-t.A[1]*t.B[0]), 0, r)
}

// cliff answers with a slope that ends in a steep fall.
func cliff(t params.Trial, r *rand.Rand) params.Score {
	at := func(v params.Vector) float64 { return 5*v[0] - 1000*max(0, v[0]-.25) }
	return odds(t, at(t.A)-at(t.B), 0, r)
}

// Hards returns the situations, each once for every budget in pairs.
func Hards(pairs ...int) (list []Hard) {
	whole := params.Space{{Name: "n", Min: 1, Max: 3, Step: 1, Whole: true}, {Name: "m", Min: 0, Max: 2, Step: 10, Whole: true}}
	wide := params.Space{{Name: "x", Min: -1e6, Max: 1e6, Step: 1e-3}, {Name: "c", Min: 1e-3, Max: 1e3, Step: .1, Log: true},
		{Name: "k", Min: 1, Max: 1e6, Step: 1, Whole: true, Log: true}}
	small, large := Line(2), Line(2)
	for i := range small {
		small[i].Step, large[i].Step = 1e-4, 100
	}
	tiny := params.Space{{Name: "x", Min: 1, Max: 1 + 1e-9, Default: 1, Step: 1e-10}, {Name: "y", Min: -1e-9, Max: 1e-9, Step: 1e-3}}
	for _, n := range pairs {
		list = append(list,
			Hard{"always drawn", Line(3), params.Vector{0, .5, -1}, n, constant(2)},
			Hard{"always won, from bounds", Line(3), params.Vector{1, 1, 1}, n, constant(4)},
			Hard{"always lost", Line(1), params.Vector{1}, n, constant(0)},
			Hard{"one game won, one lost by openings", Line(1), params.Vector{0}, n, constant(3)},
			Hard{"deterministic", Line(2), params.Vector{-1, 1}, n, deterministic},
			Hard{"heavy tails", Line(1), params.Vector{.9}, n, Heavy},
			Hard{"cycle", Line(2), params.Vector{.1, 0}, n, cycle},
			Hard{"cliff", Line(2), params.Vector{0, 0}, n, cliff},
			Hard{"three whole values", whole, params.Vector{1, 2}, n, constant(4)},
			Hard{"six decades and ranges of a million", wide, params.Vector{-1e6, 1e-3, 1e6}, n, constant(0)},
			Hard{"six decades, deterministic", wide, params.Vector{1e6, 1e3, 1}, n, deterministic},
			Hard{"steps a thousand times too small", small, params.Vector{-1, 1}, n, deterministic},
			Hard{"steps a thousand times too large", large, params.Vector{-1, 1}, n, deterministic},
			Hard{"ranges below what values are rounded to", tiny, params.Vector{1, 0}, n, constant(4)},
			Hard{"25 parameters", Line(25), make(params.Vector, 25), n, Heavy},
		)
	}
	return list
}

// Survive plays a situation to its end, with the tuner that make returns for it. It fails the
// test unless every proposal and every recommendation is a point of the space, without NaN, and
// the tuner requests no more pairs than h.Pairs. It returns the tuner and the pairs played.
func Survive(t *testing.T, h Hard, make func(h Hard) (params.Tuner, error)) (tuner params.Tuner, played int) {
	t.Helper()
	tuner, err := make(h)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for waiting := tuner.Ask(); len(waiting) > 0; waiting = append(waiting[1:], tuner.Ask()...) {
		trial := waiting[0]
		if played += trial.Pairs; trial.Pairs < 1 || played > h.Pairs {
			t.Fatalf("trial %d asks for %d pairs, %d by then, of %d", trial.ID, trial.Pairs, played, h.Pairs)
		}
		for _, v := range []params.Vector{trial.A, trial.B} {
			if err := h.Space.Check(v); err != nil {
				t.Fatalf("trial %d: %v", trial.ID, err)
			}
		}
		if err := tuner.Tell(trial, h.Answer(trial, r)); err != nil {
			t.Fatal(err)
		}
		if err := h.Space.Check(tuner.Recommend()); err != nil {
			t.Fatalf("recommended after trial %d: %v", trial.ID, err)
		}
	}
	return tuner, played
}
