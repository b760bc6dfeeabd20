package objective

import (
	"math"
	"testing"
)

// FuzzVerdict: whatever a program answers is told, refused, or a finite value or points
// from 0 to of.
func FuzzVerdict(f *testing.F) {
	for _, line := range []string{`{"value": 0.25}`, `{"points": 3, "of": 4}`, `{"error": "no"}`, `{"value": 1e999}`, `{"points": 5, "of": 4}`, `{}`, `{"value": 1} 2`, `null`, ``} {
		f.Add(line, true)
		f.Add(line, false)
	}
	f.Fuzz(func(t *testing.T, line string, comparison bool) {
		v, told, why := readVerdict(line, comparison)
		if told != "" || why != "" {
			return
		}
		if math.IsNaN(v.Value+v.Points+v.Of) || math.IsInf(v.Value, 0) || comparison && !(v.Of > 0 && v.Points >= 0 && v.Points <= v.Of) {
			t.Errorf("%q is read as %+v", line, v)
		}
	})
}
