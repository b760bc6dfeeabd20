//go:build unix

package process

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"selfplaylab/engines/testmode"
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

// TestWallClockMovesNoDeadline sets deadlines by a wall clock that was set forward or back.
func TestWallClockMovesNoDeadline(t *testing.T) {
	for _, seconds := range []int64{3600, -3600} {
		out, program, err := newOutput()
		if err != nil {
			t.Fatal(err)
		}
		now := testmode.StepWall(time.Now(), seconds)
		if d := time.Until(now.Round(0)).Round(time.Minute); d != time.Duration(seconds)*time.Second {
			t.Fatalf("the test's wall clock is %v ahead", d)
		}
		if err := out.SetReadDeadline(now); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a deadline that is over: %v", err)
		}
		if err := errors.Join(out.SetReadDeadline(now.Add(time.Minute)), program.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("a minute before the deadline: %v", err)
		}
		out.Close()
	}
}
