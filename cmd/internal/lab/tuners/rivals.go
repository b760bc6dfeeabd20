package tuners

import (
	"fmt"
	"math"
	"strings"

	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// quoted returns a method's name as pages write it.
func quoted(method string) string {
	if method == clopName {
		return method
	}
	return "`" + method + "`"
}

// shownErrors is the number of standard errors by which a mean must be smaller to be called
// shown.
const shownErrors = 2

// standing returns the section on problems on which the first method does not have the smallest
// regret, and on methods that on average recommend something worse than the start.
func (r *Result) standing() reports.Section {
	t := reports.Table{Columns: reports.Columns(">games", "problem", "better", ">its regret", ">`"+r.Methods[0]+"`",
		">standard errors")}
	for _, games := range r.Games {
		for _, name := range r.Names {
			first := r.row(name, r.Methods[0], games)
			for _, method := range r.columns()[1:] {
				o := r.row(name, method, games)
				if first == nil || o == nil || !(o.Regret < first.Regret) {
					continue
				}
				errors := (first.Regret - o.Regret) / math.Hypot(first.SE, o.SE)
				if errors >= shownErrors {
					t.Strong = append(t.Strong, len(t.Rows))
				}
				t.Rows = append(t.Rows, []string{text.Count(games), name, quoted(method), number(1000 * o.Regret), number(1000 * first.Regret),
					fmt.Sprintf("%.1f", errors)})
			}
		}
	}
	s := reports.Section{Title: "Where " + r.Methods[0] + " is not the best"}
	switch {
	case len(t.Rows) == 0:
		s.Blocks = append(s.Blocks, reports.Text("Nowhere: no other mean is smaller."))
	default:
		s.Blocks = append(s.Blocks,
			reports.Text(fmt.Sprintf("Smaller means of others (x 1000). Strong: by %d standard errors of the difference or more; the rest may "+
				"be chance.", shownErrors)), t)
	}
	s.Blocks = append(s.Blocks, r.harm())
	return s
}

// harm lists the methods whose regret is on average above that of their starts, and how often.
func (r *Result) harm() reports.List {
	var means, shares []string
	for _, method := range r.columns() {
		var where []string
		worse, all := 0, 0
		for _, games := range r.Games {
			for _, row := range r.rows(method, games) {
				worse, all = worse+row.Worse, all+row.Repeats
				if row.Regret > row.Start {
					where = append(where, fmt.Sprintf("%s after %s", row.Problem, text.Count(games)))
				}
			}
		}
		if len(where) == 0 {
			where = []string{"nowhere"}
		}
		means = append(means, quoted(method)+" "+strings.Join(where, ", "))
		if all > 0 {
			shares = append(shares, fmt.Sprintf("%s %.1f %% of %s", quoted(method), 100*float64(worse)/float64(all), text.Count(all)))
		}
	}
	return reports.List{"Worse than its start on average: " + strings.Join(means, "; ") + ".",
		"Repeats that end worse than their start, over all problems and budgets on which a method was run: " + strings.Join(shares, "; ") + "."}
}
