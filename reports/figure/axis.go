package figure

import "math"

// scale maps values to places along one direction of the sheet.
type scale struct {
	lo, hi float64 // values; lo < hi
	a, b   float64 // places of lo and hi
	log    bool
}

func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	return s.a + float64((v-lo)/(hi-lo)*(s.b-s.a))
}

// far is at for a value that may lie far outside the panel, or at infinity. It is then a place
// some panels away, so that slopes at the edge stay finite.
func (s scale) far(v float64) float64 {
	if s.log {
		v = max(v, s.lo*1e-9)
	}
	lo, hi, way := min(s.a, s.b), max(s.a, s.b), 20*math.Abs(s.b-s.a)
	return min(max(s.at(v), lo-way), hi+way)
}

// ticks returns at most that many marks, or a few more where fewer than two would be left.
func (s scale) ticks(most int, whole bool) []tick {
	if s.log {
		return logTicks(s.lo, s.hi, most)
	}
	return linearTicks(s.lo, s.hi, most, whole)
}

// inside tells whether v lies on the axis.
func (s scale) inside(v float64) bool { return v >= s.lo && v <= s.hi }

// clamp brings v, even an infinite one, onto the axis.
func (s scale) clamp(v float64) float64 { return min(max(v, s.lo), s.hi) }

// reach collects the values an axis must show.
type reach struct {
	lo, hi float64
	any    bool

	positive bool // leaves out values that are not positive, or too small to draw
}

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

// scale returns an axis over r with pad times its length free at both ends.
// Where all values are (nearly) equal it opens a window around them.
func (r reach) scale(log bool, pad float64) scale {
	if log {
		lo, hi := math.Log(r.lo), math.Log(r.hi)
		d := float64(pad * (hi - lo))
		if hi-lo < 1e-6 {
			d = math.Ln2
		}
		return scale{lo: math.Exp(lo - d), hi: math.Exp(hi + d), log: true}
	}
	size := max(math.Abs(r.lo), math.Abs(r.hi))
	d := float64(pad * (r.hi - r.lo))
	switch {
	case size < 1e-90:
		return scale{lo: -1, hi: 1}
	case r.hi-r.lo < 1e-9*size:
		d = 0.1 * size
	}
	return scale{lo: r.lo - d, hi: r.hi + d}
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
