package figure

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Drawing is a finished drawing. While a chart is drawn it is the canvas of gonum's plots: it
// records their strokes, fills and texts in painting order. All file formats are written from
// this record, so that they agree, and tests can read every position from it. It may be written
// any number of times.
//
// The unit is a CSS pixel. The origin is the top left corner, and Y points up as on all of
// gonum's canvases, so every place has a Y below zero. The sheet ends below its content, so a
// plot need not know its height in advance.
type Drawing struct {
	layout Layout
	w, h   vg.Length
	title  string // accessible name of the drawing
	shapes []shape

	pen draw.LineStyle // style of the next mark
	tip string         // tip of the next mark; "" for none
}

// shape is a mark or a line of letters.
type shape interface {
	svg(b *strings.Builder)
	inked() (mark, error) // a mark that needs no font
	tones() (fill, line tone)
}

// mark is a painted outline.
type mark struct {
	path  vg.Path
	fill  tone           // opacity 0 for none
	line  draw.LineStyle // width 0 for none
	tip   string         // shown when pointed at in a browser; "" for none
	crisp bool           // edges on whole dots, so that neighbours leave no seam
}

// anchor selects the part of a text that is at its place.
type anchor int

const (
	left anchor = iota
	middle
	right
)

// share returns the part of a text's width before its anchor, from 0 to 1.
func (a anchor) share() vg.Length { return vg.Length(a) / 2 }

// textLine is one line of letters.
type textLine struct {
	at     vg.Point // of the anchor, on the baseline
	s      string
	size   vg.Length
	bold   bool
	color  tone
	anchor anchor
	up     bool // turned by 90 degrees, reading from the bottom up
}

// Title returns the title of the drawing's chart, as given.
func (d *Drawing) Title() string { return d.title }

// SetLineWidth implements vg.Canvas for the plots of a chart.
func (d *Drawing) SetLineWidth(w vg.Length) { d.pen.Width = w }

// SetLineDash implements vg.Canvas for the plots of a chart.
func (d *Drawing) SetLineDash(l []vg.Length, _ vg.Length) { d.pen.Dashes = l }

// SetColor implements vg.Canvas for the plots of a chart.
func (d *Drawing) SetColor(c color.Color) { d.pen.Color = c }

// Stroke records the line along a path.
func (d *Drawing) Stroke(p vg.Path) {
	if d.pen.Width > 0 {
		d.mark(mark{path: thin(p), line: d.pen})
	}
}

// Fill records the inside of a path.
func (d *Drawing) Fill(p vg.Path) { d.mark(mark{path: thin(p), fill: toneOf(d.pen.Color)}) }

// mark records a mark with its tip.
func (d *Drawing) mark(m mark) {
	if d.tip != "" {
		m.tip, d.tip = d.tip, ""
	}
	d.shapes = append(d.shapes, m)
}

// No plotter of a chart uses the other methods of a canvas: texts come from [letters].

const unused = "figure: no chart turns, scales or fills in pictures"

func (d *Drawing) Push()                                  { panic(unused) }
func (d *Drawing) Pop()                                   { panic(unused) }
func (d *Drawing) Rotate(float64)                         { panic(unused) }
func (d *Drawing) Translate(vg.Point)                     { panic(unused) }
func (d *Drawing) Scale(_, _ float64)                     { panic(unused) }
func (d *Drawing) FillString(font.Face, vg.Point, string) { panic(unused) }
func (d *Drawing) DrawImage(vg.Rectangle, image.Image)    { panic(unused) }

// tones returns the tones of the filled area and of the line.
func (m mark) tones() (fill, line tone) {
	if m.line.Width > 0 {
		line = toneOf(m.line.Color)
	}
	return m.fill, line
}

func (t textLine) tones() (fill, line tone) { return t.color, tone{} }

// outline returns the path along points, closed or not.
func outline(closed bool, points ...vg.Point) (p vg.Path) {
	for i, at := range points {
		if i == 0 {
			p.Move(at)
		} else {
			p.Line(at)
		}
	}
	if closed {
		p.Close()
	}
	return p
}

// circle returns the path around a circle, in four curves, because vgpdf draws arcs wrongly.
func circle(at vg.Point, r vg.Length) (p vg.Path) {
	const k = 0.5522847498 // of a quarter of a circle as a curve
	place := func(x, y vg.Length) vg.Point { return at.Add(vg.Point{X: x * r, Y: y * r}) }
	p.Move(place(1, 0))
	for _, q := range [4]vg.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		x, y := q.X, q.Y
		p.CubeTo(place(x-k*y, y+k*x), place(-y+k*x, x+k*y), place(-y, x))
	}
	p.Close()
	return p
}

// box returns the rectangle between two corners.
func box(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: min(x0, x1), Y: min(y0, y1)}, Max: vg.Point{X: max(x0, x1), Y: max(y0, y1)}}
}

// inset returns r with all sides moved inwards; a negative distance moves them outwards.
func inset(r vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: r.Min.Add(vg.Point{X: by, Y: by}), Max: r.Max.Sub(vg.Point{X: by, Y: by})}
}

// thin keeps the visible places of a long line: for each pixel its first, highest, lowest and
// last. gonum draws every point, so 25 parameters over 5,000 iterations would be megabytes of
// path data.
func thin(p vg.Path) vg.Path {
	if len(p) < 100 || slices.ContainsFunc(p, func(c vg.PathComp) bool { return c.Type == vg.CurveComp }) {
		return p
	}
	var out vg.Path
	for from, i := 0, 1; i <= len(p); i++ {
		if i == len(p) || p[i].Type != vg.LineComp || math.Floor(float64(p[i].Pos.X)) != math.Floor(float64(p[from].Pos.X)) {
			out = append(out, outermost(p[from:i])...)
			from = i
		}
	}
	return out
}

// outermost returns the first, highest, lowest and last of places, each once, in
// their order.
func outermost(p vg.Path) (out vg.Path) {
	lo, hi := 0, 0
	for i, c := range p {
		if c.Pos.Y < p[lo].Pos.Y {
			lo = i
		}
		if c.Pos.Y > p[hi].Pos.Y {
			hi = i
		}
	}
	last := -1
	for _, i := range []int{0, min(lo, hi), max(lo, hi), len(p) - 1} {
		if i > last {
			out, last = append(out, p[i]), i
		}
	}
	return out
}
