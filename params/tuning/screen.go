package tuning

import (
	"fmt"
	"math"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/match"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
)

// PhaseScreen comes before tuning: each parameter alone, a step up against a
// step down, on the same openings and seeds. A parameter that changes no
// decision there has nothing to tell a tuner.
const PhaseScreen = "screen"

// screening lists the trials of the screen, one a parameter, in order of Active.
func (s *Spec) screening(space params.Space) *match.Listed {
	l := &match.Listed{}
	if s.Screen == 0 {
		return l
	}
	for _, name := range s.Active {
		i := space.Index(name)
		up, down := neighbours(space[i], s.Values[i])
		x, than := params.Vector(s.Values).Clone(), params.Vector(s.Values).Clone()
		x[i], than[i] = up, down
		l.Trials = append(l.Trials, params.Trial{ID: len(l.Trials), X: x, Than: than, Pairs: s.Screen})
	}
	return l
}

// neighbours returns the values a step above and below x, inside the bounds.
func neighbours(p params.Param, x float64) (up, down float64) {
	u := p.Coordinate(x)
	up, down = p.Clip(p.Value(u+1)), p.Clip(p.Value(u-1))
	if p.Whole && up == down { // a small step of a log scale may round away
		up, down = p.Clip(math.Floor(x)+1), p.Clip(math.Ceil(x)-1)
	}
	return up, down
}

// screened is what the screen told of one parameter.
type screened struct {
	param     int
	up, down  float64
	compared  int64
	differing int32
	pairs     rating.Pairs
}

// screenRow reads one trial of the screen.
func (s *Spec) screenRow(space params.Space, n int, t datasets.TrialRow) screened {
	i := space.Index(s.Active[n])
	return screened{
		param: i, up: t.X[i], down: t.Than[i], compared: t.Compared, differing: t.Differing,
		pairs: rating.Pairs{int(t.LL), int(t.LD), int(t.Even), int(t.WD), int(t.WW)},
	}
}

// idle returns a sentence about parameters that changed no decision in the
// screen, and one if the tuning's own trials never did; "" for nothing to say.
func idleScreen(space params.Space, rows []screened) string {
	var names []string
	var compared int64
	for _, r := range rows {
		if r.differing == 0 {
			names = append(names, "`"+space[r.param].Name+"`")
			compared += r.compared
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) == 1:
		return fmt.Sprintf("%s changed 0 of %s decisions between a step below and a step above its start: nothing in the evaluator trades against it here, and no tuner can tell its values apart.",
			names[0], number(compared))
	}
	return fmt.Sprintf("%s each changed no decision (0 of %s) between a step below and a step above the start: no tuner can tell their values apart here.",
		strings.Join(names, ", "), number(compared))
}

// idleTuning is idleScreen for the tuning itself: all parameters together.
func idleTuning(active []string, compared, differing int64) string {
	if compared == 0 || differing > 0 {
		return ""
	}
	names := "`" + strings.Join(active, "`, `") + "`"
	if len(active) == 1 {
		return fmt.Sprintf("%s changed 0 of %s decisions in the whole tuning: its values all play alike, because the evaluator has no other term to trade against.", names, number(compared))
	}
	return fmt.Sprintf("%s, moved together, changed 0 of %s decisions in the whole tuning: their values all play alike.", names, number(compared))
}

// screenSection is the table of the screen.
func (s *story) screenSection() reports.Section {
	t := reports.Table{Columns: []reports.Column{
		{Name: "parameter"}, {Name: "from", Right: true}, {Name: "to", Right: true}, {Name: "decisions compared", Right: true},
		{Name: "games changed", Right: true}, {Name: "Elo of the higher value"},
	}}
	for _, r := range s.screen {
		p := s.game.Space[r.param]
		t.Rows = append(t.Rows, []string{
			"`" + p.Name + "`", p.Format(r.down), p.Format(r.up), number(r.compared),
			fmt.Sprintf("%s of %s", number(r.differing), number(r.pairs.N())), r.pairs.Estimate(s.spec.Level).String(),
		})
	}
	return reports.Section{Title: "What one step changes", Blocks: []reports.Block{
		reports.Text("Before tuning, each parameter alone was set one step up and played one step down, the same openings and seeds for both. " +
			"Until their games part, both face the same positions, so decisions can be compared one by one; a game is changed when one of them differed. The Elo column is from few games: read its interval."),
		t,
	}}
}
