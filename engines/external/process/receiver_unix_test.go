//go:build unix

package process

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"
)

// TestReceiverWakesForEveryEvent expects that a waiting reader notices a new
// deadline, bytes, the end and Close, and that bytes are not read after the deadline.
func TestReceiverWakesForEveryEvent(t *testing.T) {
	out, program, err := newOutput()
	if err != nil {
		t.Fatal(err)
	}
	read := func(meanwhile func() error) (string, error) {
		t.Helper()
		done := make(chan error, 1)
		go func() { done <- meanwhile() }()
		buf := make([]byte, 10)
		n, err := out.Read(buf)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		return string(buf[:n]), err
	}
	write := func() error { _, err := program.WriteString("a"); return err }
	for range 1000 {
		if text, err := read(write); text != "a" || err != nil {
			t.Fatalf("%q, %v", text, err)
		}
		if text, err := read(func() error { return out.SetReadDeadline(time.Now()) }); text != "" || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%q, %v; want the deadline", text, err)
		}
		if text, err := read(write); text != "" || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%q, %v; want the deadline still", text, err)
		}
		buf := make([]byte, 2)
		if n := out.readNow(buf); n != 1 || out.readNow(buf) != 0 {
			t.Fatalf("%d bytes without waiting; want 1", n)
		}
		if err := out.SetReadDeadline(time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := read(program.Close); text != "" || err != io.EOF {
		t.Fatalf("%q, %v; want the end", text, err)
	}
	other, program, err := newOutput()
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	first := out
	out = other
	if text, err := read(out.Close); text != "" || !errors.Is(err, os.ErrClosed) {
		t.Fatalf("%q, %v; want that it is closed", text, err)
	}
	if err := errors.Join(first.Close(), first.Close()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
}
