package quadratic

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// probeLoss is lambda, the log-odds that a probe direction should lose, in s. With more than
// fewDirections it falls with their fourth root, because a whole probe loses in all of them.
const (
	probeLoss     = .7
	fewDirections = 3
)

// fit is a fitted quadratic with its posterior.
type fit struct {
	terms
	at     state   // the state in whose whitened coordinates it is
	s      float64 // deviation, in log-odds, of a measurement along one whole probe, 2/sqrt(games)
	lambda float64
	games  float64 // games that count, by weight
	scales scales
	beta   *mat.VecDense
	chol   factor // of the posterior's precision
	// beyond is the difference between the slopes averaged over the scales of their prior and
	// those of beta.
	beyond  []float64
	mixture []component
	wide    *posterior // the last of them
	// atHome is the share of the evidence for priors that take the start for the best point; 1
	// without a start.
	atHome float64
	// dispersion is the variance of a pair's points divided by that of two independent games
	// without draws, in the games of this fit.
	dispersion float64
}

// slope returns a copy of the fitted slopes.
func (f *fit) slope() *mat.VecDense {
	b := mat.VecDenseCopyOf(f.slopesOf(f.beta))
	if f.beyond != nil {
		b.AddVec(b, mat.NewVecDense(f.d, f.beyond))
	}
	return b
}

func (t terms) slopesOf(beta *mat.VecDense) mat.Vector { return beta.SliceVec(t.slopes(), t.number()) }

func (f *fit) curvature() *mat.SymDense { return f.curvatureOf(f.beta) }

func (t terms) curvatureOf(beta *mat.VecDense) *mat.SymDense {
	a := mat.NewSymDense(t.d, nil)
	for i := range t.d {
		a.SetSym(i, i, beta.AtVec(t.curves()+i))
	}
	for n, c := range t.cross {
		a.SetSym(c[0], c[1], beta.AtVec(n))
	}
	return a
}

var errFactor = errors.New("the normal equations do not factor")

