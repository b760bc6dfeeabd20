package engines

import (
	"math"
	"time"
)

// Stopwatch tells a search when its time is up, early enough that its answer
// comes in time on a machine that has other work too. There a search does not run
// all the while: the system stops it for some milliseconds, and it may be stopped
// just when it ought to answer. The stopwatch knows how long such pauses lately
// were, from the time between two looks at it, and ends the search so much sooner,
// less what an answer may well be late. On a machine that is free this takes
// nothing.
//
// Measured with BenchmarkOvershoot of engines/games; its figures are there. The
// zero value is ready. It belongs to one search and is kept from decision to
// decision.
type Stopwatch struct {
	end    time.Time // zero for never
	last   time.Time // when it was looked at
	step   time.Duration
	limit  time.Duration
	most   time.Duration // that is kept for pauses
	paused time.Duration // the longest pause of late
}

const (
	// late is what an answer may be late by a pause.
	late = 3 * time.Millisecond
	// longestPause is what a pause counts at most: a longer one is an accident, of
	// which nothing is to be learned.
	longestPause = 50 * time.Millisecond
	// forgotten is the part of the longest pause that is forgotten by the next
	// decision: half of it in 22.
	forgotten = 32
)

// Start begins a decision that may take so long; 0 is as long as it likes.
func (w *Stopwatch) Start(limit time.Duration) {
	w.paused -= w.paused / forgotten
	w.end, w.limit, w.most = time.Time{}, limit, limit*2/3
	if limit > 0 {
		w.last = time.Now()
		w.end = w.last.Add(limit)
	}
}

// Runs reports whether there is an end.
func (w *Stopwatch) Runs() bool { return !w.end.IsZero() }

// Limit returns what Start was given.
func (w *Stopwatch) Limit() time.Duration { return w.limit }

// Step returns the time between the last two looks.
func (w *Stopwatch) Step() time.Duration { return w.step }

// Left returns how long there was until the end when it was last looked at; without an
// end, as long as a Duration can say.
func (w *Stopwatch) Left() time.Duration {
	if w.end.IsZero() {
		return math.MaxInt64
	}
	return w.end.Sub(w.last)
}

// Over reports whether the search must end. It has to be asked many times a
// millisecond. Up to two thirds of the limit are kept for pauses.
func (w *Stopwatch) Over() bool {
	if w.end.IsZero() {
		return false
	}
	now := time.Now()
	w.step, w.last = now.Sub(w.last), now
	w.paused = max(w.paused, min(w.step, longestPause))
	return !now.Add(min(max(w.paused-late, 0), w.most)).Before(w.end)
}
