package tuners

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/params"
	"selfplaylab/params/problem"
)

// candidate is a tuner in a comparison.
type candidate struct {
	name string
	new  tuning.NewTuner
}

// comparison runs candidates on problems at one budget. Rows depend on all fields except
// workers.
type comparison struct {
	problems   []problem.Problem
	candidates []candidate
	programs   []*program
	games      int // budget of a run, two games a pair; at least 2
	repeats    int // at least 1; standard errors need 2
	// starts is "own" for the problem's start, or "random" for starts drawn for every repeat
	// evenly over the space, the same for all candidates.
	starts  string
	seed    uint64
	workers int // at least 1
	// progress, if not nil, is called after every run, by one goroutine at a time, with the
	// number of games played so far.
	progress func(played int64)
}

// Row is the outcome of one method on one problem at one budget.
type Row struct {
	Problem string  `csv:"problem"`          // name of the problem
	Tuner   string  `csv:"method"`           // the method as a user writes it
	Starts  string  `csv:"starts"`           // "own" for the problem's start, or "random"
	Games   int     `csv:"games"`            // budget of a run
	Repeats int     `csv:"repeats"`          // number of runs
	Regret  float64 `csv:"regret"`           // mean simple regret of the recommendations
	SE      float64 `csv:"se"`               // standard error of Regret; 0 for a single repeat
	Start   float64 `csv:"start_regret"`     // mean regret of the starts
	High    float64 `csv:"p95"`              // 95th percentile of the regrets
	Worst   float64 `csv:"worst"`            // largest of the regrets
	Worse   int     `csv:"worse_than_start"` // repeats whose recommendation is worse than their start
}

// add adds a candidate, whose name must be new.
func (c *comparison) add(m candidate) error {
	if slices.ContainsFunc(c.candidates, func(o candidate) bool { return o.name == m.name }) {
		return fmt.Errorf("%q: given twice", m.name)
	}
	c.candidates = append(c.candidates, m)
	return nil
}

// close ends the processes of the programs.
func (c *comparison) close() {
	for _, p := range c.programs {
		p.close()
	}
}

// run is one candidate from one start.
type run struct{ problem, candidate, repeat int }

// run returns a run by its number: all repeats of a candidate, then all candidates on a
// problem, then all problems.
func (c *comparison) run(i int) run {
	group := i / c.repeats
	return run{group / len(c.candidates), group % len(c.candidates), i % c.repeats}
}

// collect plays all runs on the workers, and returns the result of row for the repeats of each
// candidate on each problem, in that order, or the first error in order.
func collect[T, R any](ctx context.Context, c *comparison, play func(context.Context, run) (T, error), row func(run, []T) R) ([]R, error) {
	results := make([]T, len(c.problems)*len(c.candidates)*c.repeats)
	errs := make([]error, len(results))
	var mu sync.Mutex
	done := int64(0)
	runs.InParallel(max(1, c.workers), len(results), func(i int) {
		if ctx.Err() != nil {
			return
		}
		results[i], errs[i] = play(ctx, c.run(i))
		mu.Lock()
		defer mu.Unlock()
		if done++; c.progress != nil {
			c.progress(done * int64(c.games))
		}
	})
	if err := cmp.Or(cmp.Or(errs...), context.Cause(ctx)); err != nil {
		return nil, err
	}
	var rows []R
	for i := 0; i < len(results); i += c.repeats {
		rows = append(rows, row(c.run(i), results[i:i+c.repeats]))
	}
	return rows, nil
}

// compare returns a row for every problem and candidate, in that order.
func (c *comparison) compare(ctx context.Context) ([]Row, error) {
	return collect(ctx, c, c.regret, c.row)
}

// regret plays a run, and returns the regret of its recommendation.
func (c *comparison) regret(ctx context.Context, r run) (float64, error) {
	tuner, err := c.tune(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("compare tuners: %s on %s: %w", c.candidates[r.candidate].name, c.problems[r.problem].Name, err)
	}
	return c.problems[r.problem].Regret(tuner.Recommend()), nil
}

// all returns the number of games of a comparison.
func (c *comparison) all() int64 {
	return int64(c.games) * int64(c.repeats) * int64(len(c.problems)) * int64(len(c.candidates))
}

// row summarises the repeats of a run.
func (c *comparison) row(r run, regrets []float64) Row {
	starts := c.startRegrets(r.problem)
	row := Row{Problem: c.problems[r.problem].Name, Tuner: c.candidates[r.candidate].name, Starts: c.starts, Games: c.games, Repeats: c.repeats}
	row.Start, _ = mean(starts)
	row.Regret, row.SE = mean(regrets)
	for i, regret := range regrets {
		if regret > starts[i] {
			row.Worse++
		}
	}
	sorted := slices.Sorted(slices.Values(regrets))
	row.High, row.Worst = sorted[len(sorted)-1-len(sorted)/20], sorted[len(sorted)-1]
	return row
}

// startRegrets returns the regrets of the starts of a problem's repeats.
func (c *comparison) startRegrets(problem int) []float64 {
	list := make([]float64, c.repeats)
	for repeat := range list {
		list[repeat] = c.problems[problem].Regret(c.start(problem, repeat))
	}
	return list
}

// tune plays a run and returns its tuner.
func (c *comparison) tune(ctx context.Context, r run) (params.Tuner, error) {
	problem, start, pairs := &c.problems[r.problem], c.start(r.problem, r.repeat), c.games/2
	tuner, err := c.candidates[r.candidate].new(problem.Space, start, pairs, c.tunerSeed(r))
	if err != nil {
		return nil, err
	}
	chance := c.random("games", r.problem, r.repeat)
	waiting := tuner.Ask()
	for played := 0; played < pairs && len(waiting) > 0 && ctx.Err() == nil; {
		trial := waiting[0]
		trial.Pairs = min(trial.Pairs, pairs-played)
		score := problem.Play(trial, chance)
		played += score.N()
		if err := tuner.Tell(trial, score); err != nil {
			return nil, err
		}
		waiting = append(waiting[1:], tuner.Ask()...)
	}
	return tuner, context.Cause(ctx)
}

// tunerSeed returns the seed of a run's tuner.
func (c *comparison) tunerSeed(r run) uint64 { return c.random("tuner", r.problem, r.repeat).Uint64() }

// start returns the start of a repeat.
func (c *comparison) start(problem, repeat int) params.Vector {
	if c.starts != "random" {
		return c.problems[problem].Start
	}
	return c.problems[problem].Random(c.random("start", problem, repeat))
}

// random returns a separate generator for each use.
func (c *comparison) random(use string, problem, repeat int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d", use, c.problems[problem].Name, repeat)
	return rand.New(rand.NewPCG(c.seed, h.Sum64()))
}

// mean returns the mean of x and its standard error, 0 for a single value.
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

// logMean returns the mean logarithm of a method's regrets at a budget over the problems, with
// its standard error from the rows' errors by the delta method. It is NaN without a row, and
// minus infinity if a regret is 0.
func logMean(rows []Row, tuner string, games int) (mean, se float64) {
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
