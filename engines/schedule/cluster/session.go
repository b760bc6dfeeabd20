package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
)

// session is the worker's time with one coordinator.
type session struct {
	w    *Worker
	id   string
	nc   *nats.Conn
	stop context.CancelCauseFunc

	mu     sync.Mutex
	held   map[uint64]*piece        // pieces that are here: in play, waiting, or with their answer on the way
	tables map[string]*termsMessage // by spec, of specs that admitted it
	joins  map[string]chan struct{} // by spec; closed when tables has the spec
	before uint64                   // work with numbers below it is no longer wanted
}

// piece is a piece of work that is here.
type piece struct {
	workMessage
	ctx    context.Context // ends when the piece is no longer wanted
	cancel context.CancelFunc
}

// session plays incoming work until ctx ends, whose cause it returns, or the coordinator is
// gone, which is no error.
func (w *Worker) session(ctx context.Context, nc *nats.Conn, incoming *nats.Subscription, id string) error {
	inner, stop := context.WithCancelCause(ctx)
	s := &session{
		w: w, id: id, nc: nc, stop: stop,
		held: map[uint64]*piece{}, tables: map[string]*termsMessage{}, joins: map[string]chan struct{}{},
	}
	over, err := nc.Subscribe(subjectOver, s.over)
	if err != nil {
		return err
	}
	queue := make(chan *piece, 1<<12) // more than is ever here at a time
	var all sync.WaitGroup
	for range w.slots() {
		all.Go(func() { s.play(inner, queue) })
	}
	all.Go(func() { s.beats(inner) })
	s.receive(inner, incoming, queue)
	stop(errGone)
	all.Wait()
	err = context.Cause(inner)
	if e := over.Unsubscribe(); e != nil && nc.IsConnected() {
		w.tell("broker: %v", e)
	}
	if ctx.Err() != nil {
		e := errors.Join(w.send(nc, subjectLeave, leaveMessage{s.id}), nc.FlushTimeout(time.Second))
		if e != nil && nc.IsConnected() {
			w.tell("broker: %v", e)
		}
		return context.Cause(ctx)
	}
	if errors.Is(err, errGone) {
		return nil
	}
	return err
}

