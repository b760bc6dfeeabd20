package quadratic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
	"selfplaylab/params"
	"selfplaylab/params/problem"
	"selfplaylab/params/tunertest"
)

func TestRefusals(t *testing.T) {
	two := params.Space{
		{Name: "mode", Max: 2, Whole: true, Labels: []string{"a", "b", "c"}},
		{Name: "switch", Max: 1, Whole: true},
		{Name: "fixed", Min: 3, Max: 3, Default: 3},
	}
	for want, set := range map[string]Settings{
		"all are frozen":                    {},
		"chooses among names":               {Space: two, Start: two.Default(), Active: []int{0, 1, 2}},
		"switch between two values":         {Space: two, Start: two.Default(), Active: []int{1}},
		"no range to tune in":               {Space: two, Start: two.Default(), Active: []int{2}},
		"1001 parameters: want at most":     {Space: tunertest.Line(1001), Start: tunertest.Line(1001).Default(), Active: active(t, tunertest.Line(1001))},
		"active parameter 1: want indices":  {Space: tunertest.Line(1), Start: params.Vector{0}, Active: []int{1}},
		"active parameter 0: want indices":  {Space: tunertest.Line(1), Start: params.Vector{0}, Active: []int{0, 0}},
		"a budget of -1 pairs":              {Space: tunertest.Line(1), Start: params.Vector{0}, Active: []int{0}, Pairs: -1},
		"x0 = 2 is out of range":            {Space: tunertest.Line(1), Start: params.Vector{2}, Active: []int{0}},
		"vector of 1 values for a space of": {Space: tunertest.Line(2), Start: params.Vector{0}, Active: []int{0}},
	} {
		if _, err := New(set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %q", err, want)
		}
	}
	tuner := newTuner(t, Settings{Space: tunertest.Line(1), Start: params.Vector{0}, Active: []int{0}})
	if err := tuner.Tell(tuner.Ask()[0], params.Score{Pairs: [5]int{0: -1, 4: 2}}); err == nil {
		t.Error("took a negative count")
	}
	mixed := append(two, tunertest.Line(1)...)
	tuner = newTuner(t, Settings{Space: mixed, Start: mixed.Default(), Active: []int{0, 1, 2, 3}})
	if w := tuner.Warnings(); len(w) != 3 || !strings.Contains(w[0].Error(), "mode chooses among names") {
		t.Errorf("warnings %v, want one for each parameter left out", w)
	}
}

// TestHard: every proposal and recommendation is a point of the space, every model has finite
// numbers, and the run ends with its budget.
func TestHard(t *testing.T) {
	if testing.Short() {
		t.Skip("fits 100 parameters")
	}
	list := tunertest.Hards(1, 3, 400)
	sizes := []int{1, 100}
	if testmode.Long() {
		sizes = append(sizes, MaxFit)
	}
	for _, d := range sizes {
		list = append(list, tunertest.Hard{Name: fmt.Sprint(d, " parameters"), Space: tunertest.Line(d), Start: make(params.Vector, d), Pairs: 9, Answer: tunertest.Heavy})
	}
	for _, h := range list {
		t.Run(fmt.Sprintf("%s, %d pairs", h.Name, h.Pairs), func(t *testing.T) {
			tuner, played := tunertest.Survive(t, h, func(h tunertest.Hard) (params.Tuner, error) {
				return New(Settings{Space: h.Space, Start: h.Start, Active: h.Active(), Seed: 1, Pairs: h.Pairs})
			})
			if played != h.Pairs {
				t.Errorf("played %d pairs", played)
			}
			m, err := tuner.(*Tuner).Model(tuner.(*Tuner).set.Seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range m.Params {
				for _, x := range []float64{p.Best, p.Low, p.High, p.Loss.Value, p.Loss.SE, p.Slope.Value, p.Slope.SE} {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Errorf("%+v", p)
					}
				}
			}
		})
	}
}

