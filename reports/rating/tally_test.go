package rating

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestTalliesAddAndReverse(t *testing.T) {
	var p Pairs
	p.Add(0, 0)
	p.Add(2, 0)
	p.Add(1, 1)
	p.Add(2, 1)
	p.Add(2, 2)
	p.Add(0, 1)
	if want := (Pairs{1, 1, 2, 1, 1}); p != want {
		t.Errorf("pairs %v, want %v", p, want)
	}
	p.Add(2, 2)
	if got, want := p.Reversed(), (Pairs{2, 1, 2, 1, 1}); got != want {
		t.Errorf("reversed %v, want %v", got, want)
	}
	if got := p.String(); got != "LL 1, LD 1, even 2, WD 1, WW 2" {
		t.Errorf("text %q", got)
	}
	for _, bad := range []func(){
		func() { p.Add(3, 0) }, func() { p.Add(-1, 2) }, func() { p.Add(0, -1) },
	} {
		if !panics(bad) {
			t.Error("points out of range were counted")
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestMomentsMatchSingleObservations compares the moments
// with the moments of a list of all observations.
func TestMomentsMatchSingleObservations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p, q Pairs
		for i := range p {
			p[i] = rapid.IntRange(0, 50).Draw(t, "count")
			q[i] = rapid.IntRange(0, 50).Draw(t, "count")
		}
		sum := p.Plus(q)
		if sum.N() != p.N()+q.N() {
			t.Fatal("pairs lost in a sum")
		}
		var list []float64
		for i, n := range sum {
			for range n {
				list = append(list, float64(i)/4)
			}
		}
		mean, variance := slowMoments(list)
		if math.Abs(sum.Score()-mean) > 1e-12 || math.Abs(sum.Variance()-variance) > 1e-12 {
			t.Fatalf("%v: score %v variance %v, want %v %v", sum, sum.Score(), sum.Variance(), mean, variance)
		}
		if r := sum.Reversed(); r.Reversed() != sum || math.Abs(r.Score()+sum.Score()-1) > 1e-12 {
			t.Fatalf("%v reversed is %v", sum, r)
		}
	})
}

func TestGamesHaveMoments(t *testing.T) {
	g := Games{Wins: 3, Draws: 2, Losses: 1}.Plus(Games{Wins: 1, Draws: 2, Losses: 7}).reversed()
	mean, variance := slowMoments([]float64{0, 0, 0, 0, .5, .5, .5, .5, 1, 1, 1, 1, 1, 1, 1, 1})
	if math.Abs(g.Score()-mean) > 1e-15 || math.Abs(g.Variance()-variance) > 1e-15 || g.N() != 16 {
		t.Errorf("%v: score %v variance %v, want %v %v", g, g.Score(), g.Variance(), mean, variance)
	}
}

func slowMoments(list []float64) (mean, variance float64) {
	if len(list) == 0 {
		return 0.5, 0
	}
	for _, x := range list {
		mean += x / float64(len(list))
	}
	for _, x := range list {
		variance += (x - mean) * (x - mean) / float64(len(list))
	}
	return mean, variance
}

// law is a distribution of pairs for simulations.
type law [5]float64

// laws are pair distributions of very different shapes.
var laws = []struct {
	name string
	law  law
}{
	{"no draws, even", law{.15, 0, .7, 0, .15}},
	{"no draws, 60 %", law{.08, 0, .64, 0, .28}},
	{"few draws, correlated", law{.2, .1, .3, .15, .25}},
	{"draw-heavy, even", law{.002, .048, .9, .048, .002}},
	{"draw-heavy, better", law{.001, .04, .9, .057, .002}},
	{"opening decides nearly all", law{.01, 0, .98, 0, .01}},
	{"skewed to one side", law{0, 0, .97, 0, .03}},
	{"rare losses", law{.01, 0, 0, 0, .99}},
	{"rare half points", law{0, 0, 0, .05, .95}},
}

func (l law) mean() float64 { return .25*l[1] + .5*l[2] + .75*l[3] + l[4] }

func (l law) variance() float64 {
	v := 0.0
	for i, p := range l {
		v += p * (float64(i)/4 - l.mean()) * (float64(i)/4 - l.mean())
	}
	return v
}

// draw adds n pairs to p.
func (l law) draw(r *rand.Rand, p *Pairs, n int) {
	var cut [4]uint64
	sum := 0.0
	for i := range cut {
		sum += l[i]
		cut[i] = uint64(sum * (1 << 32))
	}
	for range n / 2 {
		u := r.Uint64()
		p[class(u>>32, &cut)]++
		p[class(u&(1<<32-1), &cut)]++
	}
	if n%2 == 1 {
		p[class(r.Uint64()>>32, &cut)]++
	}
}

// class returns the number of cuts that u, below 1 << 32, has reached, without branches.
func class(u uint64, cut *[4]uint64) uint64 {
	return 4 - (u-cut[0])>>63 - (u-cut[1])>>63 - (u-cut[2])>>63 - (u-cut[3])>>63
}

func TestHoeffdingContainsMean(t *testing.T) {
	for _, c := range []struct {
		pairs     Pairs
		low, high float64
	}{
		{Pairs{}, 0, 1},
		{Pairs{4: 10}, math.Pow(0.025, 0.1), 1}, // x = 1: -log q = log(2/0.05)/10
		{Pairs{0: 10}, 0, 1 - math.Pow(0.025, 0.1)},
		{Pairs{2: 1}, 0.000156, 0.999844}, // log 40 = log(1/(4 q (1-q)))/2
	} {
		in := c.pairs.Hoeffding(0.95)
		if math.Abs(in.Low-c.low) > 1e-5 || math.Abs(in.High-c.high) > 1e-5 {
			t.Errorf("%v: %v, want %v to %v", c.pairs, in, c.low, c.high)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := Pairs{}
		for i := range p {
			p[i] = rapid.IntRange(0, 500).Draw(t, "pairs")
		}
		p[2]++
		narrow, wide := p.Hoeffding(0.9), p.Hoeffding(0.999)
		if !narrow.Contains(p.Score()) || wide.Low > narrow.Low || wide.High < narrow.High || wide.Low < 0 || wide.High > 1 {
			t.Fatalf("%v: %v and %v", p, narrow, wide)
		}
		if mirror := p.Reversed().Hoeffding(0.9); math.Abs(mirror.Low-(1-narrow.High)) > 1e-9 {
			t.Fatalf("%v: %v, reversed %v", p, narrow, mirror)
		}
	})
}
