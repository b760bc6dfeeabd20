package match

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/params"
)

// Source gives trials to play and is told their scores: the part of a
// params.Tuner that a campaign needs, and under the same rules.
type Source interface {
	Ask() []params.Trial
	Tell(params.Trial, params.Score) error
}

// Recorder keeps finished trials, with their decisions if the campaign notes
// moves. A datasets.Writer is one.
type Recorder interface {
	Append(datasets.TrialRow, []datasets.GameRow, []datasets.MoveRow) error
}

// Campaign plays the trials of its sources, one source (a phase) after another.
// With repeatable limits, what it records depends on Seed, the variant, the
// limits and the sources alone: not on Workers, nor on how often it was killed
// and resumed.
type Campaign struct {
	Variant      engines.Variant
	Seed         uint64
	OpeningPlies int
	// Limits of X and of Than.
	Limits  [2]engines.Limits
	Workers int // at least 1

	// Start, if not nil, gives the opening of a pair of a stream; nil draws it
	// from the pair's seed. It is called by many workers at once.
	Start func(stream uint64, pair int) engines.Opening
	// Adjudication ends games early; the zero value ends none.
	Adjudication Adjudication
	// Stall is how long a player may think before it is given up. 0 means a
	// generous margin above its time limit, and without one as long as it likes.
	Stall time.Duration
	// FaultLimit ends the campaign with a *FaultError; the zero value does not.
	FaultLimit FaultLimit
	// Moves says whether Record is given the decisions too, and their times. It
	// changes no game.
	Moves datasets.RecordMoves

	// Record, if not nil, is given every finished trial in schedule order.
	Record Recorder
	// Replayed holds the trials a resumed run has already played, in order; nil
	// if none. They are told to the sources instead of being played again.
	Replayed iter.Seq2[datasets.TrialRow, error]
	// Fault, if not nil, is told in schedule order of games lost by a fault.
	Fault func(datasets.GameRow, string)
	// Partial, if not nil, is told how the first pairs of the oldest unfinished
	// trial went, by X's half points, as they come in.
	Partial func(pairs [5]int)

	played atomic.Int64 // games finished by workers in this process

	trials   int64 // of all phases so far
	next     func() (datasets.TrialRow, error, bool)
	stop     func()
	replayed int64

	faults [2]int // games lost by a fault in finished trials: X's, Than's
	games  int    // of finished trials
}

// Games returns the number of games played by this process so far. It may be
// called while a campaign runs.
func (c *Campaign) Games() int64 { return c.played.Load() }

// Replays returns how many trials were taken from the record.
func (c *Campaign) Replays() int64 { return c.replayed }

// Close ends the reading of Replayed, and reports recorded trials that no phase
// asked for.
func (c *Campaign) Close() error {
	if c.next == nil {
		return nil
	}
	defer c.stop()
	if row, err, ok := c.next(); err != nil {
		return err
	} else if ok {
		return fmt.Errorf("trial %d is recorded but was never asked for: %w", row.Trial, ErrDiverged)
	}
	return nil
}

// ErrDiverged says that a resumed run does not ask for what was recorded.
var ErrDiverged = errors.New("the recorded run and this program disagree: it was made by another version or other settings")

// Run plays every trial that src asks for. observe, if not nil, is called with
// each finished or replayed trial, in schedule order, before src is told.
func (c *Campaign) Run(ctx context.Context, phase string, src Source, observe func(datasets.TrialRow)) error {
	waiting, err := c.replay(phase, src, observe)
	if err != nil {
		return err
	}
	if len(waiting) == 0 {
		return nil
	}
	return c.play(ctx, phase, src, waiting, observe)
}

// Replay is Run without playing: it tells src what is recorded of a phase and
// stops there.
func (c *Campaign) Replay(phase string, src Source, observe func(datasets.TrialRow)) error {
	_, err := c.replay(phase, src, observe)
	return err
}

