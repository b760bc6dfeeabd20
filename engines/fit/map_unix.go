//go:build unix

package fit

import (
	"os"
	"syscall"
)

// removeOpen removes the name of an open file, so that a killed process leaves nothing.
func removeOpen(f *os.File) { os.Remove(f.Name()) }

// mapFile maps a file that is not empty into memory.
func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

// unmapFile ends a mapping; nil is none.
func unmapFile(view []byte) error {
	if view == nil {
		return nil
	}
	return syscall.Munmap(view)
}
