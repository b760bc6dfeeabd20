package spsa

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/tunertest"
)

func settings(iterations, pairs int) Settings {
	active, err := tunertest.Space.Active(nil, nil)
	if err != nil {
		panic(err)
	}
	return Settings{
		Space: tunertest.Space, Start: tunertest.Space.Default(), Active: active,
		Iterations: iterations, Pairs: pairs, Seed: 3, Delay: min(3, MostDelay(iterations)),
	}
}

func TestPromises(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes on many problems")
	}
	// The start is 4 x (25 + 25 + 12.25 + 36) = 392 Elo below the optimum.
	tunertest.Run(t, 370, func() params.Tuner {
		set := settings(2000, 16)
		set.Schedule = DefaultSchedule()
		set.Schedule.CEnd, set.Schedule.REnd = 1, .05
		tuner, err := New(set)
		if err != nil {
			t.Fatal(err)
		}
		return tuner
	})
}

// TestFishtestVectors uses numbers of fishtest's own tests, server/tests/test_spsa_workflow.py.
func TestFishtestVectors(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 5e-9 {
			t.Errorf("%s = %.8f, want %.8f", what, got, want)
		}
	}
	g := DefaultSchedule()
	c, r := g.step(0.2, 1.6, 25, 3) // fishtest's k counts finished pairs: 2, so 3 here
	near("c_k", c, 1.43195950)
	near("R_k", r, 0.01312138)

	// The row "Tempo,1,0,2,0.5,0.1" of a run of 500 games: N = 250 pairs, A = 25.
	g.REnd, g.CEnd = 0.1, 0.5
	c0, a0 := g.start(250)
	near("c0", c0, 0.87329695)
	near("a0", a0, 0.73522166)

	// theta 10, R 0.5, c 2, result 3, flip 1 gives 13.
	set := Settings{
		Space: params.Space{{Name: "p", Min: 0, Max: 100, Default: 10, Step: 1}}, Start: params.Vector{10},
		Active: []int{0}, Iterations: 1, Pairs: 4, Schedule: fixed(2*4*.5*2, 2, 4),
	}
	tuner, err := New(set)
	if err != nil {
		t.Fatal(err)
	}
	trial := tuner.Ask()[0]
	score := params.Score{Pairs: [5]int{0, 0, 1, 3, 0}} // games won minus games lost: 3
	want := 13.0
	if trial.A[0] < trial.B[0] {
		want = 7
	}
	if err := tuner.Tell(trial, score); err != nil {
		t.Fatal(err)
	}
	near("theta", tuner.Iterate()[0], want)
}

// fixed returns a schedule of about constant gains and probes, for iterations of some pairs.
func fixed(gain, probe float64, pairs int) Schedule {
	const constant = 1e-12 // as a power
	return Schedule{A: 1, Alpha: constant, Gamma: constant, CEnd: probe, REnd: gain / probe / float64(2*pairs)}
}

// TestProbes: probes are symmetric at the bounds, never equal for whole parameters that can
// differ, and rounded by one common random number.
func TestProbes(t *testing.T) {
	real := params.Param{Name: "r", Min: 0, Max: 10, Step: 1}
	for _, u := range []float64{0, 0.3, 5, 9.9, 10} {
		up, down := probes(real, u, 1, 1, 0)
		if math.Abs(up-down-2) > 1e-9 || up > 10 || down < 0 {
			t.Errorf("at %v: %v and %v", u, up, down)
		}
	}
	if up, down := probes(real, 3, 8, 1, 0); up != 10 || down != 0 {
		t.Errorf("wider than the range: %v and %v, want its ends", up, down)
	}
	whole := params.Param{Name: "w", Min: 0, Max: 10, Step: 0.1, Whole: true}
	r := rand.New(rand.NewPCG(1, 1))
	sum := 0.0
	const n = 20000
	for range n {
		up, down := probes(whole, 3.3/0.1, 1, 1, r.Float64())
		if up-down != 1 {
			t.Fatalf("whole probes %v and %v: want them one apart", up, down)
		}
		sum += (up + down) / 2
	}
	// Stochastic rounding is unbiased; floor(x + U) has a deviation of at most 1/2.
	if mean := sum / n; math.Abs(mean-3.3) > 4*0.5/math.Sqrt(n) {
		t.Errorf("mean probe %v, want 3.3", mean)
	}
}

