package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestDifferenceMatchesNewcombe uses Newcombe, "Interval estimation for the difference
// between independent proportions", Statistics in Medicine 17 (1998), table II, method
// 10: 56 of 70 against 48 of 80, and 9 of 10 against 3 of 10, with Wilson's intervals.
func TestDifferenceMatchesNewcombe(t *testing.T) {
	for _, v := range []struct {
		a, b Proportion
		want Interval
	}{
		{Proportion{56, 70}, Proportion{48, 80}, Interval{.0524, .3339}},
		{Proportion{9, 10}, Proportion{3, 10}, Interval{.1705, .8090}},
		{Proportion{10, 10}, Proportion{0, 20}, Interval{.6791, 1}},
	} {
		in := differenceRange(v.a.Value(), v.a.Wilson(.95), v.b.Value(), v.b.Wilson(.95), 1)
		near(t, fmt.Sprint(v.a, " less ", v.b, ", low"), in.Low, v.want.Low, 5e-5)
		near(t, fmt.Sprint(v.a, " less ", v.b, ", high"), in.High, v.want.High, 5e-5)
	}
}

// TestDifferenceIntervalsCover simulates independent matches:
// intervals of their difference cover at their level.
func TestDifferenceIntervalsCover(t *testing.T) {
	const runs = 2000
	for i, v := range []struct {
		a, b law
		n, m int
	}{
		{law{.15, 0, .7, 0, .15}, law{.1, .2, .4, .2, .1}, 60, 100},
		{law{.15, 0, .7, 0, .15}, law{.005, .02, .11, .08, .785}, 40, 40},
		{law{0, 0, .97, 0, .03}, law{.015, 0, .97, 0, .015}, 100, 300},
		{law{.02, .1, .5, .2, .18}, law{.001, .04, .9, .057, .002}, 1000, 300},
	} {
		r := rand.New(rand.NewPCG(30, uint64(i)))
		elo, missed := eloOf(v.a.mean())-eloOf(v.b.mean()), 0
		for range runs {
			var p, q Pairs
			v.a.draw(r, &p, v.n)
			v.b.draw(r, &q, v.m)
			d := Compare(p, q, .95)
			if !d.eloRange.Contains(elo) {
				missed++
			}
		}
		t.Logf("%v less %v: %d of %d missed", v.a, v.b, missed, runs)
		atMost(t, "Elo missed", missed, runs, .065)
	}
}

func TestCompareReversesWithItsArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := drawPairs(t), drawPairs(t)
		d, back := Compare(p, q, .95), Compare(q, p, .95)
		if math.Abs(d.eloRange.Low+back.eloRange.High) > 1e-6 {
			t.Fatalf("%v; with the matches exchanged %v", d, back)
		}
		if !d.eloRange.Contains(d.elo) {
			t.Fatalf("the interval lacks the difference: %+v", d)
		}
	})
}

func ExampleCompare() {
	before, after := Pairs{60, 20, 240, 25, 55}, Pairs{40, 20, 240, 30, 70}
	fmt.Println("changed by", Compare(after, before, 0.95))
	fmt.Println("so far:", Compare(Pairs{4: 2}, before, 0.95))
	fmt.Println("against nothing:", Compare(after, Pairs{}, 0.95))
	// Output:
	// changed by +32.7 Elo, from +5.8 to +59.5 (95 %, 400 against 400 pairs)
	// so far: at least -288.5 Elo (95 %, 2 against 400 pairs)
	// against nothing: too few games yet (400 against 0 pairs)
}
