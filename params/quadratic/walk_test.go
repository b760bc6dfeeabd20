package quadratic

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/problem"
)

// bowl returns a problem of d parameters, with settings, whose optimum is at a distance from
// the start along each. bend is the log-odds lost one step from the optimum; ratio names the
// parameters' group.
func bowl(d, pairs int, distance, bend float64, ratio string) (problem.Problem, Settings) {
	p := problem.Problem{Start: make(params.Vector, d), Strength: func(v params.Vector) (q float64) {
		for _, x := range v {
			q -= bend * (x - distance) * (x - distance)
		}
		return q
	}}
	set := Settings{Pairs: pairs, Start: p.Start}
	for j := range d {
		set.Space = append(set.Space, params.Param{Name: string(rune('a' + j)), Min: -10, Max: 10, Step: 1, Ratio: ratio})
		set.Active, p.Optimum = append(set.Active, j), append(p.Optimum, distance)
	}
	p.Space = set.Space
	return p, set
}

// shallow is a bend suited to a walk: the widest probes of eight parameters lose 35 Elo.
const shallow = .001

// answer plays a trial of a bowl; equal trials get equal scores.
func answer(p problem.Problem, seed uint64) func(params.Trial) params.Score {
	return func(trial params.Trial) params.Score {
		return p.Play(trial, rand.New(rand.NewPCG(seed, uint64(trial.ID))))
	}
}

// TestWalk: if probes lose little, a tuner walks towards the optimum. Its proposals depend only
// on the games told, not on the budget, nor on the times of Ask.
func TestWalk(t *testing.T) {
	p, set := bowl(8, 1500, 5, shallow, "")
	play := answer(p, 7)
	short := newTuner(t, set)
	set.Pairs = 0
	long := newTuner(t, set)
	resumed := newTuner(t, set)
	most := 0
	for trials := short.Ask(); len(trials) > 0; trials = short.Ask() {
		most = max(most, len(trials))
		for _, trial := range trials {
			if trial.ID%7 == 0 || trial.ID == long.proposed {
				for _, same := range long.Ask() {
					if same.ID == trial.ID && !reflect.DeepEqual(trial, same) && trial.Pairs == same.Pairs {
						t.Fatalf("asked at other times and for longer, trial %d is %+v, not %+v", trial.ID, same, trial)
					}
				}
			}
			s := play(trial)
			for _, tuner := range []*Tuner{short, long, resumed} {
				if err := tuner.Tell(trial, s); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if got, want := resumed.best, long.best; !slices.Equal(got, want) {
		t.Errorf("told what another played, a tuner is at %v, not at %v", got, want)
	}
	if short.stage != walking || most < soundingBatch {
		t.Errorf("in stage %d, %d trials at a time", short.stage, most)
	}
	if gain, all := p.Elo(short.Recommend(), p.Start), p.Elo(p.Optimum, p.Start); gain < all/2 {
		t.Errorf("1,500 pairs gain %.0f of %.0f Elo, want half at least", gain, all)
	}
}

// TestStages: five parameters are fitted at once. More are sounded, and fitted if probes lose
// much. A whole group of which only the ratios matter walks first and is fitted afterwards.
func TestStages(t *testing.T) {
	for name, c := range map[string]struct {
		d     int
		bend  float64
		ratio string
		first stage
		last  stage
	}{
		"few":    {5, shallow, "", fitting, fitting},
		"steep":  {8, .1, "", sounding, fitting},
		"gentle": {8, shallow, "", sounding, walking},
		"many":   {MaxFit + 1, .1, "", sounding, walking},
		"ratios": {8, .1, "scale", walking, fitting},
	} {
		p, set := bowl(c.d, ratioPairs+600, 3, c.bend, c.ratio)
		tuner := newTuner(t, set)
		if tuner.stage != c.first {
			t.Errorf("%s: begins in stage %d, want %d", name, tuner.stage, c.first)
		}
		play(t, tuner, math.MaxInt, answer(p, 3))
		if tuner.stage != c.last {
			t.Errorf("%s: ends in stage %d, want %d", name, tuner.stage, c.last)
		}
		if gain, all := p.Elo(tuner.Recommend(), p.Start), p.Elo(p.Optimum, p.Start); gain < all/3 {
			t.Errorf("%s: gains %.0f of %.0f Elo, want a third at least", name, gain, all)
		}
	}
	p, set := bowl(8, 0, 3, .1, "scale")
	set.Active = set.Active[1:] // the parameter that is left out holds the scale
	if tuner := newTuner(t, set); tuner.stage != sounding {
		t.Errorf("a part of %d ratios begins in stage %d", len(p.Space), tuner.stage)
	}
}

// TestHandOver: a walk that reaches a place where its probes lose much passes its games to
// fits.
func TestHandOver(t *testing.T) {
	p, set := bowl(8, 3000, 0, shallow, "")
	p.Strength = func(v params.Vector) (q float64) { // a slope that leads to a narrow peak
		for _, x := range v {
			if x < 6 {
				q += .05 * x
			} else {
				q += .3 - .2*(x-6)*(x-6)
			}
		}
		return q
	}
	p.Optimum = slices.Repeat([]float64{6.125}, 8)
	tuner := newTuner(t, set)
	play(t, tuner, math.MaxInt, answer(p, 3))
	if tuner.stage != fitting || tuner.from == 0 || tuner.from >= 3000 {
		t.Errorf("in stage %d after 3,000 pairs, fits from pair %d on", tuner.stage, tuner.from)
	}
	if regret := p.Regret(tuner.Recommend()); regret > .05 {
		t.Errorf("regret %.3f, of the start %.3f", regret, p.Regret(p.Start))
	}
}

// TestNothingToGain: a walk from the best point stays near it.
func TestNothingToGain(t *testing.T) {
	p, set := bowl(16, 5000, 0, shallow/2, "")
	lost := 0.0
	const repeats = 8
	for set.Seed = range uint64(repeats) {
		tuner := newTuner(t, set)
		play(t, tuner, math.MaxInt, answer(p, set.Seed))
		lost -= p.Elo(tuner.Recommend(), p.Start) / repeats
	}
	if lost > 1 {
		t.Errorf("10,000 games lose %.1f Elo on average", lost)
	}
}

// TestWalkClaims: the interval of the cost of a step contains it about as often as stated,
// although the centre follows the results.
func TestWalkClaims(t *testing.T) {
	const tunings = 24
	p, set := bowl(8, 600, 0, shallow, "")
	held := 0
	for set.Seed = range uint64(tunings) {
		tuner := newTuner(t, set)
		play(t, tuner, math.MaxInt, answer(p, set.Seed))
		m, err := tuner.Model(1)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range m.Params {
			if math.Abs(q.Loss.Value-eloUnit*shallow) < 1.96*q.Loss.SE {
				held++
			}
		}
	}
	if share := float64(held) / float64(len(set.Space)) / tunings; share < .9 {
		t.Errorf("%.0f %% of the intervals hold what a step costs, want 95", 100*share)
	}
}
