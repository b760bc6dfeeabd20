package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// newDrawing starts a drawing with its title and subtitle; y is the place below them.
func newDrawing(title, subtitle string, layout Layout) (d *Drawing, y vg.Length) {
	d = &Drawing{layout: layout, w: layout.width(), title: title}
	y = d.lines(title, -margin, sizeTitle, true, ink)
	if title != "" && subtitle != "" {
		y -= 2
	}
	return d, d.lines(subtitle, y, sizeText, false, inkSoft) - 8
}

// lines writes a text from y down, wrapped, and returns the Y below it.
func (d *Drawing) lines(s string, y, size vg.Length, bold bool, c tone) vg.Length {
	for _, line := range wrap(s, size, bold, d.w-2*margin) {
		y -= size * leading
		d.write(line, vg.Point{X: margin, Y: y + 0.3*size}, left, c, size, bold)
	}
	return y
}

// panel is a plot with the labels around it.
type panel struct {
	*plot.Plot
	d *Drawing

	xWhole, yWhole bool // no fractions on the ticks
	ySigns         bool // plus signs on the ticks
	yLabel         string
	uprights       []upright
	ends           ends
	xNumbers       *letters // handlers of the axes' numbers
	yNumbers       *letters
}

// panel returns an empty plot in this package's style: a line below, numbers at the left.
func (d *Drawing) panel(x, y plot.Axis) *panel {
	p := &panel{Plot: plot.New(), d: d}
	p.BackgroundColor = nil
	p.TextHandler = &letters{d: d}
	for _, a := range []struct {
		to   *plot.Axis
		from plot.Axis
	}{{&p.X, x}, {&p.Y, y}} {
		a.to.Min, a.to.Max, a.to.Scale, a.to.Padding = a.from.Min, a.from.Max, a.from.Scale, 0
		a.to.Label.TextStyle = d.style(inkSoft, sizeText, draw.XCenter, draw.YBottom)
		a.to.Tick.Label = d.style(inkSoft, sizeTick, a.to.Tick.Label.XAlign, a.to.Tick.Label.YAlign)
		a.to.Tick.Marker = plot.ConstantTicks(nil)
	}
	p.Y.Padding = 7 - p.Y.Label.TextStyle.Width(" ")
	p.X.LineStyle, p.X.Tick.LineStyle = pen(inkPale, 1), pen(inkPale, 1)
	p.X.Tick.Length, p.X.Label.Padding = 4, 4.5
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	p.xNumbers = &letters{d: d, bounds: box(2, 0, d.w-2, 0)} // the first and last may use the margins
	p.yNumbers = &letters{d: d, room: &vg.Point{}}
	p.X.Tick.Label.Handler, p.Y.Tick.Label.Handler = p.xNumbers, p.yNumbers
	high := &vg.Point{Y: ascent * sizeText} // names stay inside and take no width
	p.X.Label.TextStyle.Handler = &letters{d: d, bounds: box(margin, 0, d.w-margin, 0), room: high}
	p.Y.Label.TextStyle.Handler = &letters{d: d, room: high}
	return p
}

// bare is a plotter without DataRange and GlyphBoxes. Axes reach as far as the chart states and
// not to every outlier, and panels lose no room to lines that end at an edge.
type bare struct{ plot.Plotter }

// add adds plotters that do not change the range of the axes.
func (p *panel) add(list ...plot.Plotter) {
	for _, one := range list {
		p.Add(bare{one})
	}
}

// draw lays out the panel with a data area of this height, below the labels at its top, and
// draws it. The sheet ends below it.
func (p *panel) draw(top, height vg.Length) {
	d := p.d
	yTicks := ticks(p.Y, max(int(height/34), 2), p.yWhole)
	if p.ySigns {
		signed(yTicks)
	}
	p.setY(yTicks)
	c := draw.Canvas{Canvas: d, Rectangle: box(margin, 0, d.w-margin-p.ends.room(), height)}
	data := p.DataCanvas(c)
	p.X.Tick.Marker = plot.ConstantTicks(append(p.xTicks(data, 45, 4), minor(p.X)...))
	data = p.DataCanvas(c)
	c.Max.Y = p.labelsAbove(data, top) - 6
	c.Min.Y = c.Max.Y - height - data.Min.Y
	p.Draw(c)
	d.h = margin - c.Min.Y
	if p.X.Label.Text == "" {
		d.h += 3
	}
}

// setY sets the marks of the Y axis, with room for the numbers at its left and none above it.
func (p *panel) setY(list plot.ConstantTicks) {
	p.Y.Tick.Marker = list
	for _, t := range list {
		p.yNumbers.room.X = max(p.yNumbers.room.X, textWidth(t.Label, sizeTick, false))
	}
}

// label names the X axis, cut to the width of the sheet.
func (p *panel) label(s string) {
	p.X.Label.Text = shorten(s, sizeText, false, p.d.w-2*margin)
}

// xTicks returns as many marks as fit below the data with gaps, at most one for each pitch, but
// up to least.
func (p *panel) xTicks(data draw.Canvas, pitch vg.Length, least int) []plot.Tick {
	for n := max(int(data.Size().X/pitch), least); ; n-- { // fewer may leave a single one
		list := ticks(p.X, n, p.xWhole)
		if n <= 2 || p.apart(data, list, 14) {
			return list
		}
	}
}

// apart reports whether numbers fit below the data with a gap between them.
func (p *panel) apart(data draw.Canvas, list []plot.Tick, gap vg.Length) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range list {
		w := textWidth(t.Label, sizeTick, false)
		at := p.xNumbers.inside(textLine{at: vg.Point{X: data.X(p.X.Norm(t.Value))}, s: t.Label, size: sizeTick, anchor: middle}).at
		if at.X-w/2 < end || w > data.Size().X {
			return false
		}
		end = at.X + w/2 + gap
	}
	return true
}

// grid draws grid lines at the marks of Y.
func grid() plot.Plotter {
	return &plotter.Grid{Horizontal: pen(gridInk, 1)}
}

// across is a horizontal line at a value of Y.
func across(y float64, line draw.LineStyle) plot.Plotter {
	return &plotter.Function{F: func(float64) float64 { return y }, Samples: 2, LineStyle: line}
}

// levelPen draws levels and diagonals, which are not data.
var levelPen = pen(inkPale, 1.25, 4, 3)

// levels returns labelled horizontal lines.
func levels(list []Level) (lines []plot.Plotter) {
	for _, l := range list {
		lines = append(lines, across(l.Y, levelPen))
	}
	return lines
}
