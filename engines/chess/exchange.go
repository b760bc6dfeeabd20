package chess

import "selfplaylab/engines"

// deltaMargin is by how many centipawns a capture may change the evaluation beside the value of
// the captured piece.
const deltaMargin = 200

// keeps reports whether a capture loses no material by the exchange on its target: both sides
// take with their least valuable piece for as long as they gain (static exchange evaluation).
// Pins are not seen.
func (p *Position) keeps(m engines.Move) bool {
	gain := kindWorth[taken(m)] + promoted(m)
	at := kindWorth[becomes(m)] // the piece on the target
	if !captures(m) && !promotes(m) || gain >= at {
		return true
	}
	balance := gain - at // of the mover, if its piece is lost
	to := target(m)
	occupied := p.occupied()&^bit(origin(m))&^bit(takenSquare(m)) | bit(to)
	side, mover := p.turn&1^1, p.turn&1
	attackers := p.attackers(to, occupied) & occupied
	for {
		own := attackers & p.sides[side] & occupied
		if own == 0 {
			break
		}
		kind := p.least(own)
		if kind == king && attackers&p.sides[side^1]&occupied != 0 {
			break // the king cannot take a defended piece
		}
		occupied &^= own & p.kinds[kind] & -(own & p.kinds[kind])
		if kind == pawn || kind == bishop || kind == queen {
			attackers |= bishopAttacks(to, occupied) & (p.kinds[bishop] | p.kinds[queen])
		}
		if kind == rook || kind == queen {
			attackers |= rookAttacks(to, occupied) & (p.kinds[rook] | p.kinds[queen])
		}
		attackers &= occupied
		side ^= 1
		// side now faces the loss of the piece that took: it stops if it is ahead even then.
		balance = -balance - 1 - kindWorth[kind]
		if balance >= 0 {
			break
		}
	}
	return side != mover
}

// least returns the least valuable kind of a set of pieces.
func (p *Position) least(set uint64) int {
	for kind := range p.kinds {
		if set&p.kinds[kind] != 0 {
			return kind
		}
	}
	return noKind
}
