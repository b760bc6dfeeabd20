package tuning

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

const (
	// maxPanels is the largest number of parameters in the head.
	maxPanels = 12
	// maxPath is the largest number of points of a path, which is less than two hundred pixels wide.
	maxPath = 60
	// maxPaths is the largest number of tunings in a panel: each has a colour of its own.
	maxPaths = 7
)

// panels shows each tuned parameter: range, start, and the values recommended over the tuning, of
// several tunings first of the chosen or running one. If the parameters are too many for the head,
// the largest changes in steps come first. The intervals by the games need the tuner's fits, which
// may take time from a running run.
func (r *Result) panels() (reports.Panels, error) {
	shown := methodReport{}
	if !r.Head.Running {
		var err error
		if shown, err = r.report(); err != nil {
			return reports.Panels{}, err
		}
	}
	space, start, best := r.Config.task.Space(), r.Config.Start.Values, r.Recommend()
	order := r.Config.task.Indices()
	if len(order) > maxPanels {
		moved := func(i int) float64 { return math.Abs(space[i].Coordinate(best[i]) - space[i].Coordinate(start[i])) }
		slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(moved(k), moved(i)) })
	}
	paths := []path{pathOf(r.current().History)}
	for _, t := range r.tunes {
		if t.tuning != r.current() && len(paths) < maxPaths {
			paths = append(paths, pathOf(t.tuning.History))
		}
	}
	out := reports.Panels{Name: "values", Title: "Tuned parameters", Key: "The height is the range, the dashed line the start, " +
		"the line the recommendation over the tuning games."}
	if len(paths) > 1 {
		out.Key = "The height is the range, the dashed line the start, each line the recommendation of one tuning over its games."
	}
	intervals := false
	for _, i := range order {
		p := space[i]
		one := figure.Panel{
			Name: p.Name, Note: short(p, start[i]), Min: p.Min, Max: p.Max, Log: p.Log, Ends: [2]string{p.Format(p.Min), p.Format(p.Max)},
			Starts: []float64{start[i]},
		}
		if best[i] != start[i] {
			one.Note += " → " + short(p, best[i])
		}
		if !r.complete() {
			one.X = float64(r.Config.tuneGames())
		}
		for _, path := range paths {
			one.Paths = append(one.Paths, path.of(i, start[i]))
		}
		if o := r.optimumOf(shown.Optima, i); o != nil && len(paths) == 1 && !(o.Low <= p.Min && o.High >= p.Max) {
			intervals = true
			last := &one.Paths[0][len(one.Paths[0])-1]
			last.Lo, last.Hi = o.Low, o.High
			one.Note += fmt.Sprintf(" (%s to %s)", text.Figures(o.Low, 3), text.Figures(o.High, 3))
		}
		out.List = append(out.List, one)
	}
	if intervals {
		out.Key += fmt.Sprintf(" The bar is the %s interval by the tuning's games.", text.Level(r.Config.Level))
	}
	if n := len(out.List); n > maxPanels {
		out.Title += fmt.Sprintf(": the %d of %d with the largest change", maxPanels, n)
		out.List, out.Rest = out.List[:maxPanels], out.List[maxPanels:]
	}
	return out, nil
}

// pathsSection shows the parameters that the head leaves out.
func pathsSection(p reports.Panels) []reports.Section {
	if len(p.Rest) == 0 {
		return nil
	}
	rest := reports.Panels{Name: p.Name + "-rest", Title: "Tuned parameters", Key: p.Key, List: p.Rest}
	return []reports.Section{{Title: "Paths of the other parameters", Blocks: []reports.Block{rest}}}
}

// short writes a value with at most four significant figures.
func short(p params.Param, v float64) string {
	if len(p.Labels) > 0 {
		return p.Format(v)
	}
	return text.Figures(v, 4)
}

// optimumOf returns the best value of a parameter by the tuning's games; nil if it is unknown.
func (r *Result) optimumOf(optima []analysis.Optimum, i int) *analysis.Optimum {
	k := slices.IndexFunc(optima, func(o analysis.Optimum) bool { return o.Param == i })
	if k < 0 || slices.Contains(r.left, r.Config.task.Space()[i].Name) {
		return nil
	}
	return &optima[k]
}

// path is what a tuning recommended, after numbers of its games.
type path struct {
	games []float64
	best  []params.Vector
}

// pathOf returns the recommendations of a tuning, thinned out, the last one included.
func pathOf(h *analysis.History) (p path) {
	n, games, each := len(h.Trials), 0, 2
	if h.Opponent != "" {
		each = 4 // A and B each play the opponent
	}
	stride := max(1, (n+maxPath-1)/maxPath)
	for i := range h.Trials {
		games += each * h.Trials[i].Pairs.N()
		if (i+1)%stride == 0 || i == n-1 {
			p.games, p.best = append(p.games, float64(games)), append(p.best, h.Trials[i].Best)
		}
	}
	return p
}

// of returns the path of one parameter from its start.
func (p path) of(i int, start float64) []figure.Point {
	points := []figure.Point{{Y: start}}
	for k, games := range p.games {
		points = append(points, figure.Point{X: games, Y: p.best[k][i]})
	}
	return points
}
