package figure

import (
	"errors"
	"fmt"
	"math"
	"selfplaylab/reports/text"
)

// Paths shows how parameters moved during tuning: one small panel a parameter,
// the raw iterate thin, the averaged value strong, the start as a dashed line,
// the final value printed. The axis of each panel is in the parameter's own
// unit; the slim bar at its right edge shows which part of the allowed range
// the panel covers.
type Paths struct {
	Title, Subtitle string

	Paths []Path // in reading order; about 25 stay readable

	// OptimumLabel names the bars beside the panels; "" is "where the optimum lies".
	OptimumLabel string
}

// Path is the path of one parameter.
type Path struct {
	Name string
	Unit string // "" for none

	Min, Max float64 // allowed range; Min < Max
	Start    float64
	// Log is for parameters that are tuned by their logarithm; all values must
	// then be positive.
	Log bool
	// Step is the size of move worth seeing (a perturbation, say), of the natural
	// logarithm where that is tuned; the panel never covers less than 4 steps. 0:
	// a fiftieth of the range.
	Step float64

	X    []float64 // iteration of each value, increasing; nil is 1, 2, 3...
	Raw  []float64 // the iterate; nil for none
	Mean []float64 // the averaged iterate; nil for none; as long as Raw if both

	// Final is the printed final value, "" for the last of Mean (or Raw)
	// rounded to what the panel can show.
	Final string

	// Optimum is where the best value is thought to lie, with its interval in Lo and
	// Hi, beside the panel; nil for none. X means nothing.
	Optimum *Point
}

// Draw implements [Chart].
func (p Paths) Draw(layout Layout) (*Drawing, error) {
	if err := p.check(); err != nil {
		return nil, failed("Paths", p.Title, err)
	}
	s, y := newDrawing(p.Title, p.Subtitle, layout)
	p.grid(s, s.legend(p.keys(), y)+4).draw()
	return s, nil
}

func (p Paths) check() error {
	if err := checkRows(len(p.Paths)); err != nil {
		return err
	}
	any := false
	for _, path := range p.Paths {
		has, err := path.check()
		if err != nil {
			return fmt.Errorf("path of %q: %w", path.Name, err)
		}
		any = any || has
	}
	if !any {
		return errEmpty
	}
	return nil
}

// check tells also whether the path has a value at all.
func (p Path) check() (has bool, err error) {
	if !(p.Min < p.Max && p.Min >= -most && p.Max <= most) {
		return false, fmt.Errorf("range from %v to %v: want Min < Max, both finite", p.Min, p.Max)
	}
	if err := checkValue("Min", p.Min, p.Log); err != nil {
		return false, err
	}
	if err := checkMark("Start", p.Start, p.Log); err != nil {
		return false, err
	}
	if !(p.Step >= 0 && p.Step <= most) {
		return false, fmt.Errorf("step %v: want a size, or 0", p.Step)
	}
	for _, values := range [][]float64{p.Raw, p.Mean} {
		if values != nil && p.X != nil && len(values) != len(p.X) || len(values) > 0 && len(values) != p.len() {
			return false, fmt.Errorf("%d X, %d Raw and %d Mean values: want equally many", len(p.X), len(p.Raw), len(p.Mean))
		}
	}
	if o := p.Optimum; o != nil {
		if err := errors.Join(checkMark("Optimum.Y", o.Y, p.Log), checkInterval(o.Lo, o.Hi)); err != nil {
			return false, err
		}
	}
	t := p.track()
	for _, points := range [][]Point{t.raw, t.mean} {
		if err := checkPoints("values", points, false, p.Log); err != nil {
			return false, err
		}
		if err := checkIncreasing("values", present(points)); err != nil {
			return false, err
		}
		has = has || len(present(points)) > 0
	}
	return has, nil
}

func (p Path) len() int { return max(len(p.Raw), len(p.Mean)) }

// track is a path as points.
type track struct {
	Path
	raw, mean []Point // with missing values
}

func (p Path) track() track { return track{p, p.points(p.Raw), p.points(p.Mean)} }

// points joins values with their iterations.
func (p Path) points(values []float64) []Point {
	out := make([]Point, 0, len(values))
	for i, v := range values {
		x := float64(i + 1)
		if p.X != nil {
			x = p.X[i]
		}
		out = append(out, Point{X: x, Y: v})
	}
	return out
}

