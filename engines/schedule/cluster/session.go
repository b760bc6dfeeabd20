package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
)

// session is the worker's time with one coordinator.
type session struct {
	w    *Worker
	id   string
	nc   *nats.Conn
	stop context.CancelCauseFunc

	mu     sync.Mutex
	held   map[*held]bool           // here, played or waiting
	mine   map[uint64]bool          // work begun, so that no copy of it is played
	tables map[string]*termsMessage // by spec, let in
	joins  map[string]chan struct{} // by spec: closed when tables has it
	before uint64                   // work that is no longer wanted
	rests  time.Duration            // before it takes more, after work that it could not play
}

// held is a piece of work that is here.
type held struct {
	workMessage
	msg    jetstream.Msg
	ctx    context.Context // ends when nobody wants it any more
	cancel context.CancelFunc
}

// session takes work until ctx ends, whose cause it returns, or the coordinator is
// gone, which is no error.
func (w *Worker) session(ctx context.Context, nc *nats.Conn, id string) error {
	inner, stop := context.WithCancelCause(ctx)
	s := &session{
		w: w, id: id, nc: nc, stop: stop,
		held: map[*held]bool{}, mine: map[uint64]bool{}, tables: map[string]*termsMessage{}, joins: map[string]chan struct{}{},
	}
	over, err := nc.Subscribe(subjectOver, s.over)
	if err != nil {
		return err
	}
	room := make(chan struct{}, ahead*max(1, w.Slots)) // taken by what is played and what waits
	queue := make(chan *held, cap(room))
	var all sync.WaitGroup
	for range max(1, w.Slots) {
		all.Go(func() { s.play(inner, queue, room) })
	}
	all.Go(func() { s.beats(inner) })
	all.Go(func() { s.hold(inner) })
	s.fetch(inner, queue, room)
	stop(errGone)
	all.Wait()
	s.giveBack()
	err = context.Cause(inner)
	if e := over.Unsubscribe(); e != nil && nc.IsConnected() {
		w.tell("broker: %v", e)
	}
	if ctx.Err() != nil {
		s.notify(subjectLeave, 0)
		if e := nc.FlushTimeout(time.Second); e != nil && nc.IsConnected() {
			w.tell("broker: %v", e)
		}
		return context.Cause(ctx)
	}
	if errors.Is(err, errGone) {
		return nil
	}
	return err
}

// notify tells the coordinator something that it need not hear.
func (s *session) notify(subject string, number uint64) {
	if err := s.w.send(s.nc, subject, notice{Session: s.id, Number: number}); err != nil && s.nc.IsConnected() {
		s.w.tell("broker: %v", err)
	}
}

// over hears that work is no longer wanted.
func (s *session) over(m *nats.Msg) {
	var o overMessage
	if json.Unmarshal(m.Data, &o) != nil || o.Session != s.id {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = max(s.before, o.Before)
	for h := range s.held {
		if h.Number < s.before {
			h.cancel()
		}
	}
	for number := range s.mine {
		if number < s.before {
			delete(s.mine, number)
		}
	}
	if o.Before == 1<<63 {
		s.stop(errGone)
	}
}

// beats greets the coordinator again and again, and notices when it is another.
func (s *session) beats(ctx context.Context) {
	missed := 0
	for pause(ctx, cmp.Or(s.w.beat, beat)) {
		welcome, err := s.w.greet(ctx, s.nc)
		switch {
		case err != nil:
			if missed++; missed >= 3 {
				s.stop(errGone)
			}
			continue
		case welcome.Refused != "":
			s.stop(&RefusedError{welcome.Refused})
		case welcome.Session != s.id:
			s.stop(errGone)
		}
		missed = 0
	}
}

// hold tells the broker that what is here is being worked on.
func (s *session) hold(ctx context.Context) {
	for pause(ctx, ackWait/3) {
		for _, h := range s.all() {
			if err := h.msg.InProgress(); err != nil && s.nc.IsConnected() {
				s.w.tell("broker: %v", err)
			}
		}
	}
}

func (s *session) all() (list []*held) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for h := range s.held {
		list = append(list, h)
	}
	return list
}

