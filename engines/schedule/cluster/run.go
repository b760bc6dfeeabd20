package cluster

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"

	"selfplaylab/reports/text"
)

// Run connects to a broker and plays for whatever coordinator is there, one after
// the other, until ctx ends, whose cause it returns. A broker or coordinator that
// is gone is waited for, unless the worker is to play once. A *RefusedError says that
// the coordinator does not want it.
func (w *Worker) Run(ctx context.Context, address string, a Access) error {
	last := ""
	for {
		nc, err := connect(address, a, nats.Timeout(beat), nats.NoCallbacksAfterClientClose(),
			nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
				if ctx.Err() == nil {
					w.tell("the connection is lost; waiting for the coordinator")
				}
			}),
			nats.ErrorHandler(func(nc *nats.Conn, _ *nats.Subscription, err error) {
				if nc.IsConnected() { // else the loss of the connection is told
					w.tell("broker: %v", err)
				}
			}))
		if err == nil {
			defer nc.Close()
			return w.work(ctx, nc, address)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var no *addressError
		if err = explain(err, address); w.Once || errors.As(err, &no) {
			return err
		}
		if text := err.Error(); text != last {
			last = text
			w.tell(unreachable, text)
		}
		if !pause(ctx, beat/2) {
			return context.Cause(ctx)
		}
	}
}

// work plays for one coordinator after the other.
func (w *Worker) work(ctx context.Context, nc *nats.Conn, address string) error {
	// Before the first greeting, since a piece of work may come with the answer to it.
	incoming, err := nc.SubscribeSync(subjectWork + w.greeting(nil).ID)
	if err == nil {
		err = incoming.SetPendingLimits(1<<20, 1<<30)
	}
	if err != nil {
		return explain(err, address)
	}
	last, played := "", false
	for {
		if played && w.Once {
			return nil
		}
		welcome, err := w.greet(ctx, nc, nil)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && w.Once:
			return errors.New("the broker can be reached, but no run is there that takes workers")
		case err != nil:
			if line := absence(nc, address, "waiting for a coordinator"); line != last {
				last = line
				w.tell("%s", line)
			}
			if !pause(ctx, beat/4) {
				return context.Cause(ctx)
			}
			continue
		case welcome.Refused != "":
			return &RefusedError{welcome.Refused}
		}
		last, played = "", true
		w.tell("playing for the coordinator %.6s on %s", welcome.Session, text.Plural(w.slots(), "core"))
		if err := w.session(ctx, nc, incoming, welcome.Session); err != nil {
			return err
		}
	}
}
