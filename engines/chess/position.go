package chess

import (
	"math/bits"

	"selfplaylab/engines"
)

// The kinds of pieces.
const (
	pawn = iota
	knight
	bishop
	rook
	queen
	king
	noKind // of an empty square
)

// Position is a state of the game with its rules, as plain data of 88 bytes. A copy is a new
// position. The zero value is not a position; SetText makes one.
type Position struct {
	hash     uint64
	kinds    [6]uint64 // squares by kind of piece
	sides    [2]uint64 // squares by side
	castling uint64    // the rooks that may still castle
	quiet    uint16    // plies since the last capture or move of a pawn
	target   uint8     // square on which a legal capture en passant is possible; noSquare if there is none
	turn     engines.Side
	free     bool // chess960: kings and rooks start anywhere
}

// A move has six fields: origin, target (for castling the rook's square), the kinds of the
// piece, of the captured piece and of the piece after a promotion, and the special move.
const (
	toShift      = 6
	pieceShift   = 12
	takenShift   = 15
	becomesShift = 18
	specialShift = 21
	moveBits     = 23

	castles   = 1
	enPassant = 2
	twoSteps  = 3
)

// origin returns the square that the piece leaves.
func origin(m engines.Move) int { return int(m & 63) }

// target returns the square that the piece reaches; for castling the rook's square.
func target(m engines.Move) int { return int(m >> toShift & 63) }

// piece returns the kind of the piece that moves.
func piece(m engines.Move) int { return int(m >> pieceShift & 7) }

// taken returns the kind of the captured piece, noKind or a larger number without one.
func taken(m engines.Move) int { return int(m >> takenShift & 7) }

// becomes returns the kind of the piece after the move.
func becomes(m engines.Move) int { return int(m >> becomesShift & 7) }

// special returns castles, enPassant, twoSteps or 0.
func special(m engines.Move) int { return int(m >> specialShift & 3) }

// captures reports whether the move captures a piece.
func captures(m engines.Move) bool { return taken(m) < noKind }

// promotes reports whether the move promotes a pawn.
func promotes(m engines.Move) bool { return becomes(m) != piece(m) }

// plain returns a move of a piece without squares and capture.
func plain(kind int) engines.Move {
	return engines.Move(kind<<pieceShift | noKind<<takenShift | kind<<becomesShift)
}

// between2 returns the squares of a move.
func between2(from, to int) engines.Move { return engines.Move(from | to<<toShift) }

// takenSquare returns the square of the captured piece.
func takenSquare(m engines.Move) int {
	if special(m) == enPassant {
		return target(m) ^ 8
	}
	return target(m)
}

// castled returns the squares of king and rook after castling.
func castled(m engines.Move) (kingTo, rookTo int) {
	rank := origin(m) & 56
	if target(m) > origin(m) {
		return rank | 6, rank | 5
	}
	return rank | 2, rank | 3
}

// Turn returns the side to move: First is White.
func (p *Position) Turn() engines.Side { return p.turn }

// NoProgress returns the number of plies since the last capture or pawn move.
func (p *Position) NoProgress() int { return int(p.quiet) }

// Key returns a hash of pieces, castling rights, the side
// to move, and the square of a legal capture en passant.
func (p *Position) Key() uint64 { return p.hash }

// Penalty returns 0: an illegal move loses the game.
func (p *Position) Penalty() engines.Move { return 0 }

// occupied returns the squares with a piece.
func (p *Position) occupied() uint64 { return p.sides[0] | p.sides[1] }

// of returns the squares of a side's pieces of a kind.
func (p *Position) of(side engines.Side, kind int) uint64 { return p.sides[side&1] & p.kinds[kind] }

// kindAt returns the kind of the piece on a square, noKind without one.
func (p *Position) kindAt(sq int) int {
	at := bit(sq)
	for kind := range p.kinds {
		if p.kinds[kind]&at != 0 {
			return kind
		}
	}
	return noKind
}

// attackers returns the pieces of both sides that attack a square, through squares not occupied.
func (p *Position) attackers(sq int, occupied uint64) uint64 {
	return knightAttacks[sq]&p.kinds[knight] | kingAttacks[sq]&p.kinds[king] |
		pawnAttacks[0][sq]&p.kinds[pawn]&p.sides[1] | pawnAttacks[1][sq]&p.kinds[pawn]&p.sides[0] |
		bishopAttacks(sq, occupied)&(p.kinds[bishop]|p.kinds[queen]) |
		rookAttacks(sq, occupied)&(p.kinds[rook]|p.kinds[queen])
}

// attacked reports whether one of pieces, all of side by, attacks a square.
func (p *Position) attacked(sq int, occupied, pieces uint64, by engines.Side) bool {
	return knightAttacks[sq]&p.kinds[knight]&pieces != 0 || pawnAttacks[by&1^1][sq]&p.kinds[pawn]&pieces != 0 ||
		kingAttacks[sq]&p.kinds[king]&pieces != 0 ||
		bishopAttacks(sq, occupied)&(p.kinds[bishop]|p.kinds[queen])&pieces != 0 ||
		rookAttacks(sq, occupied)&(p.kinds[rook]|p.kinds[queen])&pieces != 0
}

