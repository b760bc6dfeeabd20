package quadratic

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// box is the widest deviation of probes an axis: a quarter of the range.
const box = .5

// A fit may widen probes by grow and narrow them by shrink, in every direction.
const grow, shrink = 1.3, .5

// reach is the longest step of the centre along an eigenvector of the curvature, in
// probes. A whole probe leads to where no game was played yet, and past a cliff, if
// there is one: strength is no quadratic there, and games far down tell no way back. On
// Quoridor's twelve parameters, 1,000 games from its bad start, the outcomes of 30 seeds
// were +406 ± 29 Elo (95 %) with 1, one of them +7, and +412 ± 11 with .6, none below +348;
// with 1.5 and fewer fits two of 40 were below +81. From its best preset +54 ± 15 with 1,
// three of 30 below -12, and +68 ± 11 with .6, none so far down. On the problems of
// lab tuners neither is shown to be better: 1.02 times the regret after 1,000 games
// (95 %: .94 to 1.10).
const reach = .6

// Steps are damped by a share of s: by s/cautious where the start may still be the best
// point, down to s/boldest as the games speak against it (by the fourth power of 1 - atHome:
// little, before they do so clearly). 400 games of Quoridor from final
// then end at +52 ± 4 Elo (95 %, 240 seeds) instead of +42 ± 8 (80); of 480 tunings of the
// exam's problems (1,000 games) 93 instead of 85 end more than an Elo below the start.
const cautious, boldest = 4., 8.

// After a step of the centre, support of the games that count must still count,
// and foothold of all games: with fewer, it would leave what it was derived from.
const support, foothold = .25, .01

// learner learns from the games, and counts what went wrong.
type learner struct {
	axes []axis
	data []observation // in order

	fits, failed, heldBack int // fits; those that did not factor; steps that were shortened
}

// advance fits all data and returns the state after a step. Where the fit does
// not factor, the state stays as it is until the next one.
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

// games is the number of all games told.
func (l *learner) games() float64 {
	n := 0.0
	for k := range l.data {
		n += 2 * l.data[k].pairs
	}
	return n
}

// move returns the centre after a Newton step, damped and at most reach along every
// eigenvector of the curvature.
//
// The common scale of weights that matter only by their ratios is left to chance. Held, it
// ended 64,000 games of Quoridor from final no better (+94 ± 5 Elo over final, 95 %, 16 seeds;
// free +93 ± 6), and probes must then stay within the group's own length: 400 games from bad
// end at +6 ± 14 instead of +49 ± 6 (80 and 240 seeds), 4,000 at +73 ± 5 instead of +78 ± 4
// (80 and 100). In mills neither is shown to be better (2,000 games, 24 seeds each).
//
// Variants were compared by 1,000 games of Quoridor, in Elo over final with standard errors,
// from bad and from final, before priors favoured the start: damped by s/2 +72 ± 2 and +72 ± 2
// (190 and 140 seeds), by s/4 +71 ± 3 and +80 ± 2 (120 each), probes that lose 1.2 s instead of
// .7 +65 ± 4 and +76 ± 2, 2 s +54 ± 4 and +70 ± 3, games counted up to a square radius of 2.5
// +68 ± 3 and +74 ± 2 (100 each). Less damping walks further on noise: with s/2 39 of 240 tunings
// of the exam's problems end more than an Elo below the start, with s/4 51, with s/10 62.
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

// probes returns the covariance of the next probes: its inverse is A/(2 lambda),
// so that a probe direction loses lambda, plus what keeps it inside the box.
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
