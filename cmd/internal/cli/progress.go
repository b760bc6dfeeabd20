package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

type flagT = pflag.Flag

// lineEvery is how often a line is printed where there is no terminal.
const lineEvery = 5 * time.Second

// Progress shows how far long work is: one live line a phase on a terminal, else
// a plain line every few seconds. It belongs to one goroutine.
type Progress struct {
	// Unit is what is counted, in the plural; "" is games.
	Unit string

	out  io.Writer
	bars *mpb.Progress // nil without a terminal
	bar  *liveBar

	phase   string
	start   time.Time
	skipped int64 // done when the phase began here: replayed from a record
	printed time.Time
}

// liveBar is the line of one phase. Its text is drawn by another goroutine.
type liveBar struct {
	*mpb.Bar
	text atomic.Value // string
}

// NewProgress returns a display on out.
func NewProgress(out io.Writer) *Progress {
	p := &Progress{out: out}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.live()
	}
	return p
}

// live turns plain lines into bars.
func (p *Progress) live(options ...mpb.ContainerOption) {
	p.bars = mpb.New(append(options, mpb.WithOutput(p.out), mpb.WithWidth(40), mpb.WithRefreshRate(150*time.Millisecond))...)
}

// Show tells that done of at most total units of a phase are finished. skip is
// true for those taken from a record.
func (p *Progress) Show(phase string, done, total int64, skip bool, note string) {
	if phase != p.phase {
		p.begin(phase, total)
	}
	if skip {
		p.skipped, p.start = done, time.Now()
	}
	if p.bar != nil {
		p.bar.text.Store(p.rate(done, total) + "  " + note)
		p.bar.SetCurrent(done)
		return
	}
	if now := time.Now(); now.Sub(p.printed) >= lineEvery && !skip {
		p.printed = now
		fmt.Fprintln(p.out, p.line(done, total, note))
	}
}

func (p *Progress) begin(phase string, total int64) {
	p.finishBar()
	p.phase, p.skipped, p.start, p.printed = phase, 0, time.Now(), time.Now()
	if p.bars == nil {
		return
	}
	b := &liveBar{}
	b.text.Store("")
	b.Bar = p.bars.AddBar(total,
		mpb.PrependDecorators(decor.Name(phase, decor.WCSyncSpaceR)),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return b.text.Load().(string) })),
	)
	p.bar = b
}

// finishBar leaves the current bar where it is: a phase may end early, and then
// only Abort ends its bar.
func (p *Progress) finishBar() {
	if p.bar == nil {
		return
	}
	if !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bar = nil
}

// rate is the speed and the time left.
func (p *Progress) rate(done, total int64) string {
	unit := cmp.Or(p.Unit, "games")
	elapsed := time.Since(p.start).Seconds()
	played := float64(done - p.skipped)
	if played <= 0 || elapsed <= 0 {
		return fmt.Sprintf("%d/%d %s", done, total, unit)
	}
	speed := played / elapsed
	if done >= total {
		return fmt.Sprintf("%d/%d %s, %.0f/s", done, total, unit, speed)
	}
	return fmt.Sprintf("%d/%d %s, %.0f/s, at most %s left", done, total, unit, speed, Span(float64(total-done)/speed))
}

func (p *Progress) line(done, total int64, note string) string {
	return fmt.Sprintf("%s: %s; %s", p.phase, p.rate(done, total), note)
}

// Close ends the display, so that what follows is printed below it.
func (p *Progress) Close() {
	p.finishBar()
	if p.bars != nil {
		p.bars.Wait()
		p.bars = nil
	}
}
