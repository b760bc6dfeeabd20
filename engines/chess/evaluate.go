package chess

import (
	"math/bits"

	"selfplaylab/engines"
)

// The terms of the evaluation in addition to the values and places of pieces. Each is counted
// for both sides. The evaluation multiplies the mover's count minus the opponent's by a weight
// for the middle game and one for the endgame.
const (
	termBishopPair = iota
	termMobility   // of knights, bishops, rooks and queens: four terms
	termIsolated   = iota + 3
	termDoubled
	termBackward
	termConnected
	termPassed     // by rank, the second to the seventh: six terms
	termPassedFree = iota + 8
	termPassedKing
	termPassedTheirs
	termRookOpen
	termRookHalf
	termShieldNear
	termShieldFar
	termKingOpen
	termStorm
	termAttack // by knights, bishops, rooks and queens: four terms
	termThreat = iota + 11
	termTempo
	terms // number of the terms of the first version; the others were added
)

// The added terms, whose weights are 0 in all presets but master.
const (
	termThreatMinor = iota + terms
	termThreatRook
	termHanging
	termDanger
	termOutpost
	termBadBishop
	allTerms
)

// termInfo has the names and documents of the terms, and their weights in the default preset.
var termInfo = [allTerms]struct {
	name, doc string
	mg, eg    int
}{
	{"bishop_pair", "two bishops", 25, 45},
	{"mob_N", "squares that knights attack, without own men and those that pawns of the opponent attack", 4, 4},
	{"mob_B", "the same of bishops", 5, 4},
	{"mob_R", "the same of rooks", 2, 4},
	{"mob_Q", "the same of queens", 1, 2},
	{"isolated", "pawns without own pawns on neighbouring files", -12, -14},
	{"doubled", "pawns behind an own pawn", -8, -18},
	{"backward", "pawns that no own pawn can support, whose next square a pawn attacks", -8, -8},
	{"connected", "pawns next to or supported by an own pawn", 8, 5},
	{"passed_2", "passed pawns on the second rank, from their side", 0, 5},
	{"passed_3", "passed pawns on the third rank", 0, 10},
	{"passed_4", "passed pawns on the fourth rank", 5, 22},
	{"passed_5", "passed pawns on the fifth rank", 20, 42},
	{"passed_6", "passed pawns on the sixth rank", 45, 75},
	{"passed_7", "passed pawns on the seventh rank", 80, 120},
	{"passed_free", "passed pawns whose next square is free", 0, 10},
	{"passed_king", "steps of the own king to the next square of passed pawns", 0, -4},
	{"passed_theirs", "steps of the opposing king to the next square of passed pawns", 0, 7},
	{"rook_open", "rooks on files without pawns", 24, 8},
	{"rook_half", "rooks on files without own pawns", 11, 6},
	{"shield_near", "own pawns right before the king, on its file and its neighbours", 14, 0},
	{"shield_far", "own pawns two ranks before the king", 7, 0},
	{"king_open", "of the king's file and its neighbours, those without own pawns", -12, 0},
	{"storm", "opposing pawns up to three ranks before the king", -5, 0},
	{"attack_N", "squares around the opposing king that knights attack", 7, 0},
	{"attack_B", "the same of bishops", 6, 0},
	{"attack_R", "the same of rooks", 8, 1},
	{"attack_Q", "the same of queens", 7, 3},
	{"threat", "opposing pieces that own pawns attack", 35, 30},
	{"tempo", "the side to move", 14, 6},
	{"threat_minor", "opposing rooks and queens that knights and bishops attack", 0, 0},
	{"threat_rook", "opposing queens that rooks attack", 0, 0},
	{"hanging", "opposing men that are attacked and not defended", 0, 0},
	{"danger", "the square of the attacks on squares around the opposing king, in eighths", 0, 0},
	{"outpost", "knights and bishops in the opposing half, behind which pawns stand and which no pawn can attack", 0, 0},
	{"bad_bishop", "own pawns on the colour of a bishop", 0, 0},
}

