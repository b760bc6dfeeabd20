package rating

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// errUndetermined ends every error about results that do not determine the ratings.
var errUndetermined = errors.New("play more games or give the ratings a prior")

// factor is the Cholesky factor of a matrix scaled to a diagonal of 1.
// Scaling keeps tournaments solvable in which some
// players have millions of games and others a handful.
type factor struct {
	chol  mat.Cholesky
	scale []float64 // 1/sqrt of the diagonal
}

// errSingular reports a matrix without an inverse.
var errSingular = fmt.Errorf("ratings are not determined: the results do not tell strengths, advantage of moving first and draws "+
	"apart: %w", errUndetermined)

// worstCondition is the condition number beyond which a matrix without a prior counts as
// singular.
const worstCondition = 1e13

// newFactor factorises m and returns errSingular for a singular matrix.
// With a prior a matrix can be singular only by rounding, after millions of
// equal results: the smallest ridge that helps is then added to the diagonal.
func newFactor(m *mat.SymDense, prior float64) (*factor, error) {
	n := m.SymmetricDim()
	f := &factor{scale: make([]float64, n)}
	for i := range n {
		f.scale[i] = 1 / math.Sqrt(m.At(i, i))
	}
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, m.At(i, j)*f.scale[i]*f.scale[j])
		}
	}
	if prior == 0 {
		if !f.chol.Factorize(scaled) || f.chol.Cond() > worstCondition {
			return nil, errSingular
		}
		return f, nil
	}
	for ridge := 1e-14; !f.chol.Factorize(scaled); ridge *= 10 {
		if ridge > 1 {
			return nil, errSingular // not a number
		}
		for i := range n {
			scaled.SetSym(i, i, 1+ridge)
		}
	}
	return f, nil
}

// tolerable returns nil for a warning of bad conditioning,
// which newFactor has judged, and other errors unchanged.
func tolerable(err error) error {
	var warning mat.Condition
	if errors.As(err, &warning) && !math.IsInf(float64(warning), 1) {
		return nil
	}
	return err
}

// solve returns the solution of m x = v.
func (f *factor) solve(v []float64) ([]float64, error) {
	x := mat.NewVecDense(len(v), nil)
	for i, s := range f.scale {
		x.SetVec(i, s*v[i])
	}
	if err := tolerable(f.chol.SolveVecTo(x, x)); err != nil {
		return nil, err
	}
	for i, s := range f.scale {
		x.SetVec(i, s*x.AtVec(i))
	}
	return x.RawVector().Data, nil
}

// inverse returns the inverse of m.
func (f *factor) inverse() (*mat.SymDense, error) {
	inverse := new(mat.SymDense)
	if err := tolerable(f.chol.InverseTo(inverse)); err != nil {
		return nil, err
	}
	for i, s := range f.scale {
		for j := i; j < len(f.scale); j++ {
			inverse.SetSym(i, j, inverse.At(i, j)*s*f.scale[j])
		}
	}
	return inverse, nil
}
