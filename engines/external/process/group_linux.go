package process

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is the process group of a program. The program dies with us, even by kill -9,
// and the guard then kills the rest.
type group struct {
	pid  int
	mark string // in the environment of the program and its descendants
}

func (g *group) start(cmd *exec.Cmd, memory int64) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var ours unix.CPUSet // of the worker, which may be bound to one
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
		cmd.Wait() // its end is not what went wrong
		return fmt.Errorf("bounding its memory to %d bytes: %w", memory, err)
	}
	return nil
}

// onProcessors runs f on a thread bound to the given processors, and has the thread's own
// back then.
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

// awaitExit returns when the program has ended, and leaves it to be reaped: so
// long its number cannot be another's.
func (g *group) awaitExit(cmd *exec.Cmd) (status error, reaped bool) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return nil, false
		}
	}
}
