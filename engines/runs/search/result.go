package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Result is what the searches came to so far, position by position and in each
// player by player.
type Result struct {
	Head   *runs.Head
	Config *Config

	done  int                // searches
	moves []datasets.MoveRow // what they found; nil in a list, which does not ask for it
}

// oldSchema is the format version whose runs kept searches in oldFile.
const (
	oldSchema = 2
	oldFile   = "search.csv"
)

// NewResult implements runs.Config.
func (s *Config) NewResult(h *runs.Head) (runs.Result, error) {
	if h.Meta.Schema == oldSchema {
		return nil, fmt.Errorf("%s: its searches are in %s, which only selfplaylab 0.3 and older read; make them again: %s", h.Dir, oldFile,
			h.Meta.Command)
	}
	return &Result{Head: h, Config: s}, nil
}

// Add implements runs.Result.
func (t *Result) Add(f schedule.Finished) error {
	if t.done >= t.Config.total() || f.Trial.Games > 0 {
		return fmt.Errorf("%s: trial %d is not a search of this run", t.Head.Dir, f.Trial.Trial)
	}
	t.done++
	t.moves = append(t.moves, f.Moves...)
	return nil
}

// Trial implements runs.Result.
func (t *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	return schedule.Trial{}, fmt.Errorf("trial %d is a search: it has no games", row.Trial)
}

// Part implements run.Result.
func (t *Result) Part(datasets.TrialRow) (runs.Part, bool) { return runs.Part{}, false }

// Files implements run.Result.
func (t *Result) Files() (map[string][]byte, error) { return nil, nil }

func (t *Result) finished() bool { return t.done == t.Config.total() }

// Summary implements run.Result.
func (t *Result) Summary() (runs.Summary, error) {
	var names []string
	for _, p := range t.Config.Players {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	s := runs.Summary{What: strings.Join(names, ", "), Finished: t.finished(), Result: text.Count(t.Config.total()) + " searches"}
	if n := t.done; !s.Finished {
		s.Result = fmt.Sprintf("unfinished, %s of %s searches", text.Count(n), text.Count(t.Config.total()))
	}
	return s, nil
}

// Progress implements run.Result.
func (t *Result) Progress(string, [5]int) runs.Progress {
	p := runs.Progress{Phase: Name, Unit: "searches", Games: int64(t.done), Planned: int64(t.Config.total())}
	if n := t.done; n > 0 {
		p.Note = t.Config.Players[(n-1)%len(t.Config.Players)].Name
	}
	return p
}

// Sum is what one player's searches came to.
type Sum struct {
	Player    string  `csv:"player"`
	Limits    string  `csv:"limits"`
	Positions int     `csv:"positions"`
	Nodes     int64   `csv:"nodes"`
	Depth     int64   `csv:"depth"`     // sum of the depths reached
	Seconds   float64 `csv:"seconds,6"` // of all searches; depends on the machine
	// Of the positions: those where the move, or the score, was that of the first
	// player listed with the same limits.
	SameMove  int `csv:"same_move"`
	SameScore int `csv:"same_score"`
}

// Repeats reports whether no clock bounded the searches.
func (s Sum) Repeats() bool { return !strings.Contains(s.Limits, "time=") }

// Mean divides by the number of positions; NaN without one.
func (s Sum) Mean(total float64) float64 { return total / float64(s.Positions) }

// Sums adds the searches up, one row a player, in the order of the players.
func (t *Result) Sums() []Sum {
	players := t.Config.Players
	rows := make([]Sum, len(players))
	for k, p := range players {
		rows[k] = Sum{Player: p.Name, Limits: p.Limits.String()}
	}
	for n, one := range t.moves {
		k := n % len(players)
		first := slices.IndexFunc(rows, func(r Sum) bool { return r.Limits == rows[k].Limits }) // at most k
		reference := t.moves[n-k+first]
		r := &rows[k]
		r.Positions++
		r.Nodes += one.Nodes
		r.Depth += int64(one.Depth)
		r.Seconds += float64(one.Micros) / 1e6
		if one.Move == reference.Move {
			r.SameMove++
		}
		if one.Score == reference.Score || math.IsNaN(one.Score) && math.IsNaN(reference.Score) {
			r.SameScore++
		}
	}
	return rows
}

// JSON implements run.Result.
func (t *Result) JSON() (runs.Object, error) {
	players := []runs.Object{}
	for _, r := range t.Sums() {
		var depth any // null before the first search
		if r.Positions > 0 {
			depth = r.Mean(float64(r.Depth))
		}
		players = append(players, runs.Object{
			{Name: "player", Value: r.Player}, {Name: "limits", Value: r.Limits}, {Name: "positions", Value: r.Positions},
			{Name: "nodes", Value: r.Nodes},
			{Name: "depth", Value: depth}, {Name: "seconds", Value: r.Seconds}, {Name: "same_score", Value: r.SameScore},
			{Name: "same_move", Value: r.SameMove},
		})
	}
	return runs.Object{
		{Name: "game", Value: t.Head.Meta.Game}, {Name: "rules", Value: t.Head.Meta.Rules}, {Name: "positions", Value: t.Config.Positions},
		{Name: "opening_plies", Value: t.Config.OpeningPlies}, {Name: "players", Value: players},
		{Name: "repeatable", Value: t.Config.Repeatable()}, {Name: "run", Value: t.Head.Dir},
	}, nil
}

// Curves are a value a position, such as nodes, by the number of the budget, one
// curve a player. Where a player has two sums of one budget the first counts.
// Budgets that are not single numbers of one kind, and sums of no position, are
// an error.
func Curves(sums []Sum, value func(Sum) float64) ([]figure.Series, error) {
	var series []figure.Series
	kind := func(s Sum) string { return strings.SplitN(s.Limits, "=", 2)[0] }
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

// budget is the number of a budget that is a single one: 3 of depth=3; of a time
// its seconds.
func (s Sum) budget() (float64, error) {
	l, err := engines.ParseLimits(s.Limits)
	if err != nil {
		return 0, err
	}
	var list []float64
	for _, x := range []float64{float64(l.Depth), float64(l.Nodes), float64(l.Playouts), l.Time.Seconds()} {
		if x > 0 {
			list = append(list, x)
		}
	}
	if len(list) != 1 || s.Positions == 0 {
		return 0, fmt.Errorf("%s: its budget %q is no single number, or nothing was searched", s.Player, s.Limits)
	}
	return list[0], nil
}
