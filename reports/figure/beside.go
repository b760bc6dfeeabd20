package figure

import (
	"cmp"
	"slices"
)

// upright marks a value of X: a vertical line through the panel with its label
// above, where it covers no data.
type upright struct {
	x     float64
	label string
	color tone // of the letters and the line
	dash  []float64
}

const labelRow = 16.0

// labelsAbove writes the Y label and the uprights' labels, each in the lowest
// row where it meets no other, and returns where the panel may begin. The lines
// of the uprights are drawn by [frame.uprights], over grid and under data.
func (f *frame) labelsAbove(a axes) float64 {
	var rows [][]rect
	yLabel := shorten(a.yLabel, sizeText, false, f.s.w-2*margin)
	if yLabel != "" {
		rows = append(rows, []rect{{margin, 0, margin + textWidth(yLabel, sizeText, false) + 12, 1}})
	}
	type placed struct {
		textLine
		row int
	}
	var labels []placed
	for _, fl := range a.uprights {
		label := shorten(fl.label, sizeText, true, f.s.w-2*margin)
		half := textWidth(label, sizeText, true)/2 + 4
		x := min(max(f.x.at(fl.x), margin-4+half), f.s.w-margin+4-half)
		span, row := rect{x - half, 0, x + half, 1}, 0
		for row < len(rows) && slices.ContainsFunc(rows[row], span.overlaps) {
			row++
		}
		if row == len(rows) {
			rows = append(rows, nil)
		}
		rows[row] = append(rows[row], span)
		labels = append(labels, placed{textLine{spot: spot{x: x}, s: label, size: sizeText, bold: true, color: fl.color, anchor: middle}, row})
	}
	bottom := a.top + labelRow*float64(len(rows))
	if yLabel != "" {
		f.s.add(textLine{spot: spot{margin, bottom - 4}, s: yLabel, size: sizeText, color: inkSoft})
	}
	for _, l := range labels {
		l.y = bottom - 4 - labelRow*float64(l.row)
		f.s.add(l.textLine)
	}
	return bottom
}

// uprights draws the lines of the uprights.
func (f *frame) uprights(marks []upright) {
	for _, fl := range marks {
		x := f.x.at(fl.x)
		line := []spot{{x, f.area.y0 - 5}, {x, f.area.y1}}
		f.s.add(polyline{line, stroke{color: faded(paper, 0.8), width: 3.5}}) // seen on bars too
		f.s.add(polyline{line, stroke{color: fl.color, width: 1.25, dash: fl.dash}})
	}
}

// end is a label at the right of the panel, at the height of a value.
type end struct {
	y     float64 // a value; kept inside the panel
	label string
	bold  bool
	color tone

	leader bool    // draws a thin line to the label,
	from   float64 // from this X, where it is far away
}

const (
	endGap   = 8.0 // from the panel to its labels
	endPitch = 14  // from one label to the next
)

// endRoom returns the room that ends need at the right.
func endRoom(ends []end) float64 {
	room := 0.0
	for _, e := range ends {
		room = max(room, endGap+textWidth(e.label, sizeText, e.bold))
	}
	return room
}

// ends writes labels beside the panel, moved apart where they would overlap.
func (f *frame) ends(ends []end) {
	sorted := slices.Clone(ends)
	slices.SortStableFunc(sorted, func(a, b end) int { return cmp.Compare(b.y, a.y) })
	places := make([]float64, len(sorted))
	for i, e := range sorted {
		places[i] = f.y.at(f.y.clamp(e.y))
	}
	spread(places, endPitch, f.area.y0+4, f.area.y1-2)
	for i, e := range sorted {
		if at := f.y.at(f.y.clamp(e.y)); e.leader && f.area.x1-f.x.at(e.from) > 30 {
			f.s.add(polyline{[]spot{{f.x.at(e.from) + 8, at}, {f.area.x1, at}},
				stroke{color: faded(e.color, 0.6), width: 1, dash: []float64{1.5, 3}}})
		}
		f.s.add(textLine{spot: spot{f.area.x1 + endGap, places[i] + 4}, s: e.label, size: sizeText, bold: e.bold, color: lettering(e.color)})
	}
}

// spread moves increasing places to at least apart from each other, as little
// as it can: those too close form a block around their mean. It keeps them
// between lo and hi where there is room.
func spread(places []float64, apart, lo, hi float64) {
	type block struct {
		sum float64 // of places, each less its offset in the block
		n   int
	}
	limit := func(b block) float64 { // first place of the block
		first := b.sum / float64(b.n)
		return max(min(first, hi-float64(b.n-1)*apart), lo)
	}
	var blocks []block
	for _, p := range places {
		b := block{p, 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if limit(last)+float64(last.n)*apart <= limit(b) {
				break
			}
			b = block{last.sum + b.sum - float64(b.n*last.n)*apart, last.n + b.n}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	i := 0
	for _, b := range blocks {
		for k := range b.n {
			places[i] = limit(b) + float64(k)*apart
			i++
		}
	}
}

// centred writes a label in the middle of at, or as near as keeps it on the
// sheet.
func (d *Drawing) centred(label string, at spot) {
	label = shorten(label, sizeText, false, d.w-2*margin)
	half := textWidth(label, sizeText, false)/2 + margin
	at.x = min(max(at.x, half), d.w-half)
	d.add(textLine{spot: at, s: label, size: sizeText, color: inkSoft, anchor: middle})
}
