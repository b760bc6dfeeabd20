package tuners

import (
	"fmt"
	"math"
	"strings"

	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// rival is a regret next to that of the first method, on the same problem at the
// same budget.
type rival struct {
	method     string
	regret, se float64
}

// rivals are the regrets of the other methods, and CLOP's where it was run.
func (r *Result) rivals(name string, games int) (list []rival) {
	for _, method := range r.Methods[1:] {
		row := r.row(name, method, games)
		list = append(list, rival{"`" + method + "`", row.Regret, row.SE})
	}
	if x, ok := r.clop(name, games); ok {
		list = append(list, rival{"CLOP", x, x * clopError})
	}
	return list
}

// shownErrors is how many standard errors of the difference a smaller mean must
// lie below to be called shown.
const shownErrors = 2

// standing tells where the first method has not the smallest regret, and who
// recommends something worse than the start on average.
func (r *Result) standing() reports.Section {
	t := reports.Table{Columns: reports.Columns(">games", "problem", "better", ">its regret", ">`"+r.Methods[0]+"`",
		">standard errors")}
	for _, games := range r.Games {
		for _, name := range r.Names {
			first := r.row(name, r.Methods[0], games)
			for _, o := range r.rivals(name, games) {
				if !(o.regret < first.Regret) {
					continue
				}
				errors := (first.Regret - o.regret) / math.Hypot(first.SE, o.se)
				if errors >= shownErrors {
					t.Strong = append(t.Strong, len(t.Rows))
				}
				t.Rows = append(t.Rows, []string{text.Count(games), name, o.method, number(1000 * o.regret), number(1000 * first.Regret),
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

// harm says which methods end above the regret of their starts, on average.
func (r *Result) harm() reports.Text {
	var parts []string
	for _, method := range r.Methods {
		var where []string
		for _, games := range r.Games {
			for _, name := range r.Names {
				if row := r.row(name, method, games); row.Regret > row.Start {
					where = append(where, fmt.Sprintf("%s after %s", name, text.Count(games)))
				}
			}
		}
		what := "nowhere"
		if len(where) > 0 {
			what = strings.Join(where, ", ")
		}
		parts = append(parts, fmt.Sprintf("`%s` %s", method, what))
	}
	return reports.Text("Worse than its start on average: " + strings.Join(parts, "; ") + ".")
}
