package alphabeta

import (
	"context"
	"slices"

	"selfplaylab/engines"
)

// Search holds all memory of a search; only Think, NewGame and Configure use
// it. It belongs to one goroutine at a time.
type Search[T any, P Position[T]] struct {
	options Options
	hooks   Hooks[T]
	table   table
	order   order

	stack  []T // copies along the line; unused with Hooks.Undo
	moves  []engines.Move
	ranks  []int32 // of moves
	list   []rootMove
	valued int // of list, by the last pass
	line   [maxPly]engines.Move
	linesN [maxPly + 1]int
	lines  [maxPly + 1][maxPly]engines.Move // best line from each ply on

	// Of the current call of Think.
	root   *T
	side   engines.Side // to move at the root
	salt   uint64       // of keys
	nodes  int64
	limits budget
	clock  engines.Stopwatch
	path   path
}

// budget decides when to stop.
type budget struct {
	ctx      context.Context
	nodes    int64 // 0 for unlimited
	clock    *engines.Stopwatch
	pollAt   int64 // node count at which to look again
	stop     bool
	canceled bool
}

// Nodes between two looks at the context, and at the clock if it counts: of some
// four million nodes a second 256 take 64 microseconds, and a look a tenth of
// one.
const (
	pollInterval  = 1024
	clockInterval = 256
)

type rootMove struct {
	move   engines.Move
	index  int   // in the order of Moves
	score  int32 // of the last iteration: exact or a bound
	static int32 // Eval after the move for the mover, with TieEval
}

// New returns a search. T is the game's position.
func New[T any, P Position[T]](options Options, hooks Hooks[T]) *Search[T, P] {
	s := &Search[T, P]{hooks: hooks, moves: make([]engines.Move, 0, 4096), ranks: make([]int32, 4096)}
	if hooks.Undo == nil {
		s.stack = make([]T, maxPly+1)
	}
	s.options.Table = -1
	s.Configure(options)
	return s
}

// Configure changes the options and forgets everything. The memory of the table
// is kept when its size stays.
func (s *Search[T, P]) Configure(options Options) {
	if options.Table != s.options.Table {
		s.table.resize(options.Table)
	}
	s.options = options
	s.NewGame()
}

// NewGame forgets everything learned, at next to no cost: the next searches
// are those of a new Search.
func (s *Search[T, P]) NewGame() {
	s.table.newGame()
	s.order.newGame()
}

// NextMove forgets what was learned about the order of moves, but keeps the table.
func (s *Search[T, P]) NextMove() { s.order.newGame() }

// Think searches root within limits, of which it takes depth, nodes and time;
// with none it searches to maxPly. past holds the keys of earlier positions of
// the game that may occur again; only Options.Repetition reads it.
//
// With Hooks.Undo, root is played upon and restored; else it is only read.
// Result.Line is valid until the next call.
func (s *Search[T, P]) Think(ctx context.Context, root *T, past []uint64, limits engines.Limits) Result {
	s.begin(ctx, root, past, limits)
	s.table.newSearch()
	s.order.newSearch()
	depth := maxPly - 1
	if limits.Depth > 0 {
		depth = min(depth, limits.Depth)
	}
	if !s.listRoot() {
		return Result{}
	}
	if r, ok := s.prove(); ok {
		return r
	}
	r := Result{Move: s.list[0].move}
	from := 1
	if s.options.Minimax && limits.Depth > 0 {
		from = depth
	}
	for d := from; d <= depth; d++ {
		best, score := s.searchRoot(d)
		if best >= 0 && s.outdid(r.Move) {
			r.Move, r.Score = s.list[best].move, score
			r.Line = append(s.line[:0], s.lines[0][:s.linesN[0]]...)
		}
		if s.limits.stop {
			break
		}
		r.Depth = d
		s.sortRoot(best)
		if plies, proven := Mate(score); proven && (plies <= d || s.hooks.Solve != nil) && !s.options.Repetition {
			break // no depth changes who wins
		}
	}
	r.Nodes, r.Stopped = s.nodes, s.limits.canceled
	return r
}

// prove asks Hooks.Prove for a win.
func (s *Search[T, P]) prove() (Result, bool) {
	if s.hooks.Prove == nil || s.options.Minimax {
		return Result{}, false
	}
	line, plies, visited := s.hooks.Prove(s.root)
	s.nodes += visited
	if len(line) == 0 {
		return Result{}, false
	}
	return Result{Move: line[0], Score: Win - int32(plies), Depth: plies, Nodes: s.nodes, Line: line}, true
}

