package mcts

import (
	"math"
	"math/bits"
	"time"

	"selfplaylab/engines"
)

// node is one position of the tree: 16 bytes, four to a cache line, with its children adjacent.
// It has the data that a descent reads of every child; moves are stored apart.
type node struct {
	visits uint32
	points uint32 // half points of the side that moved to the node
	first  uint32 // index of the first child; 0 without children
	count  uint16 // number of children
	// result is the end of the game at this node or, with the solver, the proven end. plies is
	// a number of plies within which the proven end comes, as known at the proof; quicker ways
	// found later are ignored. manyPlies stands for any larger number.
	result engines.Outcome
	plies  uint8
}

const manyPlies = math.MaxUint8

// maxVisits keeps points from overflowing. No search reaches it.
const maxVisits = 1 << 30

// blockNodes is the smallest number of nodes allocated at once.
const blockNodes = 1 << 12

// tree is a tree in flat arrays. Node 0 is the root. Children come after their parent.
type tree struct {
	nodes []node
	moves []engines.Move // moves[i] leads to nodes[i]
	limit int            // largest number of nodes
	// Arrays to which copies are made.
	spareNodes []node
	spareMoves []engines.Move
	// crowded reports that a cut would free too little.
	crowded bool
}

// plant removes all nodes but the root.
func (t *tree) plant() {
	t.nodes = append(t.nodes[:0], node{})
	t.moves = append(t.moves[:0], 0)
	t.crowded = false
}

// grow adds a leaf for each move below parent, and reports whether there was room.
func (t *tree) grow(parent uint32, moves []engines.Move) bool {
	n := len(t.nodes)
	if n+len(moves) > t.limit {
		return false
	}
	t.reserve(n + len(moves))
	t.nodes = t.nodes[:n+len(moves)]
	clear(t.nodes[n:])
	t.moves = append(t.moves, moves...)
	t.nodes[parent].first = uint32(n)
	t.nodes[parent].count = uint16(len(moves))
	return true
}

// doublesTo is the number of nodes up to which room doubles. Beyond it, room is made for all
// nodes at once, because copied arrays stay in memory for a while and unused memory is not
// touched.
const doublesTo = 1 << 21

// reserve makes room for n nodes.
// Room at least doubles, so a player soon has the memory for its limits.
func (t *tree) reserve(n int) {
	if n <= cap(t.nodes) && n <= cap(t.moves) {
		return
	}
	room := min(max(n, 2*cap(t.nodes), blockNodes), max(n, t.limit))
	if room > doublesTo {
		room = max(n, t.limit)
	}
	nodes := make([]node, len(t.nodes), room)
	moves := make([]engines.Move, len(t.moves), room)
	copy(nodes, t.nodes)
	copy(moves, t.moves)
	t.nodes, t.moves = nodes, moves
}

// fastest is the number of nodes a second in the fastest game.
const fastest = 10_000_000

// foresee makes room for a search of this duration, so that
// it does not stop to copy the tree when its time runs out.
// Unused memory is not touched.
func (t *tree) foresee(clock time.Duration) {
	if clock > 0 {
		t.reserve(int(min(float64(t.limit), float64(len(t.nodes))+float64(clock.Seconds()*fastest))))
	}
}

// children returns the nodes below n.
func (t *tree) children(n *node) []node {
	return t.nodes[n.first : n.first+uint32(n.count)]
}

// unvisited returns the number of children of n without a visit; above 0 only if children are
// expanded one at a time.
func (t *tree) unvisited(n *node) int {
	none := 0
	for _, c := range t.children(n) {
		if c.visits == 0 {
			none++
		}
	}
	return none
}

// nthUnvisited returns the index of the k-th unvisited child of n.
func (t *tree) nthUnvisited(n *node, k int) uint32 {
	for i, c := range t.children(n) {
		if c.visits == 0 {
			if k == 0 {
				return n.first + uint32(i)
			}
			k--
		}
	}
	panic("mcts: fewer unvisited children than counted")
}

// selection is the rule of descent.
type selection struct {
	c, eps float64
	solver bool // skip moves that are proven lost
}

