package external_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/games"
)

// group lists the living processes of a process group.
func group(t testing.TB, pgid int) (members []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended meanwhile
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		f := strings.Fields(rest) // state, parent, group
		if len(f) > 2 && f[0] != "Z" && f[2] == strconv.Itoa(pgid) {
			members = append(members, pid)
		}
	}
	return members
}

// openFiles counts our file descriptors.
func openFiles(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// TestMemoryBoundEndsProgram expects that the bound on memory ends a program that grows.
func TestMemoryBoundEndsProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts a program")
	}
	t.Parallel()
	v := variant(t, "connectfour", small)
	p := openMock(t, "memory=2", v, "memory = 512")
	o := game(t, v, [2]engines.Player{p, p2(t, v)}, engines.Opening{}, [2]engines.Limits{}, 1)
	// The report depends on the place in the runtime where memory ends.
	if o.reason != engines.Crash || o.result != engines.SecondWins || !strings.Contains(o.detail, "(its memory is limited to 512 MiB)") {
		t.Errorf("ended %v by %q: %.300s; want a crash that tells the limit", o.result, o.reason, o.detail)
	}
}

// TestChildrenEndWithProgram expects that a process that the program
// leaves behind ends with it, also when the program ended by itself.
func TestChildrenEndWithProgram(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	p, err := mockFile(t, "child").Open(context.Background(), v, process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(group(t, p.PID())); n != 2 {
		t.Errorf("%d processes in the group; want the program and its child", n)
	}
	gone(t, p)
}

// cpuTime returns the processor time of this process.
func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// holder opens a program that hangs, prints its number and waits to be killed.
func holder(args []string) {
	t := &external.Engine{EngineFile: protocol.EngineFile{Name: "held", Games: []protocol.Played{{Game: "connectfour", Rules: small}}}, Cmd: must(os.Executable()), Args: []string{"connectfour", small, "good"}, Dir: os.TempDir(),
		Env: []string{mockKey + "=ugi"}, Protocol: "ugi"}
	g := must(games.Find("connectfour"))
	p := must(t.Open(context.Background(), must(g.Open(must(engines.ParseRules(small)))), process.Options{}))
	fmt.Println(p.PID())
	block()
}

// TestKillEndsProgram kills this process without warning: the program ends, too.
func TestKillEndsProgram(t *testing.T) {
	t.Parallel()
	c := exec.Command(must(os.Executable()))
	c.Env = append(os.Environ(), mockKey+"=holder")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.Wait() // killed, as intended
	if !ends(t, pid) {
		t.Errorf("process %d lives on", pid)
	}
}

// ends waits until a killed process has ended, for half a minute at most.
func ends(t testing.TB, pid int) bool {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err == unix.ESRCH {
		return true
	}
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}} // readable when it has ended
	for {
		n, err := unix.Poll(poll, 30_000)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return n == 1
	}
}
