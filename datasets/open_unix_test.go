//go:build unix

package datasets

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOddFilesAreRefused has files that are not regular, or too large. Everything that reads a
// run rejects them by name, without waiting for a named pipe, following a link or filling
// memory.
func TestOddFilesAreRefused(t *testing.T) {
	odd := map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"link":   func(path string) error { return os.Symlink("/dev/zero", path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o777) },
		"socket": func(path string) error {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
			if err != nil {
				return err
			}
			l.SetUnlinkOnClose(false)
			return l.Close()
		},
		"huge": func(path string) error { // takes no space on the disk
			return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, 1<<40))
		},
	}
	whole := contents(t, newRun(t, 3))
	for _, name := range []string{runName, labelsName, sessionsName, pendingName, trialsTable.name + "/" + partName(0), gamesTable.name + "/" + partName(0)} {
		for kind, lay := range odd {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Chdir(t.TempDir()) // the system limits the length of sockets' names
				dir := newRunFrom(t, whole)
				if err := os.Rename(dir, "run"); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join("run", filepath.FromSlash(name))
				if err := errors.Join(removeIfThere(path), lay(path)); err != nil {
					t.Fatal(err)
				}
				want := kind + ", not a regular file"
				if kind == "huge" {
					want = "move it away"
				}
				refusesOdd(t, name, path, want)
			})
		}
	}
}

// refusesOdd reads the run in the folder "run", one of whose files is odd.
func refusesOdd(t *testing.T, name, path, want string) {
	t.Helper()
	_, readErr := Read("run")
	_, labelsErr := ReadLabels("run")
	_, sessionsErr := Sessions("run")
	_, _, fingerprintErr := Fingerprint("run")
	w, _, resumeErr := Resume("run")
	var pendingErr error
	if resumeErr == nil {
		_, pendingErr = w.Pending()
		resumeErr = w.Close()
	}
	for what, err := range map[string]error{"read": readErr, "labels": labelsErr, "sessions": sessionsErr, "fingerprint": fingerprintErr, "resume": resumeErr, "pending": pendingErr} {
		refused := map[string][]string{
			"labels": {labelsName}, "sessions": {sessionsName}, "pending": {pendingName},
			"fingerprint": {runName, "/part-"}, "read": {runName, "/part-"}, "resume": {runName, "/part-"},
		}[what]
		concerned := false
		for _, part := range refused {
			concerned = concerned || strings.Contains("/"+name, part)
		}
		if concerned && (err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want)) || !concerned && err != nil {
			t.Errorf("%s: %v; want an error: %v", what, err, concerned)
		}
	}
}

// A named pipe in place of the lock keeps nobody waiting.
func TestPipeAsLock(t *testing.T) {
	dir := newRun(t, 3)
	lock := filepath.Join(dir, lockName)
	if err := errors.Join(removeIfThere(lock), syscall.Mkfifo(lock, 0o666)); err != nil {
		t.Fatal(err)
	}
	if Busy(dir) {
		t.Error("nobody writes the run")
	}
	if info := Describe(dir); info.Err != nil || info.Trials != 3 {
		t.Errorf("%+v", info)
	}
}

// TestMovedFolderIsNotWrittenThrough moves a run's folder away during writing. Nothing is
// written into the folder that replaces it.
func TestMovedFolderIsNotWrittenThrough(t *testing.T) {
	dir := newRun(t, 5)
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	files := contents(t, newRun(t, 3))
	if err := os.CopyFS(dir, os.DirFS(newRunFrom(t, files))); err != nil {
		t.Fatal(err)
	}
	put(t, dir, lockName, nil)
	appendTrials(t, w, 5, 9)
	if got := w.Dir(); got != dir+"-moved" {
		t.Errorf("the run is said to be in %s", got)
	}
	wantError(t, w.SetPending([]json.RawMessage{[]byte("1")}), "moved", "replaced")
	wantError(t, w.Note(Session{}), "moved", "replaced")
	wantError(t, w.Drop(0), "moved", "replaced")
	wantError(t, w.Extend("tune --longer", spec), "moved", "replaced")
	wantError(t, w.Close(), "moved", "replaced", "the run is in "+dir+"-moved", "5 trials are saved, 4 are lost")
	if diff := cmp.Diff(files, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}
