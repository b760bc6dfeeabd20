package view

import (
	"math"
	"testing"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/testmode"
)

// TestWallClockChangesNoRate sets the wall clock forward or back by a day while games are counted.
func TestWallClockChangesNoRate(t *testing.T) {
	for _, day := range []int64{86400, -86400} {
		v := &View{Recorded: &runs.Recorded{Log: &datasets.Log{}}, state: runs.Running}
		v.measure()
		v.since = testmode.StepWall(v.since.Add(-1000*time.Hour), day) // the test's own time is nothing against that
		v.played = 1000 * 3600
		v.measure()
		if math.Abs(v.rate-1) > 0.001 {
			t.Errorf("after %d s %v games a second, want 1", day, v.rate)
		}
	}
}
