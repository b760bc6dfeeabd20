package mixed

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/problem"
	"selfplaylab/params/tunertest"
)

func newTuner(t testing.TB, set Settings) *Tuner {
	t.Helper()
	tuner, err := New(set)
	if err != nil {
		t.Fatal(err)
	}
	return tuner
}

func TestPromises(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes on many problems")
	}
	// The whole number is chosen among six; from 392 Elo below the optimum, of which it is 49.
	tunertest.Run(t, 380, func() params.Tuner {
		set := Settings{Space: tunertest.Space, Start: tunertest.Space.Default(), Active: []int{0, 1, 3}, Chosen: []int{2}, Seed: 3, Pairs: 4000}
		for _, n := range []float64{0, 6, 9, 14, 20} {
			set.Choices = append(set.Choices, params.Vector{n})
		}
		return newTuner(t, set)
	})
}

// modes are two numbers and a name, each name worth something, in log-odds.
func modes(worth ...float64) (problem.Problem, Settings) {
	labels := make([]string, len(worth))
	for i := range labels {
		labels[i] = "mode" + string(rune('0'+i))
	}
	space := params.Space{
		{Name: "a", Min: -10, Max: 10, Step: 1},
		{Name: "mode", Max: float64(len(labels) - 1), Step: 1, Whole: true, Labels: labels},
		{Name: "b", Min: -10, Max: 10, Step: 1},
	}
	p := problem.Problem{Space: space, Start: params.Vector{6, 0, -6}, Strength: func(v params.Vector) float64 {
		return worth[int(v[1])] - .02*v[0]*v[0] - .02*v[2]*v[2]
	}}
	set := Settings{Space: space, Start: p.Start, Active: []int{0, 2}, Chosen: []int{1}, Seed: 1, Pairs: 3000}
	for i := range labels[1:] {
		set.Choices = append(set.Choices, params.Vector{float64(i + 1)})
	}
	return p, set
}

func run(t testing.TB, p problem.Problem, tuner *Tuner, r *rand.Rand) (pairs, raced int) {
	for waiting := tuner.Ask(); len(waiting) > 0; waiting = append(waiting[1:], tuner.Ask()...) {
		trial := waiting[0]
		pairs += trial.Pairs
		if tuner.isChoice(trial.A, trial.B) {
			raced += trial.Pairs
		}
		if err := tuner.Tell(trial, p.Play(trial, r)); err != nil {
			t.Fatal(err)
		}
	}
	return pairs, raced
}

// TestFinds: the best name is found together with the numbers, in the budget to the
// pair; the race has its share at most, and less where it ends early.
func TestFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	const runs = 40
	p, set := modes(0, .4, .9, .1)
	found, regret, spent := 0, 0.0, 0
	for seed := range uint64(runs) {
		set.Seed = seed
		tuner := newTuner(t, set)
		pairs, raced := run(t, p, tuner, rand.New(rand.NewPCG(seed, 7)))
		if pairs != set.Pairs || raced > set.Pairs/raceShare {
			t.Fatalf("%d pairs, %d of the race, of %d", pairs, raced, set.Pairs)
		}
		best := tuner.Recommend()
		if best[1] == 2 {
			found++
		}
		regret += (.02*best[0]*best[0] + .02*best[2]*best[2]) / runs
		spent += raced
	}
	if found < runs*9/10 {
		t.Errorf("the best of four names found in %d of %d runs", found, runs)
	}
	if regret > .02 { // the start's is 1.44
		t.Errorf("the numbers lack %.4f log-odds on average", regret)
	}
	if spent > runs*set.Pairs/raceShare*9/10 {
		t.Errorf("the race used %d pairs of %d: it should end early", spent, runs*set.Pairs/raceShare)
	}
}

// TestConstant: where nothing matters it ends, and recommends values of the space.
func TestConstant(t *testing.T) {
	p, set := modes(0, 0, 0)
	p.Strength = func(params.Vector) float64 { return 0 }
	tuner := newTuner(t, set)
	if pairs, _ := run(t, p, tuner, rand.New(rand.NewPCG(1, 7))); pairs != set.Pairs {
		t.Errorf("%d pairs of %d", pairs, set.Pairs)
	}
	if err := set.Space.Check(tuner.Recommend()); err != nil {
		t.Error(err)
	}
}

// TestHard: choices together with numbers that no tuner can find end with the budget.
func TestHard(t *testing.T) {
	for _, h := range tunertest.Hards(60, 700) {
		n := len(h.Space)
		h.Space = append(h.Space, params.Param{Name: "mode", Max: 1, Step: 1, Whole: true, Labels: []string{"a", "b"}})
		h.Start = append(h.Start, 0)
		t.Run(fmt.Sprintf("%s, %d pairs", h.Name, h.Pairs), func(t *testing.T) {
			_, played := tunertest.Survive(t, h, func(h tunertest.Hard) (params.Tuner, error) {
				return New(Settings{Space: h.Space, Start: h.Start, Active: h.Active()[:n], Chosen: []int{n}, Choices: []params.Vector{{1}}, Seed: 1, Pairs: h.Pairs})
			})
			if played != h.Pairs {
				t.Errorf("played %d pairs", played)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Chosen = nil }, "nothing to choose"},
		{func(s *Settings) { s.Chosen = []int{7} }, "chosen parameter 7"},
		{func(s *Settings) { s.Chosen = []int{1, 1} }, "each once"},
		{func(s *Settings) { s.Active = []int{0, 1} }, "mode is to be chosen and to be tuned"},
		{func(s *Settings) { s.Active = nil }, "the numbers: quadratic: no parameter"},
		{func(s *Settings) { s.Choices = nil }, "no candidate"},
		{func(s *Settings) { s.Pairs = 12 }, "one pair in 4 of 12: racing: pairs in all, 3: want 4"},
		{func(s *Settings) { s.Alpha = 2 }, "alpha 2"},
		{func(s *Settings) { s.Start = params.Vector{0} }, "vector of 1 values"},
	} {
		_, set := modes(0, 1)
		c.change(&set)
		if _, err := New(set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
