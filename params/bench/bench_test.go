package bench_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/params"
	"selfplaylab/params/bench"
	"selfplaylab/params/problem"
)

// follower moves to the winner of every trial: a tuner whose regret depends on
// every score.
type follower struct {
	space params.Space
	at    params.Vector
	told  int
	asked int
}

func (f *follower) Ask() []params.Trial {
	if f.asked > f.told {
		return nil
	}
	f.asked++
	x := f.at.Clone()
	x[0] = f.space[0].Clip(x[0] - .05)
	return []params.Trial{{ID: f.told, A: x, B: f.at, Pairs: 3}}
}

func (f *follower) Tell(t params.Trial, s params.Score) error {
	if s.N() > 3 {
		return errors.New("more pairs than asked for")
	}
	if f.told++; s.Mean() > .5 {
		f.at = t.A
	}
	return nil
}

func (f *follower) Recommend() params.Vector { return f.at.Clone() }

func newFollower(p problem.Problem, start params.Vector, _ int, _ uint64) (params.Tuner, error) {
	return &follower{space: p.Space, at: start}, nil
}

func plan() bench.Plan {
	return bench.Plan{
		Problems: []problem.Problem{problem.Log(), problem.Rosenbrock()},
		Entrants: []bench.Entrant{{Name: "once", New: newFollower}, {Name: "anytime", New: newFollower, Anytime: true}},
		Budgets:  []int{2, 20, 300}, Repeats: 9, Seed: 4, Workers: 1,
	}
}

// TestWorkers: the same rows at any number of workers, and from a run that is
// looked at on its way as from runs of each budget.
func TestWorkers(t *testing.T) {
	for _, random := range []bool{false, true} {
		p := plan()
		p.RandomStarts = random
		want, err := bench.Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, p.Workers = range []int{2, 7} {
			got, err := bench.Run(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d workers: %s", p.Workers, diff)
			}
		}
		n := len(p.Budgets)
		if len(want) != 4*n {
			t.Fatalf("%d rows", len(want))
		}
		for i := range n {
			once, anytime := want[i], want[n+i]
			if anytime.Tuner = "once"; once.Games == 300 && once != anytime {
				t.Errorf("looked at on its way: %+v; run to there: %+v", want[n+i], once)
			}
		}
		if want[0].Problem != "LOG" || want[2*n].Problem != "ROSENBROCK" || !(want[2].SE > 0) || want[2].Worst < want[2].Regret {
			t.Errorf("%+v", want)
		}
		if first, last := want[0], want[n-1]; last.Regret == first.Regret || !random && math.Abs(first.Start-problemStart()) > 1e-12 {
			t.Errorf("regret %v after 2 games, %v after 300, start %v", first.Regret, last.Regret, first.Start)
		}
	}
}

func problemStart() float64 {
	p := problem.Log()
	return p.Regret(p.Start)
}

// TestAsk: a problem that answers trials itself is told of by the start's score
// against what was recommended, the same at any number of workers; its errors end
// the comparison.
func TestAsk(t *testing.T) {
	log := problem.Log()
	p := plan()
	p.Problems = []problem.Problem{{Name: "asked", Space: log.Space, Start: log.Start, Ask: func(_ context.Context, trial params.Trial, seed uint64) (params.Score, error) {
		return log.Play(trial, rand.New(rand.NewPCG(seed, 1))), nil
	}}}
	p.JudgePairs = 50
	want, err := bench.Run(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	p.Workers = 5
	got, err := bench.Run(context.Background(), p)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, %s", err, diff)
	}
	if last := want[2]; math.Abs(last.Start-.5) > 1e-9 || last.Games != 300 || !(last.Regret < .5 && last.Regret > .2) {
		t.Errorf("%+v", want)
	}
	broken := errors.New("no answer")
	p.Problems[0].Ask = func(context.Context, params.Trial, uint64) (params.Score, error) { return params.Score{}, broken }
	if _, err := bench.Run(context.Background(), p); !errors.Is(err, broken) || !strings.Contains(err.Error(), "once on asked") {
		t.Errorf("%v", err)
	}
}

func TestGeometricMean(t *testing.T) {
	rows := []bench.Row{
		{Tuner: "a", Games: 10, Regret: .1}, {Tuner: "a", Games: 10, Regret: .001},
		{Tuner: "b", Games: 10, Regret: 5}, {Tuner: "a", Games: 20, Regret: 5},
	}
	if got := bench.GeometricMean(rows, "a", 10); math.Abs(got-.01) > 1e-12 {
		t.Errorf("geometric mean %v, want .01", got)
	}
	if got := bench.GeometricMean(rows, "c", 10); !math.IsNaN(got) {
		t.Errorf("geometric mean of nothing: %v", got)
	}
}

type broken struct{ follower }

func (broken) Tell(params.Trial, params.Score) error { return errors.New("no room") }

func TestErrors(t *testing.T) {
	for want, edit := range map[string]func(*bench.Plan){
		"0 repeats":               func(p *bench.Plan) { p.Repeats = 0 },
		"budgets [300 2]":         func(p *bench.Plan) { p.Budgets = []int{300, 2} },
		"budgets [1]":             func(p *bench.Plan) { p.Budgets = []int{1} },
		"want a problem":          func(p *bench.Plan) { p.Problems = nil },
		"once on LOG: no room":    func(p *bench.Plan) { p.Entrants[0].New = newBroken },
		"anytime on LOG: refused": func(p *bench.Plan) { p.Entrants[1].New = refuse },
	} {
		p := plan()
		edit(&p)
		if _, err := bench.Run(context.Background(), p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %q", err, want)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := bench.Run(ctx, plan()); !errors.Is(err, enough) {
		t.Errorf("stopped: %v", err)
	}
}

func newBroken(p problem.Problem, start params.Vector, _ int, _ uint64) (params.Tuner, error) {
	return &broken{follower{space: p.Space, at: start}}, nil
}

func refuse(problem.Problem, params.Vector, int, uint64) (params.Tuner, error) {
	return nil, errors.New("refused")
}
