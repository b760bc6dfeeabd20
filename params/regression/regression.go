package regression

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Problem is a regression to run.
type Problem struct {
	Data
	Start      []float64 // the weights of the columns, where the ridge pulls to
	Units      []float64 // of the weights: the ranges in which the ridge counts
	Low, High  []float64 // bounds of the weights; infinite for none
	Ridge      float64   // in log-odds squared for a whole range; 0: chosen on games held out
	Confidence float64   // of the intervals
}

// Weight is a fitted weight with its interval.
type Weight struct {
	Value, Low, High float64
	// Identified is false if the results say nothing about the weight: without the
	// ridge its interval would cover the whole range. It then stays at the start.
	Identified bool
}

// Fit is the result of a regression.
type Fit struct {
	Weights []Weight `json:"-"`
	Scale   float64  `json:"scale"` // log-odds of a point of evaluation, by the start's weights
	Tempo   float64  `json:"tempo"` // log-odds of having the move, at the start
	Ridge   float64  `json:"ridge"`
	// Start and Fitted are the mean losses, in nats a position, over a fifth of the
	// clusters, by weights fitted to the others. Gain is their difference, above 0 if
	// the fit predicts better, with its interval.
	Start   float64 `json:"start_loss"`
	Fitted  float64 `json:"fitted_loss"`
	Gain    float64 `json:"gain"`
	GainLow float64 `json:"gain_low"`
	GainHi  float64 `json:"gain_high"`
	Held    int     `json:"held_out"`          // positions held out
	Apart   int     `json:"held_out_openings"` // clusters that these are of
}

// minClusters is the minimum number of clusters of a fit.
const minClusters = 50

// ErrFew is the error for too few games.
var ErrFew = errors.New("too few games: quiet positions from at least 50 openings are needed (all games of an opening count as one)")

// ErrFlat is the error for a start whose evaluation predicts nothing.
var ErrFlat = errors.New("the start's evaluation does not predict the results: a larger value does not go with more points")

// Run fits the weights.
func (p *Problem) Run() (*Fit, error) {
	if p.Clusters() < minClusters {
		return nil, ErrFew
	}
	m, err := p.model()
	if err != nil {
		return nil, err
	}
	m.active = m.identified(p.Confidence)
	f := &Fit{Scale: m.scale, Tempo: m.tempo, Ridge: p.Ridge}
	if f.Ridge == 0 {
		f.Ridge = m.chooseRidge()
	}
	m.test(f, p.Confidence)
	z, bounded := m.solve(f.Ridge, func(int) bool { return true }, p.Low, p.High)
	p.report(f, m, z, bounded)
	return f, nil
}

// Calibrate returns the log-odds of one point of the start's evaluation, and of having the
// move.
func (p *Problem) Calibrate() (scale, tempo float64, err error) {
	m, err := p.model()
	if err != nil {
		return 0, 0, err
	}
	return m.scale, m.tempo, nil
}

// model returns the problem around its start.
func (p *Problem) model() (*model, error) {
	m := &model{data: &p.Data, start: p.Start, units: p.Units}
	return m, m.calibrate()
}

// calibrate finds scale and tempo with the start's weights. They then stay fixed: fitted
// together with the weights, the scale would drift.
func (m *model) calibrate() error {
	d := *m.data
	c := &model{data: &Data{Columns: 1, Rest: make([]float32, d.Rows()), Result: d.Result, Cluster: d.Cluster}, start: []float64{0},
		scale: 1, active: []int{0}}
	m.scale = 1
	var square float64
	for row := range d.Rows() {
		c.data.Terms = append(c.data.Terms, float32(m.base(row)))
		square += float64(c.data.Terms[row]) * float64(c.data.Terms[row])
	}
	if square == 0 {
		return ErrFlat
	}
	c.units = []float64{1 / math.Sqrt(square/float64(d.Rows()))}
	z := c.newton([]float64{tiny, tiny}, make([]float64, 2), func(int) bool { return true })
	m.scale, m.tempo = z[0]*c.units[0], z[1]
	if m.scale <= 0 {
		return ErrFlat
	}
	return nil
}

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
		if value > before { // a step too long: go back half of it
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
	_ = c.SolveVecTo(&x, mat.NewVecDense(len(b), b)) // what is badly conditioned is solved all the same
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
	var kept, columns []int // places in the sums, and what stands there
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
		k := 0
		for i, u := range gradient {
			for _, v := range gradient[i:] {
				square.hessian[k] += float64(u * v)
				k++
			}
		}
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
	return square.curvature(m.ridges(0)) // a term that never occurs is unknown, and not exactly known
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

// report fills in the weights.
func (p *Problem) report(f *Fit, m *model, z []float64, bounded []bool) {
	s := total(m.sum(z, func(int) bool { return true }))
	cov, centres, wide := m.covariance(s, z), m.unpulled(s, z, bounded), student(p.Confidence, p.Clusters())
	for j := range p.Columns {
		f.Weights = append(f.Weights, Weight{Value: p.Start[j], Low: math.Inf(-1), High: math.Inf(1)})
		k := slices.Index(m.active, j)
		if k < 0 {
			continue
		}
		w := &f.Weights[j]
		half := wide * math.Sqrt(cov.At(k, k)) * m.units[j]
		w.Value = min(max(p.Start[j]+float64(z[k]*m.units[j]), p.Low[j]), p.High[j])
		centre := p.Start[j] + float64(centres[k]*m.units[j])
		if bounded[k] {
			half *= 2
		}
		w.Low, w.High, w.Identified = max(min(centre-half, w.Value), p.Low[j]), min(max(centre+half, w.Value), p.High[j]), true
	}
}
