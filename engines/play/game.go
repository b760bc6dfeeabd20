package play

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// stallMargin is the time beyond its limit after which a player counts as hung, long enough for
// a busy machine. A late answer before that loses by time, but the player is kept.
const stallMargin = 10 * time.Second

// patience is the time that a player with a deadline has to notice the end of the run.
const patience = 2 * time.Second

// seat is one side of a game: its player and limits.
type seat struct {
	player engines.Player
	limits engines.Limits
	seed   uint64
	timed  bool // decisions are timed even without a limit of time
	// program marks an external engine. Its driver enforces deadlines with a margin of its own
	// and ends a hung process.
	program bool
	custom  bool          // Go code of the caller, which gets a history of its own, because it may change it
	metered bool          // the processor time of decisions is measured
	spent   *atomic.Int64 // by the meter of the game's context; nil without a meter
}

// table is the place of a game, with the rules beyond the game's own.
type table struct {
	ref          engines.Referee
	seats        [2]seat
	adjudication Adjudication
	stall        time.Duration
	margin       time.Duration // as Setup.Margin
	notes        bool          // record a note of every decision
	// watch, if not nil, is called with every decision and the recorded move (0 if the decision
	// lost the game at once), before the next decision. Its error ends the game.
	watch func(side engines.Side, d engines.Decision, recorded engines.Move) error

	window  *Window         // nil if nobody can look
	names   [2]string       // names of the players, for the window
	opening engines.Opening // opening of the game, for the window
}

// deadline returns the time after which the player of a seat counts as hung; 0 for never.
func (t *table) deadline(s *seat) time.Duration {
	switch {
	case s.program:
		return 0
	case t.stall > 0:
		return t.stall
	case s.limits.Timed():
		return s.limits.AtStart().Longest() + stallMargin
	}
	return 0
}

// allow returns the limits of a seat's next decision: its own, with the time left on both
// clocks and the margin of the match.
func (t *table) allow(r *record, side engines.Side) engines.Limits {
	s := &t.seats[side]
	l := s.limits
	if !l.Timed() {
		return l
	}
	switch {
	case l.Margin != 0:
	case t.margin != 0:
		l.Margin = t.margin
	case !s.program: // a program applies the margin of its file itself
		l.Margin = engines.DefaultMargin
	}
	l.Clock, l.Other = t.clock(r, side), t.clock(r, side.Other())
	return l
}

// clock returns the time control of a side with the time left.
func (t *table) clock(r *record, side engines.Side) engines.Clock {
	c := t.seats[side].limits.Clock
	if c.IsZero() {
		return c
	}
	c.Base = max(r.left[side], 1) // at least a nanosecond, because 0 means no clock
	if c.Moves > 0 {
		c.Moves -= r.made[side] % c.Moves
	}
	return c
}

// tick subtracts a decision's time from a side's clock and adds the increments.
func (t *table) tick(r *record, side engines.Side, elapsed time.Duration) {
	c := t.seats[side].limits.Clock
	if c.IsZero() {
		return
	}
	r.made[side]++
	r.left[side] = c.After(r.left[side], elapsed, r.made[side])
}

// play plays one game from an opening. The error is ctx's or the caller's (a position that the
// game rejects); a player's fault is an outcome. The record's moves and notes reuse the memory
// of buf and notes.
func (t *table) play(ctx context.Context, open engines.Opening, buf []engines.Move, notes []Note) (record, error) {
	r := record{moves: buf[:0], notes: notes[:0]}
	t.opening = open
	if err := t.open(&r, open); err != nil {
		return r, err
	}
	for side := range t.seats {
		s := &t.seats[side]
		r.left[side] = s.limits.Clock.Start()
		err := resetWithin(ctx, t.deadline(s), s, open.Position)
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		if player.Refused(err) {
			return r, err
		}
		if err != nil {
			r.fail(engines.Side(side), err)
			return r, nil
		}
	}
	for {
		if r.outcome, r.reason = t.ref.Result(); r.outcome != engines.Ongoing {
			if margin, ok := engines.MarginOf(t.ref); ok {
				r.margin = new(margin)
			}
			return r, nil
		}
		if r.outcome, r.reason = t.adjudication.judge(&r); r.outcome != engines.Ongoing {
			return r, nil
		}
		if err := t.turn(ctx, &r); err != nil || r.outcome != engines.Ongoing {
			return r, err
		}
	}
}

