package quadratic

import (
	"math"
	"slices"
)

// search is a fit's search for the scales of its priors. The scales change only the diagonal of
// the normal equations, and in the factor only the rows from the first changed diagonal element
// on. With the cross terms first, all scales of curvatures and slopes are tried at the cost of
// the last rows.
type search struct {
	terms
	normal factor    // the lower half of the information, not factored
	right  []float64 // information times coefficients, plus the gradient
	led    []*led    // one for each scale of the cross terms that was tried
	tried  map[scales]*posterior
}

// led holds what depends only on the scale of the cross terms.
type led struct {
	cross  int
	chol   factor    // rows of the cross terms, and their columns in the other rows
	rest   factor    // remainder of the other rows: the Schur complement, without priors
	solved []float64 // forward solution: all of the cross terms, and the remainder of the others
	value  float64   // its part of the evidence
	ok     bool
}

func newSearch(g *design, l *linear) *search {
	n := g.number()
	s := &search{terms: g.terms, normal: newFactor(n), right: make([]float64, n), tried: map[scales]*posterior{}}
	crossProducts(s.normal, g.columns, l.info)
	working := make([]float64, len(l.pull))
	for k, eta := range l.logOdds {
		working[k] = float64(l.info[k]*eta) + l.pull[k]
	}
	for i := range s.right {
		s.right[i] = dot(working, g.columns[i])
	}
	return s
}

// lead factors the rows of the cross terms under a prior.
func (s *search) lead(cross int, precision []float64) *led {
	if i := slices.IndexFunc(s.led, func(l *led) bool { return l.cross == cross }); i >= 0 {
		return s.led[i]
	}
	n, c := s.number(), s.curves()
	l := &led{cross: cross, chol: factor{n, slices.Clone(s.normal.l)}, rest: newFactor(n - c), solved: slices.Clone(s.right)}
	s.led = append(s.led, l)
	for i := range c {
		l.chol.l[i*n+i] += precision[i]
		l.value += .5 * math.Log(precision[i])
	}
	if l.ok = l.chol.rows(0, c); !l.ok {
		return l
	}
	l.chol.forward(l.solved, c)
	lead := l.solved[:c]
	for i := c; i < n; i++ {
		l.chol.eliminate(i, c)
		r := l.chol.row(i)
		l.solved[i] -= dot(lead, r[:c])
		for j := c; j <= i; j++ {
			l.rest.row(i - c)[j-c] = r[j] - dot(r[:c], l.chol.row(j)[:c])
		}
	}
	l.value += float64(.5*dot(lead, lead)) - float64(.5*l.chol.logDet(0, c))
	return l
}

// posterior is the posterior under priors of given scales.
type posterior struct {
	led    *led
	chol   factor // rows of curvatures and slopes
	solved []float64
	// evidence is its logarithm, up to a constant that all scales share, by Laplace's method
	// (MacKay, Neural Computation 4, 1992).
	evidence float64
}

// under returns the posterior under priors; nil if it cannot be factored.
func (s *search) under(cross int, mean, precision []float64) *posterior {
	l := s.lead(cross, precision)
	if !l.ok {
		return nil
	}
	c, n := s.curves(), 2*s.d
	p := &posterior{led: l, chol: factor{n, slices.Clone(l.rest.l)}, solved: slices.Clone(l.solved[c:]), evidence: l.value}
	for i := range n {
		pull := precision[c+i] * mean[c+i]
		p.chol.l[i*n+i] += precision[c+i]
		p.solved[i] += pull
		p.evidence += float64(.5*math.Log(precision[c+i])) - float64(.5*mean[c+i]*pull)
	}
	if !p.chol.rows(0, n) {
		return nil
	}
	p.chol.forward(p.solved, n)
	p.evidence += float64(.5*dot(p.solved, p.solved)) - float64(.5*p.chol.logDet(0, n))
	if math.IsNaN(p.evidence) || math.IsInf(p.evidence, 0) {
		return nil
	}
	return p
}

// mean returns the mean of a posterior.
func (s *search) mean(p *posterior) []float64 {
	c := s.curves()
	beta := slices.Concat(p.led.solved[:c], p.solved)
	p.chol.backward(beta[c:])
	for i := s.number() - 1; i >= c; i-- {
		for j, v := range p.led.chol.row(i)[:c] {
			beta[j] -= float64(v * beta[i])
		}
	}
	p.led.chol.backward(beta[:c])
	return beta
}

// factor returns the factor of a posterior's precision.
func (t terms) factor(p *posterior) factor {
	c, n := t.curves(), t.number()
	chol := factor{n, slices.Clone(p.led.chol.l)}
	for i := c; i < n; i++ {
		copy(chol.row(i)[c:], p.chol.row(i-c))
	}
	return chol
}
