package mcts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"selfplaylab/engines"
)

// defaultPlayouts is the budget of a search whose limits bound neither
// playouts, nodes nor time.
const defaultPlayouts = 2000

// clockEvery is how many playouts pass between looks at clock and context, at
// most: at four million a second 16 microseconds. Where they take longer than
// clockStep, and the clock counts, it is looked at more often.
const (
	clockEvery = 64
	clockStep  = 200 * time.Microsecond
)

// Search is a tree, all its memory and the rule by which it grows. It belongs
// to one goroutine at a time. Call Configure, then Begin.
type Search[T any, P Position[T]] struct {
	tree tree
	opt  Options
	rule selection
	rng  Rand

	// The positions live here and not on the stack: a local whose address goes
	// through a constraint's method would be allocated anew each time.
	root, here, child T

	path  []step         // from the root to here
	above int            // how many nodes of path, from the root on, get no part in results
	moves []engines.Move // of here
	games []Game         // after them

	budget budget
	clock  engines.Stopwatch
	found  Result

	capacity int             // nodes at most, of all trees together
	others   []*Search[T, P] // the other trees, searched by other goroutines
	among    int             // how many trees there are, if more than one
	merged   []node          // the root's children in all trees, where there are others

	makeSolver func() Solver[T] // nil for none
	solver     Solver[T]

	asked T     // the position whose answers are looked at
	check int64 // the playouts at which they are looked at next

	copyTime time.Duration // of a node, as measured of late
}

// step is a node of the path and the side to move there.
type step struct {
	node uint32
	turn engines.Side
}

// budget is what a search may still spend.
type budget struct {
	ctx             context.Context
	playouts, nodes int64 // at most; 0 for any number
	depth           int
	clock           *engines.Stopwatch
	look            int64 // at this many playouts, look at clock and context
	every           int64 // playouts to the next look
	idle            int64 // descents that created no node
	over            bool
}

// New returns a search that keeps at most capacity nodes, of 20 bytes each, or
// as many as the root has children if that is more. It takes the memory as it
// needs it.
func New[T any, P Position[T]](capacity int) *Search[T, P] {
	if capacity < 1 || uint64(capacity) > 1<<31 {
		panic(fmt.Sprintf("mcts.New: capacity of %d nodes; want 1 to 2^31", capacity))
	}
	s := &Search[T, P]{capacity: capacity, tree: tree{limit: capacity}}
	s.tree.plant()
	return s
}

// Configure sets the options. The tree is forgotten.
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

// Begin starts a tree at a position.
func (s *Search[T, P]) Begin(p *T) {
	s.root = *p
	s.tree.plant()
	for _, b := range s.others {
		b.Begin(p)
	}
}

// Advance makes the position after a legal move the root and keeps what the
// tree knows about it.
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

// Run searches from the root, adding to the tree. Limits of zero are not
// limits; if none is given but depth, defaultPlayouts holds. The game must not
// have ended; if it has, the result has no move.
func (s *Search[T, P]) Run(ctx context.Context, seed uint64, limits engines.Limits) Result {
	if P(&s.root).Outcome() != engines.Ongoing {
		return Result{}
	}
	if len(s.others) == 0 {
		s.grind(ctx, seed, limits)
		s.judge(&s.tree.nodes[0], s.tree.children(&s.tree.nodes[0]))
		return s.found
	}
	return s.runAll(ctx, seed, limits)
}

// grind is Run without the choice of a move.
func (s *Search[T, P]) grind(ctx context.Context, seed uint64, limits engines.Limits) {
	s.found = Result{}
	s.rng = NewRand(seed)
	s.clock.Start(limits.Time)
	s.budget = newBudget(ctx, limits, &s.clock)
	s.tree.foresee(limits.Time)
	s.check = firstCheck
	if s.solves() {
		s.solver.Forget()
	}
	for s.tree.nodes[0].result == engines.Ongoing {
		s.descend()
		s.found.Descents++
		if s.opt.Answers > 0 && s.found.Playouts >= s.check {
			s.checkAnswers()
		}
		if s.spent() {
			break
		}
	}
}

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

// spent reports whether the search has to stop.
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

// most is how many children a node has in the games there are, or little more;
// where it has more, a leaf may find no room and get another random game.
const most = 256

// defaultCopy is the assumed time to copy a node of the tree: 20 ns on an idle
// machine, a third of a second for 16 million.
const defaultCopy = 50 * time.Nanosecond

// copied notes how long copying the tree took since start, if the tree is large enough
// to measure: on a busy machine it takes many times as long.
func (s *Search[T, P]) copied(start time.Time) {
	if n := len(s.tree.nodes); n > 1<<18 {
		s.copyTime = max(time.Since(start)/time.Duration(n), s.copyTime/2)
	}
}

