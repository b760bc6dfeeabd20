package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"selfplaylab/reports/text"
)

type flagT = pflag.Flag

const (
	// lineEvery is how often a line is printed where there is no terminal.
	lineEvery = 2 * time.Second
	// longSilence is after how long without anything done that is said.
	longSilence = 10 * time.Second
)

// Progress shows how far long work is: one live line a phase on a terminal, else
// a plain line every two seconds, also while nothing ends. Its methods belong to
// one goroutine.
type Progress struct {
	// Unit is what is counted, in the plural; "" is games.
	Unit string

	out  io.Writer
	bars *mpb.Progress // nil without a terminal
	bar  *liveBar

	mu      sync.Mutex // of the rest, which the goroutine of plain lines reads
	at      standing
	printed time.Time
	stop    chan struct{} // ends that goroutine; nil before it has begun
	ended   sync.WaitGroup
}

// standing is how far a phase is.
type standing struct {
	phase, unit string
	done, total int64
	skip        bool // nothing was done here so far: all is from a record
	note        string

	start   time.Time
	skipped int64     // done when the phase began here: taken from a record
	grew    time.Time // when done grew last
	over    time.Time // when the phase ended; the zero time while it goes on
}

// liveBar is the line of one phase. It is drawn by another goroutine, which must
// not wait for ours.
type liveBar struct {
	*mpb.Bar
	at atomic.Pointer[standing]
}

// NewProgress returns a display on out.
func NewProgress(out io.Writer) *Progress {
	p := &Progress{out: out}
	if f, ok := out.(*os.File); ok && lively(os.Getenv("TERM"), int(f.Fd())) {
		p.live()
	}
	return p
}

// lively reports whether lines can be drawn again in place: on a terminal that is
// not a dumb one and that tells its size.
func lively(kind string, fd int) bool {
	if kind == "dumb" || !term.IsTerminal(fd) {
		return false
	}
	width, _, err := term.GetSize(fd)
	return err == nil && width > 0
}

// live turns plain lines into bars.
func (p *Progress) live(options ...mpb.ContainerOption) {
	p.bars = mpb.New(append(options, mpb.WithOutput(p.out), mpb.WithWidth(40), mpb.WithRefreshRate(150*time.Millisecond))...)
}

// Show tells that done of at most total units of a phase are finished. skip is
// true for those taken from a record.
func (p *Progress) Show(phase string, done, total int64, skip bool, note string) {
	p.mu.Lock()
	now, at := time.Now(), p.at
	begun := phase != at.phase || at.start.IsZero()
	if begun {
		at = standing{phase: phase, start: now, grew: now}
		p.printed = now
	}
	if done != at.done {
		at.grew = now
	}
	if skip {
		at.skipped, at.start = done, now
	}
	at.unit, at.done, at.total, at.skip, at.note = cmp.Or(p.Unit, "games"), done, total, skip, note
	p.at = at
	p.mu.Unlock()
	switch {
	case p.bars == nil:
		p.watch()
		p.print(now)
	case begun:
		p.begin()
		fallthrough
	default:
		p.bar.at.Store(&at)
		p.bar.SetCurrent(done)
	}
}

// print prints a plain line if it is time.
func (p *Progress) print(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.printed) >= lineEvery && !p.at.skip {
		p.printed = now
		fmt.Fprintln(p.out, p.at.phase+": "+p.at.status(now))
	}
}

// watch has plain lines printed into a file or pipe while nothing is told.
func (p *Progress) watch() {
	if _, file := p.out.(*os.File); !file || p.stop != nil {
		return
	}
	stop := make(chan struct{})
	p.stop = stop
	p.ended.Go(func() {
		ticks := time.NewTicker(lineEvery / 4)
		defer ticks.Stop()
		for {
			select {
			case <-stop:
				return
			case now := <-ticks.C:
				p.print(now)
			}
		}
	})
}

// begin starts the bar of a phase.
func (p *Progress) begin() {
	p.finishBar()
	b := &liveBar{}
	at := p.at
	b.at.Store(&at)
	b.Bar = p.bars.AddBar(p.at.total,
		mpb.PrependDecorators(decor.Name(p.at.phase, decor.WCSyncSpaceR)),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return b.at.Load().status(time.Now()) })),
	)
	p.bar = b
}

// finishBar leaves the current bar where it is: a phase may end early, and then
// only Abort ends its bar.
func (p *Progress) finishBar() {
	if p.bar == nil {
		return
	}
	at := *p.bar.at.Load()
	at.over = time.Now()
	p.bar.at.Store(&at)
	if !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bar = nil
}

// status is how far it is, the speed, the time left and the note.
func (s *standing) status(now time.Time) string {
	if !s.over.IsZero() {
		now = s.over
	}
	line := s.rate(now)
	if silent := now.Sub(s.grew); silent >= longSilence && s.done < s.total && s.over.IsZero() {
		line += ", none ended for " + text.Span(silent.Seconds())
	}
	if s.note != "" {
		line += "; " + s.note
	}
	return line
}

// rate is the speed and the time left.
func (s *standing) rate(now time.Time) string {
	elapsed := now.Sub(s.start).Seconds()
	played := float64(s.done - s.skipped)
	switch so := fmt.Sprintf("%d/%d %s", s.done, s.total, s.unit); {
	case elapsed <= 0:
		return so
	case played <= 0:
		return so + ", " + text.Span(elapsed) + " so far"
	case s.done >= s.total:
		return fmt.Sprintf("%s, %.0f/s", so, played/elapsed)
	default:
		speed := fmt.Sprintf("%.0f/s", played/elapsed)
		if played < 2*elapsed {
			speed = fmt.Sprintf("%.1f/min", 60*played/elapsed)
		}
		return fmt.Sprintf("%s, %s, %s left", so, speed, atMost(float64(s.total-s.done)*elapsed/played))
	}
}

// left is the time that the phase still takes at its speed, in seconds; 0 while
// little is known of it.
func (p *Progress) left() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	elapsed, played := time.Since(p.at.start).Seconds(), p.at.done-p.at.skipped
	if played <= 0 || elapsed < longSilence.Seconds() {
		return 0
	}
	return float64(p.at.total-p.at.done) * elapsed / float64(played)
}

// atMost bounds a time in seconds in words.
func atMost(seconds float64) string {
	if span := text.Span(seconds); strings.HasPrefix(span, "more than") {
		return span
	}
	return "at most " + text.Span(seconds)
}

// Close ends the display, so that what follows is printed below it.
func (p *Progress) Close() {
	p.finishBar()
	if p.bars != nil {
		p.bars.Wait()
		p.bars = nil
	}
	if p.stop != nil {
		close(p.stop)
		p.stop = nil
		p.ended.Wait()
	}
}
