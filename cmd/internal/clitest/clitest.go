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
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"selfplaylab/engines"
)

// Main is a TestMain. The test binary takes the part of the command when it is
// started under its name, and that name, mockName and more are on the PATH of
// all that it starts.
func Main(m *testing.M, name string, main func(), more map[string]func()) {
	programs := map[string]func(){name: stops(main), mockName: mockEngine}
	maps.Copy(programs, more)
	testscript.Main(m, programs)
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

// Result is how a process ended.
type Result struct {
	Code           int // of the exit; -1 after a kill
	Stdout, Stderr string
}

// Run starts a program of the PATH in dir and waits for it.
func Run(t testing.TB, dir, name string, args ...string) Result {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if _, exited := errors.AsType[*exec.ExitError](err); !exited {
			t.Fatal(err)
		}
	}
	return Result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
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

// Repeatable reports whether a file of a run directory must have the same bytes in every run with
// equal settings.
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

// RunUntil runs a command in dir until it ends itself as stop says.
func RunUntil(t testing.TB, dir, stop, name string, args ...string) Result {
	t.Helper()
	return Run(t, dir, "env", append([]string{StopVariable + "=" + stop, name}, args...)...)
}

var recorded = regexp.MustCompile(`\ninterrupted; nothing is lost, [0-9,]+ games? recorded(, [0-9]+ of unfinished trials kept)?\. Continue with:\n`)

// Continued checks the end of an interrupted command, and the number of recorded games that it
// prints. It returns the printed command that continues the run.
func Continued(t testing.TB, stop string, res Result) string {
	t.Helper()
	if res.Code != 130 || res.Stdout != "" {
		t.Fatalf("%s: exit code %d, want 130; stdout %q\n%s", stop, res.Code, res.Stdout, res.Stderr)
	}
	if !recorded.MatchString(res.Stderr) {
		t.Errorf("it does not say how many games are recorded:\n%s", res.Stderr)
	}
	_, command, ok := strings.Cut(res.Stderr, ". Continue with:\n  ")
	if !ok {
		t.Fatalf("no command to continue with:\n%s", res.Stderr)
	}
	return strings.TrimSpace(command)
}
