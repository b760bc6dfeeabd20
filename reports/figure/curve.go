package figure

import (
	"cmp"

	"selfplaylab/reports/text"
)

// Curve shows the strength of what a tuner proposes over its iterations: a fitted
// or running Elo with its band, and what was measured of it.
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
	x, y := c.reach()
	s, _ := c.layOut(layout, cmp.Or(c.YLabel, "Elo"), "", x.scale(c.LogX, 0.02), y)
	return s, nil
}

// layOut draws the curve, called by a name in the legend, with a verdict or "".
func (c Curve) layOut(layout Layout, name, verdict string, x scale, y *reach) (*Drawing, *frame) {
	line, measured := present(c.Line), present(c.Measured)
	s, top := newDrawing(c.Title, c.Subtitle, layout)
	top = s.verdict(verdict, top)
	var keys []key
	var ends []end
	if len(line) > 0 {
		last := line[len(line)-1]
		keys = lineKeys(line, name, cmp.Or(c.Level, "95 % band"))
		if hasInterval(last.Lo, last.Hi) {
			ends = []end{{y: last.Y, label: plus(last.Y, text.Number(last.Y, eloDecimals(last))), bold: true, color: blue}}
		}
	}
	switch {
	case anyInterval(measured):
		keys = append(keys, key{"measured, with interval", markBar, vermilion})
	case len(measured) > 0:
		keys = append(keys, key{"measured", markDot, vermilion})
	}
	keys, ends = s.labelsOrKeys(keys, ends)
	f := s.frame(axes{
		top: s.legend(keys, top), height: layout.panelHeight(), x: x, y: y.scale(false, 0.06),
		xLabel: cmp.Or(c.XLabel, "iteration"), yLabel: cmp.Or(c.YLabel, "Elo"), xWhole: true, ySigns: true, right: endRoom(ends),
	})
	f.band(c.Line, faded(blue, bandOpacity))
	f.across(0, stroke{color: ink, width: 1})
	f.line(c.Line, stroke{color: blue, width: 2})
	f.measured(measured, vermilion)
	f.tip(line)
	f.ends(ends)
	return s, f
}

// tip ends a line with a dot; a line of one point shows its interval too.
func (f *frame) tip(line []Point) {
	if len(line) == 0 {
		return
	}
	last := line[len(line)-1]
	if len(line) == 1 {
		f.bar(last.X, last.Lo, last.Hi, stroke{color: blue, width: 1.5})
	}
	f.dot(last, blue, tip(plain(last.X), last))
}

// measured draws points with their intervals.
func (f *frame) measured(points []Point, c tone) {
	for _, p := range points {
		f.bar(p.X, p.Lo, p.Hi, stroke{color: c, width: 1.5})
	}
	for _, p := range points {
		f.dot(p, c, tip(plain(p.X), p))
	}
}

func (c Curve) check() error {
	return cmp.Or(checkLine("Line", c.Line, c.LogX, false), checkPoints("Measured", c.Measured, c.LogX, false), checkSome(c.Line, c.Measured))
}

// reach covers all but a band or an interval many times as long as the way that
// the values went, which is cut.
func (c Curve) reach() (x, y *reach) {
	x, y = &reach{}, &reach{}
	y.add(0)
	all := append(present(c.Line), present(c.Measured)...)
	x.addX(all)
	for _, p := range all {
		y.add(p.Y)
	}
	lo, hi := y.lo, y.hi
	far := 2 * (hi - lo)
	for _, p := range all {
		if hasInterval(p.Lo, p.Hi) && lo < hi {
			y.add(max(p.Lo, lo-far), min(p.Hi, hi+far))
		} else if hasInterval(p.Lo, p.Hi) {
			y.add(p.Lo, p.Hi)
		}
	}
	return x, y
}
