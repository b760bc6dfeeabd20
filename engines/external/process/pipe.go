package process

import (
	"io"
	"time"
)

// output is a program's output. Reading ends with os.ErrDeadlineExceeded at its deadline.
type output interface {
	io.ReadCloser
	SetReadDeadline(time.Time) error
	// readNow reads the content of the pipe without waiting. It may change the deadline.
	readNow(buf []byte) int
}

// closeAll closes files.
func closeAll(files ...io.Closer) {
	for _, f := range files {
		f.Close()
	}
}
