// Package bench compares tuners on problems whose truth is known: mean simple
// regret at each budget, with standard errors. It plays no game and measures no
// time.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"selfplaylab/params"
	"selfplaylab/params/problem"
)

// Entrant is a tuner in the comparison.
type Entrant struct {
	Name string
	// New makes the tuner of one run: a problem, where it starts, how many pairs
	// of games it will be given, and the seed of its proposals.
	New func(p problem.Problem, start params.Vector, pairs int, seed uint64) (params.Tuner, error)
	// Anytime says that the tuner does not use the number of pairs: one run of
	// the longest budget is looked at at every budget. Others run once a budget.
	Anytime bool
}

// Plan says what is compared. Rows depend on everything but Workers.
type Plan struct {
	Problems []problem.Problem
	Entrants []Entrant
	Budgets  []int // games, two a pair, increasing; at least 2 each
	Repeats  int   // at least 1; standard errors want 2
	// RandomStarts draws the start of every repeat evenly over the space, the
	// same for all entrants, instead of the problem's own.
	RandomStarts bool
	Seed         uint64
	Workers      int // at least 1
	// JudgePairs is how many pairs of start against recommendation tell what a
	// recommendation for a problem with Ask is worth; 0 means 200.
	JudgePairs int
	// Progress, if not nil, is told after every tuner's run how many games of all
	// are played. It is called by one goroutine at a time.
	Progress func(played, planned int64)
}

// Row is the outcome of one entrant on one problem at one budget.
type Row struct {
	Problem, Tuner string
	Games          int
	Repeats        int
	// Regret is the mean simple regret of the recommendations, SE its standard
	// error (0 for a single repeat). For a problem with Ask, whose optimum nobody
	// knows, it is the score of the start against the recommendation, on seeds of
	// its own: 1/2 is even, less is better.
	Regret, SE float64
	// Start is the mean regret of recommending the starts; 1/2 with Ask.
	Start float64
	// Worst is the largest regret, Worse the number of repeats that recommend
	// something worse than their start.
	Worst float64
	Worse int
}

// run is one tuner from one start.
type run struct {
	problem, entrant, repeat int
	budgets                  []int // indices into Plan.Budgets, increasing
}

