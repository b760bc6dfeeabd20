package quadratic

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/problem"
)

// walking is a tuner of twelve parameters and a player of its trials.
func walking(t *testing.T, pairs int) (*Tuner, func(params.Trial) params.Score) {
	t.Helper()
	all := problem.All()
	p := all[slices.IndexFunc(all, func(p problem.Problem) bool { return p.Name == "LOG12" })]
	return newTuner(t, settings(t, p, pairs)), func(trial params.Trial) params.Score {
		return p.Play(trial, rand.New(rand.NewPCG(7, uint64(trial.ID))))
	}
}

// A walk leads towards the optimum, some of its trials compare the mean with the start, and
// what it proposes depends on the games told alone: neither on the budget nor on whether the
// tuner asked for them.
func TestWalk(t *testing.T) {
	long, play := walking(t, 5000)
	short, _ := walking(t, 400)
	resumed, _ := walking(t, 400)
	compared := 0
	for trials := short.Ask(); len(trials) > 0; trials = short.Ask() {
		same := long.Ask()
		for i, trial := range trials {
			if !reflect.DeepEqual(trial, same[i]) {
				t.Fatalf("with a larger budget trial %d is %+v, not %+v", trial.ID, same[i], trial)
			}
			if slices.Equal(trial.B, short.set.Start) {
				compared++
			}
			s := play(trial)
			for _, tuner := range []*Tuner{short, long, resumed} {
				if err := tuner.Tell(trial, s); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if got, want := resumed.Recommend(), short.Recommend(); !slices.Equal(got, want) {
		t.Errorf("told what another played, a tuner recommends %v, not %v", got, want)
	}
	if compared < 5 || compared > 400/compareEvery {
		t.Errorf("%d of 400 trials compare the mean with the start", compared)
	}
	p := problem.All()[9]
	if gain := p.Elo(short.Recommend(), p.Start); gain < 20 {
		t.Errorf("400 pairs gain %.0f Elo, want 20 at least", gain)
	}
}

// Few or many parameters do not walk, and no walk goes on for ever.
func TestWalkLength(t *testing.T) {
	for d, want := range map[int]int{1: 0, 8: 0, 9: 378, 12: 630, 20: 1610, 21: 0} {
		tuner := &Tuner{axes: make([]axis, d)}
		if tuner.walks(want) || want > 0 && !tuner.walks(want-1) {
			t.Errorf("%d parameters: want a walk of %d pairs", d, want)
		}
	}
}

// A way is kept as far as its games show a gain, or comparisons with the start do.
func TestWalkShare(t *testing.T) {
	const d = 9
	noise := []float64{-.5, .5}
	for _, c := range []struct {
		name     string
		y        float64 // points of a won way, from -1 to 1
		compared float64
		low, top float64
	}{
		{"chance", 0, 0, 0, 0}, {"clear", .5, 0, 1, 1}, {"lost", -.5, 0, 0, 0},
		{"compared", 0, .8, 1, 1}, {"worse", 0, -.8, 0, 0},
	} {
		w := walk{start: make([]float64, d)}
		tuner := newTuner(t, Settings{Space: problem.Exam(12)[3].Space[:d], Start: make(params.Vector, d), Active: []int{0, 1, 2, 3, 4, 5, 6, 7, 8}})
		w.back = tuner.latest.back
		to := slices.Repeat([]float64{.2}, d)
		for i := range 200 { // around where the way leads, played from both ends, with some noise
			o := observation{pairs: 1, x: make([]float64, d), than: make([]float64, d)}
			for j := range d {
				centre := .2 * float64(i) / 200
				o.x[j], o.than[j] = centre+.1, centre-.1
			}
			y := c.y
			if i%2 == 0 {
				y, o.x, o.than = -y, o.than, o.x
			}
			o.mean = (1 + y + noise[i/2%2]) / 2
			w.steps = append(w.steps, o)
		}
		for i := range 40 {
			w.games = append(w.games, c.compared+noise[i%2])
		}
		if got := w.share(to); got < c.low || got > c.top {
			t.Errorf("%s: %.2f of the way is kept, want %.2f to %.2f", c.name, got, c.low, c.top)
		}
	}
}
