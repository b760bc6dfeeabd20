//go:build linux || darwin

package cli

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time this process has used, its own and that
// spent for it in the system; ok is false where nothing tells.
func CPUTime() (used time.Duration, ok bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
