package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/reports/text"
)

// Pairs shows how parameters act together, in a table of panels: on its diagonal
// the strength along each of them, below it the surface over each two with where
// the optimum may lie, and above it what is said of the two.
type Pairs struct {
	Title, Subtitle string
	Label           string // of the colours and of the lines on the diagonal, such as "Elo"

	BestLabel, ReferenceLabel string // of the marks; "" are "best" and "reference"

	// Axes are 2 to 6 parameters, the most important first: a narrow sheet has
	// room for four.
	Axes []PairAxis
	// Pairs has an entry for each two axes that are to be shown.
	Pairs []Pair
}

// PairAxis is one parameter.
type PairAxis struct {
	Name   string
	Log    bool      // all values must then be positive
	Values []float64 // the places of all its surfaces, increasing, at least two
	// Line is the strength along it, all others as they are, by increasing X within
	// Values; nil for none.
	Line            []Point
	Best, Reference *float64 // marked values within Values; nil for none
}

// Pair is what is known about two parameters.
type Pair struct {
	First, Second int // of the axes; First < Second
	// Surface[s][f] is the value at the s-th place of the second and the f-th of the
	// first; NaN for none.
	Surface [][]float64
	Points  []Place  // tried: X of the first, Y of the second; those outside are left out
	Ellipse *Ellipse // X of the first, Y of the second; nil for none
	Note    string   // said of the two in a few words, such as "+3.1 ± 0.8"; "" for none
}

const (
	maxPairAxes    = 6 // of a wide sheet
	narrowPairAxes = 4
	pairTiles      = 16 // of a side of a surface
	pairLevels     = 6  // of its contour lines, at most
)

func (c Pairs) Draw(layout Layout) (*Drawing, error) {
	if err := c.check(); err != nil {
		return nil, failed("Pairs", c.Title, err)
	}
	s, top := newDrawing(c.Title, c.Subtitle, layout)
	p := &pairTable{Pairs: c, s: s, n: len(c.Axes)}
	if layout == Narrow {
		p.n = min(p.n, narrowPairAxes)
	}
	p.layOut(s.legend(c.keys(), top) + 2)
	p.draw()
	return s, nil
}

func (c Pairs) keys() (keys []key) {
	var best, reference, tried bool
	var ellipse *Ellipse
	for _, a := range c.Axes {
		best, reference = best || a.Best != nil, reference || a.Reference != nil
	}
	for _, p := range c.Pairs {
		tried = tried || len(p.Points) > 0
		if p.Ellipse != nil {
			ellipse = p.Ellipse
		}
	}
	if tried {
		keys = append(keys, key{"tried", markRing, ink})
	}
	if ellipse != nil {
		keys = append(keys, key{cmp.Or(ellipse.Label, "95 % region"), markDash, ink})
	}
	if best {
		keys = append(keys, key{cmp.Or(c.BestLabel, "best"), markDiamond, vermilion})
	}
	if reference {
		keys = append(keys, key{cmp.Or(c.ReferenceLabel, "reference"), markHollow, ink})
	}
	return keys
}

func (c Pairs) check() error {
	if n := len(c.Axes); n < 2 || n > maxPairAxes {
		return fmt.Errorf("%d Axes: want 2 to %d", n, maxPairAxes)
	}
	for _, a := range c.Axes {
		if err := a.check(); err != nil {
			return fmt.Errorf("axis %q: %w", a.Name, err)
		}
	}
	if len(c.Pairs) == 0 {
		return errEmpty
	}
	seen := map[[2]int]bool{}
	for i, p := range c.Pairs {
		at := [2]int{p.First, p.Second}
		if !(0 <= p.First && p.First < p.Second && p.Second < len(c.Axes)) || seen[at] {
			return fmt.Errorf("entry %d of Pairs is of axes %d and %d: want two, the first before the second, each two once", i, p.First, p.Second)
		}
		seen[at] = true
		if err := c.checkPair(p); err != nil {
			return fmt.Errorf("entry %d of Pairs: %w", i, err)
		}
	}
	return nil
}

