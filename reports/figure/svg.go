package figure

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// SVG returns the drawing as a document. Its colours are light, or dark if the reader prefers
// that; a program without style sheets shows the light ones.
func (d *Drawing) SVG() []byte {
	var b strings.Builder
	d.open(&b, ` xmlns="http://www.w3.org/2000/svg"`)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString(Printable(d.title)), d.darkStyle())
	fmt.Fprintf(&b, `<rect width="%s" height="%s"%s/>`+"\n", num(d.w), num(d.h), paintAttr("fill", paper)+class(paper, tone{}))
	d.close(&b)
	return []byte(b.String())
}

// Inline returns the drawing as an element for an HTML page that contains [Style]: without a
// namespace, and so without any address, on the paper of the page. It has no title element,
// because the title would pop up everywhere.
func (d *Drawing) Inline() []byte {
	var b strings.Builder
	d.open(&b, "")
	d.close(&b)
	return []byte(b.String())
}

// open writes the start of the SVG element, with the title for readers who do not see it.
func (d *Drawing) open(b *strings.Builder, namespace string) {
	w, h := num(d.w), num(d.h)
	fmt.Fprintf(b, `<svg%s width="%s" height="%s" viewBox="0 0 %s %s" role="img" aria-label="%s" font-family="%s" stroke-linejoin="round">`+"\n",
		namespace, w, h, w, h, html.EscapeString(Printable(d.title)), fontFamily)
}

// close writes all shapes and the end of the SVG element.
func (d *Drawing) close(b *strings.Builder) {
	for _, sh := range d.shapes {
		sh.svg(b)
		b.WriteByte('\n')
	}
	b.WriteString("</svg>\n")
}

// Style returns the CSS that inline drawings need in their page, once: a variable for each
// tone, such as --fig-ink, light or dark as the reader prefers, and the classes that use it. A
// page that lets its readers choose sets the variables again. Printed pages are always light.
func Style() string {
	var light, dark, rules strings.Builder
	for _, t := range tones() {
		fmt.Fprintf(&light, " --fig-%s: %s;", t.name, hex(t.light))
		fmt.Fprintf(&dark, " --fig-%s: %s;", t.name, hex(t.dark))
		fmt.Fprintf(&rules, ".f-%s { fill: var(--fig-%s); } .s-%s { stroke: var(--fig-%s); }\n", t.name, t.name, t.name, t.name)
	}
	return fmt.Sprintf(":root {%s }\n@media screen and (prefers-color-scheme: dark) { :root {%s } }\n%s", &light, &dark, &rules)
}

// darkStyle returns the dark scheme of the classes that the drawing uses. It has no variables,
// because fewer programs support them.
func (d *Drawing) darkStyle() string {
	fills, strokes := map[tone]bool{opaque(paper): true}, map[tone]bool{}
	for _, sh := range d.shapes {
		fill, line := sh.tones()
		fills[opaque(fill)], strokes[opaque(line)] = true, true
	}
	var b strings.Builder
	b.WriteString("@media (prefers-color-scheme:dark){")
	for _, t := range tones() {
		if fills[t] {
			fmt.Fprintf(&b, ".f-%s{fill:%s}", t.name, hex(t.dark))
		}
		if strokes[t] {
			fmt.Fprintf(&b, ".s-%s{stroke:%s}", t.name, hex(t.dark))
		}
	}
	return b.String() + "}"
}

func opaque(t tone) tone { return faded(t, 1) }

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// class returns the attribute that lets a style set the colours of a shape. Colours without a
// name are fixed.
func class(fill, line tone) string {
	var names []string
	if fill.name != "" && fill.light.A > 0 {
		names = append(names, "f-"+fill.name)
	}
	if line.name != "" && line.light.A > 0 {
		names = append(names, "s-"+line.name)
	}
	if names == nil {
		return ""
	}
	return ` class="` + strings.Join(names, " ") + `"`
}

