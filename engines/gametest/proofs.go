package gametest

import (
	"fmt"
	"slices"

	"selfplaylab/engines"
)

const (
	ownGames  = 10 // games that the player plays to find ends
	lateSpots = 5  // positions before the end in which the player is asked
	// maxProofs is the number of claims of three plies to check: each takes thousands of
	// positions.
	maxProofs = 6
)

// proofs checks the forced ends that the player reports: they are forced, in the reported
// number of plies and with the reported sign. The player must find the wins that Game.Proves
// promises, in one ply and in three.
func (s *subject) proofs() error {
	games, err := s.endings()
	if err != nil {
		return err
	}
	var found [4]int // positions with a forced win, by plies
	checks := 0
	for _, l := range games {
		for back := 1; back <= min(lateSpots, len(l.moves)-l.opening); back++ {
			ref, err := s.at(l.start, l.moves[:len(l.moves)-back])
			if err != nil {
				return err
			}
			spot := ending{subject: s, line: l, history: l.moves[: len(l.moves)-back : len(l.moves)-back], turn: ref.Turn(), text: ref.String()}
			if err := spot.check(&found, &checks); err != nil {
				return err
			}
		}
	}
	for _, n := range []int{1, 3} {
		if s.game.Proves >= n && found[n] == 0 {
			return fmt.Errorf("none of %d games has a forced win in %d plies to ask about", len(games), n)
		}
	}
	return s.overlooked(games)
}

const (
	maxThought = 12     // positions to search with more time
	longCount  = 20     // times the work
	longNodes  = 50_000 // nodes at most
)

// overlooked applies if Game.Proves promises more than three plies, too far to try every line.
// It checks that a player with a larger budget finds no win within them that the player
// overlooks under the game's own limits.
func (s *subject) overlooked(games []line) error {
	if s.game.Proves <= 3 {
		return nil
	}
	thought := 0
	for _, l := range games {
		back := s.game.Proves | 1 // the winner is to move
		if l.outcome == engines.Draw || byBounds(l.reason) || len(l.moves)-l.opening < back || thought == maxThought {
			continue
		}
		thought++
		if err := s.outthought(l, l.moves[:len(l.moves)-back:len(l.moves)-back]); err != nil {
			return err
		}
	}
	return nil
}

// outthought compares decisions under the game's own limits and under larger ones.
func (s *subject) outthought(l line, history []engines.Move) error {
	var found [2]engines.Decision
	for i, limits := range []engines.Limits{s.game.Limits, longer(s.game)} {
		var err error
		if found[i], err = s.askNew(l.start, 10, history, limits); err != nil {
			return err
		}
	}
	own, long := found[0].Mate, found[1].Mate
	if long <= 0 || long > s.game.Proves || own == long {
		return nil
	}
	ref, err := s.at(l.start, history)
	if err != nil {
		return err
	}
	return fmt.Errorf("its Proves is %d plies, but %s is won in %d plies, which the player finds when it thinks longer; under its own limits it "+
		"says Mate %d", s.game.Proves, ref, long, own)
}

// longer returns limits larger than the game's own.
func longer(g *engines.Game) engines.Limits {
	l := g.Limits
	if l.Depth > 0 {
		l.Depth = max(l.Depth, g.Proves) + 1
		if _, counts := g.Budget(engines.BudgetNodes); counts {
			l.Nodes = longNodes
		}
	} else {
		l.Nodes *= longCount
	}
	l.Playouts *= longCount
	return l
}

// endings returns games whose ends are checked: the sample, and some games of the player
// against itself.
func (s *subject) endings() ([]line, error) {
	games := slices.Clone(s.sample())
	for i := range uint64(ownGames) {
		l, err := s.ownGame(i)
		if err != nil {
			return nil, err
		}
		games = append(games, l)
	}
	return games, nil
}

