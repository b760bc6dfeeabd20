package mills

import (
	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// node is a position as the search sees it: with the weights that value it.
type node struct {
	position
	weights *weights
}

// Eval returns the static value for the side to move.
func (n *node) Eval() int32 { return n.weights.evaluate(&n.position) }

// player chooses by alpha-beta search, to the default depth if nothing is said.
type player = alphabeta.Player[position, node, *position, *node]

func newPlayer(rules setup) *player {
	w := &weights{}
	return alphabeta.NewPlayer[position, node, *position, *node](alphabeta.Engine[position, node]{
		Name: "mills", Space: space(), Limits: engines.Limits{Depth: defaultDepth}, Start: rules.start, Node: &node{},
		Weigh: func(v params.Vector) alphabeta.Options {
			*w = newWeights(v)
			// A position that occurred before counts as a draw where the rules know
			// repetition.
			return alphabeta.Options{Contempt: int32(v[paramDraw]), Repetition: rules.bounds.Repetitions > 0}
		},
		Load:  func(n *node, p *position) { *n = node{*p, w} },
		Hooks: alphabeta.Hooks[node]{Rank: rank},
	})
}

// rank puts captures first, and moves onto a point where the opponent could
// close a mill before other quiet ones. Measured over positions of all phases at
// depth 8, captures first save 2 to 8 % of the nodes and blocking mills 10 to
// 25 % more; ranking captures by what they take saves nothing.
func rank(n *node, moves []engines.Move, ranks []int32) {
	threats := closersOf(n.men[n.turn&1^1], n.laws.spokes()).any()
	for i, m := range moves {
		switch {
		case hasCapture(m):
			ranks[i] = 2 * alphabeta.KillerRank
		case threats>>arrival(m)&1 != 0:
			ranks[i] = alphabeta.KillerRank / 2
		}
	}
}