func (c Pairs) checkPair(p Pair) error {
	x, y := c.Axes[p.First], c.Axes[p.Second]
	surface := Heat{Rows: make([]string, len(y.Values)), Columns: make([]string, len(x.Values)), Values: p.Surface}
	for i, q := range p.Points {
		if err := checkPoint(Point{X: q.X, Y: q.Y}, x.Log, y.Log); err != nil {
			return fmt.Errorf("place %d of Points: %w", i, err)
		}
	}
	return cmp.Or(surface.check(), p.Ellipse.check(x.Log, y.Log))
}

func (p PairAxis) check() error {
	if n := len(p.Values); n < 2 || n > maxCells {
		return fmt.Errorf("%d places in Values: want from 2 to %d", n, maxCells)
	}
	for i, v := range p.Values {
		if err := checkMark(fmt.Sprintf("Values[%d]", i), v, p.Log); err != nil {
			return err
		}
		if i > 0 && !(v-p.Values[i-1] > 1e-9*math.Abs(v)) {
			return fmt.Errorf("place %d of Values: %v does not increase from %v", i, v, p.Values[i-1])
		}
	}
	if err := checkLine("Line", p.Line, p.Log, false); err != nil {
		return err
	}
	lo, hi := p.Values[0], p.Values[len(p.Values)-1]
	marks := slices.Clone(present(p.Line))
	for _, m := range []*float64{p.Best, p.Reference} {
		if m != nil {
			marks = append(marks, Point{X: *m})
		}
	}
	slack := 1e-9 * (hi - lo)
	for _, m := range marks {
		if !(m.X >= lo-slack && m.X <= hi+slack) {
			return fmt.Errorf("%v lies outside its places, %v to %v", m.X, lo, hi)
		}
	}
	return nil
}

// scale is the axis without its place.
func (p PairAxis) scale() scale {
	r := &reach{}
	r.add(p.Values...)
	return r.scale(p.Log, 0)
}

// pairTable is the table being drawn.
type pairTable struct {
	Pairs
	s      *Drawing
	n      int // axes that are shown
	colors shade
	elo    scale // of the diagonal
	lined  bool  // whether anything is on the diagonal
	left   float64
	top    float64
	w, h   float64 // of a panel
}

const (
	pairGap  = 10.0
	pairName = sizeText * leading // room for a name
)

// layOut measures the panels.
func (t *pairTable) layOut(top float64) {
	var surfaces [][]float64
	y := &reach{}
	y.add(0)
	for _, p := range t.Pairs.Pairs {
		surfaces = append(surfaces, p.Surface...)
	}
	for _, a := range t.Axes[:t.n] {
		for _, p := range present(a.Line) {
			t.lined = true
			y.add(p.Y)
		}
	}
	t.colors, t.elo = shadesOf(surfaces, nil), y.scale(false, 0.12)
	t.top = top
	t.left = margin + pairName + 4
	widest := 0.0
	for row := range t.n {
		for _, k := range t.yTicks(row) {
			widest = max(widest, textWidth(k.label, sizeTick, false))
		}
	}
	t.left += widest + 7
	t.w = (t.s.w - t.left - margin - pairGap*float64(t.n-1)) / float64(t.n)
	t.h = min(t.w, 190)
}

// yTicks are the marks at the left of a row: of the strength in the first.
func (p *pairTable) yTicks(row int) []tick {
	const most = 4
	if row > 0 {
		return p.Axes[row].scale().ticks(most, false)
	}
	if !p.lined {
		return nil
	}
	return signed(p.elo.ticks(most, false))
}

// frame is the panel of a row and column.
func (p *pairTable) frame(row, column int) *frame {
	f := &frame{s: p.s, x: p.Axes[column].scale(), y: p.elo}
	if row != column {
		f.y = p.Axes[row].scale()
	}
	x, y := p.left+float64(column)*(p.w+pairGap), p.top+float64(row)*(p.h+pairGap)
	f.area = rect{x, y, x + p.w, y + p.h}
	f.x.a, f.x.b, f.y.a, f.y.b = f.area.x0, f.area.x1, f.area.y1, f.area.y0
	return f
}

