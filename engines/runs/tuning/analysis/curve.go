package analysis

import (
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Curve shows the strength along the parameter of a tuning of one; ok is false where
// there are more, which Interactions shows two by two, or its trials span nothing.
func (f *fit) Curve() (section reports.Section, ok bool) {
	p := f.model.Params[0]
	param := f.Space()[p.Index]
	fig := figure.Curve{
		Title:    "Elo along " + p.Name,
		Subtitle: "relative to the tuned value, " + param.Format(f.model.Best[p.Index]) + ", where it is 0",
		XLabel:   axisName(param), YLabel: "Elo", LogX: param.Log, Level: text.Level(f.Level) + " band", Line: f.Analysis().along(p.Name),
	}
	return reports.Section{Title: curveTitle, Blocks: []reports.Block{
		reports.Note("Elo relative to the tuned value, by the fit; shown where the later half of the trials " +
			"was played. It is no measurement of " +
			"its own: near the edges it says little."),
		reports.Plot{Name: "curve", Figure: fig}}}, len(f.model.Params) == 1 && len(fig.Line) > 0
}
