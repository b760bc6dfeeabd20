package chess

import (
	"slices"

	"selfplaylab/engines"
)

// Moves appends the legal moves: the king's, then pinned pieces', pawns'
// and other pieces'; of each piece the captures before its other moves.
func (p *Position) Moves(buf []engines.Move) []engines.Move {
	return p.movesTo(buf, ^uint64(0), ^uint64(0), p.checkers())
}

// captures appends the legal captures and the promotions of a side that is not in check.
func (p *Position) captures(buf []engines.Move) []engines.Move {
	other := p.sides[p.turn&1^1]
	return p.movesTo(buf, other, other|rank1|rank8, 0)
}

// movesTo appends the legal moves of pieces to squares and of pawns to pawnSquares.
// It includes castling if squares is the whole board. checkers are the pieces that give check.
func (p *Position) movesTo(buf []engines.Move, squares, pawnSquares, checkers uint64) []engines.Move {
	if p.deadDrawn() {
		return buf
	}
	us := p.turn & 1
	own, occupied := p.sides[us], p.occupied()
	at := first(p.of(us, king))
	buf = p.kingMoves(buf, at, squares)
	wanted := ^own // squares to which a piece may go
	switch {
	case checkers == 0:
		if p.castling&own != 0 && squares == ^uint64(0) {
			buf = p.castlings(buf, at)
		}
	case checkers&(checkers-1) != 0:
		return buf
	default:
		wanted = checkers | between[at][first(checkers)&63]
	}
	movable := own
	for snipers := p.snipers(at); snipers != 0; snipers &= snipers - 1 {
		line := between[at][first(snipers)&63]
		if pinned := line & occupied; pinned&(pinned-1) == 0 && pinned&own != 0 {
			movable &^= pinned
			if checkers == 0 { // otherwise it cannot help
				line |= snipers & -snipers
				buf = p.pieceMoves(buf, pinned, line&squares, line&pawnSquares)
			}
		}
	}
	buf = p.pieceMoves(buf, movable, wanted&squares, wanted&pawnSquares)
	if p.target != noSquare {
		buf = p.passants(buf)
	}
	return buf
}

// snipers returns the opposing sliding pieces that would
// attack the king's square without own pieces in between.
// They give check or pin a piece.
func (p *Position) snipers(at int) uint64 {
	other := p.sides[p.turn&1^1]
	return (bishopAttacks(at, other)&(p.kinds[bishop]|p.kinds[queen]) | rookAttacks(at, other)&(p.kinds[rook]|p.kinds[queen])) & other
}

// kingMoves appends the king's legal moves from at to wanted squares, without castling.
func (p *Position) kingMoves(buf []engines.Move, at int, wanted uint64) []engines.Move {
	us := p.turn & 1
	other, around := p.sides[us^1], p.occupied()&^bit(at) // the king does not cover squares behind it
	for to := kingAttacks[at&63] &^ p.sides[us] & wanted; to != 0; to &= to - 1 {
		sq := first(to)
		if p.attacked(sq&63, around, other, us^1) {
			continue
		}
		m := plain(king) | between2(at, sq)
		if other&bit(sq) != 0 {
			m = p.capturing(m, sq)
		}
		buf = append(buf, m)
	}
	return buf
}

// capturing returns m as a capture of the piece on a square.
func (p *Position) capturing(m engines.Move, sq int) engines.Move {
	return m&^(7<<takenShift) | engines.Move(p.kindAt(sq))<<takenShift
}

// castlings appends the legal castling moves of a king that is not in check.
func (p *Position) castlings(buf []engines.Move, at int) []engines.Move {
	us := p.turn & 1
	for rooks := p.castling & p.sides[us]; rooks != 0; rooks &= rooks - 1 {
		m := plain(king) | between2(at, first(rooks)) | castles<<specialShift
		if p.mayCastle(m) {
			buf = append(buf, m)
		}
	}
	return buf
}

// mayCastle reports whether castling is legal for a king not in check: no piece is between
// king, rook and their new squares, and no square on the king's path is attacked.
func (p *Position) mayCastle(m engines.Move) bool {
	us := p.turn & 1
	from, rookFrom := origin(m), target(m)
	to, rookTo := castled(m)
	blockers := p.occupied() &^ bit(from) &^ bit(rookFrom)
	path := between[from][to] | bit(to)
	if (path|between[rookFrom][rookTo]|bit(rookTo))&blockers != 0 {
		return false
	}
	other, around := p.sides[us^1], p.occupied()&^bit(from)
	for path &^= bit(from); path != 0; path &= path - 1 {
		if p.attacked(first(path)&63, around, other, us^1) {
			return false
		}
	}
	return !p.attacked(to, blockers|bit(rookTo), other, us^1)
}

// passants appends the legal captures en passant.
func (p *Position) passants(buf []engines.Move) []engines.Move {
	us, to := p.turn&1, int(p.target&63)
	for from := pawnAttacks[us^1][to] & p.of(us, pawn); from != 0; from &= from - 1 {
		if p.passantLegal(first(from), to) {
			m := plain(pawn)&^(7<<takenShift) | pawn<<takenShift | enPassant<<specialShift
			buf = append(buf, m|between2(first(from), to))
		}
	}
	return buf
}

