package quadratic

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/params"
)

// Model describes the neighbourhood of the recommendation by the games of the tuning. It needs
// no further games. Strengths are in Elo relative to the recommendation. Far from the games a
// quadratic is an extrapolation, and its errors assume that the truth is a quadratic.
type Model struct {
	Games  float64       // games that count, weighted by their distance from the centre
	Best   params.Vector // the recommendation
	Params []ParamModel  // in the order of the active parameters, without those left out
	Cross  []CrossModel  // the largest cross terms, ordered by the certainty that they are not zero
	Scales []scaleModel  // groups of which only the ratios matter, declared or found in the games

	tuner    *Tuner
	fit      *fit
	drawn    []drawn
	original []float64 // the recommendation
	windows  map[float64]*window
}

// Shown reports which of several estimates clearly differ from 0: with probability level (0 to
// 1) no true zero is among them (Holm, Scandinavian Journal of Statistics 6, 65-70, 1979),
// because of many intervals taken alone some exclude 0 by chance. list holds the surest of a
// number of estimates, of, or all of them.
func Shown(list []Estimate, of int, level float64) []bool {
	chances, order := make([]float64, len(list)), make([]int, len(list))
	for i, e := range list {
		order[i], chances[i] = i, 1
		if e.Value != 0 {
			chances[i] = math.Erfc(math.Abs(e.Value) / e.SE / math.Sqrt2)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(chances[i], chances[j]) })
	shown := make([]bool, len(list))
	for k, i := range order {
		if chances[i] > (1-level)/float64(of-k) {
			break
		}
		shown[i] = true
	}
	return shown
}

// ParamModel describes one parameter.
type ParamModel struct {
	Index int     // in the space
	Name  string  // name of the parameter
	Best  float64 // recommended value
	// Low and High contain the parameter's best value, with all others as recommended, at 95 %
	// confidence. For a parameter that does not matter they span most of the range.
	Low, High float64
	// Loss is the Elo lost one step from the recommendation (Param.Step), by the curvature
	// alone, as the mean of both sides. It is the importance of a parameter.
	Loss Estimate
	// Slope is the Elo that a step upwards would still gain, to first order.
	Slope Estimate
}

// CrossModel describes the dependence of two parameters.
type CrossModel struct {
	A, B  string // names of the parameters
	Index [2]int // in the space
	// Elo is gained by one step of both together, in addition to the sum of their single gains.
	Elo Estimate
}

// draws of the posterior behind regions.
const posteriorDraws = 400

// Model fits all trials so far around the recommendation. It takes as long as a fit or two, and
// changes nothing: the same trials give the same model; draws is the seed of its posterior
// draws. It is an error if there are no games near the recommendation.
//
// Its priors are vague, because the priors of the tuner's steps pull curvatures and cross terms
// to the values that the probes assume, by a factor of two or more.
func (t *Tuner) Model(draws uint64) (*Model, error) {
	m, err := t.model()
	if err == nil {
		err = m.Complete(draws)
	}
	return m, err
}

// look sets the state around which claims are made: in a walk its mean, as wide as its probes.
func (t *Tuner) look() error {
	switch {
	case len(t.axes) > MaxFit:
		return fmt.Errorf("%d parameters are more than a fit takes: want at most %d", len(t.axes), MaxFit)
	case t.walk == nil:
		return nil
	}
	t.shown = t.latest
	t.shown.m = slices.Clone(t.walk.mean)
	return t.shown.setWidth(t.walk.probe, t.axes)
}

// model returns a Model without Cross, Scales and the results of posterior draws.
func (t *Tuner) model() (*Model, error) {
	if err := t.look(); err != nil {
		return nil, fmt.Errorf("quadratic: a model of %d trials: %w", t.told, err)
	}
	f, err := newFit(&t.shown, t.data, &vagueScales)
	if err != nil {
		return nil, fmt.Errorf("quadratic: a model of %d trials: %w", t.told, err)
	}
	m := &Model{
		Games: f.games, Best: t.Recommend(), tuner: t, fit: f, original: slices.Clone(t.best),
		windows: map[float64]*window{1: {t.shown, f}},
	}
	for j, a := range t.axes {
		if a.param.Whole { // up to half a unit from the centre of the fit
			m.original[j] = a.coordinate(m.Best[a.index])
		}
	}
	for j := range t.axes {
		m.Params = append(m.Params, m.param(j))
	}
	return m, nil
}

// Complete adds to a model that lacks them ([Around]) Cross, Scales and what posterior draws
// show; draws is the seed of these.
func (m *Model) Complete(draws uint64) error {
	if err := m.sample(rand.New(rand.NewPCG(draws, uint64(len(m.tuner.data))))); err != nil {
		return fmt.Errorf("quadratic: a model of %d trials: %w", m.tuner.told, err)
	}
	m.crossTerms()
	m.Scales = m.flatScales()
	return nil
}

// drawn is a quadratic from the posterior, seen from the recommendation, in axis coordinates.
type drawn struct {
	slope *mat.VecDense
	bend  *mat.Dense // the negative of its second derivatives
}