// open sets up an opening.
func (t *table) open(r *record, open engines.Opening) error {
	if err := t.ref.Reset(open.Position); err != nil {
		return err
	}
	for _, m := range open.Moves {
		if !t.ref.Legal(m) {
			return fmt.Errorf("opening move %s is not legal in %s", t.ref.MoveString(m), t.ref.String())
		}
		t.ref.Play(m)
		r.moves = append(r.moves, m)
	}
	return nil
}

// resetWithin starts a game of a seat's player, with a deadline if limit is above 0.
func resetWithin(ctx context.Context, limit time.Duration, s *seat, position string) error {
	if limit > 0 {
		waiting := *s
		_, err := within(ctx, limit, func(context.Context) (struct{}, error) { return struct{}{}, reset(&waiting, position) })
		return err
	}
	return reset(s, position)
}

func reset(s *seat, position string) (err error) {
	defer recovered(&err)
	return s.player.Reset(position, s.seed)
}

// turn asks the side to move for a decision and plays it.
func (t *table) turn(ctx context.Context, r *record) error {
	side := t.ref.Turn()
	s := &t.seats[side]
	key := uint64(0)
	if t.notes {
		key = t.ref.Key()
	}
	limits := t.allow(r, side)
	if s.metered && s.program && r.cpu[side].Decisions == 0 {
		r.began[side] = player.CPUTime(s.player)
	}
	a, err := askWithin(ctx, t.deadline(s), s, limits, r.moves)
	if ctx.Err() != nil {
		r.abandoned = r.abandoned || errors.Is(err, errStall)
		return context.Cause(ctx)
	}
	if player.Refused(err) {
		return err
	}
	illegal := illegalAnswer(s, a, err)
	if err != nil && illegal == nil {
		r.fail(side, err)
		return nil
	}
	r.nodes[side] += a.Nodes
	r.chosen++
	if s.metered {
		r.cpu[side].Decisions++
		r.cpu[side].Time += a.cpu
	}
	if t.notes {
		n := Note{Ply: len(r.moves), Side: side, Key: key, Score: Score(a.Score), Nodes: a.Nodes, Depth: a.Depth, Mate: a.Mate}
		if s.timed {
			n.Elapsed = a.elapsed
		}
		r.notes = append(r.notes, n)
	}
	if !s.program && limits.Timed() && a.elapsed > limits.Longest()+max(limits.Margin, 0) {
		r.fault(side, limits.TimeoutReason(),
			fmt.Sprintf("took %v of %v", a.elapsed.Round(time.Millisecond), limits.Longest().Round(time.Microsecond)))
		return nil
	}
	t.tick(r, side, a.elapsed)
	m := a.Move
	if t.ref.Legal(m) {
		t.ref.Play(m)
		t.adjudication.note(r, side, a.Score)
	} else {
		r.illegal[side]++
		r.lost[side], r.won[side], r.even[side] = 0, 0, 0
		if s.program { // no protocol can report a lost turn
			detail := fmt.Sprintf("answered %s in %s", t.ref.MoveString(a.Move), t.ref.String())
			if illegal != nil {
				detail = illegal.Detail // in the program's own notation
			}
			r.fault(side, engines.IllegalMove, detail)
			return t.see(side, a.Decision, 0)
		}
		if m = t.ref.Penalty(); m == 0 {
			r.outcome, r.reason = t.ref.Result()
			r.detail = fmt.Sprintf("answered %#x in %s", uint32(a.Move), t.ref.String())
		}
	}
	if m != 0 {
		r.moves = append(r.moves, m)
	}
	t.window.offer(t, r, a.Decision)
	return t.see(side, a.Decision, m)
}

// illegalAnswer returns the fault of an external engine that answered with an illegal move,
// else nil.
func illegalAnswer(s *seat, a answer, err error) *engines.Fault {
	if fault, ok := errors.AsType[*engines.Fault](err); ok && s.program && fault.Reason == engines.IllegalMove && a.Move != 0 {
		return fault
	}
	return nil
}

