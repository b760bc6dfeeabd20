package datasets

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Bounds on files to read, in bytes.
const (
	maxText = 64 << 20 // run.toml, labels, sessions and other files that are read whole
	// maxRows bounds parts and pending pairs: a part of 4,096 games with their moves has a few
	// MB.
	maxRows = 1 << 30
	// maxFooter bounds the footer of a part, which has some KB.
	maxFooter = 16 << 20
)

// ReadFile reads a file in the directory of a run. It must be a regular file of at most 64 MiB;
// anything else is an error.
func ReadFile(path string) ([]byte, error) { return readFile(path, maxText) }

// readFile reads a regular file of at most limit bytes.
func readFile(path string, limit int64) (data []byte, err error) {
	f, err := openRegular(path, os.O_RDONLY, limit)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil {
		b.Grow(int(info.Size()) + bytes.MinRead)
	}
	_, err = b.ReadFrom(io.LimitReader(f, limit))
	return b.Bytes(), err
}

// openRegular opens a regular file of at most limit bytes. It rejects links and everything
// else: a folder of runs may be shared, so a link in it may point anywhere, and a named pipe
// would wait for its other end.
func openRegular(path string, flag int, limit int64) (opened, error) {
	if openSafely == 0 {
		if err := checkPath(path, limit); err != nil {
			return nil, err
		}
	}
	f, err := osDisk.open(path, flag)
	if err != nil {
		return nil, cmp.Or(checkPath(path, limit), err)
	}
	info, err := f.Stat()
	if err == nil {
		err = checkRegular(path, info, limit)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// openFile opens a file so that a Windows writer can replace it meanwhile. This requires that
// both use an os.Root, on file systems that support it.
func openFile(path string, flag int) (opened, error) {
	if openSafely != 0 {
		return os.OpenFile(path, flag|openSafely, 0o666)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(filepath.Base(path), flag, 0o666)
	return f, errors.Join(err, root.Close())
}

// kindOf describes a file that is not regular.
func kindOf(mode fs.FileMode) string {
	switch mode.Type() {
	case fs.ModeDir:
		return "a folder"
	case fs.ModeSymlink:
		return "a link"
	case fs.ModeNamedPipe:
		return "a named pipe"
	case fs.ModeSocket:
		return "a socket"
	}
	return "a device"
}

// checkPath checks the file at path as checkRegular does, if it exists.
func checkPath(path string, limit int64) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil // opening reports the reason
	}
	return checkRegular(path, info, limit)
}

// checkRegular returns an error unless info describes a regular file of at most limit bytes.
func checkRegular(path string, info fs.FileInfo, limit int64) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is %s, not a regular file; move it away", path, kindOf(info.Mode()))
	case info.Size() > limit:
		return fmt.Errorf("%s has %d bytes, a file of a run at most %d; move it away", path, info.Size(), limit)
	}
	return nil
}