// outdid reports whether the last pass, if it was stopped, had come to the move
// that was best before: else the best of its moves need not be better.
func (s *Search[T, P]) outdid(before engines.Move) bool {
	return !s.limits.stop || slices.ContainsFunc(s.list[:s.valued], func(m rootMove) bool { return m.move == before })
}

func (s *Search[T, P]) begin(ctx context.Context, root *T, past []uint64, limits engines.Limits) {
	s.root, s.side = root, P(root).Turn()
	if s.hooks.Undo == nil {
		s.stack[0] = *root
		s.root = &s.stack[0]
	}
	s.nodes = 0
	s.limits = budget{ctx: ctx, nodes: limits.Nodes, clock: &s.clock}
	s.clock.Start(limits.Time)
	s.limits.poll(0)
	s.salt = 0
	if s.options.Contempt != 0 {
		s.salt = engines.Mix(uint64(s.side) + 1) // draws are worth the opposite to the other side
	}
	s.moves = s.moves[:0]
	if s.options.Repetition {
		s.path.begin(P(s.root).Key(), past)
	}
}

// poll looks at the limits and sets when to look again.
func (b *budget) poll(nodes int64) {
	b.pollAt = nodes + pollInterval
	if b.clock.Runs() {
		b.pollAt = nodes + clockInterval
	}
	if b.nodes > 0 {
		b.stop = nodes >= b.nodes
		b.pollAt = min(b.pollAt, b.nodes)
	}
	if b.clock.Over() {
		b.stop = true
	}
	select {
	case <-b.ctx.Done():
		b.stop, b.canceled = true, true
	default:
	}
}

// listRoot lists the root moves in their first order; false if there are none.
func (s *Search[T, P]) listRoot() bool {
	if P(s.root).Outcome() != engines.Ongoing {
		return false
	}
	moves, ranks := s.generate(s.root, 0, 0)
	s.list = s.list[:0]
	for i, m := range moves {
		s.list = append(s.list, rootMove{move: m, index: i, score: ranks[i]})
	}
	s.sortRoot(-1)
	if s.options.Ties == TieEval {
		for i := range s.list {
			s.list[i].static = s.evalAfter(s.list[i].move)
		}
	}
	s.moves = s.moves[:0]
	return len(s.list) > 0
}

// evalAfter returns Eval after a root move, for the mover.
func (s *Search[T, P]) evalAfter(m engines.Move) int32 {
	p := s.play(s.root, 0, m)
	v := P(p).Eval()
	if P(p).Turn() != s.side {
		v = -v
	}
	s.undo(p)
	return v
}

// sortRoot puts s.list[best] first and the rest by score, stably. With
// Unordered it leaves the game's order.
func (s *Search[T, P]) sortRoot(best int) {
	if s.options.Unordered || s.options.Minimax {
		return
	}
	start := 0
	if best >= 0 {
		b := s.list[best]
		copy(s.list[1:best+1], s.list[:best])
		s.list[0] = b
		start = 1
	}
	for i := start + 1; i < len(s.list); i++ {
		m := s.list[i]
		j := i
		for ; j > start && s.list[j-1].score < m.score; j-- {
			s.list[j] = s.list[j-1]
		}
		s.list[j] = m
	}
}

// searchRoot searches the root to depth and returns the index of the best move and its
// score; -1 if it was stopped before it knew one.
func (s *Search[T, P]) searchRoot(depth int) (int, int32) {
	best, bestScore := -1, -infinity
	s.linesN[0] = 0
	s.valued = 0
	for i := range s.list {
		m := &s.list[i]
		// A move that would win a tie must show whether it ties.
		low := bestScore
		if best >= 0 && s.winsTie(m, &s.list[best]) {
			low--
		}
		p := s.play(s.root, 0, m.move)
		v := s.valueOf(p, s.side, 0, depth-1, low, infinity, best < 0)
		s.undo(p)
		if s.limits.stop {
			break
		}
		m.score = v
		s.valued++
		if v > bestScore || v == bestScore && v > low {
			best, bestScore = i, v
			s.keepLine(0, m.move)
		}
	}
	return best, bestScore
}

func (s *Search[T, P]) winsTie(m, best *rootMove) bool {
	if s.options.Ties != TieEval {
		return false
	}
	return m.static > best.static || m.static == best.static && m.index < best.index
}

