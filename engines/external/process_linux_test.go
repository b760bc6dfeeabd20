package external_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
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
			continue // it has ended since
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

// TestMemory: the bound on memory ends a program that grows.
func TestMemory(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	p := openMock(t, "memory=2", v, "memory = 512")
	o := game(t, v, [2]engines.Player{p, p2(t, v)}, engines.Opening{}, [2]engines.Limits{}, 1)
	if o.reason != engines.Crash || o.result != engines.SecondWins || !strings.Contains(o.detail, "memory") {
		t.Errorf("ended %v by %q: %.300s; want a crash for want of memory", o.result, o.reason, o.detail)
	}
}

// TestChildren: a process that the program leaves behind ends with it, also when
// the program ended by itself.
func TestChildren(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	p, err := mockFile(t, "child").Open(context.Background(), v, external.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(group(t, p.PID())); n != 2 {
		t.Errorf("%d processes in the group; want the program and its child", n)
	}
	gone(t, p)
}

// cpuTime is the processor time this process has used.
func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
