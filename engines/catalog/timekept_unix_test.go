//go:build unix

package catalog_test

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/catalog"
)

// TestTimeKept: decisions take no more of a processor than they may, half of them 2 ms
// and all but one in fifty 10 ms at most, whatever else the machine has to do. What
// a decision is late beyond that, it waited for a processor; see BenchmarkOvershoot.
func TestTimeKept(t *testing.T) {
	for _, game := range catalog.Games() {
		if _, keeps := game.Budget(engines.BudgetTime); !keeps {
			continue
		}
		for _, limit := range []time.Duration{2 * time.Millisecond, 20 * time.Millisecond} {
			const decisions = 50
			var over []time.Duration
			decideOften(t, game, limit, decisions, func(decide func()) {
				before := processorTime(t)
				decide()
				over = append(over, processorTime(t)-before-limit)
			})
			slices.Sort(over)
			if median, late := over[decisions/2], over[decisions-2]; median > 2*time.Millisecond || late > 10*time.Millisecond {
				t.Errorf("%s: decisions of %v take %v more in the median, and all but one up to %v", game.Name, limit, median, late)
			}
		}
	}
}

// processorTime is how long this process has kept processors busy.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
