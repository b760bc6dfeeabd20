package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// Pairs shows how parameters act together, in a table of panels: on its diagonal the strength
// along each parameter, below it the surface over each two with the region of the optimum, and
// above it a note on the two.
type Pairs struct {
	Title, Subtitle string // Subtitle may be ""
	Label           string // of the colours and of the lines on the diagonal, such as "Elo"

	BestLabel, ReferenceLabel string // labels of the marks; "" are "best" and "reference"

	// Axes are 2 to 6 parameters, the most important first: a narrow sheet shows only four.
	Axes []PairAxis
	// Pairs has an entry for each two axes to show, in any order.
	Pairs []Pair
}

// PairAxis is one parameter.
type PairAxis struct {
	Name   string    // of the parameter
	Log    bool      // requires positive values
	Values []float64 // places of all its surfaces, increasing, at least two
	// Line is the strength along the parameter with all others fixed, by increasing X within
	// Values; nil for none.
	Line            []Point
	Best, Reference *float64 // marked values within Values; nil for none
}

// Pair is one surface of [Pairs] with its marks and note.
type Pair struct {
	First, Second int // indices of the axes; First < Second
	// Surface[s][f] is the value at place s of the second axis and place f of the first; NaN
	// for none.
	Surface [][]float64
	Points  []Place  // trials: X of the first, Y of the second; places outside are left out
	Ellipse *Ellipse // X of the first, Y of the second; nil for none
	Note    string   // a few words on the two, such as "+3.1 ± 0.8"; "" for none
}

const (
	maxPairAxes    = 6 // on a wide sheet
	narrowPairAxes = 4
	pairTiles      = 16 // on a side of a surface
	pairLevels     = 6  // maximum number of contour lines
)

// Draw implements [Chart].
func (c Pairs) Draw(layout Layout) (*Drawing, error) {
	if err := c.check(); err != nil {
		return nil, failed("Pairs", c.Title, err)
	}
	d, top := newDrawing(c.Title, c.Subtitle, layout)
	t := &pairTable{Pairs: c, d: d, n: len(c.Axes)}
	if layout == Narrow {
		t.n = min(t.n, narrowPairAxes)
	}
	t.draw(d.legend(c.keys(d), top) - 2)
	return d, nil
}

// keys returns the legend of the marks that the panels have.
func (c Pairs) keys(d *Drawing) (keys []key) {
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
		keys = append(keys, key{"tried", 10, thumb(func(c *draw.Canvas) {
			d.mark(mark{path: circle(c.Center(), 4.5), fill: faded(ink, 0.08), line: pen(ink, 1.5)})
		})})
	}
	if ellipse != nil {
		keys = append(keys, lineKey(cmp.Or(ellipse.Label, "95 % region"), pen(ink, 1.25, 4, 3)))
	}
	if best {
		keys = append(keys, key{cmp.Or(c.BestLabel, "best"), 14, thumb(func(c *draw.Canvas) { d.diamond(c.Center(), 6.5, "") })})
	}
	if reference {
		keys = append(keys, key{cmp.Or(c.ReferenceLabel, "reference"), 14, thumb(func(c *draw.Canvas) { d.hollow(c.Center(), "") })})
	}
	return keys
}

// check returns an error that names the axis or pair and the field that cannot be drawn.
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

// checkPair checks a pair whose indices of axes are valid.
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

