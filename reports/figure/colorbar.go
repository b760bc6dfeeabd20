package figure

import "math"

// colorBar tells which values the colours of a chart stand for.
type colorBar struct {
	rect
	shade
	signs bool    // plus signs before what is greater than zero
	label string  // "" for none
	from  float64 // where the label of an upright bar may begin
}

const barBreadth = 12.0

// upright tells whether the bar stands: beside the panel on a wide sheet. On a
// narrow one it lies below.
func (c colorBar) upright() bool { return c.h() > c.w() }

// draw draws the bar with its numbers and label.
func (c colorBar) draw(s *Drawing) {
	sc := c.scale
	sc.a, sc.b = c.x0, c.x1
	if c.upright() {
		sc.a, sc.b = c.y1, c.y0
	}
	c.drawColors(s, sc)
	ticks := linearTicks(sc.lo, sc.hi, 5, false)
	if c.signs {
		signed(ticks)
	}
	for _, t := range ticks {
		c.drawTick(s, sc.at(t.v), t.label)
	}
	c.drawLabel(s)
}

func (c colorBar) drawColors(s *Drawing, sc scale) {
	const step = 2.0
	length := math.Abs(sc.b - sc.a)
	for at := 0.0; at < length; at += step { // each over the one before it
		v := sc.lo + float64((sc.hi-sc.lo)*min((at+step/2)/length, 1))
		r := rect{c.x0 + at, c.y0, c.x1, c.y1}
		if c.upright() {
			r = rect{c.x0, c.y0, c.x1, c.y1 - at}
		}
		s.add(box{rect: r, crisp: true, fill: c.of(v)})
	}
}

func (c colorBar) drawTick(s *Drawing, p float64, label string) {
	if c.upright() {
		s.add(polyline{[]spot{{c.x1, p}, {c.x1 + 4, p}}, stroke{color: inkPale, width: 1}})
		s.add(textLine{spot: spot{c.x1 + 7, p + 0.36*sizeTick}, s: label, size: sizeTick, color: inkSoft})
		return
	}
	half := textWidth(label, sizeTick, false) / 2
	s.add(polyline{[]spot{{p, c.y1}, {p, c.y1 + 4}}, stroke{color: inkPale, width: 1}})
	s.add(textLine{spot: spot{min(max(p, margin/2+half), s.w-margin/2-half), c.y1 + 5 + sizeTick}, s: label, size: sizeTick, color: inkSoft,
		anchor: middle})
}

// drawLabel writes the label above the bar; that of an upright one ends at the
// sheet's edge.
func (c colorBar) drawLabel(s *Drawing) {
	label := shorten(c.label, sizeText, false, s.w-2*margin)
	x, y := c.x0, c.y0-6
	if c.upright() {
		label = shorten(c.label, sizeText, false, s.w-margin-c.from)
		x, y = max(min(c.x0, s.w-margin-textWidth(label, sizeText, false)), c.from), c.y0-7
	}
	if label != "" {
		s.add(textLine{spot: spot{x, y}, s: label, size: sizeText, color: inkSoft})
	}
}
