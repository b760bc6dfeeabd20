//go:build !linux

package process

import "time"

// CPUTime returns 0, because the processor time is unknown on this system.
func (l *Link) CPUTime() time.Duration { return 0 }
