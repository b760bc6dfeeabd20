//go:build unix

package process

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
)

// guard sees to it that no program outlives us. While we live, close ends a program
// with its group; if we are killed, a shell in a group of its own reads the end of a
// pipe and kills what is still running. It costs one process, not one for each program.
var guard guards

type guards struct {
	mu      sync.Mutex
	started bool
	pipe    *os.File     // to the shell; nil if there is none
	running map[int]bool // the programs' process groups, by their leaders
	token   string       // unlike that of any other process of ours
	number  int          // of marks given
}

// markName is the environment variable by which a descendant of a program is known,
// also one that left the program's group.
const markName = "SELFPLAYLAB_ENGINE"

// guardScript keeps the latest line of process groups. At the end of its input it kills
// them, and the processes with our token in their environment, which Linux shows: but not
// while a process becomes another program, so it looks again after seconds.
const guardScript = `trap '' INT TERM HUP
while read -r line; do groups=$line; done
for g in $groups; do kill -9 -- "-$g"; done
for pause in 0 0 0 1 3; do
  sleep "$pause"
  for p in $(grep -lsF "` + markName + `=$0." /proc/[0-9]*/environ); do p=${p#/proc/}; kill -9 "${p%/environ}"; done
done`

// start runs f, which starts a program marked by mark in its environment, and has it
// guarded.
func (g *guards) start(f func(mark string) (pid int, err error)) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.started {
		g.started, g.running, g.token = true, map[int]bool{}, rand.Text()
		g.pipe = startGuard(g.token)
		adoptOrphans()
	}
	g.number++
	pid, err := f(fmt.Sprintf("%s=%s.%d.", markName, g.token, g.number))
	if err == nil {
		g.running[pid] = true
		g.tell()
	}
	return err
}

// end forgets a program that has ended and is not reaped yet: later its number may be
// another's.
func (g *guards) end(pid int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, pid)
	g.tell()
}

// tell writes the groups that run as a line to the shell.
func (g *guards) tell() {
	if g.pipe == nil {
		return
	}
	var line strings.Builder
	for pid := range g.running {
		fmt.Fprintf(&line, "%d ", pid)
	}
	if _, err := io.WriteString(g.pipe, line.String()+"\n"); err != nil {
		g.pipe = nil // somebody ended the shell; programs still end with us, only their children do not
	}
}

// startGuard starts the shell. Without one nil is returned, and a kill of this process
// ends the programs only.
func startGuard(token string) *os.File {
	read, write, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer read.Close()
	cmd := exec.Command("/bin/sh", "-c", guardScript, token)
	cmd.Stdin, cmd.Dir, cmd.SysProcAttr = read, "/", &syscall.SysProcAttr{Setpgid: true}
	if cmd.Start() != nil {
		write.Close()
		return nil
	}
	go cmd.Wait() // it ends after us, or somebody ends it
	return write
}

// startGuarded starts a program by start.
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

// kill ends all of the group. A group without members is no error.
func (g *group) kill() { syscall.Kill(-g.pid, syscall.SIGKILL) }

// ended ends what the program left behind outside its group. It is called when the
// program has ended, before its number can be another's.
func (g *group) ended() {
	guard.endOrphans(g.mark, g.pid)
	guard.end(g.pid)
}

func (g *group) close() {}
