package figure

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Heat shows a value over two parameters, or over two lists of names (a cross
// table). Values are printed in the cells when they fit.
type Heat struct {
	Title, Subtitle string

	XLabel, YLabel string
	Label          string // of the colour bar, such as "Elo against the reference"

	// Columns and Rows name the cells: Columns from left to right, Rows from
	// the top down.
	Columns, Rows []string
	// Values[row][column]; NaN for a cell without a value.
	Values [][]float64
	// Texts[row][column] replaces the printed value; nil for none.
	Texts [][]string

	// Middle makes the colours diverge from this value (0 Elo, a score of one
	// half); nil for a scale from least to greatest.
	Middle *float64

	Best, Reference *Cell // marked cells; nil for none
}

// Cell is a place in a [Heat].
type Cell struct{ Row, Column int }

func (h Heat) Draw(layout Layout) (*Drawing, error) {
	if err := h.check(); err != nil {
		return nil, failed("Heat", h.Title, err)
	}
	s, y := newDrawing(h.Title, h.Subtitle, layout)
	y = s.legend(h.keys(), y)
	m := &mosaic{Heat: h, s: s, shade: shadesOf(h.Values, h.Middle)}
	m.layOut(y)
	m.drawCells()
	m.drawLabels()
	m.drawMarks()
	m.drawBar()
	return s, nil
}

func (h Heat) check() error {
	if max(len(h.Rows), len(h.Columns)) > maxCells {
		return fmt.Errorf("%d rows and %d columns: more than %d either way cannot be seen; join neighbours", len(h.Rows), len(h.Columns),
			maxCells)
	}
	if len(h.Values) != len(h.Rows) {
		return fmt.Errorf("%d rows of Values for %d Rows", len(h.Values), len(h.Rows))
	}
	if h.Texts != nil && len(h.Texts) != len(h.Rows) {
		return fmt.Errorf("%d rows of Texts for %d Rows", len(h.Texts), len(h.Rows))
	}
	any := false
	for i, row := range h.Values {
		if len(row) != len(h.Columns) {
			return fmt.Errorf("row %d of Values has %d for %d Columns", i, len(row), len(h.Columns))
		}
		if h.Texts != nil && len(h.Texts[i]) != len(h.Columns) {
			return fmt.Errorf("row %d of Texts has %d for %d Columns", i, len(h.Texts[i]), len(h.Columns))
		}
		for j, v := range row {
			if err := checkValue(fmt.Sprintf("Values[%d][%d]", i, j), v, false); err != nil {
				return err
			}
			any = any || !math.IsNaN(v)
		}
	}
	if !any {
		return errEmpty
	}
	for _, c := range []*Cell{h.Best, h.Reference} {
		if c != nil && (c.Row < 0 || c.Row >= len(h.Rows) || c.Column < 0 || c.Column >= len(h.Columns)) {
			return fmt.Errorf("marked cell %v lies outside %d rows and %d columns", *c, len(h.Rows), len(h.Columns))
		}
	}
	if h.Middle != nil {
		return checkMark("Middle", *h.Middle, false)
	}
	return nil
}

// maxCells keeps a cell at least two pixels wide on a narrow sheet.
const maxCells = 120

func (h Heat) keys() []key {
	var keys []key
	if h.Best != nil {
		keys = append(keys, key{"best", markBest, ink})
	}
	if h.Reference != nil {
		keys = append(keys, key{"reference", markReference, ink})
	}
	return keys
}

// shade maps values to colours.
type shade struct {
	scale
	stops []color.NRGBA
}

func (s shade) of(v float64) tone {
	return fixedTone(ramp(s.stops, (v-s.lo)/(s.hi-s.lo)))
}

// shadesOf runs from the least to the greatest of values, or as far to both
// sides of middle.
func shadesOf(values [][]float64, middle *float64) shade {
	r := &reach{}
	for _, row := range values {
		r.add(row...)
	}
	if middle == nil {
		return shade{r.scale(false, 0), viridis}
	}
	d := max(r.hi-*middle, *middle-r.lo)
	r.add(*middle-d, *middle+d)
	return shade{r.scale(false, 0), diverging}
}

// mosaic is a heat map being drawn.
type mosaic struct {
	Heat
	s      *Drawing
	shade  shade
	area   rect
	cw, ch float64 // size of a cell
	upward bool    // column names turned
	every  Cell    // distance between the names that are written
	foot   float64 // where the names below the cells end
	bar    rect    // of colours
}

// layOut finds places for names, cells and the colour bar: at the right on a
// wide sheet, below on a narrow one.
func (m *mosaic) layOut(y float64) {
	rowNames, columnNames := 0.0, 0.0
	for _, n := range m.Rows {
		rowNames = max(rowNames, textWidth(n, sizeTick, false))
	}
	for _, n := range m.Columns {
		columnNames = max(columnNames, textWidth(n, sizeTick, false))
	}
	rowNames = min(rowNames, 0.3*m.s.w)
	x0, x1 := math.Ceil(margin+rowNames+7), m.s.w-margin
	wideSheet := m.s.w >= 500
	if y = halves(y); m.YLabel != "" || wideSheet && m.Label != "" {
		y += 20
	}
	if wideSheet {
		x1 -= 90 // colour bar with its numbers
	}
	m.cw = min((x1-x0)/float64(len(m.Columns)), 90)
	m.ch = min(max(min(m.cw, 420/float64(len(m.Rows))), 3), 44)
	m.area = rect{x0, y, halves(x0 + m.cw*float64(len(m.Columns))), halves(y + m.ch*float64(len(m.Rows)))}
	m.every = Cell{thinned(sizeTick*1.2, m.ch), thinned(columnNames+8, m.cw)}
	if m.upward = m.every.Column > 1 && !numeric(m.Columns); m.upward {
		m.every.Column = thinned(sizeTick*1.2, m.cw)
	}
	m.foot = m.area.y1 + 6 + sizeTick
	if m.upward {
		m.foot = m.area.y1 + 8 + min(columnNames, 130)
	}
	if m.XLabel != "" {
		m.foot += sizeText*leading + 4
	}
	if wideSheet {
		m.bar = rect{m.area.x1 + 20, m.area.y0, m.area.x1 + 20 + barBreadth, max(m.area.y1, m.area.y0+100)}
		if m.XLabel != "" { // may be wider than the cells and reach below the bar
			m.foot = max(m.foot, m.bar.y1+24)
		}
		m.s.h = max(m.foot, m.bar.y1+6) + margin
		return
	}
	y = halves(m.foot) + 30
	m.bar = rect{margin, y, m.s.w - margin, y + barBreadth}
	m.s.h = m.bar.y1 + 6 + sizeTick + margin
}

// thinned returns n, one of 1, 2, 5, 10 and so on, so that every n-th of the names, which
// have the given size, stands apart from the next.
func thinned(size, pitch float64) int {
	if size <= pitch {
		return 1
	}
	digit, exp := roundStep(size/pitch, true)
	return int(decimal(digit, exp))
}

// numeric tells whether names are numbers, some of which can be left out; other names are
// turned instead.
func numeric(names []string) bool {
	for _, n := range names {
		if _, err := strconv.ParseFloat(strings.ReplaceAll(strings.ReplaceAll(n, "−", "-"), ",", ""), 64); err != nil {
			return false
		}
	}
	return true
}

// cell returns the place of a cell.
func (m *mosaic) cell(c Cell) rect {
	x, y := m.area.x0+float64(c.Column)*m.cw, m.area.y0+float64(c.Row)*m.ch
	return rect{halves(x), halves(y), halves(x + m.cw), halves(y + m.ch)}
}

// halves rounds to half a pixel, a whole dot where a screen has two a pixel.
func halves(v float64) float64 { return math.Round(2*v) / 2 }

// drawCells paints each cell half a pixel over its right and lower neighbours,
// which are painted later: without that, hairlines of white show between them.
func (m *mosaic) drawCells() {
	for i, row := range m.Values {
		for j, v := range row {
			r := m.cell(Cell{i, j})
			r.x1, r.y1 = min(r.x1+0.5, m.area.x1), min(r.y1+0.5, m.area.y1)
			m.s.add(box{rect: r, crisp: true, fill: m.fill(v), tip: m.Rows[i] + ", " + m.Columns[j] + ": " + m.word(i, j)})
		}
	}
	words, size := m.words()
	for i, row := range words {
		for j, word := range row {
			r := m.cell(Cell{i, j})
			m.s.add(textLine{spot: spot{(r.x0 + r.x1) / 2, (r.y0+r.y1)/2 + 0.36*size}, s: word, size: size,
				color: inkOn(m.fill(m.Values[i][j])), anchor: middle})
		}
	}
}

// fill is the colour of a cell.
func (m *mosaic) fill(v float64) tone {
	if math.IsNaN(v) {
		return noValue
	}
	return m.shade.of(v)
}

// word is what a cell says.
func (m *mosaic) word(i, j int) string {
	switch v := m.Values[i][j]; {
	case m.Texts != nil:
		return m.Texts[i][j]
	case math.IsNaN(v):
		return "no value"
	default:
		return plain(v)
	}
}

// words returns the texts of all cells and their size, or none where the
// longest does not fit.
func (m *mosaic) words() ([][]string, float64) {
	widest := 0.0
	for _, row := range m.Values {
		for _, v := range row {
			if !math.IsNaN(v) {
				widest = max(widest, math.Abs(v))
			}
		}
	}
	write := common(widest)
	out := make([][]string, len(m.Values))
	longest := 0.0
	for i, row := range m.Values {
		out[i] = make([]string, len(row))
		for j, v := range row {
			switch {
			case m.Texts != nil:
				out[i][j] = Printable(m.Texts[i][j])
			case math.IsNaN(v):
			case m.Middle != nil && *m.Middle == 0:
				out[i][j] = plus(v, write(v))
			default:
				out[i][j] = write(v)
			}
			longest = max(longest, textWidth(out[i][j], 1, false))
		}
	}
	for _, size := range []float64{12, 11, 10} {
		if longest*size+6 <= m.cw && size+4 <= m.ch {
			return out, size
		}
	}
	return nil, 0
}

// yLabel leaves room for the colour bar's label beside it.
func (m *mosaic) yLabel() string { return shorten(m.YLabel, sizeText, false, 0.6*m.s.w) }

func (m *mosaic) drawLabels() {
	if m.YLabel != "" {
		m.s.add(textLine{spot: spot{margin, m.area.y0 - 7}, s: m.yLabel(), size: sizeText, color: inkSoft})
	}
	for i := 0; i < len(m.Rows); i += m.every.Row {
		r := m.cell(Cell{i, 0})
		name := shorten(m.Rows[i], sizeTick, false, m.area.x0-margin-7)
		m.s.add(textLine{spot: spot{m.area.x0 - 7, (r.y0+r.y1)/2 + 0.36*sizeTick}, s: name, size: sizeTick, color: inkSoft, anchor: right})
	}
	for j := 0; j < len(m.Columns); j += m.every.Column {
		r := m.cell(Cell{0, j})
		t := textLine{spot: spot{(r.x0 + r.x1) / 2, m.area.y1 + 5 + sizeTick}, s: m.Columns[j], size: sizeTick, color: inkSoft, anchor: middle}
		if m.upward {
			t.spot = spot{(r.x0+r.x1)/2 + 0.36*sizeTick, m.area.y1 + 7}
			t.up, t.anchor, t.s = true, right, shorten(t.s, sizeTick, false, 130)
		}
		m.s.add(t)
	}
	if m.XLabel != "" {
		m.s.centred(m.XLabel, spot{(m.area.x0 + m.area.x1) / 2, m.foot - 3})
	}
}

// drawMarks outlines the marked cells in dark on white, seen on every colour.
func (m *mosaic) drawMarks() {
	if m.Reference != nil {
		m.s.outline(m.cell(*m.Reference), true)
	}
	if m.Best != nil {
		m.s.outline(m.cell(*m.Best), false)
	}
}

func (d *Drawing) outline(r rect, dashed bool) {
	in := r.inset(2)
	if in.w() < 2 || in.h() < 2 {
		in = r
	}
	line := stroke{color: fixedTone(rgb(0x1F2933)), width: 2}
	if dashed {
		line.dash = []float64{4, 3}
	}
	d.add(box{rect: in, border: stroke{color: fixedTone(rgb(0xFFFFFF)), width: 4}}, box{rect: in, border: line})
}

// drawBar draws the colour bar with its numbers and label, which stands in one
// row with the name of the rows.
func (m *mosaic) drawBar() {
	from := margin
	if m.YLabel != "" {
		from += textWidth(m.yLabel(), sizeText, false) + 16
	}
	colorBar{rect: m.bar, shade: m.shade, signs: m.Middle != nil && *m.Middle == 0, label: m.Label, from: from}.draw(m.s)
}
