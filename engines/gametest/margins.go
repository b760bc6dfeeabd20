package gametest

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"selfplaylab/engines"
)

// marginsDeclared checks the declaration of margins.
func marginsDeclared(g *engines.Game) error {
	m := g.Margins
	switch {
	case !m.Has():
		return nil
	case strings.TrimSpace(m.Unit) == "":
		return errors.New("its Margins have no Unit; name what they count, in the plural")
	case !(m.Cap > 0) || math.IsInf(m.Cap, 0):
		return fmt.Errorf("Margins.Cap is %v; want a finite number above 0", m.Cap)
	}
	return nil
}

// margins checks that a game that declares margins has a finite one at every end on the board:
// in favour of the winner, 0 after a draw. Other games must have none.
func (s *subject) margins() error {
	declared := s.game.Margins.Has()
	for p := range s.spots(spotsAGame) {
		o, why := p.ref.Result()
		margin, ok := engines.MarginOf(p.ref)
		switch {
		case ok && !declared:
			return fmt.Errorf("%v: the state is a MarginScorer, but Game.Margins does not say what margins count", p)
		case !ok && declared && o != engines.Ongoing && why != engines.PlyBound && why != engines.Repetition && why != engines.NoProgress:
			return fmt.Errorf("%v: Game.Margins are declared, but this end (%s) has no margin: the state is no MarginScorer", p, why)
		case !ok:
			continue
		case math.IsNaN(margin) || math.IsInf(margin, 0):
			return fmt.Errorf("%v: margin %v; want a finite number", p, margin)
		case o == engines.Draw && margin != 0:
			return fmt.Errorf("%v: the game ended in a draw with margin %v; want 0", p, margin)
		case o == engines.FirstWins && margin < 0, o == engines.SecondWins && margin > 0:
			return fmt.Errorf("%v: the game ended %v with margin %v; it counts for the first side", p, o, margin)
		}
	}
	return nil
}
