package reports

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"selfplaylab/reports/board"
	"selfplaylab/reports/figure"
)

//go:embed page.html.tmpl
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// bodyTemplate is what a page has between its header's style and its end.
var bodyTemplate = template.Must(template.New("body").Parse(between("<body>", "</body>")))

// between returns the part of the page's template inside two tags.
func between(open, end string) string {
	_, rest, _ := strings.Cut(pageHTML, open)
	inside, _, _ := strings.Cut(rest, end)
	return inside
}

// Style returns the style sheet of pages, for others that show a [Page.Body].
func Style() string {
	return figure.Style() + strings.TrimPrefix(strings.TrimLeft(between("<style>", "</style>"), "\n"), "{{.Style}}")
}

// Body writes what stands between the body tags of [Page.HTML], for a page that
// has the [Style] and shows more than a report.
func (p Page) Body() (template.HTML, error) {
	b, err := p.execute(bodyTemplate)
	return template.HTML(b), err // escaped by the template
}

// HTML writes the page as one file that needs no network: style and figures
// are inside. Each figure is there twice, laid out for a wide and a narrow
// screen; the style shows one.
func (p Page) HTML() ([]byte, error) { return p.execute(pageTemplate) }

func (p Page) execute(t *template.Template) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	data, err := p.htmlData()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("page %q: %w", p.Title, err)
	}
	return b.Bytes(), nil
}

// The data the template prints. Everything of type template.HTML was escaped
// where it was made.
type (
	htmlPage struct {
		Style      template.CSS
		Title      string
		Heading    template.HTML // the title, its numbers kept together
		Subtitle   template.HTML
		Nav        []htmlLink
		Lead       []template.HTML
		Warnings   []template.HTML
		Contents   []heading // nil for none
		Facts      []htmlFact
		Provenance string // ID of the facts' heading
		Sections   []htmlSection
	}
	htmlFact    struct{ Key, Value template.HTML }
	htmlSection struct {
		heading
		Blocks []htmlBlock
	}
	htmlLink struct {
		To         string
		Name, Text template.HTML
	}
	htmlBlock struct {
		Link    *htmlLink
		Text    template.HTML
		List    []template.HTML
		Code    string
		Table   *htmlTable
		Boards  []htmlBoard
		Wide    template.HTML
		Narrow  template.HTML
		Caption template.HTML
	}
	htmlBoard struct {
		SVG     template.HTML
		Caption template.HTML
	}
	htmlTable struct {
		Class string
		Head  []htmlCell
		Rows  []htmlRow
	}
	htmlRow struct {
		Strong bool
		Cells  []htmlCell
	}
	htmlCell struct {
		Text  template.HTML
		Class string
	}
)

func (p Page) htmlData() (htmlPage, error) {
	headings := p.headings()
	out := htmlPage{
		Style: template.CSS(figure.Style()), Title: p.Title, Heading: template.HTML(kept(template.HTMLEscapeString(p.Title))),
		Subtitle: marked(p.Subtitle),
		Lead:     allMarked(p.Lead), Warnings: allMarked(p.Warnings), Contents: p.contents(),
	}
	if len(p.Facts) > 0 {
		out.Provenance = headings[len(headings)-1].ID
	}
	for _, l := range p.Nav {
		out.Nav = append(out.Nav, htmlLink{To: l.To, Name: marked(l.Name)})
	}
	for _, f := range p.Facts {
		out.Facts = append(out.Facts, htmlFact{marked(f.Key), marked(f.Value)})
	}
	for i, s := range p.Sections {
		section := htmlSection{heading: headings[i]}
		for _, b := range s.Blocks {
			block, err := htmlOf(b)
			if err != nil {
				return htmlPage{}, fmt.Errorf("page %q, section %q: %w", p.Title, s.Title, err)
			}
			section.Blocks = append(section.Blocks, block)
		}
		out.Sections = append(out.Sections, section)
	}
	return out, nil
}