// newFit fits a quadratic to all data around a state, under the given scales of the priors or,
// if given is nil, under the scales that the evidence chooses. The error says why the data do
// not determine a fit.
func newFit(s *state, data []observation, given *scales) (*fit, error) {
	g := newDesign(s, data)
	if len(g.obs) == 0 {
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

const (
	// maxInformed is the maximum number of times that a fit computes its information, most of
	// its cost: once at small log-odds, where the logistic curve is nearly straight, and again
	// if they were not small.
	maxInformed = 3
	// stale is the change of the information, as a share, from which it is computed again.
	// Below it, steps with the old one still converge. Only the errors that a model shows need
	// staleShown.
	stale, staleShown = .2, .05
	// maxSteps is the maximum number of steps of a fit. No step shorter than shortEnough, in
	// deviations of the posterior, is taken.
	maxSteps    = 8
	shortEnough = .01
)

// solve finds the coefficients of the highest posterior by Newton's method, with the gradient
// of every step and the information of the first step while it is accurate enough (the
// simplified method, Kelley, Iterative Methods, 1995, 5.4.1).
func (d *design) solve(s *state, given *scales) (*fit, error) {
	f := &fit{terms: d.terms, at: *s, games: d.total, scales: s.scales, atHome: 1}
	f.s = 2 / math.Sqrt(max(d.total/s.dispersion, 1))
	f.lambda = min(probeLoss*math.Sqrt(math.Sqrt(min(1, fewDirections/float64(d.d))))*f.s, 3/float64(d.d))
	limit := stale
	if !s.allows(f.scales.slope) {
		f.scales = firstScales
	}
	if given != nil {
		f.scales, limit = *given, staleShown
	}
	beta := make([]float64, d.number())
	old := d.linear(beta, s.dispersion)
	if err := f.choose(newSearch(d, old), given == nil); err != nil {
		return nil, err
	}
	informed := 1
	for range maxSteps {
		now := d.linear(f.beta.RawVector().Data, s.dispersion)
		if informed < maxInformed && now.apart(old) > limit {
			old = now
			informed++
			if err := f.choose(newSearch(d, old), given == nil); err != nil {
				return nil, err
			}
			continue
		}
		if f.correct(d, now) < shortEnough {
			break
		}
	}
	for _, b := range f.beta.RawVector().Data {
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return nil, errFactor
		}
	}
	f.dispersion = d.dispersion(f)
	return f, nil
}

// correct takes a step with the present factor and returns its length in deviations of the
// posterior.
func (f *fit) correct(g *design, l *linear) float64 {
	mean, precision := f.priors(f.scales)
	beta := f.beta.RawVector().Data
	step := make([]float64, len(beta))
	for i := range step {
		step[i] = dot(l.pull, g.columns[i]) + float64(precision[i]*(mean[i]-beta[i]))
	}
	f.chol.forward(step, len(step))
	length := math.Sqrt(dot(step, step))
	f.chol.backward(step)
	for i, v := range step {
		beta[i] += v
	}
	return length
}

// priors returns the means and precisions of all coefficients.
func (f *fit) priors(c scales) (mean, precision []float64) {
	p := f.number()
	mean, precision = make([]float64, p), make([]float64, p)
	v, w, o := max(vague*f.s, f.at.loose), max(vague*f.lambda, f.at.loose), max(vague*f.lambda, f.at.loose)
	if c != vagueScales {
		v, w, o = slopePriors[c.slope].v*f.s*f.many(), curveScales[c.curve]*f.lambda, crossScales[c.cross]*f.lambda
	}
	if c != vagueScales && slopePriors[c.slope].start {
		copy(mean[f.slopes():], f.home())
	}
	for i := range p {
		switch {
		case i < f.curves():
			precision[i] = 1 / (o * o)
		case i < f.slopes():
			mean[i], precision[i] = f.lambda, 1/(w*w)
		default:
			precision[i] = 1 / (v * v)
		}
	}
	return mean, precision
}

// maxHome is the largest distance of the start that counts, in probes; at larger distances a
// peak is not a parabola.
const maxHome = 3

// home returns the slope at the centre if the start is the best point and every direction bends
// by lambda.
func (f *fit) home() []float64 {
	slope := f.at.whiten(f.at.start)
	far := math.Sqrt(dot(slope, slope) / float64(f.d))
	for i := range slope {
		slope[i] *= f.lambda * min(1, maxHome/max(far, 1e-9))
	}
	return slope
}

// choose sets the posterior to that under the present scales or, if free, to that of the
// highest evidence: from the scales of the last fit, one scale is changed until no change is
// better.
func (f *fit) choose(s *search, free bool) error {
	var best *posterior
	try := func(c scales) {
		if p := f.under(s, c); p != nil && (best == nil || p.evidence > best.evidence) {
			best, f.scales = p, c
		}
	}
	try(f.scales)
	for at := vagueScales; free && f.scales != at; {
		at = f.scales
		for _, c := range f.neighbours(at) {
			try(c)
		}
	}
	if best == nil {
		return errFactor
	}
	beta := s.mean(best)
	f.beta, f.chol = mat.NewVecDense(len(beta), beta), s.factor(best)
	if free {
		f.average(s, best)
	}
	return nil
}

// under returns the posterior under priors of given scales, with the weight of these scales in
// its evidence; nil if it cannot be factored.
func (f *fit) under(s *search, c scales) *posterior {
	p, tried := s.tried[c]
	if tried {
		return p
	}
	mean, precision := f.priors(c)
	p = s.under(c.cross, mean, precision)
	if p != nil && c != vagueScales {
		p.evidence += math.Log(slopePriors[c.slope].weight)
	}
	s.tried[c] = p
	return p
}

// component is the mean under one prior of the slopes, with its share of the evidence.
type component struct {
	share float64
	beta  []float64
}

// minShare is the least share of the evidence of a prior that is kept, except for the widest.
const minShare = 1e-3

// average keeps the posteriors under all priors of the slopes, the widest last, with their
// shares of the evidence. It sets beyond to the difference between their mean slopes and those
// of the best one.
func (f *fit) average(s *search, best *posterior) {
	f.beyond, f.mixture = make([]float64, f.d), nil
	total, home := 0.0, 0.0
	for k := range slopePriors {
		c := f.scales
		c.slope = k
		if !f.at.allows(k) {
			continue
		}
		p := f.under(s, c)
		if p == nil {
			continue
		}
		share := math.Exp(p.evidence - best.evidence)
		if share < minShare && k < len(slopePriors)-1 {
			continue
		}
		f.mixture, f.wide = append(f.mixture, component{share, s.mean(p)}), p
		total += share
		if slopePriors[k].start {
			home += share
		}
	}
	if f.at.start != nil {
		f.atHome = home / total
	}
	slopes := f.beta.RawVector().Data[f.slopes():]
	for k := range f.mixture {
		m := &f.mixture[k]
		m.share /= total
		for i := range f.beyond {
			f.beyond[i] += float64(m.share * (m.beta[f.slopes()+i] - slopes[i]))
		}
	}
}

// neighbours returns the scales that differ in the prior of slopes, or by one step of another.
func (f *fit) neighbours(c scales) (list []scales) {
	for n := range slopePriors {
		if n != c.slope && f.at.allows(n) {
			list = append(list, scales{n, c.curve, c.cross})
		}
	}
	for _, step := range []int{-1, 1} {
		if n := c.curve + step; n >= 0 && n < len(curveScales) {
			list = append(list, scales{c.slope, n, c.cross})
		}
		if n := c.cross + step; len(f.cross) > 0 && n >= 0 && n < len(crossScales) {
			list = append(list, scales{c.slope, c.curve, n})
		}
	}
	return list
}

// many returns the factor by which the prior of slopes is narrower with many parameters,
// because the noise of all directions adds up.
func (f *fit) many() float64 { return min(1, 15/float64(f.d)) }

// Two independent games without draws have dispersion 1. Draws reduce it, to .05 if nearly all
// games are drawn; openings that decide both games alike raise it, up to 2.
//
// The measured dispersion reduces the regret of tunings with draws, by about a third with 96 %
// draws. Dispersion above 1 changes no regret; it is kept for the errors that a model states.
const (
	minDispersion, maxDispersion = .02, 2.5
	assumedPairs                 = 50 // pairs of dispersion 1 that are assumed in addition to those played
)

// dispersion measures the scatter of the pairs around a fit, corrected for the coefficients
// that the fit determined.
func (d *design) dispersion(f *fit) float64 {
	seen, expected := 0.0, 0.0
	for k, eta := range d.logOdds(f.beta.RawVector().Data) {
		q, o, w := logistic(eta), d.obs[k], d.weight[k]
		seen += float64(w * (o.square + float64(o.pairs*float64((o.mean-q)*(o.mean-q)))))
		expected += float64(w * float64(o.pairs*float64(q*(1-q)/2)))
	}
	pairs := d.total / 2
	left := max(pairs-f.effective(), pairs/2)
	ratio := (seen*pairs/left + assumedPairs/8.) / (expected + assumedPairs/8.)
	return min(max(ratio, minDispersion), maxDispersion)
}

// effective returns the number of coefficients that the data determined, not the priors.
func (f *fit) effective() float64 {
	_, precision := f.priors(f.scales)
	n := float64(len(precision))
	for i, v := range f.chol.inverseDiagonal() {
		n -= float64(precision[i] * v)
	}
	return n
}

// wanted returns the cross terms that the residuals of a fit without them require: terms whose
// score test (Rao) exceeds the largest value that all tests together reach by chance. The
// strongest come first, at most as many as directions.
func (d *design) wanted(f *fit) [][2]int {
	l := d.linear(f.beta.RawVector().Data, f.at.dispersion)
	type candidate struct {
		c    [2]int
		test float64
	}
	var list []candidate
	all := allCross(d.d)
	threshold := 2 * math.Log(float64(len(all)))
	feature := make([]float64, len(d.obs))
	for _, c := range all {
		d.product(c, feature)
		score, info := 0.0, 1e-9
		for k, v := range feature {
			score += float64(v * l.pull[k])
			info += float64(float64(v*v) * l.info[k])
		}
		if test := score * score / info; test > threshold {
			list = append(list, candidate{c, test})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.test, a.test) })
	var cross [][2]int
	for _, c := range list[:min(len(list), d.d)] {
		cross = append(cross, c.c)
	}
	return cross
}

// Estimate is a value with its standard error.
type Estimate struct{ Value, SE float64 } // both in the unit of the field that holds it

// eloUnit is the Elo of one unit of log-odds.
const eloUnit = 400 / math.Ln10
