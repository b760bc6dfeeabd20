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
func familyTime(pid int) (total time.Duration) {
	for _, pid := range family(pid) {
		var own unix.Timespec
		// The clock of a process: its number inverted, and CPUCLOCK_SCHED (clock_getcpuclockid(3)).
		if unix.ClockGettime(int32(^pid<<3|2), &own) == nil {
			total += time.Duration(own.Nano()) + waitedTime(pid)
		}
	}
	return total
}

// family returns a process and its running descendants.
func family(pid int) []int {
	list := []int{pid}
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)) // none if the process has just ended
	for _, entry := range threads {
		if thread, err := strconv.Atoi(entry.Name()); err == nil {
			for _, child := range children(pid, thread) {
				list = append(list, family(child)...)
			}
		}
	}
	return list
}

// Writes reports whether the program or a descendant has a file open for writing.
func (l *Link) Writes(file os.FileInfo) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reaped {
		return false
	}
	for _, pid := range family(l.PID()) {
		list, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)) // none if the process has just ended
		for _, fd := range list {
			link, err := fd.Info() // its mode is that of opening
			open, err2 := os.Stat(fmt.Sprintf("/proc/%d/fd/%s", pid, fd.Name()))
			if err == nil && err2 == nil && link.Mode()&0o200 != 0 && os.SameFile(open, file) {
				return true
			}
		}
	}
	return false
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
