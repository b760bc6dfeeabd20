package quadratic

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// whiten returns the design of all trials around a state.
func (t *Tuner) whiten(s *state) *design {
	d := len(t.axes)
	g := &design{d: d}
	for i := range d {
		for j := range i {
			g.cross = append(g.cross, [2]int{j, i})
		}
	}
	type row struct {
		a, b []float64
		n, y float64
		k    int
	}
	var rows []row
	for k := range t.data {
		e := &t.data[k]
		a, la := s.white(e.x)
		b, lb := s.white(e.t)
		w := math.Exp(-max(0, max(la, lb)/float64(d)-weightFlat))
		if w < 1e-3 || e.pairs == 0 {
			continue
		}
		rows = append(rows, row{a, b, 2 * e.pairs * w, e.mean, k})
	}
	g.ft = mat.NewDense(g.p(), max(len(rows), 1), nil)
	if len(rows) == 0 {
		g.n, g.y = []float64{0}, []float64{.5}
		return g
	}
	for k, r := range rows {
		g.n, g.y, g.rows = append(g.n, r.n), append(g.y, r.y), append(g.rows, r.k)
		g.games += r.n
		for i := range d {
			g.ft.Set(i, k, r.a[i]-r.b[i])
			g.ft.Set(d+i, k, -.5*(r.a[i]*r.a[i]-r.b[i]*r.b[i]))
		}
		for n, c := range g.cross {
			g.ft.Set(2*d+n, k, -(r.a[c[0]]*r.a[c[1]] - r.b[c[0]]*r.b[c[1]]))
		}
	}
	return g
}

var weightFlat = 1.5

// white returns a point in whitened coordinates and its squared length.
func (s *state) white(y []float64) ([]float64, float64) {
	d := len(y)
	diff, a := make([]float64, d), mat.NewVecDense(d, nil)
	for j := range diff {
		diff[j] = y[j] - s.m[j]
	}
	a.MulVec(s.back, mat.NewVecDense(d, diff))
	return a.RawVector().Data, mat.Dot(a, a)
}

// fit moves the state by all that was told.
func (t *Tuner) fit() {
	t.fits++
	s := &t.latest
	g := t.whiten(s)
	f, err := solve(g, 1, s.scales)
	if err != nil {
		return
	}
	t.latest = t.step(s, f)
	t.best = t.latest.m
}

// step moves centre and probes by a fit.
func (t *Tuner) step(s *state, f *fit) state {
	d := f.d
	var eig mat.EigenSym
	eig.Factorize(f.curvature(), true)
	var v mat.Dense
	eig.VectorsTo(&v)
	values := eig.Values(nil)
	var along mat.VecDense
	along.MulVec(v.T(), mat.NewVecDense(d, f.slope()))
	for k := range d {
		along.SetVec(k, min(max(along.AtVec(k)/(max(values[k], 0)+stepDamp*f.s), -1), 1))
	}
	var white, move mat.VecDense
	white.MulVec(&v, &along)
	move.MulVec(s.l, &white)
	next := state{m: make([]float64, d), scales: f.scales}
	for j := range next.m {
		next.m[j] = min(max(s.m[j]+move.AtVec(j), -1), 1)
	}
	// Precision of the new probes in the old whitened coordinates.
	precision := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			sum := 0.0
			for k := range d {
				sum += v.At(i, k) * v.At(j, k) * max(values[k], 0) / (2 * f.lambda)
				sum += s.l.At(k, i) * s.l.At(k, j) / (box * box)
			}
			precision.SetSym(i, j, sum)
		}
	}
	eig.Factorize(precision, true)
	eig.VectorsTo(&v)
	values = eig.Values(nil)
	var root, lr mat.Dense
	root.CloneFrom(&v)
	for k := range d {
		scale := 1 / math.Sqrt(max(values[k], 1e-12))
		scale = min(max(scale, .5), 1.3)
		for i := range d {
			root.Set(i, k, root.At(i, k)*scale)
		}
	}
	lr.Mul(s.l, &root)
	cov := mat.NewSymDense(d, nil)
	cov.SymOuterK(1, &lr)
	eig.Factorize(cov, true)
	eig.VectorsTo(&v)
	values = eig.Values(nil)
	next.l, next.back = mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			for k := range d {
				r := math.Sqrt(values[k])
				next.l.Set(i, j, next.l.At(i, j)+v.At(i, k)*v.At(j, k)*r)
				next.back.Set(i, j, next.back.At(i, j)+v.At(i, k)*v.At(j, k)/r)
			}
		}
	}
	return next
}

var stepDamp = .5
