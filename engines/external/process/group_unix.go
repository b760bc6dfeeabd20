//go:build unix && !linux

package process

import (
	"errors"
	"os/exec"
	"syscall"
)

// start starts the program in a group of its own. It refuses a bound on memory.
func (g *group) start(cmd *exec.Cmd, memory int64) error {
	if memory > 0 {
		return errors.New("a bound on memory is kept on Linux only; leave memory out of the engine file")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return g.startGuarded(cmd, cmd.Start)
}

// awaitExit reaps the program when it has ended, because package syscall
// cannot wait without that here, and kills the rest of its group at once.
func (g *group) awaitExit(cmd *exec.Cmd) (status error, reaped bool) {
	status = cmd.Wait()
	g.kill()
	return status, true
}
