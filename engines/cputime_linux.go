package engines

import (
	"time"

	"golang.org/x/sys/unix"
)

// MetersCPU reports whether meters measure on this system.
const MetersCPU = true

// threadTime is the processor time that the calling thread has used.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0 // every kernel has this clock
	}
	return time.Duration(t.Nano())
}
