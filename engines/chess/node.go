package chess

import "selfplaylab/engines"

// node is a position in the search, with the weights of its evaluation and what the search would
// else compute several times.
type node struct {
	Position
	weights  *weights
	material pair   // First's less Second's, of values and places
	checks   uint64 // the pieces that give check
}

// newNode returns a position with its evaluation by w.
func newNode(p *Position, w *weights) node {
	return node{Position: *p, weights: w, material: w.material(p, engines.First) - w.material(p, engines.Second), checks: p.checkers()}
}

// Play makes a move, which must be legal.
func (n *node) Play(m engines.Move) {
	n.material += n.weights.change(m, n.turn&1)
	n.Position.Play(m)
	n.checks = n.checkers()
}

// change returns the change of First's material less Second's by a move of a side.
func (w *weights) change(m engines.Move, us engines.Side) (sum pair) {
	own := &w.piece[us&1]
	switch {
	case special(m) == castles:
		kingTo, rookTo := castled(m)
		sum = own[king][kingTo&63] + own[rook][rookTo&63] - own[king][origin(m)] - own[rook][target(m)]
	case captures(m):
		sum = w.piece[us&1^1][taken(m)][takenSquare(m)&63]
		fallthrough
	default:
		sum += own[becomes(m)%6][target(m)] - own[piece(m)%6][origin(m)]
	}
	if us == engines.Second {
		return -sum
	}
	return sum
}

// Moves appends the legal moves.
func (n *node) Moves(buf []engines.Move) []engines.Move {
	return n.movesTo(buf, ^uint64(0), ^uint64(0), n.checks)
}

// Outcome returns the result on the board, Ongoing before the end.
func (n *node) Outcome() engines.Outcome { return n.outcome(n.checks) }

// Eval returns the static value for the side to move.
func (n *node) Eval() int32 { return n.weights.evaluate(&n.Position, n.material) }
