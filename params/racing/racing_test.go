package racing

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
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

func TestKeepsTunerContract(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes on many problems")
	}
	// From 392 Elo below the optimum, x alone brings 100 at its best value.
	tunertest.Run(t, 95, func() params.Tuner {
		set := Settings{Space: tunertest.Space, Start: tunertest.Space.Default(), Pairs: 4000}
		for x := -10.; x <= 10; x++ {
			if v := set.Start.Clone(); x != v[0] {
				v[0] = x
				set.Candidates = append(set.Candidates, v)
			}
		}
		return newTuner(t, set)
	})
}

// names returns a problem with one choice among names of given strengths in log-odds. The start
// is the first.
func names(strengths ...float64) (problem.Problem, Settings) {
	labels := make([]string, len(strengths))
	for i := range labels {
		labels[i] = fmt.Sprint("name", i)
	}
	space := params.Space{{Name: "mode", Max: float64(len(labels) - 1), Step: 1, Whole: true, Labels: labels}}
	p := problem.Problem{Space: space, Start: params.Vector{0}, Strength: func(v params.Vector) float64 { return strengths[int(v[0])] }}
	set := Settings{Space: space, Start: p.Start, Pairs: 2000}
	for i := range labels[1:] {
		set.Candidates = append(set.Candidates, params.Vector{float64(i + 1)})
	}
	return p, set
}

func race(t testing.TB, p problem.Problem, tuner *Tuner, r *rand.Rand) (pairs int) {
	for trials := tuner.Ask(); len(trials) > 0; trials = tuner.Ask() {
		for _, trial := range trials {
			pairs += trial.Pairs
			if err := tuner.Tell(trial, p.Play(trial, r)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return pairs
}

// TestBestDropsOutAtMostAlpha drops the best candidate no more often than Alpha over many
// races. Among equal candidates every drop is an error.
func TestBestDropsOutAtMostAlpha(t *testing.T) {
	testmode.SkipUnlessLong(t) // a study
	const races = 400
	for _, c := range []struct {
		name      string
		strengths []float64
		best      int // -1 if all are equal
		most      int // pairs of a candidate at most, as in a grid that drops points
	}{
		{"equals", make([]float64, 8), -1, 0},
		{"close", []float64{0, .05, .1, .15, .2, .25, .2, .1}, 5, 0},
		{"the start is best", []float64{.2, 0, 0, .1, 0}, 0, 0},
		{"a grid of equals", make([]float64, 8), -1, 250},
		{"a grid", []float64{0, .1, .2, .3, .2, .1, 0, -.1}, 3, 250},
	} {
		p, set := names(c.strengths...)
		set.Alpha, set.Most = .1, c.most
		wrong := 0
		for seed := range uint64(races) {
			tuner := newTuner(t, set)
			race(t, p, tuner, rand.New(rand.NewPCG(seed, 1)))
			all, start := tuner.all, tuner.start
			switch {
			case c.best > 0 && !all[c.best-1].In, c.best <= 0 && !start:
				wrong++
			}
		}
		// 40 expected at most; 65 has a chance of 1e-4.
		t.Logf("%s: the best dropped out in %d of %d races", c.name, wrong, races)
		if wrong > 65 {
			t.Errorf("%s: the best dropped out in %d of %d races, Alpha is .1", c.name, wrong, races)
		}
	}
}

// TestClearLosersCostFewGames drops clear losers early and ends a decided race before its budget.
func TestClearLosersCostFewGames(t *testing.T) {
	p, set := names(0, -3, -3, -3, -3, 3)
	set.Pairs = 100000
	right, pairs := 0, 0
	for seed := range uint64(20) {
		tuner := newTuner(t, set)
		pairs += race(t, p, tuner, rand.New(rand.NewPCG(seed, 1)))
		if tuner.Recommend()[0] == 5 {
			right++
		}
	}
	if right < 20 || pairs > 20*1000 {
		t.Errorf("right in %d of 20 races, with %d pairs each", right, pairs/20)
	}
}

// TestGridWithAlphaSavesGames measures the best point to the end, plays no point beyond its pairs, and
// saves most games of hopeless points.
func TestGridWithAlphaSavesGames(t *testing.T) {
	p, set := names(0, .6, -1, -1, -1, -1, -1, -1)
	set.Pairs, set.Most = 7*200, 198
	pairs := 0
	for seed := range uint64(20) {
		tuner := newTuner(t, set)
		pairs += race(t, p, tuner, rand.New(rand.NewPCG(seed, 1)))
		all := tuner.all
		if n := all[0].Score.N(); tuner.Recommend()[0] != 1 || n != Rounded(set.Most) || !tuner.Over() {
			t.Errorf("seed %d: best %v, %d pairs of name1, over %v", seed, tuner.Recommend(), n, tuner.Over())
		}
	}
	if pairs > 20*7*200/2 {
		t.Errorf("%d pairs a grid of %d", pairs/20, 7*200)
	}
}

func TestNewRejectsBadSettings(t *testing.T) {
	for want, edit := range map[string]func(*Settings){
		"no candidate":          func(s *Settings) { s.Candidates = nil },
		"is there twice":        func(s *Settings) { s.Candidates = append(s.Candidates, params.Vector{1}) },
		"candidate 0: mode = 9": func(s *Settings) { s.Candidates[0] = params.Vector{9} },
		"want 8 at least":       func(s *Settings) { s.Pairs = 7 },
		"alpha 2":               func(s *Settings) { s.Alpha = 2 },
		"at most -1 pairs":      func(s *Settings) { s.Most = -1 },
		"start:":                func(s *Settings) { s.Start = nil },
		"at most 1000":          func(s *Settings) { s.Candidates = make([]params.Vector, 1001) },
	} {
		_, set := names(0, 1, 2)
		edit(&set)
		if _, err := New(set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %q", err, want)
		}
	}
}