// replay tells src what was recorded and returns the trials left to play.
func (c *Campaign) replay(phase string, src Source, observe func(datasets.TrialRow)) ([]params.Trial, error) {
	waiting := src.Ask()
	if c.Replayed == nil {
		return waiting, nil
	}
	if c.next == nil {
		c.next, c.stop = iter.Pull2(c.Replayed)
	}
	for len(waiting) > 0 {
		row, err, ok := c.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			c.stop()
			c.Replayed, c.next = nil, nil
			break
		}
		trial := waiting[0]
		if row.Trial != c.trials || row.Phase != phase || !slices.Equal(row.X, trial.X) || !slices.Equal(row.Than, trial.Than) ||
			row.Openings != trial.Openings || int(row.Pairs) > trial.Pairs {
			return nil, fmt.Errorf("trial %d: %w", row.Trial, ErrDiverged)
		}
		who, tooMany := c.tooMany(faultsOf(row), int(row.Games))
		over := enough(src, pairsOf(row))
		if int(row.Pairs) < trial.Pairs && !tooMany && !over {
			return nil, fmt.Errorf("trial %d: %w (it has %d of %d pairs)", row.Trial, ErrDiverged, row.Pairs, trial.Pairs)
		}
		c.replayed++
		if err := c.tell(src, trial, row, observe); err != nil {
			return nil, err
		}
		if tooMany {
			last := datasets.GameRow{Trial: row.Trial, Phase: phase, Pair: row.Pairs - 1, Game: -1}
			return nil, c.faultError(who, [2]int{}, 0, last, "", trial.Openings)
		}
		if over {
			return nil, nil
		}
		waiting = append(waiting[1:], src.Ask()...)
	}
	return waiting, nil
}

func (c *Campaign) tell(src Source, t params.Trial, row datasets.TrialRow, observe func(datasets.TrialRow)) error {
	c.trials++
	for who, n := range faultsOf(row) {
		c.faults[who] += n
	}
	c.games += int(row.Games)
	if observe != nil {
		observe(row)
	}
	t.X, t.Than = row.X, row.Than
	return src.Tell(t, params.Score{Pairs: pairsOf(row)})
}

func pairsOf(row datasets.TrialRow) [5]int {
	return [5]int{int(row.LL), int(row.LD), int(row.Even), int(row.WD), int(row.WW)}
}

func faultsOf(row datasets.TrialRow) [2]int { return [2]int{int(row.FaultsX), int(row.FaultsThan)} }

// enough reports whether src may end its trial after these pairs of it.
func enough(src Source, pairs [5]int) bool {
	e, ok := src.(Ender)
	return ok && e.Enough(pairs)
}

// underway is a trial whose pairs are being played.
type underway struct {
	trial  params.Trial
	number int64 // of all phases
	issued int   // pairs handed to workers
	pairs  []pairRecord

	// Of the first pairs, all of which are played:
	counted int
	tally   [5]int // by X's half points
	faults  [2]int // games lost by a fault: X's, Than's
}

type job struct {
	u    *underway
	pair int
}

type pairRecord struct {
	played    bool
	games     [2]datasets.GameRow
	moves     []datasets.MoveRow // of both games, if the campaign notes moves
	details   [2]string
	decisions int64
	compared  int64 // decisions both players made in one position
	differs   bool  // the last of them differed
}

type done struct {
	job
	rec pairRecord
	err error
}

