package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPairVarianceOfEqualPlayers(t *testing.T) {
	near(t, "no draws", PairVariance(0, 0), 1./8, 1e-15)
	near(t, "60 % draws", PairVariance(0, .6), .05, 1e-15)
	near(t, "all draws", PairVariance(0, 1), 1e-4, 0)
	s := Score(100)
	near(t, "apart", PairVariance(100, .2), (s*(1-s)-.05)/2, 1e-15)
}

// TestProfileVarianceMatchesMoments compares with second moments computed by hand.
func TestProfileVarianceMatchesMoments(t *testing.T) {
	for _, v := range []struct{ elo, even, want float64 }{
		{0, .5, 1. / 8}, {0, .97, .0075}, {0, 1, 1e-4}, {200, .3, .7/4 - math.Pow(Score(200)-.5, 2)},
	} {
		got, err := ProfileVariance(v.elo, v.even)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("%+v", v), got, v.want, 1e-15)
	}
	p := Pairs{10, 0, 300, 0, 80}
	got, err := ProfileVariance(eloOf(p.Score()), float64(p[2])/float64(p.N()))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "of a tally", got, p.Variance(), 1e-12)
	for _, bad := range [][2]float64{{0, -.1}, {0, 1.1}, {0, math.NaN()}, {400, .9}, {math.NaN(), .5}} {
		if v, err := ProfileVariance(bad[0], bad[1]); err == nil {
			t.Errorf("%v has variance %v", bad, v)
		}
	}
}

// TestPlanMatchesTextbookSizes uses the textbooks' (z(alpha/2) + z(beta))^2: 7.849 at 5 %
// and a power of 80 %, 10.507 at 90 %, 11.679 at 1 % and 80 % (such as Chow, Shao, Wang
// and Lokhnygina, "Sample Size Calculations in Clinical Research", 2017, chapter 3).
func TestPlanMatchesTextbookSizes(t *testing.T) {
	for _, v := range []struct{ level, power, want float64 }{{.95, .8, 7.849}, {.95, .9, 10.507}, {.99, .8, 11.679}} {
		p := Plan{Variance: .1, Level: v.level, Power: v.power}
		gap := Score(3) - .5
		n, err := p.PairsFor(3)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("%+v", v), float64(n)*gap*gap/.1, v.want, .002)
	}
}

func TestFeedsAtLeastOneWorker(t *testing.T) {
	for _, v := range []struct{ pairs, well, passably int }{{0, 1, 1}, {100, 1, 1}, {280, 1, 2}, {32000, 114, 228}} {
		if well, passably := Feeds(v.pairs); well != v.well || passably != v.passably {
			t.Errorf("%d pairs feed %d workers well, %d passably, want %+v", v.pairs, well, passably, v)
		}
	}
}

// TestPairsForMatchesQuantiles uses the textbooks' one-sided quantiles, 1.959964 + 1.644854.
func TestPairsForMatchesQuantiles(t *testing.T) {
	gap := Score(10) - .5
	want := math.Pow(1.959964+1.644854, 2) * .06 / gap / gap
	p := Plan{Variance: .06}
	up, err := p.PairsFor(10)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "pairs", float64(up), want, 8)
	if down, err := p.PairsFor(-10); down != up || err != nil {
		t.Errorf("%d pairs up, %d down, %v", up, down, err)
	}
	within, err := p.PairsWithin(5, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "interval", float64(within), math.Pow(1.959964*694.87/5, 2)*.06, 2)
}

// halfWidth returns half the interval of Elo after a number of pairs: the inverse of PairsWithin.
func halfWidth(p Plan, pairs int, elo float64) float64 {
	p = p.withDefaults()
	h := quantile(p.Level) * math.Sqrt(p.Variance/float64(pairs))
	return (eloOf(Score(elo)+h) - eloOf(Score(elo)-h)) / 2
}

// powerOf returns the chance that the interval of a match lies
// on the right side of equality: the inverse of PairsFor.
func powerOf(p Plan, pairs int, elo float64) float64 {
	p = p.withDefaults()
	gap := math.Abs(Score(elo) - 0.5)
	return normal((gap*math.Sqrt(float64(pairs)) - quantile(p.Level)*math.Sqrt(p.Variance+gap*gap)) / math.Sqrt(p.Variance))
}

func TestPlanInvertsPower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Plan{
			Variance: rapid.Float64Range(.001, .25).Draw(t, "variance"),
			Level:    rapid.Float64Range(.5, .999).Draw(t, "level"),
			Power:    rapid.Float64Range(.5, .999).Draw(t, "power"),
		}
		elo := rapid.Float64Range(1, 300).Draw(t, "elo")
		n, err := p.PairsFor(elo)
		if err != nil {
			t.Fatal(err)
		}
		if powerOf(p, n, elo) < p.Power-1e-9 || n > MinSample && powerOf(p, n-1, elo) > p.Power+1e-9 {
			t.Fatalf("%d pairs have power %v, one less %v, want %v", n, powerOf(p, n, elo), powerOf(p, n-1, elo), p.Power)
		}
		if n, err = p.PairsWithin(elo, 50); err != nil {
			t.Fatal(err)
		}
		if halfWidth(p, n, 50) > elo*(1+1e-9) || n > MinSample && halfWidth(p, n-1, 50) < elo*(1-1e-9) {
			t.Fatalf("%d pairs give ± %v, one less %v, want %v", n, halfWidth(p, n, 50), halfWidth(p, n-1, 50), elo)
		}
	})
}