// pair is a weight, or a sum of weights, for the middle game
// in the upper 32 bits and for the endgame in the lower.
// One addition or multiplication then serves both.
type pair int64

// newPair returns the pair of two weights.
func newPair(mg, eg int32) pair { return pair(mg)<<32 + pair(eg) }

// middle returns the weight for the middle game.
// The sum undoes the borrow of a negative endgame weight.
func (p pair) middle() int32 { return int32((p + 1<<31) >> 32) }

// end returns the weight for the endgame.
func (p pair) end() int32 { return int32(p) }

// weights holds a parameter vector in the form that the evaluation uses.
type weights struct {
	piece [2][6][64]pair // by side, kind and square: value and place
	term  [allTerms]pair
	more  bool // an added term has a weight
	// exchange has captures judged by the exchange they begin; see paramExchange.
	exchange bool
}

// fullPhase is the phase of the middle game: one for a
// knight or bishop, two for a rook, four for a queen.
const fullPhase = 24

// phase returns the phase by material, from 0 in the endgame to fullPhase.
func (p *Position) phase() int32 {
	n := bits.OnesCount64(p.kinds[knight]|p.kinds[bishop]) + 2*bits.OnesCount64(p.kinds[rook]) + 4*bits.OnesCount64(p.kinds[queen])
	return int32(min(n, fullPhase))
}

// taper returns the value of a sum at the position's phase.
func (p *Position) taper(sum pair) int32 {
	phase := p.phase()
	return (sum.middle()*phase + sum.end()*(fullPhase-phase)) / fullPhase
}

// evaluate returns the value of p in centipawns for the side to move. material is First's less
// Second's.
func (w *weights) evaluate(p *Position, material pair) int32 {
	us := p.turn & 1
	var own, other counts
	p.countBoth(us, &own, &other, w.more)
	sum := material
	if us == engines.Second {
		sum = -sum
	}
	for i := range terms {
		sum += pair(own[i]-other[i]) * w.term[i]
	}
	if w.more {
		for i := terms; i < allTerms; i++ {
			sum += pair(own[i]-other[i]) * w.term[i]
		}
	}
	return p.taper(sum)
}

// material sums the values and places of a side's pieces.
func (w *weights) material(p *Position, side engines.Side) (sum pair) {
	for kind := range p.kinds {
		for set := p.kinds[kind] & p.sides[side&1]; set != 0; set &= set - 1 {
			sum += w.piece[side&1][kind][first(set)&63]
		}
	}
	return sum
}

// counts holds the number of occurrences of each term for a side.
type counts [allTerms]int32

// countBoth counts the terms of both sides, the added ones with more. us is to move.
func (p *Position) countBoth(us engines.Side, own, other *counts, more bool) {
	ours, theirs := p.count(us, own), p.count(us^1, other)
	own[termTempo] = 1
	if more {
		p.countMore(us, own, &ours, &theirs)
		p.countMore(us^1, other, &theirs, &ours)
	}
}

// reach holds the squares that men of a side attack.
type reach struct{ minor, rook, any uint64 }

// countMore counts the added terms of a side, which attacks own; its opponent attacks other.
func (p *Position) countMore(side engines.Side, c *counts, own, other *reach) {
	us, them := p.sides[side&1], p.sides[side&1^1]
	c[termThreatMinor] = count64(own.minor & them & (p.kinds[rook] | p.kinds[queen]))
	c[termThreatRook] = count64(own.rook & them & p.kinds[queen])
	c[termHanging] = count64(own.any & them &^ (p.kinds[king] | other.any))
	n := c[termAttack] + c[termAttack+1] + c[termAttack+2] + c[termAttack+3]
	c[termDanger] = n * n / 8
	pawns, theirs := us&p.kinds[pawn], them&p.kinds[pawn]
	bishops := us & p.kinds[bishop]
	for _, colour := range [2]uint64{pale, ^uint64(pale)} {
		c[termBadBishop] += count64(bishops&colour) * count64(pawns&colour)
	}
	minors := us & (p.kinds[knight] | p.kinds[bishop]) & pawnsAttack(pawns, side)
	if side == engines.First {
		c[termOutpost] = count64(minors & (rank1<<24 | rank1<<32 | rank1<<40) &^ downwards(pawnsAttack(theirs, side^1)))
	} else {
		c[termOutpost] = count64(minors & (rank1<<16 | rank1<<24 | rank1<<32) &^ upwards(pawnsAttack(theirs, side^1)))
	}
}

