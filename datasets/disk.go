package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// minFree is the free space that a run requires at its start, in bytes: rows of the fastest
// game for a minute (about 100 bytes a game, 10,000 games a second), of most games for hours.
// It detects disks that are nearly full; the size of a run is not known in advance.
const minFree = 64 << 20

// disk is the part of a file system that this package needs. Tests use a failing disk.
type disk struct {
	open    func(path string, flag int) (opened, error)
	create  func(path string) (file, error)
	rename  func(from, to string) error
	syncDir func(dir string) error
	free    func(dir string) (bytes uint64, known bool, err error)
}

type file interface {
	io.WriteCloser
	Sync() error
}

// opened is a file that existed before, or a list of lines that grows.
type opened interface {
	file
	io.Reader
	io.ReaderAt
	io.Seeker
	Stat() (fs.FileInfo, error)
}

var osDisk = disk{
	open:    openFile,
	create:  createNew,
	rename:  rename,
	syncDir: syncDir,
	free:    freeSpace,
}

// createNew creates a file. It opens nothing that exists, in particular no link.
func createNew(path string) (file, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

const (
	tempPrefix = "."
	tempSuffix = ".tmp"
)

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// rename replaces a file of the same folder. For Windows, see openFile.
func rename(from, to string) error {
	if runtime.GOOS != "windows" {
		return os.Rename(from, to)
	}
	root, err := os.OpenRoot(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer root.Close()
	// A Root takes names without a folder.
	if err := onceClosed(func() error { return root.Rename(filepath.Base(from), filepath.Base(to)) }); err != nil {
		return fmt.Errorf("cannot replace %s: %w; close it in other programs", to, errors.Unwrap(err))
	}
	return nil
}

// maxWait bounds the wait for other processes to close a file: a virus scanner needs seconds.
const maxWait = 8 * time.Second

// onceClosed repeats an operation that Windows refuses while another process has the file open.
func onceClosed(do func() error) error {
	const sharingViolation = syscall.Errno(32) // Windows also refuses with an error of permission
	for wait := time.Millisecond; ; wait *= 2 {
		err := do()
		inUse := errors.Is(err, fs.ErrPermission) || errors.Is(err, sharingViolation)
		if !inUse || wait >= maxWait {
			return err
		}
		time.Sleep(wait)
	}
}

// temps numbers the temporary files of this process.
var temps atomic.Int64

// tempName returns a name next to path that no other process or goroutine uses. It does not end
// in .parquet, so no glob finds it.
func tempName(path string) string {
	dir, name := filepath.Split(path)
	return fmt.Sprintf("%s%s%s.%d-%d%s", dir, tempPrefix, name, os.Getpid(), temps.Add(1), tempSuffix)
}

// save writes data to path so that path is at any moment absent, the old file or the new one,
// whole. A link at path is replaced, not followed.
func (d disk) save(path string, data []byte) error {
	f, temp, err := d.createTemp(path)
	if err != nil { // the message would name the temporary file
		return fmt.Errorf("cannot write %s: %w; make its folder writable", path, cmp.Or(errors.Unwrap(err), err))
	}
	if err := fill(f, path, data); err != nil {
		return errors.Join(err, removeIfThere(temp))
	}
	if err := d.rename(temp, path); err != nil {
		return errors.Join(err, removeIfThere(temp))
	}
	dir := filepath.Dir(path)
	if err := d.syncDir(dir); err != nil {
		return fmt.Errorf("sync folder %s: %w", dir, err)
	}
	return nil
}

// CreateTemp creates a file next to path, to be renamed to path once it is complete. No other
// process writes to it, and it is no link. The caller must close and rename or remove it.
func CreateTemp(path string) (f io.WriteCloser, temp string, err error) {
	return osDisk.createTemp(path)
}

// createTemp creates a temporary file next to path. It skips names that killed processes with
// the same number left.
func (d disk) createTemp(path string) (f file, temp string, err error) {
	for range 100 {
		temp = tempName(path)
		if f, err = d.create(temp); !errors.Is(err, os.ErrExist) {
			break
		}
	}
	return f, temp, err
}

// fill writes data into the open file f, syncs and closes it. Errors name path.
func fill(f file, path string, data []byte) (err error) {
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("close %s: %w", path, e)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return nil
}

// check returns an error if dir is nearly full or cannot be written, so that this shows before
// hours of play.
func (d disk) check(dir string) error {
	free, known, err := d.free(dir)
	if err != nil {
		return fmt.Errorf("free space of %s: %w", dir, err)
	}
	if known && free < minFree {
		return fmt.Errorf("disk nearly full: %s has %d MiB left, a run wants %d; free some space or choose another folder", dir, free>>20,
			minFree>>20)
	}
	if err := d.probe(dir); err != nil {
		return fmt.Errorf("cannot write in %s: %w; make it writable, or choose another folder", dir, err)
	}
	return nil
}

// probe creates a file in dir and removes it.
func (d disk) probe(dir string) error {
	f, temp, err := d.createTemp(filepath.Join(dir, "probe"))
	if err != nil {
		return err
	}
	return errors.Join(fill(f, dir, []byte("probe")), removeIfThere(temp))
}

// removeIfThere removes a file. A missing file is no error.
func removeIfThere(path string) error {
	remove := func() error { return os.Remove(path) }
	err := remove()
	if err != nil && runtime.GOOS == "windows" {
		err = onceClosed(remove)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// removeTemps removes the unfinished files that a kill left in dir.
func removeTemps(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	for _, e := range entries {
		if isTemp(e.Name()) {
			if err := removeIfThere(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("remove unfinished file: %w", err)
			}
		}
	}
	return nil
}

// syncDir makes the names in dir durable. Windows has no such call and needs none, because it
// journals renames.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
