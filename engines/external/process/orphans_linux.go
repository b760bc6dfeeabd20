package process

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of processes whose
// own parent, a program or a descendant of one, has ended.
func adoptOrphans() {
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // an old kernel leaves orphans to init
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, unix.SIGCHLD)
	go func() {
		for range ended {
			guard.reap()
		}
	}()
}

// reap reaps the orphans in the groups of running programs that have
// ended by themselves, because a program may leave one with every move.
func (g *guards) reap() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, pid := range children(os.Getpid(), os.Getpid()) {
		if group, err := unix.Getpgid(pid); err == nil && g.running[group] && !g.running[pid] {
			unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// maxLooks is the largest number of looks at an orphan that shows no environment.
const maxLooks = 50

// endOrphans kills and reaps the processes with a mark that an ended program left.
// The children of a killed process may become ours, so it looks again.
// It looks again after a millisecond at a process in
// the middle of exec, which shows no environment.
func (g *guards) endOrphans(mark string, group int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	looks := 0
	for again := true; again; {
		again = false
		for _, pid := range children(os.Getpid(), os.Getpid()) {
			if g.running[pid] {
				continue
			}
			switch marked, known := hasMark(pid, mark); {
			case marked:
				again = unix.Kill(pid, unix.SIGKILL) == nil || again
				unix.Wait4(pid, nil, 0, nil)
			case isOrphan(pid, group):
				if ended, _ := unix.Wait4(pid, nil, unix.WNOHANG, nil); ended == 0 && !known && looks < maxLooks {
					again = true
					looks++
					time.Sleep(time.Millisecond)
				}
			}
		}
	}
}

// children returns the child processes of a process's
// thread; none if the kernel does not list them.
// Orphans are given to the first thread.
func children(pid, thread int) (pids []int) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, thread))
	if err != nil {
		return nil
	}
	for _, word := range strings.Fields(string(data)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// hasMark reports whether a process has a mark in its environment.
// known is false while it shows no environment.
func hasMark(pid int, mark string) (marked, known bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && slices.Contains(strings.Split(string(data), "\x00"), mark), len(data) > 0
}

// isOrphan reports whether an ended child, which shows no environment,
// came from a program: it has the program's group or a session of its own.
func isOrphan(pid, group int) bool {
	pgid, err := unix.Getpgid(pid)
	if err != nil {
		return false
	}
	session, err := unix.Getsid(pid)
	ours, oursErr := unix.Getsid(0)
	return pgid == group || err == nil && oursErr == nil && session != ours
}
