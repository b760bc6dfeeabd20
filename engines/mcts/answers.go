package mcts

import "selfplaylab/engines"

// checkAnswers searches every answer to the move that would be played now until it has its
// share of the playouts, by Options.Answers. Otherwise an answer that looks bad at first is
// hardly searched again, although it may win by force.
//
// Games after an answer count for it and the nodes below, but not above, so that bad answers do
// not favour the move. Proofs count up to the root. If the move is proven lost, the next best
// is checked.
func (s *Search[T, P]) checkAnswers() {
	s.check = s.found.Playouts * checkUp / checkDown
	s.makeRoom()
	for s.goToAnswers() && s.tryAnswers() {
	}
	s.above = 0
}

// goToAnswers extends the path along the moves that would be played, to the first choice of the
// other side. It reports whether there is such a node without a proven result.
func (s *Search[T, P]) goToAnswers() bool {
	us := s.begin()
	for at, turn := uint32(0), us; ; {
		n := &s.tree.nodes[at]
		switch {
		case n.first == 0 || n.result != engines.Ongoing:
			return false
		case turn != us && n.count > 1:
			s.above = len(s.path)
			return s.tree.unvisited(n) == 0 // an unvisited child means that it is not fully expanded
		}
		best, _ := s.best(s.tree.children(n), turn)
		at = n.first + uint32(best)
		turn = s.enter(at)
	}
}

// tryAnswers searches all moves at the end of the path. refuted reports that one is proven
// best, so that the path is refuted.
func (s *Search[T, P]) tryAnswers() (refuted bool) {
	s.probe = s.here
	at := s.path[len(s.path)-1].node
	n := s.tree.nodes[at]
	share := uint32(s.opt.Answers * float64(s.found.Playouts))
	for child := n.first; child < n.first+uint32(n.count); child++ {
		for s.tree.nodes[child].visits < share && s.tree.nodes[child].result == engines.Ongoing {
			if s.spent() || s.tree.full(most) {
				return false
			}
			s.here, s.path = s.probe, s.path[:s.above]
			s.descendFrom(child, s.enter(child))
			if s.tree.nodes[at].result != engines.Ongoing {
				return true
			}
		}
	}
	return false
}
