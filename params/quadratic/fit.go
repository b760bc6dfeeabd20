package quadratic

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// observation is one trial as fits see it.
type observation struct {
	x, than []float64 // where the two were played, in [-1, 1] an axis
	pairs   float64
	mean    float64 // X's points a game
	square  float64 // sum over the pairs of (points a game of the pair - mean)^2
}

// design is the regression of a fit: a column of features for every trial that
// counts, in the whitened coordinates of the probes. The log-odds of X against
// Than are q(x) - q(than), q(a) = b a - a'Aa/2.
type design struct {
	d        int
	cross    [][2]int // pairs of whitened directions with a cross term, after d slopes and d curvatures
	features *mat.Dense
	games    []float64 // of every row, by its weight
	total    float64   // their sum
	rows     []row
}

// row is a trial in whitened coordinates.
type row struct {
	x, than []float64
	weight  float64
	obs     *observation
}

// Games count fully up to the square radius flat, in units of what a probe has on
// average (1.09), and exponentially less beyond: a peak is a parabola only nearby.
const flat = 1.5

// newDesign whitens the observations around a state.
func newDesign(s *state, data []observation) *design {
	d := len(s.m)
	g := &design{d: d}
	for k := range data {
		o := &data[k]
		x, rx := s.whiten(o.x)
		than, rt := s.whiten(o.than)
		w := math.Exp(-max(0, max(rx, rt)/float64(d)-flat))
		if w < 1e-3 || o.pairs == 0 {
			continue
		}
		g.rows = append(g.rows, row{x: x, than: than, weight: w, obs: o})
		g.games = append(g.games, 2*float64(o.pairs*w))
		g.total += 2 * float64(o.pairs*w)
	}
	return g
}

// whiten returns a point in whitened coordinates and its squared length.
func (s *state) whiten(y []float64) (a []float64, square float64) {
	d := len(y)
	a = make([]float64, d)
	for i := range d {
		for j, b := range s.back.RawRowView(i) {
			a[i] += float64(b * (y[j] - s.m[j]))
		}
		square += float64(a[i] * a[i])
	}
	return a, square
}

// build makes the features for a choice of cross terms.
func (g *design) build(cross [][2]int) {
	g.cross = cross
	g.features = mat.NewDense(2*g.d+len(cross), len(g.rows), nil)
	for i := range g.d {
		slope, curve := g.features.RawRowView(i), g.features.RawRowView(g.d+i)
		for k, r := range g.rows {
			slope[k] = r.x[i] - r.than[i]
			curve[k] = -.5 * slope[k] * (r.x[i] + r.than[i])
		}
	}
	for n, c := range cross {
		to := g.features.RawRowView(2*g.d + n)
		for k := range g.rows {
			to[k] = g.rows[k].product(c)
		}
	}
}

// product is the feature of a cross term.
func (r *row) product(c [2]int) float64 {
	return float64(r.than[c[0]]*r.than[c[1]]) - float64(r.x[c[0]]*r.x[c[1]])
}

// features fills the coefficients of a displacement from the centre in q.
func features(a []float64, cross [][2]int, to []float64) {
	d := len(a)
	for i, x := range a {
		to[i], to[d+i] = x, -.5*x*x
	}
	for n, c := range cross {
		to[2*d+n] = -a[c[0]] * a[c[1]]
	}
}

// allCross lists every pair of d directions.
func allCross(d int) (list [][2]int) {
	for i := range d {
		for j := range i {
			list = append(list, [2]int{j, i})
		}
	}
	return list
}

// scales are those of the priors, by number: of slopes, curvatures and cross
// terms.
type scales struct{ slope, curve, cross int }

// Slopes are N(0, v^2), curvatures N(lambda, c^2), cross terms N(0, o^2). The
// evidence chooses v, c and o; it keeps the 66 cross terms of 12 parameters from
// drowning the rest (a third of the regret at 1,000 games).
var (
	slopeScales = [...]float64{.7, 1.4, 5.6, 22} // v, in s
	curveScales = [...]float64{1.5, 3, 7.5}      // c, in lambda
	crossScales = [...]float64{.1, .5, 2, 10}    // o, in lambda
)

// vagueScales are for looking at the data rather than for steps: priors so wide
// that they hardly say more than the data.
var vagueScales = scales{-1, -1, -1}

const vague = 50 // in s and lambda

// probeLoss is lambda, the log-odds that a probe direction should lose, in s.
const probeLoss = .7

// fit is a fitted quadratic with its posterior.
type fit struct {
	at     state // the state whose whitened coordinates it is in
	d      int
	cross  [][2]int
	s      float64 // deviation in log-odds of what is measured along one whole probe, 2/sqrt(games)
	lambda float64
	games  float64 // that count, by weight
	scales scales
	beta   *mat.VecDense // slopes, curvatures, cross terms
	chol   mat.Cholesky  // of the posterior's precision
	// dispersion is the variance of a pair's points by that of two independent
	// games without draws, in this fit's games.
	dispersion float64
}

func (f *fit) slope() *mat.VecDense { return mat.VecDenseCopyOf(f.beta.SliceVec(0, f.d)) }

