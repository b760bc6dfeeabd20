package analysis

import (
	"slices"

	"selfplaylab/params"
	"selfplaylab/params/quadratic"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

const (
	maxCurves   = 3  // parameters that are shown alone
	curvePoints = 41 // of a curve
	gridPoints  = 25 // of a side of a surface
	maxTried    = 200
)

// Surfaces shows the surface along the parameters that matter most; ok is false
// where the games span nothing to show.
func (f *Fit) Surfaces() (section reports.Section, ok bool) {
	section = reports.Section{Title: surfaceTitle, Blocks: []reports.Block{
		reports.Text("Elo relative to the tuned values, by the fit, all other parameters as tuned; shown where the later half of the trials " +
			"was played. It is no measurement of its own: near the edges it says little.")}}
	list := f.ranked()
	for _, p := range list[:min(len(list), maxCurves)] {
		if block, ok := f.curve(p); ok {
			section.Blocks = append(section.Blocks, block)
		}
	}
	if block, ok := f.surface(list); ok {
		section.Blocks = append(section.Blocks, block)
	}
	return section, len(section.Blocks) > 1
}

// curve is the strength along one parameter.
func (f *Fit) curve(p quadratic.ParamModel) (reports.Block, bool) {
	param := f.Space()[p.Index]
	fig := figure.Curve{
		Title: "Elo along " + p.Name, Subtitle: "relative to the tuned value, " + param.Format(f.model.Best[p.Index]) + ", where it is 0",
		XLabel: axisName(param), YLabel: "Elo", LogX: param.Log, Level: text.Level(f.Level) + " band",
	}
	for _, x := range f.values(p, curvePoints) {
		fig.Line = append(fig.Line, f.interval(f.model.Elo(f.with(p.Index, x))).point(x))
	}
	return reports.Plot{Name: "curve-" + p.Name, Figure: fig}, len(fig.Line) > 0
}

// surface is the strength over the two parameters that surely act together or,
// where none do, over the two that matter most.
func (f *Fit) surface(ranked []quadratic.ParamModel) (reports.Block, bool) {
	if len(ranked) < 2 {
		return nil, false
	}
	a, b, why := ranked[0], ranked[1], "the two parameters that matter most"
	if len(f.model.Cross) > 0 && f.sure(f.model.Cross[0].Elo) {
		at := func(index int) quadratic.ParamModel {
			return ranked[slices.IndexFunc(ranked, func(p quadratic.ParamModel) bool { return p.Index == index })]
		}
		a, b, why = at(f.model.Cross[0].Index[0]), at(f.model.Cross[0].Index[1]), "the two parameters that most surely act together"
	}
	pa, pb, zero := f.Space()[a.Index], f.Space()[b.Index], 0.0
	fig := figure.Slice{
		Title: "Elo over " + a.Name + " and " + b.Name, Subtitle: "by the fit, relative to the tuned values; " + why,
		XLabel: axisName(pa), YLabel: axisName(pb), LogX: pa.Log, LogY: pb.Log, Label: "Elo",
		X: f.values(a, gridPoints), Y: f.values(b, gridPoints), Middle: &zero,
		Best: &figure.Place{X: f.model.Best[a.Index], Y: f.model.Best[b.Index]},
	}
	if fig.X == nil || fig.Y == nil {
		return nil, false
	}
	for _, y := range fig.Y {
		var row []float64
		v := f.with(b.Index, y)
		for _, x := range fig.X {
			v[a.Index] = x
			row = append(row, f.interval(f.model.Elo(v)).Elo)
		}
		fig.Values = append(fig.Values, row)
	}
	for i := max(len(f.Trials)/2, len(f.Trials)-maxTried/2); i < len(f.Trials); i++ {
		for _, v := range []params.Vector{f.Trials[i].A, f.Trials[i].B} {
			fig.Points = append(fig.Points, figure.Place{X: v[a.Index], Y: v[b.Index]})
		}
	}
	if x, y := f.Start[a.Index], f.Start[b.Index]; x >= fig.X[0] && x <= fig.X[gridPoints-1] && y >= fig.Y[0] && y <= fig.Y[gridPoints-1] {
		fig.Reference = &figure.Place{X: x, Y: y}
	}
	return reports.Plot{Name: "surface",
		Caption: "Rings: the last places tried. Marked: the tuned values and, where it lies inside, the start.", Figure: fig}, true
}
