package figure

import "selfplaylab/reports/text"

// shares is the layout of stacked bars: each row a whole, cut into its kinds.
type shares struct {
	kinds  []string
	colors []tone // as many at least
	noun   string // what is counted
	rows   []shareRow
}

// shareRow holds the counts of one row, in the order of the kinds.
type shareRow struct {
	rowText
	parts []float64
}

func (sh shares) draw(title, subtitle string, layout Layout) *Drawing {
	var keys []key
	for i, kind := range sh.kinds {
		keys = append(keys, key{kind, markBox, sh.colors[i]})
	}
	var texts []rowText
	for _, row := range sh.rows {
		texts = append(texts, row.rowText)
	}
	s, y := newDrawing(title, subtitle, layout)
	r := s.rows(s.legend(keys, y), texts, scale{lo: 0, hi: 1})
	r.thick = 17
	ticks := linearTicks(0, 1, max(int(r.area.w()/90), 2), false)
	for i := range ticks {
		ticks[i].label = percentTick(ticks[i].v, "")
	}
	r.axis(ticks, "share of "+sh.noun)
	for i, row := range sh.rows {
		sh.row(r, i, row)
	}
	return s
}

func (sh shares) row(r *rows, i int, row shareRow) {
	from, total := 0.0, 0.0
	for _, n := range row.parts {
		total += n
	}
	for j, n := range row.parts {
		if n == 0 {
			continue
		}
		a, b := from/total, (from+n)/total
		from += n
		r.bar(i, a, b, sh.colors[j], row.name+", "+sh.kinds[j]+": "+plain(n)+" ("+percent(n/total)+")")
		x0, x1 := r.x.at(a), r.x.at(b)
		if short := text.Number(100*n/total, 0) + " %"; textWidth(short, sizeTick, false)+8 < x1-x0 {
			r.s.add(textLine{spot: spot{(x0 + x1) / 2, r.at(i) + 0.36*sizeTick}, s: short, size: sizeTick, color: inkOn(sh.colors[j]),
				anchor: middle})
		}
		if x1 < r.area.x1-0.5 {
			r.s.add(polyline{[]spot{{x1, r.at(i) - r.thick/2}, {x1, r.at(i) + r.thick/2}}, stroke{color: paper, width: 1}})
		}
	}
}
