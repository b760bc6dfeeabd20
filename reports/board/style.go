package board

import (
	"fmt"
	"strings"
)

// colour is a named colour of drawings.
// A page changes it by the CSS variable --board-NAME on the class board or above.
type colour struct {
	name        string
	light, dark string
}

// colours are wood, paper and the inks of this project's figures: the
// red and blue of its charts (Okabe and Ito 2008), lighter in the dark.
var colours = []colour{
	{"plate", "#ECDDBD", "#4A3F2F"},
	{"border", "#CDB78A", "#6B5D46"},
	{"square", "#F8F1E1", "#5C503D"},
	{"dark-square", "#D9BE8C", "#42382A"},
	{"hole", "#F8F1E1", "#2C251A"},
	{"rim", "#C4AC7B", "#6B5C40"},
	{"line", "#7A6744", "#B09C76"},
	{"label", "#5E4D30", "#DDD0B3"},
	{"pill", "#F8F1E1", "#66593F"},
	{"wall", "#6E4523", "#D8B583"},
	{"last", "#D55E00", "#F28A45"},
	{"black", "#1F2933", "#0E1114"},
	{"black-rim", "#0B1014", "#8A8069"},
	{"white", "#FDFBF6", "#EFE9DC"},
	{"white-rim", "#8C7B5A", "#8F866F"},
	{"red", "#D55E00", "#E9743A"},
	{"red-rim", "#A34700", "#F5A87F"},
	{"blue", "#0072B2", "#3D93CE"},
	{"blue-rim", "#004F7D", "#8DC3E8"},
	{"on-colour", "#FFFFFF", "#FFFFFF"}, // marks on red and blue pieces
}

// paint returns a colour's light value, for programs that do not support CSS variables.
func paint(name string) string {
	for _, c := range colours {
		if c.name == name {
			return c.light
		}
	}
	panic("board: no colour " + name)
}

// CSS returns the style sheet of drawings. A page that holds several drawings, or allows no
// styles in its elements, serves it once and draws with Options.Bare. It is dark if the reader
// prefers dark pages; inside HTML an ancestor's attribute data-theme="light" or "dark" has
// precedence.
func CSS() string {
	var s strings.Builder
	variables(&s, ".board", false)
	s.WriteString("@media screen and (prefers-color-scheme: dark) {\n")
	variables(&s, ".board", true)
	s.WriteString("}\n")
	variables(&s, "[data-theme=light] .board", false)
	variables(&s, "[data-theme=dark] .board", true)
	for _, c := range colours {
		fmt.Fprintf(&s, ".b-f-%s { fill: var(--board-%s) }\n.b-s-%s { stroke: var(--board-%s) }\n", c.name, c.name, c.name, c.name)
	}
	return s.String()
}

// variables sets all colours.
// The selector :where has no weight, so any rule of a page overrides it.
func variables(s *strings.Builder, selector string, dark bool) {
	fmt.Fprintf(s, ":where(%s) {", selector)
	for _, c := range colours {
		value := c.light
		if dark {
			value = c.dark
		}
		fmt.Fprintf(s, " --board-%s: %s;", c.name, value)
	}
	s.WriteString(" }\n")
}
