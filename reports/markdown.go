package reports

import (
	"fmt"
	"slices"
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
			text, err := blockMD(block, folder)
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
		b.WriteString("\n## Provenance\n\n" + tableMD(t))
	}
	return []byte(b.String()), nil
}

func blockMD(b Block, folder string) (string, error) {
	switch b := b.(type) {
	case Text:
		return sentenceMD(string(b)) + "\n", nil
	case Link:
		return fmt.Sprintf("[%s](%s)%s\n", spansMD(b.Name), b.To, following(spansMD(b.Text))), nil
	case List:
		var out strings.Builder
		for _, s := range b {
			out.WriteString("- " + sentenceMD(s) + "\n")
		}
		return out.String(), nil
	case Code:
		return fenced(string(b)), nil
	case Table:
		return tableMD(b), nil
	case Plot:
		return plotMD(b, folder)
	case Boards:
		return boardsMD(b, folder), nil
	}
	return "", fmt.Errorf("unknown block %T", b)
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

// plotMD shows the figure by its file, with its title for those who do not see
// it.
func plotMD(p Plot, folder string) (string, error) {
	d, err := p.Figure.Draw(figure.Wide)
	if err != nil {
		return "", fmt.Errorf("figure %s: %w", p.Name, err)
	}
	name := p.Name + ".svg"
	if folder != "" {
		name = strings.TrimRight(folder, "/") + "/" + name
	}
	out := fmt.Sprintf("![%s](%s)\n", spansMD(d.Title()), name)
	if p.Caption != "" {
		out += "\n" + sentenceMD(p.Caption) + "\n"
	}
	return out, nil
}

// boardsMD shows boards by their files.
func boardsMD(b Boards, folder string) string {
	var out strings.Builder
	for i, p := range b.Boards {
		name := b.file(i)
		if folder != "" {
			name = strings.TrimRight(folder, "/") + "/" + name
		}
		fmt.Fprintf(&out, "![%s](%s)\n\n%s\n\n", spansMD(p.Board.Sentence()), name, sentenceMD(p.Caption))
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

func tableMD(t Table) string {
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(sentenceMD(t.Caption) + "\n\n")
	}
	row := func(cells []string, strong bool) {
		for _, c := range cells {
			c = cellMD(c)
			if strong && c != "" {
				c = "**" + c + "**"
			}
			b.WriteString("| " + c + " ")
		}
		b.WriteString("|\n")
	}
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	row(names, false)
	for _, c := range t.Columns {
		if c.Right {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for i, r := range t.Rows {
		row(r, slices.Contains(t.Strong, i))
	}
	return b.String()
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
