package match

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/engines/entrant"
)

// Worker plays jobs, one after the other. It owns a referee and two players,
// which it keeps from job to job: what they play depends on the job alone. It
// belongs to one goroutine at a time; Close it.
type Worker struct {
	// Played, if not nil, is called after every game.
	Played func()

	variant engines.Variant
	setup   Setup
	ref     engines.Referee
	seats   [2]occupied // X, Than
	buf     []engines.Move
	first   []engines.Move // moves of the pair's first game
	notes   []Note
}

// occupied is a seat with who sits there.
type occupied struct {
	player engines.Player // nil if nobody
	as     entrant.Entrant
}

// NewWorker returns a worker for games of a variant, which must be the setup's.
func NewWorker(v engines.Variant, s Setup) *Worker {
	return &Worker{variant: v, setup: s, ref: v.NewReferee()}
}

// Close gives up the players.
func (w *Worker) Close() error {
	return errors.Join(w.leave(0), w.leave(1))
}

// Play plays a job's pairs. The error is ctx's, or of a job that cannot be
// played; a player's fault is an outcome.
func (w *Worker) Play(ctx context.Context, j Job) ([]Pair, error) {
	for who := range j.Seats {
		if err := w.sit(who, j.Seats[who]); err != nil {
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

func (w *Worker) pair(ctx context.Context, j *Job, number int) (Pair, error) {
	p := Pair{Number: number}
	seed := PairSeed(w.setup.Seed, j.Stream, j.Openings, number)
	open, err := w.setup.opening(w.variant, j, number, seed)
	if err != nil {
		return p, err
	}
	for game := range p.Games {
		r, err := w.game(ctx, open, seed, game)
		if err != nil {
			return p, err
		}
		x := engines.Side(game) // the side X plays
		p.Games[game] = Game{
			Position: open.Position, Opening: len(open.Moves), Moves: r.text(w.ref), Plies: len(r.moves),
			Outcome: r.outcome, Reason: r.reason, Illegal: r.illegal,
			Nodes: [2]int64{r.nodes[x], r.nodes[x.Other()]}, Chosen: int64(r.chosen), Detail: r.detail, Notes: slices.Clone(r.notes),
		}
		if game == 0 {
			w.first = append(w.first[:0], r.moves...)
		} else {
			p.Compared, p.Differs = compare(w.first, r.moves, len(open.Moves))
		}
		if w.Played != nil {
			w.Played()
		}
	}
	return p, nil
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
func (w *Worker) game(ctx context.Context, open engines.Opening, seed uint64, game int) (record, error) {
	t := table{ref: w.ref, adjudication: w.setup.Adjudication, stall: w.setup.Stall, notes: w.setup.Notes}
	for side := range t.seats {
		who := side ^ game
		t.seats[side] = seat{player: w.seats[who].player, limits: w.seats[who].as.Limits, seed: sideSeed(seed, side), timed: w.setup.Times}
	}
	r, err := t.play(ctx, open, w.buf, w.notes)
	w.notes = r.notes
	if w.buf = r.moves; r.abandoned {
		w.buf = nil // the player left behind may still read the history
	}
	for side, broken := range r.broken {
		if !broken {
			continue
		}
		// Whatever state it is in, the next game gets a new one.
		who := side ^ game
		as := w.seats[who].as
		if r.abandoned {
			w.seats[who] = occupied{} // it is still in use: whoever is stuck in it cannot be ended
		} else if err := w.leave(who); err != nil {
			return r, fmt.Errorf("end of player %q: %w", as.Name, err)
		}
		if err := w.sit(who, as); err != nil {
			return r, err
		}
	}
	return r, err
}

// sit has an entrant take seat who (0 for X, 1 for Than).
func (w *Worker) sit(who int, e entrant.Entrant) error {
	s := &w.seats[who]
	switch {
	case s.player == nil:
		player, err := e.Open(w.variant)
		if err != nil {
			return fmt.Errorf("player %q: %w", e.Name, err)
		}
		s.player = player
	case !slices.Equal(s.as.Values, e.Values):
		if err := s.player.Configure(e.Values); err != nil {
			return fmt.Errorf("player %q: %w", e.Name, err)
		}
	}
	s.as = e
	return nil
}

// leave empties a seat.
func (w *Worker) leave(who int) error {
	player := w.seats[who].player
	w.seats[who] = occupied{}
	if player == nil {
		return nil
	}
	return entrant.Close(player)
}