// fetch takes work, one piece ahead a core.
func (s *session) fetch(ctx context.Context, queue chan<- *held, room chan struct{}) {
	defer close(queue)
	for ctx.Err() == nil {
		err := s.fetchFrom(ctx, queue, room)
		if err == nil || ctx.Err() != nil {
			continue
		}
		pause(ctx, beat/4) // a broker that is not there, or not yet made
	}
}

func (s *session) fetchFrom(ctx context.Context, queue chan<- *held, room chan struct{}) error {
	js, err := jetstream.New(s.nc)
	if err != nil {
		return err
	}
	first, cancel := context.WithTimeout(ctx, beat)
	consumer, err := js.Consumer(first, streamName, consumerName)
	cancel()
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case room <- struct{}{}:
		}
		s.mu.Lock()
		rests := s.rests
		s.mu.Unlock()
		if rests > 0 && !pause(ctx, rests) {
			return nil
		}
		msg, err := next(ctx, consumer)
		if err != nil || msg == nil {
			<-room
			if err != nil {
				return err
			}
			continue
		}
		h := s.accept(ctx, msg)
		if h == nil {
			<-room
			continue
		}
		select {
		case queue <- h:
		case <-ctx.Done():
			return nil // giveBack has it
		}
	}
}

// next waits a while for a message; nil if none came.
func next(ctx context.Context, c jetstream.Consumer) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, beat)
	defer cancel()
	msg, err := c.Next(jetstream.FetchContext(ctx))
	if errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, jetstream.ErrNoMessages) {
		return nil, nil
	}
	return msg, err
}

// accept reads a message; nil if it is not to be played here.
func (s *session) accept(ctx context.Context, msg jetstream.Msg) *held {
	h := &held{msg: msg}
	if err := json.Unmarshal(msg.Data(), &h.workMessage); err != nil || h.Session != s.id {
		s.settle(msg.Term) // of another session: nobody will ask for it
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case h.Number < s.before:
		s.settle(msg.Ack)
		return nil
	case s.mine[h.Number], h.Suspect && s.w.own != nil: // for others
		s.settle(func() error { return msg.NakWithDelay(100 * time.Millisecond) })
		return nil
	}
	h.ctx, h.cancel = context.WithCancel(ctx)
	s.held[h], s.mine[h.Number] = true, true
	return h
}

// settle tells the broker what became of a message. If it does not hear it,
// somebody plays the work again, and no harm is done.
func (s *session) settle(how func() error) {
	if err := how(); err != nil && s.nc.IsConnected() {
		s.w.tell("broker: %v", err)
	}
}

// giveBack returns everything that is here to the broker, at once.
func (s *session) giveBack() {
	for _, h := range s.all() {
		s.notify(subjectBack, h.Number)
		s.settle(h.msg.Nak)
		h.cancel()
	}
}

// drop forgets a piece of work that is settled.
func (s *session) drop(h *held) {
	h.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, h)
}

// seat is one core with the players it has at hand.
type seat struct {
	spec   string
	worker *play.Worker
}

// leave gives up the players.
func (s *seat) leave() error {
	if s.worker == nil {
		return nil
	}
	w := s.worker
	s.worker, s.spec = nil, ""
	return w.Close()
}

// play plays what comes on one core.
func (s *session) play(ctx context.Context, queue <-chan *held, room chan struct{}) {
	core := &seat{}
	var sending sync.WaitGroup
	defer sending.Wait()
	for h := range queue {
		if ctx.Err() != nil {
			continue // giveBack has it
		}
		pairs, seconds, err := s.one(h, core)
		<-room
		switch {
		case ctx.Err() != nil:
			continue // giveBack has it
		case h.ctx.Err() != nil: // no longer wanted; its players may have been ended in the middle
			if err := core.leave(); err != nil {
				s.w.tell("end of a player: %v", err)
			}
			s.settle(h.msg.Ack)
			s.drop(h)
			continue
		case errors.Is(err, errNotIn): // others may be let in
			s.settle(h.msg.Nak)
			s.drop(h)
			continue
		}
		sending.Wait() // one answer on its way while the next is played
		sending.Go(func() { s.answer(ctx, h, pairs, seconds, err) })
	}
	if err := core.leave(); err != nil {
		s.w.tell("end of a player: %v", err)
	}
}

