package process

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// ringSize is the number of bytes of a program's stderr that are kept.
const ringSize = 64 << 10

// quoteSize is the number of bytes of stderr in a fault.
const quoteSize = 400

// ring keeps the last ringSize bytes written to it. It is safe for concurrent use.
type ring struct {
	mu   sync.Mutex
	data []byte
	at   int  // index of the next byte
	full bool // all of data is used
}

// Write implements io.Writer. It never fails and never waits.
func (r *ring) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.data == nil {
		r.data = make([]byte, ringSize)
	}
	n := len(b)
	if len(b) > ringSize {
		b = b[len(b)-ringSize:]
	}
	for len(b) > 0 {
		k := copy(r.data[r.at:], b)
		b = b[k:]
		if r.at += k; r.at == ringSize {
			r.at, r.full = 0, true
		}
	}
	return n, nil
}

// String returns the kept bytes, oldest first.
func (r *ring) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.full {
		return string(r.data[:r.at])
	}
	return string(r.data[r.at:]) + string(r.data[:r.at])
}

// quote returns the kept bytes as one printable line.
// It cuts long output in the middle, because programs name the error first or last.
func (r *ring) quote() string {
	text := strings.TrimSpace(strings.ToValidUTF8(r.String(), "?"))
	if len(text) > quoteSize {
		head, tail := text[:quoteSize/2], text[len(text)-quoteSize/2:]
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		text = strings.ToValidUTF8(head, "") + " … " + tail
	}
	return strings.Join(strings.Fields(text), " ")
}

// Shorten returns a line of a program, quoted and cut for an error.
func Shorten(line string) string {
	const most = 200
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "?") + "…"
	}
	return line
}
