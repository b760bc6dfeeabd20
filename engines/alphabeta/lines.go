package alphabeta

import (
	"context"
	"slices"

	"selfplaylab/engines"
)

// rootLine is a root move with its continuation, and
// its score for the side to move by a search to Depth.
type rootLine struct {
	Moves []engines.Move // beginning with the move
	Score int32
	Depth int
}

// others returns up to count best moves other than chosen's, best first, in the position of the
// last call of Think. It deepens ply by ply to the depth of chosen, or as far as limits allow
// if chosen is proven, and returns the last completed pass. Without selective options the
// scores are minimax's at rootLine.Depth.
func (s *Search[T, P]) others(ctx context.Context, chosen Result, count int, limits engines.Limits) []rootLine {
	s.nodes = 0
	s.limits = budget{ctx: ctx, nodes: limits.Nodes, clock: &s.clock}
	s.clock.Start(limits.Time)
	s.limits.poll(0)
	s.moves = s.moves[:0]
	var found []rootLine
	deepest := chosen.Depth
	if _, proven := Mate(chosen.Score); proven && !s.options.Repetition {
		switch {
		case limits.Depth > 0:
			deepest = limits.Depth
		case limits.Nodes > 0 || limits.Time > 0:
			deepest = maxPly - 1
		}
	}
	for depth := 1; depth <= deepest && count > 0; depth++ {
		pass := s.searchOthers(chosen.Move, count, depth)
		if s.limits.stop {
			break
		}
		found = pass
		s.sortRoot(-1)
		if depth >= chosen.Depth && allProven(found, depth) {
			break // a greater depth does not change proven ends
		}
	}
	return found
}

// allProven reports whether all lines end within depth.
func allProven(lines []rootLine, depth int) bool {
	return !slices.ContainsFunc(lines, func(l rootLine) bool {
		plies, proven := Mate(l.Score)
		return !proven || plies > depth
	})
}

// searchOthers is one pass over all root moves except but.
func (s *Search[T, P]) searchOthers(but engines.Move, most, depth int) []rootLine {
	var best []rootLine
	for i := range s.list {
		m := &s.list[i]
		if m.move == but {
			continue
		}
		low := -infinity
		if len(best) == most {
			low = best[most-1].Score
		}
		s.linesN[1] = 1
		p := s.play(s.root, 0, m.move)
		m.score = s.valueOf(p, s.side, 0, depth-1, low, infinity, len(best) < most)
		s.undo(p)
		if s.limits.stop {
			return nil
		}
		if m.score <= low {
			continue
		}
		s.keepLine(0, m.move)
		at := slices.IndexFunc(best, func(l rootLine) bool { return l.Score < m.score })
		if at < 0 {
			at = len(best)
		}
		line := rootLine{Moves: slices.Clone(s.lines[0][:s.linesN[0]]), Score: m.score, Depth: depth}
		best = slices.Insert(best, at, line)
		best = best[:min(len(best), most)]
	}
	return best
}
