package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines/testmode"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// matches are laws of pairs as in real matches: even pairs, openings
// that decide nearly everything, and strong players against weak ones.
var matches = []struct {
	name string
	law  law
}{
	{"even, no draws", law{.15, 0, .7, 0, .15}},
	{"even", law{.1, .2, .4, .2, .1}},
	{"97 % split, even", law{.015, 0, .97, 0, .015}},
	{"97 % split, one side", law{0, 0, .97, 0, .03}},
	{"+400 Elo, no draws", law{.0083, 0, .165, 0, .8267}},
	{"+400 Elo", law{.005, .02, .11, .08, .785}},
	{"+700 Elo, no draws", law{.0003, 0, .0344, 0, .9653}},
	{"+700 Elo", law{.001, .002, .015, .03, .952}},
	{"one-sided", law{0, 0, .3, .3, .4}},
	{"three classes", law{0, .3, .4, .3, 0}},
	{"nearly always the same", law{0, 0, 0, .02, .98}},
	{"rare losses", law{.01, 0, 0, 0, .99}},
	{"rare losses among draws", law{.01, 0, 0, .45, .54}},
	{"draw-heavy", law{.002, .048, .9, .048, .002}},
	{"rare losses of a side", law{.005, 0, .4, .3, .295}},
}

// TestScoreIntervalsCover simulates matches by laws of all shapes.
// Intervals of 95 % cover at least 93.5 %, for however few pairs; from 300 pairs on
// not much more than 95 %, where at least 20 pairs differ from the commonest; and they
// are never wider than intervals by Hoeffding's inequality, which hold for every law.
// A normal interval fails here: it misses 15 % where 97 of 100 pairs are split.
func TestScoreIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many matches")
	}
	runs := testmode.Times(2000, 20)
	for i, v := range matches {
		for _, n := range []int{20, 40, 60, 100, 300, 1000} {
			r := rand.New(rand.NewPCG(11, uint64(i)))
			covered, width, normalWidth := 0, 0.0, 0.0
			seen := map[Pairs]Interval{}
			for range runs {
				var p Pairs
				v.law.draw(r, &p, n)
				in, ok := seen[p]
				if !ok {
					in = p.Estimate(.95).ScoreRange
					seen[p] = in
					if wide := p.Hoeffding(.95); in.Half() > wide.Half()+1e-9 {
						t.Errorf("%v: %v is wider than Hoeffding's %v", p, in, wide)
					}
				}
				if in.Contains(v.law.mean()) {
					covered++
				}
				width += in.Half() / float64(runs)
				normalWidth += quantile(.95) * math.Sqrt(v.law.variance()/float64(n)) / float64(runs)
			}
			atMost(t, fmt.Sprintf("%s, %d pairs: misses", v.name, n), runs-covered, runs, .065)
			share := float64(covered) / float64(runs)
			t.Logf("%-24s %4d pairs: %.1f %%, %.2f of the normal width", v.name, n, 100*share, width/normalWidth)
			if unlike := float64(n) * (1 - max(v.law[0], v.law[1], v.law[2], v.law[3], v.law[4])); unlike < 20 {
				continue
			}
			if width > 1.3*normalWidth {
				t.Errorf("%s, %d pairs: half-width %v, the normal one %v", v.name, n, width, normalWidth)
			}
			if share > .98 {
				t.Errorf("%s, %d pairs: covers %v", v.name, n, share)
			}
		}
	}
}

// TestScoreIntervalsCoverTwoClasses computes the coverage as a sum: at least
// 93.5 % for any chance of a rare result, and 95 % or slightly more on average.
func TestScoreIntervalsCoverTwoClasses(t *testing.T) {
	for _, n := range []int{20, 60, 100, 300, 1000} {
		worst, at, mean := 1.0, 0.0, 0.0
		list := make([]Interval, n+1)
		for k := range list {
			list[k] = Pairs{2: n - k, 4: k}.Estimate(.95).ScoreRange
		}
		const steps = 600
		for i := 1; i < steps; i++ {
			p := float64(i) / steps / 2
			law, covers := distuv.Binomial{N: float64(n), P: p}, 0.0
			for k, in := range list {
				if in.Contains(.5 + p/2) {
					covers += law.Prob(float64(k))
				}
			}
			mean += covers / (steps - 1)
			if covers < worst {
				worst, at = covers, p
			}
		}
		t.Logf("%d pairs: %.2f %% at worst (chance %.3f), %.2f %% on average", n, 100*worst, at, 100*mean)
		if worst < .94 || n > 20 && mean > .975 {
			t.Errorf("%d pairs: covers %v at a chance of %v, %v on average", n, worst, at, mean)
		}
	}
}

