package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

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

// line is the content of a row, column or diagonal: the cells of black's stones
// from bit 0, of white's from bit maxSize, and the length above.
type line uint64

const lengthShift = 2 * maxSize

func emptyLine(length int) line { return line(length) << lengthShift }

// stoneBit is what a stone adds to a line.
func stoneBit(side engines.Side, pos uint8) line { return 1 << (pos + maxSize*uint8(side)) }

func (l line) length() int { return int(l >> lengthShift) }

func (l line) stones() [2]uint32 {
	return [2]uint32{uint32(l) & (1<<maxSize - 1), uint32(l>>maxSize) & (1<<maxSize - 1)}
}

// free returns the cells without a stone.
func (l line) free() uint32 {
	s := l.stones()
	return (1<<l.length() - 1) &^ (s[black] | s[white])
}

// lineInfo is what a search needs to know of a line, all that depends on
// nothing but its content. 64 bytes.
type lineInfo struct {
	line line
	// facts has a byte for each shape, won and threat: 1 where the line holds
	// it for the side. Added over lines, it counts them: 130 lines at most.
	facts [2]uint64
	// makes has the cells that complete a winning row, by side.
	makes [2]uint32
	// kind tells the largest pattern, by side.
	kind [2]uint8
	// promise tells for each empty cell what a stone there starts from: black's
	// in the low four bits, white's in the high. Only ordering needs it, so it is
	// filled in at the first use, and promised then set. See promises.
	promise  [maxSize]uint8
	promised bool
}

// analyse works out a line. Patterns are costly and only looked for on demand.
func analyse(l line, exactFive, withPatterns bool) lineInfo {
	info := lineInfo{line: l}
	free := l.free()
	for side, own := range l.stones() {
		facts := l.shapes(engines.Side(side))
		if hasRow(own, exactFive) {
			facts |= factBit(won)
		}
		if info.makes[side] = completions(own, free, exactFive); info.makes[side] != 0 {
			facts |= factBit(threat)
		}
		if withPatterns {
			info.kind[side] = grade(own, free, exactFive, 2)
		}
		info.facts[side] = facts
	}
	return info
}

// factBit returns the bit of a fact in lineInfo.facts.
func factBit(fact int) uint64 { return 1 << (8 * fact) }

// shapes returns the facts of all shapes that the stones of a side see.
func (l line) shapes(side engines.Side) (facts uint64) {
	s, n := l.stones(), l.length()
	own, foe := s[side], s[side.Other()]
	if own&(own-1) == 0 {
		return 0 // one stone sees nothing
	}
	ownBack, foeBack := bits.Reverse32(own)>>(32-n), bits.Reverse32(foe)>>(32-n)
	for rest := own; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		facts |= view(own, foe, i, n) | view(ownBack, foeBack, n-1-i, n)
	}
	return facts
}

// seen returns the shapes that the one stone at pos sees.
func (l line) seen(side engines.Side, pos int) uint64 {
	s, n := l.stones(), l.length()
	own, foe := s[side], s[side.Other()]
	return view(own, foe, pos, n) | view(bits.Reverse32(own)>>(32-n), bits.Reverse32(foe)>>(32-n), n-1-pos, n)
}

// view is the source's get_score for the stone at i toward higher bits: the fact
// of the shape it sees, or 0. n is the length of the line.
func view(own, foe uint32, i, n int) uint64 {
	blocked := uint32(1) // behind
	if i > 0 {
		blocked = foe >> (i - 1) & 1
	}
	return views[blocked][min(n-i, 5)-1][own>>(i+1)&15][foe>>(i+1)&15]
}

// views tabulates view: by whether the cell behind is off the board or the
// opponent's, the cells on the board from the stone on, less one, at most four,
// and the own and opposing stones among the four in front.
var views = func() (t [2][5][16][16]uint64) {
	for back := range t {
		for more := range t[back] {
			for own := range uint32(16) {
				for foe := range uint32(16) {
					if k := walk(own<<1|1, foe<<1, more+1, back == 1); k >= 0 {
						t[back][more][own][foe] = factBit(k)
					}
				}
			}
		}
	}
	return t
}()

