package mills

import "testing"

// TestOnlyRatiosMatter expects the same play from tuned weights with the same ratios.
func TestOnlyRatiosMatter(t *testing.T) {
	for i, p := range space() {
		if tuned := !p.Frozen; tuned != (p.Ratio == ratio) {
			t.Errorf("parameter %d, %s: group %q, tuned %v", i, p.Name, p.Ratio, tuned)
		}
	}
}
