package referee

import (
	"cmp"
	"hash/fnv"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
	"selfplaylab/reports/board"
)

// state is a position that a referee has described. It is plain data.
type state struct {
	rules  *rules
	at     *answer // nil before the first question, about the initial position
	before *answer // the position before the last move; nil for none
}

// Playout plays a random game. A game of the largest number of plies is a draw.
func (s *state) Playout(r *mcts.Rand, _ mcts.RolloutPolicy) engines.Outcome {
	for range s.rules.file.Plies {
		if o := s.Outcome(); o != engines.Ongoing {
			return o
		}
		s.Play(s.at.moves[r.Below(len(s.at.moves))])
	}
	return engines.Draw
}

// here returns the answer about the position.
func (s *state) here() *answer {
	if s.at == nil {
		s.at = s.rules.start(0)
	}
	return s.at
}

// Moves appends the legal moves in the referee's order.
func (s *state) Moves(buf []engines.Move) []engines.Move { return append(buf, s.here().moves...) }

// Legal reports whether Moves lists m.
func (s *state) Legal(m engines.Move) bool { return slices.Contains(s.here().moves, m) }

// Turn returns the side to move.
func (s *state) Turn() engines.Side { return engines.Side(s.here().Turn - 1) }

// Outcome returns the result, Ongoing before the end.
func (s *state) Outcome() engines.Outcome { return s.here().outcome }

// Penalty returns 0: an illegal move loses the game.
func (s *state) Penalty() engines.Move { return 0 }

// String returns the referee's text of the position.
func (s *state) String() string { return s.here().Position }

// Play makes a move, which must be legal.
func (s *state) Play(m engines.Move) {
	s.before = s.here()
	s.at = s.rules.after(s.before, m)
}

// Reason returns the referee's reason for the end, or "win" or "draw".
func (s *state) Reason() engines.Reason {
	return engines.Reason(cmp.Or(s.here().Reason, map[bool]string{true: "draw", false: "win"}[s.at.outcome == engines.Draw]))
}

// Key returns a hash of the position's text.
func (s *state) Key() uint64 {
	h := fnv.New64a()
	h.Write([]byte(s.here().Position))
	return h.Sum64()
}

// SetText asks the referee about a position. A referee that fails at a text of another origin
// is reported as an error, like its refusal.
func (s *state) SetText(text string) (err error) {
	s.before = nil
	s.at, err = s.rules.read(text)
	return err
}

// ParseMove reads a move as the referee writes it.
func (s *state) ParseMove(text string) (engines.Move, error) {
	if !isWord(text) {
		return 0, engines.ParseError("move", text, "want one word of at most 64 characters that begins with a letter or digit")
	}
	return s.rules.moves.number(text), nil
}

// MoveString returns a move as the referee writes it.
func (s *state) MoveString(m engines.Move) string { return s.rules.moves.text(m) }

// Board returns the referee's drawing, with the changes of the last move.
func (s *state) Board(last engines.Move) board.Board {
	b := draw(s.rules.file, s.here())
	if last != 0 && s.before != nil {
		b.Last = changes(draw(s.rules.file, s.before), b, s.before.Turn-1)
	}
	if s.at.outcome == engines.Ongoing && len(b.Places) > 0 {
		b.Caption = b.Sides[s.Turn()].Name + " to move"
	}
	return b
}