func (t *pairTable) draw() {
	for i := range t.n {
		t.diagonal(i)
		t.names(i)
	}
	for _, p := range t.Pairs.Pairs {
		if p.Second < t.n {
			t.pair(p)
		}
	}
	bottom := t.frame(t.n-1, 0).area.y1
	t.s.h = bottom + 6 + sizeTick*leading + pairName + margin
	b := colorBar{shade: t.colors, from: margin}
	y := t.s.h + 4
	if t.Label != "" {
		t.s.add(textLine{spot: spot{margin, y + 4}, s: shorten(t.Label, sizeText, false, t.s.w-2*margin), size: sizeText, color: inkSoft})
		y += 12
	}
	b.rect = rect{margin, y, t.s.w - margin, y + barBreadth}
	t.s.h = b.y1 + 6 + sizeTick + margin
	b.draw(t.s)
}

// names writes the marks and names at the left of a row and below a column.
func (p *pairTable) names(i int) {
	f := p.frame(i, 0)
	for _, k := range p.yTicks(i) {
		y := f.y.at(k.v)
		if i == 0 {
			y = p.frame(0, 0).y.at(k.v)
		}
		p.s.add(textLine{spot: spot{f.area.x0 - 7, min(max(y+0.36*sizeTick, f.area.y0+0.75*sizeTick), f.area.y1)}, s: k.label, size: sizeTick,
			color: inkSoft, anchor: right})
	}
	label := p.Axes[i].Name
	if i == 0 {
		label = p.Label
		if !p.lined || textWidth(label, sizeText, false) > p.h { // the bar below has it whole
			label = ""
		}
	}
	if label = shorten(label, sizeText, false, p.h); label != "" {
		p.s.add(textLine{spot: spot{margin + sizeText - 2, (f.area.y0 + f.area.y1) / 2}, s: label, size: sizeText, color: inkSoft,
			anchor: middle, up: true})
	}
	f = p.frame(p.n-1, i)
	for _, k := range p.xTicks(f) {
		x := f.x.at(k.v)
		p.s.add(polyline{[]spot{{x, f.area.y1}, {x, f.area.y1 + 4}}, stroke{color: inkPale, width: 1}})
		p.s.add(textLine{spot: spot{f.inside(x, k.label), f.area.y1 + 6 + sizeTick}, s: k.label, size: sizeTick, color: inkSoft, anchor: middle})
	}
	name := shorten(p.Axes[i].Name, sizeText, false, p.w)
	p.s.add(textLine{spot: spot{(f.area.x0 + f.area.x1) / 2, f.area.y1 + 6 + sizeTick*leading + sizeText}, s: name, size: sizeText,
		color: inkSoft, anchor: middle})
}

// inside moves the middle of a label so that it stays below its panel.
func (f *frame) inside(x float64, label string) float64 {
	half := textWidth(label, sizeTick, false) / 2
	if 2*half > f.area.w() {
		return (f.area.x0 + f.area.x1) / 2
	}
	return min(max(x, f.area.x0+half), f.area.x1-half)
}

// xTicks returns as many marks as stand apart below a panel.
func (p *pairTable) xTicks(f *frame) []tick {
	for n := 4; n > 0; n-- {
		ticks := f.x.ticks(n, false)
		end, apart := math.Inf(-1), true
		for _, k := range ticks {
			x, half := f.inside(f.x.at(k.v), k.label), textWidth(k.label, sizeTick, false)/2
			apart = apart && x-half > end && 2*half <= f.area.w()
			end = x + half + 6
		}
		if apart {
			return ticks
		}
	}
	return nil
}

