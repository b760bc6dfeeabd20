package tuners

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/datasets"
)

// read reads rows that CSV wrote.
func read(t *testing.T, filename string, data []byte) []Row {
	t.Helper()
	rows, err := datasets.DecodeCSV[Row](filename, data)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

var errNoRows = errors.New("the file has no row of this comparison: it needs the same problems, methods, budgets and starts")

// loss is a regret that is larger than an earlier one beyond chance.
type loss struct {
	Problem string // "" for the geometric mean over all
	Method  string
	Games   int
	Factor  float64 // multiple of the earlier regret
	Errors  float64 // difference in standard errors
}

// Error returns the loss as a sentence.
func (l *loss) Error() string {
	where := "in the geometric mean over the problems"
	if l.Problem != "" {
		where = "on " + l.Problem
	}
	return fmt.Sprintf("%s after %d games %s: %.2f times the regret of before, %.1f standard errors above it", l.Method, l.Games, where,
		l.Factor, l.Errors)
}

// meanErrors is the number of standard errors by which a geometric mean may exceed the earlier
// one; there are few such means.
const meanErrors = 2

// losses compares the rows with earlier ones, of any number of repeats. A method's geometric
// mean over the problems that both have may exceed the earlier one by 2 standard errors of the
// difference. A single row may exceed its earlier one by as many as leave one false alarm in
// twenty comparisons of equals, over all rows together (Bonferroni). Differences are those of
// logarithms. compared is the number of rows that both have.
func (r *Result) losses(before []Row) (losses []*loss, compared int, err error) {
	type both struct{ now, before Row }
	var rows []both
	for _, row := range r.Rows {
		i := slices.IndexFunc(before, func(b Row) bool {
			return b.Problem == row.Problem && b.Tuner == row.Tuner && b.Games == row.Games
		})
		if i >= 0 && row.Regret > 0 && before[i].Regret > 0 {
			rows = append(rows, both{row, before[i]})
		}
	}
	if len(rows) == 0 {
		return nil, 0, errNoRows
	}
	limit := distuv.UnitNormal.Quantile(1 - .05/float64(len(rows)))
	for _, games := range r.Games {
		for _, method := range r.Methods {
			sum, variance, n := 0.0, 0.0, 0.0
			for _, b := range rows {
				if b.now.Tuner != method || b.now.Games != games {
					continue
				}
				log := math.Log(b.now.Regret / b.before.Regret)
				x, y := b.now.SE/b.now.Regret, b.before.SE/b.before.Regret
				v := float64(x*x) + float64(y*y)
				sum, variance, n = sum+log, variance+v, n+1
				if errors := log / math.Sqrt(v); log > 0 && !(errors <= limit) {
					losses = append(losses, &loss{b.now.Problem, method, games, math.Exp(log), errors})
				}
			}
			if errors := sum / math.Sqrt(variance); n > 0 && sum > 0 && !(errors <= meanErrors) {
				losses = append(losses, &loss{"", method, games, math.Exp(sum / n), errors})
			}
		}
	}
	return losses, len(rows), nil
}
