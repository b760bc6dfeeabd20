//go:build !unix

package fit

import (
	"io"
	"os"
)

// removeOpen does nothing, because these systems do not remove open files.
func removeOpen(*os.File) {}

// mapFile reads the file into memory.
func mapFile(f *os.File, size int) ([]byte, error) {
	data := make([]byte, size)
	_, err := f.ReadAt(data, 0)
	if err == io.EOF {
		err = nil
	}
	return data, err
}

// unmapFile does nothing.
func unmapFile([]byte) error { return nil }
