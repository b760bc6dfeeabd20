package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
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

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
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
	counted  map[string]int64   // games of workers that Machines has told
	rebuild  bool               // the broker may have lost what it held
	probed   time.Time          // when it was last looked for; of Play
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

// terms are those of a spec, with the line that workers must match.
type terms struct {
	termsMessage
	line func() (string, error)
}

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

	rules    []*play.Checker // at hand, to replay answers with
	checks   int             // that are played now
	disputes []dispute       // to be judged
	// doubts counts disputes that are judged, and liars whose used answers are played
	// again: nothing more is used meanwhile.
	doubts   int
	tainted  *schedule.TaintedError // of the earliest trial; nil for none
	variant  engines.Variant
	checkers chan *play.Worker // at hand, to play checks with
}

// Open connects a coordinator to its broker and waits for nobody.
func Open(ctx context.Context, o Options) (*Pool, error) {
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	p := &Pool{
		options: o, session: rand.Text(), schedule: newSchedule(newSecret(seed)), joined: map[[2]string]bool{}, specs: map[string]*terms{},
		counted: map[string]int64{}, refused: map[string]string{}, engines: map[string]bool{},
		reasons: map[[2]string]bool{}, unable: map[string]bool{}, reading: make(chan struct{}, runtime.NumCPU()),
	}
	var err error
	p.nc, err = p.connection(nats.ReconnectHandler(func(*nats.Conn) { p.lostBroker() }))
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
	if reply, err := p.nc.Request(subjectHello, nil, time.Second); err == nil {
		var w welcome
		if json.Unmarshal(reply.Data, &w) == nil {
			return errors.New("another coordinator is at work on this broker: end its run first, or listen elsewhere")
		}
	}
	if p.nc.MaxPayload() < maxMessage {
		return fmt.Errorf("the broker takes messages of %d bytes at most: set its max_payload to %d", p.nc.MaxPayload(), maxMessage)
	}
	var err error
	if p.js, err = jetstream.New(p.nc, jetstream.WithPublishAsyncMaxPending(4096)); err != nil {
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

// make makes the stream anew: what another coordinator left in it is of no use.
func (p *Pool) make(ctx context.Context) error {
	err := p.js.DeleteStream(ctx, streamName)
	switch {
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrJetStreamNotEnabled):
		return errors.New("the broker has no JetStream: start the NATS server with it (-js)")
	case err != nil && !errors.Is(err, jetstream.ErrStreamNotFound):
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
	err = errors.Join(err, p.publish(subjectOver, notice{Session: p.session, Number: 1 << 63}))
	if e := p.nc.FlushTimeout(time.Second); e != nil && p.nc.IsConnected() {
		err = errors.Join(err, e)
	}
	p.nc.Close()
	return err
}

// Size implements schedule.Pool.
func (p *Pool) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(1, p.schedule.slots)
}

// Capacity implements schedule.Pool.
func (p *Pool) Capacity() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.schedule.room()
}

// Machines lists the workers whose answers counted since the last call, and
// implements schedule.Pool.
func (p *Pool) Machines() []datasets.Machine {
	p.mu.Lock()
	defer p.mu.Unlock()
	all, fresh := int64(0), map[string]int64{}
	for _, m := range p.schedule.crew {
		fresh[m.ID] = m.games - p.counted[m.ID]
		all += fresh[m.ID]
		p.counted[m.ID] = m.games
	}
	var list []datasets.Machine
	for _, m := range p.schedule.members() {
		if games := fresh[m.ID]; games > 0 && m.ID != p.self {
			list = append(list, datasets.Machine{
				Host: m.Host, CPU: m.CPU, Cores: m.Cores, Workers: m.Slots, Games: games,
				Name: m.name(), Share: float64(games) / float64(all), Speed: m.speed(), Silent: time.Since(m.seen).Seconds(),
				Compared: m.compared,
			})
		}
	}
	return list
}

// Members lists all workers that ever joined, in that order.
func (p *Pool) Members() []schedule.Member {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.schedule.told(time.Now())
	for i, m := range p.schedule.members() {
		list[i].Refused = p.refused[m.ID]
	}
	return list
}

// Compared returns how many pairs counted so far, how many of them were played
// again and compared, and how many answers differed where play does not repeat.
func (p *Pool) Compared() (pairs, again int64, differing int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.schedule.counted, p.schedule.twice, p.schedule.differing
}

// Describe says in a few words who plays.
func (p *Pool) Describe() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return crewText(p.schedule.told(time.Now()), p.schedule.slots)
}

// Workers that are named one by one in a line, and the silence that is told: a sign
// is due every beat.
const (
	namedWorkers = 3
	tellSilence  = 3 * beat
)

