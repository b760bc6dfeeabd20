package reports

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// svg writes the scene as a document of its own (with the XML namespace) or as
// an element inside HTML, which needs no namespace and so no address at all.
func (s *scene) svg(document bool) []byte {
	var b strings.Builder
	b.WriteString("<svg")
	if document {
		b.WriteString(` xmlns="http://www.w3.org/2000/svg"`)
	}
	w, h := num(s.w), num(s.h)
	title := html.EscapeString(printable(s.title))
	fmt.Fprintf(&b, ` width="%s" height="%s" viewBox="0 0 %s %s" role="img" aria-label="%s" font-family="%s" stroke-linejoin="round">`+"\n",
		w, h, w, h, title, fontFamily)
	if document { // a page lends its own white, and there the title would pop up everywhere
		fmt.Fprintf(&b, "<title>%s</title>\n", title)
		fmt.Fprintf(&b, `<rect width="%s" height="%s" fill="#FFFFFF"/>`+"\n", w, h)
	}
	for _, sh := range s.shapes {
		sh.svg(&b)
		b.WriteByte('\n')
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// num writes a coordinate with at most two decimals.
func num(v float64) string {
	v = math.Round(v*100) / 100
	if v == 0 {
		return "0" // also -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// path writes spots as path data, in steps from spot to spot: half as long as
// absolute places. Steps are taken between rounded places, so errors do not add
// up: of a pixel's hundredth, or tenth in a long line.
func path(spots []spot) string {
	var b strings.Builder
	b.WriteByte('M')
	unit := 100.0
	if len(spots) > 100 {
		unit = 10
	}
	var x, y int64 // in units
	for i, p := range spots {
		px, py := int64(math.Round(p.x*unit)), int64(math.Round(p.y*unit))
		if i == 1 {
			b.WriteByte('l')
		}
		first := num(float64(px-x) / unit)
		if i > 1 && first[0] != '-' {
			b.WriteByte(' ')
		}
		second := num(float64(py-y) / unit)
		b.WriteString(first)
		if second[0] != '-' {
			b.WriteByte(' ')
		}
		b.WriteString(second)
		x, y = px, py
	}
	return b.String()
}

// paintAttr writes a colour as an attribute, with its opacity if not 1.
func paintAttr(name string, c color.NRGBA) string {
	if c.A == 0 {
		return fmt.Sprintf(` %s="none"`, name)
	}
	s := fmt.Sprintf(` %s="#%02X%02X%02X"`, name, c.R, c.G, c.B)
	if c.A != 0xFF {
		s += fmt.Sprintf(` %s-opacity="%s"`, name, num(float64(c.A)/255))
	}
	return s
}

func (s stroke) attr() string {
	if s.width == 0 {
		return ""
	}
	out := paintAttr("stroke", s.color)
	if s.width != 1 {
		out += fmt.Sprintf(` stroke-width="%s"`, num(s.width))
	}
	if len(s.dash) > 0 {
		parts := make([]string, len(s.dash))
		for i, d := range s.dash {
			parts[i] = num(d)
		}
		out += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(parts, " "))
	}
	return out
}

// closeTag ends an element, with a tip inside where there is one.
func closeTag(b *strings.Builder, name, tip string) {
	if tip == "" {
		b.WriteString("/>")
		return
	}
	fmt.Fprintf(b, "><title>%s</title></%s>", html.EscapeString(printable(tip)), name)
}

func (l polyline) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<path d="%s" fill="none"%s/>`, path(l.spots), l.attr())
}

func (a area) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<path d="%sz"%s%s`, path(a.spots), paintAttr("fill", a.fill), a.border.attr())
	closeTag(b, "path", a.tip)
}

func (r box) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s"%s%s`, num(r.x0), num(r.y0), num(r.w()), num(r.h()),
		paintAttr("fill", r.fill), r.border.attr())
	if r.crisp {
		b.WriteString(` shape-rendering="crispEdges"`)
	}
	closeTag(b, "rect", r.tip)
}

func (d disc) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s"%s%s`, num(d.x), num(d.y), num(d.r), paintAttr("fill", d.fill), d.border.attr())
	closeTag(b, "circle", d.tip)
}

func (t text) svg(b *strings.Builder) {
	b.WriteString("<text")
	if t.up {
		fmt.Fprintf(b, ` transform="translate(%s %s) rotate(-90)"`, num(t.x), num(t.y))
	} else {
		fmt.Fprintf(b, ` x="%s" y="%s"`, num(t.x), num(t.y))
	}
	fmt.Fprintf(b, ` font-size="%s"`, num(t.size))
	if t.bold {
		b.WriteString(` font-weight="bold"`)
	}
	b.WriteString(paintAttr("fill", t.color))
	b.WriteString([...]string{left: "", middle: ` text-anchor="middle"`, right: ` text-anchor="end"`}[t.anchor])
	if t.halo {
		b.WriteString(` stroke="#FFFFFF" stroke-width="3" paint-order="stroke"`)
	}
	fmt.Fprintf(b, ">%s</text>", html.EscapeString(printable(t.s)))
}
