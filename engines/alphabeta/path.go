package alphabeta

// path holds the positions of the current line and of the game before it, for Options.Repetition.
type path struct {
	keys   [maxPly + 1]uint64
	past   []uint64
	from   int        // the smallest ply to compare with: no position before a pass occurs again
	filter [16]uint64 // Bloom filter of past: one bit for about ten bits of each key

	// rests is the smallest ply of a repetition on which the last returned value depends: -1
	// for the past, maxPly for none.
	rests int
}

// begin starts a line at the root.
func (p *path) begin(root uint64, past []uint64) {
	p.keys[0], p.past, p.from, p.filter = root, past, 0, [16]uint64{}
	for _, k := range past {
		p.filter[k>>60] |= 1 << (k >> 54 & 63)
	}
}

// enter adds the position at ply to the path.
// If the position occurred before, it returns true and sets rests.
func (p *path) enter(key uint64, ply int) bool {
	for i := ply - 1; i >= p.from; i-- {
		if p.keys[i] == key {
			p.rests = i
			return true
		}
	}
	if p.from == 0 && p.filter[key>>60]>>(key>>54&63)&1 != 0 {
		for _, k := range p.past {
			if k == key {
				p.rests = -1
				return true
			}
		}
	}
	p.keys[ply] = key
	return false
}

// leave sets rests for the node at ply from the rests of its children.
// A repetition of the node itself, or of one below it, does not depend on the path.
func (p *path) leave(ply, rests int) {
	if rests >= ply {
		rests = maxPly
	}
	p.rests = rests
}
