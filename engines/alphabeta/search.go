package alphabeta

import (
	"context"

	"selfplaylab/engines"
)

// Search holds all memory of a search. One goroutine at a time may use it.
type Search[T any, P Position[T]] struct {
	options Options
	hooks   Hooks[T]
	table   table
	order   order

	stack  []T // copies along the line; unused with Hooks.Undo
	moves  []engines.Move
	ranks  []int32 // of the moves
	list   []rootMove
	valued int // number of moves of list that the last pass valued
	line   [maxPly]engines.Move
	linesN [maxPly + 1]int
	lines  [maxPly + 1][maxPly]engines.Move // best line from each ply on
	last   [maxPly + 1]engines.Move         // the move before each ply, 0 for a pass

	// State of the current call of Think.
	root   *T
	side   engines.Side // the side to move at the root
	salt   uint64       // added to all keys
	nodes  int64
	limits budget
	clock  engines.Stopwatch
	path   path
}

// budget decides when a search stops.
type budget struct {
	ctx      context.Context
	nodes    int64 // 0 for no limit
	clock    *engines.Stopwatch
	pollAt   int64 // number of nodes at the next look
	stop     bool
	canceled bool
}

// Nodes between two looks at the context, and at the clock if it counts.
// A search makes about four million nodes a second, so 256 take 64 microseconds.
const (
	pollInterval  = 1024
	clockInterval = 256
)

// rootMove is a move at the root.
type rootMove struct {
	move   engines.Move
	index  int   // in the order of Moves
	score  int32 // of the last iteration, exact or a bound
	static int32 // Eval after the move, for the mover; only with TieEval
}

// New returns a search. T is the game's position. The table is allocated at once; all other
// memory grows with use.
func New[T any, P Position[T]](options Options, hooks Hooks[T]) *Search[T, P] {
	s := &Search[T, P]{hooks: hooks, moves: make([]engines.Move, 0, 4096), ranks: make([]int32, 4096)}
	if hooks.Undo == nil {
		s.stack = make([]T, maxPly+1)
	}
	s.options.Table = -1
	s.Configure(options)
	return s
}

// Configure changes the options and forgets everything. It keeps the memory of the table if its
// size does not change.
func (s *Search[T, P]) Configure(options Options) {
	if options.Table != s.options.Table {
		s.table.resize(options.Table)
	}
	s.options = options
	s.order.follow = nil
	if options.Prune {
		s.order.follow = new(followed)
	}
	s.NewGame()
}

// NewGame forgets everything learned, in constant time.
// The next searches equal a new Search's.
func (s *Search[T, P]) NewGame() {
	s.table.newGame()
	s.order.newGame()
}

// NextMove forgets the order of moves and keeps the table.
func (s *Search[T, P]) NextMove() { s.order.newGame() }

// poll checks the limits and sets the next look.
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

// enter counts p and begins its line. over reports that nothing is left to search: a limit is
// reached, the game has ended, or the position is a draw by Options.Repetition.
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

// final returns the score of a finished game for the side to move.
func (s *Search[T, P]) final(o engines.Outcome, turn engines.Side, ply int) int32 {
	switch o {
	case engines.Draw:
		return s.drawFor(turn)
	case engines.Win(turn):
		return Win - int32(ply)
	}
	return int32(ply) - Win
}

// drawFor returns the score of a draw for a side.
func (s *Search[T, P]) drawFor(turn engines.Side) int32 {
	if turn == s.side {
		return -s.options.Contempt
	}
	return s.options.Contempt
}

// play returns the position after m: the next of the stack, or p itself with Hooks.Undo.
func (s *Search[T, P]) play(p *T, ply int, m engines.Move) *T {
	s.last[ply+1] = m
	if s.hooks.Undo != nil {
		P(p).Play(m)
		return p
	}
	child := &s.stack[ply+1]
	*child = *p
	P(child).Play(m)
	return child
}

// undo takes back the last play.
func (s *Search[T, P]) undo(p *T) {
	if s.hooks.Undo != nil {
		s.hooks.Undo(p)
	}
}

// keepLine sets the line from ply to m and the line from the next ply.
func (s *Search[T, P]) keepLine(ply int, m engines.Move) {
	n := max(s.linesN[ply+1], ply+1)
	s.lines[ply][ply] = m
	copy(s.lines[ply][ply+1:n], s.lines[ply+1][ply+1:n])
	s.linesN[ply] = n
}

// generate lists and ranks the moves of p at the end of s.moves.
func (s *Search[T, P]) generate(p *T, ply int, hashMove engines.Move) ([]engines.Move, []int32) {
	base := len(s.moves)
	s.moves = P(p).Moves(s.moves)
	moves := s.moves[base:]
	if len(s.moves) > len(s.ranks) {
		s.ranks = append(s.ranks, make([]int32, cap(s.moves)-len(s.ranks))...)
	}
	ranks := s.ranks[base:len(s.moves)]
	clear(ranks) // an earlier search may have left its ranks here
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
			ranks[i] += s.order.worth(history, s.last[ply], m)
		}
	}
	return moves, ranks
}
