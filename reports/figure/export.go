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

// Formats are the kinds of files that [File] makes, by their extension. The first is for pages,
// the others are for papers and slides.
var Formats = []string{"svg", "png", "pdf"}

// File returns a chart, laid out [Wide], as a file of one of the [Formats]. The same chart
// gives the same bytes. A PNG has white paper and three dots a CSS pixel. A PDF is one page as
// large as the chart, 7.5 inches wide, with letters as outlines, so that every reader shows
// every character. An unknown format is an error.
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

// png returns the drawing as a PNG in light colours.
func (d *Drawing) png() ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(d.w, d.h), vgimg.UseDPI(72*dotsPerPixel))
	if err := d.paint(c, func(t tone) color.Color { return t.light }); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(&b)
	return b.Bytes(), err
}

func init() { // a document would contain the time of its making
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
}

// pdf returns the drawing as a PDF of one page in light colours.
func (d *Drawing) pdf() ([]byte, error) {
	const points = 72.0 / 96 // of a CSS pixel
	c := vgpdf.New(d.w*points, d.h*points)
	c.Scale(points, points)
	if err := d.paint(c, func(t tone) color.Color { return straight(t.light) }); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	return b.Bytes(), err
}

// straight is a colour in vgpdf's form, not multiplied by its opacity.
type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// glyphs returns the letters of s, from the origin, as a path.
func glyphs(s string, size vg.Length, bold bool) (vg.Path, error) {
	face := face(size, bold).Face
	var buf sfnt.Buffer
	var p vg.Path
	units := fixed.Int26_6(face.UnitsPerEm())
	scale := size / vg.Length(units)
	x := vg.Length(0)
	at := func(q fixed.Point26_6) vg.Point {
		return vg.Point{X: x + vg.Length(q.X)*scale, Y: -vg.Length(q.Y) * scale}
	}
	var from vg.Point
	// A quadratic curve as a cubic one, because vgpdf draws quadratic curves wrongly.
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
			default: // TrueType has no other segments
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

// paint draws the drawing on a canvas, whose origin is the bottom left, in one of its schemes.
func (d *Drawing) paint(c vg.Canvas, scheme func(tone) color.Color) error {
	sheet := mark{path: box(0, 0, d.w, -d.h).Path(), fill: paper}
	for _, sh := range append([]shape{sheet}, d.shapes...) {
		m, err := sh.inked()
		if err != nil {
			return err
		}
		p := moved(m.path, func(at vg.Point) vg.Point { return vg.Point{X: at.X, Y: at.Y + d.h} })
		if m.fill.light.A > 0 {
			c.SetColor(scheme(m.fill))
			c.Fill(p)
		}
		if m.line.Width > 0 {
			c.SetColor(scheme(toneOf(m.line.Color)))
			c.SetLineWidth(m.line.Width)
			c.SetLineDash(m.line.Dashes, 0)
			c.Stroke(p)
		}
	}
	return nil
}

// moved returns a path with all its places mapped by to.
func moved(p vg.Path, to func(vg.Point) vg.Point) (out vg.Path) {
	for _, c := range p {
		c.Pos, c.Control = to(c.Pos), text.Each(c.Control, to)
		out = append(out, c)
	}
	return out
}

func (m mark) inked() (mark, error) { return m, nil }

// inked returns the text as the outlines of its letters.
func (t textLine) inked() (mark, error) {
	s := Printable(t.s)
	p, err := glyphs(s, t.size, t.bold)
	shift := -textWidth(s, t.size, t.bold) * t.anchor.share()
	return mark{fill: t.color, path: moved(p, func(q vg.Point) vg.Point {
		if q.X += shift; t.up {
			q.X, q.Y = -q.Y, q.X
		}
		return q.Add(t.at)
	})}, err
}
