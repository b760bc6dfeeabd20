package selfplay

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/schedule/cluster"
)

// child is a command that was started.
type child struct {
	cmd            *exec.Cmd
	stdout, stderr output
	ended          chan struct{} // closed at its end
	err            error         // then
}

// output is a buffer that may be read while a process writes to it.
type output struct {
	mu   sync.Mutex
	b    bytes.Buffer
	more chan struct{} // has something after every write
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.more <- struct{}{}:
	default:
	}
	return o.b.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// start starts a program of the PATH in dir. It is killed at the test's end.
func start(t testing.TB, dir, name string, args ...string) *child {
	t.Helper()
	p := &child{cmd: exec.Command(name, args...)}
	p.stderr.more = make(chan struct{}, 1)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, &p.stdout, &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.ended = make(chan struct{})
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		if !p.Ended() {
			p.Signal(t, os.Kill)
			<-p.ended
		}
	})
	return p
}

// Signal sends a signal. A process that has just ended takes none, and no harm.
func (c *child) Signal(t testing.TB, s os.Signal) {
	t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// Stderr returns what the process has written so far.
func (c *child) Stderr() string { return c.stderr.String() }

// Ended reports whether the process has ended.
func (c *child) Ended() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// Wait waits for a process to end.
func (c *child) Wait(t testing.TB) clitest.Result {
	t.Helper()
	<-c.ended
	if _, exited := errors.AsType[*exec.ExitError](c.err); c.err != nil && !exited {
		t.Fatal(c.err)
	}
	return clitest.Result{Code: c.cmd.ProcessState.ExitCode(), Stdout: c.stdout.String(), Stderr: c.stderr.String()}
}

// Said waits until the process has said something on standard error, and returns
// the first submatch.
func (c *child) Said(t testing.TB, what *regexp.Regexp) string {
	t.Helper()
	for {
		if m := what.FindStringSubmatch(c.stderr.String()); m != nil {
			return m[1]
		}
		select {
		case <-c.stderr.more:
		case <-c.ended:
			if m := what.FindStringSubmatch(c.stderr.String()); m != nil {
				return m[1]
			}
			t.Fatalf("it ended without saying %s:\n%s", what, c.stderr.String())
		}
	}
}

// Kill kills a process, which must not have failed before, and reports whether it
// was still alive. Exit code 3 is no failure: tune ends with it where nothing was shown.
func (c *child) Kill(t testing.TB) (alive bool) {
	t.Helper()
	c.Signal(t, os.Kill)
	r := c.Wait(t)
	if r.Code > 0 && r.Code != 3 {
		t.Fatalf("exit code %d before the kill:\n%s", r.Code, r.Stderr)
	}
	return r.Code < 0
}

// brokerName is the name of a NATS server on the PATH of all that tests start: it
// listens on its argument, HOST:PORT, until it is killed.
const brokerName = "selfplay-broker"

func runBroker() {
	b, err := cluster.Listen(os.Args[1], cluster.Access{Alone: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "listening", b.URL(""))
	select {}
}
