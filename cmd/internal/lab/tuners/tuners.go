// Package tuners compares tuners on noisy problems with a known optimum: the configuration in
// the user's words, the rows, their table, figures and page. It plays no game.
package tuners

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/params/problem"
	"selfplaylab/reports/text"
)

// Config is a comparison in the user's words.
type Config struct {
	Methods      []string     `toml:"method" arg:"WORDS" help:"a method with its tune flags, such as \"spsa --c-end 5 --pairs 8\" (repeatable; default: quad, and spsa with C_end of 1, 3 and 5 steps)"`
	Programs     []string     `toml:"program" arg:"NAME=COMMAND" help:"a tuner of others as a program that reads and writes JSON, see program.go (repeatable)"`
	Problems     config.Names `toml:"problem" arg:"NAMES" help:"problems, or the groups clop, others and engines of --list (default: clop)"`
	Games        config.Names `toml:"games" arg:"N[:REPEATS],..." help:"budgets in games, each a separate run; N:REPEATS sets the repeats of one budget, as in 1000:100,100000:16 (default 1000,10000)"`
	Repeats      int          `toml:"repeats" arg:"N" help:"repeats of each method, problem and budget, unless the budget sets them"`
	RandomStarts bool         `toml:"random_starts" help:"start every repeat at another random point, the same points for all methods"`
	Seed         uint64       `toml:"seed" arg:"SEED" help:"seed of all randomness: the same command with the same seed gives the same rows"`
}

// New returns a comparison with the defaults.
func New() *Config { return &Config{Repeats: 40, Seed: 1} }

// defaultMethods are compared if none is named.
var defaultMethods = []string{"quad", "spsa --c-end 1", "spsa --c-end 3", "spsa --c-end 5"}

const (
	maxRepeats = 10_000
	maxGames   = 100_000_000
)

// Result is a comparison with its rows.
type Result struct {
	Config  *Config  // the comparison's settings
	Names   []string // names of the problems, as in the rows
	Methods []string // as in the rows; others are compared with the first
	Games   []int    // budgets, as in the rows
	Rows    []Row    // in the order of budget, problem, method
}

// Add adds rows of earlier comparisons on the same problems and starts: rows of methods or
// budgets that this one lacks.
func (r *Result) Add(rows []Row) {
	for _, row := range rows {
		if !slices.Contains(r.Names, row.Problem) || row.Starts != r.Config.starts() || r.row(row.Problem, row.Tuner, row.Games) != nil {
			continue
		}
		r.Rows = append(r.Rows, row)
		if !slices.Contains(r.Methods, row.Tuner) {
			r.Methods = append(r.Methods, row.Tuner)
		}
		if !slices.Contains(r.Games, row.Games) {
			r.Games = append(r.Games, row.Games)
		}
	}
	slices.Sort(r.Games)
}

// starts returns the value of the rows' field Starts.
func (c *Config) starts() string {
	if c.RandomStarts {
		return "random"
	}
	return "own"
}

// RowsName is the name of the file with the rows of a comparison.
const RowsName = "regret.csv"

// CSV returns the rows as a file.
func (r *Result) CSV() ([]byte, error) { return datasets.EncodeCSV(r.Rows) }

// budget is the number of games of a run, and the number of runs.
type budget struct{ games, repeats int }

// Run checks the configuration and plays the comparison. The rows do not depend on workers.
// progress, if not nil, is called by one goroutine at a time with the numbers of games. An
// error names the wrong setting, or a program that failed.
func (a *Config) Run(ctx context.Context, workers int, progress func(played, planned int64)) (r *Result, err error) {
	c, err := a.comparison()
	if err != nil {
		return nil, err
	}
	budgets, err := a.budgets()
	if err != nil {
		return nil, err
	}
	defer c.close()
	if err := a.start(ctx, c); err != nil {
		return nil, err
	}
	c.workers = workers
	r = &Result{Config: a}
	r.Names = text.Each(c.problems, func(p problem.Problem) string { return p.Name })
	r.Methods = text.Each(c.candidates, func(m candidate) string { return m.name })
	return r, r.play(ctx, c, budgets, progress)
}

// start adds the programs. Their processes end with the context or with close.
func (a *Config) start(ctx context.Context, c *comparison) error {
	for _, text := range a.Programs {
		p, err := newProgram(text)
		if err == nil {
			c.programs = append(c.programs, p)
			err = c.add(candidate{p.name, p.tuner(ctx)})
		}
		if err != nil {
			return config.Wrap("program", err)
		}
	}
	return nil
}

// play adds the rows of every budget.
func (r *Result) play(ctx context.Context, c *comparison, budgets []budget, progress func(played, planned int64)) error {
	planned := int64(0)
	for _, b := range budgets {
		c.games, c.repeats = b.games, b.repeats
		planned += c.all()
	}
	before := int64(0)
	for _, b := range budgets {
		c.games, c.repeats = b.games, b.repeats
		if progress != nil {
			c.progress = func(played int64) { progress(before+played, planned) }
		}
		rows, err := c.compare(ctx)
		if err != nil {
			return err
		}
		r.Games, r.Rows = append(r.Games, b.games), append(r.Rows, rows...)
		before += c.all()
	}
	return nil
}

