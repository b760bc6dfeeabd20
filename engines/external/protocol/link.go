package protocol

import (
	"context"
	"errors"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
)

// Link is a conversation with a program by which games
// are lost: its failures are faults of a player.
type Link struct {
	*process.Link
	// Thought is the time of requests for a decision, from sending to the whole answer. Its
	// reader resets it to 0.
	Thought time.Duration
}

// Ask asks the program. It returns a failure of process.Link as a *engines.Fault.
func (l *Link) Ask(ctx context.Context, r process.Request) error {
	if r.Move == 0 {
		return asFault(l.Link.Ask(ctx, r))
	}
	start := l.Clock.Now()
	err := asFault(l.Link.Ask(ctx, r))
	l.Thought += l.Clock.Now().Sub(start)
	return err
}

// Garbage breaks the link because of an answer that the protocol does not allow.
func (l *Link) Garbage(format string, args ...any) error {
	return asFault(l.Link.Fault(string(engines.Garbage), format, args...))
}

// Complain returns a fault that quotes stderr, and leaves the program running.
func (l *Link) Complain(reason engines.Reason, format string, args ...any) error {
	return asFault(l.Link.Complain(string(reason), format, args...))
}

// Start starts a program, as process.Start does.
func Start(ctx context.Context, c process.Command, o process.Options) (*Link, error) {
	l, err := process.Start(ctx, c, o)
	if err != nil {
		return nil, err
	}
	return &Link{Link: l}, nil
}

// asFault converts a failure to a player's fault, and returns other errors unchanged.
func asFault(err error) error {
	if f, failed := errors.AsType[*process.Failure](err); failed {
		return &engines.Fault{Reason: engines.Reason(f.Reason), Detail: f.Detail}
	}
	return err
}

// until returns a Request.Line that ends at the line word. Other lines go to other.
func until(word string, other func(line string) error) func(string) (bool, error) {
	return func(line string) (bool, error) {
		if strings.TrimSpace(line) == word {
			return true, nil
		}
		return false, other(line)
	}
}

// thinking returns the request for a decision.
func thinking(l *Link, text, hurry string, limits engines.Limits, move int, line func(string) (bool, error)) process.Request {
	r := process.Request{Move: move + 1, Text: text, Wait: l.Patience.Stall, Line: line}
	if limits.Timed() {
		r.Wait = limits.Longest() + max(limits.Margin, 0)
		r.Hurry = hurry
		r.Grace = l.Patience.Grace
		if hurry == "" {
			r.Wait, r.Grace = r.Wait+r.Grace, 0
		}
	}
	return r
}

// position sends a position, and returns the text to send with the command to think. Only
// thinking costs time, so under a time limit it waits until the program is ready, and the
// returned text is empty. Without a time limit the text is the position, which saves a round
// trip. hear reads the lines before readyok.
func position(ctx context.Context, l *Link, text string, limits engines.Limits, hear func(line string) error) (rest string, err error) {
	if limits.Timed() {
		return "", readyAfter(ctx, l, "setting up the position", text, hear)
	}
	return text + "isready\n", nil
}
