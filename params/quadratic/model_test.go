package quadratic

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/problem"
)

// quadratic3 returns a problem whose truth is a quadratic: losses in log-odds a step of .05, .2
// and 0, and .1 for a and b together.
func quadratic3() problem.Problem {
	space := params.Space{
		{Name: "a", Min: -10, Max: 10, Step: 1}, {Name: "b", Min: -10, Max: 10, Step: 1}, {Name: "idle", Min: -10, Max: 10, Step: 1},
	}
	return problem.Problem{
		Name: "quadratic3", Space: space, Start: params.Vector{-5, 5, 0}, Optimum: params.Vector{2, 1, 0},
		Strength: func(v params.Vector) float64 {
			a, b := v[0]-2, v[1]-1
			return -.05*a*a - .2*b*b - .1*a*b
		},
	}
}

// bestOf returns the best value of a parameter, with the others fixed.
func bestOf(p problem.Problem, v params.Vector, j int) float64 {
	best, most := 0.0, math.Inf(-1)
	v = v.Clone()
	for v[j] = p.Space[j].Min; v[j] <= p.Space[j].Max; v[j] += .001 {
		if s := p.Strength(v); s > most {
			best, most = v[j], s
		}
	}
	return best
}

// TestModel: intervals contain the truth about as often as stated, and the important parameters
// are named.
func TestModel(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	p := quadratic3()
	const runs = 40
	optimum, loss, cross, wide, inside, against := 0, 0, 0, 0, 0, 0
	for seed := range uint64(runs) {
		set := settings(t, p, 1000)
		set.Seed = seed
		tuner := newTuner(t, set)
		r := rand.New(rand.NewPCG(seed, 2))
		play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
		m, err := tuner.Model(tuner.set.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for j, loss1 := range []float64{.05, .2} {
			q := m.Params[j]
			if best := bestOf(p, m.Best, j); q.Low <= best && best <= q.High {
				optimum++
			}
			if math.Abs(q.Loss.Value-eloUnit*loss1) < 1.96*q.Loss.SE {
				loss++
			}
		}
		// The region of both contains the truth as often, and is tilted against the cross term:
		// more of a requires less of b.
		region, ok := m.Region(0, 1)
		if !ok {
			t.Errorf("seed %d: no region", seed)
		}
		dx, dy := 2-region.First, 1-region.Second
		if det := region.XX*region.YY - region.XY*region.XY; (region.YY*dx*dx-2*region.XY*dx*dy+region.XX*dy*dy)/det < -2*math.Log(.05) {
			inside++
		}
		if region.Correlation() < 0 {
			against++
		}
		idle := m.Params[2]
		if idle.High-idle.Low > 10 && math.Abs(idle.Loss.Value) < 2.5*idle.Loss.SE {
			wide++
		}
		i := slices.IndexFunc(m.Cross, func(c CrossModel) bool { return c.A == "a" && c.B == "b" })
		if c := m.Cross[i]; math.Abs(c.Elo.Value+.1*eloUnit) < 1.96*c.Elo.SE {
			cross++
		}
		// The optimum beats the recommendation by as much as Elo says, or nearly.
		truth := -eloUnit * p.Strength(m.Best)
		if e := m.Elo(p.Optimum); math.Abs(e.Value-truth) > 4*e.SE {
			t.Errorf("seed %d: optimum %v Elo above the recommendation, the model says %v", seed, truth, e)
		}
	}
	t.Logf("optimum %d, loss %d of %d; idle %d, cross %d of %d", optimum, loss, 2*runs, wide, cross, runs)
	// 95 % of 80 is 76; below 68 has a chance of 1e-4.
	if optimum < 68 || loss < 68 || wide < runs*6/10 || cross < runs*8/10 {
		t.Errorf("the truth is inside %d intervals of optima and %d of losses, of %d; idle seen %d, cross term %d times of %d", optimum, loss, 2*runs, wide, cross, runs)
	}
	if inside < runs*8/10 || against < runs*7/10 {
		t.Errorf("the optimum is inside %d of %d regions, and %d lean as they should", inside, runs, against)
	}
}

// slice returns the strength along one parameter, at n points evenly over its range in the
// coordinate that tuners move, with all others as recommended.
func slice(m *Model, index, n int) (values []float64, elo []Estimate) {
	j := m.axis(index)
	for k := range n {
		y := -1 + 2*float64(k)/float64(n-1)
		values = append(values, m.tuner.axes[j].value(y))
		elo = append(elo, m.elo(m.at(j, y)))
	}
	return values, elo
}

func TestModelViews(t *testing.T) {
	p := quadratic3()
	tuner := newTuner(t, settings(t, p, 2000))
	if _, err := tuner.Model(tuner.set.Seed); err == nil {
		t.Error("a model of no games")
	}
	r := rand.New(rand.NewPCG(1, 2))
	play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
	m, err := tuner.Model(tuner.set.Seed)
	if err != nil {
		t.Fatal(err)
	}
	values, elo := slice(m, 1, 41)
	peak := slices.IndexFunc(elo, func(e Estimate) bool {
		return e == slices.MaxFunc(elo, func(a, b Estimate) int { return cmp.Compare(a.Value, b.Value) })
	})
	if len(values) != 41 || values[0] != -10 || values[40] != 10 || math.Abs(values[peak]-1) > 1 {
		t.Errorf("%d values, peak at %v, want 1", len(values), values[peak])
	}
	// Far from the peak there were fewer games.
	if elo[0].SE < 2*elo[peak].SE || elo[0].Value > -500 {
		t.Errorf("at the bound %v, at the peak %v", elo[0], elo[peak])
	}
	v := m.Best.Clone()
	v[0], v[1] = -4, 4
	if e, back := m.Between(v, m.Best), m.Between(m.Best, v); math.Abs(e.Value-m.Elo(v).Value) > 1e-3 || e.Value != -back.Value || e.SE != back.SE {
		t.Errorf("%v between both, %v backwards, %v relative to the best", e, back, m.Elo(v))
	}
	if _, ok := m.Region(1, 1); ok {
		t.Error("a region of one parameter")
	}
	again, err := tuner.Model(tuner.set.Seed)
	if err != nil || !reflect.DeepEqual(again.Params, m.Params) || !reflect.DeepEqual(again.drawn, m.drawn) {
		t.Errorf("the second model differs: %v, %v; %v", again.Params, m.Params, err)
	}
}

// TestSilentModel: where the games tell next to nothing, the intervals of best values hold the truth
// about as often as they say.
func TestSilentModel(t *testing.T) {
	if testing.Short() {
		t.Skip("short: fits many models")
	}
	const values = 5 * 16
	many := problem.Exam(5)[3] // nothing to gain, with 16 parameters
	best := 0
	for seed := range uint64(values / 16) {
		m := modelOf(t, many, seed)
		for j, q := range m.Params {
			if x := bestOf(many, m.Best, j); q.Low-1e-3 <= x && x <= q.High+1e-3 {
				best++
			}
		}
	}
	if best < values*9/10 {
		t.Errorf("the truth is inside %d of %d intervals of best values", best, values)
	}
}

// modelOf plays 1,000 games of a problem.
func modelOf(t *testing.T, p problem.Problem, seed uint64) *Model {
	set := settings(t, p, 500)
	set.Seed = seed
	tuner, r := newTuner(t, set), rand.New(rand.NewPCG(seed, 8))
	play(t, tuner, math.MaxInt, func(trial params.Trial) params.Score { return p.Play(trial, r) })
	m, err := tuner.Model(tuner.set.Seed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestShown: of twenty true zeros among five gains, one is called shown in at most one run of
// twenty; the clearest gains are always shown.
func TestShown(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 26))
	wrong, found := 0, 0
	const runs = 4000
	for range runs {
		var list []Estimate
		for k := range 25 {
			truth := 0.0
			if k >= 20 {
				truth = float64(k - 18) // 2 to 6 standard errors
			}
			list = append(list, Estimate{Value: 3 * (truth + r.NormFloat64()), SE: 3})
		}
		shown := Shown(list, len(list), 0.95)
		if slices.Contains(shown[:20], true) {
			wrong++
		}
		if shown[24] {
			found++
		}
	}
	if share := float64(wrong) / runs; share > 0.06 || share < 0.02 {
		t.Errorf("%.1f %% of runs show a zero; want 5 %% at most, and nearly so", 100*share)
	}
	if found < runs*95/100 {
		t.Errorf("a gain of 6 standard errors is shown in %d of %d runs", found, runs)
	}
	for _, c := range []struct {
		list []Estimate
		of   int
		want []bool
	}{
		{nil, 0, []bool{}},
		{[]Estimate{{0, 0}, {1, 0}, {-2, 0.5}}, 3, []bool{false, true, true}},
		{[]Estimate{{2.1, 1}}, 1, []bool{true}},
		{[]Estimate{{2.1, 1}}, 2, []bool{false}},
		{[]Estimate{{2.1, 1}, {0.1, 1}}, 2, []bool{false, false}},
	} {
		if got := Shown(c.list, c.of, 0.95); !slices.Equal(got, c.want) {
			t.Errorf("%v of %d: shown %v, want %v", c.list, c.of, got, c.want)
		}
	}
}

// TestEnds: an optimum that may be anywhere has the ends of the range, at any recommendation. A
// rounding error next to an end at 0 would exclude the end.
func TestEnds(t *testing.T) {
	silent := slopeAlong{c: -1}
	for y := -1.0; y <= 1; y += 0.01 {
		if low, high := silent.end(y, -1), silent.end(y, 1); low != -1 || high != 1 {
			t.Errorf("from %v to %v around %v", low, high, y)
		}
	}
}

// TestEndsByScan compares with a scan from either end of the range: the optimum may be at the
// first place at which the slope may be 0, and at the end itself if the slope leads there.
func TestEndsByScan(t *testing.T) {
	const steps = 4000
	r := rand.New(rand.NewPCG(3, 3))
	ends, inside := 0, 0
	for range 300 {
		y, z := 2*r.Float64()-1, 2.0
		slope, bend := r.NormFloat64(), 1-3*r.Float64()
		own, shared, grows := r.Float64()/4, .1*r.NormFloat64(), r.Float64()/4 // the errors' covariance, positive definite by the added terms
		own, grows = own+math.Abs(shared), grows+math.Abs(shared)
		s := slopeAlong{slope: slope, bend: bend, a: bend*bend - z*z*grows, b: slope*bend - z*z*shared, c: slope*slope - z*z*own}
		shown := func(at float64) bool {
			x := at - y
			return math.Abs(slope+bend*x) > z*math.Sqrt(own+2*shared*x+grows*x*x)
		}
		for _, side := range []float64{-1, 1} {
			want := side
			if toMiddle := (slope + bend*(side-y)) * -side; shown(side) && toMiddle > 0 {
				for k := 0; k <= steps && shown(want); k++ {
					want = side * (1 - 2*float64(k)/steps)
				}
			}
			if got := s.end(y, side); math.Abs(got-want) > 3./steps {
				t.Errorf("%+v around %v: end %v is at %v, want %v", s, y, side, got, want)
			}
			if want == side {
				ends++
			} else {
				inside++
			}
		}
	}
	if ends < 100 || inside < 100 {
		t.Errorf("%d ends of the range, %d inside it", ends, inside)
	}
}
