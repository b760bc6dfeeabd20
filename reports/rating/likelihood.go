package rating

import "math"

// multinomial is a tally in the form that the likelihood
// needs: classes of scores 0 to 1 in equal steps.
// It has room for the five classes of a pair.
type multinomial struct {
	n       int // number of observations
	classes int // 3 or 5
	count   [5]float64
	total   float64 // sum of count
}

// newMultinomial returns the tally with 1/1000 of an observation
// in each empty class (as fishtest, LLRcalc.py, regularize).
// The likelihood under a hypothesis that needs such a class is then small, not zero.
func newMultinomial(counts []int) multinomial {
	m := multinomial{classes: len(counts)}
	for i, c := range counts {
		m.n += c
		m.count[i] = max(float64(c), 1e-3)
		m.total += m.count[i]
	}
	return m
}

// score returns the score of class i.
func (m *multinomial) score(i int) float64 { return float64(i) / float64(m.classes-1) }

// fit is the likeliest distribution over the classes under a hypothesis,
// relative to the observed frequencies f: p_i = f_i / (1 + tilt_i).
type fit struct{ tilt [5]float64 }

// mean returns the likeliest distribution with a mean of s, 0 < s < 1:
// p_i = f_i / (1 + t (a_i - s)). t solves sum p_i (a_i - s) = 0.
// (Van den Bergh, "The generalized maximum likelihood ratio", Proposition 1.1.)
func (m *multinomial) mean(s float64) fit {
	var c [5]float64
	for i := range m.classes {
		c[i] = m.score(i) - s
	}
	return m.constrained(&c)
}

// constrained returns the likeliest distribution with
// sum p_i c_i = 0. c must have entries of both signs.
func (m *multinomial) constrained(c *[5]float64) fit {
	t := m.secular(c)
	var f fit
	for i := range m.classes {
		f.tilt[i] = t * c[i]
	}
	return f
}

// secular solves sum count_i c_i / (1 + t c_i) = 0 for t between the poles -1/max c and -1/min c.
// The sum falls there from +Inf to -Inf.
// No probability exceeds 1, so 1 + t c_i is at least f_i, which keeps t off the poles.
// Newton's steps are kept inside a shrinking bracket, so the loop ends.
func (m *multinomial) secular(c *[5]float64) float64 {
	low, high := math.Inf(-1), math.Inf(1)
	for i := range m.classes {
		if m.count[i] == 0 {
			continue
		}
		if end := (m.count[i]/m.total - 1) / c[i]; c[i] > 0 {
			low = max(low, end)
		} else if c[i] < 0 {
			high = min(high, end)
		}
	}
	t := 0.0
	for range 200 {
		sum, slope := 0.0, 0.0
		for i := range m.classes {
			q := c[i] / (1 + float64(t*c[i]))
			sum += float64(m.count[i] * q)
			slope += float64(m.count[i] * q * q)
		}
		if sum > 0 {
			low = t
		} else {
			high = t
		}
		next := t + sum/slope
		if !(next > low && next < high) {
			next = low + float64((high-low)/2)
		}
		if math.Abs(next-t) <= 1e-14*math.Abs(next) || next == low || next == high {
			return next
		}
		t = next
	}
	return t
}

// deviations returns the likeliest distribution whose mean lies t standard deviations above 1/2.
//
// With b = a - 1/2 and tau = t/sqrt(1 + t^2) the condition is E b = tau sqrt(E b^2).
// sqrt(x) is the smallest (x/v + v)/2 over v, so for
// given v the condition is linear in the probabilities:
//
//	E( b - tau (b^2/v + v)/2 ) = 0, with v^2 = E b^2 at the solution.
//
// This is the iteration of Van den Bergh, "Normalized Elo, practical",
// section 4.1, in a form that provably ends: see climb and squeeze.
func (m *multinomial) deviations(t float64) fit {
	switch {
	case t == 0:
		return m.mean(0.5)
	case t < 0:
		return m.reversed().deviations(-t).reversed(m.classes)
	}
	tau := t / math.Sqrt(1+float64(t*t))
	var first, second float64
	for i := range m.classes {
		b := m.score(i) - 0.5
		first += float64(m.count[i] * b)
		second += float64(m.count[i] * b * b)
	}
	first /= m.total
	second /= m.total
	if first <= tau*math.Sqrt(second) {
		return m.climb(tau)
	}
	return m.squeeze(tau, first, second)
}

// climb is deviations for a tally below the hypothesis. The conditions for all v are then
// sufficient, and the iteration v <- sqrt(E b^2) raises the likelihood at every step. There can
// be two maxima, one for each class that could bring the points, so it starts from each class
// alone: at b tau, if c > 0 for some class as the secular equation needs.
func (m *multinomial) climb(tau float64) fit {
	best, top := m.climbFrom(tau, 0.5*tau)
	if m.classes == 5 {
		if f, l := m.climbFrom(tau, 0.25*tau); l > top {
			return f
		}
	}
	return best
}

// climbFrom returns the maximum reached from v and its log-likelihood.
func (m *multinomial) climbFrom(tau, v float64) (f fit, likelihood float64) {
	for range 200 {
		f = m.linear(tau, v)
		next := math.Sqrt(m.second(f))
		if math.Abs(next-v) <= 1e-12 {
			break
		}
		v = next
	}
	return f, m.logLikelihood(f)
}

// logLikelihood returns the log-likelihood of f less that of the observed frequencies.
func (m *multinomial) logLikelihood(f fit) float64 {
	sum := 0.0
	for i := range m.classes {
		sum -= float64(m.count[i] * math.Log1p(f.tilt[i]))
	}
	return sum
}

// squeeze is deviations for a tally above the hypothesis.
// The conditions for all v are then necessary.
// E b^2 - v^2 changes its sign once, between the two
// v at which the tally itself meets the condition.
func (m *multinomial) squeeze(tau, first, second float64) fit {
	middle := first / tau
	half := math.Sqrt(max(0, float64(middle*middle)-second))
	low, high := second/(middle+half), min(0.5, middle+half)
	v := math.Sqrt(second)
	var f fit
	for range 200 {
		f = m.linear(tau, v)
		next := math.Sqrt(m.second(f))
		if next > v {
			low = v
		} else {
			high = v
		}
		if math.Abs(next-v) <= 1e-13 || high-low <= 1e-13 {
			break
		}
		if !(next > low && next < high) {
			next = low + float64((high-low)/2)
		}
		v = next
	}
	return f
}

// linear returns the likeliest distribution under the condition of deviations for a given v.
func (m *multinomial) linear(tau, v float64) fit {
	var c [5]float64
	for i := range m.classes {
		b := m.score(i) - 0.5
		c[i] = b - float64(tau*(float64(b*b/v)+v)/2)
	}
	return m.constrained(&c)
}

// second returns E (a - 1/2)^2 under f.
func (m *multinomial) second(f fit) float64 {
	sum := 0.0
	for i := range m.classes {
		b := m.score(i) - 0.5
		sum += m.count[i] * b * b / (1 + f.tilt[i])
	}
	return sum / m.total
}

// reversed returns the tally as the opponent sees it.
func (m *multinomial) reversed() *multinomial {
	r := *m
	for i := range m.classes {
		r.count[i] = m.count[m.classes-1-i]
	}
	return &r
}

// reversed returns the distribution as the opponent sees it.
func (f fit) reversed(classes int) fit {
	var r fit
	for i := range classes {
		r.tilt[i] = f.tilt[classes-1-i]
	}
	return r
}
