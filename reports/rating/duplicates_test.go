package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPairMatrixCountsKinds(t *testing.T) {
	var x PairMatrix
	for _, half := range [][2]int{{2, 2}, {2, 1}, {1, 2}, {2, 0}, {2, 0}, {0, 2}, {1, 1}, {0, 1}, {0, 0}, {0, 0}, {0, 0}} {
		x.Add(half[0], half[1])
	}
	if got, want := x.Kinds(), [PairKinds]int{1, 2, 2, 1, 1, 1, 3}; got != want {
		t.Errorf("kinds %v, want %v", got, want)
	}
	if got, want := x.Pairs(), (Pairs{3, 1, 4, 2, 1}); got != want {
		t.Errorf("pairs %v, want %v", got, want)
	}
	if got, want := x.First(), (Pairs{1, 2, 5, 1, 2}); got != want {
		t.Errorf("pairs of the first player %v, want %v", got, want)
	}
	if got := x.Plus(x); got.N() != 22 || got[0][0] != 6 {
		t.Errorf("twice %v", got)
	}
	sum := 0.0
	for _, n := range x.Expected() {
		sum += n
	}
	if math.Abs(sum-11) > 1e-12 {
		t.Errorf("expected %v in all", sum)
	}
	// A table by hand: A won 60 of 100 games when playing first, and 70 when playing second.
	y := PairMatrix{{10, 0, 30}, {}, {20, 0, 40}}
	if got, want := y.Expected(), [PairKinds]float64{BothA: 42, BothFirst: 18, BothSecond: 28, BothB: 12}; !nearKinds(got, want) {
		t.Errorf("expected %v, want %v", got, want)
	}
	if r, _, ok := Shared(0.95, y); !ok || math.Abs(r-200/math.Sqrt(40*60*30*70)) > 1e-12 { // phi of the first player's points
		t.Errorf("shared %v", r)
	}
	if len(x.Expected()) != PairKinds || (PairMatrix{}).Expected() != [PairKinds]float64{} {
		t.Error("nothing played, something expected")
	}
}

func nearKinds(a, b [PairKinds]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 {
			return false
		}
	}
	return true
}

func TestSharedKnowsExtremes(t *testing.T) {
	for name, c := range map[string]struct {
		pairs   PairMatrix
		r       float64
		in      Interval // interval that must contain the returned one
		unknown bool
	}{
		"nothing":             {pairs: PairMatrix{}, unknown: true},
		"few":                 {pairs: PairMatrix{{0, 0, 10}, {}, {10, 0, 11}}, unknown: true},
		"all drawn":           {pairs: PairMatrix{1: {1: 100}}, unknown: true},
		"first always wins":   {pairs: PairMatrix{2: {0: 100}}, unknown: true},
		"the opening alone":   {pairs: PairMatrix{{0, 0, 50}, {}, {50, 0, 0}}, r: 1, in: Interval{0.85, 1}},
		"the player alone":    {pairs: PairMatrix{{50, 0, 0}, {}, {0, 0, 50}}, r: -1, in: Interval{-1, -0.85}},
		"nothing in common":   {pairs: PairMatrix{{100, 0, 100}, {}, {100, 0, 100}}, r: 0, in: Interval{-0.11, 0.11}},
		"many and the same":   {pairs: PairMatrix{{0, 0, 50000}, {}, {50000, 0, 0}}, r: 1, in: Interval{0.9995, 1}},
		"half drawn, neutral": {pairs: PairMatrix{{25, 50, 25}, {50, 100, 50}, {25, 50, 25}}, r: 0, in: Interval{-0.11, 0.11}},
	} {
		r, in, ok := Shared(0.95, c.pairs)
		if ok == c.unknown {
			t.Errorf("%s: known %v", name, ok)
			continue
		}
		if ok && (math.Abs(r-c.r) > 1e-12 || in.Low < c.in.Low || in.High > c.in.High || !in.Contains(r)) {
			t.Errorf("%s: %v in %v, want %v within %v", name, r, in, c.r, c.in)
		}
		if !ok && in != (Interval{-1, 1}) {
			t.Errorf("%s: interval %v of nothing", name, in)
		}
	}
}

// TestSharedIgnoresStrength pools matches of unequal players
// in which openings make no difference: the correlation is 0.
func TestSharedIgnoresStrength(t *testing.T) {
	strong, weak := PairMatrix{{1, 0, 9}, {}, {9, 0, 81}}, PairMatrix{{81, 0, 9}, {}, {9, 0, 1}}
	if r, in, ok := Shared(0.95, strong, PairMatrix{}, weak); !ok || math.Abs(r) > 1e-12 || !in.Contains(0) {
		t.Errorf("within: %v in %v", r, in)
	}
	if r, _, _ := Shared(0.95, strong.Plus(weak)); r > -0.5 {
		t.Errorf("thrown together: %v, want far below 0", r)
	}
	if _, _, ok := Shared(0.95); ok {
		t.Error("no match tells something")
	}
}

// TestCorrelateErrorFollowsSlopes compares the standard error of
// a correlation with the spread of the counts times their slopes.
func TestCorrelateErrorFollowsSlopes(t *testing.T) {
	const h = 1e-6
	tables := []table{{{9, 2, 4}, {1, 5, 3}, {2, 1, 30}}, {{4, 0, 1}, {2, 6, 2}, {1, 7, 3}}}
	_, se := correlate(tables)
	sum := 0.0
	for k := range tables {
		for i := range 3 {
			for j := range 3 {
				pairs := tables[k][i][j]
				tables[k][i][j] = pairs + h
				up, _ := correlate(tables)
				tables[k][i][j] = pairs - h
				down, _ := correlate(tables)
				tables[k][i][j] = pairs
				sum += pairs * math.Pow((up-down)/(2*h), 2)
			}
		}
	}
	near(t, "standard error", se, math.Sqrt(sum), 1e-8)
}

// TestSharedIntervalsCover simulates openings that matter little, much and almost
// alone: the interval holds the true correlation about as often as it says.
func TestSharedIntervalsCover(t *testing.T) {
	const runs = 2000
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		pairs  int
		effect float64 // an opening gives the first player 1/2 plus or minus this
	}{{40, 0}, {200, 0}, {40, 0.25}, {200, 0.25}, {60, 0.45}, {400, 0.45}} {
		truth := 4 * c.effect * c.effect
		hits := 0
		for range runs {
			var x PairMatrix
			for range c.pairs {
				p := 0.5 + c.effect*float64(1-2*r.IntN(2))
				first, second := 0, 2
				if r.Float64() < p {
					first = 2
				}
				if r.Float64() < p {
					second = 0
				}
				x.Add(first, second)
			}
			if _, in, ok := Shared(0.95, x); ok && in.Contains(truth) {
				hits++
			}
		}
		if share := float64(hits) / runs; share < 0.93 || share > 0.99 {
			t.Errorf("%d pairs, correlation %v: %.1f %% of the 95 %% intervals hold it", c.pairs, truth, 100*share)
		}
	}
}
