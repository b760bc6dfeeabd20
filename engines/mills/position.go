package mills

import (
	"math/bits"

	"selfplaylab/engines"
)

// position is a state of the game with its rules, as plain data of 32 bytes.
// A copy is a new position.
// The zero value is not a position; newPosition makes one.
type position struct {
	hash   uint64    // of men and closed points
	men    [2]uint32 // by side
	closed uint32    // points closed until placing ends
	laws   laws
	quiet  uint16    // steps since the last capture
	back   [2]uint16 // under noReform: by side, the step that undoes its last step if that closed a mill, else 0
	hand   [2]uint8
	most   uint8 // men a side at the start
	turn   engines.Side
}

// newPosition returns the empty board with men in hand of both sides.
func newPosition(l laws, men int) position {
	n := uint8(men)
	return position{laws: l, most: n, hand: [2]uint8{n, n}}
}

// A move has five fields of five bits: the point of arrival, the point of departure
// (or fromHand), and up to three points captured, each plus one, in rising order.
const (
	fieldBits = 5
	fieldMask = 1<<fieldBits - 1

	fromHand     = points // departure of a placement
	leftShift    = fieldBits
	takenShift   = 2 * fieldBits
	maxTaken     = 3 // lines through one point
	stepMask     = 1<<takenShift - 1
	noStepToUndo = 0
)

// arrival returns the point that the man reaches.
func arrival(m engines.Move) int { return int(m & fieldMask) }

// departure returns the point that the man leaves, or fromHand.
func departure(m engines.Move) int { return int(m >> leftShift & fieldMask) }

// hasCapture reports whether the move takes a man.
func hasCapture(m engines.Move) bool { return m>>takenShift != 0 }

// turnOf returns a move without captures.
func turnOf(from, to int) engines.Move {
	return engines.Move(from<<leftShift | to)
}

// take returns m with one more capture, of a point above its other captures.
func take(m engines.Move, point int) engines.Move {
	shift := takenShift
	for m>>shift != 0 {
		shift += fieldBits
	}
	return m | engines.Move(point+1)<<shift
}

// placing reports whether a side has men in hand.
func (p *position) placing() bool { return p.hand[0]|p.hand[1] != 0 }

// number returns the number of a side's men on the board and in hand.
func (p *position) number(side engines.Side) int {
	return count(p.men[side&1]) + int(p.hand[side&1])
}

// free returns the points on which a man may be placed.
func (p *position) free() uint32 {
	return everywhere &^ (p.men[0] | p.men[1] | p.closed)
}

// flies reports whether the side to move, in the moving phase, may step to any free point.
func (p *position) flies() bool {
	return p.laws&flyAtThree != 0 && count(p.men[p.turn&1]) == 3
}

// Turn returns the side to move. The side that placed the last man may also make the first step.
func (p *position) Turn() engines.Side { return p.turn }

// NoProgress returns the number of steps since the last capture or placement.
func (p *position) NoProgress() int { return int(p.quiet) }

// Key returns a hash of men, closed points, hands and side
// to move, and under noReform of the steps not to be undone.
// It does not distinguish rules.
func (p *position) Key() uint64 {
	key := p.hash ^ turnKeys[p.turn&1][(p.hand[0]+p.hand[1])&31]
	if p.back != [2]uint16{} {
		key ^= engines.Seed(uint64(p.back[0]), uint64(p.back[1]))
	}
	return key
}

// Penalty returns 0: an illegal move loses the game.
func (p *position) Penalty() engines.Move { return 0 }

// Play makes a move, which must be legal.
func (p *position) Play(m engines.Move) {
	us := p.turn & 1
	to, from := arrival(m), departure(m)
	p.men[us] |= 1 << to
	p.hash ^= manKeys[us][to]
	if from == fromHand {
		p.playPlacement(m, us)
		return
	}
	p.men[us] &^= 1 << from
	p.hash ^= manKeys[us][from]
	p.quiet++
	if hasCapture(m) {
		p.quiet = 0
		p.capture(m, us^1)
	}
	if p.laws&noReform != 0 {
		p.back[us] = noStepToUndo
		if closersOf(p.men[us]&^(1<<to), p.laws.spokes()).any()>>to&1 != 0 {
			p.back[us] = uint16(turnOf(to, from))
		}
	}
	p.turn = us ^ 1
}

// playPlacement places a man with its captures, and ends the placing phase after the last.
func (p *position) playPlacement(m engines.Move, us engines.Side) {
	p.hand[us]--
	if hasCapture(m) {
		taken := p.capture(m, us^1)
		if p.laws&closedPoints != 0 {
			p.closed |= taken
			p.hash ^= closedHash(taken)
		}
	}
	switch {
	case p.placing():
		p.turn = us ^ 1
	default:
		p.hash ^= closedHash(p.closed)
		p.closed = 0
		p.turn = us
		if p.laws&firstOpens != 0 {
			p.turn = engines.First
		}
	}
}

// capture removes the men that m takes from a side, and returns their points.
func (p *position) capture(m engines.Move, from engines.Side) uint32 {
	var taken uint32
	for rest := m >> takenShift; rest != 0; rest >>= fieldBits {
		point := rest&fieldMask - 1
		taken |= 1 << point
		p.hash ^= manKeys[from&1][point&31]
	}
	p.men[from&1] &^= taken
	if back := p.back[from&1]; back != noStepToUndo && taken>>departure(engines.Move(back))&1 != 0 {
		p.back[from&1] = noStepToUndo // the man that would step back is gone
	}
	return taken
}

// Random numbers for Key, the same in every run and on every machine.
// The tables are as long as a field of a move can count, so that an index needs no check.
var (
	manKeys    = [2][32]uint64{randomKeys(1), randomKeys(2)}
	closedKeys = randomKeys(3)
	turnKeys   = [2][32]uint64{randomKeys(4), randomKeys(5)} // by side to move and men in hand
)

// randomKeys returns the keys of a table.
func randomKeys(table uint64) (keys [32]uint64) {
	for i := range keys {
		keys[i] = engines.Seed(0x6d696c6c73, table, uint64(i))
	}
	return keys
}

// closedHash returns the hash of a set of closed points.
func closedHash(closed uint32) (hash uint64) {
	for ; closed != 0; closed &= closed - 1 {
		hash ^= closedKeys[bits.TrailingZeros32(closed)&31]
	}
	return hash
}
