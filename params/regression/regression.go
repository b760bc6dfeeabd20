package regression

import (
	"errors"
	"math"
	"slices"
)

// Problem is a regression to run: data, start and ranges of its weights. Slices of weights have
// Columns elements. Run and Calibrate do not change it.
type Problem struct {
	Data
	Start      []float64 // weights towards which the ridge pulls
	Units      []float64 // width of each weight's range, the unit of the ridge
	Low, High  []float64 // bounds of the weights; infinite without a bound
	Ridge      float64   // in log-odds squared for a whole range; 0 chooses it on held-out clusters
	Confidence float64   // level of the intervals, such as .95
}

// minClusters is the minimum number of clusters of a fit.
const minClusters = 50

// ErrFew is returned if there are fewer than 50 clusters.
var ErrFew = errors.New("too few games: quiet positions from at least 50 openings are needed (all games of an opening count as one)")

// ErrFlat is returned if the start's evaluation does not predict the results: its values are
// all 0, or larger ones do not go with more points.
var ErrFlat = errors.New("the start's evaluation does not predict the results: a larger value does not go with more points")

// Run fits the weights and returns them with intervals. It returns ErrFew or ErrFlat if the
// data cannot be fitted. The result does not depend on the number of cores.
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
// move. It needs no minimum of clusters and returns ErrFlat as Run does.
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
	start := *m
	start.scale = 1
	c := &model{data: m.data, scale: 1, active: []int{0}, evaluation: &start}
	var square float64
	for row := range m.data.Rows() {
		x := float64(float32(start.base(row)))
		square += x * x
	}
	if square == 0 {
		return ErrFlat
	}
	c.units = []float64{1 / math.Sqrt(square/float64(m.data.Rows()))}
	z := c.newton([]float64{tiny, tiny}, make([]float64, 2), func(int) bool { return true })
	m.scale, m.tempo = z[0]*c.units[0], z[1]
	if m.scale <= 0 {
		return ErrFlat
	}
	return nil
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
