package figure

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
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
	if !(e.Radius > 0 && e.Radius <= 1e6) {
		return fmt.Errorf("Ellipse.Radius is %v: want a positive number of standard deviations", e.Radius)
	}
	_, err := e.root()
	return cmp.Or(checkMark("Ellipse.X", e.X, logX), checkMark("Ellipse.Y", e.Y, logY), err)
}

// root returns the lower triangle L of the covariance L L'.
func (e *Ellipse) root() (l [3]float64, err error) {
	for _, v := range []float64{e.XX, e.XY, e.YY} {
		if !(math.Abs(v) <= MaxValue) {
			return l, fmt.Errorf("covariance of the ellipse holds %v: want finite values of ordinary size", v)
		}
	}
	first := math.Sqrt(e.XX)
	slope := e.XY * (1 / first)
	rest := e.YY - float64(slope*slope)
	if !(e.XX > 0 && rest > 0) {
		return l, fmt.Errorf("covariance of the ellipse, %v %v %v, is not positive definite", e.XX, e.XY, e.YY)
	}
	return [3]float64{first, slope, math.Sqrt(rest)}, nil
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
	rim := text.Each(e.rim(f.x.log, f.y.log), func(p spot) spot { return spot{f.x.far(p.x), f.y.far(p.y)} })
	corners := points([]spot{{f.area.x0, f.area.y0}, {f.area.x1, f.area.y1}})
	panel := draw.Canvas{Rectangle: vg.Rectangle{Min: corners[0], Max: corners[1]}}
	pieces := panel.ClipLinesXY(points(append(rim, rim[0])))
	for _, st := range lines {
		for _, piece := range pieces {
			f.s.add(polyline{spotsOf(piece), st})
		}
	}
}
