package fit

import (
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// Basis returns a sentence on the games to which the weights are fitted.
func (r *Result) Basis() string {
	if r.Games == 0 {
		line := fmt.Sprintf("Fitted to %s, in %s of adjacent positions of one game or of a single one. "+
			"If positions of one game are not adjacent or not marked, errors are larger than the intervals say.", text.Plural(r.Positions, "position"), text.Plural(r.Clusters, "group"))
		if r.LeftOut > 0 {
			line += fmt.Sprintf(" Left out, because unreadable: %s.", text.Plural(r.LeftOut, "position"))
		}
		return line
	}
	line := fmt.Sprintf("Fitted to %s of %s with %s.", text.Plural(r.Positions, "position"), text.Plural(r.Games, "game"),
		text.Plural(r.Clusters, "opening"))
	if r.LeftOut > 0 {
		line += fmt.Sprintf(" Left out, because unreadable: %s.", text.Plural(r.LeftOut, "game"))
	}
	if r.Factor != 1 {
		line += fmt.Sprintf(" Only ratios of these weights matter: the start's are multiplied by %.3g here, so that whole numbers are fine "+
			"enough and no weight ends at a bound.", r.Factor)
	}
	return line
}

// HeldOut returns a sentence on how well the weights predict games to which they were not
// fitted, with an interval at level.
func (r *Result) HeldOut(level float64) string {
	verdict := "not shown to predict better than the start"
	switch {
	case r.GainLow > 0:
		verdict = "better than the start"
	case r.GainHi < 0:
		verdict = "worse than the start"
	}
	return fmt.Sprintf("Held-out games, loss in nats a position: %.4f fitted, %.4f by the start, gain %s (%s: %s, %s of %s): %s.",
		r.Fitted, r.Start, text.Signed(r.Gain, 4), text.Level(level), text.Ends(r.GainLow, r.GainHi, 4), text.Plural(r.Held, "position"),
		text.Plural(r.Apart, "opening"), verdict)
}

// columns is the heading of the table of weights.
var columns = []string{"parameter", "start", "fitted", "from", "to", ""}

// rows returns the weights as texts.
func (r *Result) rows(space params.Space) (list [][]string) {
	for _, w := range r.Weights {
		p := space[space.Index(w.Name)]
		row := []string{w.Name, text.Figures(w.Start, 4), p.Format(w.Value), text.Figures(w.Low, 4), text.Figures(w.High, 4), ""}
		switch {
		case !w.Identified:
			row[5] = "not identified"
		case w.Value == p.Min || w.Value == p.Max:
			row[5] = "at its bound"
		}
		list = append(list, row)
	}
	return list
}

// Table returns the weights as a table for a terminal, with a heading.
func (r *Result) Table(v engines.Variant) text.Table {
	return append(text.Table{columns}, r.rows(v.Game.Space)...)
}

// Section returns the fit as a part of a report.
func (r *Result) Section(v engines.Variant, level float64) reports.Section {
	table := reports.Table{Rows: r.rows(v.Game.Space)}
	for i, name := range columns {
		table.Columns = append(table.Columns, reports.Column{Name: name, Right: i > 0 && i < 5})
	}
	line := r.Basis() + " Weights with " + text.Level(level) + " intervals; all games of an opening count as one observation. " +
		"A weight that is not identified keeps its value: the games say nothing about it."
	return reports.Section{Title: "The fit", Blocks: []reports.Block{reports.Text(line), table,
		reports.Text(r.HeldOut(level) + fmt.Sprintf(" A point of the start's evaluation is worth %.4g in log-odds. A fit that predicts better need not "+
			"play better: only games show that.", r.Scale))}}
}
