package quadratic

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/params"
	"selfplaylab/params/problem"
)

// ofRatios is a problem of twelve parameters, with settings that say that only their ratios matter,
// and a player of their trials.
func ofRatios(t *testing.T, pairs int) (problem.Problem, Settings, func(params.Trial) params.Score) {
	t.Helper()
	all := problem.All()
	p := all[slices.IndexFunc(all, func(p problem.Problem) bool { return p.Name == "LOG12" })]
	set := settings(t, p, pairs)
	set.Space = slices.Clone(set.Space)
	for j := range set.Space {
		set.Space[j].Ratio = "scale"
	}
	return p, set, func(trial params.Trial) params.Score {
		return p.Play(trial, rand.New(rand.NewPCG(7, uint64(trial.ID))))
	}
}

// TestWalk: a walk leads towards the optimum, and what it proposes depends on the games told alone:
// neither on the budget, nor on when and whether the tuner was asked.
func TestWalk(t *testing.T) {
	p, set, play := ofRatios(t, 400)
	short := newTuner(t, set)
	set.Pairs = 0
	long := newTuner(t, set)
	resumed := newTuner(t, set)
	most := 0
	for trials := short.Ask(); len(trials) > 0; trials = short.Ask() {
		most = max(most, len(trials))
		for _, trial := range trials {
			if trial.ID%7 == 0 || trial.ID == long.asked {
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
	if got, want := resumed.latest.m, long.latest.m; !slices.Equal(got, want) {
		t.Errorf("told what another played, a tuner is at %v, not at %v", got, want)
	}
	if !slices.Equal(short.shown.m, short.best) || !slices.Equal(short.latest.m, long.latest.m) {
		t.Errorf("after the budget, claims are around %v, want %v; the state of the last batch is %v, want %v",
			short.shown.m, short.best, short.latest.m, long.latest.m)
	}
	if want := inFlight(400); most < 2 || most > want {
		t.Errorf("%d trials at a time, want 2 to %d", most, want)
	}
	if gain := p.Elo(short.Recommend(), p.Start); gain < 20 {
		t.Errorf("400 pairs gain %.0f Elo, want 20 at least", gain)
	}
}

// TestWalkLength: only a whole group of six or more of which the ratios matter walks, and the
// trials after a walk grow as those of other tunings do.
func TestWalkLength(t *testing.T) {
	_, set, _ := ofRatios(t, 0)
	for n, want := range map[int]int{12: walkPairs, 6: walkPairs, 5: 0} {
		few := set
		few.Space, few.Start, few.Active = set.Space[:n], set.Start[:n], set.Active[:n]
		if got := newTuner(t, few).plan.walk; got != want {
			t.Errorf("%d parameters: a walk of %d pairs, want %d", n, got, want)
		}
	}
	part, other := set, set
	part.Active = set.Active[1:] // the one that stays holds the scale
	other.Space = slices.Clone(set.Space)
	other.Space[3].Ratio = ""
	for name, s := range map[string]Settings{"a part of the group": part, "a parameter beside the group": other} {
		if got := newTuner(t, s).plan.walk; got != 0 {
			t.Errorf("%s: a walk of %d pairs", name, got)
		}
	}
	walking, plain := newTuner(t, set), newTuner(t, part)
	for _, pairs := range []int{0, 249, 250, 10_000} {
		if got, want := walking.TrialPairs(walkPairs+pairs), plain.TrialPairs(pairs); got != want {
			t.Errorf("%d pairs after a walk a trial has %d pairs, want %d", pairs, got, want)
		}
		if got := walking.TrialPairs(min(pairs, walkPairs-1)); got != 1 {
			t.Errorf("a trial of the walk has %d pairs", got)
		}
	}
}

// TestWalkEnds: after a walk the probes are those of the fits again, and every batch waits for the
// fit before it.
func TestWalkEnds(t *testing.T) {
	p, set, play := ofRatios(t, walkPairs+600)
	tuner := newTuner(t, set)
	for trials := tuner.Ask(); len(trials) > 0; trials = tuner.Ask() {
		before := tuner.plan.before(trials[0].ID)
		if end := tuner.plan.first(tuner.plan.batch(tuner.told) + 1); before >= walkPairs && trials[len(trials)-1].ID != end-1 &&
			tuner.pairs(tuner.asked) > 0 {
			t.Fatalf("after the walk trial %d is the last asked for, of a batch that ends before %d", trials[len(trials)-1].ID, end)
		}
		root := tuner.latest.root
		for _, trial := range trials {
			if err := tuner.Tell(trial, play(trial)); err != nil {
				t.Fatal(err)
			}
		}
		if before > walkPairs+100 && tuner.plan.first(tuner.plan.batch(tuner.told)) == tuner.told && mat.Equal(root, tuner.latest.root) {
			t.Fatalf("a fit after %d pairs left the probes as they were", before)
		}
	}
	if gain := p.Elo(tuner.Recommend(), p.Start); gain < 40 {
		t.Errorf("a walk and 600 pairs gain %.0f Elo, want 40 at least", gain)
	}
}

// bowl is a problem of eight parameters whose start is best, with settings that make it walk.
func bowl(pairs int) (problem.Problem, Settings) {
	const d = 8
	p := problem.Problem{Start: make(params.Vector, d), Strength: func(v params.Vector) (q float64) {
		for _, x := range v {
			q -= bend * x * x
		}
		return q
	}}
	set := Settings{Pairs: pairs, Start: p.Start}
	for j := range d {
		set.Space = append(set.Space, params.Param{Name: string(rune('a' + j)), Min: -10, Max: 10, Step: 1, Ratio: "scale"})
		set.Active = append(set.Active, j)
	}
	p.Space = set.Space
	return p, set
}

// bend is the log-odds that a step from the best point of a bowl costs.
const bend = .01

// walked is a tuner of a bowl after all its games.
func walked(t *testing.T, p problem.Problem, set Settings) *Tuner {
	t.Helper()
	tuner := newTuner(t, set)
	play(t, tuner, set.Pairs, func(trial params.Trial) params.Score {
		return p.Play(trial, rand.New(rand.NewPCG(set.Seed, uint64(trial.ID))))
	})
	return tuner
}

// TestShortWalk: few games tell little of a way, and what they recommend lies nearer to the start than the way
// has led: where the start is best, it loses far less.
func TestShortWalk(t *testing.T) {
	p, set := bowl(trusted / 3)
	recommended, reached := 0., 0.
	for set.Seed = range uint64(24) {
		tuner := walked(t, p, set)
		recommended -= p.Elo(tuner.Recommend(), p.Start)
		reached -= p.Elo(tuner.vector(tuner.walk.mean()), p.Start)
	}
	if recommended > reached/4 {
		t.Errorf("what %d pairs recommend loses %.1f Elo where the way's end loses %.1f, want a quarter at most",
			set.Pairs, recommended/24, reached/24)
	}
}

// TestWalkClaims: what a step costs lies in its interval about as often as the interval says, though
// the centre follows the results. (77 % of the intervals hold it if all probes are centred on the way,
// as SPSA's are: noise that moves the centre then looks like curvature.)
func TestWalkClaims(t *testing.T) {
	const tunings = 24
	p, set := bowl(600)
	held := 0
	for set.Seed = range uint64(tunings) {
		m, err := walked(t, p, set).Model(1)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range m.Params {
			if math.Abs(q.Loss.Value-eloUnit*bend) < 1.96*q.Loss.SE {
				held++
			}
		}
	}
	if share := float64(held) / float64(len(set.Space)) / tunings; share < .9 {
		t.Errorf("%.0f %% of the intervals hold what a step costs, want 95", 100*share)
	}
}
