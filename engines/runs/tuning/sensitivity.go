package tuning

import (
	"fmt"
	"math"

	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// sensitivity is the phase that tests parameters one at a time: a step up against a step down, all
// on the same openings and seeds. It tests all active parameters around the start. Around the tuned
// values it tests the parameters that changed no decision there. They stay at their start values,
// so a distant start is tested, too: small steps may change nothing at either place although the
// difference does.
type sensitivity struct {
	matches
	tuned  *selectPhase // nil for the start
	screen *sensitivity // around the start; nil for itself
	steps  lineup       // once the values are known
	tested []stepTest
}

// stepTest is the effect of one step of one parameter.
type stepTest struct {
	Param     int // index in the space
	Up, Down  float64
	Compared  int64 // decisions that both values made in the same position
	Differing int32 // pairs with a different decision
	Pairs     rating.Pairs
}

func newScreen(s *Config) *sensitivity { return newSensitivity(newPhase(s, phaseScreen, 0), nil, nil) }

func newRecheck(tuned *selectPhase, screen *sensitivity) *sensitivity {
	return newSensitivity(newPhase(tuned.spec, phaseRecheck, tuned.stageIndex), tuned, screen)
}

func newSensitivity(at phase, tuned *selectPhase, screen *sensitivity) *sensitivity {
	p := &sensitivity{matches: matches{phase: at, pairs: at.spec.ScreenPairs}, tuned: tuned, screen: screen}
	p.lineup = p.everybody
	return p
}

// known reports whether the values to test around are final.
func (s *sensitivity) known() bool { return s.tuned == nil || s.tuned.settled() }

// names returns the parameters to test; before the values are known, all that may be.
func (s *sensitivity) names() []string {
	if s.screen == nil || !s.known() {
		return s.spec.Active
	}
	return s.screen.idle()
}

// everybody has each parameter a step up play it a step down.
func (s *sensitivity) everybody() lineup {
	if !s.known() {
		return lineup{meets: make([]schedule.Pairing, len(s.spec.Active)), open: true}
	}
	if s.steps.players != nil {
		return s.steps
	}
	space, around := s.spec.task.Space(), s.spec.Start.Values
	if s.tuned != nil {
		around = s.tuned.raw()
	}
	for _, name := range s.names() {
		i := space.Index(name)
		a, b, start := around.Clone(), around.Clone(), s.spec.Start.Values[i]
		up, down := neighbours(space[i], around[i])
		a[i], b[i] = max(up, start), min(down, start)
		s.steps.match(s.spec.Start.With(a), s.spec.Start.With(b))
	}
	return s.steps
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

func (s *sensitivity) Add(n int64, f schedule.Finished) error {
	row, names := f.Trial, s.names()
	if n >= int64(len(names)) {
		return s.diverged(row)
	}
	i := s.spec.task.Space().Index(names[n])
	s.tested = append(s.tested, stepTest{Param: i, Up: row.A[i], Down: row.B[i], Compared: row.Compared, Differing: row.Differing,
		Pairs: row.PairCounts()})
	if s.tuned != nil && s.spec.LeaveIdle && len(s.tested) == len(names) {
		s.tuned.leave(s.idle())
	}
	return nil
}

func (s *sensitivity) Note(rating.Pairs) string {
	names := s.names()
	return "does " + names[min(max(len(s.tested)-1, 0), len(names)-1)] + " change a decision?"
}

// idle lists the parameters whose tested steps changed no decision.
func (s *sensitivity) idle() (names []string) {
	for _, r := range s.tested {
		if r.Differing == 0 {
			names = append(names, s.spec.task.Space()[r.Param].Name)
		}
	}
	return names
}

// Warnings implements Phase: of parameters that changed nothing around the tuned values
// either.
func (s *sensitivity) Warnings() []error {
	if s.tuned == nil || len(s.idle()) == 0 || s.tuned.idleWarning() != nil {
		return nil
	}
	w := &idleWarning{Names: s.idle()}
	for _, r := range s.tested {
		if r.Differing == 0 {
			w.Compared += r.Compared
		}
	}
	return []error{w}
}

// sensitivitySection returns the table of several tests.
func sensitivitySection(tests ...*sensitivity) reports.Section {
	table := reports.Table{Columns: reports.Columns("parameter", "around", ">from", ">to", ">decisions compared", ">pairs changed",
		"Elo of the higher value")}
	for _, test := range tests {
		around := "start"
		if test.tuned != nil {
			around = "tuned"
		}
		for _, r := range test.tested {
			p := test.spec.task.Space()[r.Param]
			table.Rows = append(table.Rows, []string{
				"`" + p.Name + "`", around, p.Format(r.Down), p.Format(r.Up), text.Count(r.Compared),
				fmt.Sprintf("%s of %s", text.Count(r.Differing), text.Count(r.Pairs.N())), r.Pairs.Estimate(test.spec.Level).String(),
			})
		}
	}
	return reports.Section{Title: "Sensitivity", Blocks: []reports.Block{
		reports.Note("Before the tuning, each parameter alone was set one step up and played itself one step down, on the same openings and " +
			"seeds. Parameters that changed no decision were tested again around the tuned values, as far as the start's. " +
			"Both sides face the same positions until they first decide differently, so their decisions can be compared one by one; a pair " +
			"counts as changed when any decision differs. The Elo estimates come from few games and have wide intervals."),
		table,
	}}
}
