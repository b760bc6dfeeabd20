package reports

import (
	_ "embed"
	"html/template"
	"slices"
)

//go:embed blocks.html.tmpl
var blocksHTML string

// parsed returns a template that can mark sentences.
func parsed(name, text string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{
		"marked": marked, "following": following,
		"kept":   func(s string) template.HTML { return template.HTML(kept(template.HTMLEscapeString(s))) },
		"strong": func(t Table, row int) bool { return slices.Contains(t.Strong, row) },
	}).Parse(text))
}

var blockTemplates = parsed("blocks", blocksHTML)
