package alphabeta

import (
	"math"

	"selfplaylab/engines"
)

const historySize = 1 << 12

// order is what the search learns about the order of moves.
type order struct {
	killers [maxPly][2]engines.Move
	history [2][historySize]int32
}

func (o *order) newGame() {
	clear(o.killers[:])
	for side := range o.history {
		clear(o.history[side][:])
	}
}

// newSearch drops the killers, whose plies have shifted. History stays.
func (o *order) newSearch() { clear(o.killers[:]) }

// slot scatters moves over the history table (Fibonacci hashing). Moves that
// share a slot only share a hint.
func slot(m engines.Move) uint32 { return uint32(m) * 0x9e3779b1 >> 20 }

// cut learns that move made a cutoff after tried did not.
func (o *order) cut(turn engines.Side, ply, depth int, move engines.Move, tried []engines.Move) {
	if k := &o.killers[ply]; k[0] != move {
		k[0], k[1] = move, k[0]
	}
	bonus := min(int32(depth+1)*int32(depth+1)*8, historyRank/4)
	h := &o.history[turn]
	gain(&h[slot(move)], bonus)
	for _, m := range tried {
		gain(&h[slot(m)], -bonus)
	}
}

// gain moves a history value by bonus, the less the nearer it is to the bound,
// so that it stays within historyRank.
func gain(v *int32, bonus int32) {
	size := max(bonus, -bonus)
	*v += bonus - *v*size/historyRank
}

// generate lists the moves of p behind those in s.moves and ranks them.
func (s *Search[T, P]) generate(p *T, ply int, hashMove engines.Move) ([]engines.Move, []int32) {
	base := len(s.moves)
	s.moves = P(p).Moves(s.moves)
	moves := s.moves[base:]
	if len(s.moves) > len(s.ranks) {
		s.ranks = append(s.ranks, make([]int32, cap(s.moves)-len(s.ranks))...)
	}
	ranks := s.ranks[base:len(s.moves)]
	clear(ranks) // also where nothing is ranked: a search before may have left its own here
	if s.options.Unordered || s.options.Minimax {
		return moves, ranks
	}
	if s.hooks.Rank != nil {
		s.hooks.Rank(p, moves, ranks)
	}
	killers := s.order.killers[ply]
	history := &s.order.history[P(p).Turn()]
	for i, m := range moves {
		switch m {
		case hashMove:
			ranks[i] = tableRank
		case killers[0], killers[1]:
			ranks[i] += KillerRank
		default:
			ranks[i] += history[slot(m)]
		}
	}
	return moves, ranks
}

// picked is how many moves of a node are searched by rank, the rest following as
// they stand: where eight did not cut, none is likely to, and ordering all of
// some fifty moves took a quarter of gobang's time.
const picked = 8

// pick brings the highest ranked of moves[i:] to i.
func pick(moves []engines.Move, ranks []int32, i int) {
	best := i
	for j := i + 1; j < len(ranks); j++ {
		if ranks[j] > ranks[best] {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	ranks[i], ranks[best] = ranks[best], ranks[i]
}

// How Options.Reduce and Options.Margin are selective. Measured in mills, 5,000
// nodes a move: reductions larger or smaller by a third, and a margin from two to
// five plies before the leaves, score the same within 25 Elo.
const (
	unreduced    = 3 // moves of a node that are searched in full
	reducedDepth = 3 // from which moves are reduced
	marginDepth  = 3 // up to which the margin is used
)

// reduction returns by how many plies the i-th move of a node is searched less
// deep.
func reduction(depth, i int) int {
	return int(reductions[min(depth, len(reductions)-1)][min(i, len(reductions[0])-1)])
}

// reductions grow with the logarithms of depth and place, as in many chess
// programs, and leave a ply to search.
var reductions = func() (table [32][64]uint8) {
	for depth := reducedDepth; depth < len(table); depth++ {
		for i := unreduced; i < len(table[0]); i++ {
			r := 1 + float64(math.Log(float64(depth))*math.Log(float64(i+1)))/1.5
			table[depth][i] = uint8(min(r, float64(depth-2)))
		}
	}
	return table
}()
