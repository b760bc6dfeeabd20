package gamestats

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/testmode"
)

// TestSampleIsExactAndBounded expects exact counts of kept things,
// bounded memory, and a good estimate of the number of things.
func TestSampleIsExactAndBounded(t *testing.T) {
	testmode.SkipUnlessLong(t) // a study
	var s sample[int]
	for i, n := range []int{1000, maxKept, 5 * maxKept, 20 * maxKept} {
		s = sample[int]{}
		for thing := range n {
			for range 1 + thing%3 {
				if times := s.at(hashOf(fmt.Sprint(thing))); times != nil {
					*times++
				}
			}
		}
		if whole := i < 2; s.whole() != whole || whole && s.different() != n || len(s.kept) > maxKept {
			t.Errorf("%d things: %d kept, whole: %v, %d different", n, len(s.kept), s.whole(), s.different())
		}
		// 1.2/sqrt(maxKept/2) is the largest standard error.
		if miss := math.Abs(float64(s.different())/float64(n) - 1); miss > 4*1.2/math.Sqrt(maxKept/2) {
			t.Errorf("%d things: %d different, off by %.2f %%", n, s.different(), 100*miss)
		}
		for thing := range n {
			if times := s.kept[hashOf(fmt.Sprint(thing))]; times != nil && *times != 1+thing%3 {
				t.Fatalf("thing %d came %d times, want %d", thing, *times, 1+thing%3)
			}
		}
	}
}

// TestManyOpeningsAreSampled expects that a page about more openings
// than are kept says so, and still detects a repeated match.
func TestManyOpeningsAreSampled(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads many games")
	}
	pairs := 3 * maxKept
	play := func(different int) *Openings {
		var o Openings
		for i := range pairs {
			for game := range 2 {
				o.Add(datasets.GameRow{
					Trial: int64(i), Game: int32(game), Moves: fmt.Sprintf("m%d a%d", i%different, game), OpeningPlies: 1, Plies: 2,
					AScore: float64((i + game) % 2), Outcome: "1-0", Reason: "goal",
				})
			}
		}
		return &o
	}
	o := play(pairs)
	if got := o.Caution(); got != "" {
		t.Errorf("all different: %s", got)
	}
	if got := contents(o.Section(0.95, "A", "B")); !strings.Contains(got, "pairs from about ") || o.DuplicatePairs().N() != pairs {
		t.Errorf("%d pairs:\n%.600s", o.DuplicatePairs().N(), got)
	}
	o = play(2 * maxKept)
	if got := o.Caution(); !strings.Contains(got, "Only about 13") || !strings.Contains(got, " of 196,608 pairs are different") {
		t.Errorf("two thirds different: %q", got)
	}
	o = play(100)
	if got := o.Caution(); !strings.Contains(got, "Only 100 of 196,608 pairs are different") {
		t.Errorf("a hundred different: %q", got)
	}
}
