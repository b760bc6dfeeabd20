package figure

import (
	"math"
	"slices"

	"selfplaylab/reports/text"
)

// present returns the points that have a value: points itself where all have.
func present(points []Point) []Point {
	missing := func(p Point) bool { return math.IsNaN(p.X) || math.IsNaN(p.Y) }
	if !slices.ContainsFunc(points, missing) {
		return points
	}
	return slices.DeleteFunc(slices.Clone(points), missing)
}

// hasInterval tells whether Lo and Hi are an interval.
func hasInterval(lo, hi float64) bool { return lo < hi } // false for NaN too

// newDrawing starts a figure with its title and subtitle; y is where to go on.
func newDrawing(title, subtitle string, layout Layout) (s *Drawing, y float64) {
	s = &Drawing{layout: layout, w: layout.width(), title: title}
	y = margin
	put := func(str string, size float64, bold bool, c tone) {
		for _, line := range wrap(str, size, bold, s.w-2*margin) {
			y += size * leading
			s.add(textLine{spot: spot{margin, y - 0.3*size}, s: line, size: size, bold: bold, color: c})
		}
	}
	put(title, sizeTitle, true, ink)
	if title != "" && subtitle != "" {
		y += 2
	}
	put(subtitle, sizeText, false, inkSoft)
	return s, y + 8
}

const (
	bandOpacity = 0.18
	dotRadius   = 3.5
)

// frame is a panel with axes.
type frame struct {
	s    *Drawing
	area rect
	x, y scale
}

// axes says how to lay a frame out.
type axes struct {
	top, height    float64 // of the panel itself
	x, y           scale   // ends only; places are set by frame
	xLabel, yLabel string
	xWhole, yWhole bool // no fractions on the ticks
	ySigns         bool // plus signs on the ticks
	uprights       []upright
	right          float64 // room at the right for labels of lines
}

// frame draws grid, axes and their labels, and sets the height of the sheet to
// end below them.
func (d *Drawing) frame(a axes) *frame {
	f := &frame{s: d, x: a.x, y: a.y, area: rect{x0: margin}}
	yTicks := a.y.ticks(max(int(a.height/34), 2), a.yWhole)
	if a.ySigns {
		signed(yTicks)
	}
	for _, t := range yTicks {
		f.area.x0 = max(f.area.x0, margin+textWidth(t.label, sizeTick, false)+7)
	}
	f.x.a, f.x.b = f.area.x0, d.w-margin-a.right
	xTicks := f.xTicks(a.xWhole)
	if n := len(xTicks); n > 0 { // half of the last number may stand out
		last := xTicks[n-1]
		over := f.x.at(last.v) + textWidth(last.label, sizeTick, false)/2 - (d.w - margin)
		f.x.b -= max(over, 0) + 1
	}
	f.area.x1 = f.x.b
	f.area.y0 = f.labelsAbove(a) + 6
	f.area.y1 = f.area.y0 + a.height
	f.y.a, f.y.b = f.area.y1, f.area.y0
	f.drawY(yTicks)
	f.drawX(xTicks)
	d.h = f.area.y1 + 6 + sizeTick*leading + margin
	if a.xLabel != "" {
		d.centred(a.xLabel, spot{(f.area.x0 + f.area.x1) / 2, d.h + 4})
		d.h += sizeText * leading
	}
	return f
}

// xTicks returns as many marks as stand apart.
func (f *frame) xTicks(whole bool) []tick {
	for n := max(int((f.x.b-f.x.a)/45), 4); ; n-- { // fewer may leave a single one
		ticks := f.x.ticks(n, whole)
		if n <= 2 || f.apart(ticks) {
			return ticks
		}
	}
}

func (f *frame) apart(ticks []tick) bool {
	end := math.Inf(-1)
	for _, t := range ticks {
		x, half := f.tickMiddle(t)
		if x-half < end {
			return false
		}
		end = x + half + 14
	}
	return true
}

// tickMiddle returns the middle of a mark's label, below its mark if that keeps
// it on the sheet, and half its width.
func (f *frame) tickMiddle(t tick) (x, half float64) {
	half = textWidth(t.label, sizeTick, false) / 2
	return min(max(f.x.at(t.v), half+2), f.s.w-half-2), half
}

func (f *frame) drawY(ticks []tick) {
	for _, t := range ticks {
		y := f.y.at(t.v)
		f.s.add(polyline{[]spot{{f.area.x0, y}, {f.area.x1, y}}, stroke{color: gridInk, width: 1}})
		f.s.add(textLine{spot: spot{f.area.x0 - 7, y + 0.36*sizeTick}, s: t.label, size: sizeTick, color: inkSoft, anchor: right})
	}
}

