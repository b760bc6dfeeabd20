package figure

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat shows a value over two parameters, or over two lists of names (a cross table). Values
// are printed in the cells if they fit.
type Heat struct {
	Title, Subtitle string // Subtitle may be ""

	XLabel, YLabel string // names of the axes, with units; "" for none
	Label          string // label of the colour bar, such as "Elo against the reference"

	// Columns and Rows name the cells: Columns from left to right, Rows from the top down.
	Columns, Rows []string
	// Values[row][column] is the value of a cell; NaN for none.
	Values [][]float64
	// Texts[row][column] replaces the printed value; nil for none.
	Texts [][]string

	// Middle is the value from which the colours diverge (0 Elo, a score of one half); nil for
	// a scale from least to greatest.
	Middle *float64

	Best, Reference *Cell // marked cells; nil for none
}

// Cell is a place in a [Heat].
type Cell struct{ Row, Column int } // indices from 0

// Draw implements [Chart].
func (h Heat) Draw(layout Layout) (*Drawing, error) {
	if err := h.check(); err != nil {
		return nil, failed("Heat", h.Title, err)
	}
	d, y := newDrawing(h.Title, h.Subtitle, layout)
	y = d.legend(h.keys(d), y)
	m := &mosaic{Heat: h, shade: shadesOf(h.Values, h.Middle)}
	m.panel = d.panel(plot.Axis{Max: float64(len(h.Columns)), Scale: plot.LinearScale{}}, plot.Axis{Max: float64(len(h.Rows)), Scale: plot.LinearScale{}})
	m.add(m)
	m.draw(y)
	return d, nil
}

