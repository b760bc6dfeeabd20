// Package clitest tests the commands as people run them: as processes, by
// scripts and by kills. It holds what the tests of several commands share, and
// is imported by tests alone.
package clitest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"selfplaylab/engines"
	"selfplaylab/reports"
)

// Main is a TestMain. The test binary takes the part of the command when it is
// started under its name, and that name, mockName and Broker are on the PATH of
// all that it starts. Reports get images where imagesVariable says so.
func Main(m *testing.M, name string, main func()) {
	if os.Getenv(imagesVariable) == "" {
		reports.PNG = point
	}
	testscript.Main(m, map[string]func(){name: stops(main), mockName: mockEngine, Broker: broker})
}

// Quick are limits with which a decision of a game's player takes no time: a ply
// and a hundred nodes, as far as it counts them.
func Quick(game *engines.Game) string {
	var l engines.Limits
	if _, counts := game.Budget(engines.BudgetDepth); counts {
		l.Depth = 1
	}
	if _, counts := game.Budget(engines.BudgetNodes); counts {
		l.Nodes = 100
	}
	if l.IsZero() {
		l.Time = time.Second
	}
	return l.String()
}

// SkipUnderRace skips a test of many games under the race detector, which makes
// games ten times as slow and finds nothing in it that the scripts do not show.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	if race {
		t.Skip("too many games for the race detector")
	}
}

// Process is a command that was started.
type Process struct {
	cmd            *exec.Cmd
	stdout, stderr text
	ended          chan struct{} // closed at its end
	err            error         // then
}

// Result is how a process ended.
type Result struct {
	Code           int // of the exit; -1 after a kill
	Stdout, Stderr string
}

// text is a buffer that may be read while a process writes to it.
type text struct {
	mu   sync.Mutex
	b    bytes.Buffer
	more chan struct{} // has something after every write
}

func (t *text) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case t.more <- struct{}{}:
	default:
	}
	return t.b.Write(b)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// Start starts a program of the PATH in dir. It is killed at the test's end.
func Start(t testing.TB, dir, name string, args ...string) *Process {
	t.Helper()
	p := &Process{cmd: exec.Command(name, args...)}
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
func (p *Process) Signal(t testing.TB, s os.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// Stderr returns what the process has written so far.
func (p *Process) Stderr() string { return p.stderr.String() }

// Ended reports whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// Wait waits for a process to end.
func (p *Process) Wait(t testing.TB) Result {
	t.Helper()
	<-p.ended
	if _, exited := errors.AsType[*exec.ExitError](p.err); p.err != nil && !exited {
		t.Fatal(p.err)
	}
	return Result{p.cmd.ProcessState.ExitCode(), p.stdout.String(), p.stderr.String()}
}

// Said waits until the process has said something on standard error, and returns
// the first submatch.
func (p *Process) Said(t testing.TB, what *regexp.Regexp) string {
	t.Helper()
	for {
		if m := what.FindStringSubmatch(p.stderr.String()); m != nil {
			return m[1]
		}
		select {
		case <-p.stderr.more:
		case <-p.ended:
			if m := what.FindStringSubmatch(p.stderr.String()); m != nil {
				return m[1]
			}
			t.Fatalf("it ended without saying %s:\n%s", what, p.stderr.String())
		}
	}
}

// Run starts a program and waits for it.
func Run(t testing.TB, dir, name string, args ...string) Result {
	t.Helper()
	return Start(t, dir, name, args...).Wait(t)
}

// OK runs a program that must succeed.
func OK(t testing.TB, dir, name string, args ...string) Result {
	t.Helper()
	r := Run(t, dir, name, args...)
	if r.Code != 0 {
		t.Fatalf("%s %q in %s: exit code %d\n%s", name, args, dir, r.Code, r.Stderr)
	}
	return r
}

// Kill kills a process, which must not have failed before, and reports whether it
// was still alive. Exit code 3 is no failure: tune ends with it where nothing was shown.
func (p *Process) Kill(t testing.TB) (alive bool) {
	t.Helper()
	p.Signal(t, os.Kill)
	r := p.Wait(t)
	if r.Code > 0 && r.Code != 3 {
		t.Fatalf("exit code %d before the kill:\n%s", r.Code, r.Stderr)
	}
	return r.Code < 0
}

// Repeatable reports whether a file of a run directory must have the same bytes
// in every run that was asked the same.
func Repeatable(path string) bool {
	return strings.HasSuffix(path, ".parquet") || filepath.Base(path) == "tuned.toml"
}

// Kept reports whether a file of a run directory must outlive a command that
// fails: all but the lock and the list of sessions.
func Kept(path string) bool {
	name := filepath.Base(path)
	return name != "run.lock" && name != "sessions.jsonl"
}

// Same compares the chosen files below two folders: the same names, the same
// bytes, and at least one.
func Same(a, b string, choose func(path string) bool) error {
	left, err := files(a, choose)
	if err != nil {
		return err
	}
	right, err := files(b, choose)
	if err != nil {
		return err
	}
	if len(left)+len(right) == 0 {
		return fmt.Errorf("nothing to compare in %s and %s", a, b)
	}
	all := maps.Clone(left)
	maps.Copy(all, right)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		x, inA := left[name]
		y, inB := right[name]
		switch {
		case !inA:
			return fmt.Errorf("%s is in %s but not in %s", name, b, a)
		case !inB:
			return fmt.Errorf("%s is in %s but not in %s", name, a, b)
		case !bytes.Equal(x, y):
			return fmt.Errorf("%s differs between %s (%d bytes) and %s (%d bytes)", name, a, len(x), b, len(y))
		}
	}
	return nil
}

// files reads the chosen files below dir by their slashed paths there.
func files(dir string, choose func(string) bool) (map[string][]byte, error) {
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !choose(path) {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		found[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	return found, err
}
