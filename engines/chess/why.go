package chess

import (
	"fmt"

	"selfplaylab/engines"
)

// why returns why a move that is not legal in a position is not.
func (s setup) why(position string, m engines.Move) string {
	p := s.start
	if err := engines.SetUp[Position](&p, position, nil); err != nil {
		return err.Error()
	}
	return "Not legal: " + p.reason(m) + "."
}

// reason returns why a move is not legal, without "not legal" and full stop.
func (p *Position) reason(m engines.Move) string {
	from, to, own := origin(m), target(m), p.sides[p.turn&1]
	switch {
	case p.occupied()&bit(from) == 0:
		return "no piece stands on " + squareName(from)
	case own&bit(from) == 0:
		return fmt.Sprintf("the piece on %s is your opponent's", squareName(from))
	case special(m) == castles && p.checkers() != 0:
		return "your king cannot castle out of check"
	case special(m) == castles:
		return "to castle, no piece may stand between king and rook, and no square on the king's way may be attacked"
	case own&bit(to) != 0:
		return "your own piece stands on " + squareName(to)
	}
	kind := p.kindAt(from)
	switch {
	case kind == king && from&56 == to&56 && (from-to == 2 || to-from == 2):
		return "king or rook has moved, or the rook is gone"
	case !p.reaches(from, to):
		return fmt.Sprintf("the %s on %s cannot reach %s", kindNames[kind], squareName(from), squareName(to))
	case p.promoting(from, to) != promotes(m):
		return "a pawn promotes on the last rank, and there alone: name the new piece, such as e7e8q"
	case p.checkers() != 0:
		return "your king is in check"
	}
	return "your king would be in check"
}

// reaches reports whether the piece on a square could go to another one, if its king were safe.
func (p *Position) reaches(from, to int) bool {
	if p.kindAt(from) == king {
		return kingAttacks[from&63]&bit(to) != 0
	}
	if p.kindAt(from) == pawn && to == int(p.target) && pawnAttacks[p.turn&1][from&63]&bit(to) != 0 {
		return true
	}
	var buf [maxMoves]engines.Move
	return len(p.pieceMoves(buf[:0], bit(from), bit(to), bit(to))) > 0
}

// promoting reports whether a move of the piece on a square is the promotion of a pawn.
func (p *Position) promoting(from, to int) bool {
	return p.kindAt(from) == pawn && bit(to)&(rank1|rank8) != 0
}
