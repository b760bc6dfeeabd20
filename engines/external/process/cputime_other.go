//go:build !linux

package process

import "time"

// CPUTime is the processor time that the program and its descendants have used; 0 if
// that is not known, as here.
func (l *Link) CPUTime() time.Duration { return 0 }
