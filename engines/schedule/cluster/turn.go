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

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
)

// turn is one call of Play.
type turn struct {
	setup play.Setup
	spec  string
	first uint64 // number of its first work
	ready []schedule.Result
	err   error
	wake  chan struct{}
	own   []*work   // to be played here
	stuck time.Time // since when nothing is left but what was set aside; zero if more is

	rules    []*play.Checker         // at hand, to replay answers with
	checks   int                     // that are played now
	disputes []func(context.Context) // to be judged
	// doubts counts disputes that are judged, and liars whose used answers are played
	// again: nothing more is used meanwhile.
	doubts   int
	tainted  *schedule.TaintedError // of the earliest trial; nil for none
	variant  engines.Variant
	checkers chan *play.Worker // at hand, to play checks with
}

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
	var own sync.WaitGroup
	defer own.Wait()
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
				return p.settle(t, &own)
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
			if err := p.watch(ctx, t, &own, len(jobs)); err != nil {
				return err
			}
		}
		if err := p.supply(t); err != nil {
			return err
		}
		p.examine(ctx, t, &own)
		if jobs == nil && p.done(t) {
			return nil
		}
	}
}

// begin makes t the turn, whose first job is j.
func (p *Pool) begin(t *turn, j play.Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.specs[t.spec] != nil
	if !known {
		own := &terms{termsMessage: termsMessage{Setup: t.setup, Sample: sampleOf(t.setup, j)}}
		own.Setup.Book = nil // it may be of any size, and every job is given its openings
		own.line = sync.OnceValues(func() (string, error) {
			return own.termsMessage.line(context.Background(), p.options.Build, t.spec)
		})
		p.specs[t.spec] = own
	}
	p.schedule.begin(known && j.Trial > 0) // another run may have the same terms
	t.first = p.schedule.next
	p.turn = t
}