// strong returns the line that matters most: the mean where there is one.
func (t track) strong() []Point {
	if mean := present(t.mean); len(mean) > 0 {
		return mean
	}
	return present(t.raw)
}

func (p Paths) keys() []key {
	raw, mean, optimum := false, false, false
	for _, path := range p.Paths {
		optimum = optimum || path.Optimum != nil
		raw = raw || len(path.Raw) > 0
		mean = mean || len(path.Mean) > 0
	}
	var keys []key
	if mean {
		keys = append(keys, key{"averaged value", markLine, blue})
	}
	if raw {
		keys = append(keys, key{"iterate", markThin, rawInk})
	}
	keys = append(keys, key{"start", markDash, inkPale})
	if optimum {
		keys = append(keys, key{or(p.OptimumLabel, "where the optimum lies"), markBar, vermilion})
	}
	return append(keys, key{"part of the range shown", markGauge, inkPale})
}

// window returns the axis of a panel: what was visited, at least 4 steps of it,
// with a rim; inside the range as long as the values are.
func (p track) window() scale {
	r := p.visited()
	low, high := p.even(p.Min), p.even(p.Max)
	inside := r.lo >= low && r.hi <= high
	least := 4 * p.Step
	if p.Step == 0 {
		least = 4 * (high - low) / 50
	}
	if short := min(least, high-low) - (r.hi - r.lo); short > 0 {
		r.lo, r.hi = r.lo-short/2, r.hi+short/2
		if inside { // moved, not cut: it stays as long
			shift := max(low-r.lo, 0) - max(r.hi-high, 0)
			r.lo, r.hi = r.lo+shift, r.hi+shift
		}
	}
	sc := r.scale(false, 0.08)
	if rim := float64(0.03 * (high - low)); inside {
		sc.lo, sc.hi = max(sc.lo, low-rim), min(sc.hi, high+rim)
	}
	if p.Log {
		return scale{lo: math.Exp(sc.lo), hi: math.Exp(sc.hi), log: true}
	}
	return sc
}

// even maps a value to where equal moves are equally long: its logarithm where
// that is tuned.
func (p Path) even(v float64) float64 {
	if p.Log {
		return math.Log(max(v, 1/most))
	}
	return v
}

// visited covers start, values and as much of the optimum's interval as does not
// hide them, all of them even.
func (p track) visited() *reach {
	r := &reach{}
	r.add(p.even(p.Start))
	for _, q := range present(p.raw) {
		r.add(p.even(q.Y))
	}
	for _, q := range present(p.mean) {
		r.add(p.even(q.Y))
	}
	if p.Optimum != nil {
		r.add(p.even(p.Optimum.Y))
	}
	lo, hi := r.lo, r.hi
	if o := p.Optimum; lo < hi && o != nil && hasInterval(o.Lo, o.Hi) {
		r.add(max(p.even(o.Lo), lo-(hi-lo)/2), min(p.even(o.Hi), hi+(hi-lo)/2))
	}
	return r
}

// values writes start and final value as finely as the panel shows them.
func (p track) values(sc scale) (start, final string) {
	write := func(v float64) string { return text.Number(v, text.Decimals(sc.hi-sc.lo, 3)) }
	if sc.log {
		write = plain
	}
	start = write(p.Start)
	if short := plain(p.Start); len(short) < len(start) {
		start = short
	}
	final = p.Final
	if line := p.strong(); final == "" && len(line) > 0 {
		final = write(line[len(line)-1].Y)
	}
	if p.Unit != "" && final != "" {
		final += " " + p.Unit
	}
	return start, final
}

// pathGrid is the layout of small panels.
type pathGrid struct {
	s              *Drawing
	panels         []pathPanel
	columns        int
	top            float64
	width, gap     float64   // of a column; between columns
	height, header float64   // of a panel; of the lines above it
	pitch          float64   // from one row to the next
	left           []float64 // room for numbers beside the panels of a column
	best           float64   // room for the bars of optima
	x              scale
}

type pathPanel struct {
	track
	y            scale
	ticks        []tick
	start, final string
}

