package process

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxFirst bounds the first lines of a Transcript, in bytes. Of later lines it keeps the last
// ringSize bytes.
const maxFirst = 448 << 10

// Transcript keeps the lines of a game that programs were sent and wrote: all lines of most games,
// the first and the last ones of a long one. One goroutine at a time may use it.
type Transcript struct {
	begun time.Time // of the first line
	line  []byte    // memory of a line
	first []byte
	last  ring
	more  int // bytes of the lines after first
}

// Add adds a line in the form of cutechess: milliseconds since the first line, a mark ('>' for
// a line that was sent, '<' for one that was received) and the name of the program.
func (t *Transcript) Add(mark byte, name, line string) {
	now := time.Now()
	if t.begun.IsZero() {
		t.begun = now
	}
	b := append(strconv.AppendInt(t.line[:0], now.Sub(t.begun).Milliseconds(), 10), ' ', mark)
	t.line = append(append(append(append(b, name...), ": "...), line...), '\n')
	if t.more == 0 && len(t.first)+len(t.line) <= maxFirst {
		t.first = append(t.first, t.line...)
		return
	}
	t.more += len(t.line)
	t.last.Write(t.line)
}

// String returns the lines, and says where some are left out.
func (t *Transcript) String() string {
	last := t.last.String()
	if t.more > len(last) {
		_, last, _ = strings.Cut(last, "\n")
		last = fmt.Sprintf("... %d bytes of lines are left out here ...\n%s", t.more-len(last), last)
	}
	return string(t.first) + last
}

// Reset forgets all lines and keeps the memory.
func (t *Transcript) Reset() {
	t.begun, t.first, t.more, t.last.at, t.last.full = time.Time{}, t.first[:0], 0, 0, false
}

// Log gives a Transcript the lines of one program. A nil Log keeps none.
type Log struct {
	Name string // of the program, in the transcript
	To   *Transcript
}

// add adds lines.
func (l *Log) add(mark byte, text string) {
	if l == nil {
		return
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		l.To.Add(mark, l.Name, strings.TrimSuffix(line, "\r"))
	}
}
