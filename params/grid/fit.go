package grid

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Sample is a measured value y with its standard error at x.
type Sample struct{ X, Y, SE float64 }

// parabola is a weighted least-squares fit of y = A + B x + C x^2.
type parabola struct {
	A, B, C float64
	cov     mat.SymDense
	chi2    float64 // squared distances of the samples from the curve, in their errors
	free    int     // degrees of freedom
}

// Fit fits a parabola to at least four samples with positive standard errors,
// by weighted least squares. Where the samples lie further from the curve than
// their errors explain, because the truth is no parabola, all its errors are
// widened by the same factor (Birge's ratio; Birge, Physical Review 40, 1932).
func Fit(samples []Sample) (*parabola, error) {
	if len(samples) < 4 {
		return nil, errors.New("a parabola requires at least four points")
	}
	normal, right, row := mat.NewSymDense(3, nil), mat.NewVecDense(3, nil), mat.NewVecDense(3, nil)
	for _, s := range samples {
		if !(s.SE > 0) {
			return nil, errors.New("a point without a standard error")
		}
		w := 1 / (s.SE * s.SE)
		row.SetVec(0, 1)
		row.SetVec(1, s.X)
		row.SetVec(2, s.X*s.X)
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
	p := &parabola{A: beta.AtVec(0), B: beta.AtVec(1), C: beta.AtVec(2)}
	if err := chol.InverseTo(&p.cov); err != nil {
		return nil, err
	}
	for _, s := range samples {
		d := (s.Y - p.A - p.B*s.X - p.C*s.X*s.X) / s.SE
		p.chi2 += d * d
	}
	p.free = len(samples) - 3
	p.cov.ScaleSym(max(1, p.chi2/float64(p.free)), &p.cov)
	return p, nil
}

// Refused reports whether a chi-squared test at 5 % refuses the samples' lying on
// the parabola: then its peak is not that of the response, which may fall steeply
// on one side and hardly on the other.
func (p *parabola) Refused() bool {
	return p.chi2 > distuv.ChiSquared{K: float64(p.free)}.Quantile(0.95)
}

// Recommend returns the samples that are not shown to be worse than the one with the
// highest Y: a set that holds the truly best of those tried with the confidence
// level at least, although the highest was chosen for its result (comparisons
// with the best, Hsu, Annals of Statistics 12, 1984; here by Bonferroni's bound,
// the errors taken as independent, which only widens the set where they share
// openings). They are in the order given.
func Best(samples []Sample, level float64) []Sample {
	if len(samples) < 2 {
		return samples
	}
	top := samples[0]
	for _, s := range samples {
		if s.Y > top.Y {
			top = s
		}
	}
	z := distuv.UnitNormal.Quantile(1 - (1-level)/float64(len(samples)-1))
	var best []Sample
	for _, s := range samples {
		if top.Y-s.Y <= z*math.Hypot(top.SE, s.SE) {
			best = append(best, s)
		}
	}
	return best
}

// At returns the fitted value and its standard error.
func (p *parabola) At(x float64) (y, se float64) {
	v := mat.NewVecDense(3, []float64{1, x, x * x})
	return p.A + p.B*x + p.C*x*x, math.Sqrt(max(mat.Inner(v, &p.cov, v), 0))
}

// Peak returns where the parabola is highest, with its standard error by the
// delta method; false if it is not clearly curved downwards (by two standard
// errors).
func (p *parabola) Peak() (x, se float64, ok bool) {
	if p.C+2*math.Sqrt(p.cov.At(2, 2)) >= 0 {
		return 0, 0, false
	}
	x = -p.B / (2 * p.C)
	g := mat.NewVecDense(3, []float64{0, -1 / (2 * p.C), p.B / (2 * p.C * p.C)})
	return x, math.Sqrt(max(mat.Inner(g, &p.cov, g), 0)), true
}