// comparison returns the settings that all budgets share.
func (a *Config) comparison() (*comparison, error) {
	c := &comparison{starts: a.starts(), seed: a.Seed}
	var err error
	if c.problems, err = a.problems(); err != nil {
		return nil, err
	}
	methods := a.Methods
	if len(methods)+len(a.Programs) == 0 {
		methods = defaultMethods
	}
	for _, words := range methods {
		tuner, err := tuning.ParseMethod(words)
		if err != nil {
			return nil, err
		}
		name := strings.Join(strings.Fields(words), " ")
		if err := c.add(candidate{name, tuner}); err != nil {
			return nil, config.Wrap("method", err)
		}
	}
	return c, nil
}

// budgets reads the numbers of games and of repeats.
func (a *Config) budgets() (list []budget, err error) {
	texts := a.Games
	if len(texts) == 0 {
		texts = config.Names{"1000", "10000"}
	}
	for _, text := range texts {
		games, repeats, named := strings.Cut(text, ":")
		b := budget{repeats: a.Repeats}
		if b.games, err = strconv.Atoi(games); err != nil || b.games < 2 || b.games%2 != 0 || b.games > maxGames {
			return nil, config.Errorf("games", "%q: want even whole numbers from 2 to %d", text, maxGames)
		}
		field := "repeats"
		if named {
			field = "games"
			b.repeats, err = strconv.Atoi(repeats)
		}
		switch {
		case err != nil || b.repeats < 2 || b.repeats > maxRepeats:
			return nil, config.Errorf(field, "%s: want from 2 repeats, for an interval, to %d", cmp.Or(repeats, strconv.Itoa(b.repeats)), maxRepeats)
		case slices.ContainsFunc(list, func(c budget) bool { return c.games == b.games }):
			return nil, config.Errorf("games", "%d: given twice", b.games)
		}
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b budget) int { return cmp.Compare(a.games, b.games) })
	return list, nil
}

// problems returns problems by name or group.
func (c *Config) problems() (list []problem.Problem, err error) {
	names := c.Problems
	if len(names) == 0 {
		names = config.Names{"clop"}
	}
	for _, name := range names {
		var more []problem.Problem
		switch strings.ToUpper(name) {
		case "CLOP":
			more = problem.All()
		case "OTHERS":
			more = problem.Others()
		case "ENGINES":
			more = problem.Engines(1)
		default:
			p, err := problem.Named(strings.ToUpper(name))
			if err != nil {
				return nil, config.Wrap("problem", err)
			}
			more = []problem.Problem{p}
		}
		for _, p := range more {
			if slices.ContainsFunc(list, func(q problem.Problem) bool { return q.Name == p.Name }) {
				return nil, config.Errorf("problem", "%q: two problems are named %s", name, p.Name)
			}
			list = append(list, p)
		}
	}
	return list, nil
}

// z95 is the normal quantile of a 95 % interval, for the mean of many rows.
var z95 = math.Sqrt2 * math.Erfinv(.95)

// row returns a row; nil if there is none. CLOP's rows come from clopRegret.
func (r *Result) row(name, method string, games int) *Row {
	if i := slices.IndexFunc(r.Rows, func(b Row) bool { return b.Problem == name && b.Tuner == method && b.Games == games }); i >= 0 {
		return &r.Rows[i]
	}
	if x, ok := clopRegret(name, games); ok && method == clopName && !r.Config.RandomStarts {
		row := &Row{Problem: name, Tuner: clopName, Games: games, Regret: x, SE: x * clopError}
		for _, m := range r.Methods {
			if own := r.row(name, m, games); own != nil {
				row.Start = own.Start
			}
		}
		return row
	}
	return nil
}

// columns returns the methods, and CLOP if it has a row on any of the problems.
func (r *Result) columns() []string {
	for _, games := range r.Games {
		if len(r.rows(clopName, games)) > 0 {
			return append(slices.Clone(r.Methods), clopName)
		}
	}
	return r.Methods
}

// columnsAt returns the columns with a row at a budget.
func (r *Result) columnsAt(games int) []string {
	return slices.DeleteFunc(slices.Clone(r.columns()), func(method string) bool { return len(r.rows(method, games)) == 0 })
}

// rows returns a method's rows at a budget, by problem.
func (r *Result) rows(method string, games int) (list []Row) {
	for _, name := range r.Names {
		if row := r.row(name, method, games); row != nil {
			list = append(list, *row)
		}
	}
	return list
}

// meanOf returns a method's geometric mean over all problems at a budget, with its 95 %
// interval. ok is false if a problem has no row, or a regret is 0.
func (r *Result) meanOf(method string, games int) (mean, low, high float64, ok bool) {
	rows := r.rows(method, games)
	log, se := logMean(rows, method, games)
	return math.Exp(log), math.Exp(log - z95*se), math.Exp(log + z95*se), len(rows) == len(r.Names) && !math.IsInf(log, 0)
}

// repeats returns text on the number of repeats of each run at a budget.
func (r *Result) repeats(games int) string {
	low, high := math.MaxInt, 0
	for _, row := range r.Rows {
		if row.Games == games {
			low, high = min(low, row.Repeats), max(high, row.Repeats)
		}
	}
	if low < high {
		return fmt.Sprintf("%d to %s", low, text.Plural(high, "repeat"))
	}
	return text.Plural(high, "repeat")
}
