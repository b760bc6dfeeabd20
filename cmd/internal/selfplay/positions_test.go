package selfplay

import (
	"strconv"
	"testing"
)

// TestSplitsHaveTheirShares: openings fall into the splits as documented, and each stays in its split.
func TestSplitsHaveTheirShares(t *testing.T) {
	count := map[string]int{}
	for i := range 10000 {
		count[splitOf("quoridor", strconv.Itoa(i))]++
	}
	if count["train"] < 7850 || count["train"] > 8150 || count["valid"] < 900 || count["valid"] > 1100 {
		t.Errorf("%v of 10,000", count)
	}
	for position, want := range map[string]string{"e1 e9 10 9 1 h:- v:a1": "train", "e1 e9 10 9 1 h:- v:b2": "valid", "e1 e9 10 9 1 h:- v:g7": "test"} {
		if got := splitOf("quoridor", position); got != want {
			t.Errorf("%q is now in %s, was in %s", position, got, want)
		}
	}
}
