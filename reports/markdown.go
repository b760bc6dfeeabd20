package reports

import (
	"fmt"
	"strings"

	"selfplaylab/reports/figure"
)

// Markdown writes the page in GitHub's dialect. It has no list of contents:
// whatever shows such a file lists its headings. Figures are referenced as
// folder/NAME.svg; the caller puts them there (see [Page.Files]).
func (p Page) Markdown(folder string) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", plainMD(p.Title))
	if len(p.Nav) > 0 {
		var links []string
		for _, l := range p.Nav {
			links = append(links, fmt.Sprintf("[%s](%s)", spansMD(l.Name), l.To))
		}
		fmt.Fprintf(&b, "\n%s\n", strings.Join(links, " · "))
	}
	if p.Subtitle != "" {
		fmt.Fprintf(&b, "\n%s\n", sentenceMD(p.Subtitle))
	}
	for _, s := range p.Lead {
		fmt.Fprintf(&b, "\n%s\n", sentenceMD(s))
	}
	if len(p.Warnings) > 0 {
		b.WriteString("\n> **Read this first**\n>\n")
		for _, s := range p.Warnings {
			fmt.Fprintf(&b, "> - %s\n", sentenceMD(s))
		}
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n", plainMD(s.Title))
		for _, block := range s.Blocks {
			text, err := block.markdown(folder)
			if err != nil {
				return nil, fmt.Errorf("page %q, section %q: %w", p.Title, s.Title, err)
			}
			b.WriteString("\n" + text)
		}
	}
	if len(p.Facts) > 0 {
		t := Table{Columns: []Column{{Name: "what"}, {Name: "value"}}}
		for _, f := range p.Facts {
			t.Rows = append(t.Rows, []string{f.Key, f.Value})
		}
		b.WriteString("\n## Provenance\n\n" + t.md())
	}
	return []byte(b.String()), nil
}

// following sets a text apart from what it follows, unless it is punctuation.
func following(s string) string {
	if s == "" || strings.ContainsRune(",.:;", rune(s[0])) {
		return s
	}
	return " " + s
}

// fenced is s as a code block, its fence longer than any run of backquotes
// inside.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}

// cellMD is a sentence in a table, where a bar ends the cell even in code.
func cellMD(s string) string {
	return strings.ReplaceAll(spansMD(s), "|", `\|`)
}

// sentenceMD is a sentence as a paragraph of its own: what would begin a
// heading, list or quotation is escaped.
func sentenceMD(s string) string {
	s = spansMD(s)
	digits := strings.TrimLeft(s, "0123456789")
	switch {
	case s == "":
		return s
	case strings.ContainsRune("+-=", rune(s[0])) && (len(s) == 1 || s[1] == ' ' || s[1] == s[0]):
		return `\` + s
	case len(digits) < len(s) && digits != "" && (digits[0] == '.' || digits[0] == ')') && (len(digits) == 1 || digits[1] == ' '):
		return s[:len(s)-len(digits)] + `\` + digits
	}
	return s
}

func spansMD(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	var b strings.Builder
	for _, part := range codeParts(s) {
		if part.code {
			b.WriteString("`" + part.s + "`")
		} else {
			b.WriteString(plainMD(part.s))
		}
	}
	return b.String()
}

// plainMD escapes what Markdown or HTML would read as markup. An underscore
// inside a word marks nothing in GitHub's dialect and stays readable.
func plainMD(s string) string {
	var b strings.Builder
	runes := []rune(figure.Printable(s))
	for i, r := range runes {
		switch r {
		case '<':
			b.WriteString("&lt;")
			continue
		case '>':
			b.WriteString("&gt;")
			continue
		case '&':
			b.WriteString("&amp;")
			continue
		case '\\', '`', '*', '[', ']', '#', '~', '$':
			b.WriteByte('\\')
		case '_':
			if i == 0 || i == len(runes)-1 || !wordRune(runes[i-1]) || !wordRune(runes[i+1]) {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func wordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}
