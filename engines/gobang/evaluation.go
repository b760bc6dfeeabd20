package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// Eval returns the static value in points for the side to move.
func (f *field) Eval() int32 {
	me, foe, t := f.turn, f.turn.Other(), &f.terms
	v := f.worth(me) - f.worth(foe) + f.networkPoints()
	for class := three; class <= straightFour; class++ {
		if f.counts[me][class] > 0 {
			v += t.has[class]
		}
		if f.counts[foe][class] > 0 {
			v -= t.faces[class]
		}
	}
	return v
}

// worth returns the worth of all free cells for a side.
func (f *field) worth(side engines.Side) int32 {
	learned := f.learned[side].other
	if side == f.turn {
		learned = f.learned[side].mover
	}
	return f.sum[side] + learned*f.terms.learned/1000
}

// networkPoints returns the network's value in points, 0 without a network.
func (f *field) networkPoints() int32 {
	if f.network == nil {
		return 0
	}
	points := f.odds() * f.terms.network / (sumUnit * weightUnit)
	return int32(min(max(points, -maxNetworkPoints), maxNetworkPoints))
}

// odds returns the network's value for the side to move: the
// logarithm of the odds, in units of 1/(sumUnit * weightUnit).
func (f *field) odds() int64 {
	t := f.total()
	if !t.known {
		t.known, t.odds = true, f.network.odds(&t.lanes, f.turn, f.classBits())
	}
	return t.odds
}

// total returns the sums of the position. The sums after each stone come from the sums before it.
func (f *field) total() *valued {
	for ; f.totaled < f.trailSize; f.totaled++ {
		end := f.changed
		if f.totaled+1 < f.trailSize {
			end = f.trail[f.totaled+1].changed
		}
		next := &f.totals[f.totaled+1]
		next.lanes, next.known = f.totals[f.totaled].lanes, false
		follow(f.network, &next.lanes, f.changes[f.trail[f.totaled].changed:end])
	}
	return &f.totals[f.trailSize]
}

// classBits returns the set of classes of the side to move, and above them the other's.
func (f *field) classBits() (set uint32) {
	me, foe := &f.counts[f.turn], &f.counts[f.turn.Other()]
	for class := three; class <= straightFour; class++ {
		if me[class] > 0 {
			set |= 1 << (class - three)
		}
		if foe[class] > 0 {
			set |= 1 << (classFlags/2 + class - three)
		}
	}
	return set
}

// odds returns the value of sums and classes for side me, which is to move.
func (n *network) odds(sum *lanes, me engines.Side, classes uint32) int64 {
	var in [inputWords]uint64
	half := len(sum) / 2
	copy(in[:half], sum[half*int(me):])
	copy(in[half:], sum[half-half*int(me):][:half])
	for ; classes != 0; classes &= classes - 1 {
		k := 2*channels + bits.TrailingZeros32(classes)
		in[k/4] |= sumUnit << (16 * (k % 4))
	}
	return int64(n.level[0]) + int64(respond(n, &in))
}
