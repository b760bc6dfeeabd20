package cli

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// usualWidth is the number of columns where no terminal tells.
const defaultWidth = 80

// Width returns how many columns a line printed on out may have.
func Width(out io.Writer) int {
	if o, ok := out.(*output); ok {
		out = o.to
	}
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return max(width, defaultWidth/2)
		}
	}
	return defaultWidth
}

// Wrap breaks a text between words into lines of width at most; a longer word has
// a line of its own. There is none for a text of spaces.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
