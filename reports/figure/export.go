package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"

	"selfplaylab/reports/text"
)

// Formats are the kinds of files that [File] makes, by their extension. The first is
// for pages; the others are for papers and slides.
var Formats = []string{"svg", "png", "pdf"}

// File returns a chart, laid out [Wide], as a file of one of the [Formats]. The same
// chart gives the same bytes. A PNG is on white and has three dots a CSS pixel. A
// PDF is one page as large as the chart, 7.5 inches wide, and holds letters as
// outlines, so that every reader shows each sign of ours.
func File(c Chart, format string) ([]byte, error) {
	d, err := c.Draw(Wide)
	if err != nil {
		return nil, err
	}
	switch format {
	case "svg":
		return d.SVG(), nil
	case "png":
		return d.png()
	case "pdf":
		return d.pdf()
	}
	return nil, fmt.Errorf("no figure can be a file of %q: want svg, png or pdf", format)
}

const dotsPerPixel = 3

func (d *Drawing) png() ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(d.w), vg.Length(d.h)), vgimg.UseDPI(72*dotsPerPixel))
	if err := d.paint(c, func(t tone) color.Color { return t.light }); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(&b)
	return b.Bytes(), err
}

func init() { // a document would bear the time of its making
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
}

func (d *Drawing) pdf() ([]byte, error) {
	const points = 72.0 / 96 // of a CSS pixel
	c := vgpdf.New(vg.Length(d.w*points), vg.Length(d.h*points))
	c.Scale(points, points)
	if err := d.paint(c, func(t tone) color.Color { return straight(t.light) }); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	return b.Bytes(), err
}

// straight is a colour as vgpdf takes it: not multiplied by its opacity.
type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// outline returns the letters of s, set from the origin, as a path.
func outline(s string, size float64, bold bool) (vg.Path, error) {
	face := faces()[0]
	if bold {
		face = faces()[1]
	}
	var buf sfnt.Buffer
	var p vg.Path
	units := fixed.Int26_6(face.UnitsPerEm())
	scale := vg.Length(size) / vg.Length(units)
	x := vg.Length(0)
	at := func(q fixed.Point26_6) vg.Point {
		return vg.Point{X: x + vg.Length(q.X)*scale, Y: -vg.Length(q.Y) * scale}
	}
	var from vg.Point
	// A quadratic curve as a cubic one: vgpdf draws others than it is asked for.
	quad := func(by, to vg.Point) {
		third := func(p vg.Point) vg.Point { return p.Add(by.Sub(p).Scale(2.0 / 3)) }
		p.CubeTo(third(from), third(to), to)
	}
	before := sfnt.GlyphIndex(0)
	for _, r := range s {
		glyph, err := face.GlyphIndex(&buf, r)
		if err != nil {
			return nil, err
		}
		if kern, err := face.Kern(&buf, before, glyph, units, 0); err == nil && before != 0 {
			x += vg.Length(kern) * scale
		}
		segments, err := face.LoadGlyph(&buf, glyph, units, nil)
		if err != nil {
			return nil, err
		}
		for i, g := range segments {
			if g.Op == sfnt.SegmentOpMoveTo && i > 0 {
				p.Close()
			}
			switch a := g.Args; g.Op {
			case sfnt.SegmentOpMoveTo:
				p.Move(at(a[0]))
			case sfnt.SegmentOpLineTo:
				p.Line(at(a[0]))
			case sfnt.SegmentOpQuadTo:
				quad(at(a[0]), at(a[1]))
			default: // TrueType has no others
				return nil, fmt.Errorf("letter %q: its outline is not of TrueType", r)
			}
			from = p[len(p)-1].Pos
		}
		if len(segments) > 0 {
			p.Close()
		}
		advance, err := face.GlyphAdvance(&buf, glyph, units, 0)
		if err != nil {
			return nil, err
		}
		x += vg.Length(advance) * scale
		before = glyph
	}
	return p, nil
}

// paint draws the drawing on a canvas in one of its schemes.
func (d *Drawing) paint(c vg.Canvas, scheme func(tone) color.Color) error {
	b := brush{c, vg.Length(d.h), scheme}
	b.fill(b.outline([]spot{{0, 0}, {d.w, 0}, {d.w, d.h}, {0, d.h}}, true), paper)
	for _, sh := range d.shapes {
		if err := sh.paint(b); err != nil {
			return err
		}
	}
	return nil
}

// brush draws shapes on a canvas whose origin is the bottom left.
type brush struct {
	vg.Canvas
	h      vg.Length
	scheme func(tone) color.Color
}

func (b brush) at(p spot) vg.Point { return vg.Point{X: vg.Length(p.x), Y: b.h - vg.Length(p.y)} }

func (b brush) outline(spots []spot, closed bool) (p vg.Path) {
	for i, s := range spots {
		if i == 0 {
			p.Move(b.at(s))
		} else {
			p.Line(b.at(s))
		}
	}
	if closed {
		p.Close()
	}
	return p
}

func (b brush) fill(p vg.Path, t tone) {
	if t.light.A > 0 {
		b.SetColor(b.scheme(t))
		b.Fill(p)
	}
}

func (b brush) stroke(p vg.Path, s stroke) {
	if s.width == 0 || s.color.light.A == 0 {
		return
	}
	b.SetColor(b.scheme(s.color))
	b.SetLineWidth(vg.Length(s.width))
	b.SetLineDash(text.Each(s.dash, func(v float64) vg.Length { return vg.Length(v) }), 0)
	b.Stroke(p)
}

func (p polyline) paint(b brush) error {
	b.stroke(b.outline(p.spots, false), p.stroke)
	return nil
}

func (a area) paint(b brush) error {
	b.fill(b.outline(a.spots, true), a.fill)
	b.stroke(b.outline(a.spots, true), a.border)
	return nil
}

func (r box) paint(b brush) error {
	return area{spots: []spot{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}}, fill: r.fill, border: r.border}.paint(b)
}

func (d disc) paint(b brush) error {
	const k = 0.5522847498 // of a quarter of a circle as a curve
	at := func(x, y float64) vg.Point { return b.at(spot{d.x + x*d.r, d.y + y*d.r}) }
	var p vg.Path
	p.Move(at(1, 0))
	for _, q := range [4][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		x, y := q[0], q[1]
		p.CubeTo(at(x-k*y, y+k*x), at(-y+k*x, x+k*y), at(-y, x))
	}
	p.Close()
	b.fill(p, d.fill)
	b.stroke(p, d.border)
	return nil
}

func (t textLine) paint(b brush) error {
	s := Printable(t.s)
	p, err := outline(s, t.size, t.bold)
	if err != nil {
		return err
	}
	at := b.at(t.spot)
	shift := -vg.Length([...]float64{left: 0, middle: 0.5, right: 1}[t.anchor] * textWidth(s, t.size, t.bold))
	place := func(q vg.Point) vg.Point {
		q.X += shift
		if t.up {
			q.X, q.Y = -q.Y, q.X
		}
		return q.Add(at)
	}
	for i := range p {
		p[i].Pos = place(p[i].Pos)
		p[i].Control = text.Each(p[i].Control, place)
	}
	b.fill(p, t.color)
	return nil
}