// sample draws quadratics from the posterior.
func (m *Model) sample(r *rand.Rand) error {
	draws := m.fit.draw(r)
	white := m.fit.at.whiten(m.original)
	at, back := mat.NewVecDense(m.fit.d, white), m.fit.at.back
	for _, beta := range draws {
		bends := m.fit.curvatureOf(beta)
		var slope, own mat.VecDense
		slope.MulVec(bends, at)
		slope.SubVec(m.fit.slopesOf(beta), &slope)
		own.MulVec(back.T(), &slope)
		var left, bend mat.Dense
		left.Mul(back.T(), bends)
		bend.Mul(&left, back)
		if math.IsNaN(mat.Sum(&bend)+mat.Sum(&own)) || math.IsInf(mat.Sum(&bend)+mat.Sum(&own), 0) {
			return errFactor
		}
		m.drawn = append(m.drawn, drawn{&own, &bend})
	}
	return nil
}

// unbent is the curvature below which a quadratic counts as flat, so that its highest point is
// at a bound.
const unbent = 1e-9

// highest returns the highest point of a drawn quadratic over some axes, with the other
// parameters as recommended. (The highest point over all axes lies far away as soon as one
// direction of many hardly bends, and says little about any.)
func (m *Model) highest(q drawn, axes ...int) []float64 {
	bend, slope := mat.NewSymDense(len(axes), nil), mat.NewVecDense(len(axes), nil)
	for a, i := range axes {
		slope.SetVec(a, q.slope.AtVec(i))
		for b, j := range axes[:a+1] {
			bend.SetSym(a, b, (q.bend.At(i, j)+q.bend.At(j, i))/2)
		}
	}
	values, vectors, err := eigen(bend)
	if err != nil {
		panic(err) // the numbers are finite, as sample checks, and few
	}
	var along, delta mat.VecDense
	along.MulVec(vectors.T(), slope)
	for k, v := range values {
		along.SetVec(k, along.AtVec(k)/max(v, unbent))
	}
	delta.MulVec(vectors, &along)
	y := make([]float64, len(axes))
	for a, i := range axes {
		y[a] = min(max(m.original[i]+delta.AtVec(a), -1), 1)
	}
	return y
}

// draw returns coefficients from the posterior.
func (f *fit) draw(r *rand.Rand) []*mat.VecDense {
	p, n := f.beta.Len(), posteriorDraws
	if p > 500 {
		n /= 4
	}
	draws := make([]*mat.VecDense, n)
	for k := range draws {
		beta := make([]float64, p)
		for i := range beta {
			beta[i] = r.NormFloat64()
		}
		f.chol.backward(beta) // the precision is LL', so L'^-1 z has its inverse as covariance
		draws[k] = mat.NewVecDense(p, beta)
		draws[k].AddVec(draws[k], f.beta)
	}
	return draws
}

// difference sets row to the coefficients of q(a) - q(b).
func (m *Model) difference(a, b, row []float64) {
	m.fit.features(m.fit.at.whiten(a), row)
	other := make([]float64, len(row))
	m.fit.features(m.fit.at.whiten(b), other)
	for i, v := range other {
		row[i] -= v
	}
}

// elo returns the strength at y relative to the recommendation.
func (m *Model) elo(y []float64) Estimate {
	row := make([]float64, m.fit.beta.Len())
	m.difference(y, m.original, row)
	return m.estimate(row)
}

// estimate returns a combination of coefficients in Elo.
func (m *Model) estimate(row []float64) Estimate {
	mean, se := m.fit.combination(row)
	return Estimate{eloUnit * mean, eloUnit * se}
}

// Elo returns the modelled strength of a vector relative to the recommendation. Parameters that
// are not tuned do not count.
func (m *Model) Elo(v params.Vector) Estimate { return m.elo(m.tuner.coordinates(v)) }

// Value returns the value of Elo without its error, which is nearly all of the cost.
func (m *Model) Value(v params.Vector) float64 {
	row := make([]float64, m.fit.beta.Len())
	m.difference(m.tuner.coordinates(v), m.original, row)
	return eloUnit * dot(row, m.fit.beta.RawVector().Data)
}

func (m *Model) param(j int) ParamModel {
	a := &m.tuner.axes[j]
	p := ParamModel{Index: a.index, Name: a.param.Name, Best: m.Best[a.index]}
	p.Low, p.High = m.optimumOf(j, .95)
	step := 1 / a.half // in axis coordinates
	up, down := m.row(j, step), m.row(j, -step)
	p.Loss, p.Slope = m.mix(up, down, -.5, -.5), m.mix(up, down, .5, -.5)
	return p
}

// Optimum returns an interval of a parameter's best value, with all others as recommended, at a
// confidence level from 0 to below 1. ok is false for a parameter that is not tuned.
func (m *Model) Optimum(index int, level float64) (low, high float64, ok bool) {
	j := m.axis(index)
	if j < 0 {
		return 0, 0, false
	}
	low, high = m.optimumOf(j, level)
	return low, high, true
}