// count64 returns the size of a set.
func count64(set uint64) int32 { return int32(bits.OnesCount64(set)) }

// count counts the first terms of a side, except tempo, and returns its attacks.
func (p *Position) count(side engines.Side, c *counts) (r reach) {
	own, other := p.sides[side&1], p.sides[side&1^1]
	ownPawns, otherPawns := own&p.kinds[pawn], other&p.kinds[pawn]
	ownKing, otherKing := first(own&p.kinds[king]), first(other&p.kinds[king])
	if n := count64(own & p.kinds[bishop]); n > 1 {
		c[termBishopPair] = 1
	}
	p.countPieces(c, &r, own, ^own&^pawnsAttack(otherPawns, side^1), kingAttacks[otherKing&63]|bit(otherKing))
	r.any |= pawnsAttack(ownPawns, side) | kingAttacks[ownKing&63]
	for rooks := own & p.kinds[rook]; rooks != 0; rooks &= rooks - 1 {
		file := uint64(fileA) << (first(rooks) & 7)
		switch {
		case file&p.kinds[pawn] == 0:
			c[termRookOpen]++
		case file&ownPawns == 0:
			c[termRookHalf]++
		}
	}
	c[termThreat] = count64(pawnsAttack(ownPawns, side) & other &^ otherPawns)
	if side == engines.Second { // from here on both sides go up the board
		ownPawns, otherPawns = bits.ReverseBytes64(ownPawns), bits.ReverseBytes64(otherPawns)
		ownKing, otherKing = ownKing^56, otherKing^56
	}
	countPawns(c, ownPawns, otherPawns)
	countShelter(c, ownPawns, otherPawns, ownKing)
	p.countPassed(c, ownPawns, otherPawns, ownKing, otherKing, side)
	return r
}

// pawnsAttack returns the squares that pawns of a side attack.
func pawnsAttack(pawns uint64, side engines.Side) uint64 {
	if side&1 == engines.First {
		return pawns&^fileA<<7 | pawns&^uint64(fileH)<<9
	}
	return pawns&^fileA>>9 | pawns&^uint64(fileH)>>7
}

// countPieces counts the mobility of pieces within area
// and their attacks on zone, the squares around the king.
func (p *Position) countPieces(c *counts, r *reach, own, area, zone uint64) {
	occupied := p.occupied()
	add := func(kind int, attacks uint64) {
		r.any |= attacks
		c[termMobility+kind-knight] += count64(attacks & area)
		c[termAttack+kind-knight] += count64(attacks & zone)
	}
	for set := own & p.kinds[knight]; set != 0; set &= set - 1 {
		r.minor |= knightAttacks[first(set)&63]
		add(knight, knightAttacks[first(set)&63])
	}
	for set := own & p.kinds[bishop]; set != 0; set &= set - 1 {
		attacks := bishopAttacks(first(set), occupied)
		r.minor |= attacks
		add(bishop, attacks)
	}
	for set := own & p.kinds[rook]; set != 0; set &= set - 1 {
		attacks := rookAttacks(first(set), occupied)
		r.rook |= attacks
		add(rook, attacks)
	}
	for set := own & p.kinds[queen]; set != 0; set &= set - 1 {
		add(queen, bishopAttacks(first(set), occupied)|rookAttacks(first(set), occupied))
	}
}

