package rating

import "math"

// length is how long an SPRT takes.
type length struct {
	Mean float64 // pairs
	P95  float64 // pairs within which 95 % of the tests end
	Pass float64 // chance that H1 is accepted
}

// Length returns how long the test takes and how often it passes when A is truly
// elo better (in the model's unit) and a pair's mean score has the given variance
// (see Plan). The ratio is taken for Brownian motion between the bounds, with the drift
// of Van den Bergh's approximation of it ("The generalized maximum likelihood ratio
// for the expectation value of a distribution", section 3). It panics if check fails
// or the variance is not in 0..1/4.
func (s SPRT) Length(elo, variance float64) length {
	w := s.walk(elo, variance)
	var l length
	l.Mean, l.Pass = brownian(w.drift, w.variance, w.low, w.high)
	l.P95 = w.quantile(0.95, l.Mean)
	return l
}

// walk is Brownian motion from 0 with a drift and variance a pair, which ends at
// low, below 0, or high, above 0.
type walk struct{ drift, variance, low, high float64 }

// quantile returns the time at which the motion has ended with probability q, at
// most 0.99; mean is its mean time.
func (w walk) quantile(q, mean float64) float64 {
	low, high := 0.0, mean
	for w.survival(high) > 1-q {
		low, high = high, 2*high
	}
	for range 60 {
		if t := low + float64((high-low)/2); w.survival(t) > 1-q {
			low = t
		} else {
			high = t
		}
	}
	return high
}

// survival returns the chance that the motion has not ended by t: the integral of
// its density between two absorbing barriers (Cox and Miller, "The Theory of
// Stochastic Processes", 1965, section 5.7, equation 78). With nu = drift/variance,
// width w and starting point x above the lower bound it is the sum over k of
//
//	2 pi k / w^2 sin(pi k x / w) e^(-nu x) (1 - (-1)^k e^(nu w)) / (nu^2 + (pi k / w)^2)
//	  e^(-(drift^2/variance + (pi k / w)^2 variance) t / 2).
//
// Where the drift makes one bound certain, the other is left out.
func (w walk) survival(t float64) float64 {
	if t <= 0 {
		return 1
	}
	if w.drift > 0 { // mirrored, so that e^(nu w) is small
		return walk{-w.drift, w.variance, -w.high, -w.low}.survival(t)
	}
	width, x, nu := w.high-w.low, -w.low, w.drift/w.variance
	if -nu*width > 60 || w.variance*t < 0.02*min(x*x, w.high*w.high) {
		return w.alone(t)
	}
	sum := 0.0
	for k := 1; k < 400; k++ {
		wave := math.Pi * float64(k) / width
		rate := (float64(w.drift*nu) + float64(float64(wave*wave)*w.variance)) / 2
		term := 2 * wave / width * math.Exp(-float64(nu*x)-float64(rate*t)) / (float64(nu*nu) + float64(wave*wave))
		if term < 1e-13 {
			break
		}
		end := 1 - math.Exp(float64(nu*width))
		if k%2 == 1 {
			end = 1 + math.Exp(float64(nu*width))
		}
		sum += float64(term * end * math.Sin(wave*x))
	}
	return min(1, max(0, sum))
}

// alone is survival where the bounds do not know of each other: t is too small for
// both to matter, or the drift too strong. The time to each is inverse Gaussian.
func (w walk) alone(t float64) float64 {
	return max(0, 1-passage(t, -w.drift, w.variance, -w.low)-passage(t, w.drift, w.variance, w.high))
}

// passage returns the chance that Brownian motion has reached a level above it by t
// (Siegmund, "Sequential Analysis", 1985, equation 3.15).
func passage(t, drift, variance, level float64) float64 {
	deviation := math.Sqrt(variance * t)
	p := normal((float64(drift*t) - level) / deviation)
	if reflected := normal(-(float64(drift*t) + level) / deviation); reflected > 0 {
		p += math.Exp(float64(2*drift*level/variance) + math.Log(reflected))
	}
	return p
}
