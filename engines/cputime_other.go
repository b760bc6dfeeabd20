//go:build !linux

package engines

import "time"

// MetersCPU reports whether meters measure on this system.
const MetersCPU = false

func threadTime() time.Duration { return 0 }
