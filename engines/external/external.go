// Package external makes external engines players. An engine is described by one file
// (ReadFile), runs as a process of its own that is kept across games (Engine.Open), and
// is spoken to in a protocol of package protocol, which also offers our players to
// other programs.
//
// A program's mistake is a fault with a name (engines.Fault), and the game
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
	"time"

	"selfplaylab/engines"
)

// Refusal is the error of a question that an engine cannot be asked: about rules,
// positions, limits or options that it or its protocol does not have, or a program
// that cannot be started. It is nobody's loss; whoever asked must ask otherwise.
type Refusal struct{ Err error }

func (r *Refusal) Error() string { return r.Err.Error() }
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

// identity is what a program says it is and what it is made of.
type identity struct {
	Name   string // what it calls itself; "" if it does not say
	Author string
	SHA256 string // of the program, as Engine.Hash tells it
	// Options are the values given to it, as name=value, in the order they were
	// sent: those of the engine file, then the start values of its parameters.
	Options []string
}

// Key is a SHA-256 of all that can change how the program plays: what it is and
// how it is set up, in hexadecimal.
func (i identity) Key() string {
	h := sha256.New()
	for _, text := range append([]string{i.Name, i.SHA256}, i.Options...) {
		fmt.Fprintf(h, "%d:%s\n", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// timeMargin is how much longer than its limit a decision may take where the
// engine's file does not say: the cost of pipes and of waking up.
const timeMargin = 20 * time.Millisecond

// late reports whether a decision took longer than allowed. A limit of 0 allows
// everything.
func late(elapsed, limit, margin time.Duration) bool {
	return limit > 0 && elapsed > limit+margin
}

var _ engines.Player = (*Player)(nil)
