package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMeanLengthMatchesWald uses Wald, "Sequential Analysis" (1947),
// table of the average saving against a test of fixed length: 51 % at
// alpha = beta = 5 % and 58 % at 1 %, for tests that start at his bounds.
func TestMeanLengthMatchesWald(t *testing.T) {
	for _, v := range []struct{ alpha, saving float64 }{{.05, .51}, {.01, .58}} {
		low, high := SPRT{Alpha: v.alpha, Beta: v.alpha}.wald()
		pairs, _ := brownian(.5, 1, low, high) // a drift of half a deviation a pair
		fixed := math.Pow(2*quantile(1-2*v.alpha), 2)
		near(t, fmt.Sprint("saving at ", v.alpha), 1-pairs/fixed, v.saving, .005)
	}
}

// TestSurvivalIntegratesToMean also expects that survival
// falls and is continuous where its formulas meet.
func TestSurvivalIntegratesToMean(t *testing.T) {
	for _, w := range []motion{
		{0, 1, -3, 3}, {.5, 1, -3, 3}, {-.5, 1, -3, 3}, {2, 1, -3, 3}, {-9, 1, -3, 3}, {15, 1, -3, 3}, {.1, .04, -4.6, 3}, {-.02, .04, -.7, 4.6},
	} {
		mean, _ := brownian(w.drift, w.variance, w.low, w.high)
		sum, before, step := 0.0, 1.0, mean/2000
		for i := range 60000 {
			s := w.survival((float64(i) + .5) * step)
			if s > before+1e-9 || before-s > .01 {
				t.Fatalf("%+v: survival goes from %v to %v at %v", w, before, s, float64(i)*step)
			}
			sum += s * step
			before = s
		}
		near(t, fmt.Sprintf("%+v: mean time", w), sum, mean, 1e-3*mean)
	}
}

// TestLengthMatchesSimulation simulates tests: half
// of them end within the median, and 95 % within P95.
func TestLengthMatchesSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many matches")
	}
	const runs = 600
	s := SPRT{Elo0: 0, Elo1: 40}
	for i, elo := range []float64{-20, 0, 20, 40, 70} {
		truth := law{.1, .15, .4, .2, .15}.at(Logistic, elo)
		want, w := s.Length(elo, truth.variance()), s.motion(elo, truth.variance())
		half := w.quantile(.5, want.Mean)
		r := rand.New(rand.NewPCG(40, uint64(i)))
		var lengths []float64
		mean := 0.0
		for range runs {
			n := float64(runTest(s, truth, r).N)
			lengths = append(lengths, n)
			mean += n / runs
		}
		slices.Sort(lengths)
		median, p95 := lengths[runs/2], lengths[runs*95/100]
		t.Logf("%+v Elo: mean %.0f (%.0f), median %.0f (%.0f), 95 %% %.0f (%.0f)", elo, mean, want.Mean, median, half, p95, want.P95)
		near(t, fmt.Sprint(elo, " Elo: mean"), mean, want.Mean, .1*want.Mean)
		near(t, fmt.Sprint(elo, " Elo: median"), median, half, .13*half)
		near(t, fmt.Sprint(elo, " Elo: 95 %"), p95, want.P95, .13*want.P95)
		near(t, "chance of an end within the median", 1-w.survival(half), .5, .02)
	}
}

// TestShortTestsKeepErrorRates simulates 4,000 matches of independent games for each
// of two short tests, and compares their mean length and error rate with the plan's.
func TestShortTestsKeepErrorRates(t *testing.T) {
	for _, v := range []struct{ elo1, draws, pairs, pass float64 }{{200, 0, 12.5, .030}, {100, .5, 22.0, .028}} {
		l := SPRT{Elo1: v.elo1}.Length(0, PairVariance(0, v.draws))
		near(t, fmt.Sprintf("%+v: pairs", v), l.Mean, v.pairs, 3)
		near(t, fmt.Sprintf("%+v: passes", v), l.Pass, v.pass, .01)
	}
}

func ExampleSPRT_Length() {
	test := SPRT{Elo0: 0, Elo1: 5}
	for _, elo := range []float64{0, 2.5, 5} {
		l := test.Length(elo, 0.06)
		fmt.Printf("%+.1f Elo: %.0f pairs, 95 %% within %.0f; passes: %s\n", elo, l.Mean, l.P95, Chance(l.Pass))
	}
	// Output:
	// +0.0 Elo: 6288 pairs, 95 % within 15220; passes: 4.8 %
	// +2.5 Elo: 10410 pairs, 95 % within 27316; passes: 50.0 %
	// +5.0 Elo: 6288 pairs, 95 % within 15220; passes: 95.2 %
}
