// Package benchmark compares ways to tune on noisy problems whose truth is known:
// what is asked in the user's words, the rows, their table, figures and page, and
// whether they are worse than rows of before. It plays no game: package bench of
// the tuners does.
package benchmark

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/schedule/objective"
	"selfplaylab/params"
	"selfplaylab/params/bench"
	"selfplaylab/params/problem"
)

// Config is a comparison in the user's words.
type Config struct {
	Methods  []string     `toml:"method" arg:"WORDS" help:"a method with its tune flags, such as \"spsa --gains classic --pairs 8\" (repeatable; default: quad, every gains of spsa, cmaes)"`
	Problems config.Names `toml:"problem" arg:"NAMES" help:"problems, by name or as FILE.toml (default: all ten; see tune bench --list)"`
	Games    config.Names `toml:"games" arg:"N[:REPEATS],..." help:"budgets in games, each a separate run; N:REPEATS sets the repeats of one budget, as in 1000:100,100000:16 (default 1000,10000)"`
	Repeats  int          `toml:"repeats" arg:"N" help:"repeats of each method, problem and budget, unless the budget sets them"`
	tuning.Judged
	RandomStarts bool   `toml:"random_starts" help:"start every repeat at another random point, the same points for all methods"`
	Seed         uint64 `toml:"seed" arg:"SEED" help:"seed of all randomness: the same command with the same seed gives the same rows"`
}

// New returns a comparison with the defaults.
func New() *Config { return &Config{Repeats: 40, Seed: 1} }

// usualMethods are what is compared where nothing is said.
var defaultMethods = []string{"quad", "spsa", "spsa --gains budget", "spsa --gains classic", "cmaes"}

const (
	maxRepeats = 10_000
	maxGames   = 100_000_000
)

// Result is a comparison with its rows.
type Result struct {
	Asked   *Config
	Names   []string // problems, as in the rows
	Methods []string // as in the rows
	Games   []int
	Rows    []bench.Row // by budget, problem, method

	judged bool // one problem is an objective, whose optimum nobody knows
}

// budget is how many games a run has, and how many runs there are.
type budget struct{ games, repeats int }

// Run checks what is asked, and plays it. progress, if not nil, is told of games
// by one goroutine at a time.
func (a *Config) Run(ctx context.Context, workers int, progress func(played, planned int64)) (r *Result, err error) {
	plan, err := a.plan()
	if err != nil {
		return nil, err
	}
	budgets, err := a.budgets()
	if err != nil {
		return nil, err
	}
	plan.Workers = workers
	objective, desk, err := a.objective(ctx, workers)
	if err != nil {
		return nil, err
	}
	if desk != nil {
		defer func() { err = errors.Join(err, desk.Close()) }()
		plan.Problems = append(plan.Problems, objective)
	}
	r = &Result{Asked: a, judged: desk != nil}
	for _, p := range plan.Problems {
		r.Names = append(r.Names, p.Name)
	}
	for _, e := range plan.Entrants {
		r.Methods = append(r.Methods, e.Name)
	}
	all := int64(0)
	for _, b := range budgets {
		all += b.all(plan)
	}
	before := int64(0)
	for _, b := range budgets {
		plan.Budgets, plan.Repeats = []int{b.games}, b.repeats
		if progress != nil {
			plan.Progress = func(played, _ int64) { progress(before+played, all) }
		}
		rows, err := bench.Run(ctx, *plan)
		if err != nil {
			return nil, err
		}
		r.Games, r.Rows = append(r.Games, b.games), append(r.Rows, rows...)
		before += b.all(plan)
	}
	return r, nil
}

// all is the number of games of a budget.
func (b budget) all(p *bench.Plan) int64 {
	return int64(b.games) * int64(b.repeats) * int64(len(p.Problems)) * int64(len(p.Entrants))
}

// plan is what all budgets have in common.
func (a *Config) plan() (*bench.Plan, error) {
	p := &bench.Plan{RandomStarts: a.RandomStarts, Seed: a.Seed}
	var err error
	if p.Problems, err = a.problems(); err != nil {
		return nil, err
	}
	methods := a.Methods
	if len(methods) == 0 {
		methods = defaultMethods
	}
	for _, words := range methods {
		asking, err := tuning.ParseMethod(words)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(p.Entrants, func(e bench.Entrant) bool { return e.Name == asking.Words }) {
			return nil, config.Errorf("method", "%q: stands twice", asking.Words)
		}
		p.Entrants = append(p.Entrants, bench.Entrant{Name: asking.Words, New: func(p problem.Problem, start params.Vector, pairs int, seed uint64) (params.Tuner, error) {
			return asking.Tuner(p.Space, start, pairs, seed)
		}})
	}
	return p, nil
}

