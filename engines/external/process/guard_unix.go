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

// guard makes sure that no program outlives this process.
// While this process lives, close ends a program with its group.
// If this process is killed, a shell in a group of its own
// reads the end of a pipe and kills the running programs.
// It takes one process in all.
var guard guards

// guards is the state of guard.
type guards struct {
	mu      sync.Mutex
	started bool
	pipe    *os.File     // to the shell; nil without one
	running map[int]bool // the programs' process groups, by their leaders
	token   string       // unique among running processes
	number  int          // of marks handed out
}

// markName is the environment variable that marks the
// descendants of a program, also outside the program's group.
const markName = "SELFPLAYLAB_ENGINE"

// guardScript keeps the latest line of process groups.
// At the end of its input it kills them, and the processes
// with our token in their environment, which Linux shows.
// While a process executes another program it shows none, so the script looks again after seconds.
const guardScript = `trap '' INT TERM HUP
while read -r line; do groups=$line; done
for g in $groups; do kill -9 -- "-$g"; done
for pause in 0 0 0 1 3; do
  sleep "$pause"
  for p in $(grep -lsF "` + markName + `=$0." /proc/[0-9]*/environ); do p=${p#/proc/}; kill -9 "${p%/environ}"; done
done`

// start runs f, which starts a program with mark in its environment, and guards the program.
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

// end forgets a program that has ended and is not reaped yet.
// Afterwards its number may belong to another process.
func (g *guards) end(pid int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, pid)
	g.tell()
}

// tell writes the running groups as a line to the shell.
func (g *guards) tell() {
	if g.pipe == nil {
		return
	}
	var line strings.Builder
	for pid := range g.running {
		fmt.Fprintf(&line, "%d ", pid)
	}
	if _, err := io.WriteString(g.pipe, line.String()+"\n"); err != nil {
		g.pipe = nil // the shell was ended from outside; programs still end with this process, but their children do not
	}
}

// startGuard starts the shell.
// It returns nil if that fails; a kill of this process then ends the programs only.
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
	go cmd.Wait() // it ends after this process, or is ended from outside
	return write
}
