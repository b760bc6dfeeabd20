package mcts

import (
	"context"

	"selfplaylab/engines"
)

// Run searches from the root and adds to the tree. A limit of zero is no limit; without limits
// other than depth, defaultPlayouts applies. Equal seeds, limits and trees give equal results.
// At the end of a game the result has no move. If ctx ends, the result so far is returned.
func (s *Search[T, P]) Run(ctx context.Context, seed uint64, limits engines.Limits) Result {
	if P(&s.root).Outcome() != engines.Ongoing {
		return Result{}
	}
	if len(s.others) == 0 {
		s.grind(ctx, seed, limits)
		s.judge(&s.tree.nodes[0], s.tree.children(&s.tree.nodes[0]))
		return s.found
	}
	return s.runAll(ctx, seed, limits)
}

// Children returns the results of each move at the root, in the order of the game's moves, as a
// new list; nil before the first Run.
func (s *Search[T, P]) Children() []Child {
	root := &s.tree.nodes[0]
	if root.first == 0 {
		return nil
	}
	turn := P(&s.root).Turn()
	children := s.tree.children(root)
	if len(s.others) > 0 {
		children = s.merge()
	}
	var list []Child
	for i, c := range children {
		r := s.rate(c, turn)
		list = append(list, Child{
			Move:    s.tree.moves[root.first+uint32(i)],
			Visits:  int64(c.visits),
			WinRate: r.winRate(),
			Proven:  c.result,
		})
	}
	return list
}
