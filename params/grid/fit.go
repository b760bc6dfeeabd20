package grid

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Sample is a measured value Y at X with its standard error SE, above 0.
type Sample struct{ X, Y, SE float64 }

// parabola is a weighted least-squares fit of y = a + b u + c u^2, where u goes from -1 to 1
// over the samples. Powers of x itself would be nearly collinear far from 0.
type parabola struct {
	mid, half float64 // centre and half width of the samples: x is mid + half u
	a, b, c   float64
	cov       mat.SymDense
	chi2      float64 // squared distances of the samples from the curve, in standard errors
	free      int     // degrees of freedom
}

func (p *parabola) unit(x float64) float64 { return (x - p.mid) / p.half }

// Fit fits a parabola by weighted least squares. Fewer than four samples, a standard error that
// is not positive, or samples that do not determine a parabola are an error. If the samples
// scatter around the curve by more than their errors explain, all errors are widened by Birge's
// ratio (Birge, Physical Review 40, 1932).
func Fit(samples []Sample) (*parabola, error) {
	if len(samples) < 4 {
		return nil, errors.New("a parabola requires at least four points")
	}
	first, last := samples[0].X, samples[0].X
	for _, s := range samples {
		first, last = min(first, s.X), max(last, s.X)
	}
	p := &parabola{mid: first + (last-first)/2, half: (last - first) / 2, free: len(samples) - 3}
	normal, right, row := mat.NewSymDense(3, nil), mat.NewVecDense(3, nil), mat.NewVecDense(3, nil)
	for _, s := range samples {
		if !(s.SE > 0) {
			return nil, errors.New("a point without a standard error")
		}
		w := 1 / (s.SE * s.SE)
		u := p.unit(s.X)
		row.SetVec(0, 1)
		row.SetVec(1, u)
		row.SetVec(2, u*u)
		normal.SymRankOne(normal, w, row)
		right.AddScaledVec(right, w*s.Y, row)
	}
	var chol mat.Cholesky
	var beta mat.VecDense
	if !chol.Factorize(normal) {
		return nil, errors.New("the points do not determine a parabola")
	}
	if err := chol.SolveVecTo(&beta, right); err != nil {
		return nil, err
	}
	p.a, p.b, p.c = beta.AtVec(0), beta.AtVec(1), beta.AtVec(2)
	if err := chol.InverseTo(&p.cov); err != nil {
		return nil, err
	}
	for _, s := range samples {
		u := p.unit(s.X)
		d := (s.Y - p.a - p.b*u - p.c*u*u) / s.SE
		p.chi2 += d * d
	}
	p.cov.ScaleSym(max(1, p.chi2/float64(p.free)), &p.cov)
	return p, nil
}

// Refused reports whether a chi-squared test at 5 % rejects the parabola. Its peak is then not
// the peak of the response, which may be steep on one side and flat on the other.
func (p *parabola) Refused() bool {
	return p.chi2 > distuv.ChiSquared{K: float64(p.free)}.Quantile(0.95)
}

// Candidate is a result Y at X with its interval Low..High at the level of Alone.
type Candidate struct{ X, Y, Low, High float64 }

// Alone returns the level of the intervals of n candidates at which the set of Best has the
// given confidence level. level is at least .5 and below 1.
func Alone(level float64, n int) float64 { return 1 - 2*(1-level)/float64(max(n-1, 1)) }

// Best returns the candidates that are not shown to be worse than the one with the highest Y,
// in the order given. With the confidence level of Alone the set holds the truly best
// candidate (comparisons with the best, Hsu, Annals of Statistics 12, 1984).
//
// Tests are combined by Bonferroni's bound. Errors count as independent, which only widens
// the set if candidates share openings. The arms of a difference are added by their squares
// (Zou and Donner, Statistics in Medicine 27, 2008), since intervals are lopsided if nearly
// all of few games were won.
func Best(candidates []Candidate) []Candidate {
	if len(candidates) < 2 {
		return candidates
	}
	top := candidates[0]
	for _, c := range candidates {
		if c.Y > top.Y {
			top = c
		}
	}
	var best []Candidate
	for _, c := range candidates {
		if top.Y-c.Y <= math.Hypot(top.Y-top.Low, c.High-c.Y) {
			best = append(best, c)
		}
	}
	return best
}

// At returns the fitted value at x and its standard error.
func (p *parabola) At(x float64) (y, se float64) {
	u := p.unit(x)
	v := mat.NewVecDense(3, []float64{1, u, u * u})
	return p.a + p.b*u + p.c*u*u, math.Sqrt(max(mat.Inner(v, &p.cov, v), 0))
}

// Peak returns the point where the parabola is highest and the interval of this point at a
// level, inside first..last. ok is false unless the parabola is curved downwards by two
// standard errors.
//
// The interval holds the points whose slope may be 0 at this level (Fieller, J. Royal
// Statistical Society B 16, 1954). The delta method would give a far too small error if the
// curvature is barely significant.
func (p *parabola) Peak(level, first, last float64) (x, low, high float64, ok bool) {
	if p.c+2*math.Sqrt(p.cov.At(2, 2)) >= 0 {
		return 0, 0, 0, false
	}
	at := func(u float64) float64 { return p.mid + float64(p.half*u) }
	x = at(-p.b / (2 * p.c))
	z := math.Sqrt2 * math.Erfinv(level)
	// The slope may be 0 where a u^2 + 2b u + c <= 0.
	a := 4 * (float64(p.c*p.c) - float64(z*z*p.cov.At(2, 2)))
	b := 2 * (float64(p.b*p.c) - float64(z*z*p.cov.At(1, 2)))
	c := float64(p.b*p.b) - float64(z*z*p.cov.At(1, 1))
	root := math.Sqrt(max(float64(b*b)-float64(a*c), 0))
	low, high = at((-b-root)/a), at((-b+root)/a)
	if a <= 0 { // the slope may be 0 arbitrarily far away, on one side or both
		low, high = first, last
	}
	return x, min(max(low, first), last), max(min(high, last), first), true
}
