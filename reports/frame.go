package reports

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
)

// scale maps values to places along one direction of the sheet.
type scale struct {
	lo, hi float64 // values; lo < hi
	a, b   float64 // places of lo and hi
	log    bool
}

func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	return s.a + float64((v-lo)/(hi-lo)*(s.b-s.a))
}

// inside tells whether v lies on the axis.
func (s scale) inside(v float64) bool { return v >= s.lo && v <= s.hi }

// clamp brings v, even an infinite one, onto the axis.
func (s scale) clamp(v float64) float64 { return min(max(v, s.lo), s.hi) }

// reach collects the values an axis must show.
type reach struct {
	lo, hi float64
	any    bool

	positive bool // what is not, by any ordinary size, is left out
}

func (r *reach) add(values ...float64) {
	for _, v := range values {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0) || r.positive && v < 1/most:
		case !r.any:
			r.lo, r.hi, r.any = v, v, true
		default:
			r.lo, r.hi = min(r.lo, v), max(r.hi, v)
		}
	}
}

// scale returns an axis over r with pad times its length free at both ends.
// Where all values are (nearly) equal it opens a window around them.
func (r reach) scale(log bool, pad float64) scale {
	if log {
		lo, hi := math.Log(r.lo), math.Log(r.hi)
		d := float64(pad * (hi - lo))
		if hi-lo < 1e-6 {
			d = math.Ln2
		}
		return scale{lo: math.Exp(lo - d), hi: math.Exp(hi + d), log: true}
	}
	size := max(math.Abs(r.lo), math.Abs(r.hi))
	d := float64(pad * (r.hi - r.lo))
	switch {
	case size < 1e-90:
		return scale{lo: -1, hi: 1}
	case r.hi-r.lo < 1e-9*size:
		d = 0.1 * size
	}
	return scale{lo: r.lo - d, hi: r.hi + d}
}

// most is the greatest size a drawn value may have. It keeps the arithmetic of
// axes far from overflow; nothing measured comes near.
const most = 1e90

// checkPoints refuses what no axis can show. NaN passes: it means "missing".
func checkPoints(field string, points []Point, logX, logY bool) error {
	for i, p := range points {
		if err := checkPoint(p, logX, logY); err != nil {
			return fmt.Errorf("%s[%d]: %w", field, i, err)
		}
	}
	return nil
}

func checkPoint(p Point, logX, logY bool) error {
	if err := checkValue("X", p.X, logX); err != nil {
		return err
	}
	if err := checkValue("Y", p.Y, logY); err != nil {
		return err
	}
	return checkInterval(p.Lo, p.Hi)
}

func checkValue(name string, v float64, log bool) error {
	switch {
	case math.Abs(v) > most:
		return fmt.Errorf("%s is %v: want a finite value of ordinary size", name, v)
	case log && v <= 0:
		return fmt.Errorf("%s is %v: a logarithmic axis shows positive values only", name, v)
	case log && v < 1/most:
		return fmt.Errorf("%s is %v: too small for a logarithmic axis", name, v)
	}
	return nil
}

func checkInterval(lo, hi float64) error {
	if lo > hi {
		return fmt.Errorf("interval from %v to %v is reversed", lo, hi)
	}
	for _, v := range []float64{lo, hi} {
		if !math.IsInf(v, 0) && math.Abs(v) > most {
			return fmt.Errorf("interval end %v is not of ordinary size", v)
		}
	}
	if math.IsInf(lo, 1) || math.IsInf(hi, -1) {
		return fmt.Errorf("interval from %v to %v holds no value", lo, hi)
	}
	return nil
}

// checkIncreasing wants points in order of X.
func checkIncreasing(field string, points []Point) error {
	for i := 1; i < len(points); i++ {
		if points[i].X < points[i-1].X {
			return fmt.Errorf("%s[%d]: X falls from %v to %v: want increasing order", field, i, points[i-1].X, points[i].X)
		}
	}
	return nil
}

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

// newScene starts a figure with its title and subtitle; y is where to go on.
func newScene(title, subtitle string, width float64) (s *scene, y float64) {
	s = &scene{w: width, title: title}
	y = margin
	put := func(str string, size float64, bold bool, c color.NRGBA) {
		for _, line := range wrap(str, size, bold, width-2*margin) {
			y += size * leading
			s.add(text{spot: spot{margin, y - 0.3*size}, s: line, size: size, bold: bold, color: c})
		}
	}
	put(title, sizeTitle, true, ink)
	if title != "" && subtitle != "" {
		y += 2
	}
	put(subtitle, sizeText, false, inkSoft)
	return s, y + 8
}