// num returns a coordinate with at most two decimals.
func num(v vg.Length) string {
	rounded := math.Round(float64(v)*100) / 100
	if rounded == 0 {
		return "0" // also -0
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// path returns the path data of a path: steps from place to place, half as long as absolute
// places. Steps are taken between rounded places, so errors do not add up; they are up to a
// hundredth of a pixel, or a tenth in a long line. Y points down in SVG.
func path(p vg.Path) string {
	var b strings.Builder
	unit := vg.Length(100)
	if len(p) > 100 {
		unit = 10
	}
	var x, y int64 // in rounding units
	var before int // kind of the last step
	for i, c := range p {
		if kind := "MlAcz"[c.Type]; i == 0 || c.Type != before || kind == 'z' {
			b.WriteByte(kind)
		}
		if before = c.Type; c.Type == vg.CloseComp {
			continue
		}
		for k, at := range append(slices.Clone(c.Control), c.Pos) {
			px, py := int64(math.Round(float64(at.X*unit))), int64(math.Round(float64(-at.Y*unit)))
			first, second := num(vg.Length(px-x)/unit), num(vg.Length(py-y)/unit)
			if s := b.String(); first[0] != '-' && unicode.IsDigit(rune(s[len(s)-1])) {
				b.WriteByte(' ')
			}
			b.WriteString(first)
			if second[0] != '-' {
				b.WriteByte(' ')
			}
			b.WriteString(second)
			if k == len(c.Control) {
				x, y = px, py
			}
		}
	}
	return b.String()
}

// paintAttr returns a light colour as an attribute, which any style overrides, with its opacity
// if not 1.
func paintAttr(name string, t tone) string {
	c := t.light
	if c.A == 0 {
		return fmt.Sprintf(` %s="none"`, name)
	}
	s := fmt.Sprintf(` %s="%s"`, name, hex(c))
	if c.A != 0xFF {
		s += fmt.Sprintf(` %s-opacity="%s"`, name, num(vg.Length(c.A)/255))
	}
	return s
}

// lineAttr returns the attributes of a line.
func lineAttr(l draw.LineStyle) string {
	if l.Width == 0 {
		return ""
	}
	out := paintAttr("stroke", toneOf(l.Color))
	if l.Width != 1 {
		out += fmt.Sprintf(` stroke-width="%s"`, num(l.Width))
	}
	if len(l.Dashes) > 0 {
		out += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(text.Each(l.Dashes, num), " "))
	}
	return out
}

// svg writes an outline with its tip inside.
func (m mark) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<path d="%s"%s%s%s`, path(m.path), paintAttr("fill", m.fill), lineAttr(m.line), class(m.tones()))
	if m.crisp {
		b.WriteString(` shape-rendering="crispEdges"`)
	}
	if m.tip == "" {
		b.WriteString("/>")
		return
	}
	fmt.Fprintf(b, "><title>%s</title></path>", html.EscapeString(Printable(m.tip)))
}

// svg writes a line of letters, aligned at its anchor.
func (t textLine) svg(b *strings.Builder) {
	b.WriteString("<text")
	if t.up {
		fmt.Fprintf(b, ` transform="translate(%s %s) rotate(-90)"`, num(t.at.X), num(-t.at.Y))
	} else {
		fmt.Fprintf(b, ` x="%s" y="%s"`, num(t.at.X), num(-t.at.Y))
	}
	fmt.Fprintf(b, ` font-size="%s"`, num(t.size))
	if t.bold {
		b.WriteString(` font-weight="bold"`)
	}
	b.WriteString(paintAttr("fill", t.color) + class(t.tones()))
	b.WriteString([...]string{left: "", middle: ` text-anchor="middle"`, right: ` text-anchor="end"`}[t.anchor])
	fmt.Fprintf(b, ">%s</text>", html.EscapeString(Printable(t.s)))
}
