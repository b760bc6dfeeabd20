package process

import "testing"

// TestStallQuotesLastOutput expects the last output of a stalled program in its fault.
func TestStallQuotesLastOutput(t *testing.T) {
	for _, c := range []struct{ line, rest, want string }{
		{"", "", ""}, {"", "\n", ""},
		{"info depth 1", "", `; the last line it wrote: "info depth 1"`},
		{"info depth 1", "bestmove e2e4", `; it wrote "bestmove e2e4" without ending the line`},
	} {
		l := &Link{process: &process{lines: lineReader{buf: []byte(c.rest), to: len(c.rest)}}}
		if got := l.lastWords(c.line); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