// key is an entry of a legend.
type key struct {
	label string
	mark  mark
	color color.NRGBA
}

type mark int

const (
	markLine mark = iota
	markThin
	markDash
	markBand
	markDot
	markBar // a dot with an interval bar
	markBox
	markBest
	markReference
	markGauge
)

// width returns the breadth of a legend's mark.
func (m mark) width() float64 {
	switch m {
	case markLine, markThin, markDash, markBand, markBar:
		return 20
	case markBest, markReference:
		return 18
	}
	return 10
}

// legend writes keys in rows above the plot, where they can cover nothing, and
// returns where to go on.
func (s *scene) legend(keys []key, y float64) float64 {
	if len(keys) == 0 {
		return y
	}
	const gap, line = 18, 17
	x := margin
	y += line
	for _, k := range keys {
		indent := k.mark.width() + 6
		label := shorten(k.label, sizeText, false, s.w-2*margin-indent)
		w := indent + textWidth(label, sizeText, false)
		if x > margin && x+w > s.w-margin {
			x, y = margin, y+line
		}
		s.key(k, spot{x, y - 4})
		s.add(text{spot: spot{x + indent, y}, s: label, size: sizeText, color: inkSoft})
		x += w + gap
	}
	return y + 10
}

// key draws a legend's mark, centred on the line through at, starting there.
func (s *scene) key(k key, at spot) {
	w := k.mark.width()
	line, mid := []spot{at, {at.x + w, at.y}}, spot{at.x + w/2, at.y}
	switch k.mark {
	case markLine:
		s.add(polyline{line, stroke{color: k.color, width: 2.25}})
	case markThin:
		s.add(polyline{line, stroke{color: k.color, width: 1}})
	case markDash:
		s.add(polyline{line, stroke{color: k.color, width: 1.25, dash: []float64{4, 3}}})
	case markBand:
		s.add(box{rect: rect{at.x, at.y - 5, at.x + w, at.y + 5}, fill: faded(k.color, bandOpacity)})
	case markDot:
		s.add(disc{spot: mid, r: dotRadius, fill: k.color})
	case markBar:
		s.add(polyline{line, stroke{color: k.color, width: 1.5}})
		s.add(disc{spot: mid, r: dotRadius, fill: k.color})
	case markBox:
		s.add(box{rect: rect{at.x, at.y - 5, at.x + w, at.y + 5}, fill: k.color})
	case markGauge:
		s.add(box{rect: rect{mid.x - 2, at.y - 7, mid.x + 2, at.y + 7}, fill: gridInk})
		s.add(box{rect: rect{mid.x - 2, at.y - 3, mid.x + 2, at.y + 4}, fill: k.color})
	case markBest, markReference:
		s.outline(rect{at.x - 1, at.y - 7, at.x + w - 1, at.y + 7}, k.mark == markReference)
	}
}

const (
	bandOpacity = 0.18
	dotRadius   = 3.5
)

// frame is a panel with axes.
type frame struct {
	s    *scene
	area rect
	x, y scale
}

// axes says how to lay a frame out.
type axes struct {
	top, height    float64 // of the panel itself
	x, y           scale   // ends only; places are set by frame
	xLabel, yLabel string
	xWhole, yWhole bool                                 // no fractions on the ticks
	yFormat        func(v float64, label string) string // nil keeps the label
	uprights       []upright
	right          float64 // room at the right for labels of lines
}

// frame draws grid, axes and their labels, and sets the height of the sheet to
// end below them.
func (s *scene) frame(a axes) *frame {
	f := &frame{s: s, x: a.x, y: a.y, area: rect{x0: margin}}
	yTicks := f.yTicks(a)
	for _, t := range yTicks {
		f.area.x0 = max(f.area.x0, margin+textWidth(t.label, sizeTick, false)+7)
	}
	f.x.a, f.x.b = f.area.x0, s.w-margin-a.right
	xTicks := f.xTicks(a.xWhole)
	if n := len(xTicks); n > 0 { // half of the last number may stand out
		last := xTicks[n-1]
		over := f.x.at(last.v) + textWidth(last.label, sizeTick, false)/2 - (s.w - margin)
		f.x.b -= max(over, 0) + 1
	}
	f.area.x1 = f.x.b
	f.area.y0 = f.labelsAbove(a) + 6
	f.area.y1 = f.area.y0 + a.height
	f.y.a, f.y.b = f.area.y1, f.area.y0
	f.drawY(yTicks)
	f.drawX(xTicks)
	s.h = f.area.y1 + 6 + sizeTick*leading + margin
	if a.xLabel != "" {
		s.centred(a.xLabel, spot{(f.area.x0 + f.area.x1) / 2, s.h + 4})
		s.h += sizeText * leading
	}
	return f
}

