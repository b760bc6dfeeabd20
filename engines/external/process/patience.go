package process

import (
	"cmp"
	"time"
)

// Options are the settings of a program's process. A zero field means the default.
type Options struct {
	Patience Patience // the longest times of an answer
	Clock    Clock    // the machine's by default
	MaxLine  int      // maximum bytes of a line: 64 KiB
	// MaxAnswer bounds the bytes of an answer outside thinking, which may be stored: 16 MiB.
	MaxAnswer int
	// Starts is the number of starts in a row that may be late before the run stops: 1.
	Starts int
	Log    *Log // of the lines sent and received; nil for none
}

// orDefault returns o with its defaults filled in.
func (o Options) orDefault() Options {
	o.Patience = o.Patience.orDefault()
	if o.Clock == nil {
		o.Clock = Wall{}
	}
	o.MaxLine, o.MaxAnswer = cmp.Or(o.MaxLine, 64<<10), cmp.Or(o.MaxAnswer, 16<<20)
	return o
}

// Patience has the longest times that a program may take outside thinking, and beyond its
// limits. A zero field means the default.
type Patience struct {
	Start time.Duration // from the start of the process to its greeting: 10 s
	Ready time.Duration // for options and new games: 60 s
	// Stall bounds a decision without a time limit: 10 min.
	Stall time.Duration
	// Grace is the time for which a late answer is awaited after its limit and margin: 5 s.
	// A late answer loses by OutOfTime and the program is kept; without one it loses by Stall.
	Grace time.Duration
	Quit  time.Duration // from the word of farewell to the kill: 1 s
}

// orDefault returns p with its defaults filled in.
func (p Patience) orDefault() Patience {
	for _, f := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&p.Start, 10 * time.Second}, {&p.Ready, time.Minute}, {&p.Stall, 10 * time.Minute},
		{&p.Grace, 5 * time.Second}, {&p.Quit, time.Second},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return p
}

// Clock is a source of time. Tests have their own.
type Clock interface {
	Now() time.Time // Now returns the current time.
	// After returns the time d from now by the machine's clock; zero for never.
	After(d time.Duration) time.Time
}

// Wall is the machine's clock.
type Wall struct{}

// Now returns the current time.
func (Wall) Now() time.Time { return time.Now() }

// After returns the time d from now.
func (Wall) After(d time.Duration) time.Time { return time.Now().Add(d) }