// makeRoom cuts a tree that is full, unless the clock may run out before that is done:
// then leaves stay what they are.
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

// descend goes down from the root, expands, simulates and backs up: once in the
// Standard loop, at every step to the end of the game in the Source loop.
func (s *Search[T, P]) descend() {
	s.makeRoom()
	s.descendFrom(0, s.begin())
}

// begin begins a path at the root, and returns whose turn it is there.
func (s *Search[T, P]) begin() engines.Side {
	s.here = s.root
	turn := P(&s.here).Turn()
	s.path = append(s.path[:0], step{0, turn})
	return turn
}

// descendFrom is descend from a node that path ends with.
func (s *Search[T, P]) descendFrom(at uint32, turn engines.Side) {
	created := s.found.Nodes
	for {
		next, fresh, ok := s.step(at, turn)
		if !ok {
			break
		}
		if fresh && (s.opt.Loop == Standard || s.spent() || s.tree.nodes[at].result != engines.Ongoing) {
			return
		}
		if next == 0 {
			next = s.tree.pick(&s.tree.nodes[at], &s.rule, turn)
		}
		if r := s.tree.nodes[next].result; r != engines.Ongoing {
			s.path = append(s.path, step{node: next})
			s.backUp(1, r.Points(engines.First))
			break
		}
		at, turn = next, s.enter(next)
	}
	s.found.Depth = max(s.found.Depth, len(s.path)-1)
	if s.found.Nodes == created {
		s.budget.idle++
	}
}

// enter goes from the end of the path into a child, and returns whose turn it is
// there.
func (s *Search[T, P]) enter(child uint32) engines.Side {
	P(&s.here).Play(s.tree.moves[child])
	turn := P(&s.here).Turn()
	s.path = append(s.path, step{child, turn})
	return turn
}

// step expands node at, the end of the path, if it is to be expanded, and then
// reports fresh. next is the child just simulated alone, or 0. It is not ok if
// the node cannot be expanded; then a game from it has been backed up.
func (s *Search[T, P]) step(at uint32, turn engines.Side) (next uint32, fresh, ok bool) {
	leaf := s.tree.nodes[at].first == 0
	if leaf && at != 0 && s.solves() && s.solveLeaf(at, turn) {
		return 0, false, false
	}
	if leaf && !s.grow(at) {
		s.child = s.here
		s.backUp(1, P(&s.child).Playout(&s.rng, s.opt.Rollouts).Points(engines.First))
		return 0, false, false
	}
	if n := &s.tree.nodes[at]; leaf && s.follows(n) {
		s.found.Nodes++
		return n.first, false, true
	}
	if s.opt.Expand == One {
		n := &s.tree.nodes[at]
		none := s.tree.unvisited(n)
		if none == 0 {
			return 0, false, true
		}
		next = s.tree.nthUnvisited(n, s.rng.Below(none))
		s.simulate(next, 1, turn)
		return next, true, true
	}
	if leaf {
		n := s.tree.nodes[at]
		s.simulate(n.first, uint32(n.count), turn)
	}
	return 0, leaf, true
}

// grow adds the children of a leaf, and reports whether memory and depth let
// it. The root's are always added.
func (s *Search[T, P]) grow(at uint32) bool {
	if at != 0 && s.budget.depth > 0 && len(s.path) > s.budget.depth {
		return false
	}
	s.moves = s.list(s.moves[:0])
	if len(s.moves) == 0 {
		panic(fmt.Sprintf("mcts: %T lists no moves though the game goes on", &s.here))
	}
	if at == 0 {
		s.tree.limit = max(s.tree.limit, 1+len(s.moves))
	}
	return s.tree.grow(at, s.moves)
}

// list appends the moves that the tree gets below the end of the path.
func (s *Search[T, P]) list(buf []engines.Move) []engines.Move {
	if s.opt.Forced {
		if here, ok := any(P(&s.here)).(MovePruner); ok {
			return here.Sensible(buf)
		}
	}
	return P(&s.here).Moves(buf)
}

// follows reports whether the only child of a leaf just expanded is to be gone
// into without a random game from it: it was forced, and the game goes on.
func (s *Search[T, P]) follows(n *node) bool {
	if !s.opt.Forced || n.count != 1 {
		return false
	}
	s.child = s.here
	P(&s.child).Play(s.tree.moves[n.first])
	return P(&s.child).Outcome() == engines.Ongoing
}

