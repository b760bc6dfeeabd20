package analysis

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

// Interactions shows which parameters depend on each other; ok is false for a model
// without cross terms.
func (f *fit) Interactions() (section reports.Section, ok bool) {
	a := f.Analysis()
	if len(a.Interactions) == 0 {
		return section, false
	}
	table := reports.Table{Columns: reports.Columns("parameters", ">a step of both, beyond the sum of each alone (Elo)",
		"reading")}
	for _, c := range a.Interactions {
		if !c.Shown {
			continue
		}
		reading := "best changed in the same direction"
		if c.Elo < 0 {
			reading = "best changed in opposite directions"
		}
		table.Rows = append(table.Rows, []string{fmt.Sprintf("`%s` and `%s`", c.Parameters[0], c.Parameters[1]), c.String(), reading})
	}
	section = reports.Section{Title: interactionsTitle, Blocks: []reports.Block{
		reports.Note(fmt.Sprintf("The cross terms of the quadratic, one for each of %s, each with its %s interval.",
			text.Plural(a.pairs(), "pair")+" of parameters", text.Level(a.Level))),
	}}
	section.Blocks = append(section.Blocks, f.pairPlot()...)
	if len(table.Rows) > 0 {
		table.Caption = "Those shown to differ from zero, allowing for their number (Holm 1979), the most certain first; at most " +
			text.Count(maxInteractions) + "."
		section.Blocks = append(section.Blocks, table)
	} else {
		section.Blocks = append(section.Blocks, reports.Text("None of them is shown to differ from zero, allowing for their number (Holm 1979)."))
	}
	if block, ok := a.ratioNote(); ok {
		section.Blocks = append(section.Blocks, block)
	}
	return section, true
}

// ratioNote names groups that act only by their ratios by the games, though the game
// declares nothing; ok is false where there are none.
func (a *Analysis) ratioNote() (block reports.Block, ok bool) {
	var parts []string
	for _, g := range a.Scales {
		if g.Declared {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s act only by their ratios: increasing all by a tenth costs %s %s, increasing each alone "+
			"%s in sum. Their common scale is decided by chance.", code(g.Parameters), g.Together, a.Unit, g.Alone))
	}
	return reports.Text("By the fit, " + strings.Join(parts, " ")), len(parts) > 0
}

// pairPlot shows the parameters that matter most two by two. It returns nil where trials
// moved fewer than two.
func (f *fit) pairPlot() []reports.Block {
	var shown []quadratic.ParamModel
	fig := figure.Pairs{
		Title: "The parameters two by two", Label: "Elo", BestLabel: "tuned", ReferenceLabel: "start",
		Subtitle: "Elo relative to the tuned values, by the fit; above the diagonal the gain of a step of " +
			"both beyond the sum of each alone",
	}
	for _, p := range f.mostImportant() {
		if axis, ok := f.pairAxis(p); ok {
			fig.Axes, shown = append(fig.Axes, axis), append(shown, p)
		}
	}
	if len(shown) < 2 {
		return nil
	}
	regions := false
	for j := range shown {
		for i := range j {
			pair := f.pair(fig.Axes, shown, i, j)
			regions = regions || pair.Ellipse != nil
			fig.Pairs = append(fig.Pairs, pair)
		}
	}
	note := "The diagonal shows each parameter alone, with its band; below it are all pairs, the others as tuned, in the region of the " +
		"last trials."
	if regions {
		note += fmt.Sprintf(" The ellipses contain the optimum of the two with %s probability under the model; a tilted ellipse means "+
			"that the two should change together.", text.Level(f.Level))
	}
	return []reports.Block{reports.Plot{Name: "pairs", Figure: fig}, reports.Note(note)}
}

// pairAxis returns a parameter with the strength along it; ok is false where no trial
// moved it.
func (f *fit) pairAxis(p quadratic.ParamModel) (a figure.PairAxis, ok bool) {
	line := f.Analysis().along(p.Name)
	for _, q := range line {
		a.Values = append(a.Values, q.X)
	}
	if len(line) < 2 || !increasing(a.Values) {
		return a, false
	}
	first, last := a.Values[0], a.Values[len(a.Values)-1]
	best := min(max(f.model.Best[p.Index], first), last)
	a.Name, a.Log, a.Line, a.Best = p.Name, f.Space()[p.Index].Log, line, &best
	if start := f.Start[p.Index]; start >= first && start <= last {
		a.Reference = &start
	}
	return a, true
}

// along returns the slice of a parameter in a figure; nil for none.
func (a *Analysis) along(parameter string) (line []figure.Point) {
	for _, slice := range a.Slices {
		for _, p := range slice.Points {
			if slice.Parameter == parameter {
				line = append(line, p.point(p.Value))
			}
		}
	}
	return line
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

// pair returns the surface and the trials of two of the parameters shown.
func (f *fit) pair(axes []figure.PairAxis, shown []quadratic.ParamModel, i, j int) figure.Pair {
	a, b := shown[i], shown[j]
	p := figure.Pair{First: i, Second: j, Ellipse: f.ellipse(a, b)}
	v := f.model.Best.Clone()
	for _, y := range axes[j].Values {
		var row []float64
		v[b.Index] = y
		for _, x := range axes[i].Values {
			v[a.Index] = x
			row = append(row, f.interval(quadratic.Estimate{Value: f.model.Value(v)}).Elo)
		}
		p.Surface = append(p.Surface, row)
	}
	for _, t := range f.Trials[max(0, len(f.Trials)-pairTried/2):] {
		for _, v := range []params.Vector{t.A, t.B} {
			p.Points = append(p.Points, figure.Place{X: v[a.Index], Y: v[b.Index]})
		}
	}
	if n := slices.IndexFunc(f.model.Cross, func(c quadratic.CrossModel) bool {
		return c.Index == [2]int{a.Index, b.Index} || c.Index == [2]int{b.Index, a.Index}
	}); n >= 0 {
		p.Note = strings.ReplaceAll(f.interval(f.model.Cross[n].Elo).String(), "-", "−")
	}
	return p
}

// ellipse is where the optimum of two parameters lies, all others as tuned; nil where
// that is no ellipse.
func (f *fit) ellipse(a, b quadratic.ParamModel) *figure.Ellipse {
	regions := f.Analysis().Regions
	i := slices.IndexFunc(regions, func(r region) bool { return r.Parameters == [2]string{a.Name, b.Name} })
	if i < 0 {
		return nil
	}
	r := regions[i]
	_, sx := inUnits(f.Space()[a.Index], 0)
	_, sy := inUnits(f.Space()[b.Index], 0)
	dx, dy := r.Deviations[0]*sx, r.Deviations[1]*sy
	if r.AtBound > atBound || !(dx > 0 && dy > 0) || math.Abs(r.Correlation) > 0.999 {
		return nil
	}
	return &figure.Ellipse{
		X: r.Middle[0], Y: r.Middle[1], XX: dx * dx, XY: r.Correlation * dx * dy, YY: dy * dy,
		Radius: math.Sqrt(-2 * math.Log(1-f.Level)), Label: text.Level(f.Level) + " region of the optimum",
	}
}