// TestPlannedMatchesShowDifference simulates matches of the planned length: they show the
// difference as often as planned, with intervals as narrow as planned, also for large differences.
func TestPlannedMatchesShowDifference(t *testing.T) {
	const runs = 600
	r := rand.New(rand.NewPCG(10, 1))
	for _, v := range []struct{ elo, power float64 }{{25, .8}, {90, .95}, {110, .95}, {250, .95}} {
		truth := law{.1, .15, .4, .2, .15}.at(Logistic, v.elo)
		p := Plan{Variance: truth.variance(), Power: v.power}
		n, err := p.PairsFor(v.elo)
		if err != nil {
			t.Fatal(err)
		}
		shown, width := 0.0, 0.0
		for range runs {
			var match Pairs
			truth.draw(r, &match, n)
			e := match.Estimate(.95)
			if e.Decided() > 0 && !e.Few {
				shown += 1. / runs
			}
			width += e.EloError() / runs
		}
		near(t, fmt.Sprintf("share of %+v shown by %d pairs", v, n), min(shown, v.power), v.power, sigmas*math.Sqrt(v.power*(1-v.power)/runs))
		near(t, "half-width", width, halfWidth(p, n, v.elo), .08*width)
	}
}

func TestPlanRefusesBadInput(t *testing.T) {
	for _, v := range []struct {
		p    Plan
		want string
	}{
		{Plan{}, "variance 0"},
		{Plan{Variance: .3}, "variance 0.3"},
		{Plan{Variance: math.NaN()}, "variance NaN"},
		{Plan{Variance: .1, Level: 1}, "level 1"},
		{Plan{Variance: .1, Level: -1}, "level -1"},
		{Plan{Variance: .1, Power: .4}, "power 0.4"},
		{Plan{Variance: .1, Power: 1}, "power 1"},
	} {
		if err := v.p.check(); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%+v: error %v, want one about %q", v.p, err, v.want)
		}
		_, first := v.p.PairsFor(5)
		_, second := v.p.PairsWithin(5, 0)
		if first == nil || second == nil {
			t.Errorf("%+v was planned", v.p)
		}
	}
	good := Plan{Variance: .1}
	for _, elo := range []float64{0, math.NaN()} {
		if n, err := good.PairsFor(elo); err == nil {
			t.Errorf("%d pairs show %v Elo", n, elo)
		}
	}
	for _, v := range [][2]float64{{0, 0}, {-1, 0}, {math.NaN(), 0}, {5, math.NaN()}} {
		if n, err := good.PairsWithin(v[0], v[1]); err == nil {
			t.Errorf("%d pairs give ± %v Elo at %v", n, v[0], v[1])
		}
	}
	if n, err := good.PairsFor(1e-12); n != maxPlanned || err != nil {
		t.Errorf("%d pairs for next to nothing, %v", n, err)
	}
}

func ExamplePlan() {
	p := Plan{Variance: PairVariance(0, 0.2)} // one game in five is drawn
	show, err := p.PairsFor(10)
	if err != nil {
		fmt.Println(err)
	}
	within, err := p.PairsWithin(5, 0)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(show, "pairs show 10 Elo in 95 % of matches")
	fmt.Println(within, "pairs give ± 5 Elo")
	// Output:
	// 6285 pairs show 10 Elo in 95 % of matches
	// 7421 pairs give ± 5 Elo
}

// TestFindsIsSmallestDifference expects a difference for which the pairs suffice, a tenth below it none, and a wider one
// for intervals that hold at any time. Too few pairs find nothing.
func TestFindsIsSmallestDifference(t *testing.T) {
	need := func(elo float64) int {
		n, err := Plan{Variance: PairVariance(elo, 0), Power: 0.9}.PairsFor(elo)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, pairs := range []int{100, 500, 20_000} {
		elo := Finds(pairs, 0.95)
		if need(elo) > pairs || need(elo-0.1) <= pairs {
			t.Errorf("%d pairs: %v Elo needs %d, a tenth less %d", pairs, elo, need(elo), need(elo-0.1))
		}
		if wide := (Sequence{}).Finds(pairs); wide <= elo {
			t.Errorf("%d pairs find %v Elo at any time, %v at the end", pairs, wide, elo)
		}
	}
	if a, b := Finds(1, 0.95), (Sequence{}).Finds(MinSequence-1); a != 0 || b != 0 {
		t.Errorf("%v and %v Elo by too few pairs", a, b)
	}
}
