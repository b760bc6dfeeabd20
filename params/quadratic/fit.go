package quadratic

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// evidence is one trial as a fit sees it.
type evidence struct {
	x, t   []float64 // where X and Than were, in [-1, 1] an axis
	pairs  float64
	mean   float64 // X's points a game
	square float64 // sum over pairs of the squared distance of a pair's points a game from mean
}

// design is the regression of a fit: the features of every trial that counts,
// column by column, in the whitened coordinates of the probes.
type design struct {
	d     int
	cross [][2]int   // pairs of whitened directions with a cross term
	ft    *mat.Dense // features, p x rows
	n     []float64  // games a row, by its weight
	y     []float64  // mean points a game
	rows  []int      // index of the trial
	games float64    // sum of n
}

func (g *design) p() int { return 2*g.d + len(g.cross) }

// scales are those of the priors, by number: of slopes, curvatures and cross
// terms.
type scales struct{ slope, curve, cross int }

var (
	slopeScales = [...]float64{.7, 1.4, 5.6, 22} // of s
	curveScales = [...]float64{1.5, 3, 7.5}      // of lambda
	crossScales = [...]float64{.1, .5, 2, 10}    // of lambda
)

// fit is a fitted quadratic q(a) = b a - a'Aa/2 in whitened coordinates.
type fit struct {
	d      int
	s      float64 // deviation of a log-odds measured along the whole of one probe direction
	lambda float64 // the loss a probe direction should have, in log-odds
	beta   []float64
	cross  [][2]int
	chol   mat.Cholesky // of the posterior precision
	scales scales
}

// slope and curvature read the coefficients.
func (f *fit) slope() []float64 { return f.beta[:f.d] }

func (f *fit) curvature() *mat.SymDense {
	a := mat.NewSymDense(f.d, nil)
	for i := range f.d {
		a.SetSym(i, i, f.beta[f.d+i])
	}
	for k, c := range f.cross {
		a.SetSym(c[0], c[1], f.beta[2*f.d+k])
	}
	return a
}

var errFactor = errors.New("the normal equations do not factor")

// priors returns the means and precisions of all coefficients.
func (f *fit) priors(c scales) (mean, precision []float64) {
	p := 2*f.d + len(f.cross)
	mean, precision = make([]float64, p), make([]float64, p)
	v, w, o := slopeScales[c.slope]*f.s, curveScales[c.curve]*f.lambda*curveUnit, crossScales[c.cross]*f.lambda
	for i := range f.d {
		precision[i] = 1 / (v * v)
		mean[f.d+i] = curveMean * f.lambda
		precision[f.d+i] = 1 / (w * w)
	}
	for k := range f.cross {
		precision[2*f.d+k] = 1 / (o * o)
	}
	return mean, precision
}

var curveMean, curveUnit = 1.0, 1.0

const newtonSteps = 3

// solve fits the design. It starts from the scales of the fit before, which only
// shortens the search.
func solve(g *design, dispersion float64, start scales) (*fit, error) {
	f := &fit{d: g.d, cross: g.cross, scales: start}
	f.s = 2 / math.Sqrt(max(g.games/dispersion, 1))
	f.lambda = min(lambdaUnit*f.s, 3/float64(g.d))
	p := g.p()
	f.beta = make([]float64, p)
	normal, right := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
	for range newtonSteps {
		g.linearise(f.beta, dispersion, normal, right)
		if err := f.choose(normal, right); err != nil {
			return nil, err
		}
	}
	return f, nil
}

var lambdaUnit = .7

// linearise computes the information matrix G of the likelihood at beta, and the
// right side G beta + gradient of its Newton step.
func (g *design) linearise(beta []float64, dispersion float64, normal *mat.SymDense, right *mat.VecDense) {
	rows := len(g.y)
	var eta mat.VecDense
	eta.MulVec(g.ft.T(), mat.NewVecDense(len(beta), beta))
	scaled := mat.NewDense(g.p(), rows, nil)
	root, pull := make([]float64, rows), make([]float64, rows)
	for k := range rows {
		e := eta.AtVec(k)
		q := 1 / (1 + math.Exp(-e))
		w := g.n[k] / dispersion
		info := w * max(q*(1-q), 1e-6)
		root[k] = math.Sqrt(info)
		pull[k] = float64(info*e) + float64(w*(g.y[k]-q))
	}
	for i := range g.p() {
		from, to := g.ft.RawRowView(i), scaled.RawRowView(i)
		for k, r := range root {
			to[k] = from[k] * r
		}
	}
	normal.SymOuterK(1, scaled)
	right.MulVec(g.ft, mat.NewVecDense(rows, pull))
}

// choose sets the scales of the priors to those of the highest evidence, and
// beta to the posterior mean under them.
func (f *fit) choose(normal *mat.SymDense, right *mat.VecDense) error {
	best := math.Inf(-1)
	var bestScales scales
	tried := map[scales]bool{}
	try := func(c scales) {
		if tried[c] || c.slope < 0 || c.curve < 0 || c.cross < 0 || c.slope >= len(slopeScales) || c.curve >= len(curveScales) || c.cross >= len(crossScales) {
			return
		}
		tried[c] = true
		if e, _, _, err := f.evidence(normal, right, c); err == nil && e > best {
			best, bestScales = e, c
		}
	}
	f.search(try, &bestScales)
	if math.IsInf(best, -1) || math.IsNaN(best) {
		return errFactor
	}
	_, beta, chol, err := f.evidence(normal, right, bestScales)
	if err != nil {
		return err
	}
	f.scales, f.chol = bestScales, *chol
	copy(f.beta, beta.RawVector().Data)
	return nil
}

// exhaustive is the most coefficients for which all combinations of scales are
// tried; above it one scale is varied after another.
const exhaustive = 44

func (f *fit) search(try func(scales), best *scales) {
	if len(f.beta) <= exhaustive {
		for a := range slopeScales {
			for b := range curveScales {
				for c := range crossScales {
					if len(f.cross) > 0 || c == 0 {
						try(scales{a, b, c})
					}
				}
			}
		}
		return
	}
	*best = f.scales
	try(f.scales)
	for {
		at := *best
		for _, step := range []int{-1, 1} {
			try(scales{at.slope + step, at.curve, at.cross})
			try(scales{at.slope, at.curve + step, at.cross})
			try(scales{at.slope, at.curve, at.cross + step})
		}
		if *best == at {
			return
		}
	}
}

// evidence returns the logarithm of the evidence for scales, up to a constant
// that all share, by Laplace's method around the point of linearisation
// (MacKay, Neural Computation 4, 1992), and the posterior mean.
func (f *fit) evidence(normal *mat.SymDense, right *mat.VecDense, c scales) (float64, *mat.VecDense, *mat.Cholesky, error) {
	mean, precision := f.priors(c)
	p := len(mean)
	h, r := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
	h.CopySym(normal)
	value := 0.0
	for i := range p {
		h.SetSym(i, i, h.At(i, i)+precision[i])
		r.SetVec(i, right.AtVec(i)+float64(precision[i]*mean[i]))
		value += float64(.5*math.Log(precision[i])) - float64(.5*mean[i]*float64(mean[i]*precision[i]))
	}
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		return 0, nil, nil, errFactor
	}
	var beta mat.VecDense
	if err := chol.SolveVecTo(&beta, r); err != nil {
		return 0, nil, nil, errFactor
	}
	value += float64(.5*mat.Dot(r, &beta)) - float64(.5*chol.LogDet())
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, nil, nil, errFactor
	}
	return value, &beta, &chol, nil
}
