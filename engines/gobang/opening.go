package gobang

import (
	"math/bits"
	"math/rand/v2"

	"selfplaylab/engines"
)

// Openings are random stones near the centre.
// An opening is accepted if it is quiet (nobody has a four or an open three)
// and fair: the side not to move has the better twos in return for the move.
// At their default scores its patterns must lead by minLead to maxLead, about one open two.
// Random stones without this rule favour the first player.
const (
	minLead = 40
	maxLead = 110

	// openingStones bounds the stones drawn in the search for an opening,
	// about 220 draws of eight stones; one draw in six is accepted.
	// After that the opening is the quiet draw nearest to the lead, or else the first draw.
	openingStones = 2000
)

// opening draws an opening of the given number of plies, at most half the cells of the board.
func (v variant) opening(r *rand.Rand, plies int) engines.Opening {
	plies = max(0, min(plies, v.size*v.size/2))
	var best engines.Opening
	least := -1
	draws := openingStones/(plies+1) + 1
	if plies < 3 { // no side has two stones in a line, so all draws are alike
		draws = 1
	}
	for ; draws > 0 && least != 0; draws-- {
		s, moves := v.draw(r, plies)
		miss, quiet := s.unfairness()
		if !quiet {
			miss = 1 << 30
		}
		if least < 0 || miss < least {
			best, least = engines.Opening{Moves: moves}, miss
		}
	}
	return best
}

// draw puts random stones in a square about the centre with nine cells a stone.
// Black's first stone lies in the ring where the rules require it.
// Nobody wins by these stones.
func (v variant) draw(r *rand.Rand, plies int) (state, []engines.Move) {
	width := 1
	for width < v.size && width*width < 9*plies {
		width++
	}
	var middle grid
	low := (v.size - width) / 2
	for x := low; x < low+width; x++ {
		middle[x] = (1<<width - 1) << low
	}
	s := newState(v)
	moves := make([]engines.Move, 0, plies)
	for len(moves) < plies {
		list := s.allowed()
		if !v.ring || len(moves) > 0 {
			list.intersect(middle)
		}
		m := s.drawMove(r, list.appendMoves(nil))
		if m == 0 {
			break
		}
		s.Play(m)
		moves = append(moves, m)
	}
	return s, moves
}

// drawMove draws one of the moves that do not end the game; 0 if there is none. It reorders list.
func (s *state) drawMove(r *rand.Rand, list []engines.Move) engines.Move {
	for len(list) > 0 {
		i := r.IntN(len(list))
		next := *s
		if next.Play(list[i]); next.outcome == engines.Ongoing {
			return list[i]
		}
		list[i] = list[len(list)-1]
		list = list[:len(list)-1]
	}
	return 0
}

// unfairness returns the distance of the lead of the side not to
// move from minLead..maxLead, and whether the position is quiet.
func (s *state) unfairness() (miss int, quiet bool) {
	var kinds [2]uint8
	var score [2]int
	defaults := space.Default()
	for _, l := range s.lines() {
		info := analyse(l, s.rules.exactFive, true)
		for side, kind := range info.kind {
			kinds[side] = max(kinds[side], kind)
			if kind != noPattern && kind <= half3 {
				score[side] += int(defaults[pHalf2+int(kind)-half2])
			}
		}
	}
	lead := score[s.turn.Other()] - score[s.turn]
	return max(minLead-lead, lead-maxLead, 0), max(kinds[0], kinds[1]) <= half3
}

// lines returns the lines with two stones of a side or more.
func (s *state) lines() (list []line) {
	geo := geometryOf(s.rules.size)
	lines := geo.empty
	for side := range s.stones {
		for _, m := range s.stones[side].appendMoves(nil) {
			for _, l := range geo.through[cellOf(m)] {
				lines[l.line] ^= stoneBit(engines.Side(side), l.pos)
			}
		}
	}
	for _, l := range lines[:geo.lines] {
		if stones := l.stones(); max(bits.OnesCount32(stones[black]), bits.OnesCount32(stones[white])) > 1 {
			list = append(list, l)
		}
	}
	return list
}
