package process

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"selfplaylab/reports/text"
)

// readLines splits text as a process's output that comes in parts of three bytes.
func readLines(text string, most int) (lines []string, rest string, err error) {
	r := lineReader{r: pieces{strings.NewReader(text)}, most: most}
	for {
		line, err := r.next()
		if err != nil {
			return lines, r.rest(), err
		}
		lines = append(lines, line)
	}
}

type pieces struct{ io.Reader }

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(3, len(b))]) }

// TestLineReaderSplitsAndBounds expects that LF, CRLF and a bare CR end lines, that
// text after the last end is no line, and that a line beyond the bound is an error.
func TestLineReaderSplitsAndBounds(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		text  string
		lines []string
		rest  string
	}{
		{"", nil, ""}, {"a", nil, "a"}, {"\ufeffok\r\n\ufeff", []string{"ok"}, "\ufeff"}, {"a\nb\r\nc\rd", []string{"a", "b", "c"}, "d"}, {"\n\n", []string{"", ""}, ""}, {"\r\n\r\n", []string{"", ""}, ""},
		{"\n\r", []string{"", ""}, ""}, {long + "\r\n" + long + "\n", []string{long, long}, ""}, {"0123456789abcde\r\n=", []string{"0123456789abcde"}, "="},
	} {
		lines, rest, err := readLines(c.text, 100)
		if err != io.EOF || rest != c.rest || !slices.Equal(lines, c.lines) {
			t.Errorf("%q: %q, %q, %v; want %q, %q", c.text, lines, rest, err, c.lines, c.rest)
		}
	}
	for _, text := range []string{long + "x\n", long + long} {
		var over *tooLong
		if _, _, err := readLines(text, 100); !errors.As(err, &over) {
			t.Errorf("%d bytes without an end: %v; want a line too long", len(text)-1, err)
		}
	}
}

// TestShownDropsEscapeCodes expects no escape codes of an engine.
func TestShownDropsEscapeCodes(t *testing.T) {
	for text, want := range map[string]string{"id name a\tb": "id name a\tb", "步步为营": "步步为营", "id name \x1b[31mred\x9b": `id name \u001b[31mred` + "\ufffd"} {
		if lines, _, _ := readLines(text+"\n", 100); !slices.Equal(lines, []string{want}) {
			t.Errorf("%q: %q, want %q", text, lines, want)
		}
	}
}

// FuzzLineReader expects that lines hold nothing but parts
// of the text, and nothing that controls a terminal.
func FuzzLineReader(f *testing.F) {
	f.Add("a\r\nb\rc\n")
	f.Fuzz(func(t *testing.T, input string) {
		lines, rest, _ := readLines(input, 1<<20)
		all := strings.Join(lines, "")
		control := strings.ContainsFunc(all, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
		if control || len(all)+len(rest) > len(input) && input == text.Clean(input) {
			t.Errorf("%q gives %q and %q", input, lines, rest)
		}
	})
}
