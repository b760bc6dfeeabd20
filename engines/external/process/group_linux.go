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
	if err := g.startGuarded(cmd, func() error { return onStarter(cmd.Start) }); err != nil {
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
