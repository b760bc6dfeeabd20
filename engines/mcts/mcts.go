// Package mcts searches games by random games (Monte Carlo tree search with
// UCB1: Kocsis and Szepesvári 2006). It is compiled against a game's own
// position, which brings its own random game, and knows no game; it has no
// evaluator and no policy.
//
// A descent picks, at each node, the child with the largest
//
//	wins / (visits + eps) + C * sqrt(ln(parent visits + 1) / (visits + eps))
//
// and at a leaf expands it: all children at once, one random game from each, or
// one child and one game. In the Standard loop the next descent starts at the
// root again. In the Source loop, that of the course program this package also
// reproduces, the descent goes on below the expansion, expanding at every step,
// until the game ends: it spends nearly all its games far from the root.
//
// The wins of a node are those of the side that moved into it, so that a parent
// chooses by its own interest. A side may move twice in a row: what counts is
// Position.Turn, not the parity of the depth. A draw counts half a win.
//
// Limits are kept as follows. An expansion once begun is finished, so a search
// may exceed its limit by one expansion less one; the root is always expanded,
// so there is a legal move under any limit. A descent that can create no node,
// because the game has ended there or the memory or depth is used up, counts as
// one node against a limit of nodes, so that every search ends. Where the memory is
// full, what is below the nodes visited least is forgotten, and the search goes on;
// a leaf that cannot be expanded for want of memory or depth gets another random
// game.
//
// Under limits of playouts, nodes and depth a search is a function of the
// position, the options, the number of threads, the seed and, with reuse, the searches before it in
// the game, on every architecture.
package mcts

import (
	"fmt"
	"math"

	"selfplaylab/engines"
)

// Position is what a search needs of a game.
type Position[T any] interface {
	engines.Position[T]
	// Playout plays at random to the end of the game and returns the outcome.
	// The position is lost. It may be called after the end. A game without end
	// must bound itself.
	Playout(r *Rand, care RolloutPolicy) engines.Outcome
}

// RolloutPolicy says how random games are played. A game without such moves ignores
// it.
type RolloutPolicy uint8

// The kinds of random games, each with what those before it do.
const (
	Careless RolloutPolicy = iota // every legal move with equal chance
	Decisive                      // a win within reach is taken, else a loss parried (Teytaud 2010)
	Careful                       // moves that lose a win or allow one are avoided while others are left
)

// Game is a random game after a move.
type Game struct {
	Outcome engines.Outcome
	Ended   bool // by the move itself
}

// BatchRollouts is a Position that plays random games after several moves at once,
// which is cheaper than one by one for any policy above Careless. The games must equal
// those of Play and Playout, in this order and with the same random numbers.
type BatchRollouts interface {
	// Playouts sets games[i] to a random game after moves[i]. The position is kept.
	Playouts(moves []engines.Move, r *Rand, care RolloutPolicy, games []Game)
}

// MovePruner is a Position that knows which moves matter. Options.Forced has no
// effect without it.
type MovePruner interface {
	// Sensible appends the moves worth searching: at least one while the game goes
	// on. A move may be left out only if another one that is no worse is listed.
	Sensible(buf []engines.Move) []engines.Move
}

// Solver proves wins in games of T. Options.Fours has no effect without one. Its answers
// may depend on the calls since Forget and on nothing else.
type Solver[T any] interface {
	// Forget starts a decision.
	Forget()
	// Wins returns within how many plies the side to move at p wins, or 0 if it cannot
	// prove that by visiting at most limit positions; and how many it visited.
	Wins(p *T, limit int64) (plies int, spent int64)
}

// Budgets returns the limits that a Player supports, for Game.Budgets. maxMoves is the
// largest number of moves in a position: an expansion tries that many at once.
func Budgets(maxMoves int) []engines.Budget {
	slack := int64(maxMoves) - 1
	return []engines.Budget{
		{Kind: engines.BudgetPlayouts, Slack: slack},
		{Kind: engines.BudgetNodes, Slack: slack},
		{Kind: engines.BudgetDepth},
		{Kind: engines.BudgetTime},
	}
}

// Loop says where a descent starts after an expansion.
type Loop uint8

// The loops.
const (
	Source   Loop = iota // below the expansion, until the game ends
	Standard             // at the root
)

// Expand says what the expansion of a leaf simulates.
type Expand uint8

// The ways to expand.
const (
	All Expand = iota // every child, one random game each
	One               // one child not visited yet, drawn at random
)

// Final says which root child is played.
type Final uint8

// The final choices. A proven win is always played and a proven loss never, if
// another move is left. Ties go to the other measure, then to the earlier move.
const (
	WinRate Final = iota
	Visits
)

// Options choose how to search.
type Options struct {
	C   float64 // exploration, for wins counted in [0, 1]; at least 0
	Eps float64 // keeps the divisions finite; above 0

	Loop   Loop
	Expand Expand
	Final  Final

	Rollouts RolloutPolicy
	Solver   bool // proven results are backed up (Winands, Björnsson and Saito 2008)
	// Forced keeps only the moves of MovePruner in the tree, and plays a forced move
	// before a random game starts.
	Forced bool
	// Fours searches every position of the tree for wins by continuous threats. It
	// needs Solver.
	Fours bool
	// Answers is the minimum share of the playouts, from 0 to 1, for each reply to the
	// move about to be played, however bad it looks.
	Answers float64
}

// check reports the first thing wrong with o.
func (o Options) check() error {
	switch {
	case math.IsNaN(o.C) || math.IsInf(o.C, 0) || o.C < 0:
		return fmt.Errorf("mcts: C = %v; want a finite number, at least 0", o.C)
	case math.IsNaN(o.Eps) || math.IsInf(o.Eps, 0) || o.Eps <= 0:
		return fmt.Errorf("mcts: eps = %v; want a finite number above 0", o.Eps)
	case o.Loop > Standard || o.Expand > One || o.Final > Visits:
		return fmt.Errorf("mcts: loop %d, expand %d or final %d is unknown; want 0 or 1", o.Loop, o.Expand, o.Final)
	case o.Rollouts > Careful:
		return fmt.Errorf("mcts: care %d is unknown; want 0 to 2", o.Rollouts)
	case !(o.Answers >= 0 && o.Answers <= 1):
		return fmt.Errorf("mcts: share of answers = %v; want 0 to 1", o.Answers)
	}
	return nil
}

// Child is one move at the root and what is known about it.
type Child struct {
	Move    engines.Move
	Visits  int64
	WinRate float64         // wins of the side to move a visit; 0 if never visited
	Proven  engines.Outcome // Ongoing if not proven
}

// Result is what a search found.
type Result struct {
	Move     engines.Move
	WinRate  float64 // of Move, for the side to move: 1 and 0 if proven won or lost
	Playouts int64   // results backed up: random games and ends reached in the tree
	Nodes    int64   // tree nodes created
	Descents int64   // starts from the root
	Depth    int     // of the deepest node reached, in plies from the root
	Proven   engines.Outcome
	// Mate is within how many plies, Move's own included, the side to move wins
	// after Move, if that is proven, or less than 0 if every move has been proven
	// lost and Move loses within as many; else 0. Another move may be quicker.
	// Without the solver only a win by Move itself is proven.
	Mate int
	// Cut counts how often the memory was full and the least visited nodes were
	// discarded.
	Cut int
	// Exact counts the positions that Solver visited. Four of them count as one playout
	// and as one node against the limits.
	Exact int64
	// Stopped reports that the context ended the search.
	Stopped bool
}
