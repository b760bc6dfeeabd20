package mills

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

// TestTermsMatterAsMeasured plays a few hundred games between
// evaluators at depth 4, colours swapped after 6 random quiet plies.
// It compares the scores with 300 games each of an
// independent searcher in C++, 95 % about ± 45 Elo.
// The bounds allow for the noise of both matches.
func TestTermsMatterAsMeasured(t *testing.T) {
	testmode.SkipUnlessLong(t)
	for _, row := range []struct {
		name           string
		x, other       []string
		elo, low, high float64
	}{
		{name: "w=2", x: []string{"w=2"}, elo: 17, low: 0, high: 0},
		{name: "+1 mob", x: mob(1), elo: 260, low: 170, high: 400},
		{name: "+2 mob", x: mob(2), elo: 265, low: 170, high: 400},
		{name: "+4 mob", x: mob(4), elo: 215, low: 120, high: 350},
		{name: "+8 mob", x: mob(8), elo: 156, low: 60, high: 260},
		{name: "+16 mob", x: mob(16), elo: 50, low: -50, high: 160},
		{name: "+2 two", x: both("two", 2), elo: 163, low: 60, high: 280},
		{name: "+2 blk", x: both("blk", 2), elo: 176, low: 70, high: 300},
		{name: "+4 mill", x: both("mill", 4), elo: 5, low: -80, high: 90},
		{name: "+16 mill", x: both("mill", 16), elo: 5, low: -100, high: 100},
		{name: "linear", x: []string{"curve=linear"}, elo: 20, low: -70, high: 110},
		{name: "root", x: []string{"curve=root"}, elo: 20, low: -70, high: 110},
		{name: "+2 mob +2 two against +2 mob", x: append(mob(2), both("two", 2)...), other: mob(2), elo: 62, low: -20, high: 150},
	} {
		r := match(t, set(t, "paper", row.x), set(t, "paper", row.other), 150, 2026)
		t.Logf("%-28s %+5.0f +- %3.0f Elo (%d games, %.1f %% drawn, first side %.1f %%); known %+.0f",
			row.name, r.elo(), r.margin(), r.games, 100*float64(r.draws)/float64(r.games), 100*r.first(), row.elo)
		if r.elo() < row.low || r.elo() > row.high {
			t.Errorf("%s: %+.0f Elo, want %+.0f to %+.0f", row.name, r.elo(), row.low, row.high)
		}
	}
	for _, row := range []struct {
		x, other  string
		low, high float64
	}{
		{"strong", "paper", 170, 500},
		{"strong", "mobile", 0, 250}, // set by hand on other openings
		{"sanmill", "paper", 70, 300},
		{"ninechess", "paper", -60, 150},
		{"bad", "paper", -800, -250},
	} {
		r := match(t, presetVector(t, row.x), presetVector(t, row.other), 150, 2027)
		t.Logf("%-28s %+5.0f +- %3.0f Elo", row.x+" against "+row.other, r.elo(), r.margin())
		if r.elo() < row.low || r.elo() > row.high {
			t.Errorf("%s: %+.0f Elo, want %+.0f to %+.0f", row.x, r.elo(), row.low, row.high)
		}
	}
}

func mob(weight int) []string { return both("mob", weight) }

// both sets a term while placing and while moving.
func both(term string, weight int) []string {
	value := "=" + itoa(weight)
	return []string{term + "_place" + value, term + "_move" + value}
}

func itoa(n int) string {
	p := space()[paramDraw]
	return p.Format(float64(n))
}

func set(t testing.TB, preset string, assignments []string) []float64 {
	t.Helper()
	v, err := space().Set(presetVector(t, preset), assignments)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// result is x's result over pairs of games.
type result struct {
	games, draws, points int   // points in halves
	pairs                []int // x's points of each pair, in halves
	firstPoints          int   // of the first side, in halves
}

func (r result) mean() float64  { return float64(r.points) / float64(2*r.games) }
func (r result) first() float64 { return float64(r.firstPoints) / float64(2*r.games) }

func Elo(score float64) float64 { return -400 * math.Log10(1/score-1) }
func (r result) elo() float64   { return Elo(r.mean()) }

// margin is half the 95 % interval, from the variance between pairs.
func (r result) margin() float64 {
	m, sum := r.mean(), 0.0
	for _, p := range r.pairs {
		d := float64(p)/4 - m
		sum += d * d
	}
	n := float64(len(r.pairs))
	half := 1.96 * math.Sqrt(sum/(n-1)/n)
	return (Elo(min(m+half, 0.999)) - Elo(max(m-half, 0.001))) / 2
}

// match plays pairs of games at the default limits from the same openings.
func match(t testing.TB, x, other []float64, pairs int, seed uint64) result {
	t.Helper()
	s := open(t, "")
	a, b := configured(t, s, x), configured(t, s, other)
	games := [2]*game{newGame(s, a, b), newGame(s, b, a)}
	r := result{}
	for i := range pairs {
		opening := drawOpening(s, rand.New(rand.NewPCG(seed, uint64(i))), 6).Moves
		pair := 0
		for side, g := range games {
			o, _ := g.play(t, opening, engines.Limits{Depth: 4})
			if o == engines.Draw {
				r.draws++
			}
			pair += o.Points(engines.Side(side))
			r.firstPoints += o.Points(engines.First)
		}
		r.games += 2
		r.points += pair
		r.pairs = append(r.pairs, pair)
	}
	return r
}
