package chess

import (
	"math/bits"

	"selfplaylab/engines"
)

// Reasons a game of chess ends on the board.
const (
	mate         engines.Reason = "mate"
	stalemate    engines.Reason = "stalemate"
	insufficient engines.Reason = "material" // nobody can mate
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

// Position is a state of the game with its rules, as plain data: 88 bytes. Games start
// from a text; the zero value is no position.
type Position struct {
	hash     uint64
	kinds    [6]uint64 // squares by kind of piece
	sides    [2]uint64 // squares by side
	castling uint64    // the rooks that may still castle
	quiet    uint16    // plies since the last capture or move of a pawn
	target   uint8     // the square on which a pawn can be captured en passant, legally; else noSquare
	turn     engines.Side
	free     bool // chess960: kings and rooks start anywhere
}

// A move has six fields: the square left, the square reached (when castling, that of
// the rook), the kinds of the piece, of what it captures and of what it becomes, and
// the special move that it is.
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

func origin(m engines.Move) int    { return int(m & 63) }
func target(m engines.Move) int    { return int(m >> toShift & 63) }
func piece(m engines.Move) int     { return int(m >> pieceShift & 7) }
func taken(m engines.Move) int     { return int(m >> takenShift & 7) }
func becomes(m engines.Move) int   { return int(m >> becomesShift & 7) }
func special(m engines.Move) int   { return int(m >> specialShift & 3) }
func captures(m engines.Move) bool { return taken(m) < noKind }
func promotes(m engines.Move) bool { return becomes(m) != piece(m) }

// plain is a move without squares of a piece that captures nothing.
func plain(kind int) engines.Move {
	return engines.Move(kind<<pieceShift | noKind<<takenShift | kind<<becomesShift)
}

func between2(from, to int) engines.Move { return engines.Move(from | to<<toShift) }

// takenSquare returns where the piece stood that a capture takes.
func takenSquare(m engines.Move) int {
	if special(m) == enPassant {
		return target(m) ^ 8
	}
	return target(m)
}

// castled returns where king and rook stand after castling.
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

// Key hashes pieces, castling rights, the side to move and the square of a capture en
// passant that is legal.
func (p *Position) Key() uint64 { return p.hash }

// Penalty loses the game: chess has no lost turn.
func (p *Position) Penalty() engines.Move { return 0 }

func (p *Position) occupied() uint64 { return p.sides[0] | p.sides[1] }

func (p *Position) of(side engines.Side, kind int) uint64 { return p.sides[side&1] & p.kinds[kind] }

// kindAt returns what stands on a square.
func (p *Position) kindAt(sq int) int {
	at := bit(sq)
	for kind := range p.kinds {
		if p.kinds[kind]&at != 0 {
			return kind
		}
	}
	return noKind
}

// attackers returns the pieces of both sides that attack a square.
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

// Outcome tells whether the game has ended on the board.
func (p *Position) Outcome() engines.Outcome {
	switch {
	case p.deadDrawn():
		return engines.Draw
	case p.canMove():
		return engines.Ongoing
	case p.checkers() != 0:
		return engines.Win(p.turn.Other())
	}
	return engines.Draw
}

// Reason says why Outcome is not Ongoing.
func (p *Position) Reason() engines.Reason {
	switch p.Outcome() {
	case engines.Ongoing:
		return engines.NoReason
	case engines.Draw:
		if p.deadDrawn() {
			return insufficient
		}
		return stalemate
	}
	return mate
}

// deadDrawn reports that neither side has the material to mate, as fastchess judges:
// bare kings, one minor piece, or bishops on squares of one colour only, however many.
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

// Play makes a legal move.
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

func (p *Position) put(side engines.Side, kind, sq int) {
	p.kinds[kind] |= bit(sq)
	p.sides[side&1] |= bit(sq)
	p.hash ^= pieceKeys[side&1][kind&7][sq&63]
}

func (p *Position) remove(side engines.Side, kind, sq int) {
	p.kinds[kind] &^= bit(sq)
	p.sides[side&1] &^= bit(sq)
	p.hash ^= pieceKeys[side&1][kind&7][sq&63]
}

func (p *Position) loseRights(rooks uint64) {
	p.castling &^= rooks
	for ; rooks != 0; rooks &= rooks - 1 {
		p.hash ^= castlingKeys[first(rooks)&63]
	}
}

// openTarget notes that the side to move can capture en passant on a square, if one
// of its captures is legal. Only then it matters to repetitions.
func (p *Position) openTarget(sq int) {
	for from := pawnAttacks[p.turn&1^1][sq] & p.of(p.turn, pawn); from != 0; from &= from - 1 {
		if p.passantLegal(first(from), sq) {
			p.target = uint8(sq)
			p.hash ^= targetKeys[sq&7]
			return
		}
	}
}

// passantLegal reports whether a capture en passant leaves the own king out of check:
// two pawns leave their rank at once.
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

func makePieceKeys() (keys [2][8][64]uint64) {
	for side := range keys {
		for kind := range keys[side] {
			keys[side][kind] = randomKeys(uint64(8*side + kind))
		}
	}
	return keys
}

func randomKeys(table uint64) (keys [64]uint64) {
	for i := range keys {
		keys[i] = engines.Seed(0x6368657373, table, uint64(i))
	}
	return keys
}
