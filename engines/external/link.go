package external

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"selfplaylab/engines"
)

// link is a conversation with a running program: who speaks a protocol sends
// text and reads lines until it has its answer. A link that broke is dead: the
// process is killed, and every further word on it is the same fault.
type link struct {
	*process
	Options
	name string          // of the engine, for faults
	life context.Context // of the process, besides that of a question
	// release ends the watch of life over the process.
	release func() bool
	broken  error
	ahead   []string // lines that came with the last answer, not yet looked at
}

// Start starts a program, which ends with ctx at the latest.
func Start(ctx context.Context, c Command, o Options) (*link, error) {
	o = o.orDefault()
	p, err := startProcess(c, o.MaxLine)
	if err != nil {
		return nil, err
	}
	l := &link{process: p, Options: o, name: c.Name, life: ctx}
	l.release = context.AfterFunc(ctx, p.kill)
	return l, nil
}

// Alive reports whether the program can be talked to.
func (l *link) Alive() bool {
	select {
	case <-l.quit:
		return false
	case <-l.dead:
		return false
	default:
		return true
	}
}

// Close ends the program: it asks it to leave by farewell and waits for that, or kills
// it at once if farewell is "".
func (l *link) Close(farewell string) {
	if farewell == "" {
		l.kill()
	} else {
		l.close(farewell, l.Clock, l.Patience.Quit)
	}
	l.release()
}

// PID is the number of the process.
func (l *link) PID() int { return l.cmd.Process.Pid }

// Stderr returns what is kept of the program's stderr; all of it is there after Close.
func (l *link) Stderr() string { return l.stderr.String() }

// request is one thing asked of a program.
type request struct {
	what string // for faults, such as "thinking"
	text string // sent, with its line ends; "" to only listen
	wait time.Duration
	// hurry, if not "", is sent when wait is over; then the answer has grace more.
	hurry string
	grace time.Duration
	// line is given every line, until it is done or fails.
	line func(text string) (done bool, err error)
}

// fault breaks the link by an engine's own failure.
func (l *link) fault(reason engines.Reason, format string, args ...any) error {
	l.kill()
	return l.complain(reason, format, args...)
}

// complain makes a fault that quotes stderr, and leaves the program running.
func (l *link) complain(reason engines.Reason, format string, args ...any) error {
	detail := "engine " + l.name + ": " + fmt.Sprintf(format, args...)
	if words := l.stderr.quote(); words != "" {
		detail += fmt.Sprintf("; on its stderr: %q", words)
	}
	return &engines.Fault{Reason: reason, Detail: detail}
}

// ask sends a request and reads its answer. Its error is a *engines.Fault, or the
// context's, and either way then the program is dead; or what request.line
// returned, and then the program lives if that is so.
func (l *link) ask(ctx context.Context, r request) error {
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

func (l *link) converse(ctx context.Context, r request) error {
	if r.text != "" {
		l.send(r.text)
	}
	timer, stop := l.Clock.Timer(r.wait)
	defer func() { stop() }()
	hurry := r.hurry
	for n := 0; ; {
		for len(l.ahead) > 0 {
			line := l.ahead[0]
			l.ahead = l.ahead[1:]
			if n++; n > l.MaxLines {
				return l.fault(engines.Garbage, "more than %d lines while %s, the last %q", l.MaxLines, r.what, shorten(line))
			}
			if done, err := r.line(line); done || err != nil {
				return err
			}
		}
		select {
		case batch, ok := <-l.process.lines:
			if !ok {
				return l.silence(ctx, r.what)
			}
			l.ahead = batch
		case <-ctx.Done():
			l.kill()
			return context.Cause(ctx)
		case <-timer:
			if hurry == "" {
				return l.fault(engines.Stall, "no answer within %v while %s", r.wait+r.grace, r.what)
			}
			l.send(hurry)
			hurry = ""
			stop()
			timer, stop = l.Clock.Timer(r.grace)
		}
	}
}

// silence is the fault of a program whose output has ended.
func (l *link) silence(ctx context.Context, what string) error {
	var long *tooLong
	switch {
	case ctx.Err() != nil:
		l.kill()
		return context.Cause(ctx)
	case l.life.Err() != nil:
		l.kill()
		return context.Cause(l.life)
	case errors.As(l.ended, &long):
		return l.fault(engines.Garbage, "a line without end while %s: %q", what, long.start)
	}
	return l.complain(engines.Crash, "%s while %s", l.ending(), what)
}

// drain gives f what the program has said already, without waiting for more.
func (l *link) drain(f func(line string) error) error {
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

// words splits a line; none for an empty one.
func words(line string) []string { return strings.Fields(line) }

// until returns a request.line that is done with the line that is word.
func until(word string, other func(line string) error) func(string) (bool, error) {
	return func(line string) (bool, error) {
		if strings.TrimSpace(line) == word {
			return true, nil
		}
		return false, other(line)
	}
}
