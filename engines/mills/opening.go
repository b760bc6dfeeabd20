package mills

import (
	"math/rand/v2"
	"slices"

	"selfplaylab/engines"
)

// openingTries bounds the draws for one opening. About one draw in three is accepted.
const openingTries = 200

// drawOpening plays random quiet moves from the start: placements that close no mill. It
// returns the first line after which neither side can close a mill at once, because a man
// captured for nothing decides games. If no try ends so, as on a fuller board, it returns the
// longest line.
func drawOpening(rules setup, r *rand.Rand, plies int) engines.Opening {
	var best []engines.Move
	for range openingTries {
		line, calm := drawLine(rules, r, plies)
		if calm {
			return engines.Opening{Moves: line}
		}
		if best == nil || len(line) > len(best) {
			best = line
		}
	}
	return engines.Opening{Moves: best}
}

// drawLine plays up to plies random quiet moves. It stops if there are none or the game would
// end. calm reports whether all were played and the position after them is calm.
func drawLine(rules setup, r *rand.Rand, plies int) (line []engines.Move, calm bool) {
	p := rules.start
	var buf []engines.Move
	var keys []uint64 // of the moving phase
	for len(line) < plies {
		buf = quietMoves(&p, buf[:0])
		if len(buf) == 0 {
			return line, false
		}
		m := buf[r.IntN(len(buf))]
		p.Play(m)
		if p.Outcome() != engines.Ongoing || rules.drawn(&p, len(line)+1, keys) {
			return line, false
		}
		line = append(line, m)
		if !p.placing() {
			keys = append(keys, p.Key())
		}
	}
	return line, p.calm()
}

// drawn reports whether a position is a draw, or may be one by repetition, by the rules that
// need the game's history.
func (s setup) drawn(p *position, plies int, keys []uint64) bool {
	b := s.bounds
	return plies >= b.MaxPlies || b.NoProgress > 0 && p.NoProgress() >= b.NoProgress ||
		b.Repetitions > 0 && slices.Contains(keys, p.Key())
}

// quietMoves returns the moves without a capture, in buf.
func quietMoves(p *position, buf []engines.Move) []engines.Move {
	all := p.Moves(buf)
	quiet := all[:0]
	for _, m := range all {
		if !hasCapture(m) {
			quiet = append(quiet, m)
		}
	}
	return quiet
}

// calm reports whether neither side could close a mill now.
func (p *position) calm() bool {
	free, spokes := p.free(), p.laws.spokes()
	for _, men := range p.men {
		switch {
		case p.placing() || p.fliesWith(men):
			if closersOf(men, spokes).any()&free != 0 {
				return false
			}
		case stepsOf(men, free, spokes).closing(closersOf(men, spokes)) != steps{}:
			return false
		}
	}
	return true
}
