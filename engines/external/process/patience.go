package process

import (
	"cmp"
	"time"
)

// Options say how a program is run; a zero field means the default.
type Options struct {
	Patience Patience
	Clock    Clock // the machine's by default
	MaxLine  int   // bytes of a line: 64 KiB
	MaxLines int   // lines in answer to one request: 100,000
}

func (o Options) orDefault() Options {
	o.Patience = o.Patience.orDefault()
	if o.Clock == nil {
		o.Clock = Wall{}
	}
	o.MaxLine, o.MaxLines = cmp.Or(o.MaxLine, 64<<10), cmp.Or(o.MaxLines, 100_000)
	return o
}

// Patience says how long a program may take over what is not thinking, and how
// long past its limits it is waited for. A zero field means the default.
type Patience struct {
	Start time.Duration // from the start of the process to its greeting: 10 s
	Ready time.Duration // for options and new games: 60 s
	// Stall bounds a decision that no time limit bounds: 10 min.
	Stall time.Duration
	// Grace is how long after its time, the margin included, a late answer is
	// waited for before the program is given up: 5 s. A late answer loses by
	// OutOfTime and the program is kept; without one it loses by Stall.
	Grace time.Duration
	Quit  time.Duration // from the word of farewell to the kill: 1 s
}

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

// Clock tells the time; tests have their own.
type Clock interface {
	Now() time.Time
	// After returns the time d from now by the machine's clock; zero for never.
	After(d time.Duration) time.Time
}

// Wall is the machine's clock.
type Wall struct{}

func (Wall) Now() time.Time { return time.Now() }

func (Wall) After(d time.Duration) time.Time { return time.Now().Add(d) }
