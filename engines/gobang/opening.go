package gobang

import (
	"math/bits"
	"math/rand/v2"

	"selfplaylab/engines"
)

// Openings are random stones near the centre, taken if they are quiet (nobody
// has a four or an open three) and if the side that is not to move has the
// better twos, in return for the move: at their default scores its patterns lead
// by minLead to maxLead, about one open two.
//
// So the first player scored 0.51 over 1,000 openings of eight stones by preset
// fixed at depth 1, 0.45 over 1,500 at depth 2, 0.51 over 700 at depth 3, and
// 0.51 over 600 by preset patterns at depth 3; from random stones it scored 0.56
// to 0.74.
const (
	minLead = 40
	maxLead = 110

	// openingStones bounds the number of draws in the search for such stones. About
	// one draw of eight stones in six will do. After that the quiet draw nearest
	// to the lead is taken, and if there is none the first.
	openingStones = 2000
)

// opening draws an opening of the given number of plies, but at most half the
// board.
func (v variant) opening(r *rand.Rand, plies int) engines.Opening {
	plies = max(0, min(plies, v.size*v.size/2))
	var best engines.Opening
	least := -1
	for draws := openingStones/(plies+1) + 1; draws > 0 && least != 0; draws-- {
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

// draw puts random stones in a square about the centre that has nine cells a
// stone; black's first in the ring where the rules ask for that. Nobody wins by
// them.
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

// drawMove draws one of the moves that do not end the game; 0 if all do.
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

// unfairness tells how far the lead of the side not to move is from what it
// should be, and whether the position is quiet.
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

// lines returns the lines that hold two stones of a side or more.
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
