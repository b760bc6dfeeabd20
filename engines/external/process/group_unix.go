//go:build unix && !linux

package process

import (
	"errors"
	"os/exec"
	"syscall"
)

// group is the process group of a program.
type group struct {
	pid  int
	mark string // in the environment of the program and its descendants
}

func (g *group) start(cmd *exec.Cmd, memory int64) error {
	if memory > 0 {
		return errors.New("a bound on memory is kept on Linux only; leave memory out of the engine file")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return g.startGuarded(cmd, cmd.Start)
}

// awaitExit reaps the program when it has ended, since the syscall package
// cannot wait here without that, and kills what is left of its group at once.
func (g *group) awaitExit(cmd *exec.Cmd) (status error, reaped bool) {
	status = cmd.Wait()
	g.kill()
	return status, true
}