// upwards returns the squares of a set and all squares above them.
func upwards(x uint64) uint64 {
	x |= x << 8
	x |= x << 16
	return x | x<<32
}

// downwards returns the squares of a set and all squares below them.
func downwards(x uint64) uint64 {
	x |= x >> 8
	x |= x >> 16
	return x | x>>32
}

// beside returns the squares to the left and right of a set.
func beside(x uint64) uint64 { return x&^fileA>>1 | x&^uint64(fileH)<<1 }

// countPawns counts the pawn structure of the side that moves up the board.
func countPawns(c *counts, own, other uint64) {
	files := upwards(downwards(own))
	ownAttacks := pawnsAttack(own, engines.First)
	otherAttacks := pawnsAttack(other, engines.Second)
	isolated := own &^ beside(files)
	connected := own & (ownAttacks | beside(own))
	c[termIsolated] = count64(isolated)
	c[termDoubled] = count64(own & downwards(own>>8))
	c[termConnected] = count64(connected)
	c[termBackward] = count64(own &^ connected &^ isolated & ((otherAttacks &^ upwards(ownAttacks)) >> 8))
}

// passed returns the passed pawns, which no pawn of
// the opponent can stop, the foremost of each file.
func passed(own, other uint64) uint64 {
	return own &^ downwards(other>>8|pawnsAttack(other, engines.Second)) &^ downwards(own>>8)
}

// countPassed counts the passed pawns of the side that moves up the board. side is its true side.
func (p *Position) countPassed(c *counts, own, other uint64, ownKing, otherKing int, side engines.Side) {
	occupied := p.occupied()
	if side == engines.Second {
		occupied = bits.ReverseBytes64(occupied)
	}
	for set := passed(own, other); set != 0; set &= set - 1 {
		next := first(set) + 8
		c[termPassed+next>>3-2]++
		if occupied&bit(next) == 0 {
			c[termPassedFree]++
		}
		c[termPassedKing] += kingSteps(ownKing, next)
		c[termPassedTheirs] += kingSteps(otherKing, next)
	}
}

// kingSteps returns the number of king's moves between two squares of an empty board.
func kingSteps(a, b int) int32 {
	files, ranks := a&7-b&7, a>>3-b>>3
	return int32(max(files, -files, ranks, -ranks))
}

// countShelter counts the pawns before the king on at, of the side that moves up the board.
func countShelter(c *counts, own, other uint64, at int) {
	around := uint64(fileA) << (at & 7)
	around |= beside(around)
	row := uint64(rank1) << (at & 56) & around
	c[termShieldNear] = count64(own & (row << 8))
	c[termShieldFar] = count64(own & (row << 16))
	c[termStorm] = count64(other & (row<<8 | row<<16 | row<<24))
	c[termKingOpen] = count64(around & rank1 &^ downwards(own))
}

// evaluateTerms returns the parts of the evaluation, with their document.
func (w *weights) evaluateTerms(p *Position) []engines.Term {
	us := p.turn & 1
	var own, other counts
	p.countBoth(us, &own, &other, w.more)
	ours, theirs := p.taper(w.material(p, us)), p.taper(w.material(p, us^1))
	list := []engines.Term{
		{Name: "turn", Value: sideNames[us], Doc: "side to move"},
		{Name: "phase", Value: int(p.phase()), Doc: "24 in the middle game, 0 in the endgame"},
		engines.Both("material", int(ours), int(theirs), int(ours-theirs)).Means("values and places of pieces"),
	}
	for i, t := range termInfo {
		if i >= terms && w.term[i] == 0 {
			continue
		}
		worth := p.taper(pair(own[i]-other[i]) * w.term[i])
		list = append(list, engines.Both(t.name, int(own[i]), int(other[i]), int(worth)).Means(t.doc))
	}
	return append(list, engines.Term{Name: "total", Value: int(w.evaluate(p, w.material(p, 0)-w.material(p, 1))), Doc: "worth of the position for the side to move"})
}
