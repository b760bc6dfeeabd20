package figure

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// Ellipse is the region around a place within Radius standard deviations in
// every direction (a Mahalanobis distance of Radius).
type Ellipse struct {
	X, Y       float64 // centre, in the units of the axes
	XX, XY, YY float64 // covariance; of the natural logarithm on a logarithmic axis
	// Radius is in standard deviations; 2.4477 contains 95 % of a normal distribution in two
	// dimensions (the root of -2 ln 0.05).
	Radius float64
	Label  string // name in the legend; "" is "95 % region"
}

// check returns an error that names the field that cannot be drawn. A nil ellipse is valid.
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
func (e *Ellipse) rim(logX, logY bool) plotter.XYs {
	l, err := e.root()
	if err != nil {
		return nil // check has already rejected it
	}
	move := func(v, d float64, log bool) float64 {
		if log {
			return v * math.Exp(min(max(d, -200), 200))
		}
		return v + d
	}
	const steps = 96
	var out plotter.XYs
	for i := range steps {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		dx := float64(e.Radius * l[0] * cos)
		dy := float64(e.Radius * (float64(l[1]*cos) + float64(l[2]*sin)))
		out = append(out, plotter.XY{X: move(e.X, dx, logX), Y: move(e.Y, dy, logY)})
	}
	return out
}

// ellipse returns the rim, cut at the panel's edges, drawn once for each line style.
func (p *panel) ellipse(e *Ellipse, lines ...draw.LineStyle) (list []plot.Plotter) {
	if e == nil {
		return nil
	}
	rim := text.Each(e.rim(isLog(p.X), isLog(p.Y)), func(at plotter.XY) plotter.XY {
		return plotter.XY{X: near(p.X, at.X), Y: near(p.Y, at.Y)}
	})
	for _, line := range lines {
		list = append(list, &plotter.Polygon{XYs: []plotter.XYs{rim}, LineStyle: line})
	}
	return list
}
