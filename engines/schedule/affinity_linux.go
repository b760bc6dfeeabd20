package schedule

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// bind keeps the calling goroutine, and the programs that it starts, on one processor of this
// process: worker i on processor i, and from the first processor on again if there are more
// workers than processors.
func bind(i int) error {
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return fmt.Errorf("processors of this process: %w", err)
	}
	left := i % all.Count()
	for cpu := 0; ; cpu++ {
		if !all.IsSet(cpu) {
			continue
		}
		if left == 0 {
			one.Set(cpu)
			break
		}
		left--
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return fmt.Errorf("binding worker %d to a processor: %w", i, err)
	}
	return nil
}
