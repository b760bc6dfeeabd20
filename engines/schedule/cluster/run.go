package cluster

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"

	"selfplaylab/reports/text"
)

// Run connects to a broker and plays for each coordinator that it finds, one after the other,
// until ctx ends; it returns ctx's cause. It waits for a missing broker or coordinator, unless
// Once is set. The error is a *RefusedError if the coordinator does not accept the worker.
func (w *Worker) Run(ctx context.Context, address string, a Access) error {
	last := ""
	for {
		nc, err := connect(address, a, append([]nats.Option{nats.Timeout(beat), nats.NoCallbacksAfterClientClose(),
			nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
				if ctx.Err() == nil {
					w.tell("the connection is lost; waiting for the coordinator")
				}
			}),
			nats.ErrorHandler(func(nc *nats.Conn, _ *nats.Subscription, err error) {
				if nc.IsConnected() { // otherwise the loss of the connection is reported
					w.tell("broker: %v", err)
				}
			})}, w.hooks.options...)...)
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
	// Before the first greeting, because a piece of work may come with its answer.
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
