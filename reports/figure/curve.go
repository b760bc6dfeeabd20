package figure

import (
	"cmp"
	"math"
	"slices"

	"selfplaylab/reports/text"
)

// Curve shows the development of a strength as a line with a band: of a tuner's recommendation
// over the iterations, or of a match over its pairs.
type Curve struct {
	Title, Subtitle string // Subtitle may be ""
	Verdict         string // below them, such as "+41 Elo, shown to be better"; "" for none

	XLabel string // "" is "iteration"
	YLabel string // "" is "Elo"
	LogX   bool   // requires positive X

	// Line is the curve by increasing X; Lo and Hi are its band. Points before the first finite
	// band are left out, if there is one, because an estimate says nothing there. Without a
	// band (Lo and Hi are Y) its end has no number.
	Line  []Point
	Name  string // of the line in the legend; "" is the YLabel
	Level string // name of the band; "" is "95 % band"
	// Measured are single results with their intervals, in any order; nil for
	// none.
	Measured []Point
}

// Draw implements [Chart].
func (c Curve) Draw(layout Layout) (*Drawing, error) {
	if err := c.check(); err != nil {
		return nil, failed("Curve", c.Title, err)
	}
	c.YLabel, c.Line, c.Measured = cmp.Or(c.YLabel, "Elo"), banded(c.Line), present(c.Measured)
	line := present(c.Line)
	d, top := newDrawing(c.Title, c.Subtitle, layout)
	if c.Verdict != "" {
		top = d.lines(c.Verdict, top-2, 13, true, blue) - 2
	}
	dots := d.measured(c.Measured, vermilion)
	var keys []key
	var list ends
	if len(line) > 0 {
		keys = d.lineKeys(line, cmp.Or(c.Name, c.YLabel), cmp.Or(c.Level, "95 % band"))
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
	x, y := c.reach()
	p := d.panel(x.axis(c.LogX, 0), y.axis(false, 0.06))
	p.yLabel, p.xWhole, p.ySigns = c.YLabel, true, true
	p.label(cmp.Or(c.XLabel, "iteration"))
	keys, p.ends = d.labelsOrKeys(keys, list)
	p.add(grid())
	p.add(p.band(c.Line, blue)...)
	p.add(p.cuts(c.Line, blue))
	p.add(across(0, pen(ink, 1)))
	p.add(p.line(c.Line, pen(blue, 2))...)
	if end := line[max(len(line)-1, 0):]; len(end) == 0 || !slices.ContainsFunc(c.Measured, func(m Point) bool { return m.X == end[0].X }) {
		p.add(d.measured(end, blue))
	}
	p.add(dots, p.endLabels())
	p.draw(d.legend(keys, top), layout.panelHeight())
	return d, nil
}

func (c Curve) check() error {
	return cmp.Or(checkLine("Line", c.Line, c.LogX, false), checkPoints("Measured", c.Measured, c.LogX, false), checkSome(c.Line, c.Measured))
}

// banded leaves out the points before the first finite band, and none if there is no such band.
func banded(points []Point) []Point {
	return points[max(slices.IndexFunc(points, func(p Point) bool { return p.bounded() && !math.IsNaN(p.Y) }), 0):]
}

// reach covers zero, the measurements, and the line with its band. It cuts an early part of a
// band that is several times as wide as the last, because it would hide everything else. X
// begins at zero if the line begins near it or has a single point.
func (c Curve) reach() (x, y *reach) {
	x, y = &reach{}, &reach{}
	y.add(0)
	y.addPoints(c.Measured)
	line := present(c.Line)
	for _, p := range line {
		last := line[len(line)-1]
		wide := p.Hi-p.Lo > 6*(last.Hi-last.Lo) && p.X < last.X/5
		if !wide {
			y.addPoints([]Point{p})
		} else if p.X >= last.X/20 {
			y.add(p.Y)
		}
	}
	x.addX(append(line, c.Measured...))
	if !c.LogX && x.lo > 0 && (x.lo <= x.hi/10 || x.lo == x.hi) {
		x.add(0)
	}
	return x, y
}

// lineKeys returns the legend of one line with its band, as far as points show them: a single
// point is a dot with its interval.
func (d *Drawing) lineKeys(points []Point, line, band string) []key {
	switch {
	case len(points) > 1 && anyInterval(points):
		return []key{lineKey(line, pen(blue, 2.25)), bandKey(band, blue)}
	case len(points) > 1:
		return []key{lineKey(line, pen(blue, 2.25))}
	case anyInterval(points):
		return []key{d.measured(points, blue).key(line + ", " + band)}
	}
	return []key{d.measured(points, blue).key(line)}
}

// eloDecimals returns 1 if the interval is narrow enough, else 0.
func eloDecimals(p Point) int {
	if hasInterval(p.Lo, p.Hi) && p.Hi-p.Lo < 10 {
		return 1
	}
	return 0
}