// checkers returns the pieces that give check to the side to move.
func (p *Position) checkers() uint64 {
	return p.attackers(first(p.of(p.turn, king)), p.occupied()) & p.sides[p.turn&1^1]
}

// deadDrawn reports that neither side has the material to mate: bare kings,
// one minor piece, or bishops on squares of one colour only, however many.
func (p *Position) deadDrawn() bool {
	if p.kinds[pawn]|p.kinds[rook]|p.kinds[queen] != 0 {
		return false
	}
	if bits.OnesCount64(p.occupied()) <= 3 {
		return true
	}
	bishops := p.kinds[bishop]
	return p.kinds[knight] == 0 && (bishops&pale == 0 || bishops&^uint64(pale) == 0)
}

// Play makes a move, which must be legal.
func (p *Position) Play(m engines.Move) {
	us := p.turn & 1
	p.quiet++
	p.turn = us ^ 1
	p.hash ^= turnKey
	if p.target != noSquare {
		p.hash ^= targetKeys[p.target&7]
		p.target = noSquare
	}
	if special(m) == castles {
		p.castle(m, us)
		return
	}
	from, to := origin(m), target(m)
	if captures(m) {
		p.quiet = 0
		p.remove(us^1, taken(m), takenSquare(m))
	}
	kind := piece(m)
	p.remove(us, kind, from)
	p.put(us, becomes(m), to)
	if lost := p.castling & (bit(from) | bit(to)); lost != 0 {
		p.loseRights(lost)
	}
	switch kind {
	case king:
		p.loseRights(p.castling & p.sides[us])
	case pawn:
		p.quiet = 0
		if special(m) == twoSteps {
			p.openTarget((from + to) >> 1)
		}
	}
}

// castle moves king and rook and removes the side's castling rights.
func (p *Position) castle(m engines.Move, us engines.Side) {
	kingTo, rookTo := castled(m)
	p.remove(us, king, origin(m))
	p.remove(us, rook, target(m))
	p.put(us, king, kingTo)
	p.put(us, rook, rookTo)
	own := uint64(rank1)
	if us == engines.Second {
		own = rank8
	}
	p.loseRights(p.castling & own)
}

// put adds a piece to an empty square.
func (p *Position) put(side engines.Side, kind, sq int) {
	p.kinds[kind] |= bit(sq)
	p.sides[side&1] |= bit(sq)
	p.hash ^= pieceKeys[side&1][kind&7][sq&63]
}

// remove removes a piece from its square.
func (p *Position) remove(side engines.Side, kind, sq int) {
	p.kinds[kind] &^= bit(sq)
	p.sides[side&1] &^= bit(sq)
	p.hash ^= pieceKeys[side&1][kind&7][sq&63]
}

// loseRights removes the castling rights of a set of rooks.
func (p *Position) loseRights(rooks uint64) {
	p.castling &^= rooks
	for ; rooks != 0; rooks &= rooks - 1 {
		p.hash ^= castlingKeys[first(rooks)&63]
	}
}

// openTarget sets the square of a capture en passant if such a capture is legal. Only then does
// the square distinguish positions for repetitions.
func (p *Position) openTarget(sq int) {
	for from := pawnAttacks[p.turn&1^1][sq] & p.of(p.turn, pawn); from != 0; from &= from - 1 {
		if p.passantLegal(first(from), sq) {
			p.target = uint8(sq)
			p.hash ^= targetKeys[sq&7]
			return
		}
	}
}

// passantLegal reports whether a capture en passant leaves the own
// king out of check, although two pawns leave their rank at once.
func (p *Position) passantLegal(from, to int) bool {
	them := p.turn&1 ^ 1
	captured := bit(to ^ 8)
	occupied := p.occupied()&^captured&^bit(from) | bit(to)
	return !p.attacked(first(p.of(p.turn, king)), occupied, p.sides[them]&^captured, them)
}

// Random numbers for Key, the same in every run and on every machine.
var (
	pieceKeys    = makePieceKeys()
	castlingKeys = randomKeys(100)
	targetKeys   = randomKeys(101)
	turnKey      = engines.Seed(0x6368657373, 102)
)

// makePieceKeys returns the keys by side, kind and square.
func makePieceKeys() (keys [2][8][64]uint64) {
	for side := range keys {
		for kind := range keys[side] {
			keys[side][kind] = randomKeys(uint64(8*side + kind))
		}
	}
	return keys
}

// randomKeys returns the keys of a table by square.
func randomKeys(table uint64) (keys [64]uint64) {
	for i := range keys {
		keys[i] = engines.Seed(0x6368657373, table, uint64(i))
	}
	return keys
}
