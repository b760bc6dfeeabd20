package cluster

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
)

// answer takes an answer of a worker. Several are read at a time.
func (p *Pool) answer(m *nats.Msg, id string) {
	p.reading <- struct{}{}
	p.readers.Go(func() {
		defer func() { <-p.reading }()
		p.read(m, id)
	})
}

// read reads an answer. It weighs the answer, or handles work that the worker cannot play. It
// refuses a worker that was not admitted or whose answer cannot be true. An answer to
// an earlier turn is only confirmed.
func (p *Pool) read(m *nats.Msg, id string) {
	head, pairs, digests, err := readAnswer(m.Data)
	p.mu.Lock()
	t, from, w := p.turn, p.dispatcher.workers[id], p.dispatcher.known[head.Number]
	if from == nil || head.Session != p.id || t == nil || head.Number < t.first {
		p.mu.Unlock()
		p.reply(m, welcome{Session: p.id, Stale: true})
		return
	}
	g, joined := from.greeting, p.joined[[2]string{id, t.spec}]
	why, refused := p.refused[id]
	p.mu.Unlock()
	if refused {
		p.refuse(m, g, why)
		return
	}
	if joined && err == nil && head.Error == "" && w != nil {
		err = p.fits(t, w, pairs)
	}
	switch {
	case err == nil && head.Error != "": // the error may be the reason why it did not request admission
		p.cannot(m, g, head)
	case !joined:
		p.refuse(m, g, "it answers before it was let in")
	case err != nil: // so its earlier answers are in doubt, too
		why = err.Error()
		p.mu.Lock()
		p.refused[id] = why
		t.doubt(func(ctx context.Context) { p.expose(ctx, t, from, why) })
		p.mu.Unlock()
		p.reply(m, welcome{Session: p.id, Refused: why})
	default:
		p.weigh(m, t, g, head, pairs, digests)
	}
}

// fits returns why pairs cannot be an answer to a piece of work: they are other pairs, or
// violate the rules.
func (p *Pool) fits(t *turn, w *work, pairs []play.Pair) error {
	if !w.asks(pairs) {
		return fmt.Errorf("its answer to work %d has other pairs than were asked", w.number)
	}
	c := p.checker(t)
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		t.rules = append(t.rules, c)
	}()
	for i := range w.jobs {
		j := &w.jobs[i]
		for range j.To - j.From {
			if err := c.Check(j, &pairs[0]); err != nil {
				return fmt.Errorf("its answer to work %d breaks the rules: %s", w.number, datasets.Printable(err.Error()))
			}
			pairs = pairs[1:]
		}
	}
	return nil
}

// checker returns a play.Checker that no other goroutine uses.
func (p *Pool) checker(t *turn) *play.Checker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(t.rules) - 1; n >= 0 {
		c := t.rules[n]
		t.rules = t.rules[:n]
		return c
	}
	return play.NewChecker(t.variant, t.setup)
}

// cannot handles the answer of a worker that cannot play a piece of work. The piece goes to the
// others. If no worker is left that could play every piece so far, this process plays it. Each
// reason is reported once.
func (p *Pool) cannot(m *nats.Msg, g greeting, head answerHead) {
	p.mu.Lock()
	d, t := p.dispatcher, p.turn
	w, from := d.known[head.Number], d.workers[g.ID]
	from.unable = true
	able, so := false, "this process tries"
	for _, other := range d.workers {
		if !other.gone && !other.unable {
			able, so = true, "others play"
		}
	}
	if !able && w != nil && t != nil && w.wanted() {
		w.here = true
		t.here = append(t.here, w)
	}
	d.cannot(head.Number, from, able, time.Now())
	reason := [2]string{g.ID, fmt.Sprintf("%.500s", head.Error)}
	reported := p.reasons[reason]
	p.reasons[reason] = true
	p.mu.Unlock()
	if !reported {
		p.tell(fmt.Sprintf("worker %s cannot play work %d or others like it, so %s them: %s",
			g.name(), head.Number, so, reason[1]))
	}
	if t != nil {
		t.poke()
	}
	p.reply(m, welcome{Session: p.id})
}

// weigh counts an answer, holds it back, or compares it with the first answer.
func (p *Pool) weigh(m *nats.Msg, t *turn, g greeting, head answerHead, pairs []play.Pair, digests []uint64) {
	p.mu.Lock()
	w := p.dispatcher.known[head.Number]
	v, place := p.dispatcher.answer(head.Number, g.ID, digests, head.Seconds, len(m.Data), time.Now())
	switch v {
	case counts, waits:
		if w.result = pairs; v == counts {
			t.take(w)
		}
	case repeat:
		t.take(p.dispatcher.confirmed(w, p.dispatcher.workers[g.ID])...)
	case differ:
		d := dispute{w, place, [2]string{w.by, g.ID}, [2]uint64{w.digests[place], digests[place]}}
		t.doubt(func(ctx context.Context) { p.judge(ctx, t, d) })
	}
	p.mu.Unlock()
	t.poke()
	p.reply(m, welcome{Session: p.id, Stale: v == stale})
}
