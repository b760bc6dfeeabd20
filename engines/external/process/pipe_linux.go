package process

import (
	"syscall"
	"unsafe"
)

// transfer reads or writes a pipe that never makes one wait. The runtime is not told:
// for a call this short, that costs more than the call.
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
