package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// The shapes with a score in the source's get_score, in the order of their parameters.
const (
	live2 = iota
	dead3
	live3
	dead4
	live4
	five
	shapes // the number of shapes

	// Two more facts, counted with the shapes.
	won    = 6 // there is a winning row
	threat = 7 // some cell makes a winning row
)

// line is the content of a row, column or diagonal: black's stones from
// bit 0, white's from bit maxSize, and the length from bit lengthShift.
type line uint64

const lengthShift = 2 * maxSize

// emptyLine returns a line without a stone.
func emptyLine(length int) line { return line(length) << lengthShift }

// stoneBit returns the bit of a stone in a line.
func stoneBit(side engines.Side, pos uint8) line { return 1 << (pos + maxSize*uint8(side)) }

// length returns the number of cells.
func (l line) length() int { return int(l >> lengthShift) }

// stones returns the cells with stones, by side.
func (l line) stones() [2]uint32 {
	return [2]uint32{uint32(l) & (1<<maxSize - 1), uint32(l>>maxSize) & (1<<maxSize - 1)}
}

// free returns the cells without a stone.
func (l line) free() uint32 {
	s := l.stones()
	return (1<<l.length() - 1) &^ (s[black] | s[white])
}

// lineInfo is the analysis of a line.
// It depends on nothing but the line's content and the rules.
// It has 64 bytes.
type lineInfo struct {
	line line
	// facts has a byte for each shape, won and threat: 1 if the line has it for the side. Sums
	// over lines count the facts; a board has at most 130 lines, so a byte suffices.
	facts [2]uint64
	// makes is the set of cells that complete a winning row, by side.
	makes [2]uint32
	// kind is the largest pattern, by side; 0 if the pool has no patterns.
	kind [2]uint8
	// promise is the start that a stone on each empty cell
	// has: black's in the low four bits, white's in the high.
	// Only move ordering needs it, so promises fills it in at the first use and sets promised.
	promise  [maxSize]uint8
	promised bool
}

// analyse returns the analysis of a line. Patterns take time and are only found on demand.
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

// shapes returns the facts of all shapes seen by the stones of a side.
func (l line) shapes(side engines.Side) (facts uint64) {
	s, n := l.stones(), l.length()
	own, foe := s[side], s[side.Other()]
	if own&(own-1) == 0 {
		return 0 // a single stone has no shape
	}
	ownBack, foeBack := bits.Reverse32(own)>>(32-n), bits.Reverse32(foe)>>(32-n)
	for rest := own; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		facts |= view(own, foe, i, n) | view(ownBack, foeBack, n-1-i, n)
	}
	return facts
}

// seen returns the facts of the shapes seen by the stone at pos.
func (l line) seen(side engines.Side, pos int) uint64 {
	s, n := l.stones(), l.length()
	own, foe := s[side], s[side.Other()]
	return view(own, foe, pos, n) | view(bits.Reverse32(own)>>(32-n), bits.Reverse32(foe)>>(32-n), n-1-pos, n)
}

// view is the source's get_score for the stone at i toward higher bits: the fact of the shape
// that it sees, or 0. n is the length of the line.
func view(own, foe uint32, i, n int) uint64 {
	blocked := uint32(1) // behind
	if i > 0 {
		blocked = foe >> (i - 1) & 1
	}
	return views[blocked][min(n-i, 5)-1][own>>(i+1)&15][foe>>(i+1)&15]
}

// views tabulates view.
// Its indices are whether the cell behind blocks (off the board, or the
// opponent's), the number of cells on the board from the stone on, less one
// and at most four, and the own and opposing stones among the four in front.
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

// walk follows the source's loop over up to five cells
// from a stone and returns the shape it sees, or -1.
// The first cells of the five are on the board; back reports that the cell behind the stone blocks.
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
			break steps // by the source's rule a second gap, or an opponent behind the gap, does not block
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

// promises fills in the promise of each empty cell from the
// windows of five through it that have no opposing stone.
// It is 0 without such a window, else 3*k + min(m, 3): k is the largest number
// of own stones in one of them, 0 to 4, and m the number of windows with k.
func (l *lineInfo) promises() {
	l.promised = true
	stones := l.line.stones()
	free := l.line.free()
	n := l.line.length()
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
