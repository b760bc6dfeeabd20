package figure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"image/png"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

const (
	pngDPI   = 72 * 2      // gonum counts points; one of its points is a CSS pixel here
	pngMetre = 192 / .0254 // dots a metre: 192 dots an inch, as 96 CSS pixels are an inch
)

// painter draws shapes on a raster. Its canvas counts y from the bottom.
type painter struct {
	*vgimg.Canvas
	h float64
}

// PNG returns the drawing as an image of two dots a CSS pixel, in light colours,
// that knows its resolution of 192 dots an inch.
func (s *Drawing) PNG() ([]byte, error) {
	c := &painter{h: s.h, Canvas: vgimg.NewWith(
		vgimg.UseWH(vg.Length(s.w), vg.Length(s.h)), vgimg.UseDPI(pngDPI), vgimg.UseBackgroundColor(color.White))}
	for _, sh := range s.shapes {
		sh.paint(c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, c.Image()); err != nil {
		return nil, fmt.Errorf("encode figure as PNG: %w", err)
	}
	return withResolution(b.Bytes()), nil
}

// withResolution inserts a pHYs chunk behind the header, which image/png does
// not write (PNG specification, 11.3.4.3).
func withResolution(img []byte) []byte {
	const header = 8 + 25 // signature, IHDR with length, name and checksum
	chunk := []byte("\x00\x00\x00\x09pHYs")
	perMetre := uint32(math.Round(pngMetre))
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // the unit is the metre
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	out := append([]byte{}, img[:header]...)
	out = append(out, chunk...)
	return append(out, img[header:]...)
}

func (c *painter) at(p spot) vg.Point {
	return vg.Point{X: vg.Length(p.x), Y: vg.Length(c.h - p.y)}
}

func (c *painter) outline(spots []spot) vg.Path {
	var p vg.Path
	for i, s := range spots {
		if i == 0 {
			p.Move(c.at(s))
		} else {
			p.Line(c.at(s))
		}
	}
	return p
}

func (c *painter) pen(s stroke) {
	c.SetColor(s.color.light)
	c.SetLineWidth(vg.Length(s.width))
	dash := make([]vg.Length, len(s.dash))
	for i, d := range s.dash {
		dash[i] = vg.Length(d)
	}
	c.SetLineDash(dash, 0)
}

// shape fills p and draws its border, as far as they are visible.
func (c *painter) shape(p vg.Path, fill tone, border stroke) {
	if fill.light.A > 0 {
		c.SetColor(fill.light)
		c.Fill(p)
	}
	if border.width > 0 {
		c.pen(border)
		c.Stroke(p)
	}
}

func (l polyline) paint(c *painter) {
	c.pen(l.stroke)
	c.Stroke(c.outline(l.spots))
}

func (a area) paint(c *painter) {
	p := c.outline(a.spots)
	p.Close()
	c.shape(p, a.fill, a.border)
}

func (r box) paint(c *painter) {
	area{spots: []spot{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}}, fill: r.fill, border: r.border}.paint(c)
}

func (d disc) paint(c *painter) {
	var p vg.Path
	p.Move(c.at(spot{d.x + d.r, d.y}))
	p.Arc(c.at(d.spot), vg.Length(d.r), 0, 2*math.Pi)
	p.Close()
	c.shape(p, d.fill, d.border)
}

func (t textLine) paint(c *painter) {
	s := Printable(t.s)
	f := face(t.size, t.bold)
	w := float64(f.Width(s))
	before := [...]float64{left: 0, middle: w / 2, right: w}[t.anchor]
	c.SetColor(t.color.light)
	if !t.up {
		c.FillString(f, c.at(spot{t.x - before, t.y}), s)
		return
	}
	c.Push()
	c.Translate(c.at(spot{t.x, t.y + before}))
	c.Rotate(math.Pi / 2)
	c.FillString(f, vg.Point{}, s)
	c.Pop()
}
