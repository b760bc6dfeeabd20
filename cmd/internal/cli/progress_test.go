package cli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vbauerster/mpb/v8"
)

// TestLiveBarsEnd: bars of phases that end early, or are interrupted, do not keep
// Close waiting, and each keeps its own last text.
func TestLiveBarsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &Progress{out: &out}
		p.live(mpb.WithAutoRefresh())
		p.Show("screen", 10, 10, false, "all screened")
		p.Show("tune", 50, 100, true, "half replayed")
		p.Show("tune", 80, 100, false, "tuned early")
		p.Show("verify", 7, 1000, false, "decided early")
		time.Sleep(400 * time.Millisecond) // two refreshes
		p.Close()                          // would wait forever for a phase that ended early
		for _, text := range []string{"screen  [====] 10/10 games; all screened", "tune    [==>-] 80/100 games; tuned early", "verify 7/1000 games"} {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%q was not shown:\n%s", text, out.String())
			}
		}
	})
}
