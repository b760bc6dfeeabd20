//go:build unix

package process

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sender writes to a pipe without waiting. Its function is made once, to save allocations.
type sender struct {
	conn syscall.RawConn // nil if there is none
	text []byte
	sent int
	try  func(fd uintptr) bool // writes text and sets sent
}

// newSender returns a sender to f.
func newSender(f *os.File) *sender {
	s := &sender{}
	s.conn, _ = f.SyscallConn() // without one the writer gets all text
	s.try = func(fd uintptr) bool {
		s.sent, _ = transfer(syscall.SYS_WRITE, fd, s.text)
		return true
	}
	return s
}

// send writes the part of text that the pipe takes at once, and
// returns the rest for the writer, which meets any error again.
func (s *sender) send(text string) (rest string) {
	s.text, s.sent = append(s.text[:0], text...), 0
	if s.conn == nil || s.conn.Write(s.try) != nil {
		return text
	}
	return text[s.sent:]
}

// receiver reads a pipe.
// The reader's own thread waits in poll(2).
// The runtime's poller would wake a second thread for every
// line, and on a busy machine each waits for a processor.
type receiver struct {
	fd       int
	deadline atomic.Int64 // in nanoseconds since opened; 0 for none
	opened   time.Time    // with a monotonic part, so that steps of the machine's clock move no deadline
	closed   atomic.Bool
	waiting  atomic.Bool   // a read has begun and may not see changes
	woken    int           // a pipe whose byte, written by wake, ends the wait
	wake     *os.File      // safe to use after it is closed
	use      sync.Mutex    // held while fd and woken are in use
	polled   []unix.PollFd // made once
}

// longestWait bounds one wait in poll(2), so that a lost wake-up costs no more than this.
const longestWait = time.Second

// newOutput returns the end of a pipe for reading, and the end for a program.
func newOutput() (output, *os.File, error) {
	woken, wake, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer woken.Close()
	ours, theirs, err := os.Pipe()
	if err != nil {
		wake.Close()
		return nil, nil, err
	}
	defer ours.Close()
	r := &receiver{wake: wake, opened: time.Now()}
	if r.fd, err = duplicate(ours); err == nil {
		if r.woken, err = duplicate(woken); err != nil {
			unix.Close(r.fd)
		}
	}
	if err != nil {
		closeAll(wake, theirs)
		return nil, nil, err
	}
	r.polled = []unix.PollFd{{Fd: int32(r.fd), Events: unix.POLLIN}, {Fd: int32(r.woken), Events: unix.POLLIN}}
	return r, theirs, nil
}

// duplicate returns a non-blocking descriptor of f outside the runtime's poller.
func duplicate(f *os.File) (fd int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	failed := conn.Control(func(own uintptr) { fd, err = unix.FcntlInt(own, unix.F_DUPFD_CLOEXEC, 0) })
	return fd, errors.Join(failed, err)
}

// SetReadDeadline implements output.
func (r *receiver) SetReadDeadline(t time.Time) error {
	at := int64(0)
	if !t.IsZero() {
		at = max(int64(t.Sub(r.opened)), 1)
	}
	r.deadline.Store(at)
	if r.waiting.Load() {
		_, err := r.wake.Write([]byte{0})
		return err
	}
	return nil
}

// Close implements io.Closer. A reader gets os.ErrClosed.
func (r *receiver) Close() error {
	if r.closed.Swap(true) {
		return os.ErrClosed
	}
	err := r.wake.Close() // this ends waiting, too
	r.use.Lock()
	defer r.use.Unlock()
	return errors.Join(err, unix.Close(r.fd), unix.Close(r.woken))
}

// Read implements io.Reader.
func (r *receiver) Read(buf []byte) (int, error) {
	r.use.Lock()
	defer r.use.Unlock()
	r.waiting.Store(true)
	defer r.waiting.Store(false)
	for {
		wait := longestWait
		if at := r.deadline.Load(); at != 0 {
			left := time.Duration(at) - time.Since(r.opened)
			if left <= 0 {
				return 0, os.ErrDeadlineExceeded
			}
			wait = min(left, wait)
		}
		switch n, err := r.read(buf); {
		case err == nil && n == 0 && len(buf) > 0:
			return 0, io.EOF
		case err != syscall.EAGAIN:
			return n, err
		}
		if _, err := unix.Poll(r.polled, int(wait.Milliseconds())+1); err != nil && err != syscall.EINTR {
			return 0, err
		}
		if r.polled[1].Revents != 0 && !r.closed.Load() {
			transfer(syscall.SYS_READ, uintptr(r.woken), make([]byte, 64))
		}
	}
}

// read reads without waiting. use must be held.
func (r *receiver) read(buf []byte) (int, error) {
	if r.closed.Load() {
		return 0, os.ErrClosed
	}
	n, err := transfer(syscall.SYS_READ, uintptr(r.fd), buf)
	if err != 0 {
		return 0, err
	}
	return n, nil
}

// readNow implements output.
func (r *receiver) readNow(buf []byte) int {
	r.use.Lock()
	defer r.use.Unlock()
	n, _ := r.read(buf) // the next read meets its error
	return n
}
