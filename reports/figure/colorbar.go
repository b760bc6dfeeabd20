package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colorBar draws the scale of colours from top down, to end at the right, and ends the sheet
// below it. It is a plot whose X axis has the numbers. (gonum's is a pixel wide in SVG.)
func (d *Drawing) colorBar(top, end vg.Length, colors shade, label string, signs bool) {
	const breadth, step = 12, 2
	if label != "" {
		top -= 18
		d.write(shorten(label, sizeText, false, d.w-2*margin), vg.Point{X: margin, Y: top + 5}, left, inkSoft, sizeText, false)
	}
	p := d.panel(plot.Axis{Min: colors.lo, Max: colors.hi, Scale: plot.LinearScale{}}, plot.Axis{Max: 1, Scale: plot.LinearScale{}})
	p.X.LineStyle.Width, p.Y.Padding = 0, 0
	p.xNumbers.room = &vg.Point{Y: ascent * sizeTick}
	list := linearTicks(colors.lo, colors.hi, 5, false)
	if signs {
		signed(list)
	}
	p.X.Tick.Marker = plot.ConstantTicks(list)
	p.add(painter(func(c draw.Canvas, _, _ func(float64) vg.Length) {
		for x := c.Min.X; x < c.Max.X; x += step { // each overlaps the one before it
			along := float64(min((x-c.Min.X+step/2)/c.Size().X, 1))
			d.mark(mark{path: box(x, c.Min.Y, c.Max.X, c.Max.Y).Path(), crisp: true, fill: colors.of(colors.lo + float64(along*(colors.hi-colors.lo)))})
		}
	}))
	c := draw.Canvas{Canvas: d, Rectangle: box(margin, top, end, top-breadth)}
	c.Min.Y -= p.DataCanvas(c).Min.Y - c.Min.Y
	p.Draw(c)
	d.h = margin - c.Min.Y + 3
}
