package protocol

import (
	"context"
	"errors"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
)

// Link is a conversation with a program by which games are lost: its failures are faults of
// a player.
type Link struct{ *process.Link }

// Start starts a program, as process.Start does.
func Start(ctx context.Context, c process.Command, o process.Options) (*Link, error) {
	l, err := process.Start(ctx, c, o)
	if err != nil {
		return nil, err
	}
	return &Link{l}, nil
}

// Ask asks the program. Its error is a *engines.Fault where process.Link's is a failure.
func (l *Link) Ask(ctx context.Context, r process.Request) error { return asFault(l.Link.Ask(ctx, r)) }

// Fault breaks the link by an engine's own failure.
func (l *Link) Fault(reason engines.Reason, format string, args ...any) error {
	return asFault(l.Link.Fault(string(reason), format, args...))
}

// Complain makes a fault that quotes stderr, and leaves the program running.
func (l *Link) Complain(reason engines.Reason, format string, args ...any) error {
	return asFault(l.Link.Complain(string(reason), format, args...))
}

// asFault makes the fault of a player of a failure; other errors stay as they are.
func asFault(err error) error {
	if f, is := errors.AsType[*process.Failure](err); is {
		return &engines.Fault{Reason: engines.Reason(f.Reason), Detail: f.Detail}
	}
	return err
}
