package experiment

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/text"
)

// Manual lists the keys of experiment files: their own, and the settings of every kind of run.
func Manual(kinds []runs.Kind) string {
	m := manual{}
	m.keys("Keys of the file", slices.DeleteFunc(config.Fields(&file{}), func(f config.Field) bool { return f.Help == "" }))
	m.keys("Keys of every [[run]]", config.Fields(&own{}))
	seen := map[string]string{} // help, by key
	for _, k := range kinds {
		m.kind(k, seen)
	}
	m.keys("Keys of a [[figure]]", config.Fields(&Figure{}))
	m.keys("Keys of a [[claim]]", config.Fields(&claim{}))
	m.text.WriteString("Functions of texts, in measured, caption and reading.md:\n")
	for _, f := range functions {
		m.item("{{"+f.name+" "+f.args+"}}", f.doc)
	}
	return strings.ReplaceAll(m.text.String(), "{kinds}", strings.Join(text.Each(kinds, kindName), ", "))
}

// manual is an unfinished text.
type manual struct{ text strings.Builder }

// Columns of a manual.
const (
	helpColumn = 18
	lastColumn = 80
)

// keys lists fields with their help.
func (m *manual) keys(title string, fields []config.Field) {
	fmt.Fprintf(&m.text, "%s:\n", title)
	for _, f := range fields {
		m.item(f.Name, f.Help)
	}
	m.text.WriteByte('\n')
}

// kind lists the settings of a kind. Settings that an earlier kind shares are only named.
func (m *manual) kind(k runs.Kind, seen map[string]string) {
	var fresh []config.Field
	var known []string
	for _, f := range config.Fields(k.New()) {
		if seen[f.Name] == f.Help {
			known = append(known, f.Name)
			continue
		}
		seen[f.Name] = f.Help
		fresh = append(fresh, f)
	}
	fmt.Fprintf(&m.text, "Keys of a [[run]] of kind %q (%s):\n", k.Name, k.Short)
	for _, f := range fresh {
		m.item(f.Name, k.Help(f.Help))
	}
	if len(known) > 0 {
		m.item("as above", strings.Join(known, ", "))
	}
	m.text.WriteByte('\n')
}

// item writes a name with its help beside it, wrapped at the default width.
func (m *manual) item(name, help string) {
	lines := text.Wrap(help, lastColumn-helpColumn)
	if 2+len(name) > helpColumn || len(lines) == 0 {
		fmt.Fprintf(&m.text, "  %s\n", name)
		name = ""
	}
	for _, line := range lines {
		fmt.Fprintf(&m.text, "  %-*s%s\n", helpColumn-2, name, line)
		name = ""
	}
}
