package gametest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"

	"selfplaylab/engines"
)

// rulesText checks that Variant.Rules opens the same variant again.
func (s *subject) rulesText() error {
	again, err := open(s.game, s.v.Rules)
	if err != nil {
		return fmt.Errorf("the variant's own rules %q do not open it: %w", s.v.Rules, err)
	}
	if again.Rules != s.v.Rules {
		return fmt.Errorf("rules %q open as %q", s.v.Rules, again.Rules)
	}
	first, other := s.v.NewReferee(), again.NewReferee()
	for _, l := range s.sample() {
		if err := errors.Join(first.Reset(l.start), other.Reset(l.start)); err != nil {
			return err
		}
		for _, m := range l.moves {
			if err := look(first).differs(look(other), fmt.Sprintf("reopened by its rules %q", s.v.Rules)); err != nil {
				return err
			}
			first.Play(m)
			other.Play(m)
		}
	}
	return nil
}

// reset checks that a used referee plays a game exactly as a new one, and that two referees
// share nothing.
func (s *subject) reset() error {
	used, other := s.v.NewReferee(), s.v.NewReferee()
	for n, l := range s.sample() {
		fresh := s.v.NewReferee()
		if err := errors.Join(fresh.Reset(l.start), used.Reset(l.start), other.Reset("")); err != nil {
			return err
		}
		for i := 0; ; i++ {
			if err := look(fresh).differs(look(used), fmt.Sprintf("after other games and Reset, game %d, ply %d", n, i)); err != nil {
				return err
			}
			o, why := fresh.Result()
			if again, whyAgain := used.Result(); again != o || whyAgain != why {
				return fmt.Errorf("after other games and Reset, game %d, ply %d: result %v %q became %v %q", n, i, o, why, again, whyAgain)
			}
			if i == len(l.moves) {
				break
			}
			fresh.Play(l.moves[i])
			used.Play(l.moves[i])
		}
	}
	return nil
}

// moves checks that Moves appends distinct moves other than 0, in an order that depends only on
// the position, and changes nothing.
func (s *subject) moves() error {
	prefix := []engines.Move{7, 7, 7}
	for p := range s.spots(spotsAGame) {
		before := look(p.ref)
		if p.ref.Turn() > 1 {
			return fmt.Errorf("%v: Turn is %d; want 0 or 1", p, p.ref.Turn())
		}
		got := p.ref.Moves(slices.Clone(prefix))
		if len(got) < 3 || !slices.Equal(got[:3], prefix) || !slices.Equal(got[3:], before.moves) {
			return fmt.Errorf("%v: Moves appended to %v gives %v, and to nothing %v", p, prefix, got, before.moves)
		}
		if sorted := slices.Sorted(slices.Values(before.moves)); slices.Contains(sorted, 0) || len(slices.Compact(sorted)) != len(before.moves) {
			return fmt.Errorf("%v: Moves lists 0, or a move twice: %v", p, before.moves)
		}
		again, err := s.at(p.line.start, p.history)
		if err != nil {
			return err
		}
		if err := before.differs(look(again), p.String()+", reached again by the same moves"); err != nil {
			return err
		}
		if err := before.differs(look(p.ref), p.String()+", looked at twice"); err != nil {
			return err
		}
	}
	return nil
}

// legal checks that Legal agrees with Moves for any number.
func (s *subject) legal() error {
	pool := s.pool()
	for p := range s.spots(spotsAGame) {
		list := p.ref.Moves(nil)
		for _, m := range append(s.candidates(p.random, list, pool), list...) {
			if got, want := p.ref.Legal(m), slices.Contains(list, m); got != want {
				return fmt.Errorf("%v: Legal(%#x) is %v, but Moves lists it: %v", p, uint32(m), got, want)
			}
		}
	}
	return nil
}