// check returns an error that names the field that cannot be drawn.
func (h Heat) check() error {
	if max(len(h.Rows), len(h.Columns)) > MaxCells {
		return fmt.Errorf("%d rows and %d columns: more than %d either way cannot be seen; join neighbours", len(h.Rows), len(h.Columns),
			MaxCells)
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

// MaxCells keeps a cell at least two pixels wide on a narrow sheet.
const MaxCells = 120

// keys returns the legend of the marked cells.
func (h Heat) keys(d *Drawing) (keys []key) {
	border := func(dashed bool) thumb {
		return func(c *draw.Canvas) { d.border(box(c.Min.X-1, c.Center().Y-7, c.Max.X-1, c.Center().Y+7), dashed) }
	}
	if h.Best != nil {
		keys = append(keys, key{"best", 18, border(false)})
	}
	if h.Reference != nil {
		keys = append(keys, key{"reference", 18, border(true)})
	}
	return keys
}

// shade maps values to colours.
type shade struct {
	lo, hi float64
	stops  []color.NRGBA
}

func (s shade) of(v float64) tone {
	return fixedTone(ramp(s.stops, (v-s.lo)/(s.hi-s.lo)))
}

// shadesOf returns colours from the least to the greatest of values, or equally far to both
// sides of middle.
func shadesOf(values [][]float64, middle *float64) shade {
	r, stops := &reach{}, viridis
	for _, row := range values {
		r.add(row...)
	}
	if middle != nil {
		d := max(r.hi-*middle, *middle-r.lo)
		r.add(*middle-d, *middle+d)
		stops = diverging
	}
	a := r.axis(false, 0)
	return shade{a.Min, a.Max, stops}
}

// mosaic is a plotter of a heat map's cells. (gonum's leaves seams between them.)
type mosaic struct {
	Heat
	*panel
	shade  shade
	area   vg.Rectangle
	cw, ch vg.Length // size of a cell
}

// draw draws the map with its names from y down, and the colour bar below it.
func (m *mosaic) draw(y vg.Length) {
	rowNames, columnNames := min(longest(m.Rows), 0.3*m.d.w), longest(m.Columns)
	x := vg.Length(math.Ceil(float64(margin + rowNames + 7)))
	if y = halves(y); m.YLabel != "" {
		y -= 20
		m.d.write(shorten(m.YLabel, sizeText, false, m.d.w-2*margin), vg.Point{X: margin, Y: y + 7}, left, inkSoft, sizeText, false)
	}
	m.cw = min((m.d.w-margin-x)/vg.Length(len(m.Columns)), 90)
	m.ch = min(max(min(m.cw, 420/vg.Length(len(m.Rows))), 3), 44)
	m.area = box(x, y, halves(x+m.cw*vg.Length(len(m.Columns))), halves(y-m.ch*vg.Length(len(m.Rows))))
	m.names(rowNames, columnNames)
	c := draw.Canvas{Canvas: m.d, Rectangle: m.area}
	data := m.DataCanvas(c)
	c.Min = c.Min.Add(c.Min).Sub(data.Min) // the axes are outside
	m.panel.Draw(c)
	m.d.colorBar(halves(c.Min.Y-8), max(m.area.Max.X, 20*margin), m.shade, m.Label, m.Middle != nil && *m.Middle == 0)
}

// names sets marks for the names that have room. It turns names of columns if that makes room
// for more.
func (m *mosaic) names(rowNames, columnNames vg.Length) {
	m.X.LineStyle.Width, m.X.Tick.LineStyle.Width, m.X.Padding, m.X.Label.Padding = 0, 0, 3, 3.5
	m.label(m.XLabel)
	every := Cell{thinned(sizeTick*1.2, m.ch), thinned(columnNames+8, m.cw)}
	room := m.d.w
	if every.Column > 1 && !numeric(m.Columns) {
		every.Column, room = thinned(sizeTick*1.2, m.cw), 130
		m.X.Tick.Label.Rotation, m.X.Tick.Label.XAlign, m.X.Tick.Label.YAlign = math.Pi/2, draw.XRight, draw.YCenter
		m.X.Padding = 7
	} else {
		m.xNumbers.room = &vg.Point{Y: ascent * sizeTick}
	}
	var xs, ys plot.ConstantTicks
	for j := 0; j < len(m.Columns); j += every.Column {
		xs = append(xs, plot.Tick{Value: float64(j) + 0.5, Label: shorten(m.Columns[j], sizeTick, false, room)})
	}
	for i := 0; i < len(m.Rows); i += every.Row {
		ys = append(ys, plot.Tick{Value: float64(len(m.Rows)-i) - 0.5, Label: shorten(m.Rows[i], sizeTick, false, rowNames)})
	}
	m.X.Tick.Marker = xs
	m.setY(ys)
}

// longest returns the width of the widest name.
func longest(names []string) (w vg.Length) {
	for _, n := range names {
		w = max(w, textWidth(n, sizeTick, false))
	}
	return w
}

// thinned returns the smallest n of 1, 2, 5, 10 and so on such that every n-th name, of the
// given size, has a gap to the next.
func thinned(size, pitch vg.Length) int {
	if size <= pitch {
		return 1
	}
	digit, exp := roundStep(float64(size/pitch), true)
	return int(decimal(digit, exp))
}

// numeric reports whether names are numbers, some of which can be left out; other names are
// turned instead.
func numeric(names []string) bool {
	for _, n := range names {
		if _, err := strconv.ParseFloat(strings.ReplaceAll(strings.ReplaceAll(n, "−", "-"), ",", ""), 64); err != nil {
			return false
		}
	}
	return true
}

// halves rounds to half a pixel, a whole dot on a screen with two dots a pixel.
func halves(v vg.Length) vg.Length { return vg.Length(math.Round(2*float64(v)) / 2) }

// cell returns the place of a cell.
func (m *mosaic) cell(c Cell) vg.Rectangle {
	x, y := m.area.Min.X+vg.Length(c.Column)*m.cw, m.area.Max.Y-vg.Length(c.Row)*m.ch
	return box(halves(x), halves(y), halves(x+m.cw), halves(y-m.ch))
}

// Plot paints each cell half a pixel over its right and lower neighbours, which are painted
// later: otherwise white hairlines show between them.
func (m *mosaic) Plot(draw.Canvas, *plot.Plot) {
	for i, row := range m.Values {
		for j, v := range row {
			r := m.cell(Cell{i, j})
			r.Max.X, r.Min.Y = min(r.Max.X+0.5, m.area.Max.X), max(r.Min.Y-0.5, m.area.Min.Y)
			m.d.mark(mark{path: r.Path(), crisp: true, fill: m.fill(v), tip: m.Rows[i] + ", " + m.Columns[j] + ": " + m.word(i, j)})
		}
	}
	words, size := m.words()
	for i, row := range words {
		for j, word := range row {
			at := m.cell(Cell{i, j})
			m.d.write(word, vg.Point{X: (at.Min.X + at.Max.X) / 2, Y: (at.Min.Y+at.Max.Y)/2 - 0.36*size}, middle,
				inkOn(m.fill(m.Values[i][j])), size, false)
		}
	}
	if m.Reference != nil {
		m.d.border(m.cell(*m.Reference), true)
	}
	if m.Best != nil {
		m.d.border(m.cell(*m.Best), false)
	}
}

// fill returns the colour of a cell.
func (m *mosaic) fill(v float64) tone {
	if math.IsNaN(v) {
		return noValue
	}
	return m.shade.of(v)
}

// word returns the value of a cell for its tip.
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

// words returns the texts of all cells and their size, or none if the longest does not fit.
func (m *mosaic) words() ([][]string, vg.Length) {
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
	longest := vg.Length(0)
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
	for _, size := range []vg.Length{12, 11, 10} {
		if longest*size+6 <= m.cw && size+4 <= m.ch {
			return out, size
		}
	}
	return nil, 0
}

// border outlines a marked cell in dark on white, which is visible on every colour.
func (d *Drawing) border(r vg.Rectangle, dashed bool) {
	in := inset(r, 2)
	if in.Size().X < 2 || in.Size().Y < 2 {
		in = r
	}
	line := pen(fixedTone(rgb(0x1F2933)), 2)
	if dashed {
		line.Dashes = []vg.Length{4, 3}
	}
	d.mark(mark{path: in.Path(), line: pen(fixedTone(rgb(0xFFFFFF)), 4)})
	d.mark(mark{path: in.Path(), line: line})
}
