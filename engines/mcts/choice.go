package mcts

import "selfplaylab/engines"

// judge chooses the move by the results of the root and its children.
func (s *Search[T, P]) judge(root *node, children []node) {
	turn := P(&s.root).Turn()
	i, best := s.best(children, turn)
	s.found.Move = s.tree.moves[s.tree.nodes[0].first+uint32(i)]
	s.found.WinRate = best.winRate()
	s.found.Proven = root.result
	s.found.Mate = mate(root.result, children[i], turn)
}

// best returns the child that turn would play, the first among equals, and its standing.
func (s *Search[T, P]) best(children []node, turn engines.Side) (at int, standing standing) {
	standing.class = -1
	for i, c := range children {
		if here := s.rate(c, turn); here.beats(standing, s.opt.Final) {
			at, standing = i, here
		}
	}
	return at, standing
}

// mate returns Result.Mate for a move of turn to chosen, if the root is proven to end as root.
func mate(root engines.Outcome, chosen node, turn engines.Side) int {
	switch lost := engines.Win(turn.Other()); {
	case chosen.plies == manyPlies:
		return 0
	case chosen.result == engines.Win(turn):
		return 1 + int(chosen.plies)
	case chosen.result == lost && root == lost:
		return -1 - int(chosen.plies)
	}
	return 0
}

// standing is the value by which a root move is chosen.
type standing struct {
	class          int    // 2 proven won, 1 open or drawn, 0 proven lost, -1 unknown
	points, visits uint64 // half points; divided by visits, their rate
}

// rate returns the standing of a root child for the side to move there.
func (s *Search[T, P]) rate(c node, turn engines.Side) standing {
	r := standing{class: 1, points: uint64(c.points), visits: uint64(c.visits)}
	if c.visits == 0 {
		r.class = -1
	}
	if s.opt.Solver && c.result != engines.Ongoing {
		r.class, r.visits = c.result.Points(turn), max(r.visits, 1)
		r.points = uint64(r.class) * r.visits
	}
	return r
}

// winRate returns 1, 1/2 or 0 for a proven result, else the share of points.
func (s standing) winRate() float64 {
	if s.visits == 0 {
		return 0
	}
	return float64(s.points) / float64(2*s.visits)
}

// beats reports whether a move of standing s is chosen before one of standing o.
func (s standing) beats(o standing, final Final) bool {
	if s.class != o.class {
		return s.class > o.class
	}
	rate, otherRate := s.points*o.visits, o.points*s.visits
	if final == Visits {
		return s.visits > o.visits || s.visits == o.visits && rate > otherRate
	}
	return rate > otherRate || rate == otherRate && s.visits > o.visits
}
