package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
)

// Play implements schedule.Pool.
func (p *Pool) Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- schedule.Result) (err error) {
	t := &turn{setup: s, wake: make(chan struct{}, 1), checkers: make(chan *play.Worker, runtime.NumCPU())}
	if t.spec, err = specOf(s); err != nil {
		return err
	}
	if t.variant, err = games.Open(s.Game, s.Rules); err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, t.leave()); err == nil && t.tainted != nil {
			err = t.tainted
		}
	}()
	var local sync.WaitGroup
	defer local.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer p.end(t)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	begun := false
	for {
		first, out := p.oldest(t, results)
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), schedule.ErrOver) {
				return p.settle(t, &local)
			}
			return nil
		case j, ok := <-jobs:
			if !ok {
				jobs = nil
				break
			}
			if !begun {
				begun = true
				p.begin(t, j)
			}
			p.add(j, jobs)
		case out <- first:
			p.mu.Lock()
			t.ready = t.ready[1:]
			p.mu.Unlock()
		case <-t.wake:
		case <-tick.C:
			if err := p.watch(ctx, t, &local, len(jobs)); err != nil {
				return err
			}
		}
		if err := p.supply(t); err != nil {
			return err
		}
		p.examine(ctx, t, &local)
		if jobs == nil && p.done(t) {
			return nil
		}
	}
}

// begin makes t the current turn, with j as its first job.
func (p *Pool) begin(t *turn, j play.Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.specs[t.spec] != nil
	if !known {
		own := &terms{termsMessage: termsMessage{Setup: t.setup, Sample: sampleOf(t.setup, j)}}
		own.Setup.Book = nil // the book may be large, and every job gets its openings
		own.line = sync.OnceValues(func() (string, error) {
			return own.termsMessage.line(context.Background(), p.options.Build, t.spec)
		})
		p.specs[t.spec] = own
	}
	same := known && j.Trial > 0 // another run may have the same terms
	if p.dispatcher.begin(same); !same {
		p.scores = &scores{}
	}
	t.scores = p.scores
	t.first = p.dispatcher.next
	p.turn = t
}

// end drops the rest of a turn.
func (p *Pool) end(t *turn) {
	p.mu.Lock()
	if p.turn != t {
		p.mu.Unlock()
		return
	}
	p.turn = nil
	before := p.dispatcher.next
	p.mu.Unlock()
	if err := p.over(before); err != nil && p.nc.IsConnected() { // the answers do not count anyway
		p.tell(fmt.Sprintf("broker: %v", err))
	}
}

// add takes a job, and all jobs that wait behind it.
func (p *Pool) add(j play.Job, jobs <-chan play.Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.take(j)
	for range 1024 {
		select {
		case j, ok := <-jobs:
			if !ok {
				return // the caller's loop sees this too
			}
			p.take(j)
		default:
			return
		}
	}
}

// take passes a job to the dispatcher, and notes the engines that workers of this process may
// start for it.
func (p *Pool) take(j play.Job) {
	for _, seat := range j.Seats {
		if seat.Engine != nil {
			p.engines[seat.Engine.File] = true
		}
	}
	p.dispatcher.add(j)
}

// oldest returns the result to pass on next, with the channel for it; nil if there is none yet.
func (p *Pool) oldest(t *turn, results chan<- schedule.Result) (first schedule.Result, out chan<- schedule.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(t.ready) == 0 || t.doubts > 0 {
		return first, nil
	}
	return t.ready[0], results
}

// done reports whether all jobs so far are answered, checked and passed on.
func (p *Pool) done(t *turn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.dispatcher
	return d.pending == 0 && d.out == 0 && len(t.ready) == 0 && t.doubts == 0 && !d.unsettled()
}

