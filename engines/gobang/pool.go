package gobang

import "math/bits"

// pool keeps the analyses of lines, so that each line is analysed once.
// It depends on the rules and not on weights.
// It serves one search at a time.
type pool struct {
	exactFive    bool
	withPatterns bool
	infos        []lineInfo
	// nexts has for each line and stone, by its bit, the id of the line with this stone added.
	// 0 means not looked up yet; the line with id 0 is always looked up.
	nexts [][2 * maxSize]uint32
	// index finds a line by open addressing: each slot
	// has a tag of its hash above the id + 1, or is 0.
	index []uint64
	shift uint
}

const (
	idBits    = 28
	poolStart = 1 << 13 // slots of the first index
	poolLimit = 1 << 15 // number of lines from which the pool is emptied between two moves
)

// newPool returns an empty pool.
func newPool(exactFive bool) *pool {
	p := &pool{exactFive: exactFive}
	p.reset()
	return p
}

// reset forgets all lines and keeps the memory. All ids become invalid.
func (p *pool) reset() {
	if p.index == nil {
		p.index = make([]uint64, poolStart)
		p.infos = make([]lineInfo, 0, poolStart/2)
		p.nexts = make([][2 * maxSize]uint32, 0, poolStart/2)
	}
	clear(p.index)
	p.infos, p.nexts = p.infos[:0], p.nexts[:0]
	p.shift = uint(64 - bits.TrailingZeros(uint(len(p.index))))
}

// full reports whether the pool should be reset. The caller must then look up its own lines again.
func (p *pool) full() bool { return len(p.infos) >= poolLimit }

// find returns the id of a line, which it analyses at the first call.
func (p *pool) find(l line) uint32 {
	h := hash(l)
	mask := uint64(len(p.index) - 1)
	i := h >> p.shift
	for ; p.index[i&mask] != 0; i++ {
		e := p.index[i&mask]
		if id := uint32(e)&(1<<idBits-1) - 1; (e^h<<idBits)>>idBits == 0 && p.infos[id].line == l {
			return id
		}
	}
	return p.add(l, i&mask)
}

// next returns the id of line l, which has one stone more than the line of id; stone is its bit.
// The pair is remembered in nexts, which saves a hash and a probe.
func (p *pool) next(id uint32, stone int, l line) uint32 {
	if n := p.nexts[id][stone]; n != 0 {
		return n
	}
	n := p.find(l)
	p.nexts[id][stone] = n
	return n
}

// add analyses a line into a free slot and returns its id.
func (p *pool) add(l line, slot uint64) uint32 {
	id := uint32(len(p.infos))
	p.infos = append(p.infos, analyse(l, p.exactFive, p.withPatterns))
	p.nexts = append(p.nexts, [2 * maxSize]uint32{})
	p.index[slot] = hash(l)<<idBits | uint64(id+1)
	if 2*len(p.infos) > len(p.index) {
		p.grow()
	}
	return id
}

// grow doubles the index. Ids stay valid.
func (p *pool) grow() {
	p.index = make([]uint64, 2*len(p.index))
	p.shift--
	mask := uint64(len(p.index) - 1)
	for id := range p.infos {
		h := hash(p.infos[id].line)
		i := h >> p.shift
		for ; p.index[i&mask] != 0; i++ {
		}
		p.index[i&mask] = h<<idBits | uint64(id+1)
	}
}

// hash returns a hash of a line whose top bits give the slot (Fibonacci hashing).
func hash(l line) uint64 { return uint64(l) * 0x9e3779b97f4a7c15 }
