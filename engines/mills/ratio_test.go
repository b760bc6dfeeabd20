package mills

import "testing"

// TestRatio: only the ratios of the weights that are tuned matter.
func TestRatio(t *testing.T) {
	for i, p := range space() {
		if tuned := !p.Frozen; tuned != (p.Ratio == ratio) {
			t.Errorf("parameter %d, %s: group %q, tuned %v", i, p.Name, p.Ratio, tuned)
		}
	}
}
