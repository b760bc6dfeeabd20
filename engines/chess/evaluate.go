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
	termThreatOnMinor
	termThreatByStep
	termRestricted
	termCheck
	termPinned
	termXray
	termTrapped
	termManyPawns
	termKingPawns
	termPassedPath
	termPassedRace
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
	{"danger", "the square of the attacks on the opposing king, in 64ths: attacked squares around it, two to four each by the piece, safe checks and undefended squares", 0, 0},
	{"outpost", "knights and bishops in the opposing half, behind which pawns stand and which no pawn can attack", 0, 0},
	{"bad_bishop", "own pawns on the colour of a bishop", 0, 0},
	{"threat_on_minor", "opposing knights and bishops that these attack, or rooks if no pawn defends them", 0, 0},
	{"threat_by_step", "opposing pieces that a pawn could attack by a safe step", 0, 0},
	{"restricted", "squares that both sides attack, the opponent not by pawns", 0, 0},
	{"check", "empty or opposing squares without defence from which a piece could give check", 0, 0},
	{"pinned", "own men pinned to the king", 0, 0},
	{"xray", "own queens in line with an opposing rook or bishop, whatever pieces stand between", 0, 0},
	{"trapped", "knights and bishops with at most one square, and rooks with at most three, of those mobility counts", 0, 0},
	{"many_pawns", "knights and rooks, times own pawns beyond five", 0, 0},
	{"king_pawns", "steps from the king to a pawn in endgames, the mean of all pawns in eighths", 0, 0},
	{"passed_path", "passed pawns with a free and safe path, each by the ranks it has gone", 0, 0},
	{"passed_race", "steps by which the own king is nearer to the next square of passed pawns, times the ranks they have gone", 0, 0},
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

// endgame is the largest phase in which the king's distance from pawns counts.
const endgame = 10

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

// reach holds the squares that men of a side attack, by kind and together, and the number of its
// trapped pieces.
type reach struct {
	men     [noKind]uint64
	pieces  uint64 // those of all but the king
	all     uint64
	passed  uint64 // the passed pawns, from their side
	trapped int32
}

// countMore counts the added terms of a side, which attacks own; its opponent attacks other.
func (p *Position) countMore(side engines.Side, c *counts, own, other *reach) {
	us, them := p.sides[side&1], p.sides[side&1^1]
	minors, theirMinors := p.kinds[knight]|p.kinds[bishop], them&(p.kinds[knight]|p.kinds[bishop])
	minorsAttack := own.men[knight] | own.men[bishop]
	c[termThreatMinor] = count64(minorsAttack & them & (p.kinds[rook] | p.kinds[queen]))
	c[termThreatRook] = count64(own.men[rook] & them & p.kinds[queen])
	c[termThreatOnMinor] = count64(theirMinors & (minorsAttack | own.men[rook]&^other.men[pawn]))
	c[termHanging] = count64(own.all & them &^ (p.kinds[king] | other.all))
	c[termRestricted] = count64(own.all & other.all &^ (other.men[pawn] | them))
	c[termTrapped] = own.trapped
	pawns := us & p.kinds[pawn]
	c[termManyPawns] = (count64(pawns) - 5) * count64(us&(p.kinds[knight]|p.kinds[rook]))
	for _, colour := range [2]uint64{pale, ^uint64(pale)} {
		c[termBadBishop] += count64(us&p.kinds[bishop]&colour) * count64(pawns&colour)
	}
	for queens := us & p.kinds[queen]; queens != 0; queens &= queens - 1 {
		at := first(queens)
		if bishopAttacks(at, p.kinds[bishop]|p.kinds[pawn])&them&p.kinds[bishop]|rookAttacks(at, p.kinds[rook]|p.kinds[pawn])&them&p.kinds[rook] != 0 {
			c[termXray]++
		}
	}
	p.countKings(us, them, c, own, other)
	threats := them | other.all
	if side == engines.Second {
		threats = bits.ReverseBytes64(threats)
	}
	for set := own.passed; set != 0; set &= set - 1 {
		if path := upwards(bit(first(set)+8)) & (fileA << (first(set) & 7)); path&threats == 0 {
			c[termPassedPath] += int32(first(set)>>3 - 1)
		}
	}
	steps, advanced := pawns, uint64(rank1<<24|rank1<<32|rank1<<40)
	free := ^p.occupied()
	if side == engines.First {
		steps = steps << 8 & free
		steps |= steps & (rank1 << 16) << 8 & free
		advanced &^= downwards(pawnsAttack(them&p.kinds[pawn], side^1))
	} else {
		steps = steps >> 8 & free
		steps |= steps & (rank1 << 40) >> 8 & free
		advanced = advanced >> 8 &^ upwards(pawnsAttack(them&p.kinds[pawn], side^1))
	}
	c[termOutpost] = count64(us & minors & own.men[pawn] & advanced)
	safe := pawnsAttack(steps&^other.men[pawn]&(own.all|^other.all), side)
	c[termThreatByStep] = count64(safe & them &^ (p.kinds[pawn] | p.kinds[king] | own.men[pawn]))
}

