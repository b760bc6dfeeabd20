package process

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// readLines splits text as a process's output.
func readLines(text string, most int) (lines []string, rest string, err error) {
	r := lineReader{r: bufio.NewReaderSize(strings.NewReader(text), 16), most: most}
	for {
		batch, rest, err := r.batch()
		lines = append(lines, batch...)
		if err != nil {
			return lines, rest, err
		}
	}
}

// TestLineReader: LF, CRLF and a bare CR end lines; what stands after the last is
// no line; a line beyond the bound is an error.
func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		text  string
		lines []string
		rest  string
	}{
		{"", nil, ""}, {"a", nil, "a"}, {"a\nb\r\nc\rd", []string{"a", "b", "c"}, "d"}, {"\n\n", []string{"", ""}, ""}, {"\r\n\r\n", []string{"", ""}, ""},
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

// FuzzLineReader: the lines hold nothing that was not in the text.
func FuzzLineReader(f *testing.F) {
	f.Add("a\r\nb\rc\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines, rest, _ := readLines(text, 1<<20)
		if n := len(strings.Join(lines, "")) + len(rest); n > len(text) {
			t.Errorf("%q gives %q and %q", text, lines, rest)
		}
	})
}
