// Package external seats other people's engines as players, and ours among
// theirs. An engine is described by one file (ReadFile), runs as a process of its
// own that is kept across games (Engine.Open), and is spoken to in a protocol of
// the table that Protocols returns, one file of this folder each. Serve is the
// other way round: our players behind those protocols.
//
// What a program does wrong is a fault with a name (engines.Fault), and the game
// is lost by it: by Crash if it ended, Stall if it never answered, OutOfTime if
// it answered late, IllegalMove if its move breaks the rules or it claims to have
// none, and Garbage if what it said is in no protocol. Whatever it does, no game
// hangs and nothing of it is left running after Close.
//
// The package knows no match, no records and no command line.
package external

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/params"
)

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
	// Timer returns a channel that gets a value after d, and what stops it.
	Timer(d time.Duration) (<-chan time.Time, func())
}

// wall is the machine's clock.
type wall struct{}

func (wall) Now() time.Time { return time.Now() }

func (wall) Timer(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// Refusal is the error of a question that an engine cannot be asked: about rules,
// positions, limits or options that it or its protocol does not have, or a program
// that cannot be started. It is nobody's loss; whoever asked must ask otherwise.
type Refusal struct{ Err error }

// Error returns the text of Err.
func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns Err.
func (r *Refusal) Unwrap() error { return r.Err }

// refused makes a Refusal of an error that is neither an engine's fault nor the
// end of one of the contexts.
func refused(err error, contexts ...context.Context) error {
	var fault *engines.Fault
	var refusal *Refusal
	if err == nil || errors.As(err, &fault) || errors.As(err, &refusal) {
		return err
	}
	for _, ctx := range contexts {
		if ctx.Err() != nil {
			return err
		}
	}
	return &Refusal{err}
}

// Identity is what a program says it is and what it is made of.
type Identity struct {
	Name   string // what it calls itself; "" if it does not say
	Author string
	SHA256 string // of the program, as Engine.Hash tells it
	// Options are the values given to it, as name=value, in the order they were
	// sent: those of the engine file, then the start values of its parameters.
	Options []string
}

// Key is a SHA-256 of all that can change how the program plays: what it is and
// how it is set up, in hexadecimal.
func (id Identity) Key() string {
	h := sha256.New()
	for _, text := range append([]string{id.Name, id.SHA256}, id.Options...) {
		fmt.Fprintf(h, "%d:%s\n", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Option is a setting a program offers.
type Option struct {
	Name string
	Type string // spin, check, combo, string, button
	// Default is the value before it is set, as the program writes it.
	Default  string
	Ranged   bool // Min and Max are known
	Min, Max int64
	Values   []string // of a combo
}

// Offer is what a program said of itself when it started.
type Offer struct {
	Name, Author string
	Options      []Option
	// Open tells that the protocol has no list of options, so that what is not in
	// Options may exist all the same.
	Open bool
	// Extensions are words beyond the protocol that it understands.
	Extensions []string

	params   params.Space // rows that it printed
	rowsOnly bool         // its spins are rules and machinery, and never tuned
}

// Find returns the named option. Case does not count, as in UCI.
func (o *Offer) Find(name string) (Option, bool) {
	for _, option := range o.Options {
		if strings.EqualFold(option.Name, name) {
			return option, true
		}
	}
	return Option{}, false
}

func (o *Offer) names() []string {
	names := make([]string, len(o.Options))
	for i, option := range o.Options {
		names[i] = option.Name
	}
	return names
}

func (o *Offer) extends(word string) bool {
	for _, e := range o.Extensions {
		if e == word {
			return true
		}
	}
	return false
}

// timeMargin is how much longer than its limit a decision may take where the
// engine's file does not say: the cost of pipes and of waking up.
const timeMargin = 20 * time.Millisecond

// late reports whether a decision took longer than allowed. A limit of 0 allows
// everything.
func late(elapsed, limit, margin time.Duration) bool {
	return limit > 0 && elapsed > limit+margin
}

// noMove is what programs say for having no move.
func noMove(text string) bool {
	switch strings.ToLower(text) {
	case "0000", "none", "(none)", "null", "resign", "draw":
		return true
	}
	return false
}

var _ engines.Player = (*Player)(nil)
