package process

import (
	"context"
	"errors"
	"fmt"
	"time"

	"selfplaylab/engines"
)

// link is a conversation with a running program: who speaks a protocol sends
// text and reads lines until it has its answer. A link that broke is dead: the
// process is killed, and every further word on it is the same fault.
type Link struct {
	*process
	Options
	name string          // of the engine, for faults
	life context.Context // of the process, besides that of a question
	// release ends the watch of life over the process.
	release func() bool
	broken  error
	left    bool     // the program ended before it was killed
	ahead   []string // lines that came with the last answer, not yet looked at
}

// Start starts a program, which ends with ctx at the latest.
func Start(ctx context.Context, c Command, o Options) (*Link, error) {
	o = o.orDefault()
	p, err := startProcess(c, o.MaxLine)
	if err != nil {
		return nil, err
	}
	l := &Link{process: p, Options: o, name: c.Name, life: ctx}
	l.release = context.AfterFunc(ctx, p.kill)
	return l, nil
}

// Alive reports whether the program can be talked to.
func (l *Link) Alive() bool {
	select {
	case <-l.quit:
		return false
	case <-l.dead:
		return false
	default:
		return true
	}
}

// Ended reports whether the program has ended by itself, and was not killed.
func (l *Link) Ended() bool {
	select {
	case <-l.quit:
		return l.left
	default:
		return !l.Alive()
	}
}

// Close ends the program: it asks it to leave by farewell and waits for that, or kills
// it at once if farewell is "".
func (l *Link) Close(farewell string) {
	if farewell == "" {
		l.kill()
	} else {
		l.close(farewell, l.Clock, l.Patience.Quit)
	}
	l.release()
}

// PID is the number of the process.
func (l *Link) PID() int { return l.cmd.Process.Pid }

// Stderr returns what is kept of the program's stderr; all of it is there after Close.
func (l *Link) Stderr() string { return l.stderr.String() }

// request is one thing asked of a program.
type Request struct {
	What string // for faults, such as "thinking"
	Text string // sent, with its line ends; "" to only listen
	Wait time.Duration
	// hurry, if not "", is sent when wait is over; then the answer has grace more.
	Hurry string
	Grace time.Duration
	// line is given every line, until it is done or fails.
	Line func(text string) (done bool, err error)
}

// fault breaks the link by an engine's own failure.
func (l *Link) Fault(reason engines.Reason, format string, args ...any) error {
	l.kill()
	return l.Complain(reason, format, args...)
}

// complain makes a fault that quotes stderr, and leaves the program running.
func (l *Link) Complain(reason engines.Reason, format string, args ...any) error {
	detail := "engine " + l.name + ": " + fmt.Sprintf(format, args...)
	if words := l.stderr.quote(); words != "" {
		detail += fmt.Sprintf("; on its stderr: %q", words)
	}
	return &engines.Fault{Reason: reason, Detail: detail}
}

// ask sends a request and reads its answer. Its error is a *engines.Fault, or the
// context's, and either way then the program is dead; or what request.line
// returned, and then the program lives if that is so.
func (l *Link) Ask(ctx context.Context, r Request) error {
	if l.broken != nil {
		return l.broken
	}
	err := l.converse(ctx, r)
	select {
	case <-l.quit:
		if err != nil {
			l.broken = err
		}
	default:
	}
	return err
}

func (l *Link) converse(ctx context.Context, r Request) error {
	if r.Text != "" {
		l.Send(r.Text)
	}
	timer, stop := l.Clock.Timer(r.Wait)
	defer func() { stop() }()
	hurry := r.Hurry
	for n := 0; ; {
		for len(l.ahead) > 0 {
			line := l.ahead[0]
			l.ahead = l.ahead[1:]
			if n++; n > l.MaxLines {
				return l.Fault(engines.Garbage, "more than %d lines while %s, the last %q", l.MaxLines, r.What, Shorten(line))
			}
			if done, err := r.Line(line); done || err != nil {
				return err
			}
		}
		select {
		case batch, ok := <-l.process.lines:
			if !ok {
				return l.silence(ctx, r.What)
			}
			l.ahead = batch
		case <-ctx.Done():
			l.kill()
			return context.Cause(ctx)
		case <-timer:
			if hurry == "" {
				return l.Fault(engines.Stall, "no answer within %v while %s", r.Wait+r.Grace, r.What)
			}
			l.Send(hurry)
			hurry = ""
			stop()
			timer, stop = l.Clock.Timer(r.Grace)
		}
	}
}

// silence is the fault of a program whose output has ended.
func (l *Link) silence(ctx context.Context, what string) error {
	var long *tooLong
	switch {
	case ctx.Err() != nil:
		l.kill()
		return context.Cause(ctx)
	case l.life.Err() != nil:
		l.kill()
		return context.Cause(l.life)
	case errors.As(l.ended, &long):
		return l.Fault(engines.Garbage, "a line without end while %s: %q", what, long.start)
	}
	text, left := l.ending()
	l.left = left
	return l.Complain(engines.Crash, "%s while %s", text, what)
}

// drain gives f what the program has said already, without waiting for more.
func (l *Link) Drain(f func(line string) error) error {
	for {
		for len(l.ahead) > 0 {
			line := l.ahead[0]
			l.ahead = l.ahead[1:]
			if err := f(line); err != nil {
				return err
			}
		}
		select {
		case batch, ok := <-l.process.lines:
			if !ok {
				return nil // the next question finds out
			}
			l.ahead = batch
		default:
			return nil
		}
	}
}
