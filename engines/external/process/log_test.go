package process

import (
	"fmt"
	"strings"
	"testing"
)

// TestTranscriptKeepsFirstAndLastLines expects whole lines within the bounds of memory, and the
// number of bytes between them, of an engine that writes without end.
func TestTranscriptKeepsFirstAndLastLines(t *testing.T) {
	var lines Transcript
	a, b := &Log{Name: "a", To: &lines}, &Log{Name: "b", To: &lines}
	a.add('>', "position startpos\r\ngo nodes 5\r\n")
	b.add('<', "")
	want := ".* >a: position startpos\n.* >a: go nodes 5\n.* <b: \n"
	if got := untimed(lines.String()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	const flood = 200_000
	for i := range flood {
		b.add('<', fmt.Sprintf("info depth %d", i))
	}
	text := untimed(lines.String())
	first, last, cut := strings.Cut(text, "... ")
	number, last, _ := strings.Cut(last, " bytes of lines are left out here ...\n")
	if !cut || !strings.HasPrefix(first, want) || !strings.HasPrefix(last, ".* <b: info depth ") ||
		!strings.HasSuffix(last, fmt.Sprintf("\n.* <b: info depth %d\n", flood-1)) || len(lines.String()) > maxFirst+ringSize+100 {
		t.Errorf("%d bytes begin %.200q and end %q", len(text), text, text[len(text)-100:])
	}
	whole := lines.more + len(lines.first)
	if kept := len(lines.String()) - len("...  bytes of lines are left out here ...\n") - len(number); fmt.Sprint(whole-kept) != number {
		t.Errorf("says that %s of %d bytes are left out, and %d are kept", number, whole, kept)
	}
	line := "info depth 30 seldepth 44 multipv 1 score cp 33 nodes 1234567 nps 1234567"
	if n := testing.AllocsPerRun(1000, func() { b.add('<', line) }); n != 0 {
		t.Errorf("%v allocations for a line", n)
	}
	if lines.Reset(); lines.String() != "" {
		t.Errorf("%q after Reset", lines.String())
	}
	a.add('>', "uci\n")
	if got := lines.String(); got != "0 >a: uci\n" {
		t.Errorf("%q after Reset; want a time that begins with the first line", got)
	}
	(*Log)(nil).add('>', "quit\n")
}

// untimed replaces the times of lines.
func untimed(text string) string {
	var all strings.Builder
	for line := range strings.Lines(text) {
		if at := strings.IndexAny(line, "<>"); at > 0 {
			line = ".* " + line[at:]
		}
		all.WriteString(line)
	}
	return all.String()
}

// BenchmarkLog measures the cost of keeping a line.
func BenchmarkLog(b *testing.B) {
	l := &Log{Name: "stash", To: &Transcript{}}
	line := "info depth 30 seldepth 44 multipv 1 score cp 33 nodes 1234567 nps 1234567 pv e2e4 e7e5 g1f3 b8c6"
	b.ReportAllocs()
	for b.Loop() {
		l.add('<', line)
	}
}
