package runs

import (
	"strings"
	"testing"
)

// TestFeedsCountsBusyCores expects a core for twenty pairs of a run without order, and for ten
// pairs in flight of a run whose steps build on each other, each with its limit in words.
func TestFeedsCountsBusyCores(t *testing.T) {
	for pairs, want := range map[int64]int{1: 1, 39: 1, 40: 2, 31_371: 1568} {
		if cores, limit := FeedsUnordered(pairs); cores != want || !strings.Contains(limit, "no game waits") {
			t.Errorf("%d pairs feed %d cores, want %d; %s", pairs, cores, want, limit)
		}
	}
	for inFlight, want := range map[int]int{0: 1, 19: 1, 20: 2, 10_000: 1000} {
		if cores, limit := FeedsOrdered(inFlight); cores != want || !strings.Contains(limit, "steps build on each other") {
			t.Errorf("%d pairs in flight feed %d cores, want %d; %s", inFlight, cores, want, limit)
		}
	}
}
