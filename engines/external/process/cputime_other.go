//go:build !linux

package process

import (
	"os"
	"time"
)

// CPUTime returns 0, because the processor time is unknown on this system.
func (l *Link) CPUTime() time.Duration { return 0 }

// Writes returns false, because the open files of a program are unknown on this system.
func (l *Link) Writes(os.FileInfo) bool { return false }
