package mcts

import "selfplaylab/engines"

const (
	// leafMost is how many positions are visited to solve a leaf.
	leafMost = 1024
	// exactCost is how many solver positions cost as much as a playout.
	exactCost = 4
)

// Solves sets the solver for Options.Fours; make is called once for every tree.
func (s *Search[T, P]) Solves(make func() Solver[T]) {
	s.makeSolver = make
	for _, b := range append(s.others, s) {
		b.solver = make()
	}
}

// solves reports whether a Solver is in use.
func (s *Search[T, P]) solves() bool { return s.opt.Fours && s.opt.Solver && s.solver != nil }

// affords returns how many positions the solver may visit: leafMost, or fewer if the
// limits leave less.
func (s *Search[T, P]) affords() int64 {
	most := int64(leafMost)
	if b := &s.budget; b.playouts > 0 {
		most = min(most, exactCost*(b.playouts-s.found.Playouts)-s.found.Exact)
	}
	if b := &s.budget; b.nodes > 0 {
		most = min(most, exactCost*(b.nodes-s.found.Nodes-b.idle)-s.found.Exact)
	}
	return max(most, 0)
}

// solveLeaf looks for a proven win at the end of the path, whose side to move is turn,
// and backs it up as the result of one game.
func (s *Search[T, P]) solveLeaf(at uint32, turn engines.Side) bool {
	plies, spent := s.solver.Wins(&s.here, s.affords())
	s.found.Exact += spent
	if plies == 0 {
		return false
	}
	n := &s.tree.nodes[at]
	n.result, n.plies = engines.Win(turn), uint8(min(plies, manyPlies))
	s.backUp(1, n.result.Points(engines.First))
	s.path = s.path[:len(s.path)-1]
	s.settle()
	return true
}