// one plays a piece of work.
func (s *session) one(h *held, core *seat) (pairs []play.Pair, seconds float64, err error) {
	t, err := s.table(h.ctx, h.Spec)
	if err != nil {
		return nil, 0, err
	}
	if err := s.w.seat(h.ctx, t.Setup, h.Jobs); err != nil {
		return nil, 0, err
	}
	if core.spec != h.Spec {
		v, err := games.Open(t.Setup.Game, t.Setup.Rules)
		if err = errors.Join(err, core.leave()); err != nil {
			return nil, 0, err
		}
		core.spec, core.worker = h.Spec, play.NewWorker(v, t.Setup)
	}
	s.notify(subjectTook, h.Number)
	// Should this process die of it, that must be known.
	if err := s.nc.FlushTimeout(time.Second); err != nil && s.nc.IsConnected() && h.ctx.Err() == nil {
		s.w.tell("broker: %v", err)
	}
	if s.w.hooks.taken != nil {
		s.w.hooks.taken(h.workMessage)
	}
	if s.w.hooks.meddle != nil {
		s.w.hooks.meddle(h.Jobs)
	}
	if s.w.hooks.lies != nil {
		s.w.hooks.lies(h)
	}
	started := time.Now()
	pairs, err = playBy(h.ctx, core.worker, h.Jobs)
	return pairs, time.Since(started).Seconds(), err
}

// seat puts this machine's engine files in place of those that jobs name, and
// refuses engines that it has no file of.
func (w *Worker) seat(ctx context.Context, setup play.Setup, jobs []play.Job) error {
	for i := range jobs {
		for k := range jobs[i].Seats {
			seat := &jobs[i].Seats[k]
			if seat.Engine == nil {
				continue
			}
			file, err := w.file(ctx, setup, *seat)
			if err != nil {
				return fmt.Errorf("player %q: %w", seat.Name, err)
			}
			seat.Engine.File = file
		}
	}
	return nil
}

