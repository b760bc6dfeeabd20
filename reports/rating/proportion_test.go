package rating

import (
	"fmt"
	"math"
	"testing"
)

// TestWilsonMatchesNewcombe uses Newcombe, "Two-sided confidence intervals for the
// single proportion", Statistics in Medicine 17 (1998), table I, method 3 (score).
func TestWilsonMatchesNewcombe(t *testing.T) {
	for _, v := range []struct {
		p      Proportion
		wilson Interval
	}{
		{Proportion{81, 263}, Interval{.2553, .3662}},
		{Proportion{15, 148}, Interval{.0624, .1605}},
		{Proportion{0, 20}, Interval{0, .1611}},
		{Proportion{1, 29}, Interval{.0061, .1718}},
	} {
		w := v.p.Wilson(.95)
		near(t, fmt.Sprint(v.p, " Wilson low"), w.Low, v.wilson.Low, 5e-5)
		near(t, fmt.Sprint(v.p, " Wilson high"), w.High, v.wilson.High, 5e-5)
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

// TestWilsonIntervalsCover computes the coverage exactly: it averages to the level.
func TestWilsonIntervalsCover(t *testing.T) {
	const n = 50
	mean := 0.0
	for i := 1; i < 100; i++ {
		p := float64(i) / 100
		wilson := 0.0
		for k := range n + 1 {
			chance := binomial(k, n, p) - binomial(k-1, n, p)
			if (Proportion{k, n}).Wilson(.95).Contains(p) {
				wilson += chance
			}
		}
		mean += wilson / 99
	}
	near(t, "Wilson's mean coverage", mean, .95, .005)
}

func TestProportionOfNothing(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000, 1e9} {
		for _, k := range []int{0, 1, n / 2, n - 1, n} {
			if k < 0 || k > n {
				continue
			}
			p := Proportion{k, n}
			for _, level := range []float64{.01, .5, .95, .999999} {
				if in := p.Wilson(level); !(in.Low >= 0 && in.High <= 1 && (n == 0 || in.Contains(p.Value()))) {
					t.Errorf("%d in %d at %v: %v", k, n, level, in)
				}
			}
		}
	}
	for _, bad := range []Proportion{{-1, 5}, {6, 5}, {0, -1}} {
		if !panics(func() { bad.Value() }) || !panics(func() { bad.Wilson(.9) }) {
			t.Errorf("%v was accepted", bad)
		}
	}
}
