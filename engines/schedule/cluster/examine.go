package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
)

// settleTime is the time in which the last answers are checked if a run ends early.
const settleTime = time.Minute

// examine starts the checks that are due, and uses answers that need none.
func (p *Pool) examine(ctx context.Context, t *turn, local *sync.WaitGroup) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turn != t {
		return
	}
	now := time.Now()
	if t.doubts == 0 {
		t.take(p.dispatcher.press(now)...)
	}
	for _, judge := range t.disputes {
		local.Go(func() {
			defer t.poke()
			judge(ctx)
			p.mu.Lock()
			defer p.mu.Unlock()
			t.doubts--
		})
	}
	t.disputes = nil
	next := func() *check {
		return p.dispatcher.nextCheck(cap(t.checkers), t.checks, p.dispatcher.spareOf(hostname(), cap(t.checkers)), now)
	}
	for c := next(); c != nil; c = next() {
		t.checks++
		local.Go(func() { p.check(ctx, t, c) })
	}
}

// doubt starts a judgement; nothing more is used before it ends.
func (t *turn) doubt(judge func(context.Context)) {
	t.doubts++
	t.disputes = append(t.disputes, judge)
	t.poke()
}

// check compares some pairs of a worker with the same pairs played here.
func (p *Pool) check(ctx context.Context, t *turn, c *check) {
	why, err := t.difference(ctx, c.samples)
	p.mu.Lock()
	t.checks--
	defer t.poke()
	if ctx.Err() == nil && err == nil && why == "" {
		t.take(p.dispatcher.pass(c)...)
	}
	p.mu.Unlock()
	switch {
	case ctx.Err() != nil:
	case err != nil:
		p.fail(fmt.Errorf("check of worker %s: %w", c.m.name(), err))
	case why != "":
		p.expose(ctx, t, c.m, why)
	}
}

// difference returns text on the first pair of samples that this machine plays differently; ""
// for none.
func (t *turn) difference(ctx context.Context, samples []sample) (string, error) {
	for _, x := range samples {
		_, here, err := t.play(ctx, []play.Job{x.job})
		if err != nil {
			return "", err
		}
		if here[0] != x.digest {
			return t.other(x.job), nil
		}
	}
	return "", nil
}

// other returns the reason to refuse a worker that played a pair differently.
func (t *turn) other(j play.Job) string {
	return fmt.Sprintf("it answered pair %d of trial %d (seed %d) with other games than this machine plays", j.From, j.Trial, t.seed(j))
}

// judge plays a pair here that two workers played differently.
func (p *Pool) judge(ctx context.Context, t *turn, d dispute) {
	j := d.w.at(d.place)
	_, here, err := t.play(ctx, []play.Job{j})
	if err == nil {
		for i, id := range d.by {
			if d.digests[i] == here[0] {
				continue
			}
			p.mu.Lock()
			m := p.dispatcher.workers[id]
			p.mu.Unlock()
			if m == nil || m.own {
				err = fmt.Errorf("this machine played pair %d of trial %d twice, and differently: look for what is broken, such as its memory; "+
					"do not trust this run", j.From, j.Trial)
				break
			}
			p.expose(ctx, t, m, t.other(j))
		}
	}
	if err != nil && ctx.Err() == nil {
		p.fail(err)
	}
}

// expose refuses a worker that gave a wrong answer. Others play its answers that are not used.
// Its used answers are played again here, and end the run if one was wrong.
func (p *Pool) expose(ctx context.Context, t *turn, m *worker, why string) {
	p.mu.Lock()
	if m.caught {
		p.mu.Unlock()
		return
	}
	held, used := len(m.held), len(m.used)
	list, forgotten := p.dispatcher.expose(m, time.Now())
	p.refused[m.ID] = why
	t.doubts++
	p.mu.Unlock()
	p.tell(fmt.Sprintf("worker %s (%s, %s) is refused: %s. Others play its last %s; this machine plays its %s again that the run has used",
		m.name(), m.CPU, m.Build, why, text.Plural(held, "answer"), text.Plural(used, "answer")))
	trial, wrong, err := t.firstWrong(ctx, list)
	if forgotten != nil {
		trial, wrong = forgotten.jobs[0].Trial, true
	}
	if err != nil && len(list) > 0 { // after an interruption none of them can be trusted
		trial, wrong = list[0].jobs[0].Trial, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.doubts--
	t.poke()
	if wrong {
		e := &schedule.TaintedError{Trial: trial, Reason: fmt.Sprintf("worker %s is not to be trusted: %s", m.name(), why)}
		if t.tainted == nil || e.Trial < t.tainted.Trial {
			t.tainted = e
		}
		t.err = t.tainted
	}
}

// firstWrong plays answers again and returns the first trial of the earliest wrong one.
func (t *turn) firstWrong(ctx context.Context, list []past) (trial int64, wrong bool, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	next := make(chan past)
	for range cap(t.checkers) {
		all.Go(func() {
			for a := range next {
				_, here, e := t.play(ctx, a.jobs)
				mu.Lock()
				if err = cmp.Or(err, e); e == nil && sumOf(here) != a.sum && (!wrong || a.jobs[0].Trial < trial) {
					trial, wrong = a.jobs[0].Trial, true
				}
				mu.Unlock()
			}
		})
	}
	slices.SortStableFunc(list, func(a, b past) int { return cmp.Compare(a.jobs[0].Trial, b.jobs[0].Trial) })
	for _, a := range list {
		mu.Lock()
		enough := wrong && trial <= a.jobs[0].Trial || err != nil
		mu.Unlock()
		if enough {
			break
		}
		next <- a
	}
	close(next)
	all.Wait()
	return trial, wrong, err
}

// settle checks answers that were used without a check, when the source needs no more results.
func (p *Pool) settle(t *turn, local *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeout(context.Background(), settleTime)
	defer cancel()
	local.Wait() // checks whose context has ended
	p.mu.Lock()
	p.dispatcher.release()
	p.mu.Unlock()
	for {
		p.mu.Lock()
		open := p.dispatcher.unsettled() || t.doubts > 0
		err := t.err
		p.mu.Unlock()
		if err != nil || !open {
			local.Wait()
			return err
		}
		p.examine(ctx, t, local)
		select {
		case <-t.wake:
		case <-ctx.Done():
			p.tell("the run is over, and the last answers of some workers are not compared: that would have taken long")
			local.Wait()
			return nil
		}
	}
}