// budgets reads the numbers of games and of repeats.
func (a *Config) budgets() (list []budget, err error) {
	texts := a.Games
	if len(texts) == 0 {
		texts = config.Names{"1000", "10000"}
	}
	for _, text := range texts {
		games, repeats, own := strings.Cut(text, ":")
		b := budget{repeats: a.Repeats}
		if b.games, err = strconv.Atoi(games); err != nil || b.games < 2 || b.games%2 != 0 || b.games > maxGames {
			return nil, config.Errorf("games", "%q: want even whole numbers from 2 to %d", text, maxGames)
		}
		field := "repeats"
		if own {
			field = "games"
			b.repeats, err = strconv.Atoi(repeats)
		}
		switch {
		case err != nil || b.repeats < 2 || b.repeats > maxRepeats:
			return nil, config.Errorf(field, "%s: want from 2 repeats, for an interval, to %d", cmp.Or(repeats, strconv.Itoa(b.repeats)), maxRepeats)
		case slices.ContainsFunc(list, func(c budget) bool { return c.games == b.games }):
			return nil, config.Errorf("games", "%d: stands twice", b.games)
		}
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b budget) int { return cmp.Compare(a.games, b.games) })
	return list, nil
}

// problems finds problems by name or file.
func (a *Config) problems() (list []problem.Problem, err error) {
	switch {
	case len(a.Problems) == 0 && a.Objective != "":
		return nil, nil
	case len(a.Problems) == 0:
		return problem.All(), nil
	}
	for _, name := range a.Problems {
		p, err := find(name)
		if err != nil {
			return nil, config.Wrap("problem", err)
		}
		if slices.ContainsFunc(list, func(q problem.Problem) bool { return q.Name == p.Name }) {
			return nil, config.Errorf("problem", "%q: two problems are named %s", name, p.Name)
		}
		list = append(list, p)
	}
	return list, nil
}

// objective is the problem that a program judges, with the desk to close; nil
// where none is asked for.
func (a *Config) objective(ctx context.Context, workers int) (p problem.Problem, desk *objective.Session, err error) {
	o, err := a.Judged.Read()
	if o == nil || err != nil {
		return p, nil, err
	}
	pool, err := o.Judge(workers)
	if err != nil {
		return p, nil, err
	}
	if desk, err = pool.Open(ctx); err != nil {
		return p, nil, config.Wrap("objective", err)
	}
	return problem.Problem{Name: "objective", Space: pool.Space, Start: pool.Space.Default(), Ask: desk.Ask}, desk, nil
}

func find(name string) (problem.Problem, error) {
	if strings.HasSuffix(name, ".toml") {
		return problem.Read(name)
	}
	p, err := problem.Named(strings.ToUpper(name))
	if err != nil {
		err = fmt.Errorf("%w; FILE.toml is one of your own", err)
	}
	return p, err
}

// Mean is a method's geometric mean over the problems at a budget.
type Mean struct {
	Method string
	Games  int
	// Regret is the mean, Low and High its 95 % interval; NaN where a row is 0.
	Regret, Low, High float64
}

// z95 is the normal quantile of a 95 % interval: the mean of many rows.
var z95 = math.Sqrt2 * math.Erfinv(.95)

// Means returns every method's geometric mean at every budget.
func (r *Result) Means() (list []Mean) {
	for _, games := range r.Games {
		for _, method := range r.Methods {
			log, se := bench.LogMean(r.Rows, method, games)
			m := Mean{Method: method, Games: games, Regret: math.NaN(), Low: math.NaN(), High: math.NaN()}
			if !math.IsInf(log, 0) {
				m.Regret, m.Low, m.High = math.Exp(log), math.Exp(log-z95*se), math.Exp(log+z95*se)
			}
			list = append(list, m)
		}
	}
	return list
}

// clopMean is CLOP's geometric mean over these problems; ok is false unless it was
// run on all of them, from these starts.
func (r *Result) clopMean(games int) (mean float64, ok bool) {
	for _, name := range r.Names {
		x, ok := r.clop(name, games)
		if !ok {
			return 0, false
		}
		mean += math.Log(x) / float64(len(r.Names))
	}
	return math.Exp(mean), true
}

// besideCLOP are the first method's rows on the problems on which CLOP was run,
// from these starts, and the mean logarithm of CLOP's regrets there.
func (r *Result) besideCLOP(games int) (rows []bench.Row, log float64) {
	for _, name := range r.Names {
		if x, ok := r.clop(name, games); ok {
			rows = append(rows, *r.row(name, r.Methods[0], games))
			log += math.Log(x)
		}
	}
	return rows, log / float64(len(rows))
}

// clop is CLOP's regret on a problem of ours, from its own start.
func (r *Result) clop(name string, games int) (float64, bool) {
	if r.Asked.RandomStarts {
		return 0, false
	}
	return bench.CLOP(name, games)
}

// repeats is how often each run of a budget was made.
func (r *Result) repeats(games int) int { return r.row(r.Names[0], r.Methods[0], games).Repeats }

// row finds a row.
func (r *Result) row(name, method string, games int) *bench.Row {
	i := slices.IndexFunc(r.Rows, func(b bench.Row) bool { return b.Problem == name && b.Tuner == method && b.Games == games })
	return &r.Rows[i]
}

var errNoRows = errors.New("no row of this comparison is in the file: want the same problems, methods, budgets and starts")