// play feeds pairs to workers and takes finished trials in order.
func (c *Campaign) play(ctx context.Context, phase string, src Source, waiting []params.Trial, observe func(datasets.TrialRow)) error {
	ctx, cancel := context.WithCancel(ctx)
	// Room for the pairs of the moments when this goroutine writes to disk.
	ahead := 64 * max(1, c.Workers)
	jobs, results := make(chan job, ahead), make(chan done, ahead)
	var workers sync.WaitGroup
	for range max(1, c.Workers) {
		workers.Go(func() { c.work(ctx, phase, jobs, results) })
	}
	defer workers.Wait()
	defer cancel()
	defer close(jobs)

	var flight []*underway // in schedule order
	add := func(trials []params.Trial) {
		for _, t := range trials {
			n := c.trials + int64(len(flight))
			flight = append(flight, &underway{trial: t, number: n, pairs: make([]pairRecord, t.Pairs)})
		}
	}
	add(waiting)
	for len(flight) > 0 {
		next, ok := nextJob(flight)
		out := jobs
		if !ok {
			out = nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case out <- next:
			next.u.issued++
		case d := <-results:
			if d.err != nil {
				return d.err
			}
			d.u.pairs[d.pair] = d.rec
			for len(flight) > 0 {
				first := flight[0]
				over, fault := c.advance(src, first)
				if first.counted < first.trial.Pairs {
					break
				}
				flight = flight[1:]
				if err := c.finish(src, first, phase, observe); err != nil {
					return err
				}
				if over || fault != nil { // what else is in flight was played in vain
					return fault
				}
				add(src.Ask())
			}
		}
	}
	return nil
}

// advance counts the pairs of the oldest trial in schedule order, as far as they
// are played. It cuts the trial after the pair that ends the match, so that what
// is recorded does not depend on what else was in flight.
func (c *Campaign) advance(src Source, u *underway) (over bool, fault error) {
	counted := u.counted
	for u.counted < len(u.pairs) && u.pairs[u.counted].played {
		p := &u.pairs[u.counted]
		u.counted++
		u.tally[p.points()]++
		for n := range p.games {
			if who, is := faulted(&p.games[n]); is {
				u.faults[who]++
			}
		}
		over = enough(src, u.tally)
		if who, tooMany := c.tooMany(u.faults, 2*u.counted); tooMany {
			n := 0
			if f, is := faulted(&p.games[0]); !is || f != who {
				n = 1
			}
			fault = c.faultError(who, u.faults, 2*u.counted, p.games[n], p.details[n], u.trial.Openings)
		}
		if over || fault != nil {
			u.pairs, u.trial.Pairs = u.pairs[:u.counted], u.counted
			break
		}
	}
	if c.Partial != nil && u.counted > counted && u.counted < u.trial.Pairs {
		c.Partial(u.tally)
	}
	return over, fault
}

// points are X's half points in a pair.
func (p *pairRecord) points() int { return int(2 * (p.games[0].XScore + p.games[1].XScore)) }

// nextJob returns the first pair not yet handed out.
func nextJob(flight []*underway) (job, bool) {
	for _, u := range flight {
		if u.issued < u.trial.Pairs {
			return job{u, u.issued}, true
		}
	}
	return job{}, false
}

// finish records a trial and tells its source.
func (c *Campaign) finish(src Source, u *underway, phase string, observe func(datasets.TrialRow)) error {
	row, games := summarize(u, phase)
	if c.Fault != nil {
		for i, g := range games {
			if detail := u.pairs[i/2].details[i%2]; detail != "" {
				c.Fault(g, detail)
			}
		}
	}
	if c.Record != nil {
		if err := c.Record.Append(row, games, u.moves(row.Decisions)); err != nil {
			return err
		}
	}
	return c.tell(src, u.trial, row, observe)
}

// moves are the n decisions of a trial's games; nil if none are noted.
func (u *underway) moves(n int64) []datasets.MoveRow {
	var moves []datasets.MoveRow
	for i := range u.pairs {
		if p := &u.pairs[i]; p.moves != nil {
			moves = append(slices.Grow(moves, int(n)-len(moves)), p.moves...)
		}
	}
	return moves
}

