package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/nats-io/nats.go"
)

// Open connects a coordinator to its broker. It does not wait for workers. The caller must
// close the pool. The error names a broker that cannot be reached or does not suit.
func Open(o Options) (*Pool, error) {
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	p := &Pool{
		options: o, id: rand.Text(), dispatcher: newDispatcher(newSecret(seed)), joined: map[[2]string]bool{}, specs: map[string]*terms{},
		refused: map[string]string{}, engines: map[string]bool{}, reasons: map[[2]string]bool{}, scores: &scores{}, reading: make(chan struct{}, runtime.NumCPU()),
	}
	var err error
	p.nc, err = p.connection(nats.ErrorHandler(func(nc *nats.Conn, _ *nats.Subscription, err error) {
		if nc.IsConnected() { // otherwise missBroker reports it
			p.tell(fmt.Sprintf("broker: %v", err))
		}
	}))
	if err != nil {
		return nil, explain(err, o.URL)
	}
	if err := p.listen(); err != nil {
		p.nc.Close()
		return nil, err
	}
	return p, nil
}

// listen subscribes to the messages of workers.
func (p *Pool) listen() error {
	if err := serves(p.nc); err != nil {
		return err
	}
	for subject, handle := range map[string]func(*nats.Msg, string){
		subjectHello: p.hello, subjectTerms: p.terms, subjectJoin: p.join, subjectAnswer: p.answer, subjectLeave: p.leave,
	} {
		sub, err := p.nc.Subscribe(subject, p.signed(handle))
		if err == nil {
			err = sub.SetPendingLimits(1<<20, 1<<30)
		}
		if err != nil {
			return err
		}
		p.subs = append(p.subs, sub)
	}
	return p.nc.FlushTimeout(5 * time.Second)
}

// signed passes messages on if their signature is valid, with the ID of the worker.
func (p *Pool) signed(handle func(m *nats.Msg, id string)) nats.MsgHandler {
	return func(m *nats.Msg) {
		data, id, ok := unsealed(m.Subject, m.Data)
		if !ok {
			if m.Reply != "" {
				p.reply(m, welcome{Session: p.id, Refused: "a worker signs its messages, and this one is not signed"})
			}
			return
		}
		m.Data = data
		handle(m, id)
	}
}

// Close tells workers that this coordinator is gone and closes the connections. It does not
// close Options.Broker.
func (p *Pool) Close() error {
	var err error
	for _, s := range p.subs {
		err = errors.Join(err, s.Unsubscribe())
	}
	p.readers.Wait()
	if p.nc.IsConnected() {
		if e := errors.Join(p.over(allWork), p.nc.FlushTimeout(time.Second)); p.nc.IsConnected() {
			err = errors.Join(err, e)
		}
	}
	p.nc.Close()
	return err
}

// Work makes this process a worker of the pool, too, until ctx ends. It returns ctx's cause or
// the worker's error.
func (p *Pool) Work(ctx context.Context, w *Worker) error {
	p.mu.Lock()
	p.self, w.local = w.greeting(nil).ID, p.names
	p.mu.Unlock()
	nc, err := p.connection()
	if err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	defer nc.Close()
	return w.work(ctx, nc, p.options.URL)
}
