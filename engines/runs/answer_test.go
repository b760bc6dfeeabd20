package runs

import (
	"testing"

	"selfplaylab/reports/rating"
)

// TestAnswerFollowsInterval expects an answer from enough pairs on, and of a fixed number of pairs
// at its end. A player that wins every pair is stronger; one that draws every pair is not shown to
// be.
func TestAnswerFollowsInterval(t *testing.T) {
	for _, c := range []struct {
		pairs    rating.Pairs
		finished bool
		want     string
	}{
		{rating.Pairs{4: 80}, true, Yes},
		{rating.Pairs{0: 80}, true, No},
		{rating.Pairs{2: 80}, true, Undecided},
		{rating.Pairs{4: rating.MinSample - 1}, true, Undecided},
		{rating.Pairs{4: 80}, false, Undecided},
	} {
		if got := Answer(c.pairs.Estimate(0.95), c.finished); got != c.want {
			t.Errorf("%v, finished %v: %s, want %s", c.pairs, c.finished, got, c.want)
		}
	}
}
