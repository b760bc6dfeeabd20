package tuning

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

// Screened is what one step of one parameter changed.
type Screened struct {
	Param     int // index in the space
	Up, Down  float64
	Compared  int64 // decisions that both values made in the same position
	Differing int32 // pairs in which one of them differed
	Pairs     rating.Pairs
}

// screening lists trials that test each named parameter alone around a vector,
// a step up against a step down, all on the same openings and seeds.
func (s *Spec) screening(phase string, around params.Vector, names []string) *schedule.Listed {
	l := &schedule.Listed{}
	if s.ScreenPairs == 0 {
		return l
	}
	space := s.task.Space()
	for _, name := range names {
		i := space.Index(name)
		x, than := around.Clone(), around.Clone()
		x[i], than[i] = neighbours(space[i], around[i])
		l.Trials = append(l.Trials, s.trial(phase, s.Start.With(x), s.Start.With(than), s.ScreenPairs))
	}
	return l
}

// trial is one of a phase that plays all its trials on the same openings.
func (s *Spec) trial(phase string, x, than player.Config, pairs int) schedule.Trial {
	return schedule.Trial{Phase: phase, Stream: play.Stream(phase), Seats: [2]player.Config{x, than}, Pairs: pairs, Book: play.Drawn}
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

// screened reads the trial that tested a parameter.
func screened(space params.Space, name string, t datasets.TrialRow) Screened {
	i := space.Index(name)
	return Screened{Param: i, Up: t.A[i], Down: t.B[i], Compared: t.Compared, Differing: t.Differing, Pairs: t.PairCounts()}
}

// idle names the parameters of which no tested step changed a decision.
func idle(space params.Space, rows []Screened) []string {
	var names []string
	for _, r := range rows {
		if r.Differing == 0 {
			names = append(names, space[r.Param].Name)
		}
	}
	return names
}

// IdleWarning says that parameters changed no decision.
type IdleWarning struct {
	Names    []string
	Compared int64 // decisions
	Tuning   bool  // all of them together, in the whole tuning; else each alone, a step around start and tuned values
}

// Error is the sentence.
func (w *IdleWarning) Error() string {
	names, n := "`"+strings.Join(w.Names, "`, `")+"`", gamestats.Count(w.Compared)
	switch one := len(w.Names) == 1; {
	case w.Tuning && one:
		return fmt.Sprintf("%s changed 0 of %s decisions in the whole tuning: its values all play alike, because the evaluator has no other term to trade against.", names, n)
	case w.Tuning:
		return fmt.Sprintf("%s, moved together, changed 0 of %s decisions in the whole tuning: their values all play alike.", names, n)
	case one:
		return fmt.Sprintf("%s changed 0 of %s decisions between a step below and a step above the tuned values, and none around the start: as far as that shows, its value does not matter.", names, n)
	}
	return fmt.Sprintf("%s each changed no decision (0 of %s) between a step below and a step above the tuned values, and none around the start: as far as that shows, their values do not matter.", names, n)
}

// idleWarning is nil where every parameter changed something.
func (t *Result) idleWarning() error {
	if t.compared > 0 && t.differing == 0 && t.Spec.Against == nil {
		return &IdleWarning{Names: t.Spec.Active, Compared: t.compared, Tuning: true}
	}
	space := t.Spec.task.Space()
	var compared int64
	for _, r := range t.Recheck {
		if r.Differing == 0 {
			compared += r.Compared
		}
	}
	if names := idle(space, t.Recheck); len(names) > 0 {
		return &IdleWarning{Names: names, Compared: compared}
	}
	return nil
}

// screenSection is the table of both screens.
func (t *Result) screenSection() reports.Section {
	table := reports.Table{Columns: []reports.Column{
		{Name: "parameter"}, {Name: "around"}, {Name: "from", Right: true}, {Name: "to", Right: true}, {Name: "decisions compared", Right: true},
		{Name: "pairs changed", Right: true}, {Name: "Elo of the higher value"},
	}}
	for i, r := range slices.Concat(t.Screen, t.Recheck) {
		p, around := t.Spec.task.Space()[r.Param], "start"
		if i >= len(t.Screen) {
			around = "tuned"
		}
		table.Rows = append(table.Rows, []string{
			"`" + p.Name + "`", around, p.Format(r.Down), p.Format(r.Up), gamestats.Count(r.Compared),
			fmt.Sprintf("%s of %s", gamestats.Count(r.Differing), gamestats.Count(r.Pairs.N())), r.Pairs.Estimate(t.Spec.Level).String(),
		})
	}
	return reports.Section{Title: "What one step changes", Blocks: []reports.Block{
		reports.Text("Before tuning, each parameter alone was set one step up and played one step down, the same openings and seeds for both; those that changed nothing were tried again around the tuned values. " +
			"Until their games part, both face the same positions, so decisions can be compared one by one; a pair is changed when one of them differed. The Elo column is from few games: read its interval."),
		table,
	}}
}