// TestWalk: the iterate moves in the direction of the winner and stays between the bounds.
// After every score the mean of its later half is recommended.
func TestWalk(t *testing.T) {
	space := params.Space{{Name: "a", Min: 0, Max: 10, Default: 9, Step: 1}, {Name: "b", Min: -5, Max: 5, Step: 0.5}}
	tuner, err := New(Settings{Space: space, Start: space.Default(), Active: []int{0, 1}, Iterations: 40, Seed: 1, Schedule: fixed(3, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	at, walked := space.Default(), []params.Vector{}
	r := rand.New(rand.NewPCG(1, 1))
	for k := range 40 {
		trial, score := tuner.Ask()[0], params.Score{}
		score.Pairs[r.IntN(5)] = 1
		for i, p := range space {
			by := 3 * p.Step * (2*score.Mean() - 1)
			if trial.A[i] < trial.B[i] {
				by = -by
			}
			at[i] = min(max(at[i]+by, p.Min), p.Max)
		}
		walked = append(walked, at.Clone())
		if err := tuner.Tell(trial, score); err != nil {
			t.Fatal(err)
		}
		later := walked[(k+1)/2:]
		for i, got := range tuner.Recommend() {
			mean := 0.0
			for _, v := range later {
				mean += v[i] / float64(len(later))
			}
			if math.Abs(got-mean) > 1e-5 || math.Abs(tuner.Iterate()[i]-at[i]) > 1e-9 {
				t.Errorf("after %d scores %s is at %v, want %v; recommended is %v, want %v", k+1, space[i].Name, tuner.Iterate()[i], at[i], got, mean)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, edit := range map[string]func(*Settings){
		"iterations": func(s *Settings) { s.Iterations = 0 },
		"pairs":      func(s *Settings) { s.Pairs = -1 },
		"delay":      func(s *Settings) { s.Iterations, s.Delay = 299, 10 },
		"schedule":   func(s *Settings) { s.Schedule.CEnd = 1 },
		"active":     func(s *Settings) { s.Active = nil },
		"names":      func(s *Settings) { s.Space[0].Labels, s.Space[0].Max = []string{"a", "b", "c"}, 2 },
		"start":      func(s *Settings) { s.Start = params.Vector{99, 0, 0, 1, 0} },
	} {
		set := settings(10, 1)
		set.Space = slices.Clone(set.Space)
		edit(&set)
		if _, err := New(set); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// TestHard: every proposal and recommendation is a point of the space, and the run ends with
// its budget.
func TestHard(t *testing.T) {
	list := tunertest.Hards(1, 3, 400)
	for _, d := range []int{1, 100, 200, 500} {
		list = append(list, tunertest.Hard{Name: fmt.Sprint(d, " parameters"), Space: tunertest.Line(d), Start: make(params.Vector, d), Pairs: 9, Answer: tunertest.Heavy})
	}
	for _, h := range list {
		t.Run(fmt.Sprintf("%s, %d pairs", h.Name, h.Pairs), func(t *testing.T) {
			_, played := tunertest.Survive(t, h, func(h tunertest.Hard) (params.Tuner, error) {
				return New(Settings{Space: h.Space, Start: h.Start, Active: h.Active(), Seed: 1, Iterations: h.Pairs, Pairs: 1})
			})
			if played != h.Pairs {
				t.Errorf("played %d pairs", played)
			}
		})
	}
}

// TestWholeWithoutStep probes a whole parameter nearby if its space names no step.
func TestWholeWithoutStep(t *testing.T) {
	p := params.Param{Name: "n", Min: 0, Max: 1000, Default: 500, Whole: true}
	if up, down := probes(p, 500, 3, 1, .5); up-down > 10 {
		t.Errorf("probes %v and %v", up, down)
	}
}