func (f *fit) curvature() *mat.SymDense { return curvature(f.beta, f.d, f.cross) }

func curvature(beta *mat.VecDense, d int, cross [][2]int) *mat.SymDense {
	a := mat.NewSymDense(d, nil)
	for i := range d {
		a.SetSym(i, i, beta.AtVec(d+i))
	}
	for n, c := range cross {
		a.SetSym(c[0], c[1], beta.AtVec(2*d+n))
	}
	return a
}

var errFactor = errors.New("the normal equations do not factor")

// newFit fits a quadratic to all data around a state, under priors of the scales
// that the evidence chooses or, if it is not nil, of the given ones.
func newFit(s *state, data []observation, given *scales) (*fit, error) {
	g := newDesign(s, data)
	if len(g.rows) == 0 {
		return nil, errors.New("no game near the centre")
	}
	cross := allCross(g.d)
	if g.d > fullCross {
		g.build(nil)
		diagonal, err := g.solve(s, given)
		if err != nil {
			return nil, err
		}
		if cross = g.wanted(diagonal); len(cross) == 0 {
			return diagonal, nil
		}
	}
	g.build(cross)
	return g.solve(s, given)
}

// newtonSteps of the fit: the log-odds of probes are small, where the logistic
// curve is nearly straight.
const newtonSteps = 3

func (g *design) solve(s *state, given *scales) (*fit, error) {
	f := &fit{at: *s, d: g.d, cross: g.cross, games: g.total, scales: s.scales}
	f.s = 2 / math.Sqrt(max(g.total/s.dispersion, 1))
	f.lambda = min(probeLoss*f.s, 3/float64(g.d))
	if given != nil {
		f.scales = *given
	}
	p, _ := g.features.Dims()
	f.beta = mat.NewVecDense(p, nil)
	l := newLinear(p, len(g.rows))
	for step := range newtonSteps {
		l.at(g, f.beta, s.dispersion)
		if given == nil && step != 1 { // the scales hardly change between two steps
			if err := f.choose(l); err != nil {
				return nil, err
			}
			continue
		}
		_, beta, chol, err := f.evidence(l, f.scales)
		if err != nil {
			return nil, err
		}
		f.beta, f.chol = beta, *chol
	}
	f.dispersion = g.dispersion(f)
	return f, nil
}

// linear is the likelihood around a point: information matrix G and right side
// G beta + gradient of a Newton step.
type linear struct {
	normal *mat.SymDense
	right  *mat.VecDense
	pull   []float64 // of every row
	info   []float64
	scaled *mat.Dense
}

func newLinear(p, rows int) *linear {
	return &linear{
		normal: mat.NewSymDense(p, nil), right: mat.NewVecDense(p, nil),
		pull: make([]float64, rows), info: make([]float64, rows), scaled: mat.NewDense(p, rows, nil),
	}
}

func (l *linear) at(g *design, beta *mat.VecDense, dispersion float64) {
	var eta mat.VecDense
	eta.MulVec(g.features.T(), beta)
	for k, games := range g.games {
		e := eta.AtVec(k)
		q := logistic(e)
		w := games / dispersion
		l.info[k] = w * max(q*(1-q), 1e-6)
		l.pull[k] = float64(l.info[k]*e) + float64(w*(g.rows[k].obs.mean-q))
	}
	for i := range beta.Len() {
		from, to := g.features.RawRowView(i), l.scaled.RawRowView(i)
		for k, v := range l.info {
			to[k] = from[k] * math.Sqrt(v)
		}
	}
	l.normal.SymOuterK(1, l.scaled)
	l.right.MulVec(g.features, mat.NewVecDense(len(l.pull), l.pull))
}

func logistic(r float64) float64 { return 1 / (1 + math.Exp(-r)) }

// priors returns the means and precisions of all coefficients.
func (f *fit) priors(c scales) (mean, precision []float64) {
	p := f.beta.Len()
	mean, precision = make([]float64, p), make([]float64, p)
	v, w, o := max(vague*f.s, f.at.loose), max(vague*f.lambda, f.at.loose), max(vague*f.lambda, f.at.loose)
	if c != vagueScales {
		v, w, o = slopeScales[c.slope]*f.s*f.many(), curveScales[c.curve]*f.lambda, crossScales[c.cross]*f.lambda
	}
	for i := range p {
		switch {
		case i < f.d:
			precision[i] = 1 / (v * v)
		case i < 2*f.d:
			mean[i], precision[i] = f.lambda, 1/(w*w)
		default:
			precision[i] = 1 / (o * o)
		}
	}
	return mean, precision
}

