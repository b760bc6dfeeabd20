// Package external makes players of external engines. An engine is described by one file
// (ReadFile), runs as a process that is kept across games (Engine.Open), and is driven by a
// protocol of package protocol, which also offers this program's players to other programs.
//
// A program's mistake is a fault with a name (engines.Fault), by which it loses the game: Crash
// if it ended, Stall if it never answered, OutOfTime if it answered late, IllegalMove if its
// move breaks the rules or it claims to have none, and Garbage if its answer belongs to no
// protocol. No mistake makes a game hang or leaves a process behind after Close.
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

// Refusal is the error of a request for rules, positions, limits or options that an engine or
// its protocol lacks, and of a program that cannot be started. No player loses by it; the
// caller must change the request.
type Refusal struct{ Err error } // the reason

// Error returns the text of the reason.
func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.Err }

// refused returns err as a Refusal, unless it is an engine's fault or the end of one of the
// contexts.
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

// identity is the name of a program and everything that it consists of.
type identity struct {
	Name   string // the name in its greeting; "" without one
	Author string
	SHA256 string // of the program, by Engine.Hash
	// Options are the values it was given, as name=value in the order of
	// sending: first the engine file's, then the start values of its parameters.
	Options []string
}

// Key returns a SHA-256, in hexadecimal, of everything that can change the play of the program:
// the program and its settings.
func (i identity) Key() string {
	h := sha256.New()
	for _, text := range append([]string{i.Name, i.SHA256}, i.Options...) {
		fmt.Fprintf(h, "%d:%s\n", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// timeMargin is the time by which a decision may exceed its limit if
// the engine's file does not say: the cost of pipes and of waking up.
const timeMargin = 20 * time.Millisecond

// late reports whether a decision took longer than limit and margin. A limit of 0 allows any time.
func late(elapsed, limit, margin time.Duration) bool {
	return limit > 0 && elapsed > limit+margin
}
