package regression

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// tiny is a ridge that keeps the equations solvable and changes nothing else.
const tiny = 1e-6

// newtonSteps bounds a fit. The problem is convex, so a few steps from the start suffice.
const newtonSteps = 30

// newton minimises loss plus ridge over the rows that keep accepts, beginning at z.
func (m *model) newton(ridge, z []float64, keep func(row int) bool) []float64 {
	z = slices.Clone(z)
	before := math.Inf(1)
	step := make([]float64, len(z))
	for range newtonSteps {
		s := total(m.sum(z, keep))
		value := s.loss
		for i, x := range z {
			value += float64(ridge[i] * x * x / 2)
		}
		if math.Abs(before-value) < 1e-9*math.Abs(value) {
			return z
		}
		if value > before { // halve a step that is too long
			for i := range z {
				step[i] /= 2
				z[i] -= step[i]
			}
			continue
		}
		for i, x := range z {
			s.gradient[i] += float64(ridge[i] * x)
		}
		before = value
		step = solve(s.curvature(ridge), s.gradient)
		for i := range z {
			step[i] = -step[i]
			z[i] += step[i]
		}
	}
	return z
}

// total returns the sums over all folds.
func total(byFold [folds]*sums) *sums {
	all := newSums(byFold[0].n)
	for _, s := range byFold {
		all.add(s)
	}
	return all
}

// solve returns a^-1 b.
func solve(a *mat.SymDense, b []float64) []float64 {
	var c mat.Cholesky
	if !c.Factorize(a) {
		return make([]float64, len(b))
	}
	var x mat.VecDense
	_ = c.SolveVecTo(&x, mat.NewVecDense(len(b), b)) // a badly conditioned system is solved too
	return x.RawVector().Data
}

// ridges returns the ridge of each coordinate. Tempo has none.
func (m *model) ridges(ridge float64) []float64 {
	list := slices.Repeat([]float64{max(ridge, tiny)}, m.size())
	list[len(list)-1] = tiny
	return list
}

// identified returns the columns whose weights the results determine: without a ridge, the
// interval from the curvature at the start is narrower than the range.
//
// Columns may be collinear, such as the value of a piece and the values of all its squares.
// The least certain of them is then held at the start until the others are identified.
// Dropping all of them would bias the remaining weights.
func (m *model) identified(confidence float64) []int {
	m.active = nil
	for j := range m.data.Columns {
		m.active = append(m.active, j)
	}
	zero := make([]float64, m.size())
	curvature := total(m.sum(zero, func(int) bool { return true })).curvature(m.ridges(0))
	scatter := m.scatter(zero)
	uncertain := func(variance float64) bool { return !(2*quantile(confidence)*math.Sqrt(variance) < 1) }
	var kept, columns []int // indices into the sums, and the columns there
	for k, j := range m.active {
		// Leave out a coefficient that is uncertain even if all others are known.
		if h := curvature.At(k, k); !uncertain(scatter.At(k, k) / (h * h)) {
			kept, columns = append(kept, k), append(columns, j)
		}
	}
	for {
		places := append(slices.Clone(kept), m.size()-1)
		cov := sandwich(part(curvature, places), part(scatter, places))
		worst := 0
		for k := range kept {
			if !(cov.At(k, k) <= cov.At(worst, worst)) {
				worst = k
			}
		}
		if len(kept) == 0 || !uncertain(cov.At(worst, worst)) {
			return columns
		}
		kept, columns = slices.Delete(kept, worst, worst+1), slices.Delete(columns, worst, worst+1)
	}
}

// part returns the rows and columns of a at some indices.
func part(a *mat.SymDense, places []int) *mat.SymDense {
	p := mat.NewSymDense(len(places), nil)
	for i, from := range places {
		for j, to := range places[:i+1] {
			p.SetSym(i, j, a.At(from, to))
		}
	}
	return p
}

// quantile returns the normal quantile of a central interval.
func quantile(confidence float64) float64 { return math.Sqrt2 * math.Erfinv(confidence) }

// student returns Student's quantile, for an error estimated from the spread of n clusters.
// The normal quantile makes intervals from 50 openings too narrow.
func student(confidence float64, clusters int) float64 {
	n := float64(clusters)
	return math.Sqrt(n/(n-1)) * distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+confidence)/2)
}

// covariance returns the covariance of the coordinates at z from the results alone, without
// the ridge: the sandwich of the curvature around the scatter of the clusters' gradients
// (Liang and Zeger, Biometrika 1986). The ridge must not narrow intervals, because it adds
// no data.
func (m *model) covariance(s *sums, z []float64) *mat.SymDense {
	return sandwich(s.curvature(m.ridges(0)), m.scatter(z))
}

// sandwich returns curvature^-1 scatter curvature^-1. If the curvature has no inverse, all
// variances are infinite.
func sandwich(curvature, scatter *mat.SymDense) *mat.SymDense {
	var c mat.Cholesky
	n := curvature.SymmetricDim()
	cov := mat.NewSymDense(n, nil)
	if !c.Factorize(curvature) {
		for i := range n {
			cov.SetSym(i, i, math.Inf(1))
		}
		return cov
	}
	var half, whole mat.Dense
	// A badly conditioned system is solved, too: its errors are large.
	_ = c.SolveTo(&half, scatter)
	_ = c.SolveTo(&whole, half.T())
	for i := range n {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
		}
	}
	return cov
}

// scatter returns the sum of outer products of the clusters' gradients, with a tiny ridge.
func (m *model) scatter(z []float64) *mat.SymDense {
	n, d := m.size(), m.data
	square, gradient, x := newSums(n), make([]float64, n), make([]float64, n)
	flush := func() {
		square.outer(gradient, 1)
		clear(gradient)
	}
	for row := range d.Rows() {
		if row > 0 && d.Cluster[row] != d.Cluster[row-1] {
			flush()
		}
		m.slopes(row, x)
		r := chance(m.at(row, x, z)) - float64(d.Result[row])
		for i, u := range x {
			gradient[i] += float64(u * r)
		}
	}
	flush()
	return square.curvature(m.ridges(0)) // a term that never occurs is unknown, not exactly known
}

// unpulled returns the coordinates that the results alone lead to, one Newton step from z.
// Intervals are centred there, because the ridge biases weights towards the start.
// Coordinates held at a bound stay.
func (m *model) unpulled(s *sums, z []float64, bounded []bool) []float64 {
	var places []int
	var gradient []float64
	for k := range z {
		if !bounded[k] {
			places, gradient = append(places, k), append(gradient, s.gradient[k])
		}
	}
	at := slices.Clone(z)
	for i, x := range solve(part(s.curvature(m.ridges(0)), places), gradient) {
		at[places[i]] -= x
	}
	return at
}
