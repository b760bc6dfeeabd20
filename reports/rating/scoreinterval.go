package rating

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// coarse is the number of observations outside the
// commonest class up to which the bounds are Gaffke's.
// TestScoreIntervalsCoverTwoClasses fails with coarse = 0:
// where a class is rare, 89 % are covered instead of 95 %.
const coarse = 5

// caution returns the weight of Gaffke's bound: 1 for few
// observations outside the commonest class, falling to 0 for many.
func caution(n, commonest int) float64 {
	return min(1, coarse/float64(max(1, n-commonest)))
}

// scoreInterval returns the interval of the mean score of a match of fixed length.
// Each bound is exceeded with probability (1 - level)/2.
// counts has the observations of the classes with scores 0 to 1 in equal steps.
// Without observations the interval is 0..1.
// It always holds the mean.
//
// It is the likelihood interval, by the likelihood of the SPRT: the
// observations are multinomial over the classes, and the other parameters
// of the distribution have their likeliest values for each mean s.
// The signed root r(s) of twice the log-likelihood ratio is compared
// with normal quantiles, after two corrections for small samples.
//
// First, Barndorff-Nielsen's r* = r + log(u/r)/r ("Inference on full or partial parameters
// based on the standardized signed log likelihood ratio", Biometrika 73, 1986).
// With u = t sqrt(sum n_i q_i^2), q_i = (a_i - s)/(1 + t (a_i - s)), it is the
// tail formula of Lugannani and Rice (Advances in Applied Probability 12, 1980)
// for the mean of the classes' scores a_i with weights drawn from Dirichlet's law.
// That is Rubin's Bayesian bootstrap ("The Bayesian bootstrap", Annals of Statistics
// 9, 1981); its saddlepoint equation is the one of the profile likelihood.
//
// Second, a class may be rare rather than impossible.
// Each bound is computed as if a whole pair more had been
// lost (for the lower bound) or won (for the upper).
// With two classes this is Clopper and Pearson's bound, with more Gaffke's
// ("Three test statistics for a nonparametric one-sided hypothesis on the mean
// of a nonnegative variable", Mathematical Methods of Statistics 14, 2005).
// No distribution on 0..1 is known to break it (Phan, Thomas and Learned-Miller,
// "Towards practical mean bounds for small samples", ICML 2021).
// It covers more often than it says where the sample is not coarse.
// So the weights of the added pair on the two ends go from (1, 0) to
// Jeffreys's (1/2, 1/2) as pairs outside the commonest class become many.
// Jeffreys's interval covers as often as it says on average (Brown, Cai and DasGupta,
// "Interval estimation for a binomial proportion", Statistical Science 16, 2001).
// See caution.
func scoreInterval(counts []int, level float64) Interval {
	seen := multinomial{classes: len(counts)}
	commonest, points := 0, 0
	for i, c := range counts {
		seen.count[i] = float64(c)
		seen.n += c
		points += i * c
		commonest = max(commonest, c)
	}
	if seen.n == 0 {
		return Interval{0, 1}
	}
	seen.total = float64(seen.n) + 1
	mean := float64(points) / (float64(seen.n) * float64(len(counts)-1))
	far, tail := float64((1+caution(seen.n, commonest))/2), float64((1-level)/2)
	low, mirrored := seen.withEnds(far), seen.reversed().withEnds(far)
	return Interval{min(mean, low.quantile(tail)), max(mean, 1-mirrored.quantile(tail))}
}

// withEnds returns m with one more observation: the part
// lowest of it in the lowest class, the rest in the highest.
func (m *multinomial) withEnds(lowest float64) *multinomial {
	ends := *m
	ends.count[0] += lowest
	ends.count[m.classes-1] += 1 - lowest
	return &ends
}

// quantile returns the s below which the mean score lies with probability tail, below 1/2,
// when the chances of the classes follow Dirichlet's law with the counts as parameters.
// Classes with a count of 0 cannot occur.
func (m *multinomial) quantile(tail float64) float64 {
	first, last, classes := m.ends()
	a, b := m.score(first), m.score(last)
	switch classes {
	case 1:
		return a
	case 2: // exactly, by the Beta distribution
		return a + float64((b-a)*mathext.InvRegIncBeta(m.count[last], m.count[first], tail))
	}
	mean := 0.0
	for i := range m.classes {
		mean += float64(m.count[i] * m.score(i))
	}
	return m.solve(distuv.UnitNormal.Quantile(tail), a, mean/m.total)
}

// ends returns the lowest and the highest class with a count, and the number of classes with one.
func (m *multinomial) ends() (first, last, classes int) {
	first = -1
	for i := range m.classes {
		if m.count[i] > 0 {
			if first < 0 {
				first = i
			}
			last = i
			classes++
		}
	}
	return first, last, classes
}

// solve returns the s between low and high with r*(s) = z.
// There is one, because r* rises with s.
// Newton's steps with the slope of r, kept inside a shrinking bracket, need about five.
func (m *multinomial) solve(z, low, high float64) float64 {
	s := high
	for range 100 {
		root, slope := m.root(s)
		if root > z {
			high = s
		} else {
			low = s
		}
		next := s + (z-root)/slope
		if !(next > low && next < high) {
			next = low + float64((high-low)/2)
		}
		if math.Abs(next-s) <= 1e-11*s || high-low <= 1e-15 {
			return next
		}
		s = next
	}
	return s
}

// root returns r*, the normal deviate of the chance that the mean score lies below s.
// slope is the derivative of r by s, the total times t/r.
func (m *multinomial) root(s float64) (corrected, slope float64) {
	var c [5]float64
	for i := range m.classes {
		c[i] = m.score(i) - s
	}
	t := -m.secular(&c)
	var k, second, third float64 // the cumulants at the saddlepoint
	for i := range m.classes {
		if m.count[i] == 0 {
			continue
		}
		k += float64(m.count[i] * math.Log1p(-float64(t*c[i])))
		q := c[i] / (1 - float64(t*c[i]))
		second += float64(m.count[i] * q * q)
		third += float64(m.count[i] * q * q * q)
	}
	r := math.Copysign(math.Sqrt(max(0, 2*k)), t)
	deviation := math.Sqrt(second)
	if math.Abs(r) < 1e-3 { // the limit, because u/r cancels
		return r + third/(3*second*deviation), m.total / deviation
	}
	return r + math.Log(t*deviation/r)/r, m.total * t / r
}
