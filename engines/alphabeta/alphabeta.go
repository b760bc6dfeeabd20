// Package alphabeta searches games of two players with
// full information by minimax, pruned by alpha-beta.
// It is compiled against a game's own position and knows no game.
// Without selective options its value is minimax's value.
//
// # What it promises
//
// The value of a search of a given depth is the minimax value of that depth, whatever
// the options: windows, ordering, table and iterations only make it cheaper.
// (Options.Reduce, Options.Margin and Options.Prune are the exception: they give that up for depth.)
// Three things could break this promise.
// Each has its remedy:
//
//   - An entry of the table may come from a deeper search than the one that reads it. Only two kinds of entries answer:
//     entries of exactly the depth of the reader, and proven wins and losses no longer than both depths, which no depth
//     changes. Options.Deeper gives this up for strength.
//   - A value may depend on the path to a position and not on the position
//     alone (graph history interaction; Kishimoto and Müller 2004). Position.Key
//     must cover all that the game's Moves, Outcome and Eval read. Repetition is
//     the one rule that reads the path: it is off unless Options.Repetition is
//     set, and then a value that rests on a repetition above its node is not
//     stored. A stored value may still have been free of a repetition that the
//     path now makes, so with Repetition and a table together the value can
//     differ from minimax's; with Repetition and no table it does not.
//   - Distances to a win count from the root. The table stores distances from the node, which are exact for every path.
//
// A side may move twice in a row: a value is negated only where the side to move changes.
//
// Under limits of depth and nodes a search is a function of the position,
// the options and the searches since NewGame, so games repeat exactly.
//
// The search is negamax with iterative deepening, principal variation search (Marsland and
// Campbell 1982), optional aspiration windows at the root, a transposition table in buckets
// of four, killer moves (Akl and Newborn 1977) and the history heuristic (Schaeffer 1989).
// A game may have leaves followed by a quiescence search
// (Hooks.Tactics), whose value then stands for Eval's.
package alphabeta

import "selfplaylab/engines"

// Scores are int32, positive if good for the side whose view they take.
const (
	// Win is the score of a game already won.
	// A win in n plies scores Win-n, a loss in n plies -(Win-n).
	Win int32 = 2_000_000_000
	// MaxEval bounds what Position.Eval may return either way.
	MaxEval int32 = 1_900_000_000
	// maxPly bounds the length of a line, in plies.
	maxPly = 128

	infinity  = Win + 1
	mateBound = Win - 1000 // below every score of a win in up to 2 maxPly
)

// Mate reports whether score is a proven win or loss, and the number of plies of best play to
// it, at least 0.
func Mate(score int32) (plies int, proven bool) {
	if score < 0 {
		score = -score
	}
	return int(Win - score), score >= mateBound
}

// Position is the part of a game that a search needs. Moves may list fewer than the legal moves
// (candidates). If it lists none in an unfinished game, Eval gives the value. Moves, Outcome
// and Eval may only depend on what Key covers.
type Position[T any] interface {
	engines.Position[T]
	// Eval returns the static value for the side to move, from -MaxEval to MaxEval.
	Eval() int32
}

// Hooks are optional functions of a game. Each may be nil.
type Hooks[T any] struct {
	// Undo takes back the last Play. With it the search works on one position in place; without
	// it, on copies along a stack, which is faster for positions of up to about a hundred
	// bytes.
	Undo func(*T)
	// Rank adds to each move's rank; higher is searched earlier. The ranks are 0 before. A
	// killer move counts KillerRank, history at most historyRank. Moves of equal rank keep
	// about the order of Moves.
	Rank func(p *T, moves []engines.Move, ranks []int32)
	// Forced reports a position whose moves use no depth, such as a position with a single
	// answer. The game must make sure that no line is forced forever.
	Forced func(*T) bool
	// Tactics continues the search at depth 0 (quiescence search). It appends the moves that
	// may change Eval much, such as captures. The side to move may decline them all, so that the
	// value is at least Eval's, except in a Forced position. It may leave out moves that raise
	// Eval by less than need. The moves are searched until there are none, so every line of
	// them must end, without returning to earlier positions. Nil values leaves by Eval alone.
	Tactics func(p *T, buf []engines.Move, need int32) []engines.Move
	// Pass lets the side to move pass and reports true. It changes nothing and reports false
	// where passing may be better than any move. With Undo, Undo takes a pass back.
	Pass func(*T) bool
	// Solve is called before a node is searched. It returns the number of plies in which the
	// side to move wins, the negative number in which it loses, or 0 if the game cannot tell
	// without search, and the number of positions it visited. depth is the remaining depth, at
	// most 0 at leaves.
	Solve func(p *T, depth int) (plies int, visited int64)
	// Prove searches for a win of the side to move at the root by the game's own means. It
	// returns a winning line, which is played without any other search, and the number of plies
	// to the win; an empty line proves nothing. visited counts positions.
	Prove func(p *T) (line []engines.Move, plies int, visited int64)
}

