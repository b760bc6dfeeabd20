package mcts

import "selfplaylab/engines"

const (
	// rootShare is the part of a limit that goes into solving the root.
	rootShare = 8
	// leafMost is how many positions are visited to solve a leaf.
	leafMost = 1024
	// exactCost is how many solver positions cost as much as a playout.
	exactCost = 4
	// rootRate is the assumed speed of a Solver, in positions per second, if only the
	// clock limits it.
	rootRate = 4_000_000
)

// Ends sets the solver for Options.Ending and Options.Fours; make is called once for
// every tree.
func (s *Search[T, P]) Ends(make func() Solver[T]) {
	s.makeEnder = make
	for _, b := range append(s.beside, s) {
		b.ender, b.stop = make(), b.late
	}
}

// solves reports whether a Solver is in use.
func (s *Search[T, P]) solves() bool {
	return (s.opt.Ending || s.opt.Fours) && s.opt.Solver && s.ender != nil
}

// late reports whether the solver must give up.
func (s *Search[T, P]) late() bool {
	return s.budget.ctx.Err() != nil || s.budget.clock.Over()
}

// affords returns how many positions the solver may visit: most, or fewer if the
// limits leave less.
func (s *Search[T, P]) affords(most int64) int64 {
	if b := &s.budget; b.playouts > 0 {
		most = min(most, exactCost*(b.playouts-s.found.Playouts)-s.found.Exact)
	}
	if b := &s.budget; b.nodes > 0 {
		most = min(most, exactCost*(b.nodes-s.found.Nodes-b.idle)-s.found.Exact)
	}
	return max(most, 0)
}

// solve asks the Solver about a position.
func (s *Search[T, P]) solve(p *T, most int64) (engines.Outcome, int) {
	o, plies, spent := s.ender.Solve(p, s.affords(most), s.stop)
	s.found.Exact += spent
	return o, plies
}

// solveLeaf solves the position at the end of the path, if that is cheap, and then
// backs its result up as that of one game.
func (s *Search[T, P]) solveLeaf(at uint32) bool {
	o, plies := s.solve(&s.here, leafMost)
	if o == engines.Ongoing {
		return false
	}
	n := &s.tree.nodes[at]
	n.result, n.plies = o, uint8(min(plies, manyPlies))
	s.backUp(1, o.Points(engines.First))
	s.path = s.path[:len(s.path)-1]
	s.settle()
	return true
}

// solveRoot solves the root, once it is expanded, and marks the moves that keep a
// win, or else those that throw a draw away. Where all is lost, nothing is marked:
// the search goes on to find the move that is hardest to answer.
func (s *Search[T, P]) solveRoot() {
	if s.aside || !s.opt.Ending {
		return // the first tree does, or the tree finds it
	}
	b := &s.budget
	most := int64(0)
	switch {
	case b.playouts > 0:
		most = exactCost * b.playouts / rootShare
	case b.nodes > 0:
		most = exactCost * b.nodes / rootShare
	default:
		most = int64(float64(s.clock.Limit().Seconds() * rootRate / rootShare))
	}
	root, turn := &s.tree.nodes[0], P(&s.root).Turn()
	if root.result != engines.Ongoing {
		return
	}
	o, plies := s.solve(&s.root, most)
	switch o {
	case engines.Ongoing:
		return
	case engines.Win(turn.Other()):
		s.loses = plies
		return
	}
	for i := range s.tree.children(root) {
		at := root.first + uint32(i)
		n := &s.tree.nodes[at]
		if n.result != engines.Ongoing {
			continue
		}
		s.child = s.root
		if P(&s.child).Play(s.tree.moves[at]); P(&s.child).Outcome() != engines.Ongoing {
			continue // marked as soon as it is visited
		}
		after, plies := s.solve(&s.child, most)
		if after == engines.Win(turn) || after == engines.Win(turn.Other()) {
			n.result, n.plies = after, uint8(min(plies, manyPlies))
		}
	}
	s.path = append(s.path[:0], step{0, turn})
	s.settle()
}
