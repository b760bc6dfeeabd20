package gobang

import "math/bits"

// The shapes of get_score that score, in the order of their parameters.
const (
	live2 = iota
	dead3
	live3
	dead4
	live4
	five
	shapes // how many there are

	// Two more facts are counted with them.
	won    = 6 // a winning row stands
	threat = 7 // some cell makes a winning row
)

// The patterns of the second evaluator.
const (
	noPattern = iota
	half2
	broken2
	open2
	half3
	broken3
	open3
	half4
	open4
	full5
	patterns
)

// lineInfo is what a search needs to know of a line, all that depends on
// nothing but its content.
type lineInfo struct {
	// facts has a byte for each shape, won and threat: 1 where the line holds
	// it for the side. Added over lines, it counts them: 130 lines at most.
	facts [2]uint64
	// kind tells the largest pattern, by side.
	kind [2]uint8
	// promise tells for each empty cell what a stone there starts from: black's
	// in the low four bits, white's in the high. See promise.
	promise [MaxSize]uint8
	// makes has the cells that complete a winning row, by side.
	makes [2]uint32
}

// cells of a line, by side + 1; 0 is empty.
type content struct {
	cell   [MaxSize]uint8
	length int
	stones [2]uint32
	empty  uint32
}

func decode(code uint64) (c content) {
	var digit [MaxSize]uint8
	for ; code > 1; code /= 3 {
		digit[c.length] = uint8(code % 3)
		c.length++
	}
	c.cell = digit
	for i := range c.length {
		if d := digit[i]; d == 0 {
			c.empty |= 1 << i
		} else {
			c.stones[d-1] |= 1 << i
		}
	}
	return c
}

// analyse works out a line. Patterns are costly and only looked for on demand.
func analyse(code uint64, exactFive, withPatterns bool) (info lineInfo) {
	c := decode(code)
	for i := range c.length {
		if side := c.cell[i]; side != 0 {
			info.facts[side-1] |= factBit(c.shape(i, 1)) | factBit(c.shape(i, -1))
		}
	}
	for side, own := range c.stones {
		if hasRow(own, exactFive) {
			info.facts[side] |= factBit(won)
		}
		info.makes[side] = completions(own, c.empty, exactFive)
		if info.makes[side] != 0 {
			info.facts[side] |= factBit(threat)
		}
		if withPatterns {
			info.kind[side] = c.pattern(side, exactFive)
		}
		c.promises(side, &info)
	}
	return info
}

// factBit returns the bit of a fact in lineInfo.facts; none for -1.
func factBit(fact int) uint64 {
	if fact < 0 {
		return 0
	}
	return 1 << (8 * fact)
}

// shape is the source's get_score for the stone at i in one direction: the
// shape it sees, or -1.
func (c *content) shape(i, step int) int {
	own := c.cell[i]
	total, gap, front := 0, false, false
walk:
	for k := range 5 {
		j := i + step*k
		if j < 0 || j >= c.length {
			front = true
			break
		}
		switch here := c.cell[j]; {
		case here == own:
			total++
		case gap:
			break walk // a second gap or an opponent behind the gap does not block
		case here == 0:
			gap = true
		default:
			front = true
			break walk
		}
	}
	j := i - step
	back := j < 0 || j >= c.length || c.cell[j] == 3-own
	if front && back {
		return -1
	}
	live := !front && !back
	switch {
	case total == 2 && live:
		return live2
	case total == 3 && !live:
		return dead3
	case total == 3:
		return live3
	case total == 4 && !live:
		return dead4
	case total == 4:
		return live4
	case total == 5:
		return five
	}
	return -1
}

// hasRow reports whether a set of stones on a line wins.
func hasRow(own uint32, exactFive bool) bool { return rows(own, exactFive) != 0 }

// rows returns the first cells of winning rows: of five stones, or of exactly
// five.
func rows(own uint32, exactFive bool) uint32 {
	r := own & (own >> 1) & (own >> 2) & (own >> 3) & (own >> 4)
	if exactFive {
		r &^= own<<1 | own>>5
	}
	return r
}

// completions returns the empty cells where one more stone wins.
func completions(own, empty uint32, exactFive bool) (cells uint32) {
	if bits.OnesCount32(own) < 4 {
		return 0
	}
	for rest := empty; rest != 0; rest &= rest - 1 {
		c := rest & -rest
		if hasRow(own|c, exactFive) && !hasRow(own, exactFive) {
			cells |= c
		}
	}
	return cells
}

// promises fills in, for each empty cell, the windows of five through it
// without an opponent: 0 if there are none, else 3*k + min(m, 3) where k is the
// most own stones in one of them, 0 to 4, and m how many have so many.
func (c *content) promises(side int, info *lineInfo) {
	var most, many [MaxSize]uint8
	const window = 1<<5 - 1
	for i := 0; i+5 <= c.length; i++ {
		if c.stones[1-side]>>i&window != 0 {
			continue
		}
		k := uint8(bits.OnesCount32(c.stones[side]>>i&window)) + 1
		for j := i; j < i+5; j++ {
			switch {
			case k > most[j]:
				most[j], many[j] = k, 1
			case k == most[j] && many[j] < 3:
				many[j]++
			}
		}
	}
	for j := range c.length {
		if c.cell[j] == 0 && most[j] > 0 {
			info.promise[j] |= (3*(most[j]-1) + many[j]) << (4 * side)
		}
	}
}

