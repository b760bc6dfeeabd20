package gobang

import "math/bits"

// The patterns of the second evaluator, in rising order. See grade.
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

// grade returns the largest pattern of a side's stones on a line.
// Patterns are ordered by their threats: a four threatens to win,
// a three to make an open four, a two to make an open three.
//
//	full5    a winning row
//	open4    two cells or more that win
//	half4    one cell that wins, the stones in a row or not
//	open3    two cells or more that make an open4; broken3: one
//	half3    none, but a cell that makes a half4
//	open2    a cell that makes an open3; broken2: only a broken3
//	half2    none, but a cell that makes a half3
//
// It looks ahead by the number ahead of stones: a three is one stone from a four, a two is two.
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

// nextPattern returns the largest pattern after one more
// stone in near, and the number of cells for this stone.
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

// windows returns the largest number of own stones in a window of five
// without an opponent, and the cells of the windows with this number.
// No other cell can make a larger window.
// Where six in a row do not win, a window may be worth
// nothing, so all windows with two or more stones count.
// line has the cells on the board without an opposing stone.
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

// completions returns the empty cells on which one more stone completes a winning row.
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

// hasRow reports whether a set of stones on a line holds a winning row.
func hasRow(own uint32, exactFive bool) bool { return rows(own, exactFive) != 0 }

// rows returns the first cells of winning rows: five stones, or with exactFive not more than five.
func rows(own uint32, exactFive bool) uint32 {
	r := own & (own >> 1) & (own >> 2) & (own >> 3) & (own >> 4)
	if exactFive {
		r &^= own<<1 | own>>5
	}
	return r
}
