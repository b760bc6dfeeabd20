//go:build !unix

package process

import (
	"io"
	"net"
	"os"
	"time"
)

// sender cannot write without waiting here: the writer gets all of it.
type sender struct{}

func newSender(*os.File) *sender { return &sender{} }

func (*sender) send(text string) (rest string) { return text }

// receiver reads a pipe by way of another that keeps deadlines.
type receiver struct{ net.Conn }

// newOutput makes a pipe, and returns its end for a program, too.
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

// readNow implements output. It waits a moment for what the program wrote to get here.
func (r receiver) readNow(buf []byte) int {
	r.SetReadDeadline(time.Now().Add(time.Millisecond))
	n, _ := r.Read(buf) // whoever reads again and waits meets its error
	return n
}