// diagonal draws the strength along one parameter.
func (p *pairTable) diagonal(i int) {
	f, a := p.frame(i, i), p.Axes[i]
	p.s.add(box{rect: f.area, border: stroke{color: gridInk, width: 1}})
	if len(present(a.Line)) == 0 {
		return
	}
	f.band(a.Line, faded(blue, bandOpacity))
	f.across(0, stroke{color: inkPale, width: 1})
	for _, m := range []struct {
		v    *float64
		line stroke
	}{{a.Reference, stroke{color: inkSoft, width: 1, dash: []float64{4, 3}}}, {a.Best, stroke{color: vermilion, width: 1.25}}} {
		if m.v != nil {
			x := f.x.at(*m.v)
			p.s.add(polyline{[]spot{{x, f.area.y0}, {x, f.area.y1}}, m.line})
		}
	}
	f.line(a.Line, stroke{color: blue, width: 2})
}

// pair draws the surface below the diagonal, and writes the note above it.
func (t *pairTable) pair(p Pair) {
	f := t.frame(p.Second, p.First)
	x, y := t.Axes[p.First], t.Axes[p.Second]
	f.surface(f.grid(x.Values, y.Values, p.Surface), t.colors)
	black, white := fixedTone(rgb(0x000000)), fixedTone(rgb(0xFFFFFF))
	for _, q := range p.Points {
		if f.x.inside(q.X) && f.y.inside(q.Y) {
			t.s.add(disc{spot: spot{f.x.at(q.X), f.y.at(q.Y)}, r: 1.5, fill: white, border: stroke{color: black, width: 0.5}})
		}
	}
	f.ellipse(p.Ellipse, stroke{color: white, width: 3}, stroke{color: black, width: 1.5, dash: []float64{5, 3}})
	f.place(x.Reference, y.Reference, false)
	f.place(x.Best, y.Best, true)
	note := t.frame(p.First, p.Second).area
	lines := wrap(p.Note, sizeTick, false, note.w())
	most := max(int(note.h()/(sizeTick*leading)), 1)
	lines = lines[:min(len(lines), most)]
	at := (note.y0+note.y1)/2 - float64(len(lines)-1)*sizeTick*leading/2 + 0.36*sizeTick
	for _, line := range lines {
		t.s.add(textLine{spot: spot{(note.x0 + note.x1) / 2, at}, s: line, size: sizeTick, color: inkSoft, anchor: middle})
		at += sizeTick * leading
	}
}

// grid returns a surface over places of the axes with its places on the sheet.
func (f *frame) grid(xs, ys []float64, values [][]float64) grid {
	return grid{text.Each(xs, f.x.at), text.Each(ys, f.y.at), values}
}

// surface paints tiles in the colours of the surface, and its contour lines at round values.
func (f *frame) surface(g grid, colors shade) {
	a := f.area
	f.s.add(box{rect: a, fill: noValue})
	const steps = 48 // of colours: so neighbours are alike, and one tile
	for j := range pairTiles {
		y0, y1 := halves(a.y0+a.h()*float64(j)/pairTiles), halves(a.y0+a.h()*float64(j+1)/pairTiles)
		for i := 0; i < pairTiles; {
			edge := func(i int) float64 { return halves(a.x0 + a.w()*float64(i)/pairTiles) }
			step := func(i int) float64 { // NaN where there is no value
				v := g.at((edge(i)+edge(i+1))/2, (y0+y1)/2)
				return math.Round((v - colors.lo) / (colors.hi - colors.lo) * steps)
			}
			from, v := i, step(i)
			for i++; i < pairTiles && step(i) == v; i++ {
			}
			if !math.IsNaN(v) { // each over its right and lower neighbours' rims
				fill := colors.of(colors.lo + float64(v/steps*(colors.hi-colors.lo)))
				f.s.add(box{rect: rect{max(edge(from), a.x0), max(y0, a.y0), min(edge(i)+0.5, a.x1), min(y1+0.5, a.y1)}, crisp: true, fill: fill})
			}
		}
	}
	r := &reach{}
	for _, row := range g.values {
		r.add(row...)
	}
	for _, t := range linearTicks(r.lo, r.hi, pairLevels, false) {
		line := stroke{color: faded(inkOn(colors.of(t.v)), 0.7), width: 0.9}
		for _, spots := range g.contour(t.v) {
			f.s.add(polyline{spots, line})
		}
	}
}
