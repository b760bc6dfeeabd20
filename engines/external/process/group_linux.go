package process

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// start starts the program in a group of its own. memory bounds its data in bytes; 0 is no bound.
func (g *group) start(cmd *exec.Cmd, memory int64) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var ours unix.CPUSet // of this thread, which may be bound to one processor
	if err := unix.SchedGetaffinity(0, &ours); err != nil {
		return fmt.Errorf("processors: %w", err)
	}
	start := func() error { return onProcessors(&ours, cmd.Start) }
	if err := g.startGuarded(cmd, func() error { return onStarter(start) }); err != nil {
		return err
	}
	if memory <= 0 {
		return nil
	}
	limit := unix.Rlimit{Cur: uint64(memory), Max: uint64(memory)}
	if err := unix.Prlimit(g.pid, unix.RLIMIT_DATA, &limit, nil); err != nil {
		g.kill()
		g.ended()
		cmd.Wait() // the error is that of start
		return fmt.Errorf("bounding its memory to %d bytes: %w", memory, err)
	}
	return nil
}

// onProcessors runs f on this thread bound to the given
// processors, and restores the thread's own afterwards.
func onProcessors(set *unix.CPUSet, f func() error) error {
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("processors: %w", err)
	}
	if before == *set {
		return f()
	}
	if err := unix.SchedSetaffinity(0, set); err != nil {
		return fmt.Errorf("binding to processors: %w", err)
	}
	return errors.Join(f(), unix.SchedSetaffinity(0, &before))
}

// awaitExit returns when the program has ended, and does not reap it.
// Until it is reaped, no other process has its number.
func (g *group) awaitExit(cmd *exec.Cmd) (status error, reaped bool) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return nil, false
		}
	}
}

// starter starts every process from one thread that lives as long as this process. The kernel
// signals its parent's death to a child when the thread that made the child ends (prctl(2),
// PR_SET_PDEATHSIG), and Go's threads come and go.
var starter = sync.OnceValue(func() chan<- func() {
	requests := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range requests {
			f()
		}
	}()
	return requests
})

// onStarter runs f on the starter's thread and returns its error.
func onStarter(f func() error) error {
	done := make(chan error, 1)
	starter() <- func() { done <- f() }
	return <-done
}