// ownGame returns a game of the player against itself with a small budget. Each game is played
// once.
func (s *subject) ownGame(number uint64) (line, error) {
	if l, played := s.own[number]; played {
		return l, nil
	}
	l, err := s.playOwn(number)
	if err == nil {
		s.own[number] = l
	}
	return l, err
}

// playOwn plays the game that ownGame caches.
func (s *subject) playOwn(number uint64) (l line, err error) {
	ref := s.v.NewReferee()
	open := s.v.Opening(random(9, number), s.game.OpeningPlies)
	l.start = open.Position
	if err := s.follow(ref, &l, open); err != nil {
		return l, err
	}
	p, err := s.player(s.vector(), l.start, number)
	if err != nil {
		return l, err
	}
	t, err := s.converse(p, l, number, longest, quick(s.game.Limits))
	if err != nil {
		return l, err
	}
	l.moves = t.moves
	if err := replay(ref, l.start, l.moves); err != nil {
		return l, err
	}
	l.outcome, l.reason = ref.Result()
	return l, nil
}

// ending is a position shortly before the end of a game.
type ending struct {
	*subject
	line    line
	history []engines.Move
	turn    engines.Side
	text    string
}

// check compares the player's claims with the truth. It counts the forced wins found and the
// long checks made.
func (e ending) check(found *[4]int, checks *int) error {
	d, err := e.askNew(e.line.start, 10, e.history, e.game.Limits)
	if err != nil {
		return err
	}
	n := e.forced(checks)
	if n > 0 && n <= e.game.Proves {
		found[n]++
		if d.Mate != n {
			return fmt.Errorf("%s is won in %d plies by %s; the player, which chose %s, says Mate %d",
				e.text, n, e.spare.MoveString(e.line.moves[len(e.history)]), e.spare.MoveString(d.Move), d.Mate)
		}
	}
	return e.honest(d, checks)
}

// forced returns the number of plies, 1 or 3, in which the move played in the game forces a
// win. It returns 0 if the move forces none, or if a faster win exists.
func (e ending) forced(checks *int) int {
	if e.line.outcome != engines.Win(e.turn) || byBounds(e.line.reason) {
		return 0
	}
	if e.wins(e.history, e.turn, 1) {
		return 1
	}
	if len(e.line.moves)-len(e.history) != 3 || *checks >= maxProofs || e.game.Proves < 3 {
		return 0
	}
	*checks++
	if e.wins(e.line.moves[:len(e.history)+1], e.turn, 2) {
		return 3
	}
	return 0
}

// honest checks the forced ends that a decision reports, up to three plies.
func (e ending) honest(d engines.Decision, checks *int) error {
	n, winner := d.Mate, e.turn
	if n < 0 {
		n, winner = -n, winner.Other()
	}
	if n == 0 || n > 3 {
		return nil
	}
	if n == 3 {
		if *checks >= maxProofs {
			return nil
		}
		*checks++
	}
	if !e.wins(append(slices.Clone(e.history), d.Move), winner, n-1) {
		return fmt.Errorf("in %s the player chose move %#x and says Mate %d, which is not so", e.text, uint32(d.Move), d.Mate)
	}
	if d.Mate < 0 && !e.wins(e.history, winner, n) {
		return fmt.Errorf("in %s the player says Mate %d, but another move does not lose so soon", e.text, d.Mate)
	}
	return nil
}

// wins reports whether a side can force a win within n plies after a history. It tries every
// line.
func (e ending) wins(history []engines.Move, side engines.Side, n int) bool {
	ref, err := e.at(e.line.start, history)
	if err != nil {
		return false
	}
	if o, _ := ref.Result(); o != engines.Ongoing || n == 0 {
		return o == engines.Win(side)
	}
	toMove := ref.Turn() == side
	for _, m := range ref.Moves(nil) {
		if e.wins(append(history[:len(history):len(history)], m), side, n-1) == toMove {
			return toMove
		}
	}
	return !toMove
}
