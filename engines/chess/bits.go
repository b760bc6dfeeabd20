package chess

import "math/bits"

// Squares are counted from a1 = 0 along the ranks to
// h8 = 63; a set of squares is a uint64 with a bit each.
const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
	rank1 = 0xff
	rank8 = rank1 << 56
	// pale are the squares of the colour of h1.
	pale = 0x55aa55aa55aa55aa

	noSquare = 64
)

// ray holds the data for the attacks of a sliding piece from one square: the square's bit, the
// same bit with the ranks in reverse order, and the square's lines without the square itself.
type ray struct{ bit, back, file, rising, falling uint64 }

// Tables of attacks by square. They are filled in when the program starts and never changed.
var (
	rays          [64]ray
	rankAttacks   [8][64]uint8 // by file and the occupation of files b to g
	knightAttacks [64]uint64
	kingAttacks   [64]uint64
	pawnAttacks   [2][64]uint64
	between       = makeBetween()
)

// makeBetween fills in all tables, and returns the squares between each two squares on a line.
func makeBetween() (list [64][64]uint64) {
	for sq := range 64 {
		var lines [8]uint64
		for i, step := range [8][2]int{{0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 0}, {-1, 0}} {
			for to := shifted(sq, step[0], step[1]); to < noSquare; to = shifted(to, step[0], step[1]) {
				list[sq][to] = lines[i]
				lines[i] |= 1 << to
			}
			kingAttacks[sq] |= bit(shifted(sq, step[0], step[1]))
		}
		for _, step := range [8][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			knightAttacks[sq] |= bit(shifted(sq, step[0], step[1]))
		}
		for side, forward := range [2]int{1, -1} {
			pawnAttacks[side][sq] = bit(shifted(sq, 1, forward)) | bit(shifted(sq, -1, forward))
		}
		rays[sq] = ray{
			bit: 1 << sq, back: bits.ReverseBytes64(1 << sq),
			file: lines[0] | lines[1], rising: lines[2] | lines[3], falling: lines[4] | lines[5],
		}
	}
	for file := range 8 {
		for inner := range 64 {
			rankAttacks[file][inner] = alongRank(file, inner<<1)
		}
	}
	return list
}

// shifted returns the square at a distance in files and ranks, or noSquare beyond the board.
func shifted(sq, files, ranks int) int {
	file, rank := sq&7+files, sq>>3+ranks
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return noSquare
	}
	return rank<<3 | file
}

// bit returns the set of one square, empty for noSquare.
func bit(sq int) uint64 { return 1 << sq }

// alongRank returns the files that a rook on a file attacks along an occupied rank.
func alongRank(file, occupied int) (attacks uint8) {
	for _, step := range [2]int{1, -1} {
		for to := file + step; to >= 0 && to < 8; to += step {
			attacks |= 1 << to
			if occupied>>to&1 != 0 {
				break
			}
		}
	}
	return attacks
}

// along returns the attacks on a line other than a rank by hyperbola
// quintessence: o - s without s in o, forwards and in reverse byte order.
func (r *ray) along(line, occupied uint64) uint64 {
	o := occupied & line
	return ((o - r.bit) ^ bits.ReverseBytes64(bits.ReverseBytes64(o)-r.back)) & line
}

// bishopAttacks returns the squares that a bishop
// attacks; own and opposing pieces count as attacked.
func bishopAttacks(sq int, occupied uint64) uint64 {
	r := &rays[sq&63]
	return r.along(r.rising, occupied) | r.along(r.falling, occupied)
}

// rookAttacks returns the squares that a rook attacks; own and opposing pieces count as attacked.
func rookAttacks(sq int, occupied uint64) uint64 {
	r := &rays[sq&63]
	shift := uint(sq & 56)
	return r.along(r.file, occupied) | uint64(rankAttacks[sq&7][occupied>>(shift+1)&63])<<shift
}

// first returns the lowest square of a set, and noSquare of the empty set.
func first(set uint64) int { return bits.TrailingZeros64(set) }
