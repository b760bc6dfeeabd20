package figure

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// upright marks a value of X: a vertical line through the panel with its label above, where it
// covers no data.
type upright struct {
	x      float64
	label  string
	color  tone // of the letters and the line
	dashes []vg.Length
}

const labelRow vg.Length = 16

// labelsAbove writes the Y label and the uprights' labels, each in the lowest row without
// overlap, and returns the top of the panel. [panel.uprightLines] draws the lines, over grid
// and under data.
func (p *panel) labelsAbove(data draw.Canvas, top vg.Length) vg.Length {
	d := p.d
	var rows [][]vg.Rectangle
	overlap := func(a, b vg.Rectangle) bool { return a.Min.X < b.Max.X && b.Min.X < a.Max.X }
	yLabel := shorten(p.yLabel, sizeText, false, d.w-2*margin)
	if yLabel != "" {
		rows = append(rows, []vg.Rectangle{box(margin, 0, margin+textWidth(yLabel, sizeText, false)+12, 1)})
	}
	place := make([]int, len(p.uprights)) // rows
	at := make([]vg.Length, len(p.uprights))
	label := make([]string, len(p.uprights))
	for i, u := range p.uprights {
		label[i] = shorten(u.label, sizeText, true, d.w-2*margin)
		half := textWidth(label[i], sizeText, true)/2 + 4
		at[i] = min(max(data.X(p.X.Norm(u.x)), margin-4+half), d.w-margin+4-half)
		span, row := box(at[i]-half, 0, at[i]+half, 1), 0
		for row < len(rows) && slices.ContainsFunc(rows[row], func(r vg.Rectangle) bool { return overlap(r, span) }) {
			row++
		}
		if row == len(rows) {
			rows = append(rows, nil)
		}
		rows[row], place[i] = append(rows[row], span), row
	}
	bottom := top - labelRow*vg.Length(len(rows))
	d.write(yLabel, vg.Point{X: margin, Y: bottom + 4}, left, inkSoft, sizeText, false)
	for i, u := range p.uprights {
		d.write(label[i], vg.Point{X: at[i], Y: bottom + 4 + labelRow*vg.Length(place[i])}, middle, u.color, sizeText, true)
	}
	return bottom
}

// uprightLines draws the lines of the uprights.
func (p *panel) uprightLines() plot.Plotter {
	return painter(func(c draw.Canvas, x, _ func(float64) vg.Length) {
		for _, u := range p.uprights {
			at := x(u.x)
			c.StrokeLine2(pen(faded(paper, 0.8), 3.5), at, c.Max.Y+5, at, c.Min.Y) // visible on bars too
			c.StrokeLine2(pen(u.color, 1.25, u.dashes...), at, c.Max.Y+5, at, c.Min.Y)
		}
	})
}

// end is a label to the right of the panel, at the height of a value.
type end struct {
	y     float64 // a value; clamped to the panel
	label string
	bold  bool
	line  draw.LineStyle // of the line or level that ends there

	leader bool    // draws a thin line to the label,
	from   float64 // from this X, if it is far away
}

const (
	endGap   vg.Length = 8  // from the panel to its labels
	endPitch vg.Length = 14 // from one label to the next
)

// ends are labels at the right of the panel.
type ends []end

// room returns the width that the labels need.
func (list ends) room() (room vg.Length) {
	for _, e := range list {
		room = max(room, endGap+textWidth(e.label, sizeText, e.bold))
	}
	return room
}

// endLabels writes the labels to the right of the panel, moved apart if they would overlap.
func (p *panel) endLabels() plot.Plotter {
	return painter(func(c draw.Canvas, x, y func(float64) vg.Length) {
		sorted := slices.Clone(p.ends)
		slices.SortStableFunc(sorted, func(a, b end) int { return cmp.Compare(a.y, b.y) })
		places := text.Each(sorted, func(e end) vg.Length { return y(clamp(p.Y, e.y)) })
		spread(places, endPitch, c.Min.Y+2, c.Max.Y-4)
		for i, e := range sorted {
			if at := y(clamp(p.Y, e.y)); e.leader && c.Max.X-x(e.from) > 30 {
				c.StrokeLine2(pen(faded(toneOf(e.line.Color), 0.6), 1, 1.5, 3), x(e.from)+8, at, c.Max.X, at)
			}
			p.d.write(e.label, vg.Point{X: c.Max.X + endGap, Y: places[i] - 4}, left, lettering(e.line.Color), sizeText, e.bold)
		}
	})
}

// spread moves increasing places to at least apart from each other, by as little as possible:
// places that are too close form a block around their mean. It keeps them between lo and hi if
// there is room.
func spread(places []vg.Length, apart, lo, hi vg.Length) {
	type block struct {
		sum vg.Length // sum of places, each less its offset in the block
		n   int
	}
	limit := func(b block) vg.Length { // first place of the block
		first := b.sum / vg.Length(b.n)
		return max(min(first, hi-vg.Length(b.n-1)*apart), lo)
	}
	var blocks []block
	for _, p := range places {
		b := block{p, 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if limit(last)+vg.Length(last.n)*apart <= limit(b) {
				break
			}
			b = block{last.sum + b.sum - vg.Length(b.n*last.n)*apart, last.n + b.n}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	i := 0
	for _, b := range blocks {
		for k := range b.n {
			places[i] = limit(b) + vg.Length(k)*apart
			i++
		}
	}
}