// end drops what is left of a turn.
func (p *Pool) end(t *turn) {
	p.mu.Lock()
	if p.turn != t {
		p.mu.Unlock()
		return
	}
	p.turn = nil
	before := p.schedule.next
	p.mu.Unlock()
	// Neither may fail the run: what remains is stale to whoever takes it.
	if err := p.over(before); err != nil {
		p.tell(fmt.Sprintf("broker: %v", err))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := p.stream.Purge(ctx); err != nil {
		p.lostBroker()
	}
}

// add takes a job, and all that wait behind it.
func (p *Pool) add(j play.Job, jobs <-chan play.Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.take(j)
	for range 1024 {
		select {
		case j, ok := <-jobs:
			if !ok {
				return // the loop will see that too
			}
			p.take(j)
		default:
			return
		}
	}
}

// take schedules a job, and notes the engines that workers of this process may start for it.
func (p *Pool) take(j play.Job) {
	for _, seat := range j.Seats {
		if seat.Engine != nil {
			p.engines[seat.Engine.File] = true
		}
	}
	p.schedule.add(j)
}

// names reports whether a job of this coordinator named the file of an engine.
func (p *Pool) names(file string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.engines[file]
}

func (p *Pool) oldest(t *turn, results chan<- schedule.Result) (first schedule.Result, out chan<- schedule.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(t.ready) == 0 || t.doubts > 0 {
		return first, nil
	}
	return t.ready[0], results
}

func (p *Pool) done(t *turn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.schedule.pending == 0 && p.schedule.out == 0 && len(t.ready) == 0 && t.doubts == 0 && !p.schedule.unsettled()
}

// watch looks after what time does: lost workers, work that ends them, a broker that
// forgot everything.
func (p *Pool) watch(ctx context.Context, t *turn, own *sync.WaitGroup, waiting int) error {
	now := time.Now()
	p.mu.Lock()
	told := text.Each(p.schedule.miss(now), func(m *member) string {
		return fmt.Sprintf("worker %s is silent; others play what it had", m.name())
	})
	for _, w := range p.schedule.suspects(now) {
		told = append(told, p.lostText(t, w)+": it is set aside, and all else is played")
	}
	for _, w := range t.own {
		own.Go(func() { p.playHere(ctx, t, w) })
	}
	t.own = nil
	rebuild := p.rebuild || now.Sub(p.probed) > probeEvery
	p.rebuild = false
	err := cmp.Or(t.err, p.stuck(t, now, waiting))
	p.mu.Unlock()
	for _, line := range told {
		p.tell(line)
	}
	if rebuild && err == nil {
		p.probed = now
		probe, cancel := context.WithTimeout(ctx, probeEvery)
		defer cancel()
		p.restore(probe)
	}
	return err
}

// stuck ends the turn if for some time nothing has been left but what was set aside.
func (p *Pool) stuck(t *turn, now time.Time, waiting int) error {
	if waiting > 0 || len(t.ready) > 0 || !p.schedule.stuck() {
		t.stuck = time.Time{}
		return nil
	}
	if t.stuck.IsZero() {
		t.stuck = now
	}
	if now.Sub(t.stuck) < p.schedule.lostAfter {
		return nil // a worker that was only silent may answer yet
	}
	first := p.schedule.open[slices.IndexFunc(p.schedule.open, func(w *work) bool { return w.aside && !w.answered })]
	return fmt.Errorf("%s; all else that does not wait for it is played. Find out what ended them, such as a crash in their output or too "+
		"little memory; a resumed run tries that pair again", p.lostText(t, first))
}

// lostText says which pair workers were lost with.
func (p *Pool) lostText(t *turn, w *work) string {
	names := p.schedule.lostWith(w)
	return fmt.Sprintf("%s (%s) were lost while they played pair %d of trial %d (seed %d)", text.Plural(len(names), "worker"),
		strings.Join(names, ", "), w.jobs[0].From, w.jobs[0].Trial, t.seed(w.jobs[0]))
}

// seed is that of the first pair of a job.
func (t *turn) seed(j play.Job) uint64 {
	return play.PairSeed(t.setup.Seed, j.Stream, j.Openings, j.From)
}

// supply gives out what the schedule wants given out.
func (p *Pool) supply(t *turn) error {
	for {
		p.mu.Lock()
		if p.turn != t || t.err != nil {
			p.mu.Unlock()
			return t.err
		}
		w, again, ok := p.schedule.give(time.Now())
		copies := 0
		if ok {
			copies = w.copies
		}
		p.mu.Unlock()
		if !ok {
			return nil
		}
		if err := p.send(t, w, again, copies); err != nil {
			return err
		}
	}
}

// send gives a piece of work to the broker. That it arrives is not waited for:
// what is lost is given out again as if it took too long.
func (p *Pool) send(t *turn, w *work, again bool, copies int) error {
	m := workMessage{Session: p.session, Number: w.number, Spec: t.spec, Suspect: w.suspect, Jobs: slices.Clone(w.jobs)}
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
	id := fmt.Sprintf("%s-%d", p.session, w.number)
	if again {
		id += fmt.Sprintf("-%d-%d", copies, time.Now().UnixNano())
	}
	if _, err := p.js.PublishMsgAsync(&nats.Msg{Subject: subjectWork, Data: data}, jetstream.WithMsgID(id)); err != nil {
		p.lostBroker()
	}
	return nil
}

// poke has Play look again.
func (t *turn) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// playHere plays a piece of work in this process: one that a worker could not play.
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
	if v, _ := p.schedule.answer(w.number, "", digests, 0, 0, time.Now()); v == counts {
		w.result = pairs
		t.take(w)
	}
}

// take passes the pairs of pieces of work on, a result a job.
func (t *turn) take(list ...*work) {
	for _, w := range list {
		pairs := w.result
		for _, j := range w.jobs {
			n := j.To - j.From
			t.ready = append(t.ready, schedule.Result{Trial: j.Trial, Pairs: pairs[:n:n]})
			pairs = pairs[n:]
		}
		w.result = nil
	}
}

// tail is the part of a line that is not of the build.
func tail(line string) string {
	parts := strings.Split(line, ", ")
	return strings.Join(parts[max(0, len(parts)-3):], ", ")
}
