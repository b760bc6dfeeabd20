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

// sensitivity is the phase that tests each of some parameters alone: a step up against a
// step down, all on the same openings and seeds. It tests all active parameters around
// the start; or, around the tuned values, those that changed no decision there. These are
// to be left at the start, so a start's value further away is tested too: small steps may
// change nothing at either place, and all that lies between matter.
type sensitivity struct {
	matches
	tuned  *selectPhase // nil for the start
	screen *sensitivity // around the start; nil for itself
	steps  lineup       // once the values are known
	tested []stepTest
}

// stepTest is what one step of one parameter changed.
type stepTest struct {
	Param     int // index in the space
	Up, Down  float64
	Compared  int64 // decisions that both values made in the same position
	Differing int32 // pairs in which one of them differed
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
func (p *sensitivity) known() bool { return p.tuned == nil || p.tuned.settled() }

// names are the parameters to test; before the values are known, all that may be.
func (p *sensitivity) names() []string {
	if p.screen == nil || !p.known() {
		return p.spec.Active
	}
	return p.screen.idle()
}

// everybody has each parameter a step up play it a step down.
func (p *sensitivity) everybody() lineup {
	if !p.known() {
		return lineup{meets: make([]schedule.Pairing, len(p.spec.Active)), open: true}
	}
	if p.steps.players != nil {
		return p.steps
	}
	space, around := p.spec.task.Space(), p.spec.Start.Values
	if p.tuned != nil {
		around = p.tuned.raw()
	}
	for _, name := range p.names() {
		i := space.Index(name)
		a, b, start := around.Clone(), around.Clone(), p.spec.Start.Values[i]
		up, down := neighbours(space[i], around[i])
		a[i], b[i] = max(up, start), min(down, start)
		p.steps.match(p.spec.Start.With(a), p.spec.Start.With(b))
	}
	return p.steps
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

func (p *sensitivity) Add(n int64, f schedule.Finished) error {
	row, names := f.Trial, p.names()
	if n >= int64(len(names)) {
		return p.diverged(row)
	}
	i := p.spec.task.Space().Index(names[n])
	p.tested = append(p.tested, stepTest{Param: i, Up: row.A[i], Down: row.B[i], Compared: row.Compared, Differing: row.Differing,
		Pairs: row.PairCounts()})
	if p.tuned != nil && p.spec.LeaveIdle && len(p.tested) == len(names) {
		p.tuned.leave(p.idle())
	}
	return nil
}

func (p *sensitivity) Note(rating.Pairs) string {
	names := p.names()
	return "does " + names[min(max(len(p.tested)-1, 0), len(names)-1)] + " change a decision?"
}

// idle names the parameters of which no tested step changed a decision.
func (p *sensitivity) idle() (names []string) {
	for _, r := range p.tested {
		if r.Differing == 0 {
			names = append(names, p.spec.task.Space()[r.Param].Name)
		}
	}
	return names
}

// Warnings implements Phase: of parameters that changed nothing around the tuned values
// either.
func (p *sensitivity) Warnings() []error {
	if p.tuned == nil || len(p.idle()) == 0 || p.tuned.idleWarning() != nil {
		return nil
	}
	w := &idleWarning{Names: p.idle()}
	for _, r := range p.tested {
		if r.Differing == 0 {
			w.Compared += r.Compared
		}
	}
	return []error{w}
}

// sensitivitySection is the table of several tests.
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
		reports.Text("Before the tuning, each parameter alone was set one step up and played itself one step down, on the same openings and " +
			"seeds. Parameters that changed no decision were tested again around the tuned values, as far as the start's. " +
			"Both sides face the same positions until they first decide differently, so their decisions can be compared one by one; a pair " +
			"counts as changed when any decision differs. The Elo estimates come from few games and have wide intervals."),
		table,
	}}
}
