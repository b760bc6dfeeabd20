package reports

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"selfplaylab/reports/figure"
)

//go:embed page.html.tmpl
var pageHTML string

var (
	pageTemplate = parsed("page", pageHTML)
	bodyTemplate = parsed("body", between("<main>", "</main>")) // without the header and its style
)

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

// Body returns the content of the main element of [Page.HTML], for a page that has the
// [Style] and shows more than a report. The verdict is left out: see [Verdict.HTML].
func (p Page) Body() (template.HTML, error) {
	b, err := p.execute(bodyTemplate)
	return template.HTML(b), err // the template escapes it
}

// HTML returns the page as one file that needs no network: style and figures are inside. Each
// figure is there twice, laid out for a wide and a narrow screen; the style shows one of them.
func (p Page) HTML() ([]byte, error) { return p.execute(pageTemplate) }

// execute checks the page and writes it by a template.
func (p Page) execute(t *template.Template) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	data := htmlPage{Page: p, Style: template.CSS(figure.Style()), Contents: p.contents()}
	if p.Verdict != nil && t != bodyTemplate {
		var err error
		if data.Head, err = p.Verdict.HTML(); err != nil {
			return nil, fmt.Errorf("page %q: %w", p.Title, err)
		}
	}
	headings := p.headings()
	for i, s := range p.all()[1:] {
		section := htmlSection{heading: headings[i], Folded: p.Verdict != nil && !s.Open}
		for _, b := range s.Blocks {
			text, err := blockHTML(b)
			if err != nil {
				return nil, fmt.Errorf("page %q, section %q: %w", p.Title, s.Title, err)
			}
			section.Blocks = append(section.Blocks, text)
		}
		data.Sections = append(data.Sections, section)
	}
	if len(p.Facts) > 0 {
		data.Provenance = headings[len(headings)-1].ID
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("page %q: %w", p.Title, err)
	}
	return b.Bytes(), nil
}

// htmlPage is the data of the template. Every template.HTML in it is already escaped.
type htmlPage struct {
	Page
	Style      template.CSS
	Head       template.HTML // of its verdict; "" without one
	Contents   []heading     // nil for no list of contents
	Sections   []htmlSection
	Provenance string // ID of the heading of the facts
}

type htmlSection struct {
	heading
	Folded bool
	Blocks []template.HTML
}

// blockHTML returns a block as HTML, by the template of its kind.
func blockHTML(b Block) (template.HTML, error) {
	kind, data, err := b.html()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	err = blockTemplates.ExecuteTemplate(&text, kind, data)
	return template.HTML(text.String()), err
}
