// Package text formats numbers, words and tables for people: counts, shares, times. It knows no
// games and no statistics. Its functions have no state, so several goroutines may call them at
// once.
package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table holds rows of cells. The first row is the heading.
type Table [][]string

// Print writes the table in columns. The columns with the indices in right are aligned right. A
// failed write is not reported.
func (t Table) Print(out io.Writer, right ...int) {
	if len(t) == 0 {
		return
	}
	widths := make([]int, len(t[0]))
	for _, row := range t {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if slices.Contains(right, i) {
				cell = pad + cell
			} else {
				cell += pad
			}
			line.WriteString(cell + "  ")
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
}

// Clean returns an external text in a form that is safe on a terminal: control characters
// appear as their code.
func Clean(text string) string {
	var b strings.Builder
	for i, r := range text {
		ends := r == '\n' || r == '\r' && strings.HasPrefix(text[i+1:], "\n")
		if ends || r == '\t' || r >= ' ' && r != 0x7f && !(r >= 0x80 && r < 0xa0) && !(r >= 0x202a && r <= 0x202e) &&
			!(r >= 0x2066 && r <= 0x2069) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "\\u%04x", r)
	}
	return b.String()
}

// Each returns the text of each thing, in order; nil for no things.
func Each[T, U any](things []T, of func(T) U) (list []U) {
	for _, t := range things {
		list = append(list, of(t))
	}
	return list
}

// Unmarked returns a sentence of a page for a terminal, without the backquotes around code.
func Unmarked(sentence string) string { return strings.ReplaceAll(sentence, "`", "") }

// Wrap breaks a text between words into lines of at most width characters. A longer word has a line of its own. A text of
// spaces has no lines.
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