// TestDoesNotFactor: if a fit cannot be factored, centre and probes stay, and a warning says
// so.
func TestDoesNotFactor(t *testing.T) {
	tuner := newTuner(t, settings(t, problem.Copies(problem.Log(), 2), 200))
	before := tuner.Recommend()
	for _, trial := range tuner.Ask()[:3] {
		if err := tuner.Tell(trial, params.Score{Pairs: [5]int{4: trial.Pairs}}); err != nil {
			t.Fatal(err)
		}
	}
	tuner.data[1].x[0] = math.NaN() // impossible in a trial, because Tell checks it
	trial := tuner.queue[0].Trial
	if err := tuner.Tell(trial, params.Score{Pairs: [5]int{4: trial.Pairs}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(tuner.Recommend(), before) {
		t.Errorf("moved to %v by a fit that failed", tuner.Recommend())
	}
	if w := fmt.Sprint(tuner.Warnings()); !strings.Contains(w, "did not factor: centre and probes stayed") {
		t.Errorf("%s", w)
	}
	if _, err := tuner.Model(tuner.set.Seed); err == nil {
		t.Error("a model of what is no number")
	}
}

// TestIdle: if no parameter matters, none is called important, and optima are seldom located.
func TestIdle(t *testing.T) {
	p := problem.Problem{Space: tunertest.Line(4), Start: make(params.Vector, 4), Strength: func(params.Vector) float64 { return 0 }}
	narrow := 0
	for seed := range uint64(6) {
		set := settings(t, p, 2000)
		set.Seed = seed
		tuner := newTuner(t, set)
		r := rand.New(rand.NewPCG(seed, 1))
		play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
		m, err := tuner.Model(tuner.set.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range m.Params {
			if q.Loss.Value > 3.5*q.Loss.SE {
				t.Errorf("seed %d, %s: loss %v, but nothing matters", seed, q.Name, q.Loss)
			}
			if q.High-q.Low < .4 {
				narrow++
			}
		}
	}
	if narrow > 3 {
		t.Errorf("%d of 24 optima are put into a fifth of their ranges, but nothing matters", narrow)
	}
}

// meanRegret returns the mean regret of a problem over eight seeds.
func meanRegret(t *testing.T, p problem.Problem, pairs int) (regret float64) {
	t.Helper()
	const runs = 8
	for seed := range uint64(runs) {
		set := settings(t, p, pairs)
		set.Seed = seed
		tuner := newTuner(t, set)
		r := rand.New(rand.NewPCG(seed, 1))
		play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
		regret += p.Regret(tuner.Recommend()) / runs
	}
	return regret
}

// TestWrongRanges: a range a thousand times too wide, a log parameter over six decades, a start
// on the bound and whole parameters of three values cost some games, but not the optimum.
func TestWrongRanges(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	space := params.Space{
		{Name: "x", Min: -1000, Max: 1000, Step: 1},
		{Name: "c", Min: 1e-3, Max: 1e3, Step: .1, Log: true},
		{Name: "n", Min: 0, Max: 2, Step: 1, Whole: true},
	}
	p := problem.Problem{Space: space, Start: params.Vector{0, 1e3, 0}, Optimum: params.Vector{1.5, .2, 2},
		Strength: func(v params.Vector) float64 {
			x, c, n := v[0]-1.5, math.Log(v[1]/.2), v[2]-2
			return -x*x/(1+math.Abs(x)/5) - c*c/4 - n*n/4
		}}
	regret := meanRegret(t, p, 4000)
	t.Logf("regret %.4f, of the start %.4f", regret, p.Regret(p.Start))
	if regret > .02 {
		t.Errorf("mean regret %.4f after 8,000 games, of the start %.4f", regret, p.Regret(p.Start))
	}
}

// ratios returns a problem with two groups of which only the ratios matter, and a single
// parameter.
func ratios() problem.Problem {
	var space params.Space
	for i := range 7 {
		space = append(space, params.Param{Name: string(rune('a' + i)), Min: -100, Max: 100, Step: 5})
	}
	direction := func(v params.Vector, best ...float64) float64 {
		dot, n, m := 0.0, 1e-9, 0.0
		for i, x := range v {
			dot += x * best[i]
			n += x * x
			m += best[i] * best[i]
		}
		return dot / math.Sqrt(n*m)
	}
	return problem.Problem{
		Space: space, Start: params.Vector{50, 20, 30, -30, 60, 20, 50}, Optimum: params.Vector{20, 20, 20, -30, 30, 30, 0},
		Strength: func(v params.Vector) float64 {
			return 4*direction(v[:3], 1, 1, 1) + 4*direction(v[3:6], -1, 1, 1) - 8 - v[6]*v[6]/400
		},
	}
}

// TestDeclaredRatios tunes groups of which only ratios matter, from values that are large or
// small in their ranges. The model names the declared groups that are tuned completely.
func TestDeclaredRatios(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes on many problems")
	}
	for _, size := range []float64{1, .05} {
		p := ratios()
		for j := range 6 {
			p.Space[j].Ratio = []string{"first", "second"}[j/3]
			p.Start[j] *= size // equally strong
		}
		regret := meanRegret(t, p, 500)
		t.Logf("size %v: regret %.5f, start %.5f", size, regret, p.Regret(p.Start))
		if regret > p.Regret(p.Start)/2 {
			t.Errorf("size %v: mean regret %.5f after 1,000 games, of the start %.5f", size, regret, p.Regret(p.Start))
		}
		part := settings(t, p, 0)
		part.Active = []int{0, 1, 3, 4, 5}
		if groups := declaredRatios(part.Space, newTuner(t, part).axes); len(groups) != 1 || !slices.Equal(groups[0], []int{2, 3, 4}) {
			t.Errorf("declared %v, want the second group alone", groups)
		}
	}
}

// TestFoundRatios: with many games around a centre, the two groups are found without a
// declaration. Without groups none is found.
func TestFoundRatios(t *testing.T) {
	p := ratios()
	centre := params.Vector{30, 30, 30, -30, 30, 30, 0}
	for _, there := range []bool{true, false} {
		if !there { // the same parameters, each with an optimum
			p.Strength = func(v params.Vector) (r float64) {
				for i, x := range v {
					r -= (x - centre[i]) * (x - centre[i]) / 1600
				}
				return r
			}
		}
		tuner := newTuner(t, Settings{Space: p.Space, Start: centre, Active: active(t, p.Space)})
		tuner.beginFits()
		s := &tuner.latest
		s.root, s.back = scaled(s.root, .1), scaled(s.back, 10) // deviations of 3
		r := rand.New(rand.NewPCG(3, 1))
		for range 3000 {
			var v [2][]float64
			for side := range v {
				w := centre.Clone()
				for j := range w {
					w[j] += 7 * r.NormFloat64()
				}
				v[side] = w
			}
			score := p.Play(params.Trial{A: v[0], B: v[1], Pairs: 40}, r)
			tuner.data = append(tuner.data, observation{
				x: tuner.coordinates(v[0]), other: tuner.coordinates(v[1]), pairs: 40, mean: score.Mean(), square: 40 * score.Variance(),
			})
		}
		tuner.shown, tuner.best = *s, s.m
		m, err := tuner.Model(tuner.set.Seed)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(m.lookAround())
		if want := "[[0 1 2] [3 4 5]]"; there && got != want || !there && got != "[]" {
			t.Errorf("groups there: %v; found %s", there, got)
		}
		// The model reports them with their cost.
		names := ""
		for _, g := range m.Scales {
			names += fmt.Sprint(g.Names)
			if g.Declared || !(g.Together.Value+2*g.Together.SE < .4*g.Alone.Value) || !(g.Alone.Value > 2*g.Alone.SE) {
				t.Errorf("%+v", g)
			}
		}
		if want := "[a b c][d e f]"; there && names != want || !there && names != "" {
			t.Errorf("groups there: %v; the model reports %s", there, names)
		}
	}
}

// TestManyParameters: with more than 20 parameters the diagonal and the required cross terms
// are fitted; far too few games cause no loss.
func TestManyParameters(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	p := problem.Copies(problem.Log(), 30)
	tuner := newTuner(t, settings(t, p, 1500))
	r := rand.New(rand.NewPCG(1, 1))
	play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
	if regret, start := p.Regret(tuner.Recommend()), p.Regret(p.Start); regret > .7*start {
		t.Errorf("regret %.4f of 30 parameters after 3,000 games, of the start %.4f", regret, start)
	} else {
		t.Logf("regret %.4f, of the start %.4f", regret, start)
	}
	q := problem.Copies(problem.Log(), 80)
	few := newTuner(t, settings(t, q, 300))
	play(t, few, math.MaxInt, func(trial params.Trial) params.Score { return q.Play(trial, r) })
	if regret, start := q.Regret(few.Recommend()), q.Regret(q.Start); regret > 1.05*start {
		t.Errorf("regret %.4f of 80 parameters after 600 games, of the start %.4f", regret, start)
	}
	if slices.ContainsFunc(tuner.Warnings(), func(err error) bool { return strings.Contains(err.Error(), "did not factor") }) {
		t.Error(tuner.Warnings())
	}
}

// TestMillions: ten million games have a few thousand rows.
func TestMillions(t *testing.T) {
	p := problem.Log()
	tuner := newTuner(t, settings(t, p, 5_000_000))
	r := rand.New(rand.NewPCG(1, 1))
	play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return normal(p, trial, r) })
	if regret := p.Regret(tuner.Recommend()); regret > 1e-4 {
		t.Errorf("regret %.6f after ten million games", regret)
	}
}

