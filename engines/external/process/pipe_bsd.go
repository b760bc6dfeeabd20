//go:build unix && !linux

package process

import (
	"errors"
	"syscall"
)

// transfer reads or writes a non-blocking pipe.
func transfer(call, fd uintptr, buf []byte) (n int, _ syscall.Errno) {
	do := syscall.Read
	if call == syscall.SYS_WRITE {
		do = syscall.Write
	}
	n, err := do(int(fd), buf)
	no, _ := errors.AsType[syscall.Errno](err)
	return max(n, 0), no
}
