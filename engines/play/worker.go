package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// Worker plays jobs, one after the other. One goroutine at a time may use it, and the caller
// must close it.
//
// It keeps its referee, its players and the processes of programs from job to job. Games depend
// only on the job, except games of programs that do not repeat their decisions.
type Worker struct {
	// Played, if not nil, is called after every game, in the goroutine of Play.
	Played func()
	// Custom holds the code of custom players for jobs that were read from a record.
	Custom []player.Custom
	// MeterAll measures the processor time in every pair, also of cheap decisions.
	MeterAll bool
	// Window, if not nil, shows the games while they are played.
	Window *Window

	variant engines.Variant
	setup   Setup
	ref     engines.Referee
	seats   [2]occupied       // of A and B
	idle    []occupied        // programs that left their seat, the last one at the end
	lines   player.Transcript // of the programs, in the present game
	life    context.Context
	end     context.CancelFunc // ends life, and with it all processes
	buf     []engines.Move
	first   []engines.Move // moves of the pair's first game
	notes   []Note
	meters  map[[2]string]*meter // by the names of A and B
	cpu     [2]CPU               // of A and B, since the last TakeCPU
	pulse   *pulse               // nil before the first game under a time limit
}

// TakeCPU returns the processor time of A's and B's measured decisions since the last call. It
// depends on the machine and the moment, so pairs do not contain it.
func (w *Worker) TakeCPU() [2]CPU {
	cpu := w.cpu
	w.cpu = [2]CPU{}
	return cpu
}

// meter chooses the pairs whose processor time is measured.
type meter struct {
	wait int // pairs to skip before the next measured one
	rest int // pairs skipped before the last measured one
}

// occupied is a seat with its player.
type occupied struct {
	player engines.Player // nil if the seat is empty
	as     player.Config
	log    *player.Log // of its program
}

// NewWorker returns a worker for games of a variant, which must be the setup's. The caller must
// close it.
func NewWorker(v engines.Variant, s Setup) *Worker {
	w := &Worker{variant: v, setup: s, ref: v.NewReferee()}
	w.life, w.end = context.WithCancel(context.Background())
	return w
}

// maxIdle is the number of idle processes that a worker keeps.
const maxIdle = 6

// Close closes the players and ends the worker's processes.
func (w *Worker) Close() error {
	err := errors.Join(w.leave(0), w.leave(1))
	for _, o := range w.idle {
		err = errors.Join(err, player.Close(o.player))
	}
	w.idle = nil
	w.end()
	return err
}

