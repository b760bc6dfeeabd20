package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"testing"

	"selfplaylab/engines/testmode"
)

// TestFilesOfEveryFormat writes charts in each format. A file has the beginning of its format,
// equal data give equal bytes, and a PNG has the drawing's size, white paper and letters in each of
// the drawing's colours of letters.
func TestFilesOfEveryFormat(t *testing.T) {
	charts := []Sample{{Name: "small", Chart: smallFigure()}}
	if testmode.Long() {
		charts = Gallery()
	}
	for _, s := range charts {
		for format, begins := range map[string]string{"svg": "<svg", "png": "\x89PNG", "pdf": "%PDF"} {
			data, err := File(s.Chart, format)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(data, []byte(begins)) {
				t.Errorf("%s as %s begins with %q", s.Name, format, data[:8])
			}
			if again, err := File(s.Chart, format); err != nil || !bytes.Equal(data, again) {
				t.Errorf("%s as %s: the same data gave other bytes (%v)", s.Name, format, err)
			}
			if format == "png" {
				checkPNG(t, s, data)
			}
		}
	}
	if _, err := File(smallFigure(), "gif"); err == nil || err.Error() != `no figure can be a file of "gif": want svg, png or pdf` {
		t.Error(err)
	}
}

func checkPNG(t *testing.T, s Sample, data []byte) {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	d := drawn(t, s.Chart, Wide)
	if b := img.Bounds(); b.Dx() != int(dotsPerPixel*d.w) || math.Abs(float64(b.Dy())-float64(dotsPerPixel*d.h)) > 1 {
		t.Errorf("%s: %v for a drawing of %v by %v", s.Name, b, d.w, d.h)
	}
	missing := map[color.NRGBA]string{paper.light: "paper"}
	for _, sh := range d.shapes {
		if line, ok := sh.(textLine); ok {
			missing[line.color.light] = fmt.Sprintf("letters of %q", line.s)
		}
	}
	if len(missing) < 2 {
		t.Errorf("%s: no letters are drawn", s.Name)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			delete(missing, color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA))
		}
	}
	for c, what := range missing {
		t.Errorf("%s: no pixel has the colour %v of the %s", s.Name, c, what)
	}
}

// TestOutlinesFitTheLayout compares the widths of outlined letters with the layout's, for every
// character that charts write.
func TestOutlinesFitTheLayout(t *testing.T) {
	const signs = "−+±×≤≥√…,. 0123456789%"
	for _, bold := range []bool{false, true} {
		for _, r := range signs {
			p, err := glyphs(string(r)+"I", 100, bold)
			if err != nil {
				t.Fatal(err)
			}
			left, right := p[0].Pos.X, p[0].Pos.X
			for _, c := range p {
				left, right = min(left, c.Pos.X), max(right, c.Pos.X)
			}
			if want := textWidth(string(r)+"I", 100, bold); right > want || right < want-30 {
				t.Errorf("%q ends at %v, laid out for %v", r, right, want)
			}
		}
	}
}
