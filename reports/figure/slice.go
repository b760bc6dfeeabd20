package figure

import (
	"fmt"
	"math"
)

// Slice shows a surface over two parameters, such as the Elo that a model
// expects: colours with contour lines, the places that were tried, the best of
// them, and the region where the optimum may lie.
type Slice struct {
	Title, Subtitle string

	XLabel, YLabel string
	LogX, LogY     bool   // all values on that axis must then be positive
	Label          string // of the colours, such as "expected Elo"

	// X and Y are the places of the grid, increasing, at least two each.
	X, Y []float64
	// Values[y][x] is the surface; NaN for none.
	Values [][]float64
	// Middle makes the colours diverge from this value; nil for a scale from least
	// to greatest.
	Middle *float64

	Points []Place // that were tried; those outside the grid are left out
	// Best and Reference are marked places; nil for none.
	Best, Reference *Place
	Ellipse         *Ellipse // nil for none
}

// Draw implements [Chart].
func (c Slice) Draw(layout Layout) (*Drawing, error) {
	if err := c.check(); err != nil {
		return nil, failed("Slice", c.Title, err)
	}
	s, top := newDrawing(c.Title, c.Subtitle, layout)
	top = s.legend(c.keys(), top)
	right := 0.0
	if layout == Wide {
		right = 92 // colour bar with its numbers
		if c.Label != "" && c.YLabel == "" {
			top += labelRow
		}
	}
	x, y := &reach{}, &reach{}
	x.add(c.X...)
	y.add(c.Y...)
	f := s.frame(axes{
		top: top, height: layout.panelHeight() + 40, x: x.scale(c.LogX, 0), y: y.scale(c.LogY, 0),
		xLabel: c.XLabel, yLabel: shorten(c.YLabel, sizeText, false, 0.6*s.w), right: right,
	})
	colors := shadesOf(c.Values, c.Middle)
	f.surface(c.grid(f), colors, 32, 24, 10)
	black, white := fixedTone(rgb(0x000000)), fixedTone(rgb(0xFFFFFF))
	f.ellipse(c.Ellipse, tone{}, stroke{color: white, width: 4}, stroke{color: black, width: 1.75, dash: []float64{5, 3}})
	for _, p := range c.Points {
		if f.x.inside(p.X) && f.y.inside(p.Y) {
			f.s.add(disc{spot: spot{f.x.at(p.X), f.y.at(p.Y)}, r: 2.5, fill: white, border: stroke{color: black, width: 0.75},
				tip: plain(p.X) + ", " + plain(p.Y)})
		}
	}
	f.place(c.Reference, false)
	f.place(c.Best, true)
	c.bar(f, colors)
	return s, nil
}

// bar draws the colour bar beside the panel, or below it on a narrow sheet.
func (c Slice) bar(f *frame, colors shade) {
	b := colorBar{shade: colors, signs: c.Middle != nil && *c.Middle == 0, label: c.Label, from: margin}
	if f.s.layout == Narrow {
		y := f.s.h + 10
		b.rect = rect{margin, y, f.s.w - margin, y + barBreadth}
		f.s.h = b.y1 + 6 + sizeTick + margin
	} else {
		b.rect = rect{f.area.x1 + 24, f.area.y0, f.area.x1 + 24 + barBreadth, f.area.y1}
		if c.YLabel != "" {
			b.from += textWidth(shorten(c.YLabel, sizeText, false, 0.6*f.s.w), sizeText, false) + 16
		}
	}
	b.draw(f.s)
}

func (c Slice) keys() []key {
	var keys []key
	if len(c.Points) > 0 {
		keys = append(keys, key{"tried", markRing, ink})
	}
	if c.Ellipse != nil {
		keys = append(keys, key{c.Ellipse.label(), markDash, ink})
	}
	return append(keys, placeKeys(c.Best, c.Reference)...)
}

// grid returns the surface with its places on the sheet.
func (c Slice) grid(f *frame) grid {
	g := grid{values: c.Values}
	for _, x := range c.X {
		g.xs = append(g.xs, f.x.at(x))
	}
	for _, y := range c.Y {
		g.ys = append(g.ys, f.y.at(y))
	}
	return g
}

// surface paints so many tiles in the colours of the surface, and its contour
// lines at round values, at most levels.
func (f *frame) surface(g grid, colors shade, columns, rows, levels int) {
	a := f.area
	f.s.add(box{rect: a, fill: noValue})
	const steps = 48 // of colours: so neighbours are alike, and one tile
	for j := range rows {
		y0, y1 := halves(a.y0+a.h()*float64(j)/float64(rows)), halves(a.y0+a.h()*float64(j+1)/float64(rows))
		for i := 0; i < columns; {
			edge := func(i int) float64 { return halves(a.x0 + a.w()*float64(i)/float64(columns)) }
			step := func(i int) float64 { // NaN where there is no value
				v := g.at((edge(i)+edge(i+1))/2, (y0+y1)/2)
				return math.Round((v - colors.lo) / (colors.hi - colors.lo) * steps)
			}
			from, v := i, step(i)
			for i++; i < columns && step(i) == v; i++ {
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
	for _, t := range linearTicks(r.lo, r.hi, levels, false) {
		line := stroke{color: faded(inkOn(colors.of(t.v)), 0.7), width: 0.9}
		for _, spots := range g.contour(t.v) {
			f.s.add(polyline{spots, line})
		}
	}
}

func (c Slice) check() error {
	for _, axis := range []struct {
		name   string
		places []float64
		log    bool
	}{{"X", c.X, c.LogX}, {"Y", c.Y, c.LogY}} {
		if n := len(axis.places); n < 2 || n > maxCells {
			return fmt.Errorf("%d places in %s: want from 2 to %d", n, axis.name, maxCells)
		}
		for i, v := range axis.places {
			if err := checkMark(fmt.Sprintf("%s[%d]", axis.name, i), v, axis.log); err != nil {
				return err
			}
			if i > 0 && !(v-axis.places[i-1] > 1e-9*math.Abs(v)) {
				return fmt.Errorf("%s[%d]: %v does not increase from %v", axis.name, i, v, axis.places[i-1])
			}
		}
	}
	if err := (Heat{Rows: make([]string, len(c.Y)), Columns: make([]string, len(c.X)), Values: c.Values,
		Middle: c.Middle}).check(); err != nil {
		return err
	}
	for i, p := range c.Points {
		if err := checkPoint(Point{X: p.X, Y: p.Y}, c.LogX, c.LogY); err != nil {
			return fmt.Errorf("%s[%d]: %w", "Points", i, err)
		}
	}
	if err := c.Ellipse.check(c.LogX, c.LogY); err != nil {
		return err
	}
	return c.checkMarks()
}

// checkMarks wants marks on the grid, where they can be seen.
func (c Slice) checkMarks() error {
	if err := checkPlaces(c.Best, c.Reference, c.LogX, c.LogY); err != nil {
		return err
	}
	for _, p := range []*Place{c.Best, c.Reference} {
		if p != nil && (p.X < c.X[0] || p.X > c.X[len(c.X)-1] || p.Y < c.Y[0] || p.Y > c.Y[len(c.Y)-1]) {
			return fmt.Errorf("marked place %v, %v lies outside the grid", p.X, p.Y)
		}
	}
	return nil
}
