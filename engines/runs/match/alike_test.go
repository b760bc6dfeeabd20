package match

import (
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// TestAlike: players that decide alike are told so, and not to play more pairs.
func TestAlike(t *testing.T) {
	for _, differing := range []int32{0, 1} {
		r := &Result{Head: &runs.Head{}, Config: New()}
		if err := r.Add(schedule.Finished{Trial: datasets.TrialRow{Pairs: 8, Even: 8, Compared: 400, Differing: differing}}); err != nil {
			t.Fatal(err)
		}
		said := strings.Join(r.cautions(), " ")
		if alike := strings.Contains(said, "decided alike in all of 400 decisions"); alike != (differing == 0) || alike == strings.Contains(said, "play at least") {
			t.Errorf("%d of 400 differed: %q", differing, said)
		}
	}
}
