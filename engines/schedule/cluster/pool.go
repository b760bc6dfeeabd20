package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say where the pool's workers come from.
type Options struct {
	Broker *Broker // embedded; nil for the one at URL
	URL    string
	Access Access // to URL
	Build  Build  // of this program
	// Mixed lets workers of another source or Go release in, if their signature is the
	// same.
	Mixed bool
	// Say, if not nil, is called with a line for people when workers come, go, are refused
	// or lost. It is called from several goroutines, one at a time.
	Say func(string)
}

// Pool is a schedule.Pool of workers that come and go. It outlives the runs that
// play on it; Close it.
type Pool struct {
	options Options
	session string
	nc      *nats.Conn
	js      jetstream.JetStream
	stream  jetstream.Stream
	subs    []*nats.Subscription

	mu       sync.Mutex
	schedule *dispatcher
	joined   map[[2]string]bool // worker, spec
	specs    map[string]*terms  // by hash
	turn     *turn              // nil while nothing is played
	counted  map[string]tally   // by worker
	rebuild  bool               // the broker may have lost what it held
	probed   time.Time          // when it was last looked for; of Play
	missing  string             // what was last said of its absence; of Play
	say      sync.Mutex
	refused  map[string]string // why, by worker
	self     string            // worker of this process
	engines  map[string]bool   // files of engines that jobs name
	// reasons are the workers' that could not play a piece of work, as told.
	reasons map[[2]string]bool
	unable  map[string]bool // workers that could not play something
	reading chan struct{}   // taken by answers that are read
	readers sync.WaitGroup  // of them
}

// Open connects a coordinator to its broker and waits for nobody.
func Open(ctx context.Context, o Options) (*Pool, error) {
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	p := &Pool{
		options: o, session: rand.Text(), schedule: newSchedule(newSecret(seed)), joined: map[[2]string]bool{}, specs: map[string]*terms{},
		refused: map[string]string{}, engines: map[string]bool{},
		reasons: map[[2]string]bool{}, unable: map[string]bool{}, reading: make(chan struct{}, runtime.NumCPU()),
	}
	var err error
	p.nc, err = p.connection(nats.ReconnectHandler(func(*nats.Conn) { p.lostBroker() }),
		nats.ErrorHandler(func(nc *nats.Conn, _ *nats.Subscription, err error) {
			if nc.IsConnected() { // else missBroker tells it
				p.tell(fmt.Sprintf("broker: %v", err))
			}
		}))
	if err != nil {
		return nil, explain(err, o.URL)
	}
	if err := p.open(ctx); err != nil {
		p.nc.Close()
		return nil, err
	}
	return p, nil
}

func (p *Pool) open(ctx context.Context) error {
	var err error
	if p.js, err = serves(ctx, p.nc); err != nil {
		return err
	}
	if err := p.make(ctx); err != nil {
		return err
	}
	for subject, handle := range map[string]func(*nats.Msg, string){
		subjectHello: p.hello, subjectTerms: p.terms, subjectJoin: p.join, subjectAnswer: p.answer,
		subjectTook: p.noticed, subjectBack: p.noticed, subjectLeave: p.noticed,
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

// serves returns a broker's JetStream, or why no coordinator can work with the broker.
func serves(ctx context.Context, nc *nats.Conn) (jetstream.JetStream, error) {
	if reply, err := nc.Request(subjectHello, nil, time.Second); err == nil {
		var w welcome
		if json.Unmarshal(reply.Data, &w) == nil {
			return nil, errors.New("another coordinator is at work on this broker: end its run first, or listen elsewhere")
		}
	}
	if nc.MaxPayload() < maxMessage {
		return nil, fmt.Errorf("the broker takes messages of %d bytes at most: set its max_payload to %d", nc.MaxPayload(), maxMessage)
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(4096))
	if err != nil {
		return nil, err
	}
	_, err = js.Stream(ctx, streamName)
	switch {
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrJetStreamNotEnabled):
		return nil, errors.New("the broker has no JetStream: start the NATS server with it (-js)")
	case err != nil && !errors.Is(err, jetstream.ErrStreamNotFound):
		return nil, fmt.Errorf("broker: %w", err)
	}
	return js, nil
}

// make makes the stream anew: what another coordinator left in it is of no use.
func (p *Pool) make(ctx context.Context) error {
	err := p.js.DeleteStream(ctx, streamName)
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("broker: %w", err)
	}
	p.stream, err = p.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Subjects: []string{subjectWork}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
		MaxMsgSize: maxMessage, Duplicates: time.Minute,
	})
	if err == nil {
		_, err = p.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait,
			MaxAckPending: 100_000, // 50,000 cores; the default of 1,000 would starve 500
			MaxWaiting:    100_000,
		})
	}
	if err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	return nil
}

