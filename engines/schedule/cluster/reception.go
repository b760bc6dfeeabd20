package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"selfplaylab/datasets"
	"selfplaylab/reports/text"
)

// terms are those of a spec, with the line that workers must match.
type terms struct {
	termsMessage
	line func() (string, error)
}

// reply answers a request.
func (p *Pool) reply(m *nats.Msg, v any) {
	data, err := json.Marshal(v)
	if err == nil {
		err = m.Respond(data)
	}
	if err != nil && !p.nc.IsClosed() {
		p.tell(fmt.Sprintf("broker: %v", err)) // the worker will ask again
	}
}

// hello answers a worker's greeting.
func (p *Pool) hello(m *nats.Msg, id string) {
	var g greeting
	if json.Unmarshal(m.Data, &g) != nil || g.Slots < 1 || g.Slots > 1<<12 {
		p.reply(m, welcome{Session: p.session, Refused: "this is no greeting of a worker"})
		return
	}
	g.ID = id
	for _, text := range []*string{&g.Host, &g.CPU, &g.Build.Source, &g.Build.Revision, &g.Build.Go, &g.Build.Processor} {
		*text = fmt.Sprintf("%.100s", datasets.Printable(*text))
	}
	if !g.Build.same(p.options.Build) && !p.options.Mixed {
		p.refuse(m, g, fmt.Sprintf("it is another build\n  coordinator: %s\n  worker:      %s\nA worker must be compiled from the same source "+
			"by the same Go release. A run started with --mixed also takes others that play its test games alike", p.options.Build, g.Build))
		return
	}
	p.mu.Lock()
	if why, is := p.refused[g.ID]; is {
		p.mu.Unlock()
		p.refuse(m, g, why)
		return
	}
	if who := p.schedule.crew[id]; who != nil && g.Beat <= who.Beat {
		p.mu.Unlock() // somebody repeats what it once said
		p.reply(m, welcome{Session: p.session})
		return
	}
	who, back := p.schedule.hear(g, time.Now())
	who.Beat, who.own = g.Beat, id == p.self
	t := p.turn
	p.mu.Unlock()
	if back {
		p.tell(fmt.Sprintf("worker %s has joined: %s, %d of %s", g.name(), g.CPU, g.Slots, text.Plural(g.Cores, "core")))
		if t != nil {
			t.poke()
		}
	}
	p.reply(m, welcome{Session: p.session})
}

// refuse answers a worker that is not wanted, and says so, once.
func (p *Pool) refuse(m *nats.Msg, g greeting, why string) {
	p.mu.Lock()
	_, said := p.refused[g.ID]
	p.refused[g.ID] = why
	p.schedule.leave(g.ID)
	p.mu.Unlock()
	if !said {
		p.tell(fmt.Sprintf("worker %s is refused: %s", g.name(), why))
	}
	p.reply(m, welcome{Session: p.session, Refused: why})
}

// terms answers a worker that has work under terms it does not know.
func (p *Pool) terms(m *nats.Msg, _ string) {
	var r termsRequest
	err := json.Unmarshal(m.Data, &r)
	p.mu.Lock()
	t := p.specs[r.Spec]
	p.mu.Unlock()
	if err != nil || t == nil || r.Session != p.session {
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
	t, who := p.specs[r.Spec], p.schedule.crew[id]
	p.mu.Unlock()
	if err != nil || t == nil || who == nil || r.Session != p.session {
		p.reply(m, welcome{Session: p.session, Stale: true})
		return
	}
	want, err := t.line()
	if err != nil {
		p.fail(err)
		return
	}
	if tail(r.Line) != tail(want) {
		p.refuse(m, who.greeting, fmt.Sprintf("its numbers are others\n  coordinator: %s\n  worker:      %.500s",
			want, datasets.Printable(r.Line)))
		return
	}
	p.mu.Lock()
	p.joined[[2]string{id, r.Spec}] = true
	p.mu.Unlock()
	p.reply(m, welcome{Session: p.session})
}

// fail ends the turn.
func (p *Pool) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.turn; t != nil {
		t.err = cmp.Or(t.err, err)
		t.poke()
	}
}

// noticed hears of a worker that takes work, gives it back or leaves.
func (p *Pool) noticed(m *nats.Msg, id string) {
	var n notice
	if json.Unmarshal(m.Data, &n) != nil || n.Session != p.session {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m.Subject {
	case subjectTook:
		p.schedule.took(n.Number, id, time.Now())
	case subjectBack:
		p.schedule.back(n.Number, id)
	case subjectLeave:
		if who := p.schedule.crew[id]; who != nil && !who.lost {
			p.schedule.leave(id)
			go p.tell(fmt.Sprintf("worker %s has left", who.name()))
		}
	}
}

// signed hands messages on whose signature is right, with the id of the worker.
func (p *Pool) signed(handle func(m *nats.Msg, id string)) nats.MsgHandler {
	return func(m *nats.Msg) {
		data, id, ok := unsealed(m.Subject, m.Data)
		if !ok {
			if m.Reply != "" {
				p.reply(m, welcome{Session: p.session, Refused: "a worker signs its messages, and this one is not signed"})
			}
			return
		}
		m.Data = data
		handle(m, id)
	}
}