// TestTailMatchesBetaLaw compares the tail formula with the exact law for
// two classes, where the weight of the upper class is Beta distributed.
// The error is largest where a class counts half an observation only.
func TestTailMatchesBetaLaw(t *testing.T) {
	for _, a := range []float64{.5, 1, 3.5, 40, 1000} {
		for _, b := range []float64{.5, 1, 7, 300} {
			m := multinomial{classes: 5, total: a + b}
			m.count[1], m.count[4] = b, a
			law := distuv.Beta{Alpha: a, Beta: b}
			for _, tail := range []float64{.0005, .025, .2, .5, .9, .975} {
				x := law.Quantile(tail)
				if x < 1e-6 || x > 1-1e-6 {
					continue
				}
				root, _ := m.root(.25 + .75*x)
				near(t, fmt.Sprintf("chance below the %v quantile of Beta(%v, %v)", tail, a, b), normal(root), tail, .2*min(tail, 1-tail))
			}
		}
	}
}

// TestLargeSamplesHaveNormalIntervals expects the interval that other tools print.
func TestLargeSamplesHaveNormalIntervals(t *testing.T) {
	for _, p := range []Pairs{{300, 400, 600, 410, 290}, {1500, 0, 7000, 0, 1500}, {100, 2000, 15800, 2000, 100}, {20000, 30000, 50000, 30500, 20500}} {
		e := p.Estimate(.95)
		want := e.Normal().Elo()
		if math.Abs(e.EloRange.Low-want.Low) > .05 || math.Abs(e.EloRange.High-want.High) > .05 {
			t.Errorf("%v: %v, but normally %v", p, e.EloRange, want)
		}
	}
}

func drawPairs(t *rapid.T) Pairs {
	var p Pairs
	top := rapid.SampledFrom([]int{1, 3, 20, 400}).Draw(t, "top")
	for i := range p {
		p[i] = rapid.IntRange(0, top).Draw(t, "pairs")
	}
	return p
}

// TestScoreIntervalIsMonotone expects three things: a better pair for A never lowers
// either end; a higher level never narrows; the opponent's interval is the mirror image.
func TestScoreIntervalIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPairs(t)
		i := rapid.IntRange(0, 3).Draw(t, "class")
		p[i]++
		better := p
		better[i]--
		better[rapid.IntRange(i+1, 4).Draw(t, "better class")]++
		in, up := p.Estimate(.95).ScoreRange, better.Estimate(.95).ScoreRange
		if up.Low < in.Low-1e-9 || up.High < in.High-1e-9 {
			t.Fatalf("%v: %v, but %v: %v", p, in, better, up)
		}
		if wide := p.Estimate(.99).ScoreRange; wide.Low > in.Low || wide.High < in.High {
			t.Fatalf("%v: %v at 95 %%, %v at 99 %%", p, in, wide)
		}
		if mirror := p.Reversed().Estimate(.95).ScoreRange; math.Abs(mirror.Low-(1-in.High)) > 1e-9 {
			t.Fatalf("%v: %v, reversed %v", p, in, mirror)
		}
	})
}

// TestIntervalLOSAndSPRTAgree expects that LOS and a
// sequential test do not contradict the interval's decision.
func TestIntervalLOSAndSPRTAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPairs(t)
		e := p.Estimate(.95)
		if d := e.Decided(); d > 0 && e.LOS < .9 || d < 0 && e.LOS > .1 {
			t.Fatalf("%v: LOS %v", e, e.LOS)
		}
		if (e.LOS > .5) != (e.Score > .5) {
			t.Fatalf("score %v, LOS %v", e.Score, e.LOS)
		}
		test := SPRT{Elo0: -20, Elo1: 20}
		at := test.Pairs(p)
		if e.EloRange.Low > 20 && at.LLR <= 0 || e.EloRange.High < -20 && at.LLR >= 0 {
			t.Fatalf("%v, but %v", e, at)
		}
		if !e.Few && (at.State == AcceptH1 && e.EloRange.Low < -20 || at.State == AcceptH0 && e.EloRange.High > 20) {
			t.Fatalf("%v accepted, but %v", at.State, e)
		}
	})
}

func TestScoreIntervalOfMillionsOfPairs(t *testing.T) {
	for _, p := range []Pairs{{4: 1e9}, {3: 1, 4: 1e9}, {0: 1, 4: 1e9}, {1e9, 1, 0, 1, 1e9}, {1e9, 1e9, 1e9, 1e9, 1e9}} {
		for _, level := range []float64{1e-12, .01, .5, .95, 1 - 1e-12} {
			finite(t, p, p.Estimate(level))
		}
	}
}

func BenchmarkInterval(b *testing.B) {
	for _, p := range []Pairs{{34, 54, 63, 64, 75}, {1, 0, 97, 0, 2}, {0, 0, 0, 3, 97}, {1, 2, 1, 3, 20}, {2: 40}} {
		b.Run(fmt.Sprint([5]int(p)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Estimate(.95)
			}
		})
	}
}
