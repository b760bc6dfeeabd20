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
func (b colorBar) upright() bool { return b.h() > b.w() }

// draw draws the bar with its numbers and label.
func (b colorBar) draw(s *Drawing) {
	sc := b.scale
	sc.a, sc.b = b.x0, b.x1
	if b.upright() {
		sc.a, sc.b = b.y1, b.y0
	}
	b.drawColors(s, sc)
	ticks := linearTicks(sc.lo, sc.hi, 5, false)
	if b.signs {
		signed(ticks)
	}
	for _, t := range ticks {
		b.drawTick(s, sc.at(t.v), t.label)
	}
	b.drawLabel(s)
}

func (b colorBar) drawColors(s *Drawing, sc scale) {
	const step = 2.0
	length := math.Abs(sc.b - sc.a)
	for at := 0.0; at < length; at += step { // each over the one before it
		v := sc.lo + float64((sc.hi-sc.lo)*min((at+step/2)/length, 1))
		r := rect{b.x0 + at, b.y0, b.x1, b.y1}
		if b.upright() {
			r = rect{b.x0, b.y0, b.x1, b.y1 - at}
		}
		s.add(box{rect: r, crisp: true, fill: b.of(v)})
	}
}

func (b colorBar) drawTick(s *Drawing, p float64, label string) {
	if b.upright() {
		s.add(polyline{[]spot{{b.x1, p}, {b.x1 + 4, p}}, stroke{color: inkPale, width: 1}})
		s.add(textLine{spot: spot{b.x1 + 7, p + 0.36*sizeTick}, s: label, size: sizeTick, color: inkSoft})
		return
	}
	half := textWidth(label, sizeTick, false) / 2
	s.add(polyline{[]spot{{p, b.y1}, {p, b.y1 + 4}}, stroke{color: inkPale, width: 1}})
	s.add(textLine{spot: spot{min(max(p, margin/2+half), s.w-margin/2-half), b.y1 + 5 + sizeTick}, s: label, size: sizeTick, color: inkSoft,
		anchor: middle})
}

// drawLabel writes the label above the bar; that of an upright one ends at the
// sheet's edge.
func (b colorBar) drawLabel(s *Drawing) {
	label := shorten(b.label, sizeText, false, s.w-2*margin)
	x, y := b.x0, b.y0-6
	if b.upright() {
		label = shorten(b.label, sizeText, false, s.w-margin-b.from)
		x, y = max(min(b.x0, s.w-margin-textWidth(label, sizeText, false)), b.from), b.y0-7
	}
	if label != "" {
		s.add(textLine{spot: spot{x, y}, s: label, size: sizeText, color: inkSoft})
	}
}
