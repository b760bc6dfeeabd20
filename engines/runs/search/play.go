package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
)

// Play implements run.Spec: it searches what is not yet searched.
func (s *Spec) Play(ctx context.Context, session *runs.Session) error {
	told := session.Result.(*Result)
	w := &searcher{spec: s, variant: session.Head.Variant, seed: session.Head.Meta.Seed, book: session.Setup.Book}
	if err := w.checkStarts(told.Done); err != nil {
		return fmt.Errorf("%s: %w", told.File(), err)
	}
	keep, err := told.open()
	if err != nil {
		return err
	}
	err = w.play(ctx, session, told, keep)
	return errors.Join(err, keep.close())
}

func (w *searcher) play(ctx context.Context, session *runs.Session, told *Result, keep *keeper) error {
	for n := len(told.Done); n < w.spec.total(); n++ {
		one, err := w.search(ctx, n)
		if err != nil {
			return err
		}
		if err := keep.write(one); err != nil {
			return err
		}
		told.Done = append(told.Done, one)
		if session.Report != nil {
			session.Report(told.Progress("", [5]int{}))
		}
	}
	return nil
}

// searcher makes the searches of a run, position by position and in each player
// by player.
type searcher struct {
	spec    *Spec
	variant engines.Variant
	seed    uint64
	book    []engines.Opening
	last    start // every player searches it in turn
}

// start is a position to search: its text, and the moves from there, in notation
// and as they are.
type start struct {
	drawn       bool
	position    int
	text, moves string
	list        []engines.Move
}

// start returns a position: an opening of the book, or one drawn.
func (w *searcher) start(position int) (start, error) {
	if w.last.drawn && w.last.position == position {
		return w.last, nil
	}
	open := engines.Opening{}
	if w.spec.InOrder() {
		open = w.book[position]
	} else {
		seed := engines.Seed(w.seed, uint64(position))
		open = w.variant.Opening(rand.New(rand.NewPCG(seed, engines.Seed(seed, 0))), w.spec.OpeningPlies)
	}
	ref := w.variant.NewReferee()
	if err := ref.Reset(open.Position); err != nil {
		return start{}, err
	}
	var words []string
	for _, m := range open.Moves {
		words = append(words, ref.MoveString(m))
		ref.Play(m)
	}
	w.last = start{true, position, open.Position, strings.Join(words, " "), open.Moves}
	return w.last, nil
}

// checkStarts holds recorded searches against the positions they must be of.
func (w *searcher) checkStarts(done []Search) error {
	for i, one := range done {
		from, err := w.start(one.Position)
		if err != nil {
			return err
		}
		if one.Start != from.text || one.Moves != from.moves {
			return fmt.Errorf("search %d is not of this run: it begins at %q after %q, and position %d at %q after %q", i+1, one.Start, one.Moves, one.Position, from.text, from.moves)
		}
	}
	return nil
}

// search makes the n-th search: a new player chooses in one position.
func (w *searcher) search(ctx context.Context, n int) (one Search, err error) {
	position, p := n/len(w.spec.Players), w.spec.Players[n%len(w.spec.Players)]
	from, err := w.start(position)
	if err != nil {
		return one, err
	}
	fail := func(err error) (Search, error) {
		return one, fmt.Errorf("player %s in position %d: %w", p.Name, position, err)
	}
	mover, err := p.Open(ctx, w.variant, 0)
	if err != nil {
		return fail(err)
	}
	defer func() { err = errors.Join(err, player.Close(mover)) }()
	if err := mover.Reset(from.text, engines.Seed(w.seed, uint64(position), 1)); err != nil {
		return fail(err)
	}
	begun := time.Now()
	d, err := mover.Choose(ctx, from.list, p.Limits)
	micros := time.Since(begun).Microseconds()
	if ctx.Err() != nil {
		return one, context.Cause(ctx)
	}
	if err != nil {
		return fail(err)
	}
	ref, err := w.at(from)
	if err != nil {
		return fail(err)
	}
	if !ref.Legal(d.Move) {
		return fail(fmt.Errorf("%s is not legal in %s", ref.MoveString(d.Move), ref))
	}
	return Search{
		Position: position, Player: p.Name, Limits: p.Limits.String(), Start: from.text, Moves: from.moves,
		Move: ref.MoveString(d.Move), Score: d.Score, Nodes: d.Nodes, Depth: d.Depth, Micros: micros,
	}, nil
}

// at is a referee in a position.
func (w *searcher) at(from start) (engines.Referee, error) {
	ref := w.variant.NewReferee()
	if err := ref.Reset(from.text); err != nil {
		return nil, err
	}
	for _, m := range from.list {
		ref.Play(m)
	}
	return ref, nil
}
