package figure

import (
	"math"

	"gonum.org/v1/plot"
)

// reach collects the values that an axis must show.
type reach struct {
	lo, hi float64
	any    bool

	positive bool // leaves out values that are not positive, or too small to draw
}

// add adds values. It ignores NaN, infinities and, on a logarithmic axis, values that are not
// positive.
func (r *reach) add(values ...float64) {
	for _, v := range values {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0) || r.positive && v < 1/MaxValue:
		case !r.any:
			r.lo, r.hi, r.any = v, v, true
		default:
			r.lo, r.hi = min(r.lo, v), max(r.hi, v)
		}
	}
}

// axis returns a plot's axis over r with pad times its length free at both ends. If all values
// are (nearly) equal, it shows a window around them.
func (r reach) axis(log bool, pad float64) plot.Axis {
	if log {
		lo, hi := math.Log(r.lo), math.Log(r.hi)
		d := float64(pad * (hi - lo))
		if hi-lo < 1e-6 {
			d = math.Ln2
		}
		return plot.Axis{Min: math.Exp(lo - d), Max: math.Exp(hi + d), Scale: plot.LogScale{}}
	}
	size := max(math.Abs(r.lo), math.Abs(r.hi))
	d := float64(pad * (r.hi - r.lo))
	switch {
	case size < 1e-90:
		return plot.Axis{Min: -1, Max: 1, Scale: plot.LinearScale{}}
	case r.hi-r.lo < 1e-9*size:
		d = 0.1 * size
	}
	return plot.Axis{Min: r.lo - d, Max: r.hi + d, Scale: plot.LinearScale{}}
}

// addPoints adds values and the ends of their intervals.
func (r *reach) addPoints(points []Point) {
	for _, p := range points {
		r.add(p.Y)
		if hasInterval(p.Lo, p.Hi) {
			r.add(p.Lo, p.Hi)
		}
	}
}

// addX adds the X of points.
func (r *reach) addX(points []Point) {
	for _, p := range points {
		r.add(p.X)
	}
}

// isLog reports whether an axis is logarithmic.
func isLog(a plot.Axis) bool { return a.Scale == plot.LogScale{} }

// inside reports whether v lies on the axis.
func inside(a plot.Axis, v float64) bool { return v >= a.Min && v <= a.Max }

// clamp returns the value on the axis that is nearest to v, which may be infinite.
func clamp(a plot.Axis, v float64) float64 { return min(max(v, a.Min), a.Max) }

// near limits a value far outside the axis, or at infinity, to a distance of some axis lengths,
// so that slopes at the edge stay finite. It moves a value next to an end onto the end: gonum's
// clipping takes a place slightly outside for inside, and then cuts the line where its backward
// extension would meet the edge.
func near(a plot.Axis, v float64) float64 {
	const lengths, next = 20, 1e-9
	if isLog(a) {
		v = max(v, a.Min*1e-9)
	}
	switch n := a.Norm(v); {
	case math.Abs(n) < next:
		return a.Min
	case math.Abs(n-1) < next:
		return a.Max
	case isLog(a):
		return min(v, a.Max*1e9)
	default:
		return min(max(v, a.Min-lengths*(a.Max-a.Min)), a.Max+lengths*(a.Max-a.Min))
	}
}
