package alphabeta

import (
	"math"

	"selfplaylab/engines"
)

// historySize is the number of slots of the history table.
const historySize = 1 << 12

// order holds what the search has learned about the order of moves.
type order struct {
	killers [maxPly][2]engines.Move
	history [2][historySize]int32
	follow  *followed // history of pairs of successive moves, nil without Options.Prune
}

// followed is a history table with a slot for each two moves, shared by many.
type followed [1 << 16]int32

// at returns the entry of a move after another.
func (f *followed) at(last, m engines.Move) *int32 {
	return &f[(uint32(last)*0x85ebca6b^uint32(m))*0x9e3779b1>>16]
}

// worth returns the history of a move of the side whose table is history, after the move last.
func (o *order) worth(history *[historySize]int32, last, m engines.Move) int32 {
	if o.follow == nil {
		return history[slot(m)]
	}
	return (history[slot(m)] + *o.follow.at(last, m)) / 2
}

// newGame forgets killers and history.
func (o *order) newGame() {
	clear(o.killers[:])
	for side := range o.history {
		clear(o.history[side][:])
	}
	if o.follow != nil {
		clear(o.follow[:])
	}
}

// newSearch forgets the killers, whose plies have shifted, and keeps the history.
func (o *order) newSearch() { clear(o.killers[:]) }

// slot returns a move's slot of the history table (Fibonacci hashing).
// Moves may share a slot, because it is only a hint.
func slot(m engines.Move) uint32 { return uint32(m) * 0x9e3779b1 >> 20 }

// cut records a cutoff by move, after the move last, when the moves tried did not cut.
func (o *order) cut(turn engines.Side, ply, depth int, last, move engines.Move, tried []engines.Move) {
	if k := &o.killers[ply]; k[0] != move {
		k[0], k[1] = move, k[0]
	}
	bonus := min(int32(depth+1)*int32(depth+1)*8, historyRank/4)
	h := &o.history[turn]
	gain(&h[slot(move)], bonus)
	for _, m := range tried {
		gain(&h[slot(m)], -bonus)
	}
	if o.follow == nil {
		return
	}
	gain(o.follow.at(last, move), bonus)
	for _, m := range tried {
		gain(o.follow.at(last, m), -bonus)
	}
}

// gain adds a bonus to a history value, less of it near
// the bound, so that the value stays within historyRank.
func gain(v *int32, bonus int32) {
	size := max(bonus, -bonus)
	*v += bonus - *v*size/historyRank
}

// picked is the number of moves of a node that are ordered by rank; the others follow in their
// order. If eight moves did not cut, a later one is unlikely to, and ordering all moves takes
// long.
const picked = 8

// pick moves the highest ranked of moves[i:] to i.
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

// Thresholds of Options.Reduce and Options.Margin.
const (
	unreduced    = 3 // number of moves of a node that are searched in full
	reducedDepth = 3 // smallest depth with reductions
	marginDepth  = 3 // largest depth with the margin
)

// reduction returns the number of plies by which the search of a node's i-th move is reduced.
func reduction(depth, i int) int {
	return int(reductions[min(depth, len(reductions)-1)][min(i, len(reductions[0])-1)])
}

// reductions grow with the logarithms of depth and place, as in many chess programs.
// They leave one ply to search.
var reductions = func() (table [32][64]uint8) {
	for depth := reducedDepth; depth < len(table); depth++ {
		for i := unreduced; i < len(table[0]); i++ {
			r := 1 + float64(math.Log(float64(depth))*math.Log(float64(i+1)))/1.5
			table[depth][i] = uint8(min(r, float64(depth-2)))
		}
	}
	return table
}()
