package rating

import (
	"fmt"
	"math"
	"testing"
)

// Wilson: Newcombe, "Two-sided confidence intervals for the single proportion",
// Statistics in Medicine 17 (1998), table I, methods 3 (score) and 5 (exact).
func TestProportionVectors(t *testing.T) {
	for _, v := range []struct {
		p             Proportion
		wilson, exact Interval
	}{
		{Proportion{81, 263}, Interval{.2553, .3662}, Interval{.2527, .3676}},
		{Proportion{15, 148}, Interval{.0624, .1605}, Interval{.0578, .1617}},
		{Proportion{0, 20}, Interval{0, .1611}, Interval{0, .1684}},
		{Proportion{1, 29}, Interval{.0061, .1718}, Interval{.0009, .1776}},
	} {
		w, e := v.p.Wilson(.95), v.p.ClopperPearson(.95)
		near(t, fmt.Sprint(v.p, " Wilson low"), w.Low, v.wilson.Low, 5e-5)
		near(t, fmt.Sprint(v.p, " Wilson high"), w.High, v.wilson.High, 5e-5)
		near(t, fmt.Sprint(v.p, " exact low"), e.Low, v.exact.Low, 5e-5)
		near(t, fmt.Sprint(v.p, " exact high"), e.High, v.exact.High, 5e-5)
	}
}

// The exact bounds are where the binomial tails are (1 - level)/2, summed term
// by term.
func TestClopperPearsonTails(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40, 333} {
		for k := range n + 1 {
			in := Proportion{k, n}.ClopperPearson(.9)
			if k > 0 {
				near(t, fmt.Sprintf("upper tail of %d in %d", k, n), 1-binomial(k-1, n, in.Low), .05, 1e-9)
			}
			if k < n {
				near(t, fmt.Sprintf("lower tail of %d in %d", k, n), binomial(k, n, in.High), .05, 1e-9)
			}
		}
	}
}

// binomial returns the chance of at most k in n.
func binomial(k, n int, p float64) float64 {
	sum := 0.0
	for i := range k + 1 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(i + 1))
		c, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(a - b - c + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

// Exactly computed, Clopper and Pearson's intervals never cover less than asked,
// Wilson's cover as asked on average.
func TestProportionCoverage(t *testing.T) {
	const n = 50
	mean := 0.0
	for i := 1; i < 100; i++ {
		p := float64(i) / 100
		var exact, wilson float64
		for k := range n + 1 {
			chance := binomial(k, n, p) - binomial(k-1, n, p)
			if (Proportion{k, n}).ClopperPearson(.95).Contains(p) {
				exact += chance
			}
			if (Proportion{k, n}).Wilson(.95).Contains(p) {
				wilson += chance
			}
		}
		if exact < .95-1e-9 {
			t.Errorf("at %v the exact interval covers %v", p, exact)
		}
		mean += wilson / 99
	}
	near(t, "Wilson's mean coverage", mean, .95, .005)
}

func TestProportionDegenerate(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000, 1e9} {
		for _, k := range []int{0, 1, n / 2, n - 1, n} {
			if k < 0 || k > n {
				continue
			}
			p := Proportion{k, n}
			for _, level := range []float64{.01, .5, .95, .999999} {
				for _, in := range []Interval{p.Wilson(level), p.ClopperPearson(level)} {
					if !(in.Low >= 0 && in.High <= 1 && (n == 0 || in.Contains(p.Value()))) {
						t.Errorf("%d in %d at %v: %v", k, n, level, in)
					}
				}
			}
		}
	}
	for _, bad := range []Proportion{{-1, 5}, {6, 5}, {0, -1}} {
		if !panics(func() { bad.Value() }) || !panics(func() { bad.Wilson(.9) }) || !panics(func() { bad.ClopperPearson(.9) }) {
			t.Errorf("%v was accepted", bad)
		}
	}
	for p, want := range map[Proportion]string{
		{}: "none of none", {0, 20}: "0 % (0.0..16.1)", {20, 20}: "100 % (83.9..100.0)",
		{1, 5000}: "< 0.1 % (0.0..0.1)", {4999, 5000}: "> 99.9 % (99.9..100.0)",
	} {
		if got := p.String(); got != want {
			t.Errorf("%d in %d: text %q, want %q", p.K, p.N, got, want)
		}
	}
}

func ExampleProportion() {
	byTime := Proportion{K: 12, N: 400}
	fmt.Println("lost on time:", byTime)
	exact := byTime.ClopperPearson(0.95)
	fmt.Printf("exactly %.4f..%.4f\n", exact.Low, exact.High)
	// Output:
	// lost on time: 3.0 % (1.7..5.2)
	// exactly 0.0156..0.0518
}
