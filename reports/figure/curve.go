package figure

import (
	"cmp"

	"gonum.org/v1/plot"

	"selfplaylab/reports/text"
)

// Curve shows the strength of a tuner's recommendation over its iterations: a fitted or
// running Elo with its band, and single measurements.
type Curve struct {
	Title, Subtitle string

	XLabel string // "" is "iteration"
	YLabel string // "" is "Elo"
	LogX   bool   // all X must then be positive

	// Line is the curve by increasing X; Lo and Hi are its band. Without one (Lo and Hi are
	// Y) its end has no number.
	Line  []Point
	Level string // names the band; "" is "95 % band"
	// Measured are single results with their intervals, in any order; nil for
	// none.
	Measured []Point
}

func (c Curve) Draw(layout Layout) (*Drawing, error) {
	if err := c.check(); err != nil {
		return nil, failed("Curve", c.Title, err)
	}
	x := &reach{}
	x.addX(append(present(c.Line), present(c.Measured)...))
	return c.layOut(layout, cmp.Or(c.YLabel, "Elo"), "", x.axis(c.LogX, 0.02), false), nil
}

// layOut draws the curve, called by a name in the legend, with a verdict or "", and with an
// interval bar at its end or none.
func (c Curve) layOut(layout Layout, name, verdict string, x plot.Axis, bar bool) *Drawing {
	line := present(c.Line)
	d, top := newDrawing(c.Title, c.Subtitle, layout)
	if verdict != "" {
		top = d.lines(verdict, top-2, 13, true, blue) - 2
	}
	dots := d.measured(present(c.Measured), vermilion)
	var keys []key
	var list ends
	if len(line) > 0 {
		keys = d.lineKeys(line, name, cmp.Or(c.Level, "95 % band"))
		if end := line[len(line)-1]; hasInterval(end.Lo, end.Hi) {
			list = ends{{y: end.Y, label: plus(end.Y, text.Number(end.Y, eloDecimals(end))), bold: true, line: pen(blue, 2.25)}}
		}
	}
	switch {
	case anyInterval(dots.points):
		keys = append(keys, dots.key("measured, with interval"))
	case len(dots.points) > 0:
		keys = append(keys, dots.key("measured"))
	}
	p := d.panel(x, c.reach().axis(false, 0.06))
	p.yLabel, p.xWhole, p.ySigns = cmp.Or(c.YLabel, "Elo"), true, true
	p.label(cmp.Or(c.XLabel, "iteration"))
	keys, p.ends = d.labelsOrKeys(keys, list)
	p.add(grid())
	p.add(p.band(c.Line, blue)...)
	p.add(p.cuts(c.Line, blue))
	p.add(across(0, pen(ink, 1)))
	p.add(p.line(c.Line, pen(blue, 2))...)
	p.add(dots)
	if n := len(line); n > 0 { // a line of one point shows its interval too
		tip := d.measured(line[n-1:], blue)
		tip.bars = n == 1 || bar
		p.add(tip)
	}
	p.add(p.endLabels())
	p.draw(d.legend(keys, top), layout.panelHeight())
	return d
}

func (c Curve) check() error {
	return cmp.Or(checkLine("Line", c.Line, c.LogX, false), checkPoints("Measured", c.Measured, c.LogX, false), checkSome(c.Line, c.Measured))
}

// reach covers zero, the measurements, and the line with its band. An early part of a
// band, several times as wide as the last, is cut: nothing else would be seen.
func (c Curve) reach() *reach {
	r, line := &reach{}, present(c.Line)
	r.add(0)
	r.addPoints(present(c.Measured))
	for _, p := range line {
		last := line[len(line)-1]
		wide := p.Hi-p.Lo > 6*(last.Hi-last.Lo) && p.X < last.X/5
		if !wide {
			r.addPoints([]Point{p})
		} else if p.X >= last.X/20 {
			r.add(p.Y)
		}
	}
	return r
}
