package problem

import (
	"math"
	"testing"
)

// TestExamHasGainOfItsName checks the Elo to gain in every problem, and that a seed draws the
// same landscape again.
func TestExamHasGainOfItsName(t *testing.T) {
	again := Exam(3)
	for i, p := range Exam(3) {
		if err := p.Space.Check(p.Start); err != nil {
			t.Errorf("%s: start: %v", p.Name, err)
		}
		if err := p.Space.Check(p.Optimum); err != nil {
			t.Errorf("%s: optimum: %v", p.Name, err)
		}
		k := peaks()[i]
		gain := p.Elo(p.Optimum, p.Start)
		if k.trap == "" && math.Abs(gain-k.gain) > .05*k.gain+1e-9 {
			t.Errorf("%s: %.2f Elo to gain", p.Name, gain)
		}
		if gain < 0 || again[i].Strength(p.Start) != p.Strength(p.Start) {
			t.Errorf("%s: %.2f Elo to gain, or another landscape for the same seed", p.Name, gain)
		}
		if gain > 0 && !(p.Elo(p.Start, p.Optimum) < 0) {
			t.Errorf("%s: Elo has no sign", p.Name)
		}
	}
}
