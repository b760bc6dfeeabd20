// Package cluster is a run's pool of other processes, here and on other machines: a coordinator
// gives out work over NATS, workers of the same build play it, and their answers come back in
// any order. The broker stores nothing. A piece of work has one owner, the dispatcher of the
// coordinator, and the run's record is the truth. The package decides no schedule of games and
// judges no strength.
//
// The files in their order, callers first: the coordinator is open, play, admit, answer,
// examine, workers, turn and pool; its decisions are dispatcher, trust and work; the worker is
// run, session and worker; both use broker, access, signature, message and wire.
package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Options select the broker and the workers of a pool.
type Options struct {
	Broker *Broker // an embedded broker; nil for the one at URL
	URL    string  // address of a NATS server; unused with Broker
	Access Access  // secrets for URL
	Build  Build   // of this program; workers must have the same
	// Mixed admits workers of another source or Go release, if their signature is the same.
	Mixed bool
	// Say, if not nil, is called with a line for people when workers come, leave, are refused
	// or lost. Several goroutines call it, one at a time.
	Say func(string)
}

// Pool is a schedule.Pool of workers that come and go. It may serve several runs, one after the
// other; Close it at the end.
type Pool struct {
	options Options
	id      string // unique ID of its session
	nc      *nats.Conn
	subs    []*nats.Subscription

	mu         sync.Mutex
	dispatcher *dispatcher
	joined     map[[2]string]bool // by worker and spec
	specs      map[string]*terms  // by hash
	turn       *turn              // nil while nothing is played
	scores     *scores            // of the turns with the same setup and players
	scored     time.Time          // time of the last computation of residuals; only Play uses it
	counted    map[string]tally   // by worker
	refused    map[string]string  // reasons for refusals, by worker
	self       string             // ID of the worker in this process
	engines    map[string]bool    // files of engines that jobs name
	// reasons holds the errors already reported for workers that could not play a piece of
	// work.
	reasons map[[2]string]bool

	missing string        // last reported reason why the broker is missing; only Play uses it
	reading chan struct{} // one token for each answer being read
	readers sync.WaitGroup
	say     sync.Mutex
}

// terms belong to a spec, with the line that workers must match.
type terms struct {
	termsMessage
	line func() (string, error)
}

// tally holds the counts of a worker that Machines has already returned.
type tally struct{ games, compared int64 }

// tell passes a line to Options.Say.
func (p *Pool) tell(text string) {
	if p.options.Say != nil {
		p.say.Lock()
		defer p.say.Unlock()
		p.options.Say(text)
	}
}

// reply answers a request.
func (p *Pool) reply(m *nats.Msg, v any) {
	data, err := json.Marshal(v)
	if err == nil {
		err = m.Respond(data)
	}
	if err != nil && !p.nc.IsClosed() {
		p.tell(fmt.Sprintf("broker: %v", err)) // the worker will repeat its request
	}
}

// over tells all workers that work with numbers below before is no longer wanted.
func (p *Pool) over(before uint64) error {
	data, err := json.Marshal(overMessage{p.id, before})
	if err == nil {
		err = p.nc.Publish(subjectOver, data)
	}
	return err
}

// connection opens another connection to the broker.
func (p *Pool) connection(more ...nats.Option) (*nats.Conn, error) {
	if b := p.options.Broker; b != nil {
		return nats.Connect("", append(more, nats.InProcessServer(b.server), nats.Token(b.inner), nats.ReconnectBufSize(-1))...)
	}
	return connect(p.options.URL, p.options.Access, more...)
}

// names reports whether a job of this coordinator named an engine's file.
func (p *Pool) names(file string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.engines[file]
}

// fail ends the turn with an error.
func (p *Pool) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.turn; t != nil {
		t.err = cmp.Or(t.err, err)
		t.poke()
	}
}
