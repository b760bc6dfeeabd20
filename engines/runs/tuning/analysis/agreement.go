package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// place is where a tuning put a parameter.
type place struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"` // of the interval of the optimum; nil where the method gives none
	High  *float64 `json:"high"`
}

// Agreement compares the values and optima of several tunings for one parameter.
type Agreement struct {
	Parameter string  `json:"parameter"`
	Places    []place `json:"places"` // one a tuning
	Up        int     `json:"up"`     // tunings that moved it up from the start
	Down      int     `json:"down"`
	Spread    float64 `json:"spread"` // standard deviation of the values over the tunings, in steps
	// Promised is the spread to expect from the intervals, in steps. Chance is the probability of
	// values at least as far apart if the intervals are right, by Cochran's Q (Biometrics 10,
	// 1954). Nil where an interval is missing or has no width.
	Promised *float64 `json:"promised"`
	Chance   *float64 `json:"chance"`
	Disagree bool     `json:"disagree"` // Chance is below 1 - confidence, shared by all parameters
}

// CompareOptima compares tunings of one task by their recommendations and optima.
func CompareOptima(tunings []*History, optima [][]Optimum) (list []Agreement) {
	return text.Each(tunings[0].Indices(), func(i int) Agreement { return agreement(i, tunings, optima) })
}

// agreement compares the tunings for the i-th parameter of the space.
func agreement(i int, tunings []*History, optima [][]Optimum) Agreement {
	task := tunings[0]
	p := task.Space()[i]
	z := math.Sqrt2 * math.Erfinv(task.Level)
	a := Agreement{Parameter: p.Name}
	var values, errs []float64
	for k, h := range tunings {
		place := place{Value: h.Best[i]}
		if n := slices.IndexFunc(optima[k], func(o Optimum) bool { return o.Param == i }); n >= 0 {
			o := optima[k][n]
			place.Low, place.High = &o.Low, &o.High
			errs = append(errs, (p.Coordinate(o.High)-p.Coordinate(o.Low))/2/z)
		}
		a.Places, values = append(a.Places, place), append(values, p.Coordinate(h.Best[i]))
		switch start := task.Start; {
		case len(start) <= i || h.Best[i] == start[i]:
		case h.Best[i] > start[i]:
			a.Up++
		default:
			a.Down++
		}
	}
	a.Spread = stat.StdDev(values, nil)
	if len(errs) < len(values) || !(slices.Min(errs) > 0) {
		return a
	}
	square, weights := 0.0, make([]float64, len(errs))
	for k, e := range errs {
		square += float64(e * e)
		weights[k] = 1 / (e * e)
	}
	promised := math.Sqrt(square / float64(len(errs)))
	mean, q := stat.Mean(values, weights), 0.0
	for k, u := range values {
		q += float64(weights[k] * (u - mean) * (u - mean))
	}
	chance := distuv.ChiSquared{K: float64(len(values) - 1)}.Survival(q)
	a.Promised, a.Chance = &promised, &chance
	a.Disagree = chance < (1-task.Level)/float64(len(task.Active))
	return a
}

// tooClose is the chance above which values lie closer together than right intervals allow: the
// games determined the recommendations better than the intervals of the optimum show.
const tooClose = .975

// reading interprets it in a few words.
func (a *Agreement) reading() string {
	switch {
	case a.Chance == nil:
		return "no intervals to compare"
	case a.Disagree:
		return "disagree: farther apart than their intervals allow"
	case *a.Chance > tooClose:
		return "agree, closer than their intervals suggest"
	}
	return "agree within their intervals"
}

// AgreementSection returns the table of all parameters over the tunings.
func AgreementSection(agreements []Agreement, tunings int, level float64) reports.Section {
	table := reports.Table{Columns: reports.Columns("parameter")}
	for k := range tunings {
		table.Columns = append(table.Columns, reports.Column{Name: fmt.Sprintf("tuning %d", k+1), Right: true})
	}
	table.Columns = append(table.Columns, reports.Column{Name: "moved up", Right: true}, reports.Column{Name: "moved down", Right: true},
		reports.Column{Name: "spread (steps)", Right: true},
		reports.Column{Name: "expected spread (steps)", Right: true}, reports.Column{Name: "reading"})
	for i, a := range agreements {
		row := []string{"`" + a.Parameter + "`"}
		for _, p := range a.Places {
			line := text.Figures(p.Value, 4)
			if p.Low != nil {
				line += fmt.Sprintf(" (%s to %s)", text.Figures(*p.Low, 3), text.Figures(*p.High, 3))
			}
			row = append(row, line)
		}
		promised := "-"
		if a.Promised != nil {
			promised = fmt.Sprintf("%.2g", *a.Promised)
		}
		if a.Disagree {
			table.Strong = append(table.Strong, i)
		}
		row = append(row, strconv.Itoa(a.Up), strconv.Itoa(a.Down), fmt.Sprintf("%.2g", a.Spread), promised, a.reading())
		table.Rows = append(table.Rows, row)
	}
	return reports.Section{Title: "Agreement of the tunings", Blocks: []reports.Block{
		reports.Note(fmt.Sprintf("The table shows each tuning's value, with the %s interval of its optimum, the other parameters as tuned. "+
			"\"Moved\" counts the tunings whose value is above or below the start's. The spread is the standard deviation of the values over the "+
			"tunings; the expected spread follows from the intervals. "+
			"Tunings disagree if correct intervals would give values this far apart with a probability below %s, over all parameters together "+
			"(Cochran's Q).", text.Level(level), text.Percent(1-level))),
		table,
	}}
}