// choose sets the scales to those of the highest evidence, and the posterior to
// theirs: from those of the fit
// before, one is moved by one until none is better. (Trying all 48 combinations
// costs four times as much and was measured to change nothing.)
func (f *fit) choose(l *linear) error {
	best := math.Inf(-1)
	var mean *mat.VecDense
	var precision *mat.Cholesky
	tried := map[scales]bool{}
	try := func(c scales) {
		if tried[c] || min(c.slope, c.curve, c.cross) < 0 ||
			c.slope >= len(slopeScales) || c.curve >= len(curveScales) || c.cross >= len(crossScales) {
			return
		}
		tried[c] = true
		if e, beta, chol, err := f.evidence(l, c); err == nil && e > best {
			best, f.scales, mean, precision = e, c, beta, chol
		}
	}
	try(f.scales)
	for {
		at := f.scales
		for _, step := range []int{-1, 1} {
			try(scales{at.slope + step, at.curve, at.cross})
			try(scales{at.slope, at.curve + step, at.cross})
			if len(f.cross) > 0 {
				try(scales{at.slope, at.curve, at.cross + step})
			}
		}
		if f.scales == at {
			break
		}
	}
	if math.IsInf(best, -1) {
		return errFactor
	}
	f.beta, f.chol = mean, *precision
	return nil
}

// evidence returns the logarithm of the evidence for scales, up to a constant
// that all share, by Laplace's method (MacKay, Neural Computation 4, 1992), with
// the posterior's mean and precision.
func (f *fit) evidence(l *linear, c scales) (float64, *mat.VecDense, *mat.Cholesky, error) {
	mean, precision := f.priors(c)
	p := len(mean)
	h, right := mat.NewSymDense(p, nil), mat.VecDenseCopyOf(l.right)
	h.CopySym(l.normal)
	value := 0.0
	for i := range p {
		pull := precision[i] * mean[i]
		h.SetSym(i, i, h.At(i, i)+precision[i])
		right.SetVec(i, right.AtVec(i)+pull)
		value += float64(.5*math.Log(precision[i])) - float64(.5*mean[i]*pull)
	}
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		return 0, nil, nil, errFactor
	}
	beta := mat.NewVecDense(p, nil)
	if err := chol.SolveVecTo(beta, right); err != nil {
		return 0, nil, nil, errFactor
	}
	value += float64(.5*mat.Dot(right, beta)) - float64(.5*chol.LogDet())
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, nil, nil, errFactor
	}
	return value, beta, &chol, nil
}

// Two independent games without draws have 1. Draws bring it down, to .05 where
// nearly all games are drawn; openings that decide both games alike bring it up,
// to 2 at most.
const (
	leastDispersion, mostDispersion = .02, 2.5
	assumedPairs                    = 50 // pairs of dispersion 1 that are assumed beside those seen
)

// dispersion measures how the pairs scatter around a fit, less what the fit took
// up of that.
func (g *design) dispersion(f *fit) float64 {
	var eta mat.VecDense
	eta.MulVec(g.features.T(), f.beta)
	seen, expected := 0.0, 0.0
	for k, r := range g.rows {
		q, o := logistic(eta.AtVec(k)), r.obs
		seen += float64(r.weight * (o.square + float64(o.pairs*float64((o.mean-q)*(o.mean-q)))))
		expected += float64(r.weight * float64(o.pairs*float64(q*(1-q)/2)))
	}
	pairs := g.total / 2
	left := max(pairs-f.effective(), pairs/2)
	ratio := (seen*pairs/left + assumedPairs/8.) / (expected + assumedPairs/8.)
	return min(max(ratio, leastDispersion), mostDispersion)
}

// effective is the number of coefficients that the data determined, not the
// priors.
func (f *fit) effective() float64 {
	var inverse mat.SymDense
	if err := f.chol.InverseTo(&inverse); err != nil {
		return 0 // too ill-conditioned to tell; then the priors decided most
	}
	_, precision := f.priors(f.scales)
	n := 0.0
	for i, v := range precision {
		n += 1 - float64(v*inverse.At(i, i))
	}
	return n
}

// wanted lists the cross terms that the residuals of a fit without them ask for:
// those whose score test (Rao) is above what the largest of so many tests reaches
// by chance, strongest first and no more than directions.
func (g *design) wanted(f *fit) [][2]int {
	l := newLinear(f.beta.Len(), len(g.rows))
	l.at(g, f.beta, f.at.dispersion)
	var eta mat.VecDense
	eta.MulVec(g.features.T(), f.beta)
	pull := make([]float64, len(g.rows)) // the gradient
	for k := range pull {
		pull[k] = l.pull[k] - float64(l.info[k]*eta.AtVec(k))
	}
	type candidate struct {
		c    [2]int
		test float64
	}
	var list []candidate
	all := allCross(g.d)
	threshold := 2 * math.Log(float64(len(all)))
	for _, c := range all {
		score, info := 0.0, 1e-9
		for k := range g.rows {
			v := g.rows[k].product(c)
			score += float64(v * pull[k])
			info += float64(float64(v*v) * l.info[k])
		}
		if test := score * score / info; test > threshold {
			list = append(list, candidate{c, test})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.test, a.test) })
	var cross [][2]int
	for _, c := range list[:min(len(list), g.d)] {
		cross = append(cross, c.c)
	}
	return cross
}

// many narrows the prior of slopes where there are many parameters: the noise of
// all directions adds up. Without it 50 parameters of LOG end at a regret of .21
// after 1,200 games and 200 at .39, from .16 at the start.
func (f *fit) many() float64 { return min(1, 15/float64(f.d)) }
