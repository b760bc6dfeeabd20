package reports

import (
	"fmt"
	"strings"
)

// Paths shows how parameters moved during tuning: one small panel a parameter,
// the raw iterate thin, the averaged value strong, the start as a dashed line,
// the final value printed. The axis of each panel is in the parameter's own
// unit; the slim bar at its right edge shows which part of the allowed range
// the panel covers.
type Paths struct {
	Title, Subtitle string

	XLabel string // of the iteration axis; "" is "iteration"
	Paths  []Path // in reading order; about 25 stay readable

	// FullRange draws every panel over its whole [Min, Max] instead of the part
	// that was visited.
	FullRange bool
}

// Path is the path of one parameter.
type Path struct {
	Name string
	Unit string // "" for none

	Min, Max float64 // allowed range; Min < Max
	Start    float64
	// Step is the size of move worth seeing (a perturbation, say); the panel
	// never covers less than 4 steps. 0: a fiftieth of the range.
	Step float64

	X    []float64 // iteration of each value, increasing; nil is 1, 2, 3...
	Raw  []float64 // the iterate; nil for none
	Mean []float64 // the averaged iterate; nil for none; as long as Raw if both

	// Final is the printed final value, "" for the last of Mean (or Raw)
	// rounded to what the panel can show.
	Final string
}

// SVG implements [Figure].
func (p Paths) SVG() ([]byte, error) { return svgOf(p) }

// PNG implements [Figure].
func (p Paths) PNG() ([]byte, error) { return pngOf(p) }

func (p Paths) draw(width float64) (*scene, error) {
	if err := p.check(); err != nil {
		return nil, failed("Paths", p.Title, err)
	}
	s, y := newScene(p.Title, p.Subtitle, width)
	p.grid(s, s.legend(p.keys(), y)+4).draw()
	return s, nil
}