// Ranks for comparison in Hooks.Rank.
const (
	KillerRank  int32 = 1 << 16
	historyRank int32 = 1 << 14

	tableRank int32 = 1 << 30
)

// ties selects one of several root moves of equal value.
type ties uint8

const (
	// The zero value selects the move searched first, which costs nothing.
	_ ties = iota
	// TieEval selects the move with the larger Eval right after it, from the mover's view.
	// Among equals it selects the earliest in the order of Moves.
	// The choice then does not depend on options that only save work.
	TieEval
)

// Options choose how to search.
// The zero value is alpha-beta with principal variation windows,
// move ordering and iterative deepening, without a table.
type Options struct {
	// Minimax searches the whole tree.
	// Of the options below only Ties, Contempt and Repetition then matter.
	Minimax bool

	// Table is the number of entries of the transposition table,
	// of 16 bytes each, rounded up to a power of two; 0 for none.
	Table int
	// Deeper accepts entries of deeper searches, too.
	Deeper bool
	// Reuse keeps a Player's table from one decision of a game to the next, so that decisions
	// also depend on earlier ones.
	Reuse bool

	// Reduce searches late moves of a node less deeply at first, unless their rank is high,
	// and to full depth only if they then seem better than the best (late move reductions).
	Reduce bool
	// Margin, if above 0, is the assumed bound on the change of Eval by a quiet ply.
	// A node near the leaves returns an Eval that lies this far above the window; a node
	// that far below searches only moves of high rank (futility pruning; Heinz 1998).
	// Proven ends never come from Eval, so a proven win
	// or loss is real; shorter ones may be overlooked.
	Margin int32
	// Prune does six things that pay in searches of ten thousand nodes and more.
	// A side whose Eval reaches the window's upper end passes if Hooks.Pass lets it: a shallower
	// search that still reaches it then stands for the node's (null move; Donninger 1993).
	// Margin serves at greater depths, too. A node without a move from the table is searched a
	// ply less. All moves are ordered, also by how they did after the move before. The table also
	// keeps values that depend on a repetition; without them most nodes would lack a move from the
	// table. A Player searches with Reuse.
	Prune bool

	// Width, if above 0, is the number of moves of a node that are
	// searched, of highest rank, plus half as many for each remaining ply.
	// The root searches all moves.
	// So does a node whose moves have all lost so far, so
	// that no loss is reported that another move avoids.
	Width int

	// Lazy skips Hooks.Solve at leaves whose Eval already reaches the window's upper end, where
	// a win would not change the search.
	Lazy bool

	Unordered bool // search in the order of Moves

	Ties ties // choice among root moves of equal value
	// Contempt is the cost of a draw for the side to move at the root.
	Contempt int32
	// Repetition scores a position as a draw if it occurred before, in the line or in the past
	// given to Think.
	Repetition bool
}

// Result is the outcome of a search. Line is valid until the next call of Think.
type Result struct {
	Move  engines.Move   // 0 if the root has no move: the game is over
	Score int32          // for the side to move
	Depth int            // deepest completed iteration, in plies
	Nodes int64          // positions visited, with leaves but without the root
	Line  []engines.Move // best play from the root, as far as known; Move is its first
	// Stopped reports that the context ended the search. Move is legal even then.
	Stopped bool
}
