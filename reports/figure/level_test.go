package figure

import "testing"

// TestLevelSurfaceHasNoContours: a surface that is the same everywhere has no contour lines.
func TestLevelSurfaceHasNoContours(t *testing.T) {
	for _, v := range []float64{5, 0, -1e-3, 1e80} {
		if ticks := linearTicks(v, v, pairLevels, false); len(ticks) > 0 {
			t.Errorf("%v: %v", v, ticks)
		}
		if s, err := File(Pairs{Axes: []PairAxis{{Name: "a", Values: []float64{1, 2}}, {Name: "b", Values: []float64{1, 2}}},
			Pairs: []Pair{{Second: 1, Surface: [][]float64{{v, v}, {v, v}}}}}, "svg"); err != nil {
			t.Error(err, s)
		}
	}
}
