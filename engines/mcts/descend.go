package mcts

import (
	"fmt"
	"slices"

	"selfplaylab/engines"
)

// descend goes down from the root, expands, simulates and backs up: once in the Standard loop,
// at every step to the end of the game in the Source loop.
func (s *Search[T, P]) descend() {
	s.makeRoom()
	s.descendFrom(0, s.begin())
}

// descendFrom descends from node at, the end of the path.
func (s *Search[T, P]) descendFrom(at uint32, turn engines.Side) {
	created := s.found.Nodes
	for {
		next, fresh, ok := s.step(at, turn)
		if !ok {
			break
		}
		if fresh && (s.opt.Loop == Standard || s.spent() || s.tree.nodes[at].result != engines.Ongoing) {
			return
		}
		if next == 0 {
			next = s.tree.pick(&s.tree.nodes[at], &s.rule, turn)
		}
		if r := s.tree.nodes[next].result; r != engines.Ongoing {
			s.path = append(s.path, step{node: next})
			s.backUp(1, r.Points(engines.First))
			break
		}
		at, turn = next, s.enter(next)
	}
	s.found.Depth = max(s.found.Depth, len(s.path)-1)
	if s.found.Nodes == created {
		s.budget.idle++
	}
}

// step expands node at, the end of the path, if it must be expanded; then fresh is true. next
// is the child that was just simulated alone, or 0. ok is false if the node cannot be expanded;
// then a game from it has been backed up.
func (s *Search[T, P]) step(at uint32, turn engines.Side) (next uint32, fresh, ok bool) {
	leaf := s.tree.nodes[at].first == 0
	if leaf && at != 0 && s.solves() && s.solveLeaf(at, turn) {
		return 0, false, false
	}
	if leaf && !s.grow(at) {
		s.child = s.here
		s.backUp(1, P(&s.child).Playout(&s.rng, s.opt.Rollouts).Points(engines.First))
		return 0, false, false
	}
	if n := &s.tree.nodes[at]; leaf && s.follows(n) {
		s.found.Nodes++
		return n.first, false, true
	}
	if s.opt.Expand == One {
		n := &s.tree.nodes[at]
		none := s.tree.unvisited(n)
		if none == 0 {
			return 0, false, true
		}
		next = s.tree.nthUnvisited(n, s.rng.Below(none))
		s.simulate(next, 1, turn)
		return next, true, true
	}
	if leaf {
		n := s.tree.nodes[at]
		s.simulate(n.first, uint32(n.count), turn)
	}
	return 0, leaf, true
}

// grow adds the children of a leaf and reports whether memory and depth allow it. The root's
// children are always added.
func (s *Search[T, P]) grow(at uint32) bool {
	if at != 0 && s.budget.depth > 0 && len(s.path) > s.budget.depth {
		return false
	}
	s.moves = s.list(s.moves[:0])
	if len(s.moves) == 0 {
		panic(fmt.Sprintf("mcts: %T lists no moves though the game goes on", &s.here))
	}
	if at == 0 {
		s.tree.limit = max(s.tree.limit, 1+len(s.moves))
	}
	return s.tree.grow(at, s.moves)
}

// list appends the moves that the tree has at the end of the path.
func (s *Search[T, P]) list(buf []engines.Move) []engines.Move {
	if s.opt.Forced {
		if here, ok := any(P(&s.here)).(MovePruner); ok {
			return here.Sensible(buf)
		}
	}
	return P(&s.here).Moves(buf)
}

// follows reports whether a descent continues into the only child of an expanded leaf without a
// random game from the leaf, because the move was forced and the game continues.
func (s *Search[T, P]) follows(n *node) bool {
	if !s.opt.Forced || n.count != 1 {
		return false
	}
	s.child = s.here
	P(&s.child).Play(s.tree.moves[n.first])
	return P(&s.child).Outcome() == engines.Ongoing
}

// simulate plays one random game from each of count neighbouring
// children below the end of the path, and backs up the results together.
func (s *Search[T, P]) simulate(first, count uint32, turn engines.Side) {
	brooder, brood := any(P(&s.here)).(BatchRollouts)
	if brood = brood && s.opt.Rollouts > Careless; brood {
		s.games = slices.Grow(s.games[:0], int(count))[:count]
		brooder.Playouts(s.tree.moves[first:first+count], &s.rng, s.opt.Rollouts, s.games)
	}
	points, ended := 0, false
	for at := first; at < first+count; at++ {
		var game Game
		if brood {
			game = s.games[at-first]
		} else {
			game = s.play(s.tree.moves[at])
		}
		n := &s.tree.nodes[at]
		if game.Ended {
			n.result, ended = game.Outcome, true
		}
		n.visits = 1
		n.points = uint32(game.Outcome.Points(turn))
		points += game.Outcome.Points(engines.First)
	}
	s.found.Nodes += int64(count)
	s.found.Depth = max(s.found.Depth, len(s.path))
	s.backUp(count, points)
	if ended && s.opt.Solver {
		s.settle()
	}
}

// play plays a random game after a move at the end of the path.
func (s *Search[T, P]) play(m engines.Move) Game {
	s.child = s.here
	P(&s.child).Play(m)
	if o := P(&s.child).Outcome(); o != engines.Ongoing {
		return Game{o, true}
	}
	return Game{P(&s.child).Playout(&s.rng, s.opt.Rollouts), false}
}
