package cli

import (
	"time"

	"golang.org/x/sys/windows"
)

// CPUTime returns the processor time that this process has used, in user and system mode; ok
// is false if unknown.
func CPUTime() (used time.Duration, ok bool) {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		return 0, false
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) } // of 100 ns
	return time.Duration(100 * (ticks(kernel) + ticks(user))), true
}