// candidates draws moves that are mostly illegal: no move, legal moves with one changed bit,
// moves of other positions, any numbers.
func (s *subject) candidates(r *rand.Rand, list, pool []engines.Move) []engines.Move {
	all := []engines.Move{0}
	if len(list) > 0 {
		m := list[r.IntN(len(list))]
		for bit := range 32 {
			all = append(all, m^1<<bit)
		}
	}
	for range 20 {
		if len(pool) > 0 {
			all = append(all, pool[r.IntN(len(pool))])
		}
		all = append(all, engines.Move(r.Uint32()), engines.Move(r.Uint32N(1<<10)))
	}
	return all
}

// reasonForm is the form of reasons in records and tables.
var reasonForm = regexp.MustCompile(`^[a-z]+$`)

// end checks that a game has a reason exactly when it has ended, that no move is legal after an
// end on the board, and that no game exceeds the ply bound.
func (s *subject) end() error {
	pool := s.pool()
	bound := longest
	for _, l := range s.sample() {
		if l.reason == engines.PlyBound {
			bound = min(bound, len(l.moves))
		}
	}
	for p := range s.spots(spotsAGame) {
		o, why := p.ref.Result()
		switch {
		case (o == engines.Ongoing) != (why == engines.NoReason):
			return fmt.Errorf("%v: result %v with reason %q; want a reason exactly at the end", p, o, why)
		case o > engines.Draw:
			return fmt.Errorf("%v: outcome %d", p, o)
		case o == engines.Ongoing:
			continue
		case !reasonForm.MatchString(string(why)):
			return fmt.Errorf("%v: reason %q is not one lower-case word", p, why)
		case why.Fault() || why == engines.Adjudicated:
			return fmt.Errorf("%v: ended by %q, though every move was legal", p, why)
		case len(p.history) > bound:
			return fmt.Errorf("%v: still going on after %d plies, where another game ended by its ply bound", p, bound)
		}
		if err := s.over(p, why, pool); err != nil {
			return err
		}
	}
	return nil
}

// byBounds reports whether a game ended by its history instead of on the board. Positions do
// not know their history, and still have moves.
func byBounds(why engines.Reason) bool {
	return why == engines.PlyBound || why == engines.Repetition || why == engines.NoProgress
}

// over checks a finished game.
func (s *subject) over(p spot, why engines.Reason, pool []engines.Move) error {
	if byBounds(why) {
		return nil
	}
	if list := p.ref.Moves(nil); len(list) != 0 {
		return fmt.Errorf("%v: ended by %q, but Moves lists %v", p, why, list)
	}
	for _, m := range s.candidates(p.random, nil, pool) {
		if p.ref.Legal(m) {
			return fmt.Errorf("%v: ended by %q, but Legal(%#x)", p, why, uint32(m))
		}
	}
	return nil
}

// key checks the keys of positions in games from one start: equal texts have equal keys,
// different texts have different keys.
func (s *subject) key() error {
	type seen struct {
		text map[uint64]string
		key  map[string]uint64
	}
	starts := map[string]seen{}
	note := func(n seen, ref engines.Referee) error {
		text, key := ref.String(), ref.Key()
		if other, ok := n.text[key]; ok && other != text {
			return fmt.Errorf("%q and %q have the same key %#x", other, text, key)
		}
		if other, ok := n.key[text]; ok && other != key {
			return fmt.Errorf("%q has the keys %#x and %#x", text, other, key)
		}
		n.text[key], n.key[text] = text, key
		return nil
	}
	const children = 12 // children of each position
	for p := range s.spots(4 * spotsAGame) {
		n, ok := starts[p.line.start]
		if !ok {
			n = seen{map[uint64]string{}, map[string]uint64{}}
			starts[p.line.start] = n
		}
		if err := note(n, p.ref); err != nil {
			return err
		}
		list := p.ref.Moves(nil)
		for range min(children, len(list)) {
			child, err := s.at(p.line.start, p.history)
			if err != nil {
				return err
			}
			child.Play(list[p.random.IntN(len(list))])
			if err := note(n, child); err != nil {
				return err
			}
		}
	}
	return nil
}

