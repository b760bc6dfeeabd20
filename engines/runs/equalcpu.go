package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/reports/text"
)

// EqualCPU asks that a budget of nodes or playouts is adjusted before the run is made, until
// both players' decisions take equal processor time. Both are of the plan's config.
type EqualCPU struct{ Adjusted, Other *player.Config }

const (
	// calibrationPairs are played between two changes of the budget.
	calibrationPairs = 2
	// maxCalibrations bounds how often it changes.
	maxCalibrations = 12
	// calibrations is the number of close calibrations that end the search.
	calibrations = 3
	// closeBy is the bound of a close calibration, as a logarithm.
	closeBy = 0.25
)

// budgetOf returns the count of work among limits; nil where there is none, or time bounds it
// too.
func budgetOf(l *engines.Limits) *int64 {
	switch {
	case l.Timed():
		return nil
	case l.Nodes > 0:
		return &l.Nodes
	case l.Playouts > 0:
		return &l.Playouts
	}
	return nil
}

// Check reports why the budget cannot be adjusted.
func (e *EqualCPU) Check() error {
	if budgetOf(&e.Adjusted.Limits) == nil {
		return fmt.Errorf("the limits of %s (%s) hold no budget of nodes or playouts alone to adjust", e.Adjusted.Name,
			cmp.Or(e.Adjusted.Limits.String(), "none"))
	}
	return nil
}

// set changes the budget, in the player's name too.
func (e *EqualCPU) set(n int64) {
	p := e.Adjusted
	*budgetOf(&p.Limits) = n
	if i := strings.LastIndex(p.Name, "@"); i >= 0 && player.HasBudget(p.Name) {
		p.Name = p.Name[:i+1] + p.Limits.String()
	}
}

// calibration searches for the budget at which processor times are equal. It keeps the weighted
// sums of all steps, so a step with unlike times moves the budget less, the more is known.
type calibration struct {
	weight, sum, squares float64 // of the logarithms of proposed budgets
	near                 int     // number of steps with nearly equal times
}

// next returns the budget after a step at which the times had a ratio, its standard error as a
// share, and whether to play with it.
func (c *calibration) next(n int64, ratio float64) (budget int64, se float64, done bool) {
	off := min(max(math.Log(ratio), -math.Log(16)), math.Log(16))
	if c.near == 0 && math.Abs(off) > 2*closeBy { // times do not grow in proportion so far away
		*c = calibration{}
	}
	x, w := math.Log(float64(n))-off, 1/(float64(off*off)+.01)
	c.weight, c.sum, c.squares = c.weight+w, c.sum+float64(w*x), c.squares+float64(w*x*x)
	if math.Abs(off) < closeBy {
		c.near++
	}
	mean := c.sum / c.weight
	se = math.Sqrt(max(c.squares/c.weight-float64(mean*mean), 0) / float64(max(c.near-1, 1)))
	return int64(min(max(1, math.Exp(mean)+0.5), 1e15)), se, c.near == calibrations
}

// faultOf returns the first fault of a player in pairs; "" for none.
func faultOf(pairs []play.Pair) string {
	for _, p := range pairs {
		for _, g := range p.Games {
			if g.Reason.Fault() {
				return fmt.Sprintf("%s: %s", g.Reason, g.Detail)
			}
		}
	}
	return ""
}

// adjust adjusts the budget by pairs of games under a setup that are not of the run.
func (e *EqualCPU) adjust(ctx context.Context, v engines.Variant, setup play.Setup, tell func(string)) (err error) {
	w := play.NewWorker(v, setup)
	w.MeterAll = true
	defer func() { err = errors.Join(err, w.Close()) }()
	c, fault := calibration{}, ""
	for round := range maxCalibrations {
		job := play.Job{Seats: [2]player.Config{*e.Adjusted, *e.Other}, Stream: play.Stream("calibration"), Book: play.Drawn,
			From: round * calibrationPairs, To: (round + 1) * calibrationPairs}
		pairs, err := w.Play(ctx, job)
		if err != nil {
			return err
		}
		cpu := w.TakeCPU()
		if fault == "" {
			fault = faultOf(pairs)
		}
		if cpu[0].Time <= 0 || cpu[1].Time <= 0 {
			if fault != "" {
				return fmt.Errorf("equal CPU time: a game of the calibration was lost by a fault: %s", fault)
			}
			return fmt.Errorf("equal CPU time: that of %s and %s cannot be measured here; give both budgets yourself", e.Adjusted.Name,
				e.Other.Name)
		}
		perDecision := func(c play.CPU) float64 { return float64(c.Time) / float64(c.Decisions) }
		ratio := perDecision(cpu[0]) / perDecision(cpu[1])
		n, se, done := c.next(*budgetOf(&e.Adjusted.Limits), ratio)
		e.set(n)
		if (done || round == maxCalibrations-1) && tell != nil {
			line := fmt.Sprintf("equal CPU time: %s plays with %s (± %s, standard error), after %s of calibration, which do not count",
				e.Adjusted.Name, e.Adjusted.Limits, text.Percent(se), text.Plural((round+1)*calibrationPairs, "pair"))
			if !done {
				line += fmt.Sprintf("; its time hardly depends on that budget: it still took %s times that of %s", text.Digits(ratio, 3),
					e.Other.Name)
			}
			if fault != "" {
				line += "; a game of it was lost by a fault: " + fault
			}
			tell(line)
		}
		if done {
			break
		}
	}
	return nil
}
