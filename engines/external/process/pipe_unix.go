//go:build unix

package process

import (
	"io"
	"os"
	"syscall"
	"time"
)

// sender writes to a pipe without waiting. What it needs for that is made once.
type sender struct {
	conn syscall.RawConn // nil if there is none
	text []byte
	sent int
	try  func(fd uintptr) bool
}

func newSender(f *os.File) *sender {
	s := &sender{}
	s.conn, _ = f.SyscallConn() // without one all is left to the writer
	s.try = func(fd uintptr) bool {
		s.sent, _ = transfer(syscall.SYS_WRITE, fd, s.text)
		return true
	}
	return s
}

// send writes as much of text as the pipe takes at once, and returns the rest for the
// writer. An error is left to the writer to meet again.
func (s *sender) send(text string) (rest string) {
	s.text, s.sent = append(s.text[:0], text...), 0
	if s.conn == nil || s.conn.Write(s.try) != nil {
		return text
	}
	return text[s.sent:]
}

// receiver reads a pipe.
type receiver struct {
	*os.File
	conn syscall.RawConn
	buf  []byte
	n    int
	err  syscall.Errno
	wait bool // for something to read
	try  func(fd uintptr) bool
}

// newOutput returns output whose reading keeps deadlines.
func newOutput(f *os.File) (output, error) {
	conn, err := f.SyscallConn()
	r := &receiver{File: f, conn: conn}
	r.try = func(fd uintptr) bool {
		r.n, r.err = transfer(syscall.SYS_READ, fd, r.buf)
		return r.err != syscall.EAGAIN || !r.wait
	}
	return r, err
}

// Read implements io.Reader.
func (r *receiver) Read(buf []byte) (int, error) {
	r.buf, r.wait = buf, true
	if err := r.conn.Read(r.try); err != nil {
		return 0, err
	}
	switch {
	case r.err != 0:
		return 0, r.err
	case r.n == 0:
		return 0, io.EOF
	}
	return r.n, nil
}

// readNow implements output.
func (r *receiver) readNow(buf []byte) int {
	r.SetReadDeadline(time.Time{}) // one that is over would hide what stands there
	r.buf, r.wait = buf, false
	if r.conn.Read(r.try) != nil {
		return 0 // whoever reads again and waits meets its error
	}
	return r.n
}
