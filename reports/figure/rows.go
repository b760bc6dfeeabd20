package figure

// rows is the layout of charts with one horizontal bar a line: names at the
// left, the panel, texts at the right; on a narrow sheet name and text stand
// above their bar.
type rows struct {
	s      *Drawing
	area   rect
	pitch  float64 // height of a row
	middle float64 // of the bar, below the top of its row
	texts  bool    // stand above the bars, where lines must not cross them
	x      scale
}

// rowText is what stands beside one bar.
type rowText struct {
	name, text string
	strong     bool
}

// maxRows bounds the height of a figure.
const maxRows = 200

// rows lays texts out from top and leaves the panel between them empty.
func (d *Drawing) rows(top float64, texts []rowText, x scale) *rows {
	r := &rows{s: d, x: x, area: rect{margin, top, d.w - margin, 0}}
	nameWidth, textRoom := 0.0, 0.0
	for _, t := range texts {
		nameWidth = max(nameWidth, textWidth(t.name, sizeText, t.strong))
		textRoom = max(textRoom, textWidth(t.text, sizeText, t.strong))
	}
	if r.texts = d.w < 500; r.texts {
		r.pitch, r.middle = 42, 29
		textRoom = min(textRoom, 0.65*d.w)
		r.area.x0 += 4
		r.area.x1 -= 4
		nameWidth = d.w - 2*margin - textRoom - 10
	} else {
		r.pitch, r.middle = 25, 12.5
		nameWidth, textRoom = min(nameWidth, 0.34*d.w), min(textRoom, 0.4*d.w)
		r.area.x0 += nameWidth + 12
		if textRoom > 0 {
			r.area.x1 -= textRoom + 12
		}
	}
	r.area.y1 = top + r.pitch*float64(len(texts))
	r.x.a, r.x.b = r.area.x0, r.area.x1
	for i, t := range texts {
		y := r.at(i) + 0.36*sizeText
		if r.texts {
			y = top + float64(i)*r.pitch + 16
		}
		name := shorten(t.name, sizeText, t.strong, max(nameWidth, 40))
		d.add(textLine{spot: spot{margin, y}, s: name, size: sizeText, bold: t.strong, color: ink})
		if t.text != "" {
			d.add(textLine{spot: spot{d.w - margin, y}, s: shorten(t.text, sizeText, t.strong, textRoom), size: sizeText, bold: t.strong,
				color: ink, anchor: right})
		}
	}
	return r
}

// at returns the middle of a row's bar.
func (r *rows) at(i int) float64 { return r.area.y0 + float64(i)*r.pitch + r.middle }

// axis draws the grid, the marks and the label below the rows and ends the
// sheet there.
func (r *rows) axis(ticks []tick, label string) {
	s := r.s
	bottom := r.area.y1 + 4
	end := -1e9
	for _, t := range ticks {
		x := r.x.at(t.v)
		r.upright(t.v, stroke{color: gridInk, width: 1})
		w := textWidth(t.label, sizeTick, false)
		mid := min(max(x, margin/2+w/2), s.w-margin/2-w/2)
		if mid-w/2 < end+8 {
			continue
		}
		end = mid + w/2
		s.add(textLine{spot: spot{mid, bottom + 4 + sizeTick}, s: t.label, size: sizeTick, color: inkSoft, anchor: middle})
	}
	s.h = bottom + 4 + sizeTick*leading + margin
	if label == "" {
		return
	}
	s.centred(label, spot{(r.area.x0 + r.area.x1) / 2, s.h + 4})
	s.h += sizeText * leading
}

// upright draws a vertical line at v: through the panel, or through the bars
// only where texts stand between them.
func (r *rows) upright(v float64, st stroke) {
	x := r.x.at(v)
	if !r.texts {
		r.s.add(polyline{[]spot{{x, r.area.y0}, {x, r.area.y1 + 4}}, st})
		return
	}
	for y := r.area.y0; y < r.area.y1-1; y += r.pitch {
		r.s.add(polyline{[]spot{{x, y + r.middle - 8}, {x, y + r.middle + 8}}, st})
	}
}
