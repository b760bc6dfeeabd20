package quadratic

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// state is the basis of proposals, and the start of the next fit.
type state struct {
	m          []float64  // the centre, in [-1, 1] on each axis
	root, back *mat.Dense // symmetric root of the probes' covariance, and its inverse
	scales     scales
	dispersion float64
	start      []float64 // the point that priors may take for the best; nil for none
	loose      float64   // least deviation of the vague priors, in log-odds; 0 if the tuner drew its own probes
}

// allows reports whether a prior of slopes can be used: some require a start.
func (s *state) allows(prior int) bool { return s.start != nil || !slopePriors[prior].start }

// setWidth gives all axes probes of one half-width.
func (s *state) setWidth(width float64, axes []axis) error {
	covariance := mat.NewSymDense(len(axes), nil)
	for j := range axes {
		covariance.SetSym(j, j, width*width)
	}
	return s.setProbes(covariance, axes)
}

// setProbes sets the symmetric root of a covariance and its inverse. No axis gets probes too
// narrow to change its value.
func (s *state) setProbes(covariance *mat.SymDense, axes []axis) error {
	for j := range axes {
		least := max(axes[j].finest(s.m[j]), 1e-9)
		covariance.SetSym(j, j, max(covariance.At(j, j), least*least))
	}
	values, vectors, err := eigen(covariance)
	if err != nil {
		return err
	}
	d := len(values)
	s.root, s.back = mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	least := 1e-12 * values[d-1]
	for k := range values {
		v, r := vectors.ColView(k), math.Sqrt(max(values[k], least))
		s.root.RankOne(s.root, r, v, v)
		s.back.RankOne(s.back, 1/r, v, v)
	}
	return nil
}

// eigen returns eigenvalues in ascending order and their vectors as columns.
func eigen(a *mat.SymDense) ([]float64, *mat.Dense, error) {
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		return nil, nil, errFactor
	}
	values := e.Values(nil)
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, errFactor
		}
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	return values, &vectors, nil
}

// whitener converts points to the whitened coordinates of a state.
type whitener struct {
	m, delta []float64
	rows     [][]float64 // of the inverse root
}

func (s *state) whitener() *whitener {
	w := &whitener{m: s.m, delta: make([]float64, len(s.m))}
	for i := range s.m {
		w.rows = append(w.rows, s.back.RawRowView(i))
	}
	return w
}

// to sets a to the whitened coordinates of a point and returns their square length.
func (w *whitener) to(y, a []float64) (square float64) {
	for j, m := range w.m {
		w.delta[j] = y[j] - m
	}
	i := 0
	for ; i+4 <= len(a); i += 4 {
		a[i], a[i+1], a[i+2], a[i+3] = dot4(w.delta, w.rows[i], w.rows[i+1], w.rows[i+2], w.rows[i+3])
	}
	for ; i < len(a); i++ {
		a[i] = dot(w.delta, w.rows[i])
	}
	return dot(a, a)
}

// whiten returns a point in whitened coordinates.
func (s *state) whiten(y []float64) []float64 {
	a := make([]float64, len(y))
	s.whitener().to(y, a)
	return a
}

// scaled returns a matrix times a factor.
func scaled(a *mat.Dense, factor float64) *mat.Dense {
	var b mat.Dense
	b.Scale(factor, a)
	return &b
}
