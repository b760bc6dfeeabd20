package mills

import (
	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// defaultDepth is the depth of a player without limits, in plies.
// It already separates the evaluators clearly.
const defaultDepth = 4

// node is a position in the search, with the weights of its evaluation.
type node struct {
	position
	weights *weights
}

// Eval returns the static value for the side to move.
func (n *node) Eval() int32 { return n.weights.evaluate(&n.position) }

// player chooses moves by alpha-beta search, without limits to defaultDepth.
type player = alphabeta.Player[position, node, *position, *node]

// newPlayer returns a player with the default parameters.
func newPlayer(rules setup) *player {
	w := &weights{}
	return alphabeta.NewPlayer[position, node, *position, *node](alphabeta.Engine[position, node]{
		Name: "mills", Space: space(), Limits: engines.Limits{Depth: defaultDepth}, Start: rules.start, Node: &node{},
		Weigh: func(v params.Vector) alphabeta.Options {
			*w = newWeights(v)
			// If the rules know repetition, a position that occurred before counts as a draw.
			return alphabeta.Options{Contempt: int32(v[paramDraw]), Repetition: rules.bounds.Repetitions > 0}
		},
		Load:  func(n *node, p *position) { *n = node{*p, w} },
		Hooks: alphabeta.Hooks[node]{Rank: rank},
	})
}

// rank ranks captures first, then moves onto a point where the opponent could close a mill,
// then other moves. Both save nodes at all depths; ranking captures by the captured man does
// not.
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