func (p Paths) check() error {
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
	if err := checkMark("Start", p.Start, false); err != nil {
		return false, err
	}
	if !(p.Step >= 0 && p.Step <= most) {
		return false, fmt.Errorf("step %v: want a size, or 0", p.Step)
	}
	for _, values := range [][]float64{p.Raw, p.Mean} {
		if values != nil && p.X != nil && len(values) != len(p.X) || len(values) > 0 && len(values) != p.len() {
			return false, fmt.Errorf("%d X, %d Raw and %d Mean values: want equally many", len(p.X), len(p.Raw), len(p.Mean))
		}
		points := p.points(values)
		if err := checkPoints("values", points, false, false); err != nil {
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

// points joins values with their iterations.
func (p Path) points(values []float64) []Point {
	var out []Point
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
func (p Path) strong() []Point {
	if mean := present(p.points(p.Mean)); len(mean) > 0 {
		return mean
	}
	return present(p.points(p.Raw))
}

func (p Paths) keys() []key {
	raw, mean := false, false
	for _, path := range p.Paths {
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
	return append(keys, key{"start", markDash, inkPale}, key{"part of the range shown", markGauge, inkPale})
}

// rawInk is the pale line of the iterates.
var rawInk = rgb(0x8CBEE0)

// window returns the axis of a panel: what was visited, at least 4 steps of it,
// and no more than the range with a rim.
func (p Path) window(full bool) scale {
	rim := 0.03 * (p.Max - p.Min)
	if full {
		return scale{lo: p.Min - rim, hi: p.Max + rim}
	}
	r := &reach{}
	r.add(p.Start)
	r.addPoints(p.points(p.Raw))
	r.addPoints(p.points(p.Mean))
	least := 4 * p.Step
	if p.Step == 0 {
		least = 4 * (p.Max - p.Min) / 50
	}
	least = min(least, p.Max-p.Min)
	if short := least - (r.hi - r.lo); short > 0 {
		r.lo, r.hi = r.lo-short/2, r.hi+short/2
		if r.lo < p.Min {
			r.lo, r.hi = p.Min, max(r.hi, p.Min+least)
		}
		if r.hi > p.Max {
			r.lo, r.hi = min(r.lo, p.Max-least), p.Max
		}
	}
	sc := r.scale(false, 0.08)
	if r.lo >= p.Min {
		sc.lo = max(sc.lo, p.Min-rim)
	}
	if r.hi <= p.Max {
		sc.hi = min(sc.hi, p.Max+rim)
	}
	return sc
}

// values writes start and final value as finely as the panel shows them.
func (p Path) values(sc scale) (start, final string) {
	decimals := decimalsFor(sc.hi-sc.lo, 2)
	trim := func(s string) string {
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	start = trim(fixed(p.Start, max(decimals, decimalsFor(p.Start, 3))))
	final = p.Final
	if line := p.strong(); final == "" && len(line) > 0 {
		final = trim(fixed(line[len(line)-1].Y, decimals))
	}
	if p.Unit != "" && final != "" {
		final += " " + p.Unit
	}
	return start, final
}

// pathGrid is the layout of small panels.
type pathGrid struct {
	s              *scene
	panels         []pathPanel
	columns        int
	top            float64
	width, gap     float64 // of a column; between columns
	height, header float64 // of a panel; of the lines above it
	pitch          float64 // from one row to the next
	left           float64 // room for numbers beside a panel
	x              scale
	xLabel         string
}

type pathPanel struct {
	Path
	y            scale
	ticks        []tick
	start, final string
}

const (
	gauge    = 4.0 // breadth of the bar that shows the part of the range
	gaugeGap = 4.0
)

// grid chooses columns by width and number and measures all panels, so that
// they share their margins.
func (p Paths) grid(s *scene, top float64) *pathGrid {
	g := &pathGrid{s: s, top: top, gap: 22, xLabel: or(p.XLabel, "iteration")}
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
	g.header = 18
	for _, path := range p.Paths {
		panel := pathPanel{Path: path, y: path.window(p.FullRange)}
		panel.ticks = linearTicks(panel.y.lo, panel.y.hi, max(int(g.height/28), 2), false)
		panel.start, panel.final = path.values(panel.y)
		g.panels = append(g.panels, panel)
		for _, t := range panel.ticks {
			g.left = max(g.left, textWidth(t.label, sizeTick, false)+6)
		}
		for _, q := range path.strong() {
			x.add(q.X)
		}
		if panel.headWidth() > g.width {
			g.header = 32 // name and values in two lines
		}
	}
	if x.lo > 0 && x.lo < x.hi/10 || x.lo == x.hi && x.lo > 0 {
		x.add(0)
	}
	g.x = x.scale(false, 0)
	g.pitch = g.header + g.height + 16
	return g
}

const arrow = " → "

func (p pathPanel) headWidth() float64 {
	return textWidth(printable(p.Name), sizeText, true) + 10 +
		textWidth(p.start+arrow, sizeText, false) + textWidth(printable(p.final), sizeText, true)
}

func (g *pathGrid) draw() {
	last := 0.0
	for i, p := range g.panels {
		row, column := i/g.columns, i%g.columns
		x := margin + float64(column)*(g.width+g.gap)
		y := g.top + float64(row)*g.pitch
		g.drawHead(p, x, y)
		f := &frame{s: g.s, x: g.x, y: p.y, area: rect{x + g.left, y + g.header, x + g.width - gauge - gaugeGap, y + g.header + g.height}}
		f.x.a, f.x.b, f.y.a, f.y.b = f.area.x0, f.area.x1, f.area.y1, f.area.y0
		f.drawY(p.ticks)
		f.path(p)
		var ticks []tick
		if i+g.columns >= len(g.panels) { // the lowest of its column
			ticks = f.xTicks(true)
		}
		f.drawX(ticks)
		last = max(last, f.area.y1)
	}
	label := shorten(g.xLabel, sizeText, false, g.s.w-2*margin)
	g.s.add(text{spot: spot{g.s.w / 2, last + 6 + sizeTick*leading + sizeText + 3}, s: label, size: sizeText, color: inkSoft, anchor: middle})
	g.s.h = last + 6 + sizeTick*leading + sizeText*leading + 4 + margin
}

// drawHead writes name, start and final value above a panel.
func (g *pathGrid) drawHead(p pathPanel, x, y float64) {
	values := y + sizeText
	final := shorten(p.final, sizeText, true, g.width*0.7)
	from := x + g.width - textWidth(final, sizeText, true)
	if g.header > 20 {
		values = y + sizeText + 14
		from = x + textWidth(p.start+arrow, sizeText, false)
	}
	g.s.add(text{spot: spot{x, y + sizeText}, s: shorten(p.Name, sizeText, true, g.width), size: sizeText, bold: true, color: ink})
	if final == "" {
		return
	}
	g.s.add(text{spot: spot{from, values}, s: p.start + arrow, size: sizeText, color: inkSoft, anchor: right})
	g.s.add(text{spot: spot{from, values}, s: final, size: sizeText, bold: true, color: blue})
}

// path draws the lines of one parameter and its gauge.
func (f *frame) path(p pathPanel) {
	for _, bound := range []float64{p.Min, p.Max} {
		f.across(bound, stroke{color: inkPale, width: 1})
	}
	f.across(p.Start, stroke{color: inkPale, width: 1.25, dash: []float64{4, 3}})
	mean := p.points(p.Mean)
	raw := stroke{color: rawInk, width: 1}
	if len(present(mean)) == 0 {
		raw = stroke{color: blue, width: 1.75}
	}
	f.line(p.points(p.Raw), raw)
	f.line(mean, stroke{color: blue, width: 2})
	if line := p.strong(); len(line) > 0 {
		f.s.add(disc{spot: spot{f.x.at(line[len(line)-1].X), f.yFar(line[len(line)-1].Y)}, r: 3, fill: blue, border: stroke{color: white, width: 1}})
	}
	x := f.area.x1 + gaugeGap
	whole := scale{lo: p.Min, hi: p.Max, a: f.area.y1, b: f.area.y0}
	f.s.add(box{rect: rect{x, f.area.y0, x + gauge, f.area.y1}, fill: gridInk})
	lo, hi := whole.at(whole.clamp(p.y.lo)), whole.at(whole.clamp(p.y.hi))
	hi, lo = min(hi, f.area.y1-2), max(lo, hi+2) // two pixels at least
	f.s.add(box{rect: rect{x, hi, x + gauge, lo}, fill: inkPale, tip: p.Name + ": range " + between(p.Min, p.Max)})
}