// valueOf returns the value, for the side that moved at ply, of the position p
// it moved to. whole asks for the whole window at once, as for a first move.
func (s *Search[T, P]) valueOf(p *T, mover engines.Side, ply, depth int, alpha, beta int32, whole bool) int32 {
	same := P(p).Turn() == mover
	switch {
	case s.options.Minimax:
		if same {
			return s.minimax(p, ply+1, depth)
		}
		return -s.minimax(p, ply+1, depth)
	case !whole && beta-1 > alpha:
		v := s.window(p, same, ply, depth, alpha, alpha+1)
		if v <= alpha || v >= beta || s.limits.stop {
			return v
		}
	}
	return s.window(p, same, ply, depth, alpha, beta)
}

// window searches p with a window from the view of the side that moved to it.
func (s *Search[T, P]) window(p *T, same bool, ply, depth int, alpha, beta int32) int32 {
	if same {
		return s.search(p, ply+1, depth, alpha, beta)
	}
	return -s.search(p, ply+1, depth, -beta, -alpha)
}

// search returns the value of p for its side to move if it is inside the
// window; else a bound on it, at or outside the window. (Fail-soft.)
func (s *Search[T, P]) search(p *T, ply, depth int, alpha, beta int32) int32 {
	s.path.rests = maxPly
	turn := P(p).Turn()
	if v, over := s.enter(p, turn, ply); over {
		return v
	}
	if s.hooks.Solve != nil {
		plies, visited := s.solve(p, depth, beta)
		s.nodes += visited
		switch {
		case plies > 0:
			return Win - int32(ply+plies)
		case plies < 0:
			return int32(ply-plies) - Win
		}
	}
	forced := s.hooks.Forced != nil && s.hooks.Forced(p)
	if depth <= 0 && !forced || ply >= maxPly-1 {
		if s.hooks.Tactics != nil {
			return s.quiesce(p, turn, ply, alpha, beta)
		}
		return P(p).Eval()
	}

	// No line from here ends before the next ply.
	alpha, beta = max(alpha, int32(ply+1)-Win), min(beta, Win-int32(ply+1))
	if alpha >= beta {
		return alpha
	}
	var key uint64
	var hashMove engines.Move
	if s.table.entries != nil {
		key = P(p).Key() ^ s.salt
		if e := s.table.find(key); e != nil {
			hashMove = e.move
			v := fromTable(e.score, ply)
			if e.answers(depth, s.options.Deeper) {
				switch b := e.bound(); {
				case b == boundExact, b == boundLower && v >= beta, b == boundUpper && v <= alpha:
					return v
				}
			}
		}
	}

	futile := -infinity // what a move without rank is worth at most, where that is too little
	if s.options.Margin > 0 && depth <= marginDepth && !forced && beta-1 == alpha && alpha > -mateBound && beta < mateBound {
		static, margin := P(p).Eval(), s.options.Margin*int32(depth)
		if static-margin >= beta {
			return static
		}
		if static+margin <= alpha {
			futile = static + margin
		}
	}

	base := len(s.moves)
	moves, ranks := s.generate(p, ply, hashMove)
	if len(moves) == 0 {
		return P(p).Eval()
	}
	next := depth - 1
	if forced {
		next = depth
	}
	width := len(moves)
	if s.options.Width > 0 && !s.options.Unordered {
		width = s.options.Width + s.options.Width*depth/2
	}
	best, bestMove, raised := -infinity, engines.Move(0), false
	rests := maxPly // the least ply at which a repetition below rests
	for i := range moves {
		if i >= width && best > -mateBound {
			break
		}
		if (i < picked || s.options.Width > 0) && !s.options.Unordered {
			pick(moves, ranks, i)
		}
		quiet := i > 0 && ranks[i] <= historyRank
		if quiet && futile > -infinity {
			best = max(best, futile)
			continue
		}
		child := s.play(p, ply, moves[i])
		v, low := infinity, max(alpha, best)
		if quiet && s.options.Reduce && i >= unreduced && depth >= reducedDepth && !forced {
			v = s.window(child, P(child).Turn() == turn, ply, next-reduction(depth, i), low, low+1)
		}
		if v > low {
			v = s.valueOf(child, turn, ply, next, low, beta, best == -infinity)
		}
		s.undo(child)
		if s.limits.stop {
			s.moves = s.moves[:base]
			return 0
		}
		rests = min(rests, s.path.rests)
		if v <= best {
			continue
		}
		best, bestMove = v, moves[i]
		if v > alpha {
			raised = true
			s.keepLine(ply, bestMove)
			if v >= beta {
				if !s.options.Unordered {
					s.order.cut(turn, ply, depth, bestMove, moves[:i])
				}
				break
			}
		}
	}
	s.moves = s.moves[:base]
	s.path.leave(ply, rests)
	if s.table.entries != nil && s.path.rests == maxPly {
		bound := uint64(boundExact)
		switch {
		case best >= beta:
			bound = boundLower
		case !raised:
			bound, bestMove = boundUpper, 0
		}
		s.table.store(key, bestMove, toTable(best, ply), depth, bound)
	}
	return best
}

