package datasets

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Info describes a run for a list of runs. Describe makes it.
type Info struct {
	Dir    string // as given to Describe
	Meta   Meta   // of run.toml
	Labels Labels // Name is Meta.Name if labels.toml has none
	Trials int64  // recorded so far
	Games  int64  // games of these trials
	Size   int64  // bytes of all files in the run's folder
	Log    *Log   // the record, for reading; nil if Err is not
	// Err explains in one printable line why the run cannot be read. Fields that could not be
	// read are zero.
	Err error
}

// Find returns the folders in and below root that hold a run, in order of their paths. It
// includes folders that cannot be read, and folders with tables of a run but no run.toml. Apart
// from root it follows no symbolic link. An error means that root cannot be read, or a file
// below it vanished.
func Find(root string) (dirs []string, err error) {
	err = walk(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil && entry.IsDir():
			dirs = append(dirs, path)
			return filepath.SkipDir
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case isThere(filepath.Join(path, runName)), isThere(filepath.Join(path, trialsTable.name)) &&
			isThere(filepath.Join(path, gamesTable.name)):
			dirs = append(dirs, path)
			return filepath.SkipDir
		}
		return nil
	})
	return dirs, err
}

// walk visits files as filepath.WalkDir does, but also looks into a root that is a symbolic
// link.
func walk(root string, visit fs.WalkDirFunc) error {
	top := root
	if info, err := os.Lstat(root); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		top += string(filepath.Separator) // the user named the link, so its target is meant
	}
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if path == top {
			path = root
		}
		return visit(path, entry, err)
	})
}

// isThere reports whether path exists, as far as the file system tells.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Describe returns a description of the run in dir. It reads no rows. Errors are in Info.Err.
func Describe(dir string) (info Info) {
	defer func() {
		if info.Err != nil {
			info.Err = printableError{info.Err}
		}
	}()
	info.Dir = dir
	if info.Size, info.Err = sizeWithout(dir, func(string) bool { return false }); info.Err != nil {
		return info
	}
	if info.Meta, _, info.Err = readRun(dir); info.Err != nil {
		return info
	}
	if info.Labels, info.Err = ReadLabels(dir); info.Err != nil {
		return info
	}
	info.Labels.Name = cmp.Or(info.Labels.Name, info.Meta.Name)
	if info.Log, info.Err = Read(dir); info.Err != nil {
		return info
	}
	info.Trials, info.Games = info.Log.NumTrials, info.Log.NumGames
	return info
}

// sizeWithout adds the sizes of the regular files below dir, without the folders that skip
// names. A file that vanishes meanwhile counts as empty, such as a running writer's temporary
// file.
func sizeWithout(dir string, skip func(path string) bool) (size int64, err error) {
	err = walk(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && entry.IsDir() && skip(path) {
			return filepath.SkipDir
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			size += file.Size()
		}
		return err
	})
	return size, err
}

// Stamp returns a text that changes with the files of the run in dir, much cheaper than reading
// them: it changes if a file or table appears, disappears, or changes its length or time. Other
// folders count by their own time, which changes with their entries.
//
// newest is the latest of all times. A write within one step of the clock after newest goes
// unnoticed.
func Stamp(dir string) (stamp string, newest time.Time, err error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return "", newest, err
	}
	text := []byte(whole)
	var look func(folder string) error
	look = func(folder string) error {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		for _, entry := range entries {
			name := filepath.Join(folder, entry.Name())
			if entry.IsDir() && isTable(name) {
				err = errors.Join(err, look(name))
				continue
			}
			file, gone := entry.Info()
			if errors.Is(gone, fs.ErrNotExist) {
				continue
			}
			if err = errors.Join(err, gone); gone != nil {
				continue
			}
			changed := file.ModTime()
			text = fmt.Appendf(text, "\n%s %d %d", name, file.Size(), changed.UnixNano())
			if changed.After(newest) {
				newest = changed
			}
		}
		return err
	}
	err = look("")
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), newest, err
}