// crewText is who plays: each with its speed and share where they are few, else how
// fast they are, and who has been silent.
func crewText(crew []schedule.Member, slots int) string {
	crew = slices.DeleteFunc(crew, func(m schedule.Member) bool { return m.Gone })
	if len(crew) == 0 {
		return "no worker yet"
	}
	parts := []string{text.Plural(len(crew), "worker") + ", " + text.Plural(slots, "core")}
	var slow, fast float64
	for _, m := range crew {
		if m.Speed > 0 {
			slow, fast = min(cmp.Or(slow, m.Speed), m.Speed), max(fast, m.Speed)
		}
		if len(crew) <= namedWorkers && m.Speed > 0 {
			parts = append(parts, fmt.Sprintf("%s %s/s (%.0f %%)", m.Name, text.Digits(m.Speed, 3), 100*m.Share))
		}
	}
	if len(crew) > namedWorkers && fast > 0 {
		parts[0] += fmt.Sprintf(" of %s to %s games/s", text.Digits(slow, 3), text.Digits(fast, 3))
	}
	silent := 0
	for _, m := range crew {
		if m.Silent <= tellSilence.Seconds() {
			continue
		}
		if silent++; silent <= namedWorkers {
			parts = append(parts, fmt.Sprintf("%s silent for %.0f s", m.Name, m.Silent))
		}
	}
	if silent > namedWorkers {
		parts = append(parts, fmt.Sprintf("%d more are silent", silent-namedWorkers))
	}
	return strings.Join(parts, ", ")
}

// told lists all workers that came, as of now.
func (s *dispatcher) told(now time.Time) (list []schedule.Member) {
	all := int64(0)
	for _, m := range s.crew {
		all += m.games
	}
	for _, m := range s.members() {
		list = append(list, schedule.Member{
			Name: m.name(), CPU: m.CPU, Cores: m.Cores, Slots: m.Slots, Games: m.games, Share: float64(m.games) / float64(max(1, all)),
			Speed: m.speed(), Silent: now.Sub(m.seen).Seconds(), Gone: m.lost, Compared: m.compared, Own: m.own,
		})
	}
	return list
}

// speed is a worker's, in games a second, while it plays; 0 if it is not known.
func (m *member) speed() float64 {
	if m.pace.value <= 0 {
		return 0
	}
	return 2 * float64(m.Slots) / m.pace.value
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
	exact := j.Seats[0].Repeatable() && j.Seats[1].Repeatable()
	known := p.specs[t.spec] != nil
	if !known {
		own := &terms{termsMessage: termsMessage{Setup: t.setup, Sample: sampleOf(t.setup, j)}}
		own.line = sync.OnceValues(func() (string, error) {
			return own.termsMessage.line(context.Background(), p.options.Build, t.spec)
		})
		p.specs[t.spec] = own
	}
	p.schedule.begin(exact, known)
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
	if err := p.publish(subjectOver, notice{Session: p.session, Number: before}); err != nil {
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
	var told []string
	for _, m := range p.schedule.miss(now) {
		told = append(told, fmt.Sprintf("worker %s is silent; others play what it had", m.name()))
	}
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
		spec := t.spec
		copies := 0
		if ok {
			copies = w.copies
		}
		p.mu.Unlock()
		if !ok {
			return nil
		}
		if err := p.send(w, spec, again, copies); err != nil {
			return err
		}
	}
}

// send gives a piece of work to the broker. That it arrives is not waited for:
// what is lost is given out again as if it took too long.
func (p *Pool) send(w *work, spec string, again bool, copies int) error {
	data, err := json.Marshal(workMessage{Session: p.session, Number: w.number, Spec: spec, Suspect: w.suspect, Jobs: w.jobs})
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
		return // it was the connection alone; what was lost on it is lagging
	}
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
		err = p.make(ctx)
	}
	if err != nil {
		p.lostBroker() // not yet there
		return
	}
	p.mu.Lock()
	n := p.schedule.reissue()
	p.mu.Unlock()
	p.tell(fmt.Sprintf("the broker has lost its work (it was started again, or its stream was deleted): %d pieces of work are given out "+
		"once more", n))
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

// publish sends a notice.
func (p *Pool) publish(subject string, n notice) error {
	data, err := json.Marshal(n)
	if err == nil {
		err = p.nc.Publish(subject, data)
	}
	return err
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
	return w.work(ctx, nc)
}

