package quadratic

import (
	"math"
)

// observation is one trial in the form of fits.
type observation struct {
	x, other []float64 // points of A and B, in [-1, 1] on each axis
	pairs    float64
	mean     float64 // A's points a game
	square   float64 // sum over the pairs of (points a game of the pair - mean)^2
}

// terms are the coefficients of a quadratic q(a) = b a - a'Aa/2 in a number of directions: the
// cross terms of A, its diagonal, then the slopes b, in this order (see search).
type terms struct {
	d     int
	cross [][2]int // pairs of directions with a cross term
}

func (t terms) number() int { return 2*t.d + len(t.cross) }

// curves and slopes return the first index of these coefficients.
func (t terms) curves() int { return len(t.cross) }
func (t terms) slopes() int { return len(t.cross) + t.d }

// features sets to to the factors of the coefficients in q, for a displacement a from the
// centre.
func (t terms) features(a, to []float64) {
	for n, c := range t.cross {
		to[n] = -a[c[0]] * a[c[1]]
	}
	for i, x := range a {
		to[t.curves()+i], to[t.slopes()+i] = -.5*x*x, x
	}
}

// design is the regression of a fit: a row for every trial that counts, in the whitened
// coordinates of the probes. The log-odds of A against B are q(x) - q(other).
type design struct {
	terms
	obs      []*observation // of the rows
	weight   []float64
	games    []float64   // games of every row, by its weight
	total    float64     // sum of games
	x, other [][]float64 // points by direction, whitened
	columns  [][]float64 // by term: its feature in every row
}

// Games count fully up to the square radius flat, in units of a probe's mean (1.09), and
// exponentially less beyond, because a peak is a parabola only nearby.
const flat = 1.5

// minWeight is the least weight of a game that counts at all.
const minWeight = 1e-3

// weightAt returns the weight of a trial whose two points have these square lengths, whitened.
func weightAt(x, other float64, d int) float64 {
	return math.Exp(-max(0, max(x, other)/float64(d)-flat))
}

// newDesign whitens the observations around a state.
func newDesign(s *state, data []observation) *design {
	d := len(s.m)
	g := &design{terms: terms{d: d}}
	white := s.whitener()
	points := make([]float64, 0, 2*d*len(data))
	for k := range data {
		o := &data[k]
		n := len(points)
		points = points[:n+2*d]
		w := weightAt(white.to(o.x, points[n:n+d]), white.to(o.other, points[n+d:]), d)
		if w < minWeight || o.pairs == 0 { // a NaN weight is kept, and the fit fails
			points = points[:n]
			continue
		}
		games := 2 * float64(o.pairs*w)
		g.obs, g.weight, g.games = append(g.obs, o), append(g.weight, w), append(g.games, games)
		g.total += games
	}
	rows := len(g.obs)
	g.x, g.other = matrix(d, rows), matrix(d, rows)
	for k := range rows {
		for i := range d {
			g.x[i][k], g.other[i][k] = points[2*d*k+i], points[2*d*k+d+i]
		}
	}
	return g
}

// weighed returns the number of games that count around a state, without a design.
func weighed(s *state, data []observation) (total float64) {
	d := len(s.m)
	white, point := s.whitener(), make([]float64, d)
	for k := range data {
		o := &data[k]
		if w := weightAt(white.to(o.x, point), white.to(o.other, point), d); w >= minWeight {
			total += 2 * float64(o.pairs*w)
		}
	}
	return total
}

// build computes the features for a choice of cross terms.
func (d *design) build(cross [][2]int) {
	d.cross = cross
	d.columns = matrix(d.number(), len(d.obs))
	for n, c := range cross {
		d.product(c, d.columns[n])
	}
	for i := range d.d {
		x, other := d.x[i], d.other[i]
		curve, slope := d.columns[d.curves()+i], d.columns[d.slopes()+i]
		for k := range slope {
			slope[k] = x[k] - other[k]
			curve[k] = -.5 * slope[k] * (x[k] + other[k])
		}
	}
}

// product sets to to the feature of a cross term.
func (d *design) product(c [2]int, to []float64) {
	xa, xb, ta, tb := d.x[c[0]], d.x[c[1]], d.other[c[0]], d.other[c[1]]
	for k := range to {
		to[k] = float64(ta[k]*tb[k]) - float64(xa[k]*xb[k])
	}
}

// logOdds returns the log-odds of every row under coefficients.
func (d *design) logOdds(beta []float64) []float64 {
	eta := make([]float64, len(d.obs))
	for i, b := range beta {
		for k, v := range d.columns[i] {
			eta[k] += float64(b * v)
		}
	}
	return eta
}

// allCross returns every pair of d directions.
func allCross(d int) (list [][2]int) {
	for i := range d {
		for j := range i {
			list = append(list, [2]int{j, i})
		}
	}
	return list
}

// linear is the likelihood around coefficients: the log-odds of each row, its gradient, and its
// information.
type linear struct {
	logOdds, pull, info []float64
}

func (d *design) linear(beta []float64, dispersion float64) *linear {
	l := &linear{logOdds: d.logOdds(beta), pull: make([]float64, len(d.obs)), info: make([]float64, len(d.obs))}
	for k, eta := range l.logOdds {
		q, w := logistic(eta), d.games[k]/dispersion
		l.info[k] = w * max(q*(1-q), 1e-6)
		l.pull[k] = w * (d.obs[k].mean - q)
	}
	return l
}

// apart returns the difference of the information at another place, as a share of it.
func (l *linear) apart(other *linear) float64 {
	sum, all := 0.0, 0.0
	for k, v := range l.info {
		sum, all = sum+math.Abs(v-other.info[k]), all+v
	}
	return sum / all
}

func logistic(r float64) float64 { return 1 / (1 + math.Exp(-r)) }
