package process

import (
	"syscall"
	"unsafe"
)

// transfer reads or writes a non-blocking pipe.
// It bypasses the runtime, whose bookkeeping costs more than so short a call.
func transfer(call, fd uintptr, buf []byte) (int, syscall.Errno) {
	for {
		n, _, err := syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)))
		switch err {
		case 0:
			return int(n), 0
		case syscall.EINTR:
		default:
			return 0, err
		}
	}
}
