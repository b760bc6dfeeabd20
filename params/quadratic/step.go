package quadratic

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// box is the largest deviation of probes on an axis: a quarter of the range.
const box = .5

// A fit may widen probes by grow and narrow them by shrink, in every direction.
const grow, shrink = 1.3, .5

// reach is the longest step of the centre along an eigenvector of the curvature, in probes. A
// whole probe would lead to a place without games, and beyond a cliff if there is one: strength
// is no quadratic there, and games far down show no way back.
const reach = .6

// Steps are damped by a share of s: by s/cautious while the start may still be the best point,
// down to s/boldest when the games speak against it (by the fourth power of 1 - atHome, which
// is little before they do so clearly).
const cautious, boldest = 4., 8.

// After a step of the centre, a share support of the counted games must still count, and a
// share foothold of all games; otherwise the centre would leave the games from which the step
// was derived.
const support, foothold = .25, .01

// learner learns from the games, and counts failures.
type learner struct {
	axes []axis
	data []observation // in order

	fits, failed, heldBack int // fits; fits that could not be factored; shortened steps
}

// advance fits all data and returns the state after a step. If the fit cannot be factored, the
// state stays.
func (l *learner) advance(s state) state {
	l.fits++
	f, err := newFit(&s, l.data, nil)
	if err != nil {
		l.failed++
		return s
	}
	next, err := l.step(&s, f)
	if err != nil {
		l.failed++
		return s
	}
	return next
}

// step moves centre and probes.
func (l *learner) step(s *state, f *fit) (state, error) {
	values, vectors, err := eigen(f.curvature())
	if err != nil {
		return state{}, err
	}
	next := state{scales: f.scales, dispersion: f.dispersion, start: s.start}
	next.m = l.move(s, f, values, vectors)
	covariance, err := f.probes(s, values, vectors)
	if err != nil {
		return state{}, err
	}
	if err := next.setProbes(covariance, l.axes); err != nil {
		return state{}, err
	}
	if weighed(&next, l.data) < foothold*l.games() {
		l.heldBack++
		next.root, next.back = s.root, s.back
	}
	return next, nil
}

// games returns the number of all games told.
func (l *learner) games() float64 {
	n := 0.0
	for k := range l.data {
		n += 2 * l.data[k].pairs
	}
	return n
}

// move returns the centre after a Newton step, damped and at most reach along every eigenvector
// of the curvature.
//
// The common scale of weights of which only the ratios matter is free. Holding it gained
// nothing, and probes would have to stay within the group's own length, which costs strength.
// Less damping follows noise further.
func (l *learner) move(s *state, f *fit, values []float64, vectors *mat.Dense) []float64 {
	var along, white, delta mat.VecDense
	along.MulVec(vectors.T(), f.slope())
	damping := f.s / (cautious + float64((boldest-cautious)*math.Pow(1-f.atHome, 4)))
	for k, a := range values {
		along.SetVec(k, min(max(along.AtVec(k)/(max(a, 0)+damping), -reach), reach))
	}
	white.MulVec(vectors, &along)
	delta.MulVec(s.root, &white)
	least := max(support*f.games, foothold*l.games())
	for tries := range 6 {
		m := make([]float64, f.d)
		for j := range m {
			m[j] = min(max(s.m[j]+delta.AtVec(j), -1), 1)
		}
		moved := *s
		moved.m = m
		if weighed(&moved, l.data) >= least {
			return m
		}
		if tries == 0 {
			l.heldBack++
		}
		delta.ScaleVec(.5, &delta)
	}
	return s.m
}

// probes returns the covariance of the next probes: its inverse is A/(2 lambda), so that a
// probe direction loses lambda, plus a term that keeps it inside the box.
func (f *fit) probes(s *state, values []float64, vectors *mat.Dense) (*mat.SymDense, error) {
	d := f.d
	scaled := mat.NewDense(d, d, nil)
	for k, a := range values {
		w := math.Sqrt(max(a, 0) / (2 * f.lambda))
		for i := range d {
			scaled.Set(i, k, vectors.At(i, k)*w)
		}
	}
	precision, inside := mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
	precision.SymOuterK(1, scaled)
	inside.SymOuterK(1/(box*box), s.root)
	precision.AddSym(precision, inside)
	values, vectors, err := eigen(precision)
	if err != nil {
		return nil, err
	}
	for k, v := range values {
		w := min(max(1/math.Sqrt(max(v, 1e-9)), shrink), grow)
		for i := range d {
			scaled.Set(i, k, vectors.At(i, k)*w)
		}
	}
	var root mat.Dense
	root.Mul(s.root, scaled)
	covariance := mat.NewSymDense(d, nil)
	covariance.SymOuterK(1, &root)
	return covariance, nil
}