// walk goes over up to five cells from a stone, the first cells of which are on the
// board, and returns the shape it sees, or -1. back reports that the cell behind the
// stone blocks.
func walk(own, foe uint32, cells int, back bool) int {
	total, gap, front := 0, false, false
steps:
	for j := range 5 {
		switch {
		case j >= cells:
			front = true
			break steps
		case own>>j&1 != 0:
			total++
		case gap:
			break steps // a second gap or an opponent behind the gap does not block
		case foe>>j&1 == 0:
			gap = true
		default:
			front = true
			break steps
		}
	}
	live := !front && !back
	switch {
	case front && back:
		return -1
	case total == 2 && live:
		return live2
	case total == 3 && live:
		return live3
	case total == 3:
		return dead3
	case total == 4 && live:
		return live4
	case total == 4:
		return dead4
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
// largest number of own stones in one of them, 0 to 4, and m how many windows have k.
func (l *lineInfo) promises() {
	l.promised = true
	stones, free, n := l.line.stones(), l.line.free(), l.line.length()
	const window = 1<<5 - 1
	for side := range stones {
		own, foe := stones[side], stones[1-side]
		var most, many [maxSize]uint8
		for i := 0; i+5 <= n; i++ {
			if foe>>i&window != 0 {
				continue
			}
			k := uint8(bits.OnesCount32(own>>i&window)) + 1
			for j := i; j < i+5; j++ {
				switch {
				case k > most[j]:
					most[j], many[j] = k, 1
				case k == most[j] && many[j] < 3:
					many[j]++
				}
			}
		}
		for j := range n {
			if free>>j&1 != 0 && most[j] > 0 {
				l.promise[j] |= (3*(most[j]-1) + many[j]) << (4 * side)
			}
		}
	}
}

// grade returns the largest pattern of stones on a line with free cells, by the
// threats they make (a four threatens to win, a three to make an open four, a two
// to make an open three):
//
//	full5    a winning row
//	open4    two cells or more that win
//	half4    one cell that wins, the stones in a row or not
//	open3    two cells or more that make an open4; broken3: one
//	half3    none, but a cell that makes a half4
//	open2    a cell that makes an open3; broken2: only a broken3
//	half2    none, but a cell that makes a half3
//
// It looks ahead stones ahead: a three is one from a four, a two is two.
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

// windows returns the largest number of own stones in a window of five without an
// opponent, and the cells of the windows with that number: no other cell can make more
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
	// nexts tells for each line and stone, by its bit in the line, the id of the line
	// with it; 0 where it must be looked up, as for the line whose id that is.
	nexts [][2 * maxSize]uint32
	// index finds a line by open addressing: a tag of its hash above the id + 1.
	index []uint64
	shift uint
}

const (
	idBits    = 28
	poolStart = 1 << 13 // slots of the first index
	poolLimit = 1 << 15 // lines from which on it is emptied between two moves
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
		p.nexts = make([][2 * maxSize]uint32, 0, poolStart/2)
	}
	clear(p.index)
	p.infos, p.nexts = p.infos[:0], p.nexts[:0]
	p.shift = uint(64 - bits.TrailingZeros(uint(len(p.index))))
}

// full reports whether it is time to forget the lines, which a caller may do
// when it can look its own up again.
func (p *pool) full() bool { return len(p.infos) >= poolLimit }

// hash scatters lines (Fibonacci hashing): the slot is its top bits.
func hash(l line) uint64 { return uint64(l) * 0x9e3779b97f4a7c15 }

// find returns the id of a line, analysing it at its first time.
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

// next returns the id of the line that has one stone more than that of id: l, by its
// place in nexts. Each is looked up once; after that, a hash and a probe are saved.
func (p *pool) next(id uint32, stone int, l line) uint32 {
	if n := p.nexts[id][stone]; n != 0 {
		return n
	}
	n := p.find(l)
	p.nexts[id][stone] = n
	return n
}

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

// grow doubles the index. Ids stay.
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
