package figure

// key is an entry of a legend.
type key struct {
	label string
	mark  mark
	color tone
}

type mark int

const (
	markLine mark = iota
	markDash
	markBand
	markDot
	markBar // a dot with an interval bar
	markBest
	markReference
	markRing    // of an ellipse
	markDiamond // of a best place
	markHollow  // of a reference
)

// width returns the breadth of a legend's mark.
func (m mark) width() float64 {
	switch m {
	case markLine, markDash, markBand, markBar:
		return 20
	case markBest, markReference:
		return 18
	case markDiamond, markHollow:
		return 14
	}
	return 10
}

// legend writes keys in rows above the plot, where they can cover nothing, and
// returns where to go on.
func (d *Drawing) legend(keys []key, y float64) float64 {
	if len(keys) == 0 {
		return y
	}
	const gap, line = 18, 17
	x := margin
	y += line
	for _, k := range keys {
		indent := k.mark.width() + 6
		label := shorten(k.label, sizeText, false, d.w-2*margin-indent)
		w := indent + textWidth(label, sizeText, false)
		if x > margin && x+w > d.w-margin {
			x, y = margin, y+line
		}
		d.key(k, spot{x, y - 4})
		d.add(textLine{spot: spot{x + indent, y}, s: label, size: sizeText, color: inkSoft})
		x += w + gap
	}
	return y + 10
}

// key draws a legend's mark, centred on the line through at, starting there.
func (d *Drawing) key(k key, at spot) {
	w := k.mark.width()
	line, mid := []spot{at, {at.x + w, at.y}}, spot{at.x + w/2, at.y}
	switch k.mark {
	case markLine:
		d.add(polyline{line, stroke{color: k.color, width: 2.25}})
	case markDash:
		d.add(polyline{line, stroke{color: k.color, width: 1.25, dash: []float64{4, 3}}})
	case markBand:
		d.add(box{rect: rect{at.x, at.y - 5, at.x + w, at.y + 5}, fill: faded(k.color, bandOpacity)})
	case markDot:
		d.add(disc{spot: mid, r: dotRadius, fill: k.color})
	case markBar:
		d.add(polyline{line, stroke{color: k.color, width: 1.5}})
		d.add(disc{spot: mid, r: dotRadius, fill: k.color})
	case markRing:
		d.add(disc{spot: mid, r: 4.5, fill: faded(k.color, 0.08), border: stroke{color: k.color, width: 1.5}})
	case markDiamond, markHollow:
		d.mark(mid, k.mark == markDiamond, "")
	case markBest, markReference:
		d.outline(rect{at.x - 1, at.y - 7, at.x + w - 1, at.y + 7}, k.mark == markReference)
	}
}

// labelsOrKeys keeps labels beside the panel where they leave it room enough;
// otherwise, as on a phone, it turns them into entries of the legend.
func (d *Drawing) labelsOrKeys(keys []key, ends []end) ([]key, []end) {
	crowded := float64(len(ends)*endPitch) > d.layout.panelHeight()
	if endRoom(ends) <= 0.26*d.w && !crowded {
		return keys, ends
	}
	var short []end
	for _, e := range ends {
		m := markLine
		if !e.bold {
			m = markDash
		}
		if endRoom([]end{e}) <= 0.15*d.w && !crowded {
			short = append(short, e)
			continue
		}
		c := e.color
		if c == inkSoft {
			c = inkPale
		}
		keys = append(keys, key{e.label, m, c})
	}
	return keys, short
}
