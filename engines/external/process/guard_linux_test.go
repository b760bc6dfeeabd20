package process

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// parting is a program that prints the numbers of the processes it leaves behind: a child
// in its group, a child in a session of its own, and a child whose parent has ended.
const parting = `sleep 1000 & echo $!
setsid sh -c 'echo $$; exec sleep 1000' &
setsid sh -c 'sh -c "echo \$\$; exec sleep 1000" & wait'  &
`

const descendants = 3

const holderKey = "SELFPLAYLAB_HOLDER"

func TestMain(m *testing.M) {
	if os.Getenv(holderKey) != "" {
		hold()
	}
	os.Exit(m.Run())
}

// hold starts a program, prints the numbers of its processes, and hangs.
func hold() {
	l, pids := startParting("read x")
	fmt.Println(l.PID(), strings.Trim(fmt.Sprint(pids), "[]"))
	select {}
}

// startParting starts the program, which ends by last.
func startParting(last string) (*Link, []int) {
	l, err := Start(context.Background(), Command{Name: "parting", Path: "/bin/sh", Args: []string{"-c", parting + last}}, Options{})
	if err != nil {
		panic(err)
	}
	var pids []int
	err = l.Ask(context.Background(), Request{What: "starting", Wait: time.Minute, Line: func(line string) (bool, error) {
		pid, err := strconv.Atoi(line)
		pids = append(pids, pid)
		return len(pids) == descendants, err
	}})
	if err != nil {
		panic(err)
	}
	return l, pids
}

// ends waits until a process has ended.
func ends(t *testing.T, pid int) {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err == unix.ESRCH {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		switch n, err := unix.Poll(poll, 60_000); {
		case err == unix.EINTR:
		case err != nil:
			t.Fatal(err)
		case n == 0:
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			t.Fatalf("process %d lives on: %q", pid, text)
		default:
			return
		}
	}
}

// TestCloseLeavesNoProcess expects that all processes of a program are
// dead and reaped when it is closed, also if it ended by itself before.
func TestCloseLeavesNoProcess(t *testing.T) {
	for _, last := range []string{"read x", "read x; exit 3", "exec sleep 1000"} {
		l, pids := startParting(last)
		other, others := startParting("read x")
		if strings.Contains(last, "exit") {
			l.Send("go\n")
			<-l.dead
		}
		l.Close("")
		for _, pid := range pids {
			if err := syscall.Kill(pid, 0); err != syscall.ESRCH && pid != pids[0] {
				t.Errorf("%s: process %d is left: %v", last, pid, err)
			}
			ends(t, pid)
		}
		for _, pid := range others {
			if err := syscall.Kill(pid, 0); err != nil {
				t.Errorf("process %d of another program: %v", pid, err)
			}
		}
		other.Close("")
	}
}

// TestOrphanIsReaped expects that an orphan of a running program is reaped when it ends.
func TestOrphanIsReaped(t *testing.T) {
	l, err := Start(t.Context(), Command{Name: "x", Path: "/bin/sh", Args: []string{"-c", `(sh -c 'echo $$' &); echo 0; read x`}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close("")
	orphan, lines := 0, 0
	err = l.Ask(t.Context(), Request{What: "starting", Wait: time.Minute, Line: func(line string) (bool, error) {
		pid, err := strconv.Atoi(line)
		orphan += pid
		lines++
		return lines == 2, err // its parent has ended by the second line
	}})
	if err != nil {
		t.Fatal(err)
	}
	ends(t, orphan)
	guard.reap()
	if err := syscall.Kill(orphan, 0); err != syscall.ESRCH || !l.Alive() {
		t.Errorf("orphan %d: %v", orphan, err)
	}
}

// TestNoProcessOutlivesUs kills this process without warning, or
// by the terminal's end: all descendants of its programs end.
func TestNoProcessOutlivesUs(t *testing.T) {
	for _, sent := range []os.Signal{syscall.SIGKILL, syscall.SIGHUP, syscall.SIGSEGV} {
		if signal.Ignored(sent) { // as under nohup; the child would inherit the setting and survive
			t.Logf("%v is ignored here, so that nothing is killed by it: not tested", sent)
			continue
		}
		c := exec.Command("/proc/self/exe")
		c.Env = append(os.Environ(), holderKey+"=1")
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		c.Wait() // killed, as intended
		words := strings.Fields(line)
		if len(words) != 1+descendants {
			t.Fatalf("numbers: %q", line)
		}
		for _, word := range words {
			pid, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			ends(t, pid)
		}
	}
}
