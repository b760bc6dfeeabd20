package figure

import (
	"sort"
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// fontFamily names fonts whose letters are exactly as wide as Liberation Sans', the
// font of the layout.
const fontFamily = "'Liberation Sans',Arial,Helvetica,Arimo,sans-serif"

// letters is a text.Handler that records each text with its anchor, so that a browser can set
// it in its own font; gonum's own handlers only know left edges. Texts are moved to lie within
// bounds.
type letters struct {
	d      *Drawing
	bounds vg.Rectangle // an empty side is no bound

	room *vg.Point // size of each text in a plot's layout; nil for the text's own size
}

// Heights above the baseline.
const (
	ascent  = 1.18 // of a line, in units of the type size; nothing is reserved below
	capital = 0.72 // of capital letters and digits
)

func (l *letters) Cache() *font.Cache { return font.DefaultCache }

func (l *letters) Extents(f font.Font) font.Extents {
	return font.Extents{Ascent: ascent * f.Size, Height: leading * f.Size}
}

func (l *letters) Lines(s string) []string { return strings.Split(s, "\n") }

// Box implements text.Handler with the widths of the layout's font.
func (l *letters) Box(s string, f font.Font) (width, height, depth vg.Length) {
	if l.room != nil {
		return l.room.X, l.room.Y, 0
	}
	return textWidth(s, f.Size, f.Weight == xfont.WeightBold), ascent * f.Size, 0
}

// Draw records a text, aligned by its top, by the middle of its capitals or by its lowest
// baseline.
func (l *letters) Draw(_ vg.Canvas, s string, sty draw.TextStyle, at vg.Point) {
	lines, size := l.Lines(s), sty.Font.Size
	down := vg.Length(len(lines)-1) * leading * size // distance from the first baseline to the last
	var shift vg.Length                              // offset of the first baseline
	switch sty.YAlign {
	case draw.YTop:
		shift = -ascent * size
	case draw.YCenter:
		shift = (down - capital*size) / 2
	default:
		shift = down
	}
	t := textLine{size: size, bold: sty.Font.Weight == xfont.WeightBold, color: toneOf(sty.Color), up: sty.Rotation != 0,
		anchor: anchor(-2 * sty.XAlign)}
	for i, line := range lines {
		if line == "" {
			continue
		}
		t.s, t.at = line, at
		if step := shift - vg.Length(i)*leading*size; t.up {
			t.at.X -= step
		} else {
			t.at.Y += step
		}
		l.d.shapes = append(l.d.shapes, l.inside(t))
	}
}

// inside moves a text into the bounds.
func (l *letters) inside(t textLine) textLine {
	if t.up {
		return t
	}
	w, b := textWidth(t.s, t.size, t.bold), l.bounds
	before := w * t.anchor.share()
	if b.Max.X > b.Min.X {
		t.at.X = max(min(t.at.X, b.Max.X-w+before), b.Min.X+before)
	}
	if b.Max.Y > b.Min.Y {
		t.at.Y = max(min(t.at.Y, b.Max.Y-0.75*t.size), b.Min.Y)
	}
	return t
}

// style returns the style of letters that stay within the margins of the sheet.
func (d *Drawing) style(c tone, size vg.Length, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color: c, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size), XAlign: x, YAlign: y,
		Handler: &letters{d: d, bounds: vg.Rectangle{Min: vg.Point{X: margin}, Max: vg.Point{X: d.w - margin}}},
	}
}

// write records a text whose start, middle or end is at a place on its baseline.
func (d *Drawing) write(s string, at vg.Point, a anchor, c tone, size vg.Length, bold bool) {
	sty := d.style(c, size, -draw.XAlignment(a)/2, draw.YBottom)
	if bold {
		sty.Font.Weight = xfont.WeightBold
	}
	sty.Handler.Draw(d, Printable(s), sty, at)
}

// textWidth returns the width of s. Letters of East Asia count as squares: the font lacks them,
// and a browser takes them from another font.
func textWidth(s string, size vg.Length, bold bool) vg.Length {
	squares := 0
	known := strings.Map(func(r rune) rune {
		if r >= 0x2E80 && r < 0xE000 || r >= 0xF900 && r <= 0xFFEF || r >= 0x1F000 {
			squares++
			return -1
		}
		return r
	}, Printable(s))
	f := face(size, bold)
	return f.Width(known) + vg.Length(squares)*size
}

// face returns the font that measures all texts.
func face(size vg.Length, bold bool) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return font.DefaultCache.Lookup(f, size)
}

// Printable returns s without the characters that XML or a font cannot show; each is replaced.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar, r == 0xFFFE, r == 0xFFFF:
			return '?'
		}
		return r
	}, s)
}

// maxLines is the maximum number of lines of a title; a longer one is an error.
const maxLines = 6

// wrap breaks s into lines no wider than width, at spaces if possible.
func wrap(s string, size vg.Length, bold bool, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(Printable(s)) {
		joined := strings.TrimPrefix(line+" "+word, " ")
		if textWidth(joined, size, bold) <= width {
			line = joined
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for textWidth(word, size, bold) > width {
			head := fit(word, size, bold, width)
			lines, word = append(lines, head), word[len(head):]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > maxLines {
		lines = append(lines[:maxLines-1], shorten(lines[maxLines-1]+" "+lines[maxLines], size, bold, width))
	}
	return lines
}

// fit returns the longest start of word, at least a letter, within width.
func fit(word string, size vg.Length, bold bool, width vg.Length) string {
	runes := []rune(word)
	n := sort.Search(len(runes), func(n int) bool { return textWidth(string(runes[:n+1]), size, bold) > width })
	return string(runes[:max(n, 1)])
}

// shorten cuts s to width, and adds an ellipsis if it cut anything.
func shorten(s string, size vg.Length, bold bool, width vg.Length) string {
	s = Printable(s)
	if textWidth(s, size, bold) <= width {
		return s
	}
	runes := []rune(s)
	cut := func(n int) string { return strings.TrimRight(string(runes[:n]), " ") + "…" }
	n := sort.Search(len(runes), func(n int) bool { return textWidth(cut(n+1), size, bold) > width })
	return cut(n)
}
