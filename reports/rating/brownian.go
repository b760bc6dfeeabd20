package rating

import "math"

// motion is Brownian motion from 0 with a drift and a variance for each pair of games.
// It ends at low, below 0, or at high, above 0.
type motion struct{ drift, variance, low, high float64 }

// brownian returns the mean time at which Brownian motion from 0 leaves low..high, and the
// probability that it leaves upwards.
func brownian(drift, variance, low, high float64) (time, up float64) {
	k := 2 * drift / variance
	if k < 0 { // mirrored, so that nothing overflows
		time, up = brownian(-drift, variance, -high, -low)
		return time, 1 - up
	}
	if k*(high-low) < 1e-6 {
		return -low * high / variance, -low / (high - low)
	}
	up = math.Expm1(k*low) / math.Expm1(k*(low-high))
	return (float64(up*high) + float64((1-up)*low)) / drift, up
}

// quantile returns the time before which the motion ends with probability q, at most 0.99.
// mean is its mean time.
func (w motion) quantile(q, mean float64) float64 {
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

// survival returns the chance that the motion goes on beyond t: the
// integral of its density between two absorbing barriers (Cox and Miller,
// "The Theory of Stochastic Processes", 1965, section 5.7, equation 78).
// With nu = drift/variance, width w and starting point
// x above the lower bound it is the sum over k of
//
//	2 pi k / w^2 sin(pi k x / w) e^(-nu x) (1 - (-1)^k e^(nu w)) / (nu^2 + (pi k / w)^2)
//	  e^(-(drift^2/variance + (pi k / w)^2 variance) t / 2).
//
// Where the drift is strong, or t small, the bounds are treated as independent.
func (w motion) survival(t float64) float64 {
	if t <= 0 {
		return 1
	}
	if w.drift > 0 { // mirrored, so that e^(nu w) is small
		return motion{-w.drift, w.variance, -w.high, -w.low}.survival(t)
	}
	width := w.high - w.low
	x := -w.low
	nu := w.drift / w.variance
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

// alone is survival with independent bounds, for a
// t too small for both to matter or a strong drift.
// The time to each bound is inverse Gaussian.
func (w motion) alone(t float64) float64 {
	return max(0, 1-passage(t, -w.drift, w.variance, -w.low)-passage(t, w.drift, w.variance, w.high))
}

// passage returns the chance that Brownian motion from 0 has reached a level above 0 by time t.
// (Siegmund, "Sequential Analysis", 1985, equation 3.15.)
func passage(t, drift, variance, level float64) float64 {
	deviation := math.Sqrt(variance * t)
	p := normal((float64(drift*t) - level) / deviation)
	if reflected := normal(-(float64(drift*t) + level) / deviation); reflected > 0 {
		p += math.Exp(float64(2*drift*level/variance) + math.Log(reflected))
	}
	return p
}
