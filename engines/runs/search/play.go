package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// Play implements runs.Config: it searches the remaining positions.
func (s *searchConfig) Play(ctx context.Context, session *runs.Session) error {
	w := &searcher{spec: s, variant: session.Head.Variant, seed: session.Head.Meta.Seed, book: session.Setup.Book}
	next := 0
	if session.Replayed != nil {
		for f, err := range session.Replayed {
			if err == nil {
				err = w.checkStart(next, f)
			}
			if err == nil {
				err = session.Observe(f)
			}
			if err != nil {
				return err
			}
			next++
		}
	}
	for ; next < s.total(); next++ {
		f, err := w.search(ctx, next)
		if err == nil && session.Record != nil {
			err = session.Record.Append(f.Trial, nil, f.Moves)
		}
		if err == nil {
			err = session.Observe(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// searcher makes the searches of a run, position by position and in each player
// by player.
type searcher struct {
	spec    *searchConfig
	variant engines.Variant
	seed    uint64
	book    []engines.Opening
	last    start // every player searches it in turn
}

// start is a position to search: its text, and the moves from there.
type start struct {
	drawn    bool
	position int
	text     string
	list     []engines.Move
}

// start returns a position: an opening of the book, or one drawn.
func (s *searcher) start(position int) start {
	if s.last.drawn && s.last.position == position {
		return s.last
	}
	open := engines.Opening{}
	if s.spec.InOrder() {
		open = s.book[position]
	} else {
		seed := engines.Seed(s.seed, uint64(position))
		open = s.variant.Opening(rand.New(rand.NewPCG(seed, engines.Seed(seed, 0))), s.spec.OpeningPlies)
	}
	s.last = start{true, position, open.Position, open.Moves}
	return s.last
}

// checkStart compares a recorded search with the position that it must be of.
func (s *searcher) checkStart(n int, f schedule.Finished) error {
	ref, err := s.at(s.start(n / len(s.spec.Players)))
	if err != nil {
		return err
	}
	for _, m := range f.Moves {
		if m.Key != ref.Key() {
			return fmt.Errorf("search %d is not of this run: its position has the key %d, that of the run %d", n, m.Key, ref.Key())
		}
	}
	return nil
}

// search makes the n-th search: a new player chooses in one position.
func (s *searcher) search(ctx context.Context, n int) (f schedule.Finished, err error) {
	position, p := n/len(s.spec.Players), s.spec.Players[n%len(s.spec.Players)]
	from := s.start(position)
	fail := func(err error) (schedule.Finished, error) {
		return f, fmt.Errorf("player %s in position %d: %w", p.Name, position, err)
	}
	seed := engines.Seed(s.seed, uint64(position), 1)
	mover, err := p.Open(ctx, s.variant, 0, nil)
	if err != nil {
		return fail(err)
	}
	defer func() { err = errors.Join(err, player.Close(mover)) }()
	if err := mover.Reset(from.text, seed); err != nil {
		return fail(err)
	}
	begun := time.Now()
	d, err := engines.Decide(ctx, mover, seed, from.list, p.Limits)
	micros := time.Since(begun).Microseconds()
	if ctx.Err() != nil {
		return f, context.Cause(ctx)
	}
	if err != nil {
		return fail(err)
	}
	ref, err := s.at(from)
	if err != nil {
		return fail(err)
	}
	if !ref.Legal(d.Move) {
		return fail(fmt.Errorf("%s is not legal in %s", ref.MoveString(d.Move), ref))
	}
	f.Trial = datasets.TrialRow{
		Trial: int64(n), Phase: kindName, Openings: engines.Seed(s.seed, uint64(position)), Decisions: 1, Nodes: d.Nodes,
	}
	if len(p.Values) == len(s.variant.Game.Space) {
		f.Trial.A = p.Values
	}
	f.Moves = []datasets.MoveRow{{
		Trial: int64(n), Phase: kindName, Ply: int32(len(from.list)), Side: int32(ref.Turn()), Player: datasets.PlayerA, Key: ref.Key(),
		Move: ref.MoveString(d.Move), Score: float64(d.Score), Nodes: d.Nodes, Depth: int32(d.Depth), Mate: int32(d.Mate), Micros: micros,
	}}
	return f, nil
}

// at returns a referee in a position.
func (s *searcher) at(from start) (engines.Referee, error) {
	ref := s.variant.NewReferee()
	if err := ref.Reset(from.text); err != nil {
		return nil, err
	}
	for _, m := range from.list {
		ref.Play(m)
	}
	return ref, nil
}
