package mcts

import "selfplaylab/engines"

// Solves sets the solver for Options.Fours. make is called once for every tree.
func (s *Search[T, P]) Solves(make func() Solver[T]) {
	s.makeSolver = make
	for _, b := range append(s.others, s) {
		b.solver = make()
	}
}

// solveLeaf searches for a proven win at the end of the path, where turn is to move, and backs
// it up as the result of one game. It reports whether there is a proven win.
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
