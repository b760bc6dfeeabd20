package tuners

import (
	"context"
	"fmt"
	"math"
	"slices"

	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/params/problem"
	"selfplaylab/params/quadratic"
	"selfplaylab/reports/text"
)

// examRow sums up the repeats of a method on a problem of the exam, in Elo over the start.
type examRow struct {
	Problem, Method string
	Games, Repeats  int
	ToGain          float64 // gained by the optimum
	Mean, SE        float64 // of the Elo gained
	Low, Least      float64 // 5th percentile, and minimum
	Below           int     // repeats more than tolerance below the start
	BelowShown      int     // such repeats, if the start is kept unless the tuning's own games show a gain
	BelowVerified   int     // such repeats, if the start is kept unless a verification shows a gain
	Claims          claims
}

// tolerance is the Elo below the start from which a result counts as harm.
const tolerance = 1

// Claims of a model whose intervals are compared with the truth.
const (
	claimGain       = iota // of the recommendation over the start
	claimPlayed            // the same, by the games between both
	claimLossShown         // of a loss by a step, where the interval of the step is above 0
	claimCrossShown        // that each of the interactions marked as shown has its sign
	claimLoss              // of a step away from the recommendation
	claimCross
	claimBest // best value of a parameter, with all others as recommended
	numClaims
)

var claimNames = [numClaims]string{"gain", "played", "loss shown", "inter. shown", "a step", "interaction", "best value"}

// claims counts 95 % intervals that contain the truth.
type claims [numClaims]struct{ held, of int }

// add counts an interval for claim k; held says that it contains the truth.
func (c *claims) add(k int, held bool) {
	c[k].of++
	if held {
		c[k].held++
	}
}

// plus adds the counts of other.
func (c *claims) plus(other *claims) {
	for k, claim := range other {
		c[k].held, c[k].of = c[k].held+claim.held, c[k].of+claim.of
	}
}

func (c *claims) estimate(k int, e quadratic.Estimate, truth float64) {
	c.add(k, math.Abs(e.Value-truth) <= z95*e.SE+1e-9)
}

// examRun is one repeat.
type examRun struct {
	gain     float64
	shown    float64 // Elo gained if the tuning's own games decide
	verified float64 // Elo gained if a verification decides
	claims   claims
}

// Exam plays the methods on the problems of the exam, or on the named ones, and returns a table
// for each budget. Tables do not depend on the number of workers.
func (a *Config) Exam(ctx context.Context, workers int) (tables []text.Table, err error) {
	c, err := a.comparison()
	if err != nil {
		return nil, err
	}
	budgets, err := a.budgets()
	if err != nil {
		return nil, err
	}
	if c.workers = workers; a.RandomStarts {
		return nil, config.Errorf("random_starts", "the exam has its own starts")
	}
	if len(a.Problems) == 0 {
		c.problems = append(problem.Exam(a.Seed), problem.Engines(a.Seed)...)
	}
	defer c.close()
	if err := a.start(ctx, c); err != nil {
		return nil, err
	}
	for _, b := range budgets {
		c.games, c.repeats = b.games, b.repeats
		rows, err := c.exam(ctx)
		if err != nil {
			return nil, err
		}
		if tables = append(tables, examTable(rows)); len(c.candidates) > 1 {
			tables = append(tables, lostTable(rows))
		}
	}
	return tables, nil
}

// exam returns a row for every problem and candidate.
func (c *comparison) exam(ctx context.Context) ([]examRow, error) {
	return collect(ctx, c, c.examined, c.examRow)
}

// examined plays one repeat.
func (c *comparison) examined(ctx context.Context, r run) (e examRun, err error) {
	tuner, err := c.tune(ctx, r)
	if err != nil {
		return e, err
	}
	p := &c.problems[r.problem]
	best := tuner.Recommend()
	e.gain = p.Elo(best, p.Start)
	if c.verified(p, r, best) {
		e.verified = e.gain
	}
	q, ok := tuner.(*quadratic.Tuner)
	if !ok {
		e.shown = e.gain // games of the other methods do not decide
		return e, nil
	}
	if q.Standing().Reliable {
		e.shown = e.gain
	}
	e.claims, err = coverage(p, q, c.tunerSeed(r))
	return e, err
}

