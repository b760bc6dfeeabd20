package analysis

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// ImportanceTitle is the title of the section.
const ImportanceTitle = "Importance"

const (
	curveTitle        = "The fitted curve"
	interactionsTitle = "Interactions"
)

// OfStrength reports whether a section shows a fitted strength, in Elo.
func OfStrength(s reports.Section) bool {
	return slices.Contains([]string{ImportanceTitle, curveTitle, interactionsTitle, gainTitle}, s.Title)
}

// NotKnown is the section where there is no fit, and why.
func NotKnown(err error) reports.Section {
	return reports.Section{Title: ImportanceTitle, Blocks: []reports.Block{reports.Text(fmt.Sprintf("Not known from this run: %v.", err))}}
}

// importance shows what each parameter is worth.
func (f *Fit) Importance() reports.Section {
	level := text.Level(f.Level)
	fig := figure.Bars{
		Title: "Elo lost one step away from the tuned value",
		Subtitle: fmt.Sprintf("by a quadratic with cross terms, fitted to %s near the tuned values; %s intervals",
			text.Plural(int64(f.model.Games), "game"), level),
		XLabel: "Elo",
	}
	table := reports.Table{Columns: []reports.Column{
		{Name: "parameter"}, {Name: "tuned", Right: true}, {Name: "one step", Right: true}, {Name: "loss one step away (Elo)", Right: true},
		{Name: "gain left (Elo a step)", Right: true},
	}}
	var flat []string
	for _, p := range f.ranked() {
		param := f.Space()[p.Index]
		loss := f.interval(p.Loss)
		fig.Bars = append(fig.Bars, figure.Bar{Name: p.Name, Value: loss.Elo, Lo: loss.Low, Hi: loss.High, Strong: p.Loss.Value > 0 &&
			f.sure(p.Loss)})
		table.Rows = append(table.Rows, []string{"`" + p.Name + "`", fmt.Sprintf("%.4g", p.Best), param.StepText(), f.text(p.Loss), f.text(p.Slope)})
		if !f.sure(p.Loss) && !f.sure(p.Slope) {
			flat = append(flat, "`"+p.Name+"`")
		}
	}
	section := reports.Section{Title: ImportanceTitle, Blocks: append(f.marginNote(),
		reports.Text("One quadratic in all parameters is fitted to the games near the tuned values. Without further games it estimates the "+
			"loss of one step away from each tuned value, averaged over both directions, and the gain left for one step up."),
		reports.Plot{Name: "effects",
			Caption: "Parameters far to the right are sensitive: keep their values. Around zero, these games do not show that the parameter " +
				"matters. The intervals assume that strength is quadratic.", Figure: fig},
		table,
	)}
	if len(flat) > 0 {
		section.Blocks = append(section.Blocks,
			reports.Text("Neither slope nor curvature was shown near the tuned values: "+strings.Join(flat, ", ")+"."))
	}
	for _, g := range f.model.Scales {
		switch names := "`" + strings.Join(g.Names, "`, `") + "`"; {
		case g.Held:
			section.Blocks = append(section.Blocks, reports.Text("Only the ratios of "+names+" matter; their common scale was held."))
		case g.Declared:
			section.Blocks = append(section.Blocks,
				reports.Text("The game declares that only the ratios of "+
					""+names+" matter. This method does not hold their common scale, so it moved by chance."))
		}
	}
	return section
}