// normal answers a large trial without drawing every game.
func normal(p problem.Problem, t params.Trial, r *rand.Rand) (s params.Score) {
	win := 1 / (1 + math.Exp(p.Strength(t.B)-p.Strength(t.A)))
	left := t.Pairs
	for k, chance := range []float64{win * win, (1 - win) * (1 - win)} {
		n := math.Round(float64(t.Pairs)*chance + r.NormFloat64()*math.Sqrt(float64(t.Pairs)*chance*(1-chance)))
		s.Pairs[4-4*k] = min(max(int(n), 0), left)
		left -= s.Pairs[4-4*k]
	}
	s.Pairs[2] = left
	return s
}

// TestRunaway: games without a best point (everything beats what is clockwise of it, sixteen
// times as strongly as the centre pulls) do not carry the centre away, nor does a log of games
// played elsewhere. There are always games near the recommendation.
func TestRunaway(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	for seed := range uint64(4) {
		tuner := newTuner(t, Settings{Space: tunertest.Line(2), Start: params.Vector{.1, 0}, Active: []int{0, 1}, Seed: seed, Pairs: 2000})
		r := rand.New(rand.NewPCG(seed, 1))
		p := problem.Problem{Strength: func(v params.Vector) float64 { return v[0] }}
		play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score {
			x, y := trial.A, trial.B
			d := 8*(x[0]*y[1]-x[1]*y[0]) - 2*(x[0]*x[0]+x[1]*x[1]-y[0]*y[0]-y[1]*y[1])
			return p.Play(params.Trial{A: params.Vector{d}, B: params.Vector{0}, Pairs: trial.Pairs}, r)
		})
		if best := tuner.Recommend(); math.Hypot(best[0], best[1]) > .4 {
			t.Errorf("circles, seed %d: carried to %v", seed, best)
		}
	}
	p := ratios()
	centre := params.Vector{30, 30, 30, -30, 30, 30, 0}
	held := 0
	for _, sd := range []float64{7, 10, 25} {
		tuner := newTuner(t, Settings{Space: p.Space, Start: centre, Active: active(t, p.Space)})
		r := rand.New(rand.NewPCG(3, 1))
		for id := range 1000 {
			trial := params.Trial{ID: id, A: centre.Clone(), B: centre.Clone(), Pairs: 40}
			for j, q := range p.Space {
				trial.A[j], trial.B[j] = q.Clip(centre[j]+sd*r.NormFloat64()), q.Clip(centre[j]+sd*r.NormFloat64())
			}
			if err := tuner.Tell(trial, p.Play(trial, r)); err != nil {
				t.Fatal(err)
			}
		}
		if m, err := tuner.Model(tuner.set.Seed); err != nil || m.Games < 800 {
			t.Errorf("games of deviation %v told: %v, %v", sd, m, err)
		}
		held += tuner.heldBack
	}
	if held == 0 {
		t.Error("no step was held back: this log provokes nothing")
	}
}
