package reports

import (
	"fmt"
	"html/template"

	"selfplaylab/reports/figure"
)

// Panels are small charts of parameters side by side, as many in a row as the page has room for.
type Panels struct {
	Name  string // of their file, as for a Plot
	Title string
	Key   string // how to read them, in a few words
	List  []figure.Panel
	Rest  []figure.Panel // less important ones, which are not shown here
}

// plot returns all panels as one chart.
func (p Panels) plot() Plot {
	return Plot{Name: p.Name, Figure: figure.Panels{Title: p.Title, Subtitle: p.Key, Panels: p.List}}
}

func (p Panels) check() error                           { return p.plot().check() }
func (p Panels) figures() ([]file, error)               { return p.plot().figures() }
func (p Panels) markdown(folder string) (string, error) { return p.plot().markdown(folder) }

// HTML returns the panels as a part of a page that has the [Style].
func (p Panels) HTML() (template.HTML, error) { return blockHTML(p) }

// html implements Block.
func (p Panels) html() (string, any, error) {
	data := struct {
		Panels
		SVG []template.HTML
	}{Panels: p}
	for _, one := range p.List {
		d, err := one.Draw(figure.Narrow)
		if err != nil {
			return "", nil, fmt.Errorf("figure %s: %w", p.Name, err)
		}
		data.SVG = append(data.SVG, template.HTML(d.Inline())) // SVG escapes its texts
	}
	return "panels", data, nil
}
