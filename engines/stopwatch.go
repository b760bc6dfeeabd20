package engines

import (
	"math"
	"time"
)

// Stopwatch tells a search when its time is up, early enough that the answer comes
// in time on a busy machine. There the system suspends a search for some
// milliseconds now and then, perhaps just when it should answer. The stopwatch
// learns the length of such pauses from the time between two calls of Over, and ends
// the search that much earlier, less a tolerated delay. On an idle machine this
// costs no time.
//
// BenchmarkOvershoot in engines/games measures it and has the figures. The zero
// value is ready to use. A stopwatch belongs to one search and is kept from decision
// to decision.
type Stopwatch struct {
	end     time.Time // zero for never
	last    time.Time // of the last call of Over
	step    time.Duration
	maxKept time.Duration // that is kept for pauses
	paused  time.Duration // the longest pause of late
}

const (
	// maxLate is the delay of an answer that is tolerated.
	maxLate = 3 * time.Millisecond
	// maxPause bounds a pause: a longer one is an accident from which nothing can be
	// learned.
	maxPause = 50 * time.Millisecond
	// forgotten: each decision forgets 1/32 of the longest pause, half of it in 22
	// decisions.
	forgotten = 32
)

// Start begins a decision that may take limit; 0 is unlimited.
func (s *Stopwatch) Start(limit time.Duration) {
	s.paused -= s.paused / forgotten
	s.end, s.maxKept = time.Time{}, limit*2/3
	if limit > 0 {
		s.last = time.Now()
		s.end = s.last.Add(limit)
	}
}

// Runs reports whether there is an end.
func (s *Stopwatch) Runs() bool { return !s.end.IsZero() }

// Step returns the time between the last two looks.
func (s *Stopwatch) Step() time.Duration { return s.step }

// Left returns the time that was left at the last call of Over, or the largest
// Duration without an end.
func (s *Stopwatch) Left() time.Duration {
	if s.end.IsZero() {
		return math.MaxInt64
	}
	return s.end.Sub(s.last)
}

// Over reports whether the search must end. It must be called many times per
// millisecond. Up to two thirds of the limit are kept for pauses.
func (s *Stopwatch) Over() bool {
	if s.end.IsZero() {
		return false
	}
	now := time.Now()
	s.step, s.last = now.Sub(s.last), now
	s.paused = max(s.paused, min(s.step, maxPause))
	return !now.Add(min(max(s.paused-maxLate, 0), s.maxKept)).Before(s.end)
}