// summarize adds up the games of a trial.
func summarize(u *underway, phase string) (datasets.TrialRow, []datasets.GameRow) {
	t := datasets.TrialRow{
		Trial: u.number, Phase: phase, X: u.trial.X, Than: u.trial.Than,
		Openings: u.trial.Openings, Pairs: int32(u.trial.Pairs), Games: int32(2 * u.trial.Pairs),
	}
	games := make([]datasets.GameRow, 0, 2*len(u.pairs))
	for i := range u.pairs {
		p := &u.pairs[i]
		for n := range p.games {
			g := &p.games[n]
			half := int(2 * g.XScore)
			switch half {
			case 2:
				t.Wins++
			case 1:
				t.Draws++
			default:
				t.Losses++
			}
			if n == 0 { // X plays first
				t.FirstPoints += int32(half)
			} else {
				t.FirstPoints += int32(2 - half)
			}
			t.Plies += int64(g.Plies)
			t.Nodes += g.NodesX + g.NodesThan
			games = append(games, *g)
		}
		t.Decisions += p.decisions
		t.Compared += p.compared
		if p.differs {
			t.Differing++
		}
	}
	t.FaultsX, t.FaultsThan = int32(u.faults[0]), int32(u.faults[1])
	t.LL, t.LD, t.Even, t.WD, t.WW = int32(u.tally[0]), int32(u.tally[1]), int32(u.tally[2]), int32(u.tally[3]), int32(u.tally[4])
	return t, games
}