// upright marks a value of X: a vertical line through the panel with its label
// above, where it covers no data.
type upright struct {
	x     float64
	label string
	color color.NRGBA // of the letters and the line
	dash  []float64
}

const labelRow = 16.0

// labelsAbove writes the Y label and the uprights' labels, each in the lowest
// row where it meets no other, and returns where the panel may begin. The lines
// of the uprights are drawn by [frame.uprights], over grid and under data.
func (f *frame) labelsAbove(a axes) float64 {
	var rows [][]rect
	yLabel := shorten(a.yLabel, sizeText, false, f.s.w-2*margin)
	if yLabel != "" {
		rows = append(rows, []rect{{margin, 0, margin + textWidth(yLabel, sizeText, false) + 12, 1}})
	}
	type placed struct {
		text
		row int
	}
	var labels []placed
	for _, fl := range a.uprights {
		label := shorten(fl.label, sizeText, true, f.s.w-2*margin)
		half := textWidth(label, sizeText, true)/2 + 4
		x := min(max(f.x.at(fl.x), margin-4+half), f.s.w-margin+4-half)
		span, row := rect{x - half, 0, x + half, 1}, 0
		for row < len(rows) && meetsAny(span, rows[row]) {
			row++
		}
		if row == len(rows) {
			rows = append(rows, nil)
		}
		rows[row] = append(rows[row], span)
		labels = append(labels, placed{text{spot: spot{x: x}, s: label, size: sizeText, bold: true, color: fl.color, anchor: middle}, row})
	}
	bottom := a.top + labelRow*float64(len(rows))
	if yLabel != "" {
		f.s.add(text{spot: spot{margin, bottom - 4}, s: yLabel, size: sizeText, color: inkSoft})
	}
	for _, l := range labels {
		l.y = bottom - 4 - labelRow*float64(l.row)
		f.s.add(l.text)
	}
	return bottom
}

func meetsAny(r rect, others []rect) bool {
	for _, o := range others {
		if r.overlaps(o) {
			return true
		}
	}
	return false
}

// uprights draws the lines of the uprights.
func (f *frame) uprights(marks []upright) {
	for _, fl := range marks {
		x := f.x.at(fl.x)
		line := []spot{{x, f.area.y0 - 5}, {x, f.area.y1}}
		f.s.add(polyline{line, stroke{color: faded(white, 0.8), width: 3.5}}) // seen on bars too
		f.s.add(polyline{line, stroke{color: fl.color, width: 1.25, dash: fl.dash}})
	}
}

// end is a label at the right of the panel, at the height of a value.
type end struct {
	y     float64 // a value; kept inside the panel
	label string
	bold  bool
	color color.NRGBA

	leader bool    // draws a thin line to the label,
	from   float64 // from this X, where it is far away
}

const (
	endGap   = 8.0 // from the panel to its labels
	endPitch = 14  // from one label to the next
)

// endRoom returns the room that ends need at the right.
func endRoom(ends []end) float64 {
	room := 0.0
	for _, e := range ends {
		room = max(room, endGap+textWidth(e.label, sizeText, e.bold))
	}
	return room
}

// ends writes labels beside the panel, moved apart where they would overlap.
func (f *frame) ends(ends []end) {
	sorted := slices.Clone(ends)
	slices.SortStableFunc(sorted, func(a, b end) int { return cmp.Compare(b.y, a.y) })
	places := make([]float64, len(sorted))
	for i, e := range sorted {
		places[i] = f.y.at(f.y.clamp(e.y))
	}
	spread(places, endPitch, f.area.y0+4, f.area.y1-2)
	for i, e := range sorted {
		if at := f.y.at(f.y.clamp(e.y)); e.leader && f.area.x1-f.x.at(e.from) > 30 {
			f.s.add(polyline{[]spot{{f.x.at(e.from) + 8, at}, {f.area.x1, at}}, stroke{color: faded(e.color, 0.6), width: 1, dash: []float64{1.5, 3}}})
		}
		f.s.add(text{spot: spot{f.area.x1 + endGap, places[i] + 4}, s: e.label, size: sizeText, bold: e.bold, color: e.color})
	}
}

