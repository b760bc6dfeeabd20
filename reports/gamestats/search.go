package gamestats

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Search sums up one player's searches of a set of positions.
type Search struct {
	Player    string  `csv:"player"`    // text of the player
	Limits    string  `csv:"limits"`    // text of the limits of each search
	Positions int     `csv:"positions"` // number of searches
	Nodes     int64   `csv:"nodes"`     // units of work, over all searches
	Depth     int64   `csv:"depth"`     // sum of the completed depths, in plies
	Seconds   float64 `csv:"seconds,6"` // of all searches; depends on the machine
	// SameMove and SameScore count the positions with the same move, or score, as the first
	// player listed with the same limits.
	SameMove  int `csv:"same_move"`
	SameScore int `csv:"same_score"`
}

// Repeats reports whether the searches had no limit of time, so that they repeat exactly.
func (s Search) Repeats() bool { return !strings.Contains(s.Limits, "time=") }

// Mean returns a total divided by the number of positions; NaN without positions.
func (s Search) Mean(total float64) float64 { return total / float64(s.Positions) }

// Nodes returns the nodes of searches, for SearchCurves.
func Nodes(s Search) float64 { return float64(s.Nodes) }

// Seconds returns the seconds of searches, for SearchCurves.
func Seconds(s Search) float64 { return s.Seconds }

// SearchCurves returns the mean of a value, such as nodes,
// by the number of the budget, one curve for each player.
// Of two sums with one budget the first counts.
// It returns an error for budgets other than single
// numbers of one kind, and for sums without positions.
func SearchCurves(sums []Search, value func(Search) float64) ([]figure.Series, error) {
	var series []figure.Series
	kind := func(s Search) string { return strings.SplitN(s.Limits, "=", 2)[0] }
	for _, s := range sums {
		x, err := s.budget()
		if err != nil {
			return nil, err
		}
		if kind(s) != kind(sums[0]) {
			return nil, fmt.Errorf("%s and %s are budgets of different kinds", sums[0].Limits, s.Limits)
		}
		i := slices.IndexFunc(series, func(l figure.Series) bool { return l.Name == s.Player })
		if i < 0 {
			i = len(series)
			series = append(series, figure.Series{Name: s.Player})
		}
		if slices.ContainsFunc(series[i].Points, func(p figure.Point) bool { return p.X == x }) {
			continue
		}
		y := s.Mean(value(s))
		series[i].Points = append(series[i].Points, figure.Point{X: x, Y: y, Lo: y, Hi: y})
	}
	for _, s := range series {
		slices.SortFunc(s.Points, func(a, b figure.Point) int { return cmp.Compare(a.X, b.X) })
	}
	return series, nil
}

// budget returns the number of a budget with a single limit: 3 for depth=3; the seconds of a
// time.
func (s Search) budget() (float64, error) {
	kind, number, _ := strings.Cut(s.Limits, "=")
	x, err := strconv.ParseFloat(number, 64)
	if kind == "time" {
		var d time.Duration
		d, err = time.ParseDuration(number)
		x = d.Seconds()
	}
	if err != nil || !(x > 0) || s.Positions == 0 {
		return 0, fmt.Errorf("%s: its budget %q is no single number, or nothing was searched", s.Player, s.Limits)
	}
	return x, nil
}

// SearchTable returns the sums as a table, a row each.
func SearchTable(sums []Search) reports.Table {
	table := reports.Table{Columns: reports.Columns("player", "budget", ">positions", ">nodes a position", ">ms a position",
		">million nodes a second", ">score as the first's", ">move as the first's")}
	for _, s := range sums {
		nodes, ms, speed := "-", "-", "-"
		if s.Positions > 0 {
			nodes, ms = text.Number(s.Mean(float64(s.Nodes)), 0), text.Significant(s.Mean(1000*s.Seconds))
		}
		if s.Seconds > 0 {
			speed = text.Significant(float64(s.Nodes) / s.Seconds / 1e6)
		}
		table.Rows = append(table.Rows, []string{
			"`" + s.Player + "`", s.Limits, text.Count(s.Positions), nodes, ms, speed,
			fmt.Sprintf("%d of %d", s.SameScore, s.Positions), fmt.Sprintf("%d of %d", s.SameMove, s.Positions),
		})
	}
	return table
}
