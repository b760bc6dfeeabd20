package web

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
)

// chart is curves over one axis.
type chart struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	Note   string  `json:"note"` // how to read it
	XLabel string  `json:"xlabel"`
	YLabel string  `json:"ylabel"`
	Curves []curve `json:"curves"`
	Bounds []bound `json:"bounds,omitempty"`
}

// curve is a line with its points.
type curve struct {
	Name string     `json:"name"`
	X    []float64  `json:"x"`
	Y    []*float64 `json:"y"` // nil for no value
	Low  []*float64 `json:"low,omitempty"`
	High []*float64 `json:"high,omitempty"`
	N    []int      `json:"n,omitempty"` // pairs behind a point
}

// bound is a horizontal line with a meaning.
type bound struct {
	Name string  `json:"name"`
	Y    float64 `json:"y"`
}

// maxPoints bounds a curve; beyond it every second point is left out.
const maxPoints = 600

// maxCurves bounds a chart of many pairings.
const maxCurves = 24

// charts grow with the trials of a run.
type charts struct {
	runs.Charts
	level float64
	space params.Space // empty for a game that this program lacks

	parts  []*part
	faults int64 // games lost by them
}

// part is one part of the run, pair by pair.
type part struct {
	name     string
	opponent uint64 // identity of B
	pairs    rating.Pairs
	history  rating.Thin[rating.Pairs]
}

func newCharts(r *runs.Recorded) *charts {
	c := &charts{Charts: r.Charts(), level: r.Config.Conditions().Level}
	if game, err := r.Head.Game(); err == nil {
		c.space = game.Space
	}
	return c
}

// empty returns the charts without their trials.
func (c *charts) empty() *charts { return &charts{Charts: c.Charts, level: c.level, space: c.space} }

// add adds a trial that r has: pair by pair where its games are given.
func (c *charts) add(r runs.Result, f schedule.Finished) {
	row := f.Trial
	c.faults += int64(row.FaultsA) + int64(row.FaultsB)
	if p, ok := r.Part(row); ok {
		of := c.part(p.Name)
		if of == nil {
			of = &part{name: p.Name, opponent: p.Seats[1].Identity(c.space), history: rating.Thin[rating.Pairs]{Most: maxPoints}}
			c.parts = append(c.parts, of)
		}
		running := of.pairs
		of.pairs = of.pairs.Plus(row.PairCounts())
		for i := 0; i+1 < len(f.Games); i += 2 {
			running[int(2*f.Games[i].AScore)+int(2*f.Games[i+1].AScore)]++
			of.history.Add(float64(running.N()), running)
		}
		if running != of.pairs { // the order of its pairs is not known
			of.history.Add(float64(of.pairs.N()), of.pairs)
		}
	}
}

// part returns the part of a name; nil if it has no trials.
func (c *charts) part(name string) *part {
	if i := slices.IndexFunc(c.parts, func(p *part) bool { return p.name == name }); i >= 0 {
		return c.parts[i]
	}
	return nil
}

// all returns the charts of the trials so far.
func (c *charts) all() []chart {
	list := []chart{}
	if elo, ok := c.elo(); ok {
		list = append(list, elo)
	}
	if llr, ok := c.walk(); ok {
		list = append(list, llr)
	}
	return list
}

// elo returns the running difference of every part, with the band of the reports.
func (c *charts) elo() (chart, bool) {
	chart := chart{
		ID: "elo", Title: "Elo, pair by pair", XLabel: "game pairs", YLabel: "Elo difference",
		Note: fmt.Sprintf("The bands are %g %% confidence sequences: they hold at any time. "+
			"An arrow marks a band that goes on beyond the frame.", 100*c.level),
		Bounds: []bound{{"equal", 0}},
	}
	for _, p := range c.parts {
		x, history := p.history.All()
		curve := curve{Name: cmp.Or(p.name, "A against B")}
		for i, pairs := range history {
			if pairs.N() < rating.MinSequence {
				continue
			}
			e := c.Bands.Estimate(pairs)
			curve.X = append(curve.X, x[i])
			curve.Y, curve.Low, curve.High = append(curve.Y, finite(e.Elo)), append(curve.Low, finite(e.EloRange.Low)), append(curve.High, finite(e.EloRange.High))
			curve.N = append(curve.N, pairs.N())
		}
		if len(curve.X) > 0 && len(chart.Curves) < maxCurves {
			chart.Curves = append(chart.Curves, curve)
		}
	}
	return chart, len(chart.Curves) > 0
}

// walk returns the log-likelihood ratio of the sequential test between its bounds.
func (c *charts) walk() (chart, bool) {
	test, pairs := c.Test, c.question()
	if !test.Given || pairs == nil {
		return chart{}, false
	}
	chart := chart{
		ID: "test", Title: "The sequential test", XLabel: "game pairs", YLabel: "log-likelihood ratio",
		Note: test.String() + ". The test ends with the first pair at which the ratio reaches a bound.",
	}
	x, history := pairs.history.All()
	ratio := curve{Name: "log-likelihood ratio", X: x}
	low, high := curve{Name: "accept H0", X: x}, curve{Name: "accept H1", X: x}
	for _, p := range history {
		at := test.Pairs(p)
		ratio.Y, ratio.N = append(ratio.Y, finite(at.LLR)), append(ratio.N, p.N())
		low.Y, high.Y = append(low.Y, finite(at.Lower)), append(high.Y, finite(at.Upper))
	}
	chart.Curves = []curve{ratio, high, low}
	return chart, len(x) > 0
}

// question returns the part that answers the run's question; nil if it has no trials.
func (c *charts) question() *part { return c.part(c.Part) }

// finite is x, or nil if JSON cannot hold it.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
