package reports

import (
	"strings"

	"selfplaylab/reports/figure"
)

// following separates a text from the text before it, unless it begins with punctuation.
func following(s string) string {
	if s == "" || strings.ContainsRune(",.:;", rune(s[0])) {
		return s
	}
	return " " + s
}

// fenced returns s as a code block, with a fence longer than any run of backquotes inside.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}

// cellMD returns a sentence as a cell of a table, where a bar ends the cell even in code.
func cellMD(s string) string {
	return strings.ReplaceAll(spansMD(s), "|", `\|`)
}

// sentenceMD returns a sentence as a paragraph. It escapes characters that would begin a
// heading, list or quotation.
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

// spansMD returns a sentence on one line, with its parts between backquotes as code.
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

// plainMD escapes characters that Markdown or HTML would read as markup. An underscore inside a
// word is no markup in GitHub's dialect and stays readable.
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
