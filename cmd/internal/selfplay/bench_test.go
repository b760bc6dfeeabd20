package selfplay

import (
	"math"
	"testing"
)

// TestMarginRMS: margins of 3 and 5 in one pair and of -1 and 1 in another have a mean
// square of 9.
func TestMarginRMS(t *testing.T) {
	rms, in, n := marginRMS([]float64{(9.0 + 25) / 2, 1})
	if rms != 3 || n != 2 || in.Low != 0 || !(in.High > 3) || math.IsInf(in.High, 0) {
		t.Errorf("%v, %v, %d pairs", rms, in, n)
	}
}
