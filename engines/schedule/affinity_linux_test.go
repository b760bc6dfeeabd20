package schedule

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestWorkersAreSpreadOverProcessors binds every worker to one processor of this process. No
// processor has two workers before each has one.
func TestWorkersAreSpreadOverProcessors(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	seen := map[unix.CPUSet]int{}
	for i := range 2 * all.Count() {
		got := make(chan unix.CPUSet)
		go func() {
			var one unix.CPUSet
			if err := bind(i); err != nil {
				t.Error(err)
			} else if err := unix.SchedGetaffinity(0, &one); err != nil {
				t.Error(err)
			}
			got <- one
		}()
		one := <-got
		if seen[one]++; one.Count() != 1 || seen[one] > 1+i/all.Count() {
			t.Errorf("worker %d is on %d processors, %d workers there", i, one.Count(), seen[one])
		}
	}
}
