package mcts

import (
	"slices"

	"selfplaylab/engines"
)

// maxLine bounds the length of a variation, in plies.
const maxLine = 32

// PVs returns up to count best moves at the root after Run, the chosen one first, without moves
// that have no visit. A variation follows the tree to its end by the moves that would be
// played.
func (s *Search[T, P]) PVs(count int) []engines.PV {
	root := &s.tree.nodes[0]
	children := s.tree.children(root)
	if len(s.others) > 0 {
		children = s.merge()
	}
	turn := P(&s.root).Turn()
	var lines []engines.PV
	for _, i := range s.ranking(children, turn) {
		c := children[i]
		if r := s.rate(c, turn); r.class >= 0 && len(lines) < count {
			lines = append(lines, engines.PV{
				Moves: s.lineBelow(root.first + uint32(i)), Score: r.winRate(), Mate: mate(engines.Win(turn.Other()), c, turn), Visits: int64(c.visits),
			})
		}
	}
	return lines
}

// ranking returns the indices of children, best first, in the order of judge.
func (s *Search[T, P]) ranking(children []node, turn engines.Side) []int {
	order := make([]int, len(children))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := s.rate(children[i], turn), s.rate(children[j], turn)
		switch {
		case a.beats(b, s.opt.Final):
			return -1
		case b.beats(a, s.opt.Final):
			return 1
		}
		return 0
	})
	return order
}

// lineBelow returns the move into a child of the root and its continuation in the first tree.
func (s *Search[T, P]) lineBelow(at uint32) []engines.Move {
	line := []engines.Move{s.tree.moves[at]}
	s.child = s.root
	P(&s.child).Play(line[0])
	for n := s.tree.nodes[at]; n.first != 0 && len(line) < maxLine; n = s.tree.nodes[at] {
		children, turn := s.tree.children(&n), P(&s.child).Turn()
		best, standing := s.best(children, turn)
		if standing.class < 0 {
			break
		}
		at = n.first + uint32(best)
		line = append(line, s.tree.moves[at])
		P(&s.child).Play(s.tree.moves[at])
	}
	return line
}
