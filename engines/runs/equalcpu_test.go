package runs

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// TestCalibrationEndsNearEqualTimes expects, from any budget and with noisy times with a fixed
// part, a budget within a tenth of the one with equal times. It never ends if the time does not
// depend on the budget.
func TestCalibrationEndsNearEqualTimes(t *testing.T) {
	noise := rand.New(rand.NewPCG(1, 2))
	end := func(n int64, fixed float64) (budget int64, done bool) {
		var c calibration
		for range maxCalibrations {
			ratio := (fixed + float64(n)) / 10_000 * math.Exp(0.05*noise.NormFloat64())
			if n, _, done = c.next(n, ratio); done {
				return n, true
			}
		}
		return n, false
	}
	for _, start := range []int64{1, 100, 9_000, 1_000_000, 1e9} {
		if n, done := end(start, 2_000); !done || n < 7_200 || n > 8_800 {
			t.Errorf("from %d: %d, done is %v; want 8000", start, n, done)
		}
	}
	if n, done := end(100, 20_000); done || n != 1 {
		t.Errorf("done with %d, which still takes twice the time", n)
	}
}

// TestEqualCPUAdjustsNodesAndPlayouts expects budgets of nodes or playouts to be adjusted, in the
// name too, and all others to be refused.
func TestEqualCPUAdjustsNodesAndPlayouts(t *testing.T) {
	for text, want := range map[string]string{
		"nodes=5": "x@nodes=70", "depth=9,playouts=5": "x@depth=9,playouts=70", "depth=3": "", "": "", "nodes=5,time=1s": "",
	} {
		limits, err := engines.ParseLimits(text)
		if err != nil {
			t.Fatal(err)
		}
		e := EqualCPU{Adjusted: &player.Config{Name: "x@" + text, Limits: limits}}
		if err := e.Check(); (err == nil) != (want != "") {
			t.Errorf("%s: %v", text, err)
		} else if err == nil {
			e.set(70)
			if e.Adjusted.Name != want {
				t.Errorf("%s became %s", text, e.Adjusted.Name)
			}
		}
	}
}

// TestCPUTextNeedsDecisions expects no processor time of a player without a decision.
func TestCPUTextNeedsDecisions(t *testing.T) {
	late, other := datasets.CPUTime{Seconds: 1e-4}, datasets.CPUTime{Seconds: 0.1, Decisions: 2}
	want := "A not measured, B 50.0 ms per decision (in 0 and 2 decisions)"
	if got := CPUText([2]datasets.CPUTime{late, other}); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

// TestCalibrationIsDamped expects one step with a time twice too long among equal ones to move the
// budget by less than a tenth, and an error that grows with the scatter of steps.
func TestCalibrationIsDamped(t *testing.T) {
	var c calibration
	var se [2]float64
	for _, ratio := range []float64{1.02, .98} {
		_, se[0], _ = c.next(1000, ratio)
	}
	n, _, done := c.next(1000, 2)
	if n < 900 || n > 1000 || done {
		t.Errorf("a bad step moves the budget to %d, done is %v", n, done)
	}
	var rough calibration
	for _, ratio := range []float64{1.2, .8} {
		_, se[1], _ = rough.next(1000, ratio)
	}
	if se[0] > .05 || se[1] < 2*se[0] {
		t.Errorf("errors %v", se)
	}
}
