package engines

import (
	"math"
	"testing"
)

// TestSays: a score has its unit, and a proven end is told in plies.
func TestSays(t *testing.T) {
	for _, c := range []struct {
		unit string
		d    Decision
		want string
	}{
		{"points", Decision{Score: 99}, "99 points"},
		{"points", Decision{Score: 10178.25}, "10178 points"},
		{"points", Decision{Score: 1999999998, Mate: 2}, "wins in 2 plies"},
		{"points", Decision{Score: -1999999999, Mate: -1}, "loses in 1 ply"},
		{"chance of winning", Decision{Score: 0.61612}, "0.6161 chance of winning"},
		{"", Decision{Score: -3.5}, "-3.5 in its own unit"},
		{"points", Decision{Score: math.NaN(), Depth: 3}, "no score"},
	} {
		g := &Game{Unit: c.unit}
		if got := g.Describe(c.d); got != c.want {
			t.Errorf("%+v in %q: %q, want %q", c.d, c.unit, got, c.want)
		}
	}
}
