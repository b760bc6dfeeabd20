package mills

import "testing"

// TestRatio: a tuning of all weights holds their common scale, which decides nothing.
func TestRatio(t *testing.T) {
	for i, p := range space() {
		if tuned := !p.Frozen; tuned != (p.Ratio == ratio) {
			t.Errorf("parameter %d, %s: group %q, tuned %v", i, p.Name, p.Ratio, tuned)
		}
	}
}