// watch handles lost workers, work that ends them, and a broker that is gone.
func (p *Pool) watch(ctx context.Context, t *turn, local *sync.WaitGroup, waiting int) error {
	now := time.Now()
	p.missBroker()
	p.mu.Lock()
	if p.missing != "" {
		p.dispatcher.excuse(now)
	}
	if now.Sub(p.scored) > time.Second {
		p.scored = now
		for id, residual := range p.scores.residuals() {
			if m := p.dispatcher.workers[id]; m != nil {
				m.residual = residual
			}
		}
	}
	lines := text.Each(p.dispatcher.miss(now), func(m *worker) string {
		return fmt.Sprintf("worker %s is silent; others play what it had", m.name())
	})
	for _, w := range p.dispatcher.suspects(now) {
		lines = append(lines, p.lostText(t, w)+": it is set aside, and all else is played")
	}
	for _, w := range t.here {
		local.Go(func() { p.playHere(ctx, t, w) })
	}
	t.here = nil
	err := cmp.Or(t.err, p.stuck(t, now, waiting))
	p.mu.Unlock()
	for _, line := range lines {
		p.tell(line)
	}
	return err
}

// missBroker reports that the broker cannot be reached, and why, once.
func (p *Pool) missBroker() {
	line := ""
	if !p.nc.IsConnected() {
		line = absence(p.nc, p.options.URL, "the connection to the broker is lost; waiting for it")
	}
	if line != p.missing && line != "" {
		p.tell(line)
	}
	p.missing = line
}

// stuck ends the turn if for some time all remaining work has been set aside.
func (p *Pool) stuck(t *turn, now time.Time, waiting int) error {
	d := p.dispatcher
	if waiting > 0 || len(t.ready) > 0 || !d.stuck() {
		t.stuck = time.Time{}
		return nil
	}
	if t.stuck.IsZero() {
		t.stuck = now
	}
	if now.Sub(t.stuck) < d.lostAfter {
		return nil // a worker that was only silent may still answer
	}
	first := d.open[slices.IndexFunc(d.open, func(w *work) bool { return w.aside && !w.answered })]
	return fmt.Errorf("%s; all else that does not wait for it is played. Find out what ended them, such as a crash in their output or too "+
		"little memory; a resumed run tries that pair again", p.lostText(t, first))
}

// lostText returns text on the pair that workers were lost with.
func (p *Pool) lostText(t *turn, w *work) string {
	names := p.dispatcher.lostWith(w)
	return fmt.Sprintf("%s (%s) were lost while they played pair %d of trial %d (seed %d)", text.Plural(len(names), "worker"),
		strings.Join(names, ", "), w.jobs[0].From, w.jobs[0].Trial, t.seed(w.jobs[0]))
}

// supply sends workers the work that the dispatcher gives out.
func (p *Pool) supply(t *turn) error {
	for p.nc.IsConnected() {
		p.mu.Lock()
		if p.turn != t || t.err != nil {
			p.mu.Unlock()
			return t.err
		}
		w, m := p.dispatcher.give(time.Now())
		p.mu.Unlock()
		if w == nil {
			return nil
		}
		if err := p.send(t, w, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// send sends a piece of work to a worker. The message may be lost: the worker's greetings name
// the work that has arrived.
func (p *Pool) send(t *turn, w *work, id string) error {
	m := workMessage{Session: p.id, Number: w.number, Spec: t.spec, Jobs: slices.Clone(w.jobs)}
	for i := range m.Jobs {
		if err := t.setup.Give(&m.Jobs[i]); err != nil {
			return err
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(data) > maxMessage {
		return fmt.Errorf("a piece of work has %d bytes, a message %d at most", len(data), maxMessage)
	}
	if err := p.nc.Publish(subjectWork+id, data); err != nil && p.nc.IsConnected() {
		p.tell(fmt.Sprintf("broker: %v", err))
	}
	return nil
}

// playHere plays a piece of work in this process, because no worker could play it.
func (p *Pool) playHere(ctx context.Context, t *turn, w *work) {
	j := w.jobs[0]
	pairs, digests, err := t.play(ctx, w.jobs)
	if ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer t.poke()
	if err != nil {
		t.ready = append(t.ready, schedule.Result{Trial: j.Trial, Err: fmt.Errorf("seed of the pair %d: %w", t.seed(j), err)})
		return
	}
	if v, _ := p.dispatcher.answer(w.number, "", digests, 0, 0, time.Now()); v == counts {
		w.result = pairs
		t.take(w)
	}
}
