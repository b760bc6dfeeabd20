package rating

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/engines/testmode"
)

func TestEstimateReadsAsText(t *testing.T) {
	for _, v := range []struct{ got, want string }{
		{Pairs{400, 100, 900, 120, 480}.Estimate(.95).String(), "+15.6 ± 10.4 Elo (95 %, 2,000 pairs)"},
		{Games{Wins: 76, Losses: 89, Draws: 123}.Estimate(.95).String(), "-15.7 ± 30.4 Elo (95 %, 288 games)"},
		{Games{Wins: 500, Losses: 500}.Estimate(.99).String(), "0.0 ± 28.3 Elo (99 %, 1,000 games)"},
		{Pairs{}.Estimate(.95).String(), "no pairs played"},
		{Games{}.Estimate(.95).String(), "no games played"},
		{Pairs{4: 5}.Estimate(.95).String(), "> +1200 Elo, from -15.2 to > +1200 (95 %, only 5 pairs)"},
		{Pairs{4: 1}.Estimate(.95).String(), "> +1200 Elo, from -636.4 to > +1200 (95 %, only 1 pair)"},
		{Pairs{0: 12345}.Estimate(.95).String(), "< -1200 Elo, from < -1200 to < -1200 (95 %, 12,345 pairs, all alike)"},
		{Pairs{2: 100}.Estimate(.95).String(), "0.0 ± 12.6 Elo (95 %, 100 pairs, all alike)"},
		{Pairs{1, 0, 10, 0, 60}.Estimate(.95).Verdict(), "better: +413.9 ± 114.8 Elo (95 %, 71 pairs)"},
		{Pairs{60, 0, 10, 0, 1}.Estimate(.95).Verdict(), "worse: -413.9 ± 114.8 Elo (95 %, 71 pairs)"},
		{Pairs{400, 100, 900, 100, 420}.Estimate(.95).Verdict(), "not shown to be better: +3.6 ± 10.5 Elo (95 %, 1,920 pairs)"},
	} {
		if v.got != v.want {
			t.Errorf("got  %s\nwant %s", v.got, v.want)
		}
	}
}

// TestEstimateIsFiniteForAllTallies tries every tally with counts
// 0, 1, 2 and a large one in any class, and its mirror image.
func TestEstimateIsFiniteForAllTallies(t *testing.T) {
	counts := []int{0, 1, 2, 1e9}
	for code := range 1 << 10 {
		var p Pairs
		for i := range p {
			p[i] = counts[code>>(2*i)&3]
		}
		e, r := p.Estimate(.95), p.Reversed().Estimate(.95)
		finite(t, p, e)
		if math.Abs(e.Elo+r.Elo) > 1e-6 || math.Abs(e.EloRange.Low+r.EloRange.High) > 1e-6 || math.Abs(e.LOS+r.LOS-1) > 1e-6 {
			t.Fatalf("%v: %v, but the opponent %v", p, e, r)
		}
		g := Games{p[0], p[1], p[2]}
		finite(t, g, g.Estimate(.999))
	}
	for _, level := range []float64{0, 1, -1, 2, math.NaN()} {
		if !panics(func() { Pairs{1, 1}.Estimate(level) }) {
			t.Errorf("level %v was accepted", level)
		}
	}
}

// TestEstimateIntervalsCover simulates pairs by laws of many shapes, correlated within the
// pair, in matches long enough for every important class to show up: 95 % intervals cover 95 %.
// Elo is a monotone function of the score, so its interval covers as often.
func TestEstimateIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	runs := testmode.Times(500, 8)
	for i, l := range laws {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		n := int(100 / (1 - slices.Max(l.law[:])))
		n += n % 2
		covered := 0
		for range runs {
			var p Pairs
			l.law.draw(r, &p, n)
			if p.Estimate(.95).EloRange.Contains(eloOf(l.law.mean())) {
				covered++
			}
		}
		if d := float64(covered) - .95*float64(runs); math.Abs(d) > sigmas*math.Sqrt(.95*.05*float64(runs)) {
			t.Errorf("%s: intervals cover in %d of %d matches of %d pairs", l.name, covered, runs, n)
		}
	}
}

// TestMoreOpponentsAreNoMoreOpenings plays more opponents with the
// same results in every opening: they count as no more observations.
// An opening that suits a player against one opponent alone adds no correlation.
func TestMoreOpponentsAreNoMoreOpenings(t *testing.T) {
	one := Pairs{25, 0, 50, 0, 25}
	alone := one.Estimate(.95)
	alike, apart := make([]float64, 100), slices.Repeat([]float64{2}, 100)
	for k := range alike {
		alike[k] = []float64{0, 2, 2, 4}[k%4]
	}
	four := Pairs{100, 0, 200, 0, 100}
	e := four.EstimateByOpening(alike, .95)
	near(t, "half", e.ScoreRange.Half(), alone.ScoreRange.Half(), .05*alone.ScoreRange.Half())
	near(t, "SE", e.SE, alone.SE, .05*alone.SE)
	if e.N != 400 || e.Score != .5 || e.NElo != 0 || math.Abs(e.LOS-.5) > 1e-12 {
		t.Errorf("an even match: %+v", e)
	}
	if e := four.EstimateByOpening(apart, .95); !(e.SE > 0 && e.SE < .1*alone.SE) {
		t.Errorf("of openings that are all alike: %+v", e)
	}
	if e := four.EstimateByOpening([]float64{2}, .95); e != four.Estimate(.95) {
		t.Errorf("of one opening: %+v", e)
	}
}