// verifyShare is the part of the tuning's pairs that a verification has by default: one in this
// number.
const verifyShare = 3

// verified reports whether fresh games show that a point beats the start, at a level of 95 %.
func (c *comparison) verified(p *problem.Problem, r run, best params.Vector) bool {
	pairs := max(c.games/2/verifyShare, 1)
	s := p.Play(params.Trial{A: best, B: p.Start, Pairs: pairs}, c.random("verify", r.problem, r.repeat))
	return s.Mean()-.5 > z95*math.Sqrt(s.Variance()/float64(pairs))
}

// examRow sums up the repeats of a candidate on a problem.
func (c *comparison) examRow(r run, runs []examRun) examRow {
	p := &c.problems[r.problem]
	row := examRow{Problem: p.Name, Method: c.candidates[r.candidate].name, Games: c.games, Repeats: c.repeats,
		ToGain: p.Elo(p.Optimum, p.Start)}
	var gains []float64
	for _, r := range runs {
		gains = append(gains, r.gain)
		if r.gain < -tolerance {
			row.Below++
		}
		if r.shown < -tolerance {
			row.BelowShown++
		}
		if r.verified < -tolerance {
			row.BelowVerified++
		}
		row.Claims.plus(&r.claims)
	}
	row.Mean, row.SE = mean(gains)
	slices.Sort(gains)
	row.Least, row.Low = gains[0], gains[len(gains)/20]
	return row
}

// coverage compares the claims of a tuner's model with the truth; seed is the tuner's.
func coverage(p *problem.Problem, t *quadratic.Tuner, seed uint64) (c claims, err error) {
	if len(p.Space) > quadratic.MaxFit { // there are no claims
		return c, nil
	}
	m, err := t.Model(seed)
	if err != nil {
		return c, err
	}
	elo := func(v params.Vector) float64 { return p.Elo(v, m.Best) }
	step := func(v params.Vector, i int, by float64) params.Vector {
		v = v.Clone()
		v[i] = p.Space[i].Value(p.Space[i].Coordinate(v[i]) + by)
		return v
	}
	s := t.Standing()
	if s.PlayedPairs > 0 {
		c.add(claimPlayed, math.Abs(s.Played.Value+elo(p.Start)) <= quadratic.ShownAnyTime*s.Played.SE)
	}
	if !s.Far && !s.Few { // otherwise no gain is claimed
		c.add(claimGain, s.Gain.Value-z95*s.Gain.SE <= -elo(p.Start) && -elo(p.Start) <= s.High)
	}
	var shown []quadratic.Estimate
	var truths []float64
	for _, q := range m.Params {
		up, down := elo(step(m.Best, q.Index, 1)), elo(step(m.Best, q.Index, -1))
		c.estimate(claimLoss, q.Loss, -(up+down)/2)
		if q.Loss.Value > z95*q.Loss.SE {
			c.add(claimLossShown, up+down < 0)
		}
		c.add(claimBest, holdsBest(p, m.Best, q))
	}
	for _, x := range m.Cross {
		a, b := step(m.Best, x.Index[0], 1), step(m.Best, x.Index[1], 1)
		truth := elo(step(a, x.Index[1], 1)) - elo(a) - elo(b)
		c.estimate(claimCross, x.Elo, truth)
		shown, truths = append(shown, x.Elo), append(truths, truth)
	}
	right := true
	for k, ok := range quadratic.Shown(shown, len(m.Params)*(len(m.Params)-1)/2, 0.95) {
		right = right && (!ok || shown[k].Value*truths[k] > 1e-9)
	}
	c.add(claimCrossShown, right)
	return c, nil
}

