package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rows is a plotter of horizontal bars, one a line: names to the left of the panel, texts to
// the right. On a narrow sheet name and text are above their bar.
type rows struct {
	*panel
	area   vg.Rectangle
	pitch  vg.Length // height of a row
	middle vg.Length // of the bar, below the top of its row
	above  bool      // texts are above the bars, where lines must not cross them
	texts  []rowText
	names  vg.Length // width of the names
	room   vg.Length // width of the texts

	bars      []Bar
	zero      float64
	zeroLabel string
	signs     bool
}

// rowText holds the texts beside one bar.
type rowText struct {
	name, text string
	strong     bool
}

// MaxRows bounds the height of a figure.
const MaxRows = 200

// rows lays out texts from top down and leaves the panel between them empty.
func (d *Drawing) rows(top vg.Length, texts []rowText, x plot.Axis) *rows {
	n := float64(len(texts))
	r := &rows{panel: d.panel(x, plot.Axis{Max: n, Scale: plot.LinearScale{}}), texts: texts, above: d.w < 500}
	for _, t := range texts {
		r.names = max(r.names, textWidth(t.name, sizeText, t.strong))
		r.room = max(r.room, textWidth(t.text, sizeText, t.strong))
	}
	x0, x1 := margin, d.w-margin
	if r.above {
		r.pitch, r.middle = 42, 29
		r.room = min(r.room, 0.65*d.w)
		r.names = d.w - 2*margin - r.room - 10
		x0, x1 = x0+4, x1-4
		r.X.Tick.LineStyle.Width = 0
	} else {
		r.pitch, r.middle = 25, 12.5
		r.names, r.room = min(r.names, 0.34*d.w), min(r.room, 0.4*d.w)
		x0 += r.names + 12
		if r.room > 0 {
			x1 -= r.room + 12
		}
		r.X.Tick.LineStyle = pen(gridInk, 1)
	}
	r.X.LineStyle.Width, r.Y.Padding = 0, 0
	r.area = box(x0, top, x1, top-r.pitch*vg.Length(n))
	r.add(r)
	return r
}

// draw draws the rows, and marks and a label below them, and ends the sheet there.
func (r *rows) draw(label string) {
	c := draw.Canvas{Canvas: r.d, Rectangle: r.area}
	list := r.xTicks(r.DataCanvas(c), 70, 2)
	if r.signs {
		signed(list)
	}
	r.X.Tick.Marker = plot.ConstantTicks(list)
	r.label(label)
	c.Min.Y -= r.DataCanvas(c).Min.Y - c.Min.Y
	r.Draw(c)
	r.d.h = margin - c.Min.Y
	if label == "" {
		r.d.h += 3
	}
}

// at returns the middle of a row's bar.
func (r *rows) at(i int) vg.Length { return r.area.Max.Y - vg.Length(i)*r.pitch - r.middle }

// Plot implements plot.Plotter: it draws grid lines, names and texts.
func (r *rows) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		r.upright(c, x(t.Value), pen(gridInk, 1))
	}
	for i, t := range r.texts {
		y := r.at(i) - 0.36*sizeText
		if r.above {
			y = r.at(i) + r.middle - 16
		}
		r.d.write(shorten(t.name, sizeText, t.strong, max(r.names, 40)), vg.Point{X: margin, Y: y}, left, ink, sizeText, t.strong)
		r.d.write(shorten(t.text, sizeText, t.strong, r.room), vg.Point{X: r.d.w - margin, Y: y}, right, ink, sizeText, t.strong)
	}
	r.upright(c, x(r.zero), pen(ink, 1))
	r.d.write(shorten(r.zeroLabel, sizeText, false, r.d.w-2*margin), vg.Point{X: x(r.zero), Y: c.Max.Y + 6}, middle, inkSoft, sizeText, false)
	for i, b := range r.bars {
		if !math.IsNaN(b.Value) {
			r.measure(p, x, r.at(i), b)
		}
	}
}

// measure draws one value: a pale bar from zero, its interval and its dot.
func (r *rows) measure(p *plot.Plot, x func(float64) vg.Length, y vg.Length, b Bar) {
	c := blue
	if b.Strong {
		c = vermilion
	}
	const half = 6 // half the height of the pale bar
	r.d.mark(mark{path: box(x(r.zero), y-half, x(b.Value), y+half).Path(), fill: faded(c, 0.22)})
	if hasInterval(b.Lo, b.Hi) {
		lo, hi := vg.Point{X: x(clamp(p.X, b.Lo)), Y: y}, vg.Point{X: x(clamp(p.X, b.Hi)), Y: y}
		r.d.whisker(lo, hi, b.Lo < p.X.Min, b.Hi > p.X.Max, pen(c, 1.5))
	}
	r.d.dot(vg.Point{X: x(b.Value), Y: y}, c, b.Name+": "+valueText(b, plain))
}

// upright draws a vertical line through the panel; if texts are between the bars, only through
// the bars.
func (r *rows) upright(c draw.Canvas, x vg.Length, line draw.LineStyle) {
	if !r.above {
		c.StrokeLine2(line, x, c.Min.Y, x, c.Max.Y)
		return
	}
	for i := range r.texts {
		c.StrokeLine2(line, x, r.at(i)-8, x, r.at(i)+8)
	}
}
