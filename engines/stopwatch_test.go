package engines_test

import (
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/engines"
)

// searches looks at a stopwatch every step until it is over, and returns when.
func searches(w *engines.Stopwatch, limit time.Duration, step func(looked int) time.Duration) time.Duration {
	start := time.Now()
	w.Start(limit)
	for i := 0; !w.Over(); i++ {
		time.Sleep(step(i))
	}
	return time.Since(start)
}

// TestStopwatch: a search that is never paused takes its time; one that was ends
// sooner by so much, forgets it, and always has a third of its time.
func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ms := time.Millisecond
		smooth := func(int) time.Duration { return 100 * time.Microsecond }
		paused := func(pause time.Duration) func(int) time.Duration {
			return func(i int) time.Duration {
				if i == 10 {
					return pause
				}
				return 100 * time.Microsecond
			}
		}
		var w engines.Stopwatch
		if took := searches(&w, 100*ms, smooth); took != 100*ms {
			t.Errorf("without pauses %v", took)
		}
		if took := searches(&w, 100*ms, paused(23*ms)); took != 80*ms {
			t.Errorf("with a pause of 23 ms %v, want 20 less", took)
		}
		if took := searches(&w, 100*ms, smooth); took < 80*ms || took > 81*ms {
			t.Errorf("after it %v", took)
		}
		if took := searches(&w, 30*ms, paused(9*time.Second)); took < 9*time.Second {
			t.Errorf("a pause of 9 s took %v", took)
		}
		if took := searches(&w, 30*ms, smooth); took != 10*ms {
			t.Errorf("after a pause of 9 s %v, want a third", took)
		}
		for range 150 {
			searches(&w, 30*ms, smooth)
		}
		if took := searches(&w, 100*ms, smooth); took != 100*ms {
			t.Errorf("long after %v", took)
		}
		w.Start(0)
		if w.Runs() || w.Over() {
			t.Error("without a limit it is over")
		}
	})
}