// file is this machine's file of a player's engine: the one of the same base name, or of
// several the one that starts the engine with the same key. The coordinator's own worker
// has the files of its run, and no others.
func (w *Worker) file(ctx context.Context, setup play.Setup, seat player.Config) (string, error) {
	e := seat.Engine
	if w.own != nil && w.own.names(e.File) {
		return e.File, nil
	}
	base := e.File[strings.LastIndexAny(e.File, `/\`)+1:]
	if e.Key == "" {
		return "", fmt.Errorf("engine %s comes without a hash", base)
	}
	if known, ok := w.files.Load(base + e.Key); ok {
		return known.(string), nil
	}
	same := slices.DeleteFunc(slices.Clone(w.Engines), func(file string) bool { return filepath.Base(file) != base })
	if len(same) == 0 {
		return "", fmt.Errorf("this worker has no engine file %s of its own: start it with --engine PATH/%s", base, base)
	}
	v, err := games.Open(setup.Game, setup.Rules)
	if err != nil {
		return "", err
	}
	for _, own := range same {
		file, e2 := filepath.Abs(own)
		found := *e
		found.File, found.Key, seat.Engine = file, "", &found
		if e2 == nil && len(same) > 1 {
			e2 = seat.Seat(ctx, v)
		}
		if e2 == nil && (len(same) == 1 || found.Key == e.Key) {
			w.files.Store(base+e.Key, file)
			return file, nil
		}
		err = errors.Join(err, e2)
	}
	return "", errors.Join(fmt.Errorf("none of this worker's engine files %s starts the engine of the run: its program, arguments or options "+
		"differ", strings.Join(same, ", ")), err)
}

// answer sends what a piece of work came to, until it is heard.
func (s *session) answer(ctx context.Context, h *held, pairs []play.Pair, seconds float64, failed error) {
	head := answerHead{Session: s.id, Number: h.Number, Seconds: seconds}
	if failed != nil {
		head.Error, pairs = failed.Error(), nil
		if _, said := s.w.reasons.LoadOrStore(head.Error, true); !said {
			s.w.tell("cannot play: %s", head.Error)
		}
	}
	if s.w.hooks.alter != nil {
		s.w.hooks.alter(pairs)
	}
	data, err := writeAnswer(head, pairs)
	if err == nil && len(data) > maxMessage {
		head.Error = fmt.Sprintf("the answer has %d bytes, a message %d at most", len(data), maxMessage)
		data, err = writeAnswer(head, nil)
	}
	if err != nil {
		s.stop(err)
		return
	}
	messages := [][]byte{data}
	if s.w.hooks.sends != nil {
		messages = s.w.hooks.sends(data)
	}
	for ctx.Err() == nil {
		var welcome welcome
		if err := s.w.ask(ctx, s.nc, subjectAnswer, messages[0], &welcome); err != nil {
			pause(ctx, beat/4)
			continue
		}
		if messages = messages[1:]; len(messages) > 0 && welcome.Refused == "" {
			continue
		}
		if welcome.Refused != "" {
			s.stop(&RefusedError{welcome.Refused})
			return
		}
		if s.pass(h, welcome.Others) {
			return
		}
		if s.w.Played != nil {
			s.w.Played(2 * len(pairs))
		}
		last, cancel := context.WithTimeout(ctx, beat)
		defer cancel()
		s.settle(func() error { return s.acked(last, h) })
		s.drop(h)
		return
	}
}

// pass leaves a piece of work to others, if they can play it, and has the worker take less
// and less of what it cannot play.
func (s *session) pass(h *held, others bool) bool {
	s.mu.Lock()
	if !others {
		s.rests = 0
		s.mu.Unlock()
		return false
	}
	s.rests = min(max(beat/4, 2*s.rests), maxRest)
	delete(s.mine, h.Number) // should it come again because the others are gone
	s.mu.Unlock()
	s.settle(func() error { return h.msg.NakWithDelay(100 * time.Millisecond) })
	s.drop(h)
	return true
}

// acked is told that a message was heard for good. That it was delivered again
// meanwhile, or is of a broker that was started again, is no fault.
func (s *session) acked(ctx context.Context, h *held) error {
	err := h.msg.DoubleAck(ctx)
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, context.Canceled) || errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
		return nil
	}
	return err
}

// table returns the terms of a spec, having been let in under them.
func (s *session) table(ctx context.Context, spec string) (*termsMessage, error) {
	s.mu.Lock()
	t, join := s.tables[spec], s.joins[spec]
	mine := t == nil && join == nil
	if mine {
		join = make(chan struct{})
		s.joins[spec] = join
	}
	s.mu.Unlock()
	switch {
	case t != nil:
		return t, nil
	case !mine:
		select {
		case <-join:
			return s.table(ctx, spec)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	t, err := s.join(ctx, spec)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.tables[spec] = t
	}
	delete(s.joins, spec)
	close(join)
	return t, err
}

// join learns the terms, plays the sample and shows the line it makes. An error that is
// not errNotIn says why this worker cannot play.
func (s *session) join(ctx context.Context, spec string) (*termsMessage, error) {
	t := &termsMessage{}
	if err := s.insist(ctx, subjectTerms, termsRequest{Session: s.id, Spec: spec}, t); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotIn, err)
	}
	if t.Refused != "" {
		return nil, fmt.Errorf("%w: %s", errNotIn, t.Refused)
	}
	if err := s.w.seat(ctx, t.Setup, t.Sample); err != nil {
		return nil, err
	}
	if s.w.hooks.meddle != nil {
		s.w.hooks.meddle(t.Sample)
	}
	line, err := t.line(ctx, s.w.Build, spec)
	if err != nil {
		return nil, err
	}
	var welcome welcome
	if err := s.insist(ctx, subjectJoin, joinRequest{Session: s.id, Spec: spec, Line: line}, &welcome); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotIn, err)
	}
	switch {
	case welcome.Refused != "":
		err := &RefusedError{welcome.Refused}
		s.stop(err)
		return nil, fmt.Errorf("%w: %w", errNotIn, err)
	case welcome.Stale:
		return nil, fmt.Errorf("%w: %w", errNotIn, errGone)
	}
	return t, nil
}

// insist asks until there is an answer or nobody wants it any more: a coordinator
// that plays the sample for itself first may take longer than one question waits.
func (s *session) insist(ctx context.Context, subject string, request, answer any) error {
	for {
		err := s.w.ask(ctx, s.nc, subject, request, answer)
		if err == nil || !pause(ctx, beat/4) {
			return errors.Join(err, ctx.Err())
		}
	}
}
