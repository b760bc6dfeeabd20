//go:build linux || darwin

package cli

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used, in user and system mode; ok
// is false if unknown.
func CPUTime() (used time.Duration, ok bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
