package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"selfplaylab/engines/schedule"
	"selfplaylab/engines/schedule/cluster"
	"selfplaylab/reports/text"
)

const (
	// lineEvery is the interval of plain lines without a terminal. drawEvery is the interval of
	// drawing on a terminal.
	lineEvery = 2 * time.Second
	drawEvery = 150 * time.Millisecond
	// longSilence is the time without progress that the line mentions.
	longSilence = 10 * time.Second
	// barWidth is the number of columns of a bar.
	barWidth = 20
)

// Progress shows how far long work is: one line a phase on a terminal, drawn again and
// again, else a plain line every two seconds, also while nothing ends. Its methods
// belong to one goroutine.
type Progress struct {
	// Unit is the plural of the counted unit; "" is games.
	Unit string
	// Workers returns the workers of a cluster at the time of a line; nil without a cluster.
	Workers func() []schedule.Member

	out  io.Writer
	live bool // lines are drawn again in place

	mu      sync.Mutex // of the rest, which the goroutine that prints reads
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
	workers     func() []schedule.Member

	start   time.Time
	skipped int64     // done when the phase began here: taken from a record
	grew    time.Time // when done grew last
}

// NewProgress returns a display on out.
func NewProgress(out io.Writer) *Progress {
	f, ok := out.(*os.File)
	return &Progress{out: out, live: ok && lively(os.Getenv("TERM"), int(f.Fd()))}
}

// lively reports whether lines can be redrawn in place: on a terminal that is not dumb and
// that has a size.
func lively(kind string, fd int) bool {
	if kind == "dumb" || !term.IsTerminal(fd) {
		return false
	}
	width, _, err := term.GetSize(fd)
	return err == nil && width > 0
}

// Show reports that done of at most total units of a phase are finished. skip is true for
// units taken from a record.
func (p *Progress) Show(phase string, done, total int64, skip bool, note string) {
	p.mu.Lock()
	now, at := time.Now(), p.at
	if phase != at.phase || at.start.IsZero() {
		p.endLine(now)
		at = standing{phase: phase, start: now, grew: now}
		p.printed = now
	}
	if done != at.done {
		at.grew = now
	}
	if skip {
		at.skipped, at.start = done, now
	}
	at.unit, at.done, at.total, at.skip, at.note, at.workers = cmp.Or(p.Unit, "games"), done, total, skip, note, p.Workers
	p.at = at
	p.mu.Unlock()
	p.watch()
	p.print(now)
}

// print prints the line if its interval has passed.
func (p *Progress) print(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch since := now.Sub(p.printed); {
	case p.live && since >= drawEvery:
		p.printed = now
		p.draw(now)
	case !p.live && since >= lineEvery && !p.at.skip:
		p.printed = now
		fmt.Fprintln(p.out, p.at.phase+": "+p.at.status(now))
	}
}

// draw draws the line again.
func (p *Progress) draw(now time.Time) {
	bar := int(barWidth * min(p.at.done, p.at.total) / max(p.at.total, 1))
	line := []rune(fmt.Sprintf("%s [%s%s] %s", p.at.phase, strings.Repeat("=", bar), strings.Repeat("-", barWidth-bar), p.at.status(now)))
	fmt.Fprintf(p.out, "\r\x1b[K%s", string(line[:min(len(line), Width(p.out)-1)]))
}

// endLine draws the line of a phase for the last time and ends it.
func (p *Progress) endLine(now time.Time) {
	if p.live && !p.at.start.IsZero() {
		p.draw(now)
		fmt.Fprintln(p.out)
	}
}

// watch prints lines to a terminal, file or pipe at intervals, also while nothing is reported.
func (p *Progress) watch() {
	if _, file := p.out.(*os.File); !file || p.stop != nil {
		return
	}
	stop, every := make(chan struct{}), lineEvery/4
	if p.live {
		every = drawEvery
	}
	p.stop = stop
	p.ended.Go(func() {
		ticks := time.NewTicker(every)
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

// status returns progress, speed, time left and note.
func (s *standing) status(now time.Time) string {
	line := s.rate(now)
	if pause := now.Sub(s.grew); pause >= longSilence && s.done < s.total {
		line += ", none ended for " + text.Span(pause.Seconds())
	}
	if s.note != "" {
		line += "; " + s.note
	}
	if s.workers != nil {
		line += "; " + cluster.Describe(s.workers())
	}
	return line
}

// rate returns the speed and the time left.
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

// left returns the time that the phase still takes at its speed, in seconds; 0 while
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

// Close ends the display. Later output starts on a new line.
func (p *Progress) Close() {
	if p.stop != nil {
		close(p.stop)
		p.stop = nil
		p.ended.Wait()
	}
	p.endLine(time.Now())
	p.at = standing{}
}

// defaultWidth is the number of columns without a terminal.
const defaultWidth = 80

// Width returns how many columns a line printed on out may have.
func Width(out io.Writer) int {
	if o, ok := out.(*output); ok {
		out = o.to
	}
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return max(width, defaultWidth/2)
		}
	}
	return defaultWidth
}
