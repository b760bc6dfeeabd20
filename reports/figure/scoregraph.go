package figure

import (
	"fmt"
	"math"
	"slices"
)

// ScoreGraph shows a game as its players saw it: each one's score by ply, held
// until its next move, with a line at zero. All scores are from the same side's
// point of view.
type ScoreGraph struct {
	Title, Subtitle string

	YLabel string // with whose point of view, such as "score for the first player"; "" is "score"

	Players []PlyScores // one or two
	// Limit cuts what is greater or less than -Limit, such as scores of proven
	// wins; 0 for none.
	Limit float64
	Marks []PlyMark // such as where the opening ended
}

// PlyScores are the scores of one player.
type PlyScores struct {
	Name   string
	Plies  []int     // of its own moves, increasing
	Scores []float64 // as many; NaN for none, infinite for a proven result
}

// PlyMark is a labelled ply.
type PlyMark struct {
	Ply   int
	Label string
}

// Draw implements [Chart].
func (g ScoreGraph) Draw(layout Layout) (*Drawing, error) {
	if err := g.check(); err != nil {
		return nil, failed("ScoreGraph", g.Title, err)
	}
	s, top := newDrawing(g.Title, g.Subtitle, layout)
	x, most := g.reach()
	var keys []key
	for i, p := range g.Players {
		if p.any() {
			keys = append(keys, key{p.Name, markLine, palette[i]})
		}
	}
	var marks []upright
	for _, m := range g.Marks {
		marks = append(marks, upright{float64(m.Ply), m.Label, inkSoft, []float64{4, 3}})
	}
	f := s.frame(axes{
		top: s.legend(keys, top), height: layout.panelHeight() - 50, x: x.scale(false, 0), y: scale{lo: -most, hi: most},
		xLabel: "ply", yLabel: or(g.YLabel, "score"), xWhole: true, yFormat: plus, uprights: marks,
	})
	f.across(0, stroke{color: ink, width: 1})
	f.uprights(marks)
	for i, p := range g.Players {
		for _, line := range f.steps(p) {
			f.s.add(polyline{line, stroke{color: palette[i], width: 1.75}})
		}
	}
	return s, nil
}

// any tells whether there is a score at all.
func (p PlyScores) any() bool {
	return slices.ContainsFunc(p.Scores, func(v float64) bool { return !math.IsNaN(v) })
}

// end returns the ply until which the score of a move is held: that of the next
// one, or a ply after the last.
func (p PlyScores) end(i int) int {
	if i+1 < len(p.Plies) {
		return p.Plies[i+1]
	}
	return p.Plies[i] + 1
}

// reach covers the plies and the greatest size of a score that is drawn, with a
// rim.
func (g ScoreGraph) reach() (x *reach, greatest float64) {
	x = &reach{}
	for _, p := range g.Players {
		for i, v := range p.Scores {
			if math.IsNaN(v) {
				continue
			}
			x.add(float64(p.Plies[i]), float64(p.end(i)))
			if !math.IsInf(v, 0) {
				greatest = max(greatest, math.Abs(v))
			}
		}
	}
	for _, m := range g.Marks {
		x.add(float64(m.Ply))
	}
	if g.Limit > 0 {
		greatest = min(greatest, g.Limit)
	}
	if greatest < 1e-90 {
		return x, 1
	}
	return x, 1.08 * greatest
}

// steps returns the stairs of a player's scores, one line for each stretch
// without gaps.
func (f *frame) steps(p PlyScores) (lines [][]spot) {
	var line []spot
	for i, v := range p.Scores {
		if math.IsNaN(v) {
			if line != nil {
				lines, line = append(lines, line), nil
			}
			continue
		}
		y := f.y.at(f.y.clamp(v))
		line = append(line, spot{f.x.at(float64(p.Plies[i])), y}, spot{f.x.at(float64(p.end(i))), y})
	}
	if line != nil {
		lines = append(lines, line)
	}
	return lines
}

func (g ScoreGraph) check() error {
	if len(g.Players) > 2 {
		return fmt.Errorf("%d players: a game has two", len(g.Players))
	}
	if !(g.Limit >= 0 && g.Limit <= most) {
		return fmt.Errorf("limit is %v: want a greatest score, or 0 for none", g.Limit)
	}
	any := false
	for _, p := range g.Players {
		if len(p.Plies) != len(p.Scores) {
			return fmt.Errorf("%q has %d scores for %d plies", p.Name, len(p.Scores), len(p.Plies))
		}
		for i, v := range p.Scores {
			if i > 0 && p.Plies[i] <= p.Plies[i-1] {
				return fmt.Errorf("%q: ply %d after ply %d: want increasing order", p.Name, p.Plies[i], p.Plies[i-1])
			}
			if !math.IsInf(v, 0) && math.Abs(v) > most {
				return fmt.Errorf("%q: score %v at ply %d is not of ordinary size", p.Name, v, p.Plies[i])
			}
		}
		any = any || p.any()
	}
	if !any {
		return errEmpty
	}
	return nil
}
