package gametest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// patience is the time after the end of its context in which a player must return. It is long
// enough for any machine.
var patience = 20 * time.Second

// Budgets of a decision in these tests: the kinds of the game's own limits, with small counts,
// and with counts that no decision reaches.
const (
	quickDepth   = 2
	quickCount   = 50
	quickNodes   = 500
	endlessDepth = 60
	endlessCount = 1 << 40
)

// quick returns small limits of the same kinds as l.
func quick(l engines.Limits) engines.Limits { return limit(l, quickDepth, quickCount) }

// limit reduces the limits that l sets.
func limit(l engines.Limits, depth int, count int64) engines.Limits {
	l.Depth, l.Nodes, l.Playouts = min(l.Depth, depth), min(l.Nodes, count), min(l.Playouts, count)
	return l
}

// endless returns limits of the same kinds that no decision can use up.
func endless(l engines.Limits) engines.Limits {
	if l.Depth > 0 {
		l.Depth = endlessDepth
	}
	if l.Nodes > 0 {
		l.Nodes = endlessCount
	}
	if l.Playouts > 0 {
		l.Playouts = endlessCount
	}
	return l
}

// player returns a new player, reset for a game. Afterwards it overwrites the vector that the
// player was given, because players may not keep it.
func (s *subject) player(v params.Vector, start string, seed uint64) (engines.Player, error) {
	p := s.v.NewPlayer()
	return p, setUp(p, v, start, seed)
}

// setUp configures a player and starts a game.
func setUp(p engines.Player, v params.Vector, start string, seed uint64) error {
	if err := configure(p, v); err != nil {
		return err
	}
	if err := p.Reset(start, seed); err != nil {
		return fmt.Errorf("player's Reset: %w", err)
	}
	return nil
}

// configure sets a player's vector, and overwrites it afterwards, because players may neither
// change nor keep it.
func configure(p engines.Player, v params.Vector) error {
	given := v.Clone()
	if err := p.Configure(given); err != nil {
		return fmt.Errorf("Configure(%v): %w", v, err)
	}
	if !slices.Equal(given, v) {
		return fmt.Errorf("Configure(%v) changed its vector to %v", v, given)
	}
	for i := range given {
		given[i] = math.NaN()
	}
	return nil
}

// ask asks a player for a decision after history, the position of ref, and checks it.
// Afterwards it overwrites the buffer that held the history, because players may not keep it.
func (s *subject) ask(p engines.Player, ref engines.Referee, history []engines.Move, l engines.Limits) (engines.Decision, error) {
	s.buf = append(s.buf[:0], history...)
	d, err := p.Choose(context.Background(), s.buf, l)
	if err != nil {
		return d, fmt.Errorf("asked in %s: %w", ref, err)
	}
	if !slices.Equal(s.buf, history) {
		return d, fmt.Errorf("asked in %s, the player changed the history", ref)
	}
	for i := range s.buf {
		s.buf[i] = math.MaxUint32
	}
	return d, sane(ref, d)
}

// askNew asks a new player of the default preset for a decision after history.
func (s *subject) askNew(start string, seed uint64, history []engines.Move, l engines.Limits) (engines.Decision, error) {
	ref, err := s.at(start, history)
	if err != nil {
		return engines.Decision{}, err
	}
	p, err := s.player(s.vector(), start, seed)
	if err != nil {
		return engines.Decision{}, err
	}
	return s.ask(p, ref, history, l)
}

// sane checks that a decision is a legal move with possible numbers.
func sane(ref engines.Referee, d engines.Decision) error {
	switch {
	case !ref.Legal(d.Move):
		return fmt.Errorf("the player chose %s (%#x), not legal in %s", ref.MoveString(d.Move), uint32(d.Move), ref)
	case math.IsNaN(d.Score) || math.IsInf(d.Score, 0):
		return fmt.Errorf("the player's score is %v in %s", d.Score, ref)
	case d.Nodes < 0 || d.Depth < 0:
		return fmt.Errorf("the player counts %d nodes and depth %d in %s", d.Nodes, d.Depth, ref)
	}
	return nil
}

// talk is a game of a player against itself, with all of its decisions.
type talk struct {
	start  string
	seed   uint64
	moves  []engines.Move
	from   int // number of plies of the opening
	turns  []engines.Side
	answer []engines.Decision // answer[i] is the decision after moves[:from+i]
	limits engines.Limits
}

// converse lets a player play both sides from an opening, for at most plies plies.
func (s *subject) converse(p engines.Player, l line, seed uint64, plies int, limits engines.Limits) (talk, error) {
	t := talk{start: l.start, seed: seed, moves: slices.Clone(l.moves[:l.opening]), from: l.opening, limits: limits}
	ref := s.v.NewReferee()
	if err := replay(ref, t.start, t.moves); err != nil {
		return t, err
	}
	for range plies {
		if o, _ := ref.Result(); o != engines.Ongoing {
			break
		}
		d, err := s.ask(p, ref, t.moves, t.limits)
		if err != nil {
			return t, err
		}
		t.turns = append(t.turns, ref.Turn())
		t.answer = append(t.answer, d)
		t.moves = append(t.moves, d.Move)
		ref.Play(d.Move)
	}
	return t, nil
}

// again asks a player for decision i of a talk, and expects the same answer.
func (s *subject) again(t *talk, i int, p engines.Player, how string) error {
	history := t.moves[:t.from+i]
	ref, err := s.at(t.start, history)
	if err != nil {
		return err
	}
	d, err := s.ask(p, ref, history, t.limits)
	if err != nil {
		return fmt.Errorf("%s: %w", how, err)
	}
	if d != t.answer[i] {
		return fmt.Errorf("in %s the player decided %+v, but %s %+v", ref, t.answer[i], how, d)
	}
	return nil
}