// connection is one more to the broker.
func (p *Pool) connection(more ...nats.Option) (*nats.Conn, error) {
	if b := p.options.Broker; b != nil {
		return nats.Connect("", append(more, nats.InProcessServer(b.server), nats.Token(b.inner), nats.ReconnectBufSize(-1))...)
	}
	return connect(p.options.URL, p.options.Access, more...)
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
		*text = datasets.Printable(*text)
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
		p.refuse(m, who.greeting, fmt.Sprintf("its numbers are others\n  coordinator: %s\n  worker:      %s", want, r.Line))
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

// answer takes what a worker says a piece of work came to. Several are read at a time.
func (p *Pool) answer(m *nats.Msg, id string) {
	p.reading <- struct{}{}
	p.readers.Go(func() {
		defer func() { <-p.reading }()
		p.read(m, id)
	})
}

func (p *Pool) read(m *nats.Msg, id string) {
	head, pairs, digests, err := readAnswer(m.Data)
	p.mu.Lock()
	t, who, w := p.turn, p.schedule.crew[id], p.schedule.known[head.Number]
	if who == nil || head.Session != p.session || t == nil || head.Number < t.first {
		p.mu.Unlock()
		p.reply(m, welcome{Session: p.session, Stale: true})
		return
	}
	g, joined := who.greeting, p.joined[[2]string{id, t.spec}]
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
	case err == nil && head.Error != "": // it may be why it did not ask to be let in
		p.cannot(m, g, head)
	case !joined:
		p.refuse(m, g, "it answers before it was let in")
	case err != nil:
		p.refuse(m, g, err.Error())
	default:
		p.weigh(m, t, g, head, pairs, digests)
	}
}

// fits reports why pairs cannot be an answer to a piece of work: other pairs than were
// asked, or pairs that break the rules.
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

// checker is one to replay pairs with.
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

// cannot hears that a worker cannot play a piece of work. It goes back to the others; where
// all have said so of some piece, this process tries it, and its word counts. The same
// reason is told once.
func (p *Pool) cannot(m *nats.Msg, g greeting, head answerHead) {
	p.mu.Lock()
	w, t := p.schedule.known[head.Number], p.turn
	p.unable[g.ID] = true
	others, so := false, "this process tries"
	for id, who := range p.schedule.crew {
		if !who.lost && !p.unable[id] {
			others, so = true, "others play"
		}
	}
	if !others && w != nil && t != nil && w.wanted() {
		w.here = true
		t.own = append(t.own, w)
	}
	p.schedule.back(head.Number, g.ID)
	reason := [2]string{g.ID, fmt.Sprintf("%.500s", head.Error)}
	said := p.reasons[reason]
	p.reasons[reason] = true
	p.mu.Unlock()
	if !said {
		p.tell(fmt.Sprintf("worker %s cannot play work %d or others like it, so %s them: %s",
			g.name(), head.Number, so, reason[1]))
	}
	p.reply(m, welcome{Session: p.session, Others: others})
}

// weigh counts an answer, holds it back, or compares it with the one that was first.
func (p *Pool) weigh(m *nats.Msg, t *turn, g greeting, head answerHead, pairs []play.Pair, digests []uint64) {
	p.mu.Lock()
	w := p.schedule.known[head.Number]
	v, place := p.schedule.answer(head.Number, g.ID, digests, head.Seconds, len(m.Data), time.Now())
	switch v {
	case counts, waits:
		if w.result = pairs; v == counts {
			t.take(w)
		}
	case repeat:
		t.take(p.schedule.confirmed(w, p.schedule.crew[g.ID])...)
	case differ:
		t.disputes = append(t.disputes, dispute{w, place, [2]string{w.by, g.ID}, [2]uint64{w.digests[place], digests[place]}})
		t.doubts++
	}
	p.mu.Unlock()
	t.poke()
	p.reply(m, welcome{Session: p.session, Stale: v == stale})
}

// asks reports whether pairs are those of a piece of work, in order.
func (w *work) asks(pairs []play.Pair) bool {
	i := 0
	for _, j := range w.jobs {
		for n := j.From; n < j.To; n++ {
			if i >= len(pairs) || pairs[i].Number != n {
				return false
			}
			i++
		}
	}
	return i == len(pairs)
}

// readAnswer reads what writeAnswer writes.
func readAnswer(data []byte) (head answerHead, pairs []play.Pair, digests []uint64, err error) {
	c, text := codec{b: data, reads: true}, ""
	letters(&c, &text)
	if c.bad || json.Unmarshal([]byte(text), &head) != nil {
		return head, nil, nil, errHalf
	}
	for rest := c.b; len(rest) > 0; {
		p, digest, more, err := decode(rest)
		if err != nil {
			return head, nil, nil, err
		}
		pairs, digests, rest = append(pairs, p), append(digests, digest), more
	}
	return head, pairs, digests, nil
}

// writeAnswer writes an answer.
func writeAnswer(head answerHead, pairs []play.Pair) ([]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	c := codec{}
	letters(&c, &text)
	for i := range pairs {
		c.b, _ = encode(c.b, &pairs[i])
	}
	return c.b, nil
}

// dispute is a pair that two workers played differently.
type dispute struct {
	w       *work
	place   int
	by      [2]string // workers
	digests [2]uint64
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