// Play plays a job's pairs, From to To. The error is ctx's, or that of a job that cannot be
// played; a player's fault is an outcome. When ctx ends, the worker's processes are killed and
// it cannot play again. The caller owns the pairs.
func (w *Worker) Play(ctx context.Context, j Job) (_ []Pair, err error) {
	defer engines.CatchReferee(&err)
	// Check first: a player may still be thinking after ctx ended.
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	defer context.AfterFunc(ctx, w.end)()
	for index := range j.Seats {
		if err := w.sit(index, j.Seats[index]); err != nil {
			return nil, err
		}
	}
	pairs := make([]Pair, 0, j.To-j.From)
	for n := j.From; n < j.To; n++ {
		p, err := w.pair(ctx, &j, n)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// pair plays both games of one pair of a job, and measures the processor time if the meter is
// due.
func (w *Worker) pair(ctx context.Context, j *Job, number int) (Pair, error) {
	p := Pair{Number: number}
	seed := PairSeed(w.setup.Seed, j.Stream, j.Openings, number)
	open, err := w.setup.opening(w.variant, j, number, seed)
	if err != nil {
		return p, err
	}
	m := w.meter(j)
	metered := engines.MetersCPU && (m.wait == 0 || w.MeterAll)
	var cpu [2]CPU
	for game := range p.Games {
		r, err := w.undisturbed(ctx, open, seed, game, metered)
		if err != nil {
			return p, err
		}
		x := engines.Side(game) // the side that A plays
		p.Games[game] = Game{
			Position: open.Position, Opening: len(open.Moves), Moves: r.text(w.ref), Plies: len(r.moves),
			Outcome: r.outcome, Reason: r.reason, Illegal: r.illegal,
			Nodes: [2]int64{r.nodes[x],
				r.nodes[x.Other()]}, Chosen: int64(r.chosen), Margin: r.margin, Detail: r.detail, Log: r.log,
			Notes: slices.Clone(r.notes),
		}
		cpu[0].add(r.cpu[x])
		cpu[1].add(r.cpu[x.Other()])
		if game == 0 {
			w.first = append(w.first[:0], r.moves...)
		} else {
			p.Compared, p.Differs = compare(w.first, r.moves, len(open.Moves))
		}
		if w.Played != nil {
			w.Played()
		}
	}
	w.cpu[0].add(cpu[0])
	w.cpu[1].add(cpu[1])
	m.next(cpu)
	return p, nil
}

// undisturbed plays a game, and again if it depends on time and this process was suspended.
func (w *Worker) undisturbed(ctx context.Context, open engines.Opening, seed uint64, game int, metered bool) (record, error) {
	a, b := &w.seats[0].as, &w.seats[1].as
	if !a.Limits.Timed() && !b.Limits.Timed() && a.Engine == nil && b.Engine == nil && w.setup.Stall == 0 {
		return w.game(ctx, open, seed, game, metered)
	}
	if w.pulse == nil {
		w.pulse = &pulse{}
		go w.pulse.run(w.life)
	}
	for n := 0; ; n++ {
		before := w.pulse.look(time.Now())
		r, err := w.game(ctx, open, seed, game, metered)
		switch {
		case err != nil || w.pulse.look(time.Now()) == before:
			return r, err
		case n == maxReplays:
			return r, fmt.Errorf("this process did not run for more than %v in each of %d plays of one game: it was suspended, or the machine "+
				"is too busy for games under a time limit; use fewer workers", suspension, n+1)
		}
	}
}

// compare counts the decisions that A made in one game of a pair and B in the other, in the
// same position and with the same seed. It stops at the first difference.
func compare(a, b []engines.Move, opening int) (compared int64, differs bool) {
	for i := opening; i < len(a) && i < len(b); i++ {
		compared++
		if a[i] != b[i] {
			return compared, true
		}
	}
	return compared, false
}

const (
	// cheapDecision is the processor time below which measuring every decision slows games
	// down, because reading the clock takes up to two microseconds.
	cheapDecision = 200 * time.Microsecond
	// maxRest is the maximum number of unmeasured pairs between two measured ones.
	maxRest = 63
	// maxMeters bounds the number of meters.
	maxMeters = 10_000
)

// meter returns the meter of a job's players.
func (w *Worker) meter(j *Job) *meter {
	names := [2]string{j.Seats[0].Name, j.Seats[1].Name}
	if w.meters == nil || len(w.meters) > maxMeters {
		w.meters = map[[2]string]*meter{}
	}
	if w.meters[names] == nil {
		w.meters[names] = &meter{}
	}
	return w.meters[names]
}

// next counts a pair and decides whether to measure it. The gaps between measured pairs of
// cheap decisions grow, so that short matches are measured, too.
func (m *meter) next(cpu [2]CPU) {
	if m.wait--; m.wait >= 0 {
		return
	}
	m.wait = 0
	if cpu[0].cheap() && cpu[1].cheap() {
		m.rest = min(2*m.rest+1, maxRest)
		m.wait = m.rest
	}
}

func (c CPU) cheap() bool { return c.Time <= time.Duration(c.Decisions)*cheapDecision }

// game plays one game of a pair: 0 (A first) or 1 (A second).
func (w *Worker) game(ctx context.Context, open engines.Opening, seed uint64, game int, metered bool) (record, error) {
	t := table{ref: w.ref, adjudication: w.setup.Adjudication, stall: w.setup.Stall, margin: w.setup.Margin, notes: w.setup.Notes,
		window: w.Window}
	var spent *atomic.Int64
	if metered {
		ctx, spent = engines.WithMeter(ctx)
	}
	for side := range t.seats {
		index := side ^ game
		t.seats[side] = w.seats[index].seat(sideSeed(seed, side), w.setup.Times)
		t.seats[side].metered, t.seats[side].spent = metered, spent
		t.names[side] = w.seats[index].as.Name
	}
	r, err := t.play(ctx, open, w.buf, w.notes)
	for side := range t.seats {
		t.seats[side].measure(&r, side)
	}
	if programs := t.seats[0].program || t.seats[1].program; programs && (w.setup.Logs || r.reason.Fault()) {
		w.lines.Add('!', "game over", strings.TrimSuffix(fmt.Sprintf("%s by %s: %s", r.outcome, r.reason, r.detail), ": "))
		r.log = w.lines.String()
	}
	w.lines.Reset()
	w.notes = r.notes
	if w.buf = r.moves; r.abandoned {
		w.buf = nil // the abandoned player may still read the history
	}
	for side, broken := range r.broken {
		if !broken {
			continue
		}
		// The failed player may be in any state, so the next game gets a new one. A program
		// starts a new process by itself.
		index := side ^ game
		as := w.seats[index].as
		if as.Engine != nil {
			continue
		}
		if r.abandoned {
			w.seats[index] = occupied{} // still in use: Go cannot end a goroutine that hangs in it
		} else if err := w.leave(index); err != nil {
			return r, fmt.Errorf("end of player %q: %w", as.Name, err)
		}
		if err := w.sit(index, as); err != nil {
			return r, err
		}
	}
	return r, err
}

// seat returns the player's seat in a game.
func (o *occupied) seat(seed uint64, timed bool) seat {
	return seat{player: o.player, limits: o.as.Limits, seed: seed, timed: timed, program: o.as.Engine != nil, custom: o.as.Custom != nil}
}

// measure records the processor time that a program used in its game, if known.
func (s *seat) measure(r *record, side int) {
	if !s.program || !s.metered {
		return
	}
	used := player.CPUTime(s.player)
	if r.began[side] == 0 || used < r.began[side] {
		r.cpu[side] = CPU{}
		return
	}
	r.cpu[side].Time = used - r.began[side]
}

// sit puts the player of e on a seat, 0 for A and 1 for B.
func (w *Worker) sit(index int, e player.Config) error {
	e.Provide(w.Custom)
	s := &w.seats[index]
	if s.player != nil && !s.as.SamePlayer(e) {
		if err := w.vacate(index); err != nil {
			return fmt.Errorf("player %q: %w", s.as.Name, err)
		}
	}
	if _, ok := s.player.(failed); ok {
		s.player = nil
	}
	if s.player == nil {
		w.fetch(index, e)
	}
	if s.log == nil {
		s.log = &player.Log{To: &w.lines}
	}
	if s.log.Name = e.Name; e.Engine != nil { // a tuned program plays itself
		s.log.Name += [2]string{"(A)", "(B)"}[index]
	}
	err := w.prepare(s, e)
	if fault, ok := errors.AsType[*engines.Fault](err); ok { // the program loses the games of the job, and is opened again for the next
		err = w.leave(index)
		s.player = failed{fault}
	}
	if err != nil {
		return fmt.Errorf("player %q: %w", e.Name, err)
	}
	s.as = e
	return nil
}

// prepare opens the player of a seat, or configures it with new values. It returns a panic of
// the player as an error.
func (w *Worker) prepare(s *occupied, e player.Config) (err error) {
	defer recovered(&err)
	switch {
	case s.player == nil:
		s.player, err = e.Open(w.life, w.variant, w.setup.Stall, s.log)
	case !slices.Equal(s.as.Values, e.Values):
		err = s.player.Configure(e.Values)
	}
	return err
}

// failed stands in for a program that could not be started. It loses the games of this job
// only.
type failed struct{ fault *engines.Fault }

func (f failed) Configure([]float64) error { return nil }

func (f failed) Reset(string, uint64) error { return f.fault }

func (f failed) Choose(context.Context, []engines.Move, engines.Limits) (engines.Decision, error) {
	return engines.Decision{}, f.fault
}

// vacate empties a seat. A program is kept idle for its next job; if there are too many, the
// one that was idle longest is closed.
func (w *Worker) vacate(index int) error {
	s := &w.seats[index]
	if s.as.Engine == nil {
		return w.leave(index)
	}
	w.idle = append(w.idle, *s)
	*s = occupied{}
	if len(w.idle) <= maxIdle {
		return nil
	}
	oldest := w.idle[0]
	w.idle = slices.Delete(w.idle, 0, 1)
	return player.Close(oldest.player)
}

// fetch puts an idle program that can play for e on a seat.
func (w *Worker) fetch(index int, e player.Config) {
	for i, o := range w.idle {
		if o.as.SamePlayer(e) && e.Engine != nil {
			w.seats[index] = o
			w.idle = slices.Delete(w.idle, i, i+1)
			return
		}
	}
}

// leave closes the player of a seat.
func (w *Worker) leave(index int) error {
	p := w.seats[index].player
	w.seats[index] = occupied{}
	if p == nil {
		return nil
	}
	return player.Close(p)
}
