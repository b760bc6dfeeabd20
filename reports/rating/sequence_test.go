package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines/testmode"
)

// TestSequenceHoldsAtAllLooks looks after every batch of 64 pairs up to 20,000: the
// interval is ever wrong with probability alpha at most, for any law of the pairs.
// A normal interval for a match of fixed length fails here: it is wrong in half the matches.
func TestSequenceHoldsAtAllLooks(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	for i, l := range laws {
		runs := testmode.Times(100, 10)
		missed, naive := misses(Sequence{}, l.law, uint64(i), runs, true)
		atMost(t, l.name, missed, runs, .05)
		if naive < runs/4 {
			t.Errorf("%s: the fixed interval missed only %d times", l.name, naive)
		}
		for _, s := range []Sequence{{Alpha: .01, Tightest: 200}, {Alpha: .2, Tightest: 5000}} {
			missed, _ := misses(s, l.law, uint64(i), runs/2, false)
			atMost(t, fmt.Sprintf("%s %+v", l.name, s), missed, runs/2, s.Alpha)
		}
	}
}

// misses counts the simulated matches in which the
// sequence, or a fixed interval, is wrong at any look.
func misses(s Sequence, l law, seed uint64, runs int, fixed bool) (sequence, naive int) {
	r := rand.New(rand.NewPCG(2, seed))
	mean := l.mean()
	for range runs {
		var p Pairs
		var wrong, naiveWrong bool
		for p.N() < 20000 {
			l.draw(r, &p, 64)
			if !wrong {
				in, ok := s.interval(p)
				wrong = ok && !in.Contains(mean)
			}
			if fixed && !naiveWrong {
				x := p.sample()
				naiveWrong = !around(x.mean, quantile(.95)*math.Sqrt(x.variance/float64(x.n))).Contains(mean)
			}
		}
		if wrong {
			sequence++
		}
		if naiveWrong {
			naive++
		}
	}
	return sequence, naive
}

// TestSequencePairsForIsFirstDecision expects an interval above 1/2 with the
// planned power after as many pairs of the same kind, and none after one pair less.
// Without a gain there is no number.
func TestSequencePairsForIsFirstDecision(t *testing.T) {
	s := Sequence{Tightest: 500}
	x := Pairs{40, 0, 110, 0, 50}.sample()
	gain := x.mean - .5
	for i, above := range []bool{false, true} {
		x.n = s.PairsFor(Pairs{40, 0, 110, 0, 50}) - 1 + i
		if got := gain-s.withDefaults().margin(x) >= quantile(.9)*math.Sqrt(s.withDefaults().variance(x)/float64(x.n)); got != above {
			t.Errorf("%d pairs: above by the power: %v", x.n, got)
		}
	}
	if n := s.PairsFor(Pairs{50, 0, 110, 0, 40}); n != 0 {
		t.Errorf("no gain: %d pairs", n)
	}
	if n := (&Progress{N: 100, LLR: 1, Upper: 3}).PairsToEnd(); n != 300 {
		t.Errorf("to the end of a test %d pairs", n)
	}
}

// TestSequenceMatchesPublishedFormula expects the formula as printed
// in the paper, and that no other rho is tighter at Tightest.
func TestSequenceMatchesPublishedFormula(t *testing.T) {
	p := Pairs{100, 300, 900, 350, 150}
	n := float64(p.N())
	paper := func(s Sequence, rho float64) float64 {
		sigma := math.Sqrt(s.variance(p.sample()))
		return sigma * math.Sqrt(2*(n*rho*rho+1)/(n*n*rho*rho)*math.Log(math.Sqrt(n*rho*rho+1)/s.Alpha))
	}
	for _, alpha := range []float64{1e-9, .001, .05, .3, .49} {
		for _, tightest := range []int{100, 1800, 40000} {
			s := Sequence{Alpha: alpha, Tightest: tightest}
			rho := math.Sqrt(s.rho2())
			in, ok := s.interval(p)
			if !ok {
				t.Fatalf("%+v gives no interval", s)
			}
			near(t, "margin", in.Half(), paper(s, rho), 1e-12)
			near(t, "middle", (in.Low+in.High)/2, p.Score(), 1e-12)
			if tightest != p.N() {
				continue
			}
			for _, other := range []float64{.5, .9, .99, 1.01, 1.1, 2} {
				if paper(s, rho) > paper(s, rho*other) {
					t.Errorf("%+v: margin %v, but %v with rho times %v", s, paper(s, rho), paper(s, rho*other), other)
				}
			}
		}
	}
}

func TestSequenceBeforeFirstLook(t *testing.T) {
	s := Sequence{}
	if in, ok := s.interval(Pairs{2: MinSequence - 1}); ok || in != (Interval{0, 1}) {
		t.Errorf("few pairs give %v, %v", in, ok)
	}
	if e := s.Estimate(Pairs{}); !e.Few || e.Decided() != 0 {
		t.Errorf("nothing played gives %+v", e)
	}
	counts := []int{0, 1, 2, 1e9}
	for code := range 1 << 10 {
		var p Pairs
		for i := range p {
			p[i] = counts[code>>(2*i)&3]
		}
		e := Sequence{Alpha: 1e-6}.Estimate(p)
		finite(t, p, e)
		if !e.AnyTime || e.Few != (p.N() < MinSequence) {
			t.Fatalf("%v: %+v", p, e)
		}
	}
	for _, bad := range []Sequence{{Alpha: -1}, {Alpha: .5}, {Alpha: math.NaN()}, {Tightest: -1}} {
		if bad.check() == nil || !panics(func() { bad.interval(Pairs{}) }) {
			t.Errorf("%+v was accepted", bad)
		}
	}
}

func ExampleSequence() {
	watch := Sequence{Alpha: 0.05, Tightest: 500}
	var match Pairs
	for batch := 1; ; batch++ {
		match = match.Plus(Pairs{7, 5, 26, 8, 18}) // the next 64 pairs, in schedule order
		if e := watch.Estimate(match); e.Decided() != 0 {
			fmt.Printf("after batch %d: %s\n", batch, e.Verdict())
			return
		}
	}
	// Output:
	// after batch 3: better: +68.7 ± 54.9 Elo (95 % at any time, 192 pairs)
}

func BenchmarkSequence(b *testing.B) {
	p := Pairs{100, 300, 900, 350, 150}
	for b.Loop() {
		Sequence{}.interval(p)
	}
}
