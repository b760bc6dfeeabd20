package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ellipse is the region around a place within Radius standard deviations in
// every direction (a Mahalanobis distance of Radius).
type Ellipse struct {
	X, Y       float64 // its middle, in the units of the axes
	XX, XY, YY float64 // covariance; of the natural logarithm on a logarithmic axis
	// Radius in standard deviations; 2.4477 holds 95 % of a normal distribution in
	// two dimensions (the root of -2 ln 0.05).
	Radius float64
	Label  string // what it means, for the legend; "" is "95 % region"
}

func (e *Ellipse) check(logX, logY bool) error {
	if e == nil {
		return nil
	}
	if err := checkMark("Ellipse.X", e.X, logX); err != nil {
		return err
	}
	if err := checkMark("Ellipse.Y", e.Y, logY); err != nil {
		return err
	}
	if !(e.Radius > 0 && e.Radius <= 1e6) {
		return fmt.Errorf("Ellipse.Radius is %v: want a positive number of standard deviations", e.Radius)
	}
	if _, err := e.root(); err != nil {
		return err
	}
	return nil
}

// root returns the lower triangle L of the covariance L L'.
func (e *Ellipse) root() (l [3]float64, err error) {
	for _, v := range []float64{e.XX, e.XY, e.YY} {
		if !(math.Abs(v) <= most) {
			return l, fmt.Errorf("covariance of the ellipse holds %v: want finite values of ordinary size", v)
		}
	}
	var c mat.Cholesky
	if !(e.XX > 0 && e.YY > 0) || !c.Factorize(mat.NewSymDense(2, []float64{e.XX, e.XY, e.XY, e.YY})) {
		return l, fmt.Errorf("covariance of the ellipse, %v %v %v, is not positive definite", e.XX, e.XY, e.YY)
	}
	var t mat.TriDense
	c.LTo(&t)
	return [3]float64{t.At(0, 0), t.At(1, 0), t.At(1, 1)}, nil
}

// rim returns places around the ellipse, in the units of the axes.
func (e *Ellipse) rim(logX, logY bool) []spot {
	l, err := e.root()
	if err != nil {
		return nil // check has refused it
	}
	move := func(v, d float64, log bool) float64 {
		if log {
			return v * math.Exp(min(max(d, -200), 200))
		}
		return v + d
	}
	const steps = 96
	var out []spot
	for i := range steps {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		dx := float64(e.Radius * l[0] * cos)
		dy := float64(e.Radius * (float64(l[1]*cos) + float64(l[2]*sin)))
		out = append(out, spot{move(e.X, dx, logX), move(e.Y, dy, logY)})
	}
	return out
}

// ellipse draws the rim, cut at the panel's edges.
func (f *frame) ellipse(e *Ellipse, lines ...stroke) {
	if e == nil {
		return
	}
	var outline []vg.Point
	for _, p := range e.rim(f.x.log, f.y.log) {
		outline = append(outline, vg.Point{X: vg.Length(f.far(f.x, p.x)), Y: vg.Length(f.far(f.y, p.y))})
	}
	panel := draw.Canvas{Rectangle: vg.Rectangle{
		Min: vg.Point{X: vg.Length(f.area.x0), Y: vg.Length(f.area.y0)},
		Max: vg.Point{X: vg.Length(f.area.x1), Y: vg.Length(f.area.y1)},
	}}
	pieces := panel.ClipLinesXY(append(outline, outline[0]))
	for _, st := range lines {
		for _, piece := range pieces {
			f.s.add(polyline{spotsOf(piece), st})
		}
	}
}

// far maps v to the sheet; what lies far outside the panel to a place some
// panels away.
func (f *frame) far(s scale, v float64) float64 {
	if s.log {
		v = max(v, s.lo*1e-9)
	}
	lo, hi, way := min(s.a, s.b), max(s.a, s.b), 20*math.Abs(s.b-s.a)
	return min(max(s.at(v), lo-way), hi+way)
}