// holdsBest reports whether a parameter's interval contains its best value, or a point of a
// grid next to it.
func holdsBest(p *problem.Problem, best params.Vector, q quadratic.ParamModel) bool {
	const points = 400
	v, s := best.Clone(), p.Space[q.Index]
	lo, hi := s.Bounds()
	top, where := math.Inf(-1), 0.0
	for k := range points + 1 {
		v[q.Index] = s.Clip(s.Value(lo + float64((hi-lo)*float64(k)/points)))
		if x := p.Strength(v); x > top {
			top, where = x, s.Coordinate(v[q.Index])
		}
	}
	near := (hi - lo) / points
	return s.Coordinate(q.Low)-near <= where && where <= s.Coordinate(q.High)+near
}

// examTable returns rows as a table, with all rows of each method combined.
func examTable(rows []examRow) text.Table {
	t := text.Table{append([]string{"problem", "method", "games", "repeats", "to gain", "gained", "5 %", "least",
		"below start", "by own games", "verified"}, claimNames[:]...)}
	var methods []string
	all := map[string]*examRow{}
	for _, r := range rows {
		t = append(t, slices.Concat([]string{r.Problem, r.Method, text.Count(r.Games), fmt.Sprint(r.Repeats), fmt.Sprintf("%.1f", r.ToGain),
			text.PlusMinus(r.Mean, z95*r.SE, 1), text.Signed(r.Low, 1), text.Signed(r.Least, 1)}, r.counts()))
		if all[r.Method] == nil {
			methods, all[r.Method] = append(methods, r.Method), &examRow{Problem: "all", Method: r.Method, Games: r.Games, Least: math.Inf(1)}
		}
		all[r.Method].add(&r)
	}
	for _, m := range methods {
		r, problems := all[m], float64(len(rows)/len(methods))
		t = append(t, slices.Concat([]string{r.Problem, m, text.Count(r.Games), text.Count(r.Repeats), fmt.Sprintf("%.1f", r.ToGain/problems),
			text.PlusMinus(r.Mean/problems, z95*r.SE/problems, 1), "", text.Signed(r.Least, 1)}, r.counts()))
	}
	return t
}

// lostTable lists the rows whose mean gain is above that of the first method on the same problem
// by shownErrors standard errors of the difference or more.
func lostTable(rows []examRow) text.Table {
	t := text.Table{{"lost by " + rows[0].Method, "to", "games", "its gain", "of " + rows[0].Method, "standard errors"}}
	var first examRow
	for _, r := range rows {
		if r.Method == rows[0].Method {
			first = r
		}
		if errors := (r.Mean - first.Mean) / math.Hypot(r.SE, first.SE); errors >= shownErrors {
			t = append(t, []string{r.Problem, r.Method, text.Count(r.Games), text.Signed(r.Mean, 1), text.Signed(first.Mean, 1),
				fmt.Sprintf("%.1f", errors)})
		}
	}
	if len(t) == 1 {
		t = append(t, []string{"nothing"})
	}
	return t
}

// add counts another row's repeats, and adds its means.
func (e *examRow) add(other *examRow) {
	e.ToGain, e.Mean, e.SE = e.ToGain+other.ToGain, e.Mean+other.Mean, math.Hypot(e.SE, other.SE)
	e.Repeats, e.Least = e.Repeats+other.Repeats, min(e.Least, other.Least)
	e.Below, e.BelowShown, e.BelowVerified = e.Below+other.Below, e.BelowShown+other.BelowShown, e.BelowVerified+other.BelowVerified
	e.Claims.plus(&other.Claims)
}

func (e *examRow) counts() []string {
	return append([]string{fmt.Sprint(e.Below), fmt.Sprint(e.BelowShown), fmt.Sprint(e.BelowVerified)}, e.Claims.shares()...)
}

// shares returns the percentages of intervals that contain the truth.
func (c *claims) shares() (list []string) {
	for _, claim := range c {
		share := "-"
		if claim.of > 0 {
			share = fmt.Sprintf("%.0f %%", 100*float64(claim.held)/float64(claim.of))
		}
		list = append(list, share)
	}
	return list
}