// Close tells workers that this coordinator is gone and leaves the broker.
func (p *Pool) Close() error {
	err := p.js.DeleteStream(context.Background(), streamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) || !p.nc.IsConnected() {
		err = nil
	}
	for _, s := range p.subs {
		err = errors.Join(err, s.Unsubscribe())
	}
	p.readers.Wait()
	if p.nc.IsConnected() {
		if e := errors.Join(p.over(1<<63), p.nc.FlushTimeout(time.Second)); p.nc.IsConnected() {
			err = errors.Join(err, e)
		}
	}
	p.nc.Close()
	return err
}

// Compared returns how many pairs counted so far, how many of them were played
// again and compared, and how many answers differed where play does not repeat.
func (p *Pool) Compared() (pairs, again int64, differing int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.schedule.counted, p.schedule.twice, p.schedule.differing
}

// Workers that are named one by one in a line, and the silence that is told: a sign
// is due every beat.
const (
	namedWorkers = 3
	tellSilence  = 3 * beat
)

// lostBroker notes that the broker may have been started again, empty.
func (p *Pool) lostBroker() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rebuild = true
}

// restore makes the stream again if it or its consumer is gone, and gives out all open
// work.
func (p *Pool) restore(ctx context.Context) {
	_, err := p.js.Consumer(ctx, streamName, consumerName)
	if err == nil {
		p.missing = ""
		return // it was the connection alone; what was lost on it is lagging
	}
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
		err = p.make(ctx)
	}
	if err != nil {
		p.lostBroker() // not yet there
		p.missBroker()
		return
	}
	p.missing = ""
	p.mu.Lock()
	n := p.schedule.reissue()
	p.mu.Unlock()
	p.tell(fmt.Sprintf("the broker has lost its work (it was started again, or its stream was deleted): %d pieces of work are given out "+
		"once more", n))
}

// missBroker says that the broker cannot be reached, and why, once.
func (p *Pool) missBroker() {
	if p.nc.IsConnected() {
		return
	}
	if line := absence(p.nc, p.options.URL, "the connection to the broker is lost; waiting for it"); line != p.missing {
		p.missing = line
		p.tell(line)
	}
}

// probeEvery is how often it is looked whether the broker still has its stream.
const probeEvery = time.Second

// tell says a line to people.
func (p *Pool) tell(text string) {
	if p.options.Say != nil {
		p.say.Lock()
		defer p.say.Unlock()
		p.options.Say(text)
	}
}

// over tells all workers that work before a number is no longer wanted.
func (p *Pool) over(before uint64) error {
	data, err := json.Marshal(overMessage{p.session, before})
	if err == nil {
		err = p.nc.Publish(subjectOver, data)
	}
	return err
}

// Work has this process play too, until ctx ends.
func (p *Pool) Work(ctx context.Context, w *Worker) error {
	p.mu.Lock()
	p.self, w.own = w.greeting().ID, p
	p.mu.Unlock()
	nc, err := p.connection()
	if err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	defer nc.Close()
	return w.work(ctx, nc, p.options.URL)
}

// connection is one more to the broker.
func (p *Pool) connection(more ...nats.Option) (*nats.Conn, error) {
	if b := p.options.Broker; b != nil {
		return nats.Connect("", append(more, nats.InProcessServer(b.server), nats.Token(b.inner), nats.ReconnectBufSize(-1))...)
	}
	return connect(p.options.URL, p.options.Access, more...)
}
