package cluster

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"selfplaylab/datasets"
	"selfplaylab/reports/text"
)

// hello answers a worker's greeting.
func (p *Pool) hello(m *nats.Msg, id string) {
	var g greeting
	if json.Unmarshal(m.Data, &g) != nil || g.Slots < 1 || g.Slots > 1<<12 {
		p.reply(m, welcome{Session: p.id, Refused: "this is no greeting of a worker"})
		return
	}
	g.ID = id
	for _, text := range []*string{&g.Host, &g.CPU, &g.Build.Source, &g.Build.Program, &g.Build.Revision, &g.Build.Go, &g.Build.Processor} {
		*text = fmt.Sprintf("%.200s", datasets.Printable(*text))
	}
	if !g.Build.same(p.options.Build) && !p.options.Mixed {
		p.refuse(m, g, fmt.Sprintf("it is another build\n  coordinator: %s\n  worker:      %s\nA worker must be compiled from the same source "+
			"by the same Go release; if its files were changed, build both programs by make build. A run started with --mixed also takes others that play its test games alike", p.options.Build, g.Build))
		return
	}
	p.mu.Lock()
	if reason, ok := p.refused[g.ID]; ok {
		p.mu.Unlock()
		p.refuse(m, g, reason)
		return
	}
	if known := p.dispatcher.workers[id]; known != nil && g.Beat <= known.Beat {
		p.mu.Unlock() // another process repeats an old greeting
		p.reply(m, welcome{Session: p.id})
		return
	}
	worker, back := p.dispatcher.hear(g, time.Now())
	worker.own = id == p.self
	t := p.turn
	p.mu.Unlock()
	if back {
		note := ""
		if g.Build.incomparable(p.options.Build) {
			note = "; its source cannot be compared, only its test games (make build records the source)"
		}
		p.tell(fmt.Sprintf("worker %s has joined: %s, %d of %s%s", g.name(), g.CPU, g.Slots, text.Plural(g.Cores, "core"), note))
		if t != nil {
			t.poke()
		}
	}
	p.reply(m, welcome{Session: p.id})
}

// refuse answers a worker that is not accepted, and reports it once.
func (p *Pool) refuse(m *nats.Msg, g greeting, reason string) {
	p.mu.Lock()
	_, reported := p.refused[g.ID]
	p.refused[g.ID] = reason
	if worker := p.dispatcher.workers[g.ID]; worker != nil {
		p.dispatcher.leave(worker, done, time.Now())
	}
	p.mu.Unlock()
	if !reported {
		p.tell(fmt.Sprintf("worker %s is refused: %s", g.name(), reason))
	}
	p.reply(m, welcome{Session: p.id, Refused: reason})
}

// terms answers a worker that has work under unknown terms.
func (p *Pool) terms(m *nats.Msg, _ string) {
	var r termsRequest
	err := json.Unmarshal(m.Data, &r)
	p.mu.Lock()
	t := p.specs[r.Spec]
	p.mu.Unlock()
	if err != nil || t == nil || r.Session != p.id {
		p.reply(m, termsMessage{Refused: "no run of this coordinator has these terms"})
		return
	}
	p.reply(m, t.termsMessage)
}

// join compares a worker's line with the coordinator's own.
func (p *Pool) join(m *nats.Msg, id string) {
	var r joinRequest
	err := json.Unmarshal(m.Data, &r)
	p.mu.Lock()
	t, worker := p.specs[r.Spec], p.dispatcher.workers[id]
	p.mu.Unlock()
	if err != nil || t == nil || worker == nil || r.Session != p.id {
		p.reply(m, welcome{Session: p.id, Stale: true})
		return
	}
	want, err := t.line()
	if err != nil {
		p.fail(err)
		return
	}
	if tail(r.Line) != tail(want) {
		p.refuse(m, worker.greeting, fmt.Sprintf("its numbers are others\n  coordinator: %s\n  worker:      %.500s",
			want, datasets.Printable(r.Line)))
		return
	}
	p.mu.Lock()
	p.joined[[2]string{id, r.Spec}] = true
	p.mu.Unlock()
	p.reply(m, welcome{Session: p.id})
}

// tail returns the part of a line after the build.
func tail(line string) string {
	parts := strings.Split(line, ", ")
	return strings.Join(parts[max(0, len(parts)-3):], ", ")
}

// leave gives the work of a leaving worker to others.
func (p *Pool) leave(m *nats.Msg, id string) {
	var l leaveMessage
	if json.Unmarshal(m.Data, &l) != nil || l.Session != p.id {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if worker := p.dispatcher.workers[id]; worker != nil && !worker.gone {
		p.dispatcher.leave(worker, done, time.Now())
		go p.tell(fmt.Sprintf("worker %s has left", worker.name()))
		if p.turn != nil {
			p.turn.poke()
		}
	}
}