// check returns an error that names the field of the axis that cannot be drawn.
func (p PairAxis) check() error {
	if n := len(p.Values); n < 2 || n > MaxCells {
		return fmt.Errorf("%d places in Values: want from 2 to %d", n, MaxCells)
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

// axis returns a panel's axis of the parameter.
func (p PairAxis) axis() plot.Axis {
	r := &reach{}
	r.add(p.Values...)
	return r.axis(p.Log, 0)
}

// pairTable is the table being drawn.
type pairTable struct {
	Pairs
	d      *Drawing
	n      int // number of axes shown
	colors shade
	elo    plot.Axis  // of the diagonal
	lined  bool       // the diagonal has lines
	panels [][]*panel // by row and column
	w, h   vg.Length  // of a panel
}

const pairGap vg.Length = 10

// draw draws the panels from top down, and the colour bar below them.
func (t *pairTable) draw(top vg.Length) {
	t.measure()
	t.panels = make([][]*panel, t.n)
	for row := range t.n {
		for column := range t.n {
			y := t.elo
			if row != column {
				y = t.Axes[row].axis()
			}
			p := t.d.panel(t.Axes[column].axis(), y)
			p.X.LineStyle.Width, p.Y.Padding = 0, 0
			t.panels[row] = append(t.panels[row], p)
		}
		t.diagonal(row)
	}
	t.names()
	for _, p := range t.Pairs.Pairs {
		if p.Second < t.n {
			t.pair(p)
		}
	}
	t.d.colorBar(t.align(top)-8, t.d.w-margin, t.colors, t.Label, false)
}

// measure finds the range of the colours and of the lines on the diagonal.
func (t *pairTable) measure() {
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
	t.colors, t.elo = shadesOf(surfaces, nil), y.axis(false, 0.12)
}

// names gives the first column numbers and names at the left, and the last row numbers and
// names below. Numbers take no room between panels: each is moved to stay below its own panel.
func (t *pairTable) names() {
	const most = 4
	var widest vg.Length
	for row := range t.n {
		p := t.panels[row][0]
		list := ticks(p.Y, most, false)
		if row == 0 {
			if list = signed(list); !t.lined {
				list = nil
			}
		}
		p.setY(list)
		widest = max(widest, p.yNumbers.room.X)
	}
	for row := range t.n { // names are aligned, however wide the numbers are
		p := t.panels[row][0]
		p.yNumbers.room.X = widest
		p.Y.Label.Text, p.Y.Label.Padding, p.Y.Padding = " ", 5.5, 7-p.X.Tick.Label.Width(" ")
	}
	c := draw.Canvas{Canvas: t.d, Rectangle: box(margin, 0, t.d.w-margin, t.d.w)}
	c.Min.X = t.panels[1][0].DataCanvas(c).Min.X
	t.w = (c.Size().X - pairGap*vg.Length(t.n-1)) / vg.Length(t.n)
	t.h = min(t.w, 190)
	for i := range t.n {
		y, x := t.panels[i][0], t.panels[t.n-1][i]
		y.Y.Label.Text = shorten(t.Axes[i].Name, sizeText, false, t.h)
		x.X.Label.Text, x.X.Label.Padding = shorten(t.Axes[i].Name, sizeText, false, t.w), 1
		x.xNumbers.room = &vg.Point{Y: ascent * sizeTick}
		x.X.Tick.Marker = plot.ConstantTicks(t.numbers(x))
	}
	if t.panels[0][0].Y.Label.Text = t.Label; !t.lined || textWidth(t.Label, sizeText, false) > t.h {
		t.panels[0][0].Y.Label.Text = "" // the colour bar has the label in full
	}
}

// numbers returns as many marks as fit below a panel with gaps.
func (t *pairTable) numbers(p *panel) []plot.Tick {
	c := draw.Canvas{Canvas: t.d, Rectangle: box(0, 0, t.w, t.h)}
	p.xNumbers.bounds = c.Rectangle
	for n := 4; n > 0; n-- {
		if list := ticks(p.X, n, false); p.apart(c, list, 6) {
			return list
		}
	}
	return nil
}

// align draws all panels, with one margin for each row and column, and returns their lower end.
func (t *pairTable) align(top vg.Length) vg.Length {
	plots := text.Each(t.panels, func(row []*panel) []*plot.Plot {
		return text.Each(row, func(p *panel) *plot.Plot { return p.Plot })
	})
	c := draw.Canvas{Canvas: t.d, Rectangle: box(margin, top, t.d.w-margin, top-t.h)}
	below := t.panels[t.n-1][0].DataCanvas(c).Min.Y - c.Min.Y
	c.Min.Y -= (t.h+pairGap)*vg.Length(t.n-1) + below
	for row, list := range plot.Align(plots, draw.Tiles{Rows: t.n, Cols: t.n, PadX: pairGap, PadY: pairGap}, c) {
		for column, at := range list {
			p := t.panels[row][column]
			data := p.DataCanvas(at)
			p.xNumbers.bounds = box(data.Min.X, 0, data.Max.X, 0)
			p.yNumbers.bounds = box(0, data.Min.Y, 0, data.Max.Y)
			p.Draw(at)
		}
	}
	return c.Min.Y
}

// diagonal draws the strength along one parameter.
func (t *pairTable) diagonal(i int) {
	p, a := t.panels[i][i], t.Axes[i]
	p.add(painter(func(c draw.Canvas, _, _ func(float64) vg.Length) {
		t.d.mark(mark{path: c.Path(), line: pen(gridInk, 1)})
	}))
	if len(present(a.Line)) == 0 {
		return
	}
	p.add(p.band(a.Line, blue)...)
	p.add(across(0, pen(inkPale, 1)))
	upright := func(v *float64, line draw.LineStyle) {
		if v != nil {
			p.add(&plotter.Line{XYs: plotter.XYs{{X: *v, Y: p.Y.Min}, {X: *v, Y: p.Y.Max}}, LineStyle: line})
		}
	}
	upright(a.Reference, pen(inkSoft, 1, 4, 3))
	upright(a.Best, pen(vermilion, 1.25))
	p.add(p.line(a.Line, pen(blue, 2))...)
}

// pair draws the surface below the diagonal, and writes the note above it.
func (t *pairTable) pair(pair Pair) {
	p, x, y := t.panels[pair.Second][pair.First], t.Axes[pair.First], t.Axes[pair.Second]
	black, white := fixedTone(rgb(0x000000)), fixedTone(rgb(0xFFFFFF))
	p.add(painter(func(c draw.Canvas, atX, atY func(float64) vg.Length) {
		t.d.surface(c.Rectangle, surface{text.Each(x.Values, atX), text.Each(y.Values, atY), pair.Surface}, t.colors)
		for _, q := range pair.Points {
			if inside(p.X, q.X) && inside(p.Y, q.Y) {
				t.d.mark(mark{path: circle(vg.Point{X: atX(q.X), Y: atY(q.Y)}, 1.5), fill: white, line: pen(black, 0.5)})
			}
		}
	}))
	p.add(p.ellipse(pair.Ellipse, pen(white, 3), pen(black, 1.5, 5, 3))...)
	p.add(painter(func(_ draw.Canvas, atX, atY func(float64) vg.Length) {
		if x.Reference != nil && y.Reference != nil {
			t.d.hollow(vg.Point{X: atX(*x.Reference), Y: atY(*y.Reference)}, "reference: "+plain(*x.Reference)+", "+plain(*y.Reference))
		}
		if x.Best != nil && y.Best != nil {
			t.d.diamond(vg.Point{X: atX(*x.Best), Y: atY(*y.Best)}, 6.5, "best: "+plain(*x.Best)+", "+plain(*y.Best))
		}
	}))
	t.panels[pair.First][pair.Second].add(painter(func(c draw.Canvas, _, _ func(float64) vg.Length) {
		lines := wrap(pair.Note, sizeTick, false, c.Size().X)
		lines = lines[:min(len(lines), max(int(c.Size().Y/(sizeTick*leading)), 1))]
		c.FillText(t.d.style(inkSoft, sizeTick, draw.XCenter, draw.YCenter), c.Center(), strings.Join(lines, "\n"))
	}))
}

// surface paints tiles in the colours of the surface, and contour lines at round values.
func (d *Drawing) surface(a vg.Rectangle, s surface, colors shade) {
	d.mark(mark{path: a.Path(), fill: noValue})
	const steps = 48 // of colours, so that neighbours are alike and join
	for j := range pairTiles {
		y0, y1 := halves(a.Max.Y-a.Size().Y*vg.Length(j)/pairTiles), halves(a.Max.Y-a.Size().Y*vg.Length(j+1)/pairTiles)
		for i := 0; i < pairTiles; {
			edge := func(i int) vg.Length { return halves(a.Min.X + a.Size().X*vg.Length(i)/pairTiles) }
			step := func(i int) float64 { // NaN without a value
				v := s.at((edge(i)+edge(i+1))/2, (y0+y1)/2)
				return math.Round((v - colors.lo) / (colors.hi - colors.lo) * steps)
			}
			from, v := i, step(i)
			for i++; i < pairTiles && step(i) == v; i++ {
			}
			if !math.IsNaN(v) { // each overlaps the rims of its right and lower neighbours
				fill := colors.of(colors.lo + float64(v/steps*(colors.hi-colors.lo)))
				tile := box(max(edge(from), a.Min.X), min(y0, a.Max.Y), min(edge(i)+0.5, a.Max.X), max(y1-0.5, a.Min.Y))
				d.mark(mark{path: tile.Path(), crisp: true, fill: fill})
			}
		}
	}
	r := &reach{}
	for _, row := range s.values {
		r.add(row...)
	}
	c := draw.Canvas{Canvas: d}
	for _, t := range linearTicks(r.lo, r.hi, pairLevels, false) {
		c.StrokeLines(pen(faded(inkOn(colors.of(t.Value)), 0.7), 0.9), s.contour(t.Value)...)
	}
}

func (d *Drawing) diamond(at vg.Point, r vg.Length, tip string) {
	corners := outline(true, vg.Point{X: at.X - r, Y: at.Y}, vg.Point{X: at.X, Y: at.Y + r}, vg.Point{X: at.X + r, Y: at.Y}, vg.Point{X: at.X, Y: at.Y - r})
	d.mark(mark{path: corners, fill: vermilion, line: pen(paper, 1.5), tip: tip})
}

func (d *Drawing) hollow(at vg.Point, tip string) {
	d.mark(mark{path: circle(at, 5), fill: faded(paper, 0.6), line: pen(paper, 4)})
	d.mark(mark{path: circle(at, 5), line: pen(ink, 1.75), tip: tip})
}

// Place is a pair of values of two axes.
type Place struct{ X, Y float64 } // in units of the axes
