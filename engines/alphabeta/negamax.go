package alphabeta

import "selfplaylab/engines"

// valueOf returns the value of p for the side that moved to it at ply. With whole it searches
// the whole window at once, as for a first move.
func (s *Search[T, P]) valueOf(p *T, mover engines.Side, ply, depth int, alpha, beta int32, whole bool) int32 {
	same := P(p).Turn() == mover
	switch {
	case s.options.Minimax:
		if same {
			return s.minimax(p, ply+1, depth)
		}
		return -s.minimax(p, ply+1, depth)
	case !whole && beta-1 > alpha:
		v := s.window(p, same, ply, depth, alpha, alpha+1)
		if v <= alpha || v >= beta || s.limits.stop {
			return v
		}
	}
	return s.window(p, same, ply, depth, alpha, beta)
}

// window returns the value of p within a window, both from the view of the side that moved to it.
func (s *Search[T, P]) window(p *T, same bool, ply, depth int, alpha, beta int32) int32 {
	if same {
		return s.search(p, ply+1, depth, alpha, beta)
	}
	return -s.search(p, ply+1, depth, -beta, -alpha)
}

// search returns the value of p for its side to move if the value is inside the window, else a
// bound on it, at or outside the window (fail-soft).
func (s *Search[T, P]) search(p *T, ply, depth int, alpha, beta int32) int32 {
	s.path.rests = maxPly
	turn := P(p).Turn()
	if v, over := s.enter(p, turn, ply); over {
		return v
	}
	if s.hooks.Solve != nil {
		plies, visited := s.solve(p, depth, beta)
		s.nodes += visited
		switch {
		case plies > 0:
			return Win - int32(ply+plies)
		case plies < 0:
			return int32(ply-plies) - Win
		}
	}
	forced := s.hooks.Forced != nil && s.hooks.Forced(p)
	if depth <= 0 && !forced || ply >= maxPly-1 {
		if s.hooks.Tactics != nil {
			return s.quiesce(p, turn, ply, alpha, beta)
		}
		return P(p).Eval()
	}

	// No line from here ends before the next ply.
	alpha, beta = max(alpha, int32(ply+1)-Win), min(beta, Win-int32(ply+1))
	if alpha >= beta {
		return alpha
	}
	var key uint64
	var hashMove engines.Move
	if s.table.entries != nil {
		key = P(p).Key() ^ s.salt
		if e := s.table.find(key); e != nil {
			hashMove = e.move
			v := fromTable(e.score, ply)
			if e.answers(depth, s.options.Deeper) {
				switch b := e.bound(); {
				case b == boundExact, b == boundLower && v >= beta, b == boundUpper && v <= alpha:
					return v
				}
			}
		}
	}

	futile := -infinity // bound on a move without rank, if it is below the window
	if !forced && beta-1 == alpha && alpha > -mateBound && beta < mateBound {
		v, over := infinity, false
		if v, futile, over = s.prune(p, ply, depth, beta); over {
			return v
		}
	}
	if s.options.Prune && !forced && hashMove == 0 && depth >= hintedDepth {
		depth--
	}

	base := len(s.moves)
	moves, ranks := s.generate(p, ply, hashMove)
	if len(moves) == 0 {
		return P(p).Eval()
	}
	next := depth - 1
	if forced {
		next = depth
	}
	width := len(moves)
	if s.options.Width > 0 && !s.options.Unordered {
		width = s.options.Width + s.options.Width*depth/2
	}
	best, bestMove, raised := -infinity, engines.Move(0), false
	rests := maxPly // smallest ply of a repetition below
	for i := range moves {
		if i >= width && best > -mateBound {
			break
		}
		if (i < picked || s.options.Width > 0 || s.options.Prune) && !s.options.Unordered {
			pick(moves, ranks, i)
		}
		quiet := i > 0 && ranks[i] <= historyRank
		if quiet && futile > -infinity {
			best = max(best, futile)
			continue
		}
		child := s.play(p, ply, moves[i])
		v, low := infinity, max(alpha, best)
		if quiet && s.options.Reduce && i >= unreduced && depth >= reducedDepth && !forced {
			v = s.window(child, P(child).Turn() == turn, ply, next-reduction(depth, i), low, low+1)
		}
		if v > low {
			v = s.valueOf(child, turn, ply, next, low, beta, best == -infinity)
		}
		s.undo(child)
		if s.limits.stop {
			s.moves = s.moves[:base]
			return 0
		}
		rests = min(rests, s.path.rests)
		if v <= best {
			continue
		}
		best, bestMove = v, moves[i]
		if v > alpha {
			raised = true
			s.keepLine(ply, bestMove)
			if v >= beta {
				if !s.options.Unordered {
					s.order.cut(turn, ply, depth, s.last[ply], bestMove, moves[:i])
				}
				break
			}
		}
	}
	s.moves = s.moves[:base]
	s.path.leave(ply, rests)
	if s.table.entries != nil && (s.path.rests == maxPly || s.options.Prune) {
		bound := uint64(boundExact)
		switch {
		case best >= beta:
			bound = boundLower
		case !raised:
			bound, bestMove = boundUpper, 0
		}
		s.table.store(key, bestMove, toTable(best, ply), depth, bound)
	}
	return best
}

// solve calls Hooks.Solve. With Options.Lazy a leaf whose Eval already suffices counts as a
// node above the leaves.
func (s *Search[T, P]) solve(p *T, depth int, beta int32) (plies int, visited int64) {
	if s.options.Lazy && depth <= 0 && (s.hooks.Forced == nil || !s.hooks.Forced(p)) {
		plies, visited = s.hooks.Solve(p, 1)
		if plies != 0 || P(p).Eval() >= beta {
			return plies, visited
		}
	}
	return s.hooks.Solve(p, depth)
}

// minimax searches as search does, without any savings.
func (s *Search[T, P]) minimax(p *T, ply, depth int) int32 {
	turn := P(p).Turn()
	if v, over := s.enter(p, turn, ply); over {
		return v
	}
	forced := s.hooks.Forced != nil && s.hooks.Forced(p)
	if depth <= 0 && !forced || ply >= maxPly-1 {
		return s.quiesce(p, turn, ply, -infinity, infinity)
	}
	if !forced {
		depth--
	}
	base := len(s.moves)
	s.moves = P(p).Moves(s.moves)
	moves := s.moves[base:]
	if len(moves) == 0 {
		return P(p).Eval()
	}
	best := -infinity
	for _, m := range moves {
		child := s.play(p, ply, m)
		v := s.minimax(child, ply+1, depth)
		if P(child).Turn() != turn {
			v = -v
		}
		s.undo(child)
		if s.limits.stop {
			break
		}
		if v > best {
			best = v
			s.keepLine(ply, m)
		}
	}
	s.moves = s.moves[:base]
	return best
}
