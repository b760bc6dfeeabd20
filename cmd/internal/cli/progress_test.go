package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"
)

// TestLiveBarsEnd: bars of phases that end early, or are interrupted, do not keep
// Close waiting, and each keeps its own last text.
func TestLiveBarsEnd(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{out: &out}
	p.live(mpb.WithAutoRefresh())
	p.Show("screen", 10, 10, false, "all screened")
	p.Show("tune", 50, 100, true, "half replayed")
	p.Show("tune", 80, 100, false, "tuned early")
	p.Show("verify", 7, 1000, false, "decided early")
	time.Sleep(400 * time.Millisecond) // two refreshes
	ended := make(chan struct{})
	go func() { p.Close(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("Close waits for a phase that ended early")
	}
	for _, text := range []string{"screen 10/10 games", "tune   80/100 games", "verify 7/1000 games"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q was not shown:\n%s", text, out.String())
		}
	}
}
