package figure

import (
	"cmp"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panel is a small chart of one parameter: its height is the range, a dashed line the start, and a
// line in the colour of its place the path of each tuning or run.
type Panel struct {
	Name string // of the parameter
	Note string // below the name, such as "90 → 112"; "" for none

	Min, Max float64   // the range
	Log      bool      // requires a positive range
	Ends     [2]string // Min and Max as people write them

	Starts []float64 // values at the beginning, each once
	Paths  [][]Point // by increasing X; the interval of a last point is drawn; an empty one keeps its colour free
	X      float64   // end of the axis of X, which begins at 0; 0 for the last X of the paths
}

// Panels shows parameters in a table of [Panel]s.
type Panels struct {
	Title, Subtitle string // Subtitle may be ""

	Panels []Panel
}

const (
	panelWidth  vg.Length = 140
	panelHeight vg.Length = 62 // of the data
	panelSpace  vg.Length = 8  // between two panels
)

// Draw implements [Chart]: panels in rows, as many as fit.
func (c Panels) Draw(layout Layout) (*Drawing, error) {
	if len(c.Panels) == 0 {
		return nil, failed("Panels", c.Title, errEmpty)
	}
	d, top := newDrawing(c.Title, c.Subtitle, layout)
	each := int((d.w - 2*margin + panelSpace) / (panelWidth + panelSpace))
	height := vg.Length(0)
	for i, p := range c.Panels {
		one, err := p.Draw(layout)
		if err != nil {
			return nil, failed("Panels", c.Title, err)
		}
		height = one.h + panelSpace
		d.place(one, margin+vg.Length(i%each)*(panelWidth+panelSpace), top-vg.Length(i/each)*height)
	}
	d.h = margin - top + vg.Length((len(c.Panels)+each-1)/each)*height - panelSpace
	return d, nil
}

// Draw implements [Chart]. The panel has the same size in every layout, so that a page sets panels
// side by side.
func (c Panel) Draw(layout Layout) (*Drawing, error) {
	if err := c.check(); err != nil {
		return nil, failed("Panel", c.Name, err)
	}
	d := &Drawing{layout: layout, w: panelWidth, title: c.Name + ", " + cmp.Or(c.Note, c.Ends[0]+" to "+c.Ends[1])}
	y := -sizeText
	name := textLine{at: vg.Point{Y: y}, s: shorten(c.Name, sizeText, true, d.w), size: sizeText, bold: true, color: ink, anchor: left}
	d.shapes = append(d.shapes, name)
	if c.Note != "" {
		y -= sizeTick * leading
		d.shapes = append(d.shapes, textLine{at: vg.Point{Y: y}, s: shorten(c.Note, sizeTick, false, d.w), size: sizeTick, color: inkSoft, anchor: left})
	}
	c.paths(d, box(0, y-7, d.w-2, y-7-panelHeight))
	d.h = 12 - y + panelHeight
	return d, nil
}

// paths draws the range and the paths.
func (c Panel) paths(d *Drawing, area vg.Rectangle) {
	x, y := &reach{}, &reach{}
	x.add(0, c.X)
	for _, path := range c.Paths {
		x.addX(path)
	}
	y.add(c.Min, c.Max)
	p := d.panel(x.axis(false, 0), y.axis(c.Log, 0))
	p.X.LineStyle.Width = 0
	p.setY(plot.ConstantTicks{{Value: c.Min, Label: c.Ends[0]}, {Value: c.Max, Label: c.Ends[1]}})
	p.yNumbers.room.X = min(p.yNumbers.room.X, 0.4*d.w)
	p.yNumbers.bounds = area
	p.add(grid())
	for _, start := range c.Starts {
		p.add(across(clamp(p.Y, start), levelPen))
	}
	for i, path := range c.Paths {
		tone := palette[i%len(palette)]
		p.add(p.line(path, pen(tone, 1.75, dashesOf(i)...))...)
		p.add(d.measured(path[max(len(path)-1, 0):], tone))
	}
	canvas := draw.Canvas{Canvas: d, Rectangle: area}
	canvas.Max.X -= dotRadius
	p.Draw(canvas)
}

// dashesOf tells lines of one colour apart, where there are more than colours.
func dashesOf(i int) []vg.Length {
	if i < len(palette) {
		return nil
	}
	return []vg.Length{5, 3}
}

// check returns an error that names the field that cannot be drawn.
func (c Panel) check() error {
	if err := cmp.Or(checkMark("Min", c.Min, c.Log), checkMark("Max", c.Max, c.Log), checkMark("X", c.X, false)); err != nil {
		return err
	}
	if !(c.Min < c.Max) {
		return fmt.Errorf("range from %v to %v is empty", c.Min, c.Max)
	}
	for i, start := range c.Starts {
		if err := checkMark(fmt.Sprintf("Starts[%d]", i), start, c.Log); err != nil {
			return err
		}
	}
	for i, path := range c.Paths {
		if err := checkLine(fmt.Sprintf("Paths[%d]", i), path, false, c.Log); err != nil {
			return err
		}
	}
	return nil
}
