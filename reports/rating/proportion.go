package rating

import (
	"fmt"
	"math"
)

// Proportion is K of N independent cases, such as games with a certain ending or moves that
// agree, 0 <= K <= N. Scores, which have draws, are no proportions.
type Proportion struct{ K, N int }

// Value returns K/N, or 0 without cases.
func (p Proportion) Value() float64 {
	p.check()
	if p.N == 0 {
		return 0
	}
	return float64(p.K) / float64(p.N)
}

// Wilson returns the interval of Wilson ("Probable inference, the law of succession, and
// statistical inference", JASA 22, 1927), inside 0..1. It covers about as often as level says,
// even with few cases. Without cases it is 0..1. It panics on a K outside 0..N.
func (p Proportion) Wilson(level float64) Interval {
	p.check()
	if p.N == 0 {
		return Interval{0, 1}
	}
	n, z := float64(p.N), quantile(level)
	x := p.Value()
	middle := (x + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(x*(1-x)/n+z*z/(4*n*n))
	in := around(middle, half)
	if p.K == 0 { // exactly 0 or 1, which the root misses by rounding
		in.Low = 0
	}
	if p.K == p.N {
		in.High = 1
	}
	return in
}

// check panics on a K outside 0..N.
func (p Proportion) check() {
	if p.K < 0 || p.N < p.K {
		panic(fmt.Sprintf("rating: a proportion of %d in %d", p.K, p.N))
	}
}
