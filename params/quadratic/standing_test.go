package quadratic

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/problem"
)

// TestStanding: without a gain none is claimed, and its interval contains the truth. A gain
// that every game shows is reliable; a gain that is not shown yet requires more games.
func TestStanding(t *testing.T) {
	const runs = 20
	reliable, held := 0, 0
	flat := problem.Copies(problem.Log(), 4)
	flat.Start = flat.Optimum
	for seed := range uint64(runs) {
		set := settings(t, flat, 250)
		set.Seed = seed
		tuner, r := newTuner(t, set), rand.New(rand.NewPCG(seed, 7))
		play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return flat.Play(trial, r) })
		s := tuner.Standing()
		if s.Reliable {
			reliable++
		}
		truth := eloUnit * (flat.Strength(tuner.Recommend()) - flat.Strength(flat.Start))
		if math.Abs(s.Gain.Value-truth) <= ShownGain*s.Gain.SE {
			held++
		}
		if s.Reliable != (s.Gain.Value > ShownGain*s.Gain.SE) || s.Reliable && s.MoreGames != 0 || !s.Reliable && !s.Far && s.Gain.Value > 0 && s.MoreGames < 1 {
			t.Errorf("%+v", s)
		}
	}
	if reliable > 2 || held < runs-3 {
		t.Errorf("nothing to gain: %d of %d gains are called reliable, %d intervals hold the truth", reliable, runs, held)
	}
	tuner := newTuner(t, settings(t, flat, 100))
	if s := tuner.Standing(); s != (Standing{}) {
		t.Errorf("before any game: %+v", s)
	}
	// A record in which the recommendation beat the start in 200 games.
	best := params.Vector{-.5, -.5, -.5, -.5}
	tuner.best = tuner.coordinates(best)
	tuner.set.Start = params.Vector{0, 0, 0, 0}
	if err := tuner.Tell(params.Trial{A: best, B: tuner.set.Start, Pairs: 200}, params.Score{Pairs: [5]int{4: 120, 2: 80}}); err != nil {
		t.Fatal(err)
	}
	tuner.best = tuner.coordinates(best)
	if s := tuner.Standing(); !s.Reliable || s.Gain.Value < 50 {
		t.Errorf("won nearly all of 400 games: %+v", s)
	}
}

// TestStandingFar: far from the start, no size of the gain is claimed.
func TestStandingFar(t *testing.T) {
	p := problem.Copies(problem.Log(), 4)
	p.Start = p.Optimum.Clone()
	for i := range p.Start {
		p.Start[i] += .5 * (p.Space[i].Max - p.Optimum[i])
	}
	tuner, r := newTuner(t, settings(t, p, 500)), rand.New(rand.NewPCG(1, 7))
	play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
	if s := tuner.Standing(); !s.Far || s.MoreGames != 0 {
		t.Errorf("%+v", s)
	}
}

// TestStandingFew: after few games only the least number for a claim is stated. For a gain that
// is not shown, MoreGames is the number of games against the start that shows it nearly surely.
func TestStandingFew(t *testing.T) {
	p := problem.Copies(problem.Log(), 4)
	p.Start = p.Optimum
	tuner, r := newTuner(t, settings(t, p, 25)), rand.New(rand.NewPCG(1, 7))
	play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
	if s := tuner.Standing(); s.Reliable || !s.Few || s.MoreGames != 4*claimGames-50 {
		t.Errorf("%+v", s)
	}
	// 17.4 Elo are 2.5 points in 100 games, and 5,045 games with a deviation of .387 have an
	// error of .545.
	if s := newStanding(Estimate{Value: .1, SE: .1}, .6); s.Reliable || s.MoreGames < 5000 || s.MoreGames > 5200 {
		t.Errorf("%+v", s)
	}
}

// TestStandingGain: the interval of a true gain contains it. A model of whole numbers is about
// the recommended ones, not about the centre of the fit.
func TestStandingGain(t *testing.T) {
	var p problem.Problem
	for _, name := range []string{"a", "b", "c"} {
		p.Space = append(p.Space, params.Param{Name: name, Min: -10, Max: 10, Step: 1, Whole: true})
	}
	p.Start = params.Vector{0, 0, 0}
	p.Strength = func(v params.Vector) (s float64) {
		for i, x := range v {
			d := x - []float64{3, 0, -3}[i]
			s -= .02 * d * d
		}
		return s
	}
	said, held := 0, 0
	for seed := range uint64(16) {
		set := settings(t, p, 150)
		set.Seed = seed
		tuner, r := newTuner(t, set), rand.New(rand.NewPCG(seed, 7))
		play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
		m, err := tuner.Model(1)
		if err != nil {
			t.Fatal(err)
		}
		if e := m.Elo(m.Best); e != (Estimate{}) {
			t.Errorf("the recommendation is %+v over itself", e)
		}
		if s := tuner.Standing(); !s.Far {
			said++
			if truth := eloUnit * (p.Strength(m.Best) - p.Strength(p.Start)); s.Gain.Value-ShownGain*s.Gain.SE <= truth && truth <= s.High {
				held++
			}
		}
	}
	if said < 2 || held < said-1 {
		t.Errorf("%d of %d intervals hold the gain", held, said)
	}
}
