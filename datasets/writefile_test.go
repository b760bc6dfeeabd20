package datasets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
)

// TestWriteFileReplacesWholeFile also checks that no other file remains.
func TestWriteFileReplacesWholeFile(t *testing.T) {
	t.Chdir(t.TempDir()) // a name without a folder is a path too
	for _, path := range []string{"a.txt", filepath.Join(".", "a.txt"), filepath.Join(must[string](t)(os.Getwd()), "a.txt")} {
		for _, text := range []string{"first", "a longer second", ""} {
			if err := WriteFile(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got := must[[]byte](t)(os.ReadFile(path)); string(got) != text {
				t.Errorf("%s holds %q, want %q", path, got, text)
			}
		}
	}
	onlyThere(t, ".", "a.txt")
	if err := WriteFile(filepath.Join("absent", "a.txt"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into no folder: %v", err)
	}
	if err := errors.Join(os.Mkdir("folder", 0o777), WriteFile("folder", nil)); err == nil {
		t.Error("a folder was replaced")
	}
	onlyThere(t, ".", "a.txt", "folder")
}

// onlyThere checks that dir holds exactly these names.
func onlyThere(t testing.TB, dir string, names ...string) {
	t.Helper()
	var got []string
	for _, e := range must[[]os.DirEntry](t)(os.ReadDir(dir)) {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("%s holds %v, want %v", dir, got, names)
	}
}

// Links are not followed: neither at the target nor at names that a temporary file may get.
func TestWriteFileFollowsNoLink(t *testing.T) {
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a")
	link := func(name string) {
		if err := os.Symlink(victim, name); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	link(path)
	link(filepath.Join(dir, ".a.tmp"))
	next := temps.Load() + 1
	for i := range int64(20) { // some of the names of the next temporary files
		link(filepath.Join(dir, fmt.Sprintf(".a.%d-%d.tmp", os.Getpid(), next+i)))
	}
	if err := WriteFile(path, []byte("theirs")); err != nil {
		t.Fatal(err)
	}
	if got := must[[]byte](t)(os.ReadFile(victim)); string(got) != "mine" {
		t.Errorf("where the link leads is %q", got)
	}
	if info := must[os.FileInfo](t)(os.Lstat(path)); !info.Mode().IsRegular() {
		t.Errorf("the link is still there: %v", info.Mode())
	}
}

// Two writers of one path never use the same temporary file.
func TestWriteFileAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var writers sync.WaitGroup
	for k := range 8 {
		writers.Go(func() {
			for range 10 {
				if err := WriteFile(path, []byte(strings.Repeat(string(rune('a'+k)), 10_000))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	got := string(must[[]byte](t)(os.ReadFile(path)))
	if len(got) != 10_000 || strings.Trim(got, got[:1]) != "" {
		t.Errorf("%d bytes of more than one writer", len(got))
	}
	onlyThere(t, filepath.Dir(path), "a")
}

// A lock file that is a link is rejected, and its target is not created.
func TestLockFollowsNoLink(t *testing.T) {
	dir, target := newRun(t, 1), filepath.Join(t.TempDir(), "target")
	remove(t, dir, lockName)
	if err := os.Symlink(target, filepath.Join(dir, lockName)); err != nil {
		t.Skipf("no links here: %v", err)
	}
	_, _, err := Resume(dir)
	wantError(t, err, "cannot lock", dir)
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link's target was made")
	}
}

// TestSharingViolationIsRetried repeats operations that Windows refuses while another process
// has a file open.
func TestSharingViolationIsRetried(t *testing.T) {
	inUse, other := &os.LinkError{Op: "rename", Err: syscall.Errno(32)}, errors.New("disk full")
	for _, c := range []struct {
		name  string
		err   error
		times int // times that the operation fails
		want  error
		calls int
	}{
		{"closed at last", inUse, 5, nil, 6},
		{"refused at last", fs.ErrPermission, 5, nil, 6},
		{"never closed", inUse, 1000, inUse, 14},
		{"another error", other, 5, other, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			err := onceClosed(func() error {
				if calls++; calls <= c.times {
					return c.err
				}
				return nil
			})
			if err != c.want || calls != c.calls {
				t.Errorf("%s: %v after %d calls; want %v after %d", c.name, err, calls, c.want, c.calls)
			}
		})
	}
}

// A file that a reader has open is replaced, and the reader continues in the old one.
func TestReplacedWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := openRegular(path, os.O_RDONLY, maxText)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := WriteFile(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	old, err := io.ReadAll(f)
	now, alsoErr := ReadFile(path)
	if err := errors.Join(err, alsoErr); err != nil || string(old) != "old" || string(now) != "new" {
		t.Errorf("the reader has %q, and the file %q: %v", old, now, err)
	}
}