// countKings counts the added terms that a side's king and the attacks on the other decide.
func (p *Position) countKings(us, them uint64, c *counts, own, other *reach) {
	occupied, home, at := p.occupied(), first(us&p.kinds[king]), first(them&p.kinds[king])
	checks := rookAttacks(at, occupied) & (own.men[rook] | own.men[queen]) &^ (us | other.all)
	diagonal := bishopAttacks(at, occupied) & (own.men[bishop] | own.men[queen]) &^ (us | other.all)
	c[termCheck] = count64(checks) + count64(diagonal) + count64(knightAttacks[at&63]&own.men[knight]&^(us|other.all))
	units := 2*(c[termAttack]+c[termAttack+1]) + 3*c[termAttack+2] + 4*c[termAttack+3] + 6*c[termCheck]
	units += 4 * count64(kingAttacks[at&63]&own.all&^other.pieces)
	c[termDanger] = units * units / 64
	snipers := bishopAttacks(home, them)&(p.kinds[bishop]|p.kinds[queen]) | rookAttacks(home, them)&(p.kinds[rook]|p.kinds[queen])
	for snipers &= them; snipers != 0; snipers &= snipers - 1 {
		if line := between[home&63][first(snipers)&63] & occupied; line&(line-1) == 0 && line&us != 0 {
			c[termPinned]++
		}
	}
	if p.phase() <= endgame && p.kinds[pawn] != 0 {
		for pawns := p.kinds[pawn]; pawns != 0; pawns &= pawns - 1 {
			c[termKingPawns] += kingSteps(first(pawns), home)
		}
		c[termKingPawns] = c[termKingPawns] * 8 / count64(p.kinds[pawn])
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
	r.men[pawn], r.men[king] = pawnsAttack(ownPawns, side), kingAttacks[ownKing&63]
	p.countPieces(c, &r, own, ^own&^pawnsAttack(otherPawns, side^1), kingAttacks[otherKing&63]|bit(otherKing))
	r.pieces = r.men[pawn] | r.men[knight] | r.men[bishop] | r.men[rook] | r.men[queen]
	r.all = r.pieces | r.men[king]
	for rooks := own & p.kinds[rook]; rooks != 0; rooks &= rooks - 1 {
		file := uint64(fileA) << (first(rooks) & 7)
		switch {
		case file&p.kinds[pawn] == 0:
			c[termRookOpen]++
		case file&ownPawns == 0:
			c[termRookHalf]++
		}
	}
	c[termThreat] = count64(r.men[pawn] & other &^ otherPawns)
	if side == engines.Second { // from here on both sides go up the board
		ownPawns, otherPawns = bits.ReverseBytes64(ownPawns), bits.ReverseBytes64(otherPawns)
		ownKing, otherKing = ownKing^56, otherKing^56
	}
	countPawns(c, ownPawns, otherPawns)
	countShelter(c, ownPawns, otherPawns, ownKing)
	r.passed = passed(ownPawns, otherPawns)
	p.countPassed(c, r.passed, ownKing, otherKing, side)
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
	add := func(kind int, attacks uint64, least int32) {
		r.men[kind] |= attacks
		squares := count64(attacks & area)
		c[termMobility+kind-knight] += squares
		c[termAttack+kind-knight] += count64(attacks & zone)
		if squares < least {
			r.trapped++
		}
	}
	for set := own & p.kinds[knight]; set != 0; set &= set - 1 {
		add(knight, knightAttacks[first(set)&63], 2)
	}
	for set := own & p.kinds[bishop]; set != 0; set &= set - 1 {
		add(bishop, bishopAttacks(first(set), occupied), 2)
	}
	for set := own & p.kinds[rook]; set != 0; set &= set - 1 {
		add(rook, rookAttacks(first(set), occupied), 4)
	}
	for set := own & p.kinds[queen]; set != 0; set &= set - 1 {
		add(queen, bishopAttacks(first(set), occupied)|rookAttacks(first(set), occupied), 0)
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

// countPassed counts passed pawns of the side that moves up the board. side is its true side.
func (p *Position) countPassed(c *counts, pawns uint64, ownKing, otherKing int, side engines.Side) {
	occupied := p.occupied()
	if side == engines.Second {
		occupied = bits.ReverseBytes64(occupied)
	}
	for set := pawns; set != 0; set &= set - 1 {
		next := first(set) + 8
		c[termPassed+next>>3-2]++
		if occupied&bit(next) == 0 {
			c[termPassedFree]++
		}
		ownSteps, otherSteps := kingSteps(ownKing, next), kingSteps(otherKing, next)
		c[termPassedKing] += ownSteps
		c[termPassedTheirs] += otherSteps
		c[termPassedRace] += int32(next>>3-2) * (otherSteps - ownSteps)
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
