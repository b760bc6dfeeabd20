package figure

import (
	"sort"
	"strings"
	"unicode"
)

// Drawing is a finished drawing: shapes in painting order on a sheet whose origin
// is the top left corner, in CSS pixels. Writing only walks over it, so that its
// forms cannot disagree, and tests can ask it where everything lies. It may
// be written any number of times.
//
// We measure with gonum/plot's fonts and clip with its canvas but do not draw through
// its Plot: its axes know no small multiples with one margin, no titles at the
// left and no labels at the end of a line; and its SVG canvas places every text
// by its left edge, so that a substituted font shifts what should end or centre
// at a mark.
type Drawing struct {
	layout Layout
	w, h   float64
	title  string // accessible name of the drawing
	shapes []shape
}

// shape is one mark on the sheet.
type shape interface {
	svg(b *strings.Builder)
	paint(b brush) error
	tones() (fill, line tone)
}

// spot is a place on the sheet.
type spot struct{ x, y float64 }

// rect is an upright rectangle; x1 >= x0 and y1 >= y0.
type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) w() float64 { return r.x1 - r.x0 }
func (r rect) h() float64 { return r.y1 - r.y0 }

// inset returns r made smaller on all sides; negative makes it larger.
func (r rect) inset(d float64) rect { return rect{r.x0 + d, r.y0 + d, r.x1 - d, r.y1 - d} }

// overlaps tells whether the insides of r and o meet.
func (r rect) overlaps(o rect) bool {
	return r.x0 < o.x1 && o.x0 < r.x1 && r.y0 < o.y1 && o.y0 < r.y1
}

// stroke is how a line is drawn.
type stroke struct {
	color tone
	width float64
	dash  []float64 // lengths on and off; nil for solid
}

// polyline is an open line through at least two spots.
type polyline struct {
	spots []spot
	stroke
}

// area is a filled closed outline, perhaps with a border.
type area struct {
	spots  []spot
	fill   tone
	border stroke // width 0 for none
	tip    string // shown when pointed at in a browser; "" for none
}

// box is a filled rectangle, perhaps with a border.
type box struct {
	rect
	fill   tone // A = 0 for none
	border stroke
	tip    string
	crisp  bool // edges on whole dots: neighbours leave no seam
}

// disc is a filled circle, perhaps with a border.
type disc struct {
	spot
	r      float64
	fill   tone
	border stroke
	tip    string
}

// anchor tells which part of a text stands at its place.
type anchor int

const (
	left anchor = iota
	middle
	right
)

// textLine is one line of letters; y is its baseline.
type textLine struct {
	spot
	s      string
	size   float64
	bold   bool
	color  tone
	anchor anchor
	up     bool // turned by 90 degrees: reads from the bottom up
}

// Title returns what the drawing is called: the title of its chart, as given.
func (d *Drawing) Title() string { return d.title }

func (d *Drawing) add(shapes ...shape) { d.shapes = append(d.shapes, shapes...) }

func (p polyline) tones() (fill, line tone) { return tone{}, p.color }
func (a area) tones() (fill, line tone)     { return a.fill, a.border.tone() }
func (b box) tones() (fill, line tone)      { return b.fill, b.border.tone() }
func (d disc) tones() (fill, line tone)     { return d.fill, d.border.tone() }
func (t textLine) tones() (fill, line tone) { return t.color, tone{} }

// tone of a line, none where there is no line.
func (s stroke) tone() tone {
	if s.width == 0 {
		return tone{}
	}
	return s.color
}

// Printable replaces what neither XML nor a font can show.
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

// maxLines of a title are enough for anyone; more is a mistake.
const maxLines = 6

// wrap breaks s into lines no wider than width, at spaces where it can.
func wrap(s string, size float64, bold bool, width float64) []string {
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
func fit(word string, size float64, bold bool, width float64) string {
	runes := []rune(word)
	n := sort.Search(len(runes), func(n int) bool { return textWidth(string(runes[:n+1]), size, bold) > width })
	return string(runes[:max(n, 1)])
}

// shorten cuts s to width, with an ellipsis where it had to.
func shorten(s string, size float64, bold bool, width float64) string {
	s = Printable(s)
	if textWidth(s, size, bold) <= width {
		return s
	}
	runes := []rune(s)
	cut := func(n int) string { return strings.TrimRight(string(runes[:n]), " ") + "…" }
	n := sort.Search(len(runes), func(n int) bool { return textWidth(cut(n+1), size, bold) > width })
	return cut(n)
}