// Run plays the plan and returns a row for every problem, entrant and budget, in
// that order.
func Run(ctx context.Context, p Plan) ([]Row, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	regrets := make([]float64, len(p.Problems)*len(p.Entrants)*len(p.Budgets)*p.Repeats)
	err := p.each(ctx, p.runs(), func(r run) error {
		return p.one(ctx, r, func(budget int, regret float64) {
			regrets[p.row(r.problem, r.entrant, budget)*p.Repeats+r.repeat] = regret
		})
	})
	if err != nil {
		return nil, err
	}
	var rows []Row
	for i := range p.Problems {
		starts := make([]float64, p.Repeats)
		for repeat := range starts {
			if starts[repeat] = .5; p.Problems[i].Ask == nil {
				starts[repeat] = p.Problems[i].Regret(p.start(i, repeat))
			}
		}
		from, _ := mean(starts)
		for j, e := range p.Entrants {
			for k, games := range p.Budgets {
				at := p.row(i, j, k) * p.Repeats
				row := Row{Problem: p.Problems[i].Name, Tuner: e.Name, Games: games, Repeats: p.Repeats, Start: from}
				row.Regret, row.SE = mean(regrets[at : at+p.Repeats])
				for repeat, regret := range regrets[at : at+p.Repeats] {
					row.Worst = max(row.Worst, regret)
					if regret > starts[repeat] {
						row.Worse++
					}
				}
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

func (p *Plan) row(problem, entrant, budget int) int {
	return (problem*len(p.Entrants)+entrant)*len(p.Budgets) + budget
}

func (p *Plan) check() error {
	switch {
	case len(p.Problems) == 0 || len(p.Entrants) == 0 || len(p.Budgets) == 0:
		return errors.New("want a problem, an entrant and a budget at least")
	case p.Repeats < 1:
		return fmt.Errorf("%d repeats: want at least 1", p.Repeats)
	case p.Budgets[0] < 2 || !slices.IsSorted(p.Budgets):
		return fmt.Errorf("budgets %v: want games, increasing, at least 2", p.Budgets)
	}
	return nil
}

// runs lists the runs, the longest budgets first within a problem's entrant.
func (p *Plan) runs() []run {
	var list []run
	for i := range p.Problems {
		for j, e := range p.Entrants {
			for repeat := range p.Repeats {
				all := make([]int, len(p.Budgets))
				for k := range all {
					all[k] = k
				}
				if e.Anytime {
					list = append(list, run{i, j, repeat, all})
					continue
				}
				for k := range all {
					list = append(list, run{i, j, repeat, all[k : k+1]})
				}
			}
		}
	}
	return list
}

// each does every run on one of the workers, and returns the first error in
// order.
func (p *Plan) each(ctx context.Context, list []run, do func(run) error) error {
	errs := make([]error, len(list))
	var next atomic.Int64
	var workers sync.WaitGroup
	done := p.counter(list)
	for range max(1, p.Workers) {
		workers.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(list) && ctx.Err() == nil; i = next.Add(1) - 1 {
				errs[i] = do(list[i])
				done(list[i])
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// longest is the largest budget of a run, in games.
func (p *Plan) longest(r run) int { return p.Budgets[r.budgets[len(r.budgets)-1]] }

// counter tells Progress of every run that is done.
func (p *Plan) counter(list []run) func(run) {
	if p.Progress == nil {
		return func(run) {}
	}
	var mu sync.Mutex
	played, planned := int64(0), int64(0)
	for _, r := range list {
		planned += int64(p.longest(r))
	}
	return func(r run) {
		mu.Lock()
		defer mu.Unlock()
		played += int64(p.longest(r))
		p.Progress(played, planned)
	}
}

// one plays a run, and reports the regret at each of its budgets.
func (p *Plan) one(ctx context.Context, r run, report func(budget int, regret float64)) error {
	problem, e := &p.Problems[r.problem], p.Entrants[r.entrant]
	longest := p.longest(r) / 2
	tuner, err := e.New(*problem, p.start(r.problem, r.repeat), longest, p.random("tuner", r.problem, r.repeat).Uint64())
	if err != nil {
		return fmt.Errorf("bench: %s on %s: %w", e.Name, problem.Name, err)
	}
	fail := func(err error) error { return fmt.Errorf("bench: %s on %s: %w", e.Name, problem.Name, err) }
	chance := p.random("games", r.problem, r.repeat)
	waiting, played := tuner.Ask(), 0
	for _, budget := range r.budgets {
		for played < p.Budgets[budget]/2 && len(waiting) > 0 && ctx.Err() == nil {
			trial := waiting[0]
			trial.Pairs = min(trial.Pairs, longest-played)
			score, err := answer(ctx, problem, trial, chance)
			if err != nil {
				return fail(err)
			}
			played += score.N()
			if err := tuner.Tell(trial, score); err != nil {
				return fail(err)
			}
			waiting = append(waiting[1:], tuner.Ask()...)
		}
		regret, err := p.regret(ctx, r, tuner.Recommend())
		if err != nil {
			return fail(err)
		}
		report(budget, regret)
	}
	return nil
}

// answer plays a trial.
func answer(ctx context.Context, p *problem.Problem, t params.Trial, chance *rand.Rand) (params.Score, error) {
	if p.Ask != nil {
		return p.Ask(ctx, t, chance.Uint64())
	}
	return p.Play(t, chance), nil
}

// usualJudge is Plan.JudgePairs where nothing is said.
const defaultJudge = 200

// regret is what a recommendation falls short of; see Row.
func (p *Plan) regret(ctx context.Context, r run, best params.Vector) (float64, error) {
	problem := &p.Problems[r.problem]
	if problem.Ask == nil {
		return problem.Regret(best), nil
	}
	t := params.Trial{A: p.start(r.problem, r.repeat), B: best, Pairs: cmp.Or(p.JudgePairs, defaultJudge)}
	s, err := problem.Ask(ctx, t, p.random("judge", r.problem, r.repeat).Uint64())
	return s.Mean(), err
}

// start is where a repeat begins.
func (p *Plan) start(problem, repeat int) params.Vector {
	if !p.RandomStarts {
		return p.Problems[problem].Start
	}
	return p.Problems[problem].Random(p.random("start", problem, repeat))
}

// random is a generator of its own for each use.
func (p *Plan) random(use string, problem, repeat int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d", use, p.Problems[problem].Name, repeat)
	return rand.New(rand.NewPCG(p.Seed, h.Sum64()))
}

func mean(x []float64) (mean, se float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	if len(x) < 2 {
		return mean, 0
	}
	for _, v := range x {
		se += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(se / float64(len(x)-1) / float64(len(x)))
}

// GeometricMean returns the geometric mean over the problems of a tuner's
// regrets at a budget; NaN if there is no such row.
func GeometricMean(rows []Row, tuner string, games int) float64 {
	log, _ := LogMean(rows, tuner, games)
	return math.Exp(log)
}

// LogMean returns the mean logarithm over the problems of a tuner's regrets at a
// budget, with its standard error from those of the rows by the delta method; NaN
// if there is no such row, minus infinity if one has no regret.
func LogMean(rows []Row, tuner string, games int) (mean, se float64) {
	n := 0.0
	for _, r := range rows {
		if r.Tuner == tuner && r.Games == games {
			mean += math.Log(r.Regret)
			relative := r.SE / r.Regret
			se += float64(relative * relative)
			n++
		}
	}
	return mean / n, math.Sqrt(se) / n
}
