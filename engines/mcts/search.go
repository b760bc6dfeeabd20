package mcts

import (
	"context"
	"fmt"
	"time"

	"selfplaylab/engines"
)

// defaultPlayouts is the budget of a search without limits of playouts, nodes or time.
const defaultPlayouts = 2000

// clockEvery is the maximum number of playouts between looks at clock and context: 16
// microseconds at four million a second. If the clock counts and a look comes later than
// clockStep after the last, looks become more frequent.
const (
	clockEvery = 64
	clockStep  = 200 * time.Microsecond
)

// Search is a tree with all memory of a search and the rule of growth. One goroutine at a time
// may use it. Call Configure, then Begin, before other methods.
type Search[T any, P Position[T]] struct {
	tree tree
	opt  Options
	rule selection
	rng  Rand

	// The positions are fields, because a local variable is allocated anew at each use if its
	// address passes through a method of a constraint.
	root, here, child T

	path  []step         // from the root to here
	above int            // number of nodes of path, from the root, for which results do not count
	moves []engines.Move // legal at here
	games []Game         // random games after moves

	budget budget
	clock  engines.Stopwatch
	found  Result

	capacity int             // maximum number of nodes, of all trees together
	others   []*Search[T, P] // the other trees, each searched by its own goroutine
	among    int             // number of trees, if several
	merged   []node          // results of the root's children, summed over all trees

	makeSolver func() Solver[T] // nil without a solver
	solver     Solver[T]

	probe T     // the position whose answers are checked
	check int64 // number of playouts at the next check

	copyTime time.Duration // time to copy a node, by the last measurement
}

// step is a node of the path and the side to move there.
type step struct {
	node uint32
	turn engines.Side
}

// budget is the rest of a search's limits.
type budget struct {
	ctx             context.Context
	playouts, nodes int64 // maximum; 0 for no limit
	depth           int
	clock           *engines.Stopwatch
	look            int64 // number of playouts at the next look at clock and context
	every           int64 // playouts between two looks
	idle            int64 // descents that created no node
	over            bool
}

// New returns a search with room for capacity nodes of 20 bytes, or for the root's children if
// these are more. It allocates memory as needed.
func New[T any, P Position[T]](capacity int) *Search[T, P] {
	if capacity < 1 || uint64(capacity) > 1<<31 {
		panic(fmt.Sprintf("mcts.New: capacity of %d nodes; want 1 to 2^31", capacity))
	}
	s := &Search[T, P]{capacity: capacity, tree: tree{limit: capacity}}
	s.tree.plant()
	return s
}

// Configure sets the options and forgets the tree. An error names the first option that is out
// of range; the former options then stay.
func (s *Search[T, P]) Configure(o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	for _, b := range append(s.others, s) {
		b.opt = o
		b.rule = selection{c: o.C, eps: o.Eps, solver: o.Solver}
		b.tree.plant()
	}
	return nil
}

// Begin starts a tree at a copy of p.
func (s *Search[T, P]) Begin(p *T) {
	s.root = *p
	s.tree.plant()
	for _, b := range s.others {
		b.Begin(p)
	}
}

// Advance makes the position after a legal move the root, and keeps the tree below it if there
// is one.
func (s *Search[T, P]) Advance(m engines.Move) {
	P(&s.root).Play(m)
	start := time.Now()
	if !s.tree.promote(m) {
		s.tree.plant()
	}
	s.copied(start)
	for _, b := range s.others {
		b.Advance(m)
	}
}

// newBudget returns the budget of limits.
func newBudget(ctx context.Context, l engines.Limits, clock *engines.Stopwatch) budget {
	b := budget{ctx: ctx, playouts: l.Playouts, nodes: l.Nodes, depth: l.Depth, look: clockEvery, every: clockEvery, clock: clock}
	if clock.Runs() {
		b.look, b.every = 0, 1
	}
	if l.Playouts == 0 && l.Nodes == 0 && l.Time == 0 {
		b.playouts = defaultPlayouts
	}
	return b
}