// pick returns the index of the child of n with the largest upper bound for the side to move,
// the earlier among equals. With the solver it skips moves proven lost; at least one other
// remains, because n itself is not proven then.
func (t *tree) pick(n *node, s *selection, turn engines.Side) uint32 {
	logN := ln(n.visits + 1)
	lost := engines.Win(turn.Other())
	best, at := math.Inf(-1), 0
	for i, c := range t.children(n) {
		if s.solver && c.result == lost {
			continue
		}
		v := float64(c.visits) + s.eps
		bound := float64(c.points)*0.5/v + float64(s.c*math.Sqrt(logN/v))
		if bound > best {
			best, at = bound, i
		}
	}
	return n.first + uint32(at)
}

// prove records the result on n, where turn is to move, if its children prove one: a win if one
// child is won, in the fewest plies; else the best result once every child has one, in the most
// plies. It reports whether there is a result.
func (t *tree) prove(n *node, turn engines.Side) bool { return prove(n, t.children(n), turn) }

// prove does the work of tree.prove for a node with these children.
func prove(n *node, children []node, turn engines.Side) bool {
	won, lost := engines.Win(turn), engines.Win(turn.Other())
	best, open := lost, false
	quickest, slowest := uint8(manyPlies), uint8(0)
	for _, c := range children {
		switch c.result {
		case won:
			best, quickest = won, min(quickest, c.plies)
			continue
		case engines.Draw:
			if best == lost {
				best = engines.Draw
			}
		case engines.Ongoing:
			open = true
		}
		slowest = max(slowest, c.plies)
	}
	if best == won {
		slowest = quickest
	} else if open {
		return false
	}
	n.result, n.plies = best, slowest
	if n.plies < manyPlies {
		n.plies++
	}
	return true
}

// promote makes the child of the root by move m the root and forgets the rest. It reports
// whether the tree has this child and nodes below it; otherwise the tree is unchanged.
func (t *tree) promote(m engines.Move) bool {
	root := &t.nodes[0]
	if root.first == 0 {
		return false
	}
	for i := range t.children(root) {
		at := root.first + uint32(i)
		if t.moves[at] == m && t.nodes[at].first != 0 {
			t.copyBelow(at)
			return true
		}
	}
	return false
}

// copyBelow copies the subtree of a node to the spare arrays,
// breadth first, and uses these as the tree (Cheney 1970).
func (t *tree) copyBelow(at uint32) {
	t.copyWhere(at, func(node) bool { return true })
	t.crowded = false
}

// copyWhere copies as copyBelow does, but makes leaves of the nodes that are not kept.
func (t *tree) copyWhere(at uint32, kept func(node) bool) {
	if cap(t.spareNodes) < len(t.nodes) {
		t.spareNodes = make([]node, 0, cap(t.nodes))
		t.spareMoves = make([]engines.Move, 0, cap(t.nodes))
	}
	nodes := append(t.spareNodes[:0], t.nodes[at])
	moves := append(t.spareMoves[:0], t.moves[at])
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if n.first == 0 {
			continue
		}
		if !kept(n) {
			nodes[i].first, nodes[i].count = 0, 0
			continue
		}
		nodes[i].first = uint32(len(nodes))
		nodes = append(nodes, t.children(&n)...)
		moves = append(moves, t.moves[n.first:n.first+uint32(n.count)]...)
	}
	t.spareNodes, t.spareMoves = t.nodes, t.moves
	t.nodes, t.moves = nodes, moves
}

// full reports whether there is no room for more new nodes.
func (t *tree) full(more int) bool { return len(t.nodes)+more > t.limit }

// cut forgets the nodes below the least visited ones until about half of the room is free, and
// reports whether it did. If this would free too little, it does nothing now and later.
func (t *tree) cut() bool {
	if t.crowded {
		return false
	}
	var below [33]int // number of children of nodes, by the bit length of their visits
	for i := range t.nodes {
		below[bits.Len32(t.nodes[i].visits)] += int(t.nodes[i].count)
	}
	keep, least := 1, len(below)
	for least > 0 && keep+below[least-1] <= t.limit/2 {
		least--
		keep += below[least]
	}
	root := t.nodes[0].visits
	t.copyWhere(0, func(n node) bool { return bits.Len32(n.visits) >= least || n.visits == root })
	t.crowded = len(t.nodes) > t.limit/4*3
	return true
}
