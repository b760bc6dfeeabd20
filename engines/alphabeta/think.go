package alphabeta

import (
	"context"
	"slices"

	"selfplaylab/engines"
)

// Think searches root within limits of depth, nodes and time; without limits it searches to maxPly.
// past has the keys of earlier positions of the game that
// may occur again; only Options.Repetition reads it.
//
// With Hooks.Undo it plays on root and restores it; else it only reads root.
// Result.Line is valid until the next call.
func (s *Search[T, P]) Think(ctx context.Context, root *T, past []uint64, limits engines.Limits) Result {
	s.begin(ctx, root, past, limits)
	s.table.newSearch()
	s.order.newSearch()
	depth := maxPly - 1
	if limits.Depth > 0 {
		depth = min(depth, limits.Depth)
	}
	if !s.listRoot() {
		return Result{}
	}
	if r, ok := s.prove(); ok {
		return r
	}
	r := Result{Move: s.list[0].move}
	from := 1
	if s.options.Minimax && limits.Depth > 0 {
		from = depth
	}
	for d := from; d <= depth; d++ {
		best, score := s.searchRoot(d)
		if best >= 0 && s.outdid(r.Move) {
			r.Move, r.Score = s.list[best].move, score
			r.Line = append(s.line[:0], s.lines[0][:s.linesN[0]]...)
		}
		if s.limits.stop {
			break
		}
		r.Depth = d
		s.sortRoot(best)
		if plies, proven := Mate(score); proven && (plies <= d || s.hooks.Solve != nil) && !s.options.Repetition {
			break // a greater depth does not change a proven end
		}
	}
	r.Nodes, r.Stopped = s.nodes, s.limits.canceled
	return r
}

// prove returns the result of Hooks.Prove, if it found a win.
func (s *Search[T, P]) prove() (Result, bool) {
	if s.hooks.Prove == nil || s.options.Minimax {
		return Result{}, false
	}
	line, plies, visited := s.hooks.Prove(s.root)
	s.nodes += visited
	if len(line) == 0 {
		return Result{}, false
	}
	return Result{Move: line[0], Score: Win - int32(plies), Depth: plies, Nodes: s.nodes, Line: line}, true
}

// outdid reports whether a stopped pass had valued the best move of the pass before. Otherwise
// its own best move need not be better.
func (s *Search[T, P]) outdid(before engines.Move) bool {
	return !s.limits.stop || slices.ContainsFunc(s.list[:s.valued], func(m rootMove) bool { return m.move == before })
}

// begin prepares a search of root.
func (s *Search[T, P]) begin(ctx context.Context, root *T, past []uint64, limits engines.Limits) {
	s.root, s.side = root, P(root).Turn()
	if s.hooks.Undo == nil {
		s.stack[0] = *root
		s.root = &s.stack[0]
	}
	s.nodes = 0
	s.limits = budget{ctx: ctx, nodes: limits.Nodes, clock: &s.clock}
	s.clock.Start(limits.Time)
	s.limits.poll(0)
	s.salt = 0
	if s.options.Contempt != 0 {
		s.salt = engines.Mix(uint64(s.side) + 1) // the two sides value draws differently
	}
	s.moves = s.moves[:0]
	if s.options.Repetition {
		s.path.begin(P(s.root).Key(), past)
	}
}

// listRoot lists the root moves in their first order. It returns false if there are none.
func (s *Search[T, P]) listRoot() bool {
	if P(s.root).Outcome() != engines.Ongoing {
		return false
	}
	moves, ranks := s.generate(s.root, 0, 0)
	s.list = s.list[:0]
	for i, m := range moves {
		s.list = append(s.list, rootMove{move: m, index: i, score: ranks[i]})
	}
	s.sortRoot(-1)
	if s.options.Ties == TieEval {
		for i := range s.list {
			s.list[i].static = s.evalAfter(s.list[i].move)
		}
	}
	s.moves = s.moves[:0]
	return len(s.list) > 0
}

// evalAfter returns Eval after a root move, from the mover's view.
func (s *Search[T, P]) evalAfter(m engines.Move) int32 {
	p := s.play(s.root, 0, m)
	v := P(p).Eval()
	if P(p).Turn() != s.side {
		v = -v
	}
	s.undo(p)
	return v
}

// sortRoot puts s.list[best] first and the rest by score, stably.
// With Unordered it keeps the game's order.
func (s *Search[T, P]) sortRoot(best int) {
	if s.options.Unordered || s.options.Minimax {
		return
	}
	start := 0
	if best >= 0 {
		b := s.list[best]
		copy(s.list[1:best+1], s.list[:best])
		s.list[0] = b
		start = 1
	}
	for i := start + 1; i < len(s.list); i++ {
		m := s.list[i]
		j := i
		for ; j > start && s.list[j-1].score < m.score; j-- {
			s.list[j] = s.list[j-1]
		}
		s.list[j] = m
	}
}

// searchRoot searches the root to depth and returns the index of the best
// move and its score; -1 if it was stopped before any move was valued.
func (s *Search[T, P]) searchRoot(depth int) (int, int32) {
	best, bestScore := -1, -infinity
	s.linesN[0] = 0
	s.valued = 0
	for i := range s.list {
		m := &s.list[i]
		// A move that would win a tie must get an exact value, to show whether there is a tie.
		low := bestScore
		if best >= 0 && s.winsTie(m, &s.list[best]) {
			low--
		}
		p := s.play(s.root, 0, m.move)
		v := s.valueOf(p, s.side, 0, depth-1, low, infinity, best < 0)
		s.undo(p)
		if s.limits.stop {
			break
		}
		m.score = v
		s.valued++
		if v > bestScore || v == bestScore && v > low {
			best, bestScore = i, v
			s.keepLine(0, m.move)
		}
	}
	return best, bestScore
}

// winsTie reports whether m is chosen before best at equal value.
func (s *Search[T, P]) winsTie(m, best *rootMove) bool {
	if s.options.Ties != TieEval {
		return false
	}
	return m.static > best.static || m.static == best.static && m.index < best.index
}