// see passes a decision and its recorded move to watch.
func (t *table) see(side engines.Side, d engines.Decision, m engines.Move) error {
	if t.watch == nil {
		return nil
	}
	return t.watch(side, d, m)
}

// answer is a decision and, under a time limit, its duration.
type answer struct {
	engines.Decision
	elapsed time.Duration
	cpu     time.Duration // of a metered player that is not a program
}

// askWithin asks as ask does, with a deadline. Without a deadline it adds no cost.
func askWithin(ctx context.Context, deadline time.Duration, s *seat, limits engines.Limits, history []engines.Move) (answer, error) {
	if deadline > 0 {
		waiting := *s // a copy, because an abandoned player outlives the seats
		return within(ctx, deadline, func(ctx context.Context) (answer, error) { return ask(ctx, &waiting, limits, history) })
	}
	return ask(ctx, s, limits, history)
}

// ask lets the player choose, and measures the time if it is limited. It returns a panic as an
// error.
func ask(ctx context.Context, s *seat, limits engines.Limits, history []engines.Move) (a answer, err error) {
	defer recovered(&err)
	if s.custom {
		history = slices.Clone(history)
	}
	var start time.Time
	timed := s.timed || limits.Timed()
	if timed {
		start = time.Now()
	}
	if s.metered && !s.program {
		before := s.spent.Load()
		engines.Metered(ctx, func() { a.Decision, err = engines.Decide(ctx, s.player, s.seed, history, limits) })
		a.cpu = time.Duration(s.spent.Load() - before)
	} else {
		a.Decision, err = engines.Decide(ctx, s.player, s.seed, history, limits)
	}
	bound(&a.Decision)
	switch {
	case timed && s.program:
		a.elapsed = player.Thought(s.player)
	case timed:
		a.elapsed = time.Since(start)
	}
	return a, err
}

// errStall is the error of a player that does not answer.
var errStall = errors.New("no answer")

// within runs f, which must not panic, for at most limit. After limit it ends f's context and
// returns errStall. f continues in its goroutine, because Go cannot end it, so the caller must
// no longer touch anything that f uses.
func within[T any](ctx context.Context, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		value T
		err   error
	}
	results := make(chan result, 1) // buffered, so that an abandoned f does not wait for a reader
	go func() {
		value, err := f(ctx)
		results <- result{value, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	done := ctx.Done()
	for {
		select {
		case r := <-results:
			return r.value, r.err
		case <-done:
			done = nil
			timer.Reset(min(limit, patience))
		case <-timer.C:
			var none T
			return none, fmt.Errorf("%w within %v", errStall, limit)
		}
	}
}

// recovered, deferred, turns a panic into an error.
func recovered(err *error) {
	switch p := recover().(type) {
	case nil:
	case *engines.RefereeFault: // no player is responsible for it
		*err = p
	default:
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// fail ends the game as lost by a side whose player resigned, or failed and must not be used
// again.
func (r *record) fail(side engines.Side, err error) {
	f, ok := errors.AsType[*engines.Fault](err)
	if ok && f.Reason == engines.Resigned { // not a failure
		r.fault(side, f.Reason, "")
		return
	}
	r.broken[side] = true
	if errors.Is(err, errStall) {
		r.abandoned = true
		r.fault(side, engines.Stall, err.Error()+"; the player was given up and may keep a processor busy")
		return
	}
	if ok {
		r.fault(side, f.Reason, f.Detail)
		return
	}
	r.fault(side, engines.Crash, err.Error())
}

// fault ends the game as lost by side.
func (r *record) fault(side engines.Side, why engines.Reason, detail string) {
	r.outcome, r.reason, r.detail = engines.Win(side.Other()), why, detail
}

// text returns the moves in the notation of a referee, whose position does not matter.
func (r *record) text(ref engines.Referee) string {
	var s strings.Builder
	s.Grow(4 * len(r.moves))
	for i, m := range r.moves {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(ref.MoveString(m))
	}
	return s.String()
}