// work plays pairs until jobs is closed or ctx is done.
func (c *Campaign) work(ctx context.Context, phase string, jobs <-chan job, results chan<- done) {
	w := worker{c: c, phase: phase, ref: c.Variant.NewReferee()}
	for {
		select {
		case <-ctx.Done():
			return
		case j, ok := <-jobs:
			if !ok {
				return
			}
			rec, err := w.pair(ctx, j)
			select {
			case results <- done{j, rec, err}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// worker owns a referee and two players, used for one pair after another.
type worker struct {
	c       *Campaign
	phase   string
	ref     engines.Referee
	players [2]engines.Player // X, Than
	vectors [2]params.Vector  // what they are configured with
	buf     []engines.Move
	first   []engines.Move // moves of the pair's first game
	notes   []note
}

// PairSeed is the seed from which everything random of one pair is drawn.
func PairSeed(run uint64, phase string, openings uint64, pair int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(phase))
	return engines.Seed(run, h.Sum64(), openings, uint64(pair))
}

// drawOpening is the opening of the pair with the given seed.
func drawOpening(v engines.Variant, seed uint64, plies int) engines.Opening {
	return v.Opening(rand.New(rand.NewPCG(seed, engines.Seed(seed, 0))), plies)
}

// opening is where a pair of a stream starts.
func (c *Campaign) opening(stream uint64, pair int, seed uint64) engines.Opening {
	if c.Start != nil {
		return c.Start(stream, pair)
	}
	return drawOpening(c.Variant, seed, c.OpeningPlies)
}

// sideSeed is the seed of whoever plays a side: of the side and not of the
// player, so that equal players play equal games and a pair of theirs is even.
func sideSeed(pair uint64, side int) uint64 { return engines.Seed(pair, 1+uint64(side)) }

func (w *worker) pair(ctx context.Context, j job) (pairRecord, error) {
	t := &j.u.trial
	if err := w.seat(0, t.X); err != nil {
		return pairRecord{}, err
	}
	if err := w.seat(1, t.Than); err != nil {
		return pairRecord{}, err
	}
	seed := PairSeed(w.c.Seed, w.phase, t.Openings, j.pair)
	open := w.c.opening(t.Openings, j.pair, seed)
	p := pairRecord{played: true}
	for game := range 2 {
		r, err := w.game(ctx, open, seed, game)
		if err != nil {
			return p, err
		}
		x := engines.Side(game) // the side X plays
		p.games[game] = datasets.GameRow{
			Trial: j.u.number, Phase: w.phase, Pair: int32(j.pair), Game: int32(game),
			Position: open.Position, OpeningPlies: int32(len(open.Moves)),
			Moves: r.text(w.ref), Plies: int32(len(r.moves)),
			Outcome: r.outcome.String(), XScore: float64(r.outcome.Points(x)) / 2, Reason: string(r.reason),
			IllegalFirst: int32(r.illegal[0]), IllegalSecond: int32(r.illegal[1]),
			NodesX: r.nodes[x], NodesThan: r.nodes[x.Other()],
		}
		p.moves = appendMoves(p.moves, &p.games[game], r.notes)
		if game == 0 {
			w.first = append(w.first[:0], r.moves...)
		} else {
			p.compared, p.differs = compare(w.first, r.moves, len(open.Moves))
		}
		p.details[game] = r.detail
		p.decisions += int64(r.chosen)
		w.c.played.Add(1)
	}
	return p, nil
}

// appendMoves appends the decisions noted in a game. Their texts are parts of the
// game's.
func appendMoves(rows []datasets.MoveRow, g *datasets.GameRow, notes []note) []datasets.MoveRow {
	if len(notes) == 0 {
		return rows
	}
	rows = slices.Grow(rows, len(notes))
	rest := g.Moves
	ply, text := -1, ""
	for _, n := range notes {
		for ; ply < n.ply; ply++ {
			text, rest, _ = strings.Cut(rest, " ") // "" after the last
		}
		m := datasets.MoveRow{
			Trial: g.Trial, Phase: g.Phase, Pair: g.Pair, Game: g.Game, Ply: int32(n.ply),
			Side: int32(n.side), Player: datasets.PlayerX, Key: n.key, Move: text,
			Score: n.Score, Nodes: n.Nodes, Depth: int32(n.Depth), Micros: n.elapsed.Microseconds(),
		}
		if int32(n.side) != g.Game {
			m.Player = datasets.PlayerThan
		}
		rows = append(rows, m)
	}
	return rows
}

// compare counts the decisions that the two games of a pair have in common: in
// each, X moved in one game and Than in the other, in the same position and with
// the same seed. At the first difference the games part.
func compare(a, b []engines.Move, opening int) (compared int64, differs bool) {
	for i := opening; i < len(a) && i < len(b); i++ {
		compared++
		if a[i] != b[i] {
			return compared, true
		}
	}
	return compared, false
}

// game plays game 0 (X first) or 1 (X second) of a pair.
func (w *worker) game(ctx context.Context, open engines.Opening, seed uint64, game int) (record, error) {
	var seats [2]seat
	for side := range seats {
		who := side ^ game
		seats[side] = seat{player: w.players[who], limits: w.c.Limits[who], seed: sideSeed(seed, side), timed: w.c.Moves == datasets.TimeMoves}
	}
	t := table{ref: w.ref, seats: seats, adjudication: w.c.Adjudication, stall: w.c.Stall, notes: w.c.Moves != datasets.NoMoves}
	r, err := t.play(ctx, open, w.buf, w.notes)
	w.notes = r.notes
	if w.buf = r.moves; r.abandoned {
		w.buf = nil // the player left behind may still read the history
	}
	for side, broken := range r.broken {
		if broken { // whatever state it is in, the next game gets a new one
			who := side ^ game
			vector := w.vectors[who]
			w.players[who] = nil
			if err := w.seat(who, vector); err != nil {
				return r, err
			}
		}
	}
	return r, err
}

// seat has player who (0 for X, 1 for Than) play with a vector.
func (w *worker) seat(who int, v params.Vector) error {
	if w.players[who] == nil {
		w.players[who], w.vectors[who] = w.c.Variant.NewPlayer(), nil
	}
	if w.vectors[who] != nil && slices.Equal(w.vectors[who], v) {
		return nil
	}
	if err := w.players[who].Configure(v); err != nil {
		return fmt.Errorf("%s: %w", w.c.Variant.Game.Name, err)
	}
	w.vectors[who] = v
	return nil
}
