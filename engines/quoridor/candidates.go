package quoridor

import (
	"cmp"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// weighed is a wall that the greedy player may set, with the lengths of both paths after it.
type weighed struct {
	m      engines.Move
	m2, e2 int
	order  int
}

// candidates returns the moves that the greedy player
// weighs, its choice first: its step and all legal walls.
// Walls that lengthen the opponent's path most and the own path least come first.
// score_2 is the worth of a wall, and score_1 the worth of the step against the best wall.
func candidates(standard bool, position string, moves []engines.Move, v params.Vector, most int) ([]engines.Candidate, error) {
	p, at, err := playerAt(standard, position, moves, v)
	if err != nil {
		return nil, err
	}
	if p.w[look] == 1 {
		return nil, nil // the look-ahead weighs nothing by these formulas
	}
	b := &at
	first := p.horizontalFirst(len(moves))
	d := p.decide(b, first)
	list := []engines.Candidate{}
	add := func(m engines.Move, m2, e2, s1, s2 any) {
		c := engines.Candidate{Move: m}
		for i, name := range []string{"M2", "E2", "score_1", "score_2"} {
			c.Terms = append(c.Terms, engines.Term{Name: name, Value: []any{m2, e2, s1, s2}[i], Doc: meanings[name]})
		}
		list = append(list, c)
	}
	addWall := func(w weighed) {
		s1, s2 := p.scores(d.m, d.e, w.m2, w.e2, int(b.walls[b.turn]), int(b.walls[b.turn^1]))
		add(w.m, w.m2, w.e2, s1, s2)
	}
	walls := p.weighWalls(b, first)
	if d.wall != 0 && d.move == d.wall {
		addWall(walls[0])
		walls = walls[1:]
	}
	s := scan{p: p, b: b, my: &p.my, their: &p.their, me: b.turn, mySq: int(b.pawn[b.turn]), enemySq: int(b.pawn[b.turn^1]),
		horizontalFirst: first}
	s.paths()
	if step := s.step(); step != 0 {
		if d.wall != 0 {
			add(step, nil, nil, d.s1, nil)
		} else {
			add(step, nil, nil, nil, nil) // no wall competes with the step
		}
	}
	for _, w := range walls {
		if len(list) >= most {
			break
		}
		addWall(w)
	}
	if len(list) == 0 {
		add(d.move, nil, nil, nil, nil)
	}
	return list[:min(len(list), max(most, 1))], nil
}

// weighWalls measures every legal wall, in the order of the player's preference.
func (p *player) weighWalls(b *Board, horizontalFirst bool) (list []weighed) {
	if b.walls[b.turn] == 0 {
		return nil
	}
	for _, m := range b.Moves(nil) {
		if kind(m) == pawnMove || m == pass {
			continue
		}
		behind := *b
		behind.Play(m)
		s := scan{p: p, b: &behind, my: &p.my, their: &p.their, me: b.turn, mySq: int(b.pawn[b.turn]), enemySq: int(b.pawn[b.turn^1]),
			horizontalFirst: horizontalFirst}
		s.paths()
		if s.m < unreachable && s.e < unreachable {
			list = append(list, weighed{m, s.m, s.e, s.order(m)})
		}
	}
	slices.SortFunc(list, func(a, c weighed) int {
		return cmp.Or(cmp.Compare(c.e2-c.m2, a.e2-a.m2), cmp.Compare(a.order, c.order))
	})
	return list
}