// pattern returns the largest pattern of a side on the line, by the threats it
// makes (a four threatens to win, a three to make an open four, a two to make
// an open three):
//
//	full5    a winning row
//	open4    two cells or more that win
//	half4    one cell that wins, the stones in a row or not
//	open3    two cells or more that make an open4; broken3: one
//	half3    none, but a cell that makes a half4
//	open2    a cell that makes an open3; broken2: only a broken3
//	half2    none, but a cell that makes a half3
func (c *content) pattern(side int, exactFive bool) uint8 {
	return grade(c.stones[side], c.empty, exactFive, 2)
}

// grade looks at most so many stones ahead: a three is one from a four, a two is
// two.
func grade(own, empty uint32, exactFive bool, ahead int) uint8 {
	if hasRow(own, exactFive) {
		return full5
	}
	most, near := windows(own, own|empty, exactFive)
	if most >= 4 {
		if n := bits.OnesCount32(completions(own, empty, exactFive)); n >= 2 {
			return open4
		} else if n == 1 {
			return half4
		}
	}
	if most < 2 || ahead == 0 {
		return noPattern
	}
	switch made, cells := nextPattern(own, empty, near, exactFive, ahead-1); {
	case made == open4 && cells >= 2:
		return open3
	case made == open4:
		return broken3
	case made == half4:
		return half3
	case made == open3:
		return open2
	case made == broken3:
		return broken2
	case made == half3:
		return half2
	}
	return noPattern
}

// windows returns the most own stones in a window of five without an opponent,
// and the cells of the windows that have so many: no other cell can make more
// of them. Where six in a row do not win, such a window may be worth nothing,
// and all with two or more count. line has the cells that are on the board and
// not the opponent's.
func windows(own, line uint32, exactFive bool) (most int, near uint32) {
	for i := 0; line>>i != 0; i++ {
		w := uint32(1<<5-1) << i
		if line&w != w {
			continue
		}
		n := bits.OnesCount32(own & w)
		if n > most {
			most = n
			if !exactFive {
				near = 0
			}
		}
		if n == most || exactFive && n >= 2 {
			near |= w
		}
	}
	return most, near
}

// nextPattern returns the largest pattern that one more stone in near makes, and
// how many cells make it.
func nextPattern(own, empty, near uint32, exactFive bool, ahead int) (made uint8, cells int) {
	for rest := empty & near; rest != 0; rest &= rest - 1 {
		c := rest & -rest
		switch k := grade(own|c, empty&^c, exactFive, ahead); {
		case k > made:
			made, cells = k, 1
		case k == made:
			cells++
		}
	}
	return made, cells
}

// pool keeps the lines met so far, so that each is analysed once. It depends on
// no weights.
type pool struct {
	exactFive    bool
	withPatterns bool
	infos        []lineInfo
	index        []uint64 // open addressing; code<<poolBits | id+1
	shift        uint
}

const (
	poolBits  = 64 - codeBits // of an id
	poolStart = 1 << 13       // slots of the first index
	poolLimit = 1 << 16       // lines from which on it is emptied between two moves
)

func newPool(exactFive bool) *pool {
	p := &pool{exactFive: exactFive}
	p.reset()
	return p
}

// reset forgets all lines and keeps the memory.
func (p *pool) reset() {
	if p.index == nil {
		p.index = make([]uint64, poolStart)
		p.infos = make([]lineInfo, 0, poolStart/2)
	}
	clear(p.index)
	p.infos = p.infos[:0]
	p.shift = uint(64 - bits.TrailingZeros(uint(len(p.index))))
}

// full reports whether it is time to forget the lines, which a caller may do
// when it can look its own up again.
func (p *pool) full() bool { return len(p.infos) >= poolLimit }

func (p *pool) slot(code uint64) uint64 { return code * 0x9e3779b97f4a7c15 >> p.shift }

// find returns the id of a line, analysing it at its first time.
func (p *pool) find(code uint64) uint32 {
	mask := uint64(len(p.index) - 1)
	i := p.slot(code)
	for ; p.index[i] != 0; i = (i + 1) & mask {
		if p.index[i]>>poolBits == code {
			return uint32(p.index[i]&(1<<poolBits-1)) - 1
		}
	}
	return p.add(code, i)
}

func (p *pool) add(code, i uint64) uint32 {
	id := uint32(len(p.infos))
	p.infos = append(p.infos, analyse(code, p.exactFive, p.withPatterns))
	p.index[i] = code<<poolBits | uint64(id+1)
	if 2*len(p.infos) > len(p.index) {
		p.grow()
	}
	return id
}

// grow doubles the index. Ids stay.
func (p *pool) grow() {
	old := p.index
	p.index = make([]uint64, 2*len(old))
	p.shift--
	mask := uint64(len(p.index) - 1)
	for _, e := range old {
		if e == 0 {
			continue
		}
		i := p.slot(e >> poolBits)
		for p.index[i] != 0 {
			i = (i + 1) & mask
		}
		p.index[i] = e
	}
}
