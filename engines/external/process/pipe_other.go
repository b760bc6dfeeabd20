//go:build !unix

package process

import (
	"io"
	"net"
	"os"
	"time"
)

// sender sends nothing at once here, because pipes have
// no writes without waiting: the writer gets all text.
type sender struct{}

// newSender returns a sender.
func newSender(*os.File) *sender { return &sender{} }

// send returns all text.
func (*sender) send(text string) (rest string) { return text }

// receiver reads a pipe through another one that supports deadlines.
type receiver struct{ net.Conn }

// newOutput returns a pipe's end for reading, and the end for a program.
func newOutput() (output, *os.File, error) {
	f, end, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	ours, theirs := net.Pipe()
	go func() {
		io.Copy(theirs, f)
		theirs.Close()
		f.Close()
	}()
	return receiver{ours}, end, nil
}

// readNow implements output. It waits a moment for the program's output to arrive.
func (r receiver) readNow(buf []byte) int {
	r.SetReadDeadline(time.Now().Add(time.Millisecond))
	n, _ := r.Read(buf) // the next read meets its error
	return n
}
