//go:build !linux && !darwin && !windows

package cli

import "time"

// CPUTime returns the processor time that this process has used; ok is false if unknown.
func CPUTime() (used time.Duration, ok bool) { return 0, false }
