package process

import (
	"context"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestProgramRunsOnWorkersProcessors expects that a program runs on the processors
// of the worker that starts it, and the next worker's program on its own.
func TestProgramRunsOnWorkersProcessors(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	if all.Count() < 2 {
		t.Skip("one processor")
	}
	for cpu := range len(all) * 64 {
		if !all.IsSet(cpu) {
			continue
		}
		var one unix.CPUSet
		one.Set(cpu)
		if got := startedBy(t, one); got != one {
			t.Errorf("on processor %d: the program runs on %d", cpu, got.Count())
		}
	}
	if got := startedBy(t, all); got != all {
		t.Errorf("on all %d: the program runs on %d", all.Count(), got.Count())
	}
}

// startedBy returns the processors of a program started by a thread that is bound to set.
func startedBy(t *testing.T, set unix.CPUSet) (got unix.CPUSet) {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with this
		done <- func() error {
			if err := unix.SchedSetaffinity(0, &set); err != nil {
				return err
			}
			l, err := Start(context.Background(), Command{Name: "cat", Path: "/bin/cat"}, Options{})
			if err != nil {
				return err
			}
			defer l.Close("")
			return unix.SchedGetaffinity(l.PID(), &got)
		}()
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return got
}
