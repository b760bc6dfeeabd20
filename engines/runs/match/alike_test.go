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
	for _, c := range []struct{ even, won, differing int32 }{{8, 0, 0}, {8, 0, 1}, {7, 1, 0}} {
		r := &Result{Head: &runs.Head{}, Config: New()}
		row := datasets.TrialRow{Pairs: 8, Even: c.even, WW: c.won, Compared: 400, Differing: c.differing}
		if err := r.Add(schedule.Finished{Trial: row}); err != nil {
			t.Fatal(err)
		}
		said := strings.Join(r.cautions(), " ")
		if alike := strings.Contains(said, "decided alike in all of 400 decisions"); alike != (c.even == 8 && c.differing == 0) || alike == strings.Contains(said, "play at least") {
			t.Errorf("%+v: %q", c, said)
		}
	}
}
