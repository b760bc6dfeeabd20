package reports

import (
	"html/template"
	"regexp"
	"strings"
)

// class returns the CSS class of a column.
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

// marked escapes a sentence and sets the parts between backquotes as code. A number stays on
// one line with its error and its unit; code may break after commas.
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

// kept keeps numbers on one line with their errors, units and intervals, and after a name that
// is written from right to left.
func kept(text string) string {
	text = intervals.ReplaceAllString(together.Replace(text), "$1\u00a0to\u00a0$2")
	return leftward.ReplaceAllString(text, "\u2068$0\u2069") // a directional isolate
}

// leftward matches words that are written from right to left.
var leftward = func() *regexp.Regexp {
	const letter = `\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}\p{Nko}`
	return regexp.MustCompile(`[` + letter + `](?:[` + letter + `\p{M} ]*[` + letter + `\p{M}])?`)
}()

// together puts non-breaking spaces into numbers with errors and units.
var together = strings.NewReplacer(" ± ", "\u00a0±\u00a0", " %", "\u00a0%", " Elo", "\u00a0Elo")

// intervals matches "to" between two numbers, which stays on their line.
var intervals = regexp.MustCompile(`(\d(?:\x{a0}%)?) to ([+−-]?\d)`)

// span is a part of a sentence, plain or code.
type span struct {
	s    string
	code bool
}

// codeParts splits a sentence at its backquotes. A backquote without a partner is a plain
// character.
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