// over handles a message that work is no longer wanted.
func (s *session) over(m *nats.Msg) {
	var o overMessage
	if json.Unmarshal(m.Data, &o) != nil || o.Session != s.id {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = max(s.before, o.Before)
	for number, h := range s.held {
		if number < s.before {
			h.cancel()
		}
	}
	if o.Before == allWork {
		s.stop(errGone)
	}
}

// beats greets the coordinator repeatedly, names the work that is here, and notices another
// coordinator.
func (s *session) beats(ctx context.Context) {
	missed := 0
	for pause(ctx, cmp.Or(s.w.beat, beat)) {
		welcome, err := s.w.greet(ctx, s.nc, s.numbers())
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

// numbers returns the numbers of the work that is here.
func (s *session) numbers() (list []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for number := range s.held {
		list = append(list, number)
	}
	slices.Sort(list)
	return list
}

// receive takes incoming work.
func (s *session) receive(ctx context.Context, incoming *nats.Subscription, queue chan<- *piece) {
	defer close(queue)
	for {
		m, err := incoming.NextMsgWithContext(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.stop(err)
			return
		}
		h := s.accept(ctx, m.Data)
		if h == nil {
			continue
		}
		select {
		case queue <- h:
		case <-ctx.Done():
			return
		}
	}
}

// accept reads a message; it returns nil if the work is not to be played here.
func (s *session) accept(ctx context.Context, data []byte) *piece {
	h := &piece{}
	if err := json.Unmarshal(data, &h.workMessage); err != nil || h.Session != s.id {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[h.Number] != nil || h.Number < s.before {
		return nil
	}
	h.ctx, h.cancel = context.WithCancel(ctx)
	s.held[h.Number] = h
	return h
}

// drop forgets a piece of work.
func (s *session) drop(h *piece) {
	h.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, h.Number)
}

// core is one core with its open players.
type core struct {
	spec   string
	worker *play.Worker
}

// leave closes the players.
func (c *core) leave() error {
	if c.worker == nil {
		return nil
	}
	w := c.worker
	c.worker, c.spec = nil, ""
	return w.Close()
}

// play plays incoming pieces on one core.
func (s *session) play(ctx context.Context, queue <-chan *piece) {
	c := &core{}
	var sending sync.WaitGroup
	defer sending.Wait()
	for h := range queue {
		if h.ctx.Err() != nil {
			s.drop(h)
			continue
		}
		pairs, seconds, err := s.one(h, c)
		if h.ctx.Err() != nil { // its players may have been ended in the middle
			if err := c.leave(); err != nil {
				s.w.tell("end of a player: %v", err)
			}
			s.drop(h)
			continue
		}
		if errors.Is(err, errNotIn) { // other work may be admitted
			s.drop(h)
			continue
		}
		sending.Wait() // one answer is on its way while the next piece is played
		sending.Go(func() { s.answer(ctx, h, pairs, seconds, err) })
	}
	if err := c.leave(); err != nil {
		s.w.tell("end of a player: %v", err)
	}
}

// one plays a piece of work.
func (s *session) one(h *piece, c *core) (pairs []play.Pair, seconds float64, err error) {
	t, err := s.table(h.ctx, h.Spec)
	if err != nil {
		return nil, 0, err
	}
	if err := s.w.engines(h.ctx, t.Setup, h.Jobs); err != nil {
		return nil, 0, err
	}
	if c.spec != h.Spec {
		v, err := games.Open(t.Setup.Game, t.Setup.Rules)
		if err = errors.Join(err, c.leave()); err != nil {
			return nil, 0, err
		}
		c.spec, c.worker = h.Spec, play.NewWorker(v, t.Setup)
	}
	if s.w.hooks.taken != nil {
		s.w.hooks.taken(h.workMessage)
	}
	if s.w.hooks.meddle != nil {
		s.w.hooks.meddle(h.Jobs)
	}
	if s.w.hooks.lies != nil {
		s.w.hooks.lies(h.workMessage)
	}
	started := time.Now()
	pairs, err = playBy(h.ctx, c.worker, h.Jobs)
	return pairs, time.Since(started).Seconds(), err
}

// answer sends the pairs of a piece of work, or the reason why it cannot be played, until the
// coordinator confirms it.
func (s *session) answer(ctx context.Context, h *piece, pairs []play.Pair, seconds float64, failed error) {
	head := answerHead{Session: s.id, Number: h.Number, Seconds: seconds}
	if failed != nil {
		head.Error, pairs = failed.Error(), nil
		if _, reported := s.w.reasons.LoadOrStore(head.Error, true); !reported {
			s.w.tell("cannot play: %s", head.Error)
		}
	}
	if s.w.hooks.alter != nil {
		s.w.hooks.alter(pairs)
	}
	data, err := writeAnswer(head, pairs)
	if err == nil && len(data) > maxMessage {
		for i := range pairs { // their logs may be long, and the games do not need them
			pairs[i].Games[0].Log, pairs[i].Games[1].Log = "", ""
		}
		data, err = writeAnswer(head, pairs)
	}
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
		if welcome.Refused != "" {
			s.stop(&RefusedError{welcome.Refused})
			return
		}
		if messages = messages[1:]; len(messages) > 0 {
			continue
		}
		s.drop(h)
		if s.w.Played != nil && len(pairs) > 0 {
			s.w.Played(2 * len(pairs))
		}
		return
	}
}

// table returns the terms of a spec after the worker was admitted under them.
func (s *session) table(ctx context.Context, spec string) (*termsMessage, error) {
	s.mu.Lock()
	t, join := s.tables[spec], s.joins[spec]
	begun := t != nil || join != nil
	if !begun {
		join = make(chan struct{})
		s.joins[spec] = join
	}
	s.mu.Unlock()
	switch {
	case t != nil:
		return t, nil
	case begun:
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

// join requests the terms, plays the sample and sends the resulting line. An error other than
// errNotIn says why this worker cannot play.
func (s *session) join(ctx context.Context, spec string) (*termsMessage, error) {
	t := &termsMessage{}
	if err := s.insist(ctx, subjectTerms, termsRequest{Session: s.id, Spec: spec}, t); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotIn, err)
	}
	if t.Refused != "" {
		return nil, fmt.Errorf("%w: %s", errNotIn, t.Refused)
	}
	if err := s.w.engines(ctx, t.Setup, t.Sample); err != nil {
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

// insist repeats a request until it is answered or no longer wanted: a coordinator that first
// plays the sample itself may need longer than one request waits.
func (s *session) insist(ctx context.Context, subject string, request, answer any) error {
	for {
		err := s.w.ask(ctx, s.nc, subject, request, answer)
		if err == nil || !pause(ctx, beat/4) {
			return errors.Join(err, ctx.Err())
		}
	}
}
