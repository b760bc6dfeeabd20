package cli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/engines/schedule"
)

// TestLiveLinesEnd expects the line of every phase to stay with its last text, also of a phase that
// ends early.
func TestLiveLinesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &Progress{out: &out, live: true}
		p.Show("screen", 10, 10, false, "all screened")
		p.Show("tune", 50, 100, true, "half replayed")
		time.Sleep(drawEvery)
		p.Show("tune", 80, 100, false, "tuned early")
		p.Show("verify", 7, 1000, false, "decided early")
		p.Close()
		var lines []string
		for line := range strings.Lines(out.String()) { // the rest of each line after it is drawn
			lines = append(lines, line[strings.LastIndex(line, "\x1b[K")+3:])
		}
		want := []string{
			"screen [====================] 10/10 games; all screened\n",
			"tune [================----] 80/100 games, 200/s, at most 0 s left; tuned early\n",
			"verify [--------------------] 7/1000 games; decided early\n",
		}
		if strings.Join(lines, "") != strings.Join(want, "") {
			t.Errorf("got\n%q\nwant\n%q", lines, want)
		}
	})
}

// TestWhoPlaysNow expects the workers of the moment, not of the last game, in a line that is
// printed while no game ends.
func TestWhoPlaysNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		gone := false
		p := &Progress{out: &out, Workers: func() []schedule.Member { return []schedule.Member{{Slots: 1, Gone: gone}} }}
		p.Show("match", 7, 10, false, "")
		gone = true
		time.Sleep(lineEvery)
		p.print(time.Now())
		if line := out.String(); !strings.HasSuffix(line, "; no worker any more\n") {
			t.Error(line)
		}
	})
}
