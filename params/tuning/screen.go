package tuning

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/match"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// PhaseScreen comes before tuning: each parameter alone, a step up against a
// step down, on the same openings and seeds. PhaseRecheck comes after it and
// does the same around the tuned values with those that changed no decision.
const (
	PhaseScreen  = "screen"
	PhaseRecheck = "recheck"
)

// screening lists trials that test each named parameter alone around a vector.
func (s *Spec) screening(space params.Space, around params.Vector, names []string) *match.Listed {
	l := &match.Listed{}
	if s.Screen == 0 {
		return l
	}
	for _, name := range names {
		i := space.Index(name)
		x, than := around.Clone(), around.Clone()
		x[i], than[i] = neighbours(space[i], around[i])
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

// screenRow reads the trial that tested a parameter.
func screenRow(space params.Space, name string, t datasets.TrialRow) screened {
	i := space.Index(name)
	return screened{
		param: i, up: t.X[i], down: t.Than[i], compared: t.Compared, differing: t.Differing,
		pairs: rating.Pairs{int(t.LL), int(t.LD), int(t.Even), int(t.WD), int(t.WW)},
	}
}

// idle names the parameters of which no tested step changed a decision.
func idle(space params.Space, rows []screened) []string {
	var names []string
	for _, r := range rows {
		if r.differing == 0 {
			names = append(names, space[r.param].Name)
		}
	}
	return names
}

// idleScreen is a sentence about parameters that changed no decision around the
// start nor, in rows, around the tuned values; "" if there are none.
func idleScreen(space params.Space, rows []screened) string {
	names := idle(space, rows)
	var compared int64
	for _, r := range rows {
		if r.differing == 0 {
			compared += r.compared
		}
	}
	const where = "between a step below and a step above the tuned values, and none around the start"
	switch len(names) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("`%s` changed 0 of %s decisions %s: as far as that shows, its value does not matter.", names[0], record.Count(compared), where)
	}
	return fmt.Sprintf("`%s` each changed no decision (0 of %s) %s: as far as that shows, their values do not matter.", strings.Join(names, "`, `"), record.Count(compared), where)
}

// idleTuning is idleScreen for the tuning itself: all parameters together.
func idleTuning(active []string, compared, differing int64) string {
	if compared == 0 || differing > 0 {
		return ""
	}
	names := "`" + strings.Join(active, "`, `") + "`"
	if len(active) == 1 {
		return fmt.Sprintf("%s changed 0 of %s decisions in the whole tuning: its values all play alike, because the evaluator has no other term to trade against.", names, record.Count(compared))
	}
	return fmt.Sprintf("%s, moved together, changed 0 of %s decisions in the whole tuning: their values all play alike.", names, record.Count(compared))
}

// screenSection is the table of the screen.
func (s *story) screenSection() reports.Section {
	t := reports.Table{Columns: []reports.Column{
		{Name: "parameter"}, {Name: "around"}, {Name: "from", Right: true}, {Name: "to", Right: true}, {Name: "decisions compared", Right: true},
		{Name: "games changed", Right: true}, {Name: "Elo of the higher value"},
	}}
	for i, r := range slices.Concat(s.screen, s.recheck) {
		p, around := s.game.Space[r.param], "start"
		if i >= len(s.screen) {
			around = "tuned"
		}
		t.Rows = append(t.Rows, []string{
			"`" + p.Name + "`", around, p.Format(r.down), p.Format(r.up), record.Count(r.compared),
			fmt.Sprintf("%s of %s", record.Count(r.differing), record.Count(r.pairs.N())), r.pairs.Estimate(s.spec.Level).String(),
		})
	}
	return reports.Section{Title: "What one step changes", Blocks: []reports.Block{
		reports.Text("Before tuning, each parameter alone was set one step up and played one step down, the same openings and seeds for both; those that changed nothing were tried again around the tuned values. " +
			"Until their games part, both face the same positions, so decisions can be compared one by one; a game is changed when one of them differed. The Elo column is from few games: read its interval."),
		t,
	}}
}