// optimumOf returns the interval of the places at which the slope along an axis may be 0
// (Fieller, J. Royal Statistical Society B 16, 1954). If the curvature is not significant, this
// is most of the range; draws from the posterior would be too certain there.
func (m *Model) optimumOf(j int, level float64) (low, high float64) {
	up, down := m.row(j, 1), m.row(j, -1)
	slope, bend := make([]float64, len(up)), make([]float64, len(up)) // at the recommendation, and their growth
	for i := range up {
		slope[i], bend[i] = (up[i]-down[i])/2, up[i]+down[i]
	}
	beta := m.fit.beta.RawVector().Data
	s := slopeAlong{slope: dot(slope, beta), bend: dot(bend, beta)}
	m.fit.chol.forward(slope, len(slope))
	m.fit.chol.forward(bend, len(bend))
	z := distuv.UnitNormal.Quantile((1 + level) / 2)
	s.a = float64(s.bend*s.bend) - float64(z*z*dot(bend, bend))
	s.b = float64(s.slope*s.bend) - float64(z*z*dot(slope, bend))
	s.c = float64(s.slope*s.slope) - float64(z*z*dot(slope, slope))
	y := m.original[j]
	a := &m.tuner.axes[j]
	return a.value(s.end(y, -1)), a.value(s.end(y, 1))
}

// slopeAlong is the slope along an axis at distance x from the recommendation. It may be 0
// where ax^2 + 2bx + c is at most 0.
type slopeAlong struct {
	slope, bend float64
	a, b, c     float64
}

// end returns the place nearest to an end of the range, -1 or 1, at which the optimum may be,
// with the recommendation at y. It is exactly the end, unless the slope there certainly leads
// to the other end.
func (s *slopeAlong) end(y, side float64) float64 {
	from, to := side-y, -side-y
	away := (s.slope + float64(s.bend*from)) * (to - from)
	if float64((float64(s.a*from)+2*s.b)*from)+s.c <= 0 || away <= 0 {
		return side
	}
	root := math.Sqrt(max(float64(s.b*s.b)-float64(s.a*s.c), 0))
	nearest, place := to, -side
	for _, x := range []float64{(-s.b - root) / s.a, (-s.b + root) / s.a} {
		if (x-from)*(x-nearest) < 0 {
			nearest, place = x, y+x
		}
	}
	return place
}

// at returns the recommendation with one coordinate replaced.
func (m *Model) at(j int, y float64) []float64 {
	v := slices.Clone(m.original)
	v[j] = y
	return v
}

func (m *Model) row(j int, step float64) []float64 {
	row := make([]float64, m.fit.beta.Len())
	m.difference(m.at(j, m.original[j]+step), m.original, row)
	return row
}

// mix returns the Elo of a weighted sum of two rows.
func (m *Model) mix(a, b []float64, wa, wb float64) Estimate {
	row := make([]float64, len(a))
	for i := range row {
		row[i] = float64(wa*a[i]) + float64(wb*b[i])
	}
	return m.estimate(row)
}

// maxCross is the maximum number of listed cross terms, the largest by their probes.
const maxCross = 200

// crossTerms lists the dependences of parameters, surest first.
func (m *Model) crossTerms() {
	axes, natural := m.tuner.axes, m.fit.naturalCurvature(&m.fit.at)
	own := func(j int) float64 { return max(math.Abs(natural.At(j, j)), 1e-300) }
	pairs := allCross(len(axes))
	if len(axes) > fullCross { // no others are fitted
		pairs = slices.Clone(m.fit.cross)
	}
	slices.SortStableFunc(pairs, func(a, b [2]int) int {
		relative := func(c [2]int) float64 { return math.Abs(natural.At(c[0], c[1])) / math.Sqrt(own(c[0])*own(c[1])) }
		return cmp.Compare(relative(b), relative(a))
	})
	row := make([]float64, m.fit.beta.Len())
	for _, c := range pairs[:min(len(pairs), maxCross)] {
		i, j := c[0], c[1]
		both := m.at(i, m.original[i]+1/axes[i].half)
		both[j] += 1 / axes[j].half
		m.difference(both, m.original, row)
		one, other := m.row(i, 1/axes[i].half), m.row(j, 1/axes[j].half)
		for k := range row {
			row[k] -= one[k] + other[k]
		}
		m.Cross = append(m.Cross, CrossModel{
			A: axes[i].param.Name, B: axes[j].param.Name, Index: [2]int{axes[i].index, axes[j].index}, Elo: m.estimate(row),
		})
	}
	sure := func(c CrossModel) float64 { return math.Abs(c.Elo.Value) / max(c.Elo.SE, 1e-300) }
	slices.SortStableFunc(m.Cross, func(a, b CrossModel) int { return cmp.Compare(sure(b), sure(a)) })
}

func (m *Model) axis(index int) int {
	return slices.IndexFunc(m.tuner.axes, func(a axis) bool { return a.index == index })
}
