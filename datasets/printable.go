package datasets

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns text in a form that is safe on a terminal and in a table: control
// characters, line breaks, marks of writing direction and bytes that are not UTF-8 are escaped
// as in Go strings, such as \x1b. Use it for names of folders and texts of files, which may
// contain anything.
func Printable(text string) string {
	if !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case !unprintable(r):
			b.WriteRune(r)
		case r == unicode.ReplacementChar && !strings.HasPrefix(text[i:], string(r)): // a byte that is not UTF-8
			b.WriteString(strings.Trim(strconv.Quote(text[i:i+1]), `"`))
		case r == unicode.ReplacementChar:
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// PrintableLines returns text with each of its lines made Printable.
func PrintableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}

// unprintable reports whether a character must be escaped. It includes the replacement
// character, because only the text tells whether it stands for bytes that are not UTF-8.
func unprintable(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }

// printableError is an error whose text is one printable line.
type printableError struct{ error }

func (p printableError) Error() string { return Printable(p.error.Error()) }

func (p printableError) Unwrap() error { return p.error }

// longestLabel is the maximum number of characters of a name or tag.
const longestLabel = 200

// checkText rejects text that is too long, or that does not display as written.
func checkText(text string, longest int, printable func(string) string) error {
	switch {
	case utf8.RuneCountInString(text) > longest:
		return fmt.Errorf("%.20q... is longer than %d characters", text, longest)
	case printable(text) != text:
		return fmt.Errorf("%.100q holds characters that cannot be shown", text)
	}
	return nil
}
