package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Link is a conversation with a running program: a protocol
// sends text and reads lines until it has its answer.
// A broken link is dead: the process is killed, and every later request returns the same fault.
// It serves one goroutine at a time.
type Link struct {
	*process
	Options
	name string          // of the engine, for faults
	life context.Context // of the process, besides the context of a request

	// release ends the watch of life over the process. unwatch ends the
	// watch of the context of requests whose Done channel is watched.
	release, unwatch func() bool
	watched          <-chan struct{}
	broken           error
	left             bool // the program ended before it was killed
}

// Reasons of a program's failure.
const (
	crash   = "crash"   // it ended
	stall   = "stall"   // it did not answer in time
	garbage = "garbage" // it sent no valid answer
)

// Failure is the error of a program that failed by its own mistake. Its detail quotes the
// program's stderr.
type Failure struct{ Reason, Detail string } // one of the constants above, and words on the failure

// Error returns the detail.
func (f *Failure) Error() string { return f.Detail }

// Start starts a program. It ends with ctx at the latest. The caller must call Close. The error
// says why the program cannot be started, with a remedy.
func Start(ctx context.Context, c Command, o Options) (*Link, error) {
	o = o.orDefault()
	p, err := startProcess(c, o)
	if err != nil {
		return nil, err
	}
	l := &Link{process: p, Options: o, name: c.Name, life: ctx}
	l.release = context.AfterFunc(ctx, p.kill)
	return l, nil
}

// Alive reports whether the program runs and answers requests.
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

// Ended reports whether the program has ended by itself.
func (l *Link) Ended() bool {
	select {
	case <-l.quit:
		return l.left
	default:
		return !l.Alive()
	}
}

// Close ends the program and releases its files. With a farewell it asks the program to leave
// and waits for that; with "" it kills it at once.
func (l *Link) Close(farewell string) {
	if farewell == "" {
		l.kill()
	} else {
		l.close(farewell, l.Clock.After(l.Patience.Quit))
	}
	l.watch(context.Background())
	l.release()
}

// PID returns the number of the process in the system.
func (l *Link) PID() int { return l.cmd.Process.Pid }

// Stderr returns the last part of the program's stderr. It is complete after Close.
func (l *Link) Stderr() string { return l.stderr.String() }

// Request is one request to a program.
type Request struct {
	What string        // for faults, such as "setting options"
	Move int           // if above 0, replaces What: the number of the move to decide
	Text string        // sent, with its line ends; "" only listens
	Wait time.Duration // time for the answer; 0 is without limit
	// Hurry, if not "", is sent when Wait is over.
	// The answer then has Grace more.
	// With Again it is sent again every Wait until then.
	Hurry string
	Grace time.Duration
	Again bool
	// Line receives every line until it reports that the answer is complete, or returns an error.
	Line func(text string) (done bool, err error)
}

// what returns the description of the request for faults.
func (r *Request) what() string {
	if r.Move > 0 {
		return fmt.Sprintf("thinking over move %d", r.Move)
	}
	return r.What
}

// Fault breaks the link by a failure of the program, and returns it.
func (l *Link) Fault(reason, format string, args ...any) error {
	l.kill()
	return l.Complain(reason, format, args...)
}

// Complain returns a failure that quotes stderr, and leaves the program running.
func (l *Link) Complain(reason, format string, args ...any) error {
	detail := "engine " + l.name + ": " + fmt.Sprintf(format, args...)
	if words := l.stderr.quote(); words != "" {
		detail += fmt.Sprintf("; on its stderr: %q", words)
	}
	return &Failure{reason, detail}
}

// Ask sends a request and reads its answer. After a *Failure, and after the end of ctx, the
// program is dead. Any other error of Request.Line leaves it running.
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

// converse is the part of Ask that does not break the link.
func (l *Link) converse(ctx context.Context, r Request) error {
	if r.Text != "" {
		l.Send(r.Text)
	}
	l.watch(ctx)
	left, until, last := r.Grace, l.waitFor(r.Wait), ""
	for n := 0; ; {
		line, err := l.lines.next()
		switch {
		case ctx.Err() != nil:
			l.kill()
			return context.Cause(ctx)
		case err == nil:
			if n += len(line) + 1; n > l.MaxAnswer && r.Move == 0 {
				return l.Fault(garbage, "more than %d bytes while %s, the last line %q", l.MaxAnswer, r.what(), Shorten(line))
			}
			if done, err := r.Line(line); done || err != nil {
				return err
			}
			last = line
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return l.silence(ctx, r.what(), last, err)
		case until.IsZero() || time.Until(until) > 0: // an earlier context has ended
			l.stdout.SetReadDeadline(until)
		case r.Hurry == "" || left <= 0:
			return l.Fault(stall, "no answer within %v while %s%s", r.Wait+r.Grace, r.what(), l.lastWords(last))
		default:
			l.Send(r.Hurry)
			wait := left
			if r.Again {
				wait = min(r.Wait, left)
			}
			left, until = left-wait, l.waitFor(wait)
		}
	}
}

// lastWords quotes the program's last output that was not an answer: a line, or its incomplete
// last line.
func (l *Link) lastWords(line string) string {
	if rest := strings.TrimSpace(l.lines.rest()); rest != "" {
		return fmt.Sprintf("; it wrote %q without ending the line", Shorten(rest))
	}
	if line != "" {
		return fmt.Sprintf("; the last line it wrote: %q", Shorten(line))
	}
	return ""
}

// waitFor ends reading after a time, and returns the end; zero means never.
func (l *Link) waitFor(d time.Duration) time.Time {
	until := l.Clock.After(d)
	l.stdout.SetReadDeadline(until)
	return until
}

// watch ends reading at the end of ctx, in place of the context before. The same context is kept.
func (l *Link) watch(ctx context.Context) {
	if l.watched == ctx.Done() {
		return
	}
	if l.unwatch != nil {
		l.unwatch()
	}
	l.watched, l.unwatch = ctx.Done(), context.AfterFunc(ctx, func() { l.stdout.SetReadDeadline(time.Now()) })
}

// silence returns the fault of a program whose output has ended.
func (l *Link) silence(ctx context.Context, request, last string, end error) error {
	var long *tooLong
	switch {
	case ctx.Err() != nil:
		l.kill()
		return context.Cause(ctx)
	case l.life.Err() != nil:
		l.kill()
		return context.Cause(l.life)
	case errors.As(end, &long):
		return l.Fault(garbage, "a line without end while %s: %q", request, long.start)
	}
	text, left := l.ending()
	l.left = left
	if l.stderr.quote() == "" { // it would have given its reason there
		request += l.lastWords(last)
	}
	return l.Complain(crash, "%s while %s", text, request)
}

// Drain gives f the program's output so far, without waiting for more.
// The end of the output is left for the next request.
func (l *Link) Drain(f func(line string) error) error {
	for more := true; ; {
		line, ok, err := l.lines.take()
		switch {
		case ok:
			if err := f(line); err != nil {
				return err
			}
		case err != nil || !more:
			return nil
		default:
			l.lines.fill(func(buf []byte) (int, error) { return l.stdout.readNow(buf), nil })
			more = l.lines.to == len(l.lines.buf) // after a full buffer there may be more
		}
	}
}