const (
	gauge    = 4.0 // breadth of the bar that shows the part of the range
	gaugeGap = 4.0
	bestRoom = 12.0 // breadth of the bar of the optimum, where any panel has one
)

// grid chooses columns by width and number and measures all panels, so that
// they share their margins.
func (p Paths) grid(s *Drawing, top float64) *pathGrid {
	g := &pathGrid{s: s, top: top, gap: 22}
	n := len(p.Paths)
	g.columns, g.height = 3, 84
	switch {
	case n == 1:
		g.columns, g.height = 1, 220
	case s.w < 500:
		g.columns, g.height, g.gap = 2, 74, 16
	case n == 2 || n == 4:
		g.columns, g.height = 2, 130
	}
	g.width = (s.w - 2*margin - g.gap*float64(g.columns-1)) / float64(g.columns)
	x := &reach{}
	g.header = oneLine
	g.left = make([]float64, g.columns)
	for i, path := range p.Paths {
		if path.Optimum != nil {
			g.best = bestRoom
		}
		t := path.track()
		panel := pathPanel{track: t, y: t.window()}
		panel.ticks = someTicks(panel.y, max(int(g.height/28), 2))
		panel.start, panel.final = t.values(panel.y)
		g.panels = append(g.panels, panel)
		for _, t := range panel.ticks {
			left := &g.left[i%g.columns]
			*left = max(*left, textWidth(t.label, sizeTick, false)+7)
		}
		for _, q := range t.strong() {
			x.add(q.X)
		}
		if panel.headWidth() > g.width {
			g.header = oneLine + 14 // name and values in two lines
		}
	}
	if x.lo > 0 && x.lo < x.hi/10 || x.lo == x.hi && x.lo > 0 {
		x.add(0)
	}
	g.x = x.scale(false, 0)
	g.pitch = g.header + g.height + 16
	return g
}

const (
	arrow   = " →"
	oneLine = 21.0 // height of a head
)

func (p pathPanel) headWidth() float64 {
	return textWidth(p.Name, sizeText, true) + 10 +
		textWidth(p.start+arrow+" ", sizeText, false) + textWidth(p.final, sizeText, true)
}

func (g *pathGrid) draw() {
	last, mid := 0.0, 0.0
	marks := g.xTicks()
	for i, p := range g.panels {
		column := i % g.columns
		f := g.frame(i)
		g.drawHead(p, g.corner(i))
		f.drawY(p.ticks)
		f.beyond(p)
		f.path(p)
		if i+g.columns >= len(g.panels) { // the lowest of its column
			f.drawX(marks)
		}
		if last = max(last, f.area.y1); column == 0 {
			mid = (f.area.x0 + f.area.x1) / 2
		}
	}
	g.s.centred("iteration", spot{mid, last + 6 + sizeTick*leading + sizeText + 3})
	g.s.h = last + 6 + sizeTick*leading + sizeText*leading + 4 + margin
}

// corner returns the top left corner of a panel with its head.
func (g *pathGrid) corner(i int) spot {
	return spot{margin + float64(i%g.columns)*(g.width+g.gap), g.top + float64(i/g.columns)*g.pitch}
}

// frame returns the place of a panel without its head.
func (g *pathGrid) frame(i int) *frame {
	at, top := g.corner(i), g.corner(i).y+g.header
	f := &frame{s: g.s, x: g.x, y: g.panels[i].y}
	f.area = rect{at.x + g.left[i%g.columns], top, at.x + g.width - gauge - gaugeGap - g.best, top + g.height}
	f.x.a, f.x.b, f.y.a, f.y.b = f.area.x0, f.area.x1, f.area.y1, f.area.y0
	return f
}

// xTicks returns the marks that suit the narrowest column, so that all columns
// show the same.
func (g *pathGrid) xTicks() []tick {
	narrowest := 0
	for i := range min(g.columns, len(g.panels)) {
		if g.left[i] > g.left[narrowest] {
			narrowest = i
		}
	}
	return g.frame(narrowest).xTicks(true)
}

