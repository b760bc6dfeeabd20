package match

import (
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// TestAlikePlayersNeedNoPairs expects a caution for players that decide alike, and none for others
// with few pairs, which the head advises to play.
func TestAlikePlayersNeedNoPairs(t *testing.T) {
	for _, c := range []struct {
		even, won, differing int32
		compared             int64
	}{{8, 0, 0, 60}, {8, 0, 0, 59}, {8, 0, 1, 400}, {7, 1, 0, 400}} {
		r := &Result{Head: &runs.Head{}, Config: New()}
		row := datasets.TrialRow{Pairs: 8, Even: c.even, WW: c.won, Compared: c.compared, Differing: c.differing}
		if err := r.Add(schedule.Finished{Trial: row}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(r.cautions(), " ")
		want := c.even == 8 && c.differing == 0 && c.compared >= 60
		if alike := strings.Contains(text, "decided alike in all of 60 decisions"); alike != want || (text != "") != want {
			t.Errorf("%+v: %q", c, text)
		}
	}
}
