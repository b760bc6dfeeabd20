//go:build !linux && !darwin && !windows

package cli

import "time"

// CPUTime returns the processor time this process has used; ok is false where
// nothing tells.
func CPUTime() (used time.Duration, ok bool) { return 0, false }