// drawHead writes name, start and final value above a panel.
func (g *pathGrid) drawHead(p pathPanel, at spot) {
	name := textLine{spot: spot{at.x, at.y + sizeText}, s: shorten(p.Name, sizeText, true, g.width), size: sizeText, bold: true, color: ink}
	g.s.add(name)
	if p.final == "" {
		return
	}
	space := textWidth(" ", sizeText, false)
	start := shorten(p.start+arrow, sizeText, false, g.width/2-space)
	startWidth := textWidth(start, sizeText, false) + space
	final := shorten(p.final, sizeText, true, g.width-startWidth)
	x, y := at.x+g.width-startWidth-textWidth(final, sizeText, true), name.y
	if g.header > oneLine {
		x, y = at.x, name.y+14
	}
	g.s.add(textLine{spot: spot{x, y}, s: start, size: sizeText, color: inkSoft})
	g.s.add(textLine{spot: spot{x + startWidth, y}, s: final, size: sizeText, bold: true, color: blue})
}

// someTicks returns at least two marks, so that a panel has a scale.
func someTicks(sc scale, most int) []tick {
	for n := most; ; n++ {
		if ticks := sc.ticks(n, false); len(ticks) >= 2 || n > most+4 {
			return ticks
		}
	}
}

// beyond greys what lies outside the allowed range.
func (f *frame) beyond(p pathPanel) {
	grey := func(from, to, bound float64) {
		if from < to {
			f.s.add(box{rect: rect{f.area.x0, f.y.at(to), f.area.x1, f.y.at(from)}, fill: gridInk})
			f.across(bound, stroke{color: inkPale, width: 1})
		}
	}
	grey(p.y.lo, min(p.Min, p.y.hi), p.Min)
	grey(max(p.Max, p.y.lo), p.y.hi, p.Max)
}

// path draws the lines of one parameter and its gauge.
func (f *frame) path(p pathPanel) {
	f.across(p.Start, stroke{color: inkPale, width: 1.25, dash: []float64{4, 3}})
	raw := stroke{color: rawInk, width: 1}
	if len(present(p.mean)) == 0 {
		raw = stroke{color: blue, width: 1.75}
	}
	f.line(p.raw, raw)
	f.line(p.mean, stroke{color: blue, width: 2})
	if line := p.strong(); len(line) > 0 {
		f.dot(line[len(line)-1], blue, "")
	}
	at := f.area.x1 + gaugeGap
	if p.Optimum != nil {
		f.lies(p, f.area.x1+bestRoom/2)
		at += bestRoom
	}
	f.gauge(p, at)
}

// lies draws where the optimum lies as a bar at x, beside the panel.
func (f *frame) lies(p pathPanel, x float64) {
	o := p.Optimum
	st := stroke{color: vermilion, width: 1.5}
	if hasInterval(o.Lo, o.Hi) {
		y0, y1 := f.y.at(f.y.clamp(o.Hi)), f.y.at(f.y.clamp(o.Lo))
		if y1-y0 > 2*dotRadius {
			f.s.add(polyline{[]spot{{x, y0}, {x, y1}}, st})
			f.s.barEnd(spot{x, y0}, spot{0, -1}, o.Hi > f.y.hi, st)
			f.s.barEnd(spot{x, y1}, spot{0, 1}, o.Lo < f.y.lo, st)
		}
	}
	f.s.add(disc{spot: spot{x, f.y.at(f.y.clamp(o.Y))}, r: dotRadius, fill: vermilion, border: stroke{color: paper, width: 1},
		tip: tip(p.Name+", optimum", plain(o.Y), *o, plain)})
}

// gauge shows at x which part of the range the panel covers.
func (f *frame) gauge(p pathPanel, x float64) {
	whole := scale{lo: p.Min, hi: p.Max, a: f.area.y1, b: f.area.y0, log: p.Log}
	f.s.add(box{rect: rect{x, f.area.y0, x + gauge, f.area.y1}, fill: gridInk})
	lo, hi := whole.at(whole.clamp(p.y.lo)), whole.at(whole.clamp(p.y.hi))
	hi, lo = min(hi, f.area.y1-2), max(lo, hi+2) // two pixels at least
	f.s.add(box{rect: rect{x, hi, x + gauge, lo}, fill: inkPale, tip: p.Name + ": range " + between(p.Min, p.Max)})
}
