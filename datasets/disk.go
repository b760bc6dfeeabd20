package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// minFree is the free space a run asks for before it starts: a minute's rows of
// the fastest game (about 100 bytes a game, 10,000 games a second), hours of most.
// It finds disks that are as good as full; whether a run will fit nobody knows.
const minFree = 64 << 20

// disk is what the writer needs of a file system. Tests make it fail.
type disk struct {
	create  func(path string) (file, error)
	rename  func(from, to string) error
	syncDir func(dir string) error
	free    func(dir string) (bytes uint64, known bool, err error)
}

type file interface {
	io.WriteCloser
	Sync() error
}

var osDisk = disk{
	create:  func(path string) (file, error) { return os.Create(path) },
	rename:  os.Rename,
	syncDir: syncDir,
	free:    freeSpace,
}

const (
	tempPrefix = "."
	tempSuffix = ".tmp"
)

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// save puts data down as path so that path is at any moment absent, the old
// file or the new one, whole. The temporary name does not end in .parquet: a
// glob would take it.
func (d disk) save(path string, data []byte) error {
	dir, name := filepath.Split(path)
	temp := dir + tempPrefix + name + tempSuffix
	if err := d.write(temp, data); err != nil {
		return errors.Join(err, removeIfThere(temp))
	}
	if err := d.rename(temp, path); err != nil {
		return errors.Join(err, removeIfThere(temp))
	}
	if err := d.syncDir(dir); err != nil {
		return fmt.Errorf("sync folder %s: %w", dir, err)
	}
	return nil
}

func (d disk) write(path string, data []byte) (err error) {
	f, err := d.create(path)
	if err != nil {
		return err
	}
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

// check fails when dir is nearly full or cannot be written to: before hours of
// play, not after.
func (d disk) check(dir string) error {
	free, known, err := d.free(dir)
	if err != nil {
		return fmt.Errorf("free space of %s: %w", dir, err)
	}
	if known && free < minFree {
		return fmt.Errorf("disk nearly full: %s has %d MiB left, a run wants %d; free some space or choose another folder", dir, free>>20, minFree>>20)
	}
	probe := filepath.Join(dir, tempPrefix+"probe"+tempSuffix)
	if err := errors.Join(d.write(probe, []byte("probe")), removeIfThere(probe)); err != nil {
		return fmt.Errorf("cannot write in %s: %w; choose another folder", dir, err)
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// removeTemps removes what a kill left unfinished in dir.
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

// syncDir makes the names in dir durable. Windows has no such call and needs
// none: its renames are journalled.
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

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
