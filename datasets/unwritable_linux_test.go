package datasets

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asNobody runs f without root's power to write anywhere. On Linux file access rights belong to
// the thread. This thread ends with the goroutine, because it is never unlocked.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		if os.Geteuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				done <- err
				return
			}
		}
		f()
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestUnwritableFolderIsReported(t *testing.T) {
	base, err := os.MkdirTemp("", "datasets")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := os.RemoveAll(base); err != nil {
			t.Error(err)
		}
	}()
	run := filepath.Join(base, "run")
	if err := os.CopyFS(run, os.DirFS(newRun(t, 3))); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(base, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	dirs := []string{filepath.Join(run, "games"), filepath.Join(run, "trials"), run, empty, base}
	for _, dir := range dirs {
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	var inside, within, saved, resumed, read error
	asNobody(t, func() {
		_, inside = Create(filepath.Join(base, "new"), testMeta, spec)
		_, within = Create(empty, testMeta, spec)
		saved = WriteFile(filepath.Join(empty, "x"), nil)
		_, _, resumed = Resume(run)
		_, read = Read(run)
	})
	for _, dir := range dirs {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	wantError(t, inside, "cannot make the folder "+filepath.Join(base, "new"), "permission denied", "--out")
	wantError(t, within, "cannot write in "+empty, "permission denied", "writable")
	wantError(t, saved, "cannot write "+filepath.Join(empty, "x")+": permission denied; make its folder writable")
	wantError(t, resumed, run, "permission denied", "writ")
	if read != nil {
		t.Errorf("reading needs no right to write: %v", read)
	}
}
