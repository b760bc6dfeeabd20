package quoridor

import "selfplaylab/engines"

// decision holds all numbers of a greedy decision.
type decision struct {
	move   engines.Move
	wall   engines.Move // the best legal wall, 0 if none
	m, e   int          // shortest paths before the wall
	m2, e2 int          // lengths of the shortest paths after it
	s1, s2 float64
	floods int
}

// decide chooses for the side to move, which must have a legal move or pass.
func (p *player) decide(b *Board, horizontalFirst bool) decision {
	s := scan{p: p, b: b, my: &p.my, their: &p.their, me: b.turn, mySq: int(b.pawn[b.turn]), enemySq: int(b.pawn[b.turn^1]),
		horizontalFirst: horizontalFirst}
	d := decision{}
	s.paths()
	d.m, d.e = s.m, s.e
	step := s.step()
	if step == 0 || !arrives(b.turn, step) {
		if b.walls[b.turn] > 0 {
			d.wall, d.m2, d.e2 = s.bestWall()
		}
	}
	d.floods = s.floods
	if d.wall != 0 {
		d.s1, d.s2 = p.scores(d.m, d.e, d.m2, d.e2, int(b.walls[b.turn]), int(b.walls[b.turn^1]))
	}
	switch {
	case d.wall != 0 && (step == 0 || d.s1 < d.s2):
		d.move = d.wall
	case step != 0:
		d.move = step
	default:
		d.move = pass
	}
	return d
}

// scores returns s1 and s2.
// Every product is converted explicitly, because a product
// fused into the sum, as on some processors, flips ties.
func (p *player) scores(m, e, m2, e2, mb, eb int) (s1, s2 float64) {
	w := &p.w
	s1 = float64(w[aE]*float64(e)) + float64(w[aEB]*float64(eb)) - float64(w[aM]*float64(m)) - float64(w[aMB]*float64(mb))
	s2 = float64(w[bE]*float64(e2)) - float64(w[bEB]*float64(eb)) - float64(w[bM]*float64(m2)) +
		float64(w[bMB]*float64(mb-1)) + float64(w[bGain]*float64(e2-e))
	dM, dE, behind := m2-m, e2-e, float64(m-e)
	if dM > dE {
		s1 += w[selfharmBonus]
	}
	if float64(m) < w[rushDist] && m < e {
		s1 += w[rushBonus]
	}
	if float64(e) < w[panicDist] && m >= e {
		s2 += w[panicBonus]
	}
	if behind > w[behind2Margin] {
		s2 += w[behind2Bonus]
	} else if behind > w[behind1Margin] {
		s2 += w[behind1Bonus]
	}
	if behind > w[behind4Margin] && dM <= dE {
		s2 += w[behind4Bonus]
	}
	if float64(dM)+w[gainMargin] < float64(dE) {
		s2 += w[gainBonus]
	}
	if dM <= dE && behind > w[behind3Margin] {
		s2 += w[behind3Bonus]
	}
	return s1, s2
}

// arrives reports whether pawn move m of a side reaches its goal.
func arrives(side engines.Side, m engines.Move) bool {
	return goal[side].has(bit[index(m)])
}
