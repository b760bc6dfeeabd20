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
	// calibrations is the number of close calibrations whose mean makes the budget.
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

// calibration searches for the budget at which processor times are equal.
type calibration struct {
	sum  float64 // of the logarithms of proposals that came close
	near int     // how many did
}

// next returns the budget after one at which the times had a ratio, and whether to play with
// it.
func (c *calibration) next(n int64, ratio float64) (budget int64, done bool) {
	proposed := float64(n) / min(max(ratio, 1.0/16), 16)
	if math.Abs(math.Log(ratio)) < closeBy {
		c.sum += math.Log(proposed)
		c.near++
	}
	if done = c.near == calibrations; done {
		proposed = math.Exp(c.sum / calibrations)
	}
	return int64(min(max(1, proposed+0.5), 1e15)), done
}

// adjust adjusts the budget by pairs of games under a setup that are not of the run.
func (e *EqualCPU) adjust(ctx context.Context, v engines.Variant, setup play.Setup, tell func(string)) (err error) {
	w := play.NewWorker(v, setup)
	w.MeterAll = true
	defer func() { err = errors.Join(err, w.Close()) }()
	c, ratio := calibration{}, 0.0
	for round := range maxCalibrations {
		job := play.Job{Seats: [2]player.Config{*e.Adjusted, *e.Other}, Stream: play.Stream("calibration"), Book: play.Drawn,
			From: round * calibrationPairs, To: (round + 1) * calibrationPairs}
		if _, err := w.Play(ctx, job); err != nil {
			return err
		}
		cpu := w.TakeCPU()
		if cpu[0].Time <= 0 || cpu[1].Time <= 0 {
			return fmt.Errorf("equal CPU time: that of %s and %s cannot be measured here; give both budgets yourself", e.Adjusted.Name, e.Other.Name)
		}
		ratio = float64(cpu[0].Time) / float64(cpu[0].Decisions) / (float64(cpu[1].Time) / float64(cpu[1].Decisions))
		n, done := c.next(*budgetOf(&e.Adjusted.Limits), ratio)
		e.set(n)
		if done && tell != nil {
			tell(fmt.Sprintf("equal CPU time: %s plays with %s, after %s of calibration, which do not count", e.Adjusted.Name,
				e.Adjusted.Limits, text.Plural((round+1)*calibrationPairs, "pair")))
		}
		if done {
			return nil
		}
	}
	return fmt.Errorf("equal CPU time: %s still took %s times that of %s after %d pairs, with %s; its time hardly depends on that budget",
		e.Adjusted.Name, text.Digits(ratio, 3), e.Other.Name, maxCalibrations*calibrationPairs, e.Adjusted.Limits)
}
