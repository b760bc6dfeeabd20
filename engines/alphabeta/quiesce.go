package alphabeta

import "selfplaylab/engines"

// quiesce returns the value of an entered leaf: Eval's, or a better one reached by the moves of
// Hooks.Tactics. It is fail-soft, as search is.
func (s *Search[T, P]) quiesce(p *T, turn engines.Side, ply int, alpha, beta int32) int32 {
	if s.hooks.Tactics == nil || ply >= maxPly-1 {
		return P(p).Eval()
	}
	best, need := -infinity, -infinity
	if s.hooks.Forced == nil || !s.hooks.Forced(p) {
		if best = P(p).Eval(); best >= beta {
			return best
		}
		if alpha > -mateBound {
			need = alpha - best
		}
	}
	base := len(s.moves)
	s.moves = s.hooks.Tactics(p, s.moves, need)
	moves := s.moves[base:]
	switch {
	case len(moves) > 0:
		best = s.settle(p, turn, ply, alpha, beta, best, moves)
	case best == -infinity:
		best = P(p).Eval()
	}
	s.moves = s.moves[:base]
	return best
}

// settle searches the moves of a leaf. best is the leaf's value without them.
func (s *Search[T, P]) settle(p *T, turn engines.Side, ply int, alpha, beta, best int32, moves []engines.Move) int32 {
	ranks := s.rankTactics(p, moves)
	for i := range moves {
		pick(moves, ranks, i)
		child := s.play(p, ply, moves[i])
		v := s.settled(child, turn, ply+1, max(alpha, best), beta)
		s.undo(child)
		if s.limits.stop {
			return 0
		}
		if v <= best {
			continue
		}
		best = v
		if v > alpha {
			s.keepLine(ply, moves[i])
			if v >= beta {
				break
			}
		}
	}
	return best
}

// settled enters a position and returns its value for the last mover.
func (s *Search[T, P]) settled(p *T, mover engines.Side, ply int, alpha, beta int32) int32 {
	turn := P(p).Turn()
	v, over := s.enter(p, turn, ply)
	switch {
	case turn == mover && !over:
		return s.quiesce(p, turn, ply, alpha, beta)
	case turn == mover:
		return v
	case !over:
		return -s.quiesce(p, turn, ply, -beta, -alpha)
	}
	return -v
}

// rankTactics ranks moves, which are the last of s.moves, by Hooks.Rank.
func (s *Search[T, P]) rankTactics(p *T, moves []engines.Move) []int32 {
	end := len(s.moves)
	if end > len(s.ranks) {
		s.ranks = append(s.ranks, make([]int32, cap(s.moves)-len(s.ranks))...)
	}
	ranks := s.ranks[end-len(moves) : end]
	clear(ranks)
	if s.hooks.Rank != nil && !s.options.Unordered {
		s.hooks.Rank(p, moves, ranks)
	}
	return ranks
}
