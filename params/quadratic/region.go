package quadratic

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"selfplaylab/params"
)

// region is the likely place of the optimum over two parameters, with all others as
// recommended: mean and covariance of the model's posterior, in steps
// ([params.Param.Coordinate]).
type region struct {
	First, Second float64 // the mean
	XX, XY, YY    float64
	// AtBound is the share of the posterior at the end of a range; if it is large, no ellipse
	// describes the region.
	AtBound float64
}

// Correlation returns the correlation of the two, from -1 to 1. It is positive if a higher
// optimum of one goes with a higher optimum of the other.
func (r region) Correlation() float64 {
	if !(r.XX > 0 && r.YY > 0) {
		return 0
	}
	return r.XY / math.Sqrt(r.XX*r.YY)
}

// Region returns the likely place of the optimum over two parameters. ok is false for
// parameters that are not tuned, or for one and the same.
func (m *Model) Region(first, second int) (r region, ok bool) {
	i, j := m.axis(first), m.axis(second)
	if i < 0 || j < 0 || i == j || len(m.drawn) < 2 {
		return r, false
	}
	var x, y []float64
	bound := 0
	for _, q := range m.drawn {
		o := m.highest(q, i, j)
		if math.Abs(o[0]) >= 1 || math.Abs(o[1]) >= 1 {
			bound++
		}
		x, y = append(x, m.steps(i, o[0])), append(y, m.steps(j, o[1]))
	}
	return region{
		First: stat.Mean(x, nil), Second: stat.Mean(y, nil),
		XX: stat.Variance(x, nil), XY: stat.Covariance(x, y, nil), YY: stat.Variance(y, nil),
		AtBound: float64(bound) / float64(len(m.drawn)),
	}, true
}

// steps converts a coordinate of an axis to the parameter's steps.
func (m *Model) steps(j int, y float64) float64 {
	a := &m.tuner.axes[j]
	return a.mid + float64(a.half*y)
}

// Between returns the modelled strength of one vector relative to another, in Elo. Parameters
// that are not tuned do not count.
func (m *Model) Between(a, b params.Vector) Estimate {
	row := make([]float64, m.fit.beta.Len())
	m.difference(m.tuner.coordinates(a), m.tuner.coordinates(b), row)
	return m.estimate(row)
}
