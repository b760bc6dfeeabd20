// Package testmode holds the switches that all tests share: environment variables,
// because flags would have to be defined in the tests of every package.
//
//	SELFPLAYLAB_LONG=1 go test ./...    also the studies that take minutes
//	SELFPLAYLAB_UPDATE=1 go test ./...  write the golden files again
package testmode

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// The names of the variables. A variable is on unless it is empty or unset.
const (
	longVariable   = "SELFPLAYLAB_LONG"
	updateVariable = "SELFPLAYLAB_UPDATE"
)

// Long reports whether tests play their long form: storms of kills, coverage and
// simulation studies, every page and every command of the manual.
func Long() bool { return os.Getenv(longVariable) != "" }

// SkipUnlessLong skips a test that has no short form. A test that is chosen with -run and Update
// runs all the same, because it would otherwise pass without writing its files.
func SkipUnlessLong(t testing.TB) {
	t.Helper()
	if chosen := flag.Lookup("test.run"); !Long() && !(Update() && chosen != nil && chosen.Value.String() != "") {
		t.Skip("runs only with " + longVariable + "=1")
	}
}

// Raced skips a test in short tests for a reason. The race detector still runs tests that call
// it: .ci/steps finds them by the call.
func Raced(t testing.TB, reason string) {
	t.Helper()
	if testing.Short() {
		t.Skip("short: " + reason)
	}
}

// StepWall returns a time whose wall clock is set forward or back by whole seconds, as by NTP,
// while its monotonic reading stays. t must have one.
func StepWall(t time.Time, seconds int64) time.Time {
	// The wall part of such a time holds its seconds above 30 bits of nanoseconds.
	*(*uint64)(unsafe.Pointer(&t)) += uint64(seconds) << 30
	return t
}

// Times returns n, or with Long factor times as many.
func Times(n, factor int) int {
	if Long() {
		return n * factor
	}
	return n
}

// DirectPython puts the interpreter behind python3 first on the PATH, because the wrapper of a
// version manager takes longer than the tests' use of Python.
var DirectPython = sync.OnceFunc(func() {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err == nil { // else tests that need Python say so
		os.Setenv("PATH", filepath.Dir(strings.TrimSpace(string(out)))+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
})

// Update reports whether tests write golden files instead of comparing with them.
func Update() bool { return os.Getenv(updateVariable) != "" }

// Golden compares got with a file, or writes the file under Update.
func Golden(t testing.TB, file string, got []byte) {
	t.Helper()
	if Update() {
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%v; write it with %s=1 go test -run '^%s$'", err, updateVariable, t.Name())
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; if that is intended, write it again with %s=1 go test -run '^%s$' (-want +got):\n%s", file, updateVariable,
			t.Name(), diff)
	}
}

func write(t testing.TB, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