// spent reports whether the search must stop.
func (s *Search[T, P]) spent() bool {
	b := &s.budget
	switch {
	case b.playouts > 0 && s.found.Playouts+s.found.Exact/exactCost >= b.playouts,
		b.nodes > 0 && s.found.Nodes+s.found.Exact/exactCost+b.idle >= b.nodes,
		s.tree.nodes[0].visits >= maxVisits/uint32(s.trees()):
		b.over = true
	case s.found.Playouts >= b.look:
		s.found.Stopped = b.ctx.Err() != nil
		b.over = s.found.Stopped || b.clock.Over()
		if b.every = min(2*b.every, clockEvery); b.clock.Runs() && b.clock.Step() > clockStep {
			b.every = max(b.every/4, 1)
		}
		b.look = s.found.Playouts + b.every
	}
	return b.over
}

// most is an upper bound on the number of moves in the games of this module. In a game with
// more, a leaf may find no room and get another random game.
const most = 256

// defaultCopy is the assumed time to copy a node of the tree:
// 20 ns on an idle machine, a third of a second for 16 million.
const defaultCopy = 50 * time.Nanosecond

// copied records the time since start, which copying the
// tree took, if the tree is large enough to measure.
func (s *Search[T, P]) copied(start time.Time) {
	if n := len(s.tree.nodes); n > 1<<18 {
		s.copyTime = max(time.Since(start)/time.Duration(n), s.copyTime/2)
	}
}

// makeRoom cuts a full tree, unless the clock may run out before it is done.
func (s *Search[T, P]) makeRoom() {
	if !s.tree.full(most) || s.clock.Left() < max(defaultCopy, 2*s.copyTime)*time.Duration(len(s.tree.nodes)) {
		return
	}
	start := time.Now()
	if s.tree.cut() {
		s.found.Cut++
		s.copied(start)
	}
}

// begin begins a path at the root and returns the side to move there.
func (s *Search[T, P]) begin() engines.Side {
	s.here = s.root
	turn := P(&s.here).Turn()
	s.path = append(s.path[:0], step{0, turn})
	return turn
}

// enter extends the path into a child and returns the side to move there.
func (s *Search[T, P]) enter(child uint32) engines.Side {
	P(&s.here).Play(s.tree.moves[child])
	turn := P(&s.here).Turn()
	s.path = append(s.path, step{child, turn})
	return turn
}

// backUp adds count results to every node of the path for which results count. The first side
// made points half points in them. The points of the root belong to no side.
func (s *Search[T, P]) backUp(count uint32, points int) {
	s.found.Playouts += int64(count)
	share := [2]uint32{uint32(points), 2*count - uint32(points)}
	if s.above == 0 {
		s.tree.nodes[0].visits += count
	}
	for i := max(s.above, 1); i < len(s.path); i++ {
		n := &s.tree.nodes[s.path[i].node]
		n.visits += count
		n.points += share[s.path[i-1].turn]
	}
}

// settle records proven results, from the end of the path towards the root.
func (s *Search[T, P]) settle() {
	for i := len(s.path) - 1; i >= 0; i-- {
		if !s.tree.prove(&s.tree.nodes[s.path[i].node], s.path[i].turn) {
			return
		}
	}
}

// trees returns the number of trees, this one included.
func (s *Search[T, P]) trees() int { return max(s.among, 1) }

// affords returns the number of positions that the solver may visit: leafMost, or fewer if the
// limits leave less.
func (s *Search[T, P]) affords() int64 {
	most := int64(leafMost)
	if b := &s.budget; b.playouts > 0 {
		most = min(most, exactCost*(b.playouts-s.found.Playouts)-s.found.Exact)
	}
	if b := &s.budget; b.nodes > 0 {
		most = min(most, exactCost*(b.nodes-s.found.Nodes-b.idle)-s.found.Exact)
	}
	return max(most, 0)
}

// Times of the checks of answers, in playouts.
const (
	firstCheck         = 256  // number of playouts before the first check
	checkUp, checkDown = 5, 4 // the next check is at 5/4 of the playouts of the last
)

// solves reports whether a Solver is in use.
func (s *Search[T, P]) solves() bool { return s.opt.Fours && s.opt.Solver && s.solver != nil }

// leafMost is the largest number of positions visited to solve a
// leaf, and exactCost the number that costs as much as a playout.
const (
	leafMost  = 1024
	exactCost = 4
)
