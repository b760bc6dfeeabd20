package rating

import "math"

// Hoeffding returns an interval of A's expected score that provably covers at least as often as
// level says, for any number of pairs and any distribution of their points. It is wider than
// Estimate's, and serves at levels too high for simulations to check. An end is reached where n
// times the relative entropy of the mean score to it is log(2/(1-level)). (Hoeffding,
// "Probability inequalities for sums of bounded random variables", JASA 58, 1963, Theorem 1.)
func (p Pairs) Hoeffding(level float64) Interval {
	n, x := float64(p.N()), p.Score()
	if n == 0 {
		return Interval{0, 1}
	}
	limit := math.Log(2/(1-level)) / n
	entropy := func(q float64) float64 {
		sum := 0.0
		if x > 0 {
			sum += float64(x * math.Log(x/q))
		}
		if x < 1 {
			sum += float64((1 - x) * math.Log((1-x)/(1-q)))
		}
		return sum
	}
	end := func(far float64) float64 { // the entropy grows from x to far
		near := x
		for range 60 {
			if q := (near + far) / 2; entropy(q) <= limit {
				near = q
			} else {
				far = q
			}
		}
		return near
	}
	in := Interval{end(0), end(1)}
	if x == 0 {
		in.Low = 0
	}
	if x == 1 {
		in.High = 1
	}
	return in
}
