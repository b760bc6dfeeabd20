package reports

import (
	"fmt"
	"strings"
	"unicode"
)

// heading is the title of a section with its ID, the target of links.
type heading struct{ ID, Title string }

// manySections is the number of sections from which a page has a list of contents.
const manySections = 4

// headings returns the headings of all sections and, if there are facts, of the provenance.
// Their IDs are those that GitHub gives to the same headings, so that links into a page hold in
// both of its forms.
func (p Page) headings() []heading {
	var titles []string
	for _, s := range p.Sections {
		titles = append(titles, s.Title)
	}
	if len(p.Facts) > 0 {
		titles = append(titles, "Provenance")
	}
	seen := map[string]bool{}
	var out []heading
	for _, title := range titles {
		base := slug(title)
		id := base
		for n := 1; seen[id]; n++ {
			id = fmt.Sprintf("%s-%d", base, n)
		}
		seen[id] = true
		out = append(out, heading{id, title})
	}
	return out
}

// contents returns the headings of a page with many sections, nil for other pages. The headings of
// folded sections are a list without it.
func (p Page) contents() []heading {
	if len(p.Sections) <= manySections || p.Verdict != nil {
		return nil
	}
	return p.headings()
}

// slug returns a title in small letters, digits and hyphens.
func slug(title string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, title)
	if s == "" {
		return "section"
	}
	return s
}