// transpositions checks that three moves made in two orders lead to one position, if they lead
// to one text.
func (s *subject) transpositions() error {
	const tries = 6
	for p := range s.spots(spotsAGame) {
		for range tries {
			moves, there, ok := s.wander(p, nil)
			if !ok {
				continue
			}
			_, back, ok := s.wander(p, []engines.Move{moves[2], moves[1], moves[0]})
			if !ok || there.text != back.text {
				continue
			}
			if err := there.differs(back, fmt.Sprintf("%v: the moves %v in another order", p, moves)); err != nil {
				return err
			}
		}
	}
	return nil
}

// wander makes three moves from a spot, the given ones or random ones. ok is false if they
// cannot be made.
func (s *subject) wander(p spot, given []engines.Move) (moves []engines.Move, there view, ok bool) {
	ref, err := s.at(p.line.start, p.history)
	if err != nil {
		return nil, view{}, false
	}
	for i := range 3 {
		list := ref.Moves(nil)
		if len(list) == 0 {
			return nil, view{}, false
		}
		m := list[p.random.IntN(len(list))]
		if given != nil {
			if m = given[i]; !slices.Contains(list, m) {
				return nil, view{}, false
			}
		}
		ref.Play(m)
		moves = append(moves, m)
	}
	return moves, look(ref), true
}

// perft checks that Perft agrees with Moves and Play, and does not change the position.
func (s *subject) perft() error {
	for p := range s.spots(2) {
		before := look(p.ref)
		want := [3]uint64{1, uint64(len(before.moves)), 0}
		for _, m := range before.moves {
			child, err := s.at(p.line.start, p.history)
			if err != nil {
				return err
			}
			child.Play(m)
			want[2] += uint64(len(child.Moves(nil)))
		}
		for depth, n := range want {
			if got := p.ref.Perft(depth); got != n {
				return fmt.Errorf("%v: Perft(%d) is %d; counted %d", p, depth, got, n)
			}
		}
		if err := before.differs(look(p.ref), "after Perft"); err != nil {
			return err
		}
	}
	return nil
}

// penalty checks that an illegal action costs the game, or a turn that is recorded and replayed
// as a move, and that endless illegal actions end the game.
func (s *subject) penalty() error {
	for p := range s.spots(3) {
		if o, _ := p.ref.Result(); o != engines.Ongoing {
			continue
		}
		if err := s.punish(p); err != nil {
			return err
		}
	}
	return nil
}

// punish repeats illegal actions from a spot until the game ends, and replays the record.
func (s *subject) punish(p spot) error {
	const replays = 8 // number of penalties after which the record is replayed, besides the end
	ref := s.v.NewReferee()
	if err := replay(ref, p.line.start, p.history); err != nil {
		return err
	}
	record := slices.Clone(p.history)
	for len(record) <= longest {
		side := ref.Turn()
		m := ref.Penalty()
		o, why := ref.Result()
		if m == 0 {
			if o != engines.Win(side.Other()) || why != engines.IllegalMove {
				return fmt.Errorf("%v: Penalty lost the game for side %d, but the result is %v %q", p, side, o, why)
			}
			return nil
		}
		record = append(record, m)
		if read, err := ref.ParseMove(ref.MoveString(m)); err != nil || read != m {
			return fmt.Errorf("%v: the lost turn is recorded as %q, which reads as %#x (error %v)", p, ref.MoveString(m), uint32(read), err)
		}
		if o != engines.Ongoing || len(record) <= len(p.history)+replays {
			if err := s.replays(ref, p, record); err != nil {
				return err
			}
		}
		if o != engines.Ongoing {
			return nil
		}
	}
	return fmt.Errorf("%v: nothing but illegal actions, and no end after %d plies", p, longest)
}

// replays checks that a record with lost turns leads to the position of the game.
func (s *subject) replays(ref engines.Referee, p spot, record []engines.Move) error {
	again, err := s.at(p.line.start, record)
	if err != nil {
		return err
	}
	if err := look(ref).differs(look(again), fmt.Sprintf("%v: replayed from the record after Penalty", p)); err != nil {
		return err
	}
	o, why := ref.Result()
	if got, gotWhy := again.Result(); got != o || gotWhy != why {
		return fmt.Errorf("%v: result %v %q after Penalty, but %v %q when replayed from the record", p, o, why, got, gotWhy)
	}
	return nil
}
