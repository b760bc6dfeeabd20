package datasets

import (
	"errors"
	"io/fs"
	"sync/atomic"
)

// ErrInjected is the error of an operation that FailNth failed.
var ErrInjected = errors.New("injected failure")

// FailNth lets the n-th operation on files of this process fail from now on: opening, creating,
// reading, writing, syncing, closing or renaming one. restore ends that, and returns the number of
// operations so far and the failed one.
func FailNth(n int64) (restore func() (count int64, failed string)) {
	before := osDisk
	var count atomic.Int64
	var failed atomic.Value
	fail := func(op, path string) error {
		if count.Add(1) != n {
			return nil
		}
		failed.Store(op + " " + path)
		return &fs.PathError{Op: op, Path: path, Err: ErrInjected}
	}
	osDisk.open = func(path string, flag int) (opened, error) {
		if err := fail("open", path); err != nil {
			return nil, err
		}
		f, err := before.open(path, flag)
		if err != nil {
			return nil, err
		}
		return failingOpened{f, failingFile{f, path, fail}}, nil
	}
	osDisk.create = func(path string) (file, error) {
		if err := fail("create", path); err != nil {
			return nil, err
		}
		f, err := before.create(path)
		if err != nil {
			return nil, err
		}
		return &failingFile{f, path, fail}, nil
	}
	osDisk.rename = func(from, to string) error {
		if err := fail("rename", to); err != nil {
			return err
		}
		return before.rename(from, to)
	}
	osDisk.syncDir = func(dir string) error { return errors.Join(fail("syncdir", dir), before.syncDir(dir)) }
	return func() (int64, string) {
		osDisk = before
		name, _ := failed.Load().(string)
		return count.Load(), name
	}
}

// failingOpened is an opened file whose operations may fail.
type failingOpened struct {
	opened
	failing failingFile
}

func (f failingOpened) Read(data []byte) (int, error) {
	if err := f.failing.fail("read", f.failing.path); err != nil {
		return 0, err
	}
	return f.opened.Read(data)
}

func (f failingOpened) ReadAt(data []byte, at int64) (int, error) {
	if err := f.failing.fail("read", f.failing.path); err != nil {
		return 0, err
	}
	return f.opened.ReadAt(data, at)
}

func (f failingOpened) Write(data []byte) (int, error) { return f.failing.Write(data) }

func (f failingOpened) Sync() error { return f.failing.Sync() }

func (f failingOpened) Close() error { return f.failing.Close() }
