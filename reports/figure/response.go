package figure

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// Response shows a result as a function of one parameter: measured points with
// interval bars, the reference, a fitted curve and its optimum.
type Response struct {
	Title, Subtitle string // Subtitle may be ""

	XLabel, YLabel string // with units, such as "wall weight" and "Elo"

	LogX bool // requires positive X

	Points []Point // measurements, in any order

	// Levels are horizontal lines, such as the reference's own result.
	Levels []Level
	// ReferenceX marks the reference's value of the parameter; nil for none.
	ReferenceX *float64
	// ReferenceLabel is the label of this line; "" is "reference".
	ReferenceLabel string

	Fit []Point // fitted curve by increasing X, with Lo and Hi as its band; nil for none
	// Optimum marks the fitted optimum: X with Lo and Hi as the interval of X (not of Y), and
	// its value Y; nil for none.
	Optimum *Point
}

// Draw implements [Chart].
func (r Response) Draw(layout Layout) (*Drawing, error) {
	if err := r.check(); err != nil {
		return nil, failed("Response", r.Title, err)
	}
	d, top := newDrawing(r.Title, r.Subtitle, layout)
	dots := d.measured(present(r.Points), blue)
	keys := []key{dots.key("measured")}
	if anyInterval(dots.points) {
		keys = []key{dots.key("measured, with interval")}
	}
	if len(present(r.Fit)) > 0 {
		keys = append(keys, lineKey("fitted curve", pen(vermilion, 2.25)))
	}
	x, y := r.reach(dots.points)
	p := d.panel(x.axis(r.LogX, 0.04), y.axis(false, 0.06))
	p.label(r.XLabel)
	p.yLabel, p.uprights = r.YLabel, r.uprights()
	keys, p.ends = d.labelsOrKeys(keys, text.Each(r.Levels, func(l Level) end { return end{y: l.Y, label: l.Label, line: levelPen} }))
	p.add(grid())
	p.add(p.band(r.Fit, vermilion)...)
	p.add(p.cuts(r.Fit, vermilion))
	p.add(levels(r.Levels)...)
	p.add(p.uprightLines())
	p.add(p.line(r.Fit, pen(vermilion, 2))...)
	p.add(dots)
	if r.Optimum != nil {
		p.add(p.optimum(*r.Optimum))
	}
	p.add(p.endLabels())
	p.draw(d.legend(keys, top), layout.panelHeight())
	return d, nil
}

// check returns an error that names the field that cannot be drawn.
func (r Response) check() error {
	err := cmp.Or(checkPoints("Points", r.Points, r.LogX, false), checkLine("Fit", r.Fit, r.LogX, false))
	if err == nil && r.ReferenceX != nil {
		err = checkMark("ReferenceX", *r.ReferenceX, r.LogX)
	}
	if o := r.Optimum; err == nil && o != nil {
		if err = cmp.Or(checkMark("Optimum.X", o.X, r.LogX), checkMark("Optimum.Y", o.Y, false)); err == nil {
			if err = checkInterval(o.Lo, o.Hi); err != nil {
				err = fmt.Errorf("interval of Optimum.X: %w", err)
			}
		}
	}
	return cmp.Or(err, checkSome(r.Points), checkLevels(r.Levels, false))
}

// reach covers everything except the band of the fit, which may be very wide at the ends and is
// cut there.
func (r Response) reach(points []Point) (x, y *reach) {
	x, y = &reach{}, &reach{}
	x.addX(points)
	y.addPoints(points)
	for _, p := range present(r.Fit) {
		x.add(p.X)
		y.add(p.Y)
	}
	for _, l := range r.Levels {
		y.add(l.Y)
	}
	if r.ReferenceX != nil {
		x.add(*r.ReferenceX)
	}
	if r.Optimum != nil {
		x.add(r.Optimum.X)
		y.add(r.Optimum.Y)
	}
	return x, y
}

// uprights returns the vertical lines of the reference and the optimum, with their labels.
func (r Response) uprights() (marks []upright) {
	if r.ReferenceX != nil {
		label := cmp.Or(r.ReferenceLabel, "reference") + " " + plain(*r.ReferenceX)
		marks = append(marks, upright{*r.ReferenceX, label, inkSoft, []vg.Length{4, 3}})
	}
	if o := r.Optimum; o != nil {
		label := "optimum " + plain(o.X)
		if o.bounded() {
			write := plain
			if !r.LogX && max(math.Abs(o.Lo), math.Abs(o.Hi)) < 1e6 { // with as many decimals as the interval's width
				write = func(v float64) string { return text.Number(v, text.Decimals(o.Hi-o.Lo, 2)) }
			}
			label = "optimum " + write(o.X) + " (" + write(o.Lo) + " to " + write(o.Hi) + ")"
		}
		marks = append(marks, upright{o.X, label, warmInk, []vg.Length{1.5, 2.5}})
	}
	return marks
}

// optimum is a diamond with the interval of X as a horizontal bar.
func (p *panel) optimum(o Point) plot.Plotter {
	return painter(func(_ draw.Canvas, x, y func(float64) vg.Length) {
		at := vg.Point{X: x(o.X), Y: y(o.Y)}
		if hasInterval(o.Lo, o.Hi) {
			lo, hi := vg.Point{X: x(clamp(p.X, o.Lo)), Y: at.Y}, vg.Point{X: x(clamp(p.X, o.Hi)), Y: at.Y}
			p.d.whisker(lo, hi, o.Lo < p.X.Min, o.Hi > p.X.Max, pen(vermilion, 2))
		}
		p.d.diamond(at, 6, "optimum "+plain(o.X)+": "+plain(o.Y))
	})
}
