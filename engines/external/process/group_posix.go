//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// group is the process group of a program.
// On Linux the program dies with this process, even by kill -9, and the guard then kills the rest.
type group struct {
	pid  int
	mark string // in the environment of the program and its descendants
}

// startGuarded starts a program by start and guards it.
func (g *group) startGuarded(cmd *exec.Cmd, start func() error) error {
	return guard.start(func(mark string) (pid int, err error) {
		cmd.Env = append(cmd.Env, mark)
		if err := start(); err != nil {
			return 0, err
		}
		g.pid, g.mark = cmd.Process.Pid, mark
		return g.pid, nil
	})
}

// kill ends all of the group. An empty group is no error.
func (g *group) kill() { syscall.Kill(-g.pid, syscall.SIGKILL) }

// ended ends the processes that the program left outside its group.
// It must be called after the program has ended and before it is reaped.
func (g *group) ended() {
	guard.endOrphans(g.mark, g.pid)
	guard.end(g.pid)
}

// close does nothing here.
func (g *group) close() {}
