package analysis

import (
	"testing"

	"selfplaylab/engines"
	"selfplaylab/params/quadratic"
)

// TestFitPromisesNoMoreThanMatch cuts the Elo of a fit at the largest value of a match.
func TestFitPromisesNoMoreThanMatch(t *testing.T) {
	f := fit{History: &History{Task: &Task{Game: &engines.Game{}}}, elo: 1, z: 2}
	for e, want := range map[quadratic.Estimate]string{
		{Value: 18, SE: 2}:       "+18.0 ± 4.0",
		{Value: 1100, SE: 100}:   "+1100.0, from +900.0 to > +1200",
		{Value: -9e5, SE: 4.6e5}: "< -1200, from < -1200 to > +1200",
	} {
		if got := f.interval(e).String(); got != want {
			t.Errorf("%v: %s, want %s", e, got, want)
		}
	}
}
