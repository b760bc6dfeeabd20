package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime returns the processor time of the program and its descendants so far; 0 if unknown. A
// descendant that left them counts until then.
func (l *Link) CPUTime() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reaped {
		return 0
	}
	return familyTime(l.PID())
}

// familyTime returns the processor time of a process, of the children it
// waited for, and of its running children; 0 if there is no such process.
func familyTime(pid int) time.Duration {
	var own unix.Timespec
	// The clock of a process: its number inverted, and CPUCLOCK_SCHED (clock_getcpuclockid(3)).
	if unix.ClockGettime(int32(^pid<<3|2), &own) != nil {
		return 0
	}
	total := time.Duration(own.Nano()) + waitedTime(pid)
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return total // the process has just ended
	}
	for _, entry := range threads {
		thread, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		for _, child := range children(pid, thread) {
			total += familyTime(child)
		}
	}
	return total
}

// tick is the unit of times in /proc: a hundredth of a second on every Linux.
const tick = 10 * time.Millisecond

// waitedTime returns the processor time of the children that a process has
// waited for, and of their children (cutime and cstime of proc_pid_stat(5)).
func waitedTime(pid int) (total time.Duration) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:])) // after the name, from field 3
	for _, text := range fields[min(13, len(fields)):min(15, len(fields))] {
		n, _ := strconv.ParseInt(text, 10, 64)
		total += time.Duration(n) * tick
	}
	return total
}
