package tuning

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/params"
	"selfplaylab/params/quadratic"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// around fits a quadratic to trials of any tuner, around a vector and as far as
// those of reach.
func around(c *History, centre params.Vector, list []Trial, reach ...params.Vector) (*known, error) {
	var trials []params.Trial
	var scores []params.Score
	for i := range list {
		t := &list[i]
		trials = append(trials, params.Trial{ID: i, A: t.A, B: t.B, Pairs: t.Pairs.N()})
		scores = append(scores, t.score())
	}
	model, err := quadratic.Around(quadratic.Settings{Space: c.Space(), Start: c.Start, Active: c.indices()}, centre, trials, scores, reach...)
	if err != nil {
		return nil, err
	}
	if asked := 2 * len(model.Params); len(trials) < asked {
		return nil, fmt.Errorf("%s for %s of slopes and curvatures alone", text.Plural(len(trials), "trial"), text.Plural(asked, "unknown"))
	}
	return knownOf(c, model), nil
}

// middles are where the optimum lies by the games alone, whatever the tuner
// recommends.
func (k *known) middles() []Optimum {
	list := k.optima()
	for i, o := range list {
		list[i].Value, _ = k.model.Middle(o.Param)
	}
	return list
}

// foundMiddles says how they were found.
func (k *known) foundMiddles() string {
	return fmt.Sprintf("Best by its games: where a quadratic with cross terms, fitted to the later half of the trials, puts the optimum: its median, and what holds it with %s probability, the other parameters as tuned. "+
		"The interval of a parameter that hardly matters has most of what is allowed; one beside which the tuned value lies says that the run had not settled.", text.Level(k.Level))
}

const (
	maxTogether = 6  // parameters that are shown two by two
	pairPoints  = 15 // of a side of a surface
	pairTried   = 40 // trials shown in each
	// atBound is from where on too much of what is possible lies at the end of a
	// range for an ellipse to describe it.
	atBound = 0.1
)

// pairs shows the parameters that matter most two by two; ok is false where there
// are no two that trials moved.
func (k *known) pairs() (plot reports.Plot, ok bool) {
	var shown []quadratic.ParamModel
	fig := figure.Pairs{
		Title: "The parameters two by two", Label: "Elo", BestLabel: "tuned", ReferenceLabel: "start",
		Subtitle: "Elo relative to the tuned values, by the fit; above the diagonal what a step of both gains beyond each alone",
	}
	for _, p := range k.mattering() {
		if axis, ok := k.pairAxis(p); ok {
			fig.Axes, shown = append(fig.Axes, axis), append(shown, p)
		}
	}
	if len(shown) < 2 {
		return plot, false
	}
	regions := false
	for j := range shown {
		for i := range j {
			pair := k.pair(fig.Axes, shown, i, j)
			regions = regions || pair.Ellipse != nil
			fig.Pairs = append(fig.Pairs, pair)
		}
	}
	caption := "On the diagonal each parameter alone, with its band; below it each two, all others as tuned, where the last trials were played."
	if regions {
		caption += fmt.Sprintf(" The ellipses hold the optimum of the two with %s probability under the model; one that leans says that the two are to be changed together.", text.Level(k.Level))
	}
	return reports.Plot{Name: "pairs", Figure: fig, Caption: caption}, true
}

// mattering are the parameters to show two by two: those that matter most, in the
// order of what they are worth.
func (k *known) mattering() []quadratic.ParamModel {
	list := k.ranked()
	return list[:min(len(list), maxTogether)]
}

// pairAxis is a parameter with the strength along it; ok is false where no trial
// moved it.
func (k *known) pairAxis(p quadratic.ParamModel) (a figure.PairAxis, ok bool) {
	param := k.Space()[p.Index]
	values := k.values(p, pairPoints)
	if len(values) < 2 || !increasing(values) {
		return a, false
	}
	first, last := values[0], values[len(values)-1]
	best := min(max(k.model.Best[p.Index], first), last)
	a = figure.PairAxis{Name: p.Name, Log: param.Log, Values: values, Best: &best}
	if start := k.Start[p.Index]; start >= first && start <= last {
		a.Reference = &start
	}
	for _, x := range k.values(p, curvePoints) {
		a.Line = append(a.Line, k.interval(k.model.Elo(k.with(p.Index, x))).point(x))
	}
	return a, true
}

// increasing reports whether each value is above the one before it.
func increasing(values []float64) bool {
	for i := range values[1:] {
		if !(values[i+1] > values[i]) {
			return false
		}
	}
	return true
}

// pair is what is known about two of the parameters shown.
func (k *known) pair(axes []figure.PairAxis, shown []quadratic.ParamModel, i, j int) figure.Pair {
	a, b := shown[i], shown[j]
	p := figure.Pair{First: i, Second: j, Ellipse: k.region(a.Index, b.Index)}
	v := k.model.Best.Clone()
	for _, y := range axes[j].Values {
		var row []float64
		v[b.Index] = y
		for _, x := range axes[i].Values {
			v[a.Index] = x
			row = append(row, k.interval(k.model.Elo(v)).Elo)
		}
		p.Surface = append(p.Surface, row)
	}
	for _, t := range k.Trials[max(0, len(k.Trials)-pairTried/2):] {
		for _, v := range []params.Vector{t.A, t.B} {
			p.Points = append(p.Points, figure.Place{X: v[a.Index], Y: v[b.Index]})
		}
	}
	if n := slices.IndexFunc(k.model.Cross, func(c quadratic.CrossModel) bool {
		return c.Index == [2]int{a.Index, b.Index} || c.Index == [2]int{b.Index, a.Index}
	}); n >= 0 {
		p.Note = strings.ReplaceAll(k.text(k.model.Cross[n].Elo), "-", "−")
	}
	return p
}

// region is where the optimum of two parameters lies, all others as tuned; nil
// where that is no ellipse.
func (k *known) region(first, second int) *figure.Ellipse {
	r, ok := k.model.Region(first, second)
	if !ok || r.AtBound > atBound || !(r.XX > 0 && r.YY > 0) || math.Abs(r.Correlation()) > 0.999 {
		return nil
	}
	a, b := k.Space()[first], k.Space()[second]
	x, sx := inUnits(a, r.First)
	y, sy := inUnits(b, r.Second)
	return &figure.Ellipse{
		X: x, Y: y, XX: r.XX * sx * sx, XY: r.XY * sx * sy, YY: r.YY * sy * sy,
		Radius: math.Sqrt(-2 * math.Log(1-k.Level)), Label: text.Level(k.Level) + " region of the optimum",
	}
}

// inUnits is a coordinate as a value, with the length of a step: of its natural
// logarithm where that is tuned.
func inUnits(p params.Param, u float64) (value, step float64) {
	step = p.Step
	if !(step > 0) {
		step = 1 // as params.Param.Coordinate has it
	}
	if p.Log {
		return math.Exp(u * step), step
	}
	return u * step, step
}
