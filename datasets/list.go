package datasets

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Info describes a run for a list of runs.
type Info struct {
	Dir    string
	Meta   Meta
	Labels Labels // Name is Meta.Name where labels.toml gives none
	Trials int64  // recorded
	Games  int64
	Size   int64 // bytes of all files in the run's folder
	Log    *Log  // to read it; nil if Err says why not
	// Err says, in one printable line, why the run cannot be read; what could not be
	// read is zero.
	Err error
}

// Find returns the folders in and below root that hold a run, in order of their paths:
// also a folder that cannot be read, or holds tables of a run without run.toml. It
// follows no link.
func Find(root string) (dirs []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
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

// isThere reports whether something is at path, as far as one can see.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Describe describes the run in dir.
func Describe(dir string) Info {
	info := inspect(dir)
	if info.Err != nil {
		info.Err = printableError{info.Err}
	}
	return info
}

func inspect(dir string) Info {
	info := Info{Dir: dir}
	var err error
	if info.Size, err = sizeWithout(dir, func(string) bool { return false }); err != nil {
		info.Err = err
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

// sizeWithout adds up the files below dir, but for the folders that skip names. One that
// vanishes meanwhile, as a running writer's temporary files do, counts nothing.
func sizeWithout(dir string, skip func(path string) bool) (size int64, err error) {
	err = eachFile(dir, skip, func(_ string, file fs.FileInfo) { size += file.Size() })
	return size, err
}

// eachFile visits the regular files below dir in order, but not those in folders that skip
// names, nor those that vanish meanwhile.
func eachFile(dir string, skip func(path string) bool, visit func(path string, file fs.FileInfo)) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
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
			visit(path, file)
		}
		return err
	})
}
