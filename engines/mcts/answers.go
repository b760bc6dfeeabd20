package mcts

import "selfplaylab/engines"

const (
	// firstCheck is how many playouts a search has had when it first looks at answers.
	firstCheck = 256
	// A search that has had 5 playouts for every 4 at the last check looks again.
	checkUp, checkDown = 5, 4
)

// checkAnswers looks at every answer to the move that would be played now until it has
// had its share of the playouts, by Options.Answers: an answer that looks bad at first is
// hardly looked at again, though it may be the one that wins by force. Games after
// an answer count for it and what is below, and no further up, so that bad answers
// speak for no move; what is proven counts up to the root. If the move is proven lost,
// the next best is looked at.
func (s *Search[T, P]) checkAnswers() {
	s.check = s.found.Playouts * checkUp / checkDown
	s.makeRoom()
	for s.goToAnswers() && s.tryAnswers() {
	}
	s.above = 0
}

// goToAnswers goes to where the other side first has a choice after the moves that would
// be played. It reports whether there is such a node, with nothing proven.
func (s *Search[T, P]) goToAnswers() bool {
	us := s.begin()
	for at, turn := uint32(0), us; ; {
		n := &s.tree.nodes[at]
		switch {
		case n.first == 0 || n.result != engines.Ongoing:
			return false
		case turn != us && n.count > 1:
			s.above = len(s.path)
			return s.tree.unvisited(n) == 0 // else it is still being expanded
		}
		best, _ := s.best(s.tree.children(n), turn)
		at = n.first + uint32(best)
		turn = s.enter(at)
	}
}

// tryAnswers looks at all moves at the end of the path. It reports whether one of them
// is proven to be the right one, so that the path is no longer what would be played.
func (s *Search[T, P]) tryAnswers() (refuted bool) {
	s.asked = s.here
	at := s.path[len(s.path)-1].node
	n := s.tree.nodes[at]
	share := uint32(s.opt.Answers * float64(s.found.Playouts))
	for child := n.first; child < n.first+uint32(n.count); child++ {
		for s.tree.nodes[child].visits < share && s.tree.nodes[child].result == engines.Ongoing {
			if s.spent() || s.tree.full(most) {
				return false
			}
			s.here, s.path = s.asked, s.path[:s.above]
			s.descendFrom(child, s.enter(child))
			if s.tree.nodes[at].result != engines.Ongoing {
				return true
			}
		}
	}
	return false
}