// simulate plays one random game from each of count children side by side below
// the end of the path, and backs the results up, together.
func (s *Search[T, P]) simulate(first, count uint32, turn engines.Side) {
	brooder, brood := any(P(&s.here)).(BatchRollouts)
	if brood = brood && s.opt.Rollouts > Careless; brood {
		s.games = slices.Grow(s.games[:0], int(count))[:count]
		brooder.Playouts(s.tree.moves[first:first+count], &s.rng, s.opt.Rollouts, s.games)
	}
	points, ended := 0, false
	for at := first; at < first+count; at++ {
		var game Game
		if brood {
			game = s.games[at-first]
		} else {
			game = s.play(s.tree.moves[at])
		}
		n := &s.tree.nodes[at]
		if game.Ended {
			n.result, ended = game.Outcome, true
		}
		n.visits = 1
		n.points = uint32(game.Outcome.Points(turn))
		points += game.Outcome.Points(engines.First)
	}
	s.found.Nodes += int64(count)
	s.found.Depth = max(s.found.Depth, len(s.path))
	s.backUp(count, points)
	if ended && s.opt.Solver {
		s.settle()
	}
}

// play plays a random game after a move at the end of the path.
func (s *Search[T, P]) play(m engines.Move) Game {
	s.child = s.here
	P(&s.child).Play(m)
	if o := P(&s.child).Outcome(); o != engines.Ongoing {
		return Game{o, true}
	}
	return Game{P(&s.child).Playout(&s.rng, s.opt.Rollouts), false}
}

// backUp adds count results, in which the first side made points half points,
// to every node of the path that gets a part. The points of the root belong to nobody.
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

// settle marks what is proven now, from the end of the path towards the root.
func (s *Search[T, P]) settle() {
	for i := len(s.path) - 1; i >= 0; i-- {
		if !s.tree.prove(&s.tree.nodes[s.path[i].node], s.path[i].turn) {
			return
		}
	}
}

// judge chooses the move by what is known of the root and its children.
func (s *Search[T, P]) judge(root *node, children []node) {
	turn := P(&s.root).Turn()
	i, best := s.best(children, turn)
	s.found.Move = s.tree.moves[s.tree.nodes[0].first+uint32(i)]
	s.found.WinRate = best.winRate()
	s.found.Proven = root.result
	s.found.Mate = mate(root.result, children[i], turn)
}

// best returns the child that turn would play, the first of equals, and its standing.
func (s *Search[T, P]) best(children []node, turn engines.Side) (at int, standing standing) {
	standing.class = -1
	for i, c := range children {
		if here := s.rate(c, turn); here.beats(standing, s.opt.Final) {
			at, standing = i, here
		}
	}
	return at, standing
}

// mate returns Result.Mate where turn moves into chosen, and the root is proven
// to end as root says.
func mate(root engines.Outcome, chosen node, turn engines.Side) int {
	switch lost := engines.Win(turn.Other()); {
	case chosen.plies == manyPlies:
		return 0
	case chosen.result == engines.Win(turn):
		return 1 + int(chosen.plies)
	case chosen.result == lost && root == lost:
		return -1 - int(chosen.plies)
	}
	return 0
}

// standing is what a root move is chosen by.
type standing struct {
	class          int    // 2 proven won, 1 open or drawn, 0 proven lost, -1 unknown
	points, visits uint64 // points out of 2 a visit
}

// rate returns the standing of a root child for the side to move there.
func (s *Search[T, P]) rate(c node, turn engines.Side) standing {
	r := standing{class: 1, points: uint64(c.points), visits: uint64(c.visits)}
	if c.visits == 0 {
		r.class = -1
	}
	if s.opt.Solver && c.result != engines.Ongoing {
		r.class, r.visits = c.result.Points(turn), max(r.visits, 1)
		r.points = uint64(r.class) * r.visits
	}
	return r
}

// winRate is 1, 1/2 or 0 where the result is proven.
func (s standing) winRate() float64 {
	if s.visits == 0 {
		return 0
	}
	return float64(s.points) / float64(2*s.visits)
}

func (s standing) beats(o standing, final Final) bool {
	if s.class != o.class {
		return s.class > o.class
	}
	rate, than := s.points*o.visits, o.points*s.visits
	if final == Visits {
		return s.visits > o.visits || s.visits == o.visits && rate > than
	}
	return rate > than || rate == than && s.visits > o.visits
}

// Children returns what is known about each move at the root, in the order of
// the game's moves; nothing before the first Run.
func (s *Search[T, P]) Children() []Child {
	root := &s.tree.nodes[0]
	if root.first == 0 {
		return nil
	}
	turn := P(&s.root).Turn()
	children := s.tree.children(root)
	if len(s.others) > 0 {
		children = s.merge()
	}
	var list []Child
	for i, c := range children {
		r := s.rate(c, turn)
		list = append(list, Child{
			Move:    s.tree.moves[root.first+uint32(i)],
			Visits:  int64(c.visits),
			WinRate: r.winRate(),
			Proven:  c.result,
		})
	}
	return list
}