// spread moves increasing places to at least apart from each other, as little
// as it can: those too close form a block around their mean. It keeps them
// between lo and hi where there is room.
func spread(places []float64, apart, lo, hi float64) {
	type block struct {
		sum float64 // of places, each less its offset in the block
		n   int
	}
	limit := func(b block) float64 { // first place of the block
		first := b.sum / float64(b.n)
		return max(min(first, hi-float64(b.n-1)*apart), lo)
	}
	var blocks []block
	for _, p := range places {
		b := block{p, 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if limit(last)+float64(last.n)*apart <= limit(b) {
				break
			}
			b = block{last.sum + b.sum - float64(b.n*last.n)*apart, last.n + b.n}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	i := 0
	for _, b := range blocks {
		for k := range b.n {
			places[i] = limit(b) + float64(k)*apart
			i++
		}
	}
}

// centred writes a label in the middle of at, or as near as keeps it on the
// sheet.
func (s *scene) centred(label string, at spot) {
	label = shorten(label, sizeText, false, s.w-2*margin)
	half := textWidth(label, sizeText, false)/2 + margin
	at.x = min(max(at.x, half), s.w-half)
	s.add(text{spot: at, s: label, size: sizeText, color: inkSoft, anchor: middle})
}

func (f *frame) yTicks(a axes) []tick {
	n := max(int(a.height/34), 2)
	var ticks []tick
	if a.y.log {
		ticks = logTicks(a.y.lo, a.y.hi, n)
	} else {
		ticks = linearTicks(a.y.lo, a.y.hi, n, a.yWhole)
	}
	if a.yFormat != nil {
		for i := range ticks {
			ticks[i].label = a.yFormat(ticks[i].v, ticks[i].label)
		}
	}
	return ticks
}

// xTicks returns as many marks as stand apart.
func (f *frame) xTicks(whole bool) []tick {
	for n := max(int((f.x.b-f.x.a)/45), 2); ; n-- {
		var ticks []tick
		if f.x.log {
			ticks = logTicks(f.x.lo, f.x.hi, n)
		} else {
			ticks = linearTicks(f.x.lo, f.x.hi, n, whole)
		}
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
		f.s.add(text{spot: spot{f.area.x0 - 7, y + 0.36*sizeTick}, s: t.label, size: sizeTick, color: inkSoft, anchor: right})
	}
}

func (f *frame) drawX(ticks []tick) {
	bottom := f.area.y1
	f.s.add(polyline{[]spot{{f.area.x0, bottom}, {f.area.x1, bottom}}, stroke{color: inkPale, width: 1}})
	for _, t := range ticks {
		x := f.x.at(t.v)
		f.s.add(polyline{[]spot{{x, bottom}, {x, bottom + 4}}, stroke{color: inkPale, width: 1}})
		mid, _ := f.tickMiddle(t)
		f.s.add(text{spot: spot{mid, bottom + 6 + sizeTick}, s: t.label, size: sizeTick, color: inkSoft, anchor: middle})
	}
}

// line draws points by increasing X, cut at the panel's edge and broken where a
// value is missing.
func (f *frame) line(points []Point, st stroke) {
	for _, run := range runs(points) {
		var spots []spot
		for _, p := range run {
			spots = append(spots, spot{f.x.at(p.X), f.yFar(p.Y)})
		}
		for _, piece := range clipLine(thin(spots), f.area.y0, f.area.y1) {
			if len(piece) > 1 {
				f.s.add(polyline{piece, st})
			}
		}
	}
}

// band fills between Lo and Hi of points by increasing X, cut at the panel's
// edge; it ends and begins anew where there is no interval.
func (f *frame) band(points []Point, c color.NRGBA) {
	var with []Point
	for _, p := range points {
		if !hasInterval(p.Lo, p.Hi) {
			p.Y = math.NaN()
		}
		with = append(with, p)
	}
	for _, run := range runs(with) {
		var upper, lower []spot
		for _, p := range run {
			x := f.x.at(p.X)
			upper = append(upper, spot{x, f.yFar(p.Hi)})
			lower = append(lower, spot{x, f.yFar(p.Lo)})
		}
		upper, lower = thin(upper), thin(lower)
		for i := len(lower) - 1; i >= 0; i-- {
			upper = append(upper, lower[i])
		}
		if outline := clipArea(upper, f.area.y0, f.area.y1); len(outline) > 2 {
			f.s.add(area{spots: outline, fill: c})
		}
	}
}

// yFar maps v to the sheet; what lies far outside the panel, or at infinity,
// to a place some panels away, so that slopes at the edge stay finite.
func (f *frame) yFar(v float64) float64 {
	if f.y.log {
		v = max(v, f.y.lo*1e-9)
	}
	far := 20 * f.area.h()
	return min(max(f.y.at(v), f.area.y0-far), f.area.y1+far)
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

// barEnd closes an interval bar that runs in direction dir: a cap, or an arrow
// where the interval goes on.
func (s *scene) barEnd(at, dir spot, open bool, st stroke) {
	const half = 3.0
	back := 0.0
	if open {
		back = 5
	}
	side := spot{dir.y * half, dir.x * half}
	foot := spot{at.x - dir.x*back, at.y - dir.y*back}
	a, b := spot{foot.x + side.x, foot.y + side.y}, spot{foot.x - side.x, foot.y - side.y}
	if open {
		s.add(polyline{[]spot{a, at, b}, st})
	} else {
		s.add(polyline{[]spot{a, b}, st})
	}
}

// across draws a horizontal line at y; it tells whether y is on the axis.
func (f *frame) across(y float64, st stroke) bool {
	if !f.y.inside(y) {
		return false
	}
	py := f.y.at(y)
	f.s.add(polyline{[]spot{{f.area.x0, py}, {f.area.x1, py}}, st})
	return true
}

// runs splits points where a value is missing.
func runs(points []Point) [][]Point {
	var out [][]Point
	var run []Point
	for _, p := range points {
		if math.IsNaN(p.X) || math.IsNaN(p.Y) {
			if len(run) > 0 {
				out = append(out, run)
			}
			run = nil
			continue
		}
		run = append(run, p)
	}
	if len(run) > 0 {
		out = append(out, run)
	}
	return out
}

// thin keeps of a long line what can be seen: for each pixel its first,
// highest, lowest and last spot.
func thin(spots []spot) []spot {
	if len(spots) < 3 {
		return spots
	}
	var out []spot
	keep := func(group []spot) {
		lo, hi := 0, 0
		for i, p := range group {
			if p.y < group[lo].y {
				lo = i
			}
			if p.y > group[hi].y {
				hi = i
			}
		}
		last := -1
		for _, i := range []int{0, min(lo, hi), max(lo, hi), len(group) - 1} {
			if i > last {
				out, last = append(out, group[i]), i
			}
		}
	}
	from := 0
	for i := 1; i <= len(spots); i++ {
		if i == len(spots) || math.Floor(spots[i].x) != math.Floor(spots[from].x) {
			keep(spots[from:i])
			from = i
		}
	}
	return out
}

// clipLine cuts a line to y0 <= y <= y1 into the pieces inside.
func clipLine(spots []spot, y0, y1 float64) [][]spot {
	var pieces [][]spot
	var piece []spot
	flush := func() {
		if len(piece) > 0 {
			pieces = append(pieces, piece)
		}
		piece = nil
	}
	for i, p := range spots {
		if i > 0 {
			piece = append(piece, crossings(spots[i-1], p, y0, y1)...)
		}
		if p.y >= y0 && p.y <= y1 {
			piece = append(piece, p)
		} else {
			flush()
		}
	}
	flush()
	return pieces
}

// crossings returns where the stretch from a to b passes y0 and y1, in order.
func crossings(a, b spot, y0, y1 float64) []spot {
	var out []spot
	for _, y := range []float64{y0, y1} {
		if (a.y < y) != (b.y < y) && a.y != y && b.y != y {
			out = append(out, spot{a.x + float64((b.x-a.x)*((y-a.y)/(b.y-a.y))), y})
		}
	}
	if len(out) == 2 && a.y > b.y {
		out[0], out[1] = out[1], out[0]
	}
	return out
}

// clipArea cuts an outline to y0 <= y <= y1 (Sutherland and Hodgman, 1974).
func clipArea(spots []spot, y0, y1 float64) []spot {
	cut := func(spots []spot, y float64, inside func(spot) bool) []spot {
		var out []spot
		for i, p := range spots {
			prev := spots[(i+len(spots)-1)%len(spots)]
			if inside(p) != inside(prev) {
				out = append(out, spot{prev.x + float64((p.x-prev.x)*((y-prev.y)/(p.y-prev.y))), y})
			}
			if inside(p) {
				out = append(out, p)
			}
		}
		return out
	}
	spots = cut(spots, y0, func(p spot) bool { return p.y >= y0 })
	return cut(spots, y1, func(p spot) bool { return p.y <= y1 })
}