func htmlOf(b Block) (htmlBlock, error) {
	switch b := b.(type) {
	case Text:
		return htmlBlock{Text: marked(string(b))}, nil
	case Link:
		return htmlBlock{Link: &htmlLink{b.To, marked(b.Name), marked(following(b.Text))}}, nil
	case List:
		return htmlBlock{List: allMarked(b)}, nil
	case Code:
		return htmlBlock{Code: string(b)}, nil
	case Table:
		return htmlBlock{Table: htmlTableOf(b), Caption: marked(b.Caption)}, nil
	case Plot:
		return htmlPlot(b)
	case Boards:
		return htmlBoards(b)
	}
	return htmlBlock{}, fmt.Errorf("unknown block %T", b)
}

func htmlBoards(b Boards) (out htmlBlock, err error) {
	for i, p := range b.Boards {
		var svg bytes.Buffer
		if err := p.Board.SVG(&svg, board.Options{}); err != nil {
			return out, fmt.Errorf("board %s: %w", b.file(i), err)
		}
		out.Boards = append(out.Boards, htmlBoard{template.HTML(svg.String()), marked(p.Caption)}) // escaped there
	}
	return out, nil
}

func htmlPlot(p Plot) (htmlBlock, error) {
	out := htmlBlock{Caption: marked(p.Caption)}
	for _, layout := range []struct {
		figure.Layout
		to *template.HTML
	}{{figure.Wide, &out.Wide}, {figure.Narrow, &out.Narrow}} {
		d, err := p.Figure.Draw(layout.Layout)
		if err != nil {
			return htmlBlock{}, fmt.Errorf("figure %s: %w", p.Name, err)
		}
		*layout.to = template.HTML(d.Inline()) // escaped there
	}
	return out, nil
}

func htmlTableOf(t Table) *htmlTable {
	key := t.key()
	out := &htmlTable{Class: "table"}
	switch {
	case len(t.Rows) == 1: // nothing to compare: on a narrow page every column is a line
		out.Class, key = "table single", -1
	case key == len(t.Columns)-1 && key > 0:
		out.Class = "table keyed"
	case key > 0: // beside the first column, while those after it scroll
		out.Class = "table keyed beside"
	}
	classes := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		classes[i] = class(c.Right, i == key)
		out.Head = append(out.Head, htmlCell{Text: marked(c.Name), Class: classes[i]})
	}
	for i, row := range t.Rows {
		r := htmlRow{Strong: slices.Contains(t.Strong, i)}
		for j, cell := range row {
			r.Cells = append(r.Cells, htmlCell{Text: marked(cell), Class: classes[j]})
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// class names how a column is set.
func class(right, key bool) string {
	switch {
	case right && key:
		return "r key"
	case right:
		return "r"
	case key:
		return "key"
	}
	return ""
}

func allMarked(lines []string) []template.HTML {
	var out []template.HTML
	for _, s := range lines {
		out = append(out, marked(s))
	}
	return out
}

// marked escapes a sentence and sets its parts between backquotes as code. A
// number keeps its error and its unit on its line; code may break after commas.
func marked(s string) template.HTML {
	var b strings.Builder
	for _, part := range codeParts(s) {
		text := template.HTMLEscapeString(part.s)
		if part.code {
			b.WriteString("<code>" + strings.ReplaceAll(text, ",", ",<wbr>") + "</code>")
		} else {
			b.WriteString(kept(text))
		}
	}
	return template.HTML(b.String())
}

// kept keeps numbers with their errors, units and intervals on one line.
func kept(text string) string {
	return intervals.ReplaceAllString(together.Replace(text), "$1\u00a0to\u00a0$2")
}

// together puts spaces that do not break into numbers with errors and units.
var together = strings.NewReplacer(" ± ", "\u00a0±\u00a0", " %", "\u00a0%", " Elo", "\u00a0Elo")

// intervals are written with "to" between two numbers, and kept on one line.
var intervals = regexp.MustCompile(`(\d(?:\x{a0}%)?) to ([+−-]?\d)`)

// span is a part of a sentence, plain or code.
type span struct {
	s    string
	code bool
}

// codeParts splits a sentence at its backquotes. One without a partner is a
// plain character.
func codeParts(s string) []span {
	var parts []span
	for s != "" {
		before, rest, opened := strings.Cut(s, "`")
		inside, after, closed := strings.Cut(rest, "`")
		if !opened || !closed {
			return append(parts, span{s, false})
		}
		if before != "" {
			parts = append(parts, span{before, false})
		}
		if inside != "" {
			parts = append(parts, span{inside, true})
		}
		s = after
	}
	return parts
}
