package analysis

import (
	"fmt"
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

// NotKnown returns the section where there is no fit, and why.
func NotKnown(err error) reports.Section {
	return reports.Section{Title: ImportanceTitle, Blocks: []reports.Block{reports.Text(fmt.Sprintf("Not known from this run: %v.", err))}}
}

// Importance shows the worth of each parameter. The table lists parameters that the games show to
// matter.
func (f *fit) Importance() reports.Section {
	a := f.Analysis()
	fig := figure.Bars{
		Title: "Elo lost one step away from the tuned value",
		Subtitle: fmt.Sprintf("by a quadratic with cross terms, fitted to %s near the tuned values; %s intervals", text.Plural(a.Games, "game"),
			text.Level(a.Level)),
		XLabel: "Elo",
	}
	table := reports.Table{Columns: reports.Columns("parameter", ">tuned", ">one step", ">loss one step away (Elo)",
		">gain left (Elo a step)")}
	var flat []string
	for _, w := range a.Importance {
		fig.Bars = append(fig.Bars, figure.Bar{Name: w.Parameter, Value: w.Loss.Elo, Lo: w.Loss.Low, Hi: w.Loss.High, Strong: w.Loss.Shown})
		if !w.Loss.Shown {
			flat = append(flat, w.Parameter)
			continue
		}
		row := []string{"`" + w.Parameter + "`", text.Figures(w.Tuned, 4), w.Step, w.Loss.String(), w.Slope.String()}
		table.Rows = append(table.Rows, row)
	}
	section := reports.Section{Title: ImportanceTitle, Blocks: f.unitNote()}
	add := func(blocks ...reports.Block) { section.Blocks = append(section.Blocks, blocks...) }
	add(reports.Note("One quadratic in all parameters is fitted to the games near the tuned values. Without further games it estimates the " +
		"loss of one step away from each tuned value, averaged over both directions, and the gain left for one step up. A parameter " +
		"is shown to matter if the interval of its loss lies above 0."))
	if len(fig.Bars) > 0 {
		add(reports.Plot{Name: "effects", Figure: fig}, reports.Note("Parameters far to the right are sensitive: keep their values. Around zero, "+
			"these games do not show that the parameter matters. The intervals assume that strength is quadratic."))
	}
	if len(table.Rows) > 0 {
		add(table)
	}
	if len(flat) > 0 {
		add(reports.Text("Not shown to matter near the tuned values: " + code(flat) + "."))
	}
	if len(a.Idle) > 0 {
		add(reports.Text("No tested step of these changed a decision: " + code(a.Idle) + "."))
	}
	for _, g := range a.Scales {
		if g.Declared {
			add(reports.Text("The game declares that only the ratios of " + code(g.Parameters) +
				" matter, so their common scale moved by chance."))
		}
	}
	return section
}

// code sets names as code.
func code(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