// solve calls Hooks.Solve. Options.Lazy treats a leaf whose Eval is already good
// enough like a node above the leaves.
func (s *Search[T, P]) solve(p *T, depth int, beta int32) (plies int, visited int64) {
	if s.options.Lazy && depth <= 0 && (s.hooks.Forced == nil || !s.hooks.Forced(p)) {
		plies, visited = s.hooks.Solve(p, 1)
		if plies != 0 || P(p).Eval() >= beta {
			return plies, visited
		}
	}
	return s.hooks.Solve(p, depth)
}

// enter counts p and begins its line. over reports that nothing is left to search: the
// limits are reached, or the game has ended or counts as drawn by Options.Repetition.
func (s *Search[T, P]) enter(p *T, turn engines.Side, ply int) (value int32, over bool) {
	s.nodes++
	s.linesN[ply] = ply
	if s.nodes >= s.limits.pollAt {
		if s.limits.poll(s.nodes); s.limits.stop {
			return 0, true
		}
	}
	if o := P(p).Outcome(); o != engines.Ongoing {
		return s.final(o, turn, ply), true
	}
	if s.options.Repetition && s.path.enter(P(p).Key(), ply) {
		return s.drawFor(turn), true
	}
	return 0, false
}

// minimax is the search without any saving.
func (s *Search[T, P]) minimax(p *T, ply, depth int) int32 {
	turn := P(p).Turn()
	if v, over := s.enter(p, turn, ply); over {
		return v
	}
	forced := s.hooks.Forced != nil && s.hooks.Forced(p)
	if depth <= 0 && !forced || ply >= maxPly-1 {
		return s.quiesce(p, turn, ply, -infinity, infinity)
	}
	if !forced {
		depth--
	}
	base := len(s.moves)
	s.moves = P(p).Moves(s.moves)
	moves := s.moves[base:]
	if len(moves) == 0 {
		return P(p).Eval()
	}
	best := -infinity
	for _, m := range moves {
		child := s.play(p, ply, m)
		v := s.minimax(child, ply+1, depth)
		if P(child).Turn() != turn {
			v = -v
		}
		s.undo(child)
		if s.limits.stop {
			break
		}
		if v > best {
			best = v
			s.keepLine(ply, m)
		}
	}
	s.moves = s.moves[:base]
	return best
}

// final scores a finished game for the side to move.
func (s *Search[T, P]) final(o engines.Outcome, turn engines.Side, ply int) int32 {
	switch o {
	case engines.Draw:
		return s.drawFor(turn)
	case engines.Win(turn):
		return Win - int32(ply)
	}
	return int32(ply) - Win
}

func (s *Search[T, P]) drawFor(turn engines.Side) int32 {
	if turn == s.side {
		return -s.options.Contempt
	}
	return s.options.Contempt
}

// play returns the position after m.
func (s *Search[T, P]) play(p *T, ply int, m engines.Move) *T {
	if s.hooks.Undo != nil {
		P(p).Play(m)
		return p
	}
	child := &s.stack[ply+1]
	*child = *p
	P(child).Play(m)
	return child
}

func (s *Search[T, P]) undo(p *T) {
	if s.hooks.Undo != nil {
		s.hooks.Undo(p)
	}
}

// keepLine makes the line from ply: m and the line from the next ply.
func (s *Search[T, P]) keepLine(ply int, m engines.Move) {
	n := max(s.linesN[ply+1], ply+1)
	s.lines[ply][ply] = m
	copy(s.lines[ply][ply+1:n], s.lines[ply+1][ply+1:n])
	s.linesN[ply] = n
}