func (f *frame) drawX(ticks []tick) {
	bottom := f.area.y1
	f.s.add(polyline{[]spot{{f.area.x0, bottom}, {f.area.x1, bottom}}, stroke{color: inkPale, width: 1}})
	for _, t := range ticks {
		x := f.x.at(t.v)
		f.s.add(polyline{[]spot{{x, bottom}, {x, bottom + 4}}, stroke{color: inkPale, width: 1}})
		mid, _ := f.tickMiddle(t)
		f.s.add(textLine{spot: spot{mid, bottom + 6 + sizeTick}, s: t.label, size: sizeTick, color: inkSoft, anchor: middle})
	}
	if f.x.log && f.x.hi/f.x.lo < 1e7 { // the small marks say that the axis is logarithmic
		for _, t := range decades(f.x.lo, f.x.hi, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 1) {
			x := f.x.at(t.v)
			f.s.add(polyline{[]spot{{x, bottom}, {x, bottom + 2.5}}, stroke{color: inkPale, width: 1}})
		}
	}
}

// line draws points by increasing X, cut at the panel's edge and broken where a
// value is missing.
func (f *frame) line(points []Point, st stroke) {
	for _, run := range runs(points) {
		spots := text.Each(run, func(p Point) spot { return spot{f.x.at(p.X), f.y.far(p.Y)} })
		for _, piece := range clipLine(thin(spots), f.area.y0, f.area.y1) {
			if len(piece) > 1 {
				f.s.add(polyline{piece, st})
			}
		}
	}
}

// band fills between Lo and Hi of points by increasing X, cut at the panel's
// edge; it ends and begins anew where there is no interval.
func (f *frame) band(points []Point, c tone) {
	var with []Point
	for _, p := range points {
		if !hasInterval(p.Lo, p.Hi) {
			p.Y = math.NaN()
		}
		with = append(with, p)
	}
	for _, run := range runs(with) {
		upper := thin(text.Each(run, func(p Point) spot { return spot{f.x.at(p.X), f.y.far(p.Hi)} }))
		lower := thin(text.Each(run, func(p Point) spot { return spot{f.x.at(p.X), f.y.far(p.Lo)} }))
		slices.Reverse(lower)
		if outline := clipArea(append(upper, lower...), f.area.y0, f.area.y1); len(outline) > 2 {
			f.s.add(area{spots: outline, fill: c})
		}
	}
}

// bar draws the interval of a point as a line with caps; an end outside the
// panel is drawn to the edge with an arrowhead instead.
func (f *frame) bar(x, lo, hi float64, st stroke) {
	if !hasInterval(lo, hi) {
		return
	}
	px, y0, y1 := f.x.at(x), f.y.at(f.y.clamp(hi)), f.y.at(f.y.clamp(lo))
	if y1-y0 < 2*dotRadius+2 {
		return // the dot would hide it but for the caps
	}
	f.s.add(polyline{[]spot{{px, y0}, {px, y1}}, st})
	f.s.barEnd(spot{px, y0}, spot{0, -1}, hi > f.y.hi, st)
	f.s.barEnd(spot{px, y1}, spot{0, 1}, lo < f.y.lo, st)
}

// barAlong draws an interval of X as a horizontal bar.
func (d *Drawing) barAlong(x scale, y, lo, hi float64, st stroke) {
	from, to := x.at(x.clamp(lo)), x.at(x.clamp(hi))
	d.add(polyline{[]spot{{from, y}, {to, y}}, st})
	d.barEnd(spot{from, y}, spot{-1, 0}, lo < x.lo, st)
	d.barEnd(spot{to, y}, spot{1, 0}, hi > x.hi, st)
}

// barEnd closes an interval bar that runs in direction dir: a cap, or an arrow
// where the interval goes on.
func (d *Drawing) barEnd(at, dir spot, open bool, st stroke) {
	const half = 3.0
	back := 0.0
	if open {
		back = 5
	}
	side := spot{dir.y * half, dir.x * half}
	foot := spot{at.x - dir.x*back, at.y - dir.y*back}
	a, b := spot{foot.x + side.x, foot.y + side.y}, spot{foot.x - side.x, foot.y - side.y}
	if open {
		d.add(polyline{[]spot{a, at, b}, st})
	} else {
		d.add(polyline{[]spot{a, b}, st})
	}
}

// across draws a horizontal line at y, if that is on the axis.
func (f *frame) across(y float64, st stroke) {
	if f.y.inside(y) {
		py := f.y.at(y)
		f.s.add(polyline{[]spot{{f.area.x0, py}, {f.area.x1, py}}, st})
	}
}