// pieceMoves appends the moves of a set of own pieces other than the king to
// wanted squares, and of pawns to pawnWanted, without captures en passant.
func (p *Position) pieceMoves(buf []engines.Move, set, wanted, pawnWanted uint64) []engines.Move {
	occupied := p.occupied()
	if pawns := set & p.kinds[pawn]; pawns != 0 {
		buf = p.pawnMoves(buf, pawns, pawnWanted)
	}
	for from := set & p.kinds[knight]; from != 0; from &= from - 1 {
		buf = p.appendTo(buf, plain(knight)|engines.Move(first(from)), knightAttacks[first(from)&63]&wanted)
	}
	for from := set & p.kinds[bishop]; from != 0; from &= from - 1 {
		buf = p.appendTo(buf, plain(bishop)|engines.Move(first(from)), bishopAttacks(first(from), occupied)&wanted)
	}
	for from := set & p.kinds[rook]; from != 0; from &= from - 1 {
		buf = p.appendTo(buf, plain(rook)|engines.Move(first(from)), rookAttacks(first(from), occupied)&wanted)
	}
	for from := set & p.kinds[queen]; from != 0; from &= from - 1 {
		sq := first(from)
		buf = p.appendTo(buf, plain(queen)|engines.Move(sq), (bishopAttacks(sq, occupied)|rookAttacks(sq, occupied))&wanted)
	}
	return buf
}

// appendTo appends the moves of a piece to a set of squares, captures first.
func (p *Position) appendTo(buf []engines.Move, m engines.Move, squares uint64) []engines.Move {
	other := p.sides[p.turn&1^1]
	for set := squares & other; set != 0; set &= set - 1 {
		buf = append(buf, p.capturing(m|engines.Move(first(set))<<toShift, first(set)))
	}
	for set := squares &^ other; set != 0; set &= set - 1 {
		buf = append(buf, m|engines.Move(first(set))<<toShift)
	}
	return buf
}

// pawnMoves appends the moves of a set of pawns, all at once in each direction.
func (p *Position) pawnMoves(buf []engines.Move, pawns, wanted uint64) []engines.Move {
	other, free := p.sides[p.turn&1^1], ^p.occupied()
	var one, two, left, right uint64 // the squares reached
	var ahead int                    // from one rank to the next
	if p.turn == engines.First {
		ahead = 8
		one = pawns << 8 & free
		two = one << 8 & free & (rank1 << 24)
		left, right = pawns&^fileA<<7&other, pawns&^uint64(fileH)<<9&other
	} else {
		ahead = -8
		one = pawns >> 8 & free
		two = one >> 8 & free & (rank1 << 32)
		left, right = pawns&^fileA>>9&other, pawns&^uint64(fileH)>>7&other
	}
	buf = p.pawnTo(buf, left&wanted, ahead-1, true)
	buf = p.pawnTo(buf, right&wanted, ahead+1, true)
	buf = p.pawnTo(buf, one&wanted, ahead, false)
	for set := two & wanted; set != 0; set &= set - 1 {
		to := first(set)
		buf = append(buf, plain(pawn)|twoSteps<<specialShift|between2(to-2*ahead, to))
	}
	return buf
}

// pawnTo appends the moves of pawns that reach squares by a step, with all promotions.
func (p *Position) pawnTo(buf []engines.Move, squares uint64, step int, captures bool) []engines.Move {
	for ; squares != 0; squares &= squares - 1 {
		to := first(squares)
		m := plain(pawn) | between2(to-step, to)
		if captures {
			m = p.capturing(m, to)
		}
		if bit(to)&(rank1|rank8) == 0 {
			buf = append(buf, m)
			continue
		}
		for kind := queen; kind >= knight; kind-- {
			buf = append(buf, m|engines.Move(kind)<<becomesShift)
		}
	}
	return buf
}

// Legal reports whether Moves lists m.
func (p *Position) Legal(m engines.Move) bool {
	if m == 0 || m>>moveBits != 0 {
		return false
	}
	var buf [maxMoves]engines.Move
	return slices.Contains(p.Moves(buf[:0]), m)
}

// maxMoves is above the number of legal moves of any position that games reach (218).
const maxMoves = 256

// canMove reports whether there is a legal move, given the pieces that give check. In most
// positions it lists none.
func (p *Position) canMove(checkers uint64) bool {
	us := p.turn & 1
	at := first(p.of(us, king))
	if checkers == 0 {
		pinnable := rookAttacks(at, p.occupied()) | bishopAttacks(at, p.occupied())
		loose, free := p.sides[us]&^pinnable, ^p.occupied()
		pawns := loose & p.kinds[pawn]
		if us == engines.First && pawns<<8&free != 0 || us == engines.Second && pawns>>8&free != 0 {
			return true
		}
		for from := loose & p.kinds[knight]; from != 0; from &= from - 1 {
			if knightAttacks[first(from)&63]&^p.sides[us] != 0 {
				return true
			}
		}
	}
	return p.listsMove()
}

// listsMove reports whether Moves lists a move.
func (p *Position) listsMove() bool {
	var buf [maxMoves]engines.Move
	return len(p.Moves(buf[:0])) > 0
}
