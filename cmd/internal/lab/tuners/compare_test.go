package tuners

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines/runs/tuning"
	"selfplaylab/params"
	"selfplaylab/params/problem"
)

// follower is a tuner that moves to the winner of every trial, so that its regret depends on
// every score.
type follower struct {
	space    params.Space
	at       params.Vector
	answered int
	proposed int
}

func (f *follower) Ask() []params.Trial {
	if f.proposed > f.answered {
		return nil
	}
	f.proposed++
	x := f.at.Clone()
	x[0] = f.space[0].Clip(x[0] - .05)
	return []params.Trial{{ID: f.answered, A: x, B: f.at, Pairs: 3}}
}

func (f *follower) Tell(t params.Trial, s params.Score) error {
	if s.N() > 3 {
		return errors.New("more pairs than requested")
	}
	if f.answered++; s.Mean() > .5 {
		f.at = t.A
	}
	return nil
}

func (f *follower) Recommend() params.Vector { return f.at.Clone() }

func newFollower(space params.Space, start params.Vector, _ int, _ uint64) (params.Tuner, error) {
	return &follower{space: space, at: start}, nil
}

func twoProblems(games int) *comparison {
	return &comparison{
		problems:   []problem.Problem{problem.Log(), problem.Rosenbrock()},
		candidates: []candidate{{"one", newFollower}, {"other", newFollower}},
		games:      games, repeats: 9, seed: 4, workers: 1,
	}
}

// TestWorkersDoNotChangeRows: the same rows at any number of workers.
func TestWorkersDoNotChangeRows(t *testing.T) {
	for _, random := range []bool{false, true} {
		c := twoProblems(300)
		if random {
			c.starts = "random"
		}
		want, err := c.compare(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, c.workers = range []int{2, 7} {
			got, err := c.compare(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d workers: %s", c.workers, diff)
			}
		}
		if len(want) != 4 || want[0].Problem != "LOG" || want[2].Problem != "ROSENBROCK" || !(want[2].SE > 0) || want[2].Worst < want[2].Regret {
			t.Fatalf("%+v", want)
		}
		if one, other := want[0], want[1]; one.Regret != other.Regret || one.Tuner != "one" || other.Tuner != "other" {
			t.Errorf("the same tuner twice: %+v and %+v", one, other)
		}
		short, err := twoProblems(2).compare(context.Background())
		if err != nil || short[0].Regret == want[0].Regret || !random && math.Abs(want[0].Start-problemStart()) > 1e-12 {
			t.Errorf("%v: regret %v after 2 games, %v after 300, start %v", err, short[0].Regret, want[0].Regret, want[0].Start)
		}
	}
}

func problemStart() float64 {
	p := problem.Log()
	return p.Regret(p.Start)
}

func TestLogMeanMatchesFormula(t *testing.T) {
	rows := []Row{
		{Tuner: "a", Games: 10, Regret: .1}, {Tuner: "a", Games: 10, Regret: .001},
		{Tuner: "b", Games: 10, Regret: 5}, {Tuner: "a", Games: 20, Regret: 5},
	}
	if log, _ := logMean(rows, "a", 10); math.Abs(math.Exp(log)-.01) > 1e-12 {
		t.Errorf("geometric mean %v, want .01", math.Exp(log))
	}
	if log, _ := logMean(rows, "c", 10); !math.IsNaN(log) {
		t.Errorf("mean of no rows: %v", log)
	}
}

type broken struct{ follower }

func (broken) Tell(params.Trial, params.Score) error { return errors.New("no room") }

func TestErrorsNameTheProblem(t *testing.T) {
	for want, new := range map[string]tuning.NewTuner{
		"other on LOG: no room": func(space params.Space, start params.Vector, _ int, _ uint64) (params.Tuner, error) {
			return &broken{follower{space: space, at: start}}, nil
		},
		"other on LOG: refused": func(params.Space, params.Vector, int, uint64) (params.Tuner, error) {
			return nil, errors.New("refused")
		},
	} {
		c := twoProblems(20)
		c.candidates[1].new = new
		if _, err := c.compare(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %q", err, want)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := twoProblems(20).compare(ctx); !errors.Is(err, enough) {
		t.Errorf("stopped: %v", err)
	}
}
