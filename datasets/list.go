package datasets

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Info describes a run for a list of runs.
type Info struct {
	Dir    string
	Meta   Meta
	Trials int64 // recorded
	Games  int64
	Size   int64 // bytes of all files in the run's folder
	// Err says why the run cannot be read; what could not be read is zero.
	Err error
}

// List returns the runs in and below the folder root, in order of their paths.
func List(root string) ([]Info, error) {
	var runs []Info
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if _, err := os.Lstat(filepath.Join(path, runName)); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		runs = append(runs, describe(path))
		return filepath.SkipDir
	})
	return runs, err
}

func describe(dir string) Info {
	info := Info{Dir: dir}
	var err error
	if info.Size, err = sizeOf(dir); err != nil {
		info.Err = err
		return info
	}
	if info.Meta, _, info.Err = readRun(dir); info.Err != nil {
		return info
	}
	log, err := Read(dir)
	if err != nil {
		info.Err = err
		return info
	}
	info.Trials, info.Games = log.NumTrials, log.NumGames
	return info
}

// sizeOf adds up the files below dir. One that vanishes meanwhile, as a running
// writer's temporary files do, counts nothing.
func sizeOf(dir string) (int64, error) {
	var size int64
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		size += file.Size()
		return nil
	})
	return size, err
}
