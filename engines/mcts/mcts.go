// Package mcts searches games by random games (Monte Carlo tree search with UCB1: Kocsis and
// Szepesvári 2006). It is compiled against a game's own position, which brings its own random
// game, and knows no game; it has no evaluator and no policy.
//
// A descent picks, at each node, the child with the largest
//
//	wins / (visits + eps) + C * sqrt(ln(parent visits + 1) / (visits + eps))
//
// and at a leaf expands it: all children at once, one random game from each, or one child and
// one game. In the Standard loop the next descent starts at the root again. In the Source loop,
// the loop of the course program that this package also reproduces, the descent continues below
// the expansion, expanding at every step, until the game ends: it spends nearly all its games
// far from the root.
//
// The wins of a node count for the side that moved into it, so that a parent chooses by its own
// interest. A side may move twice in a row, so Position.Turn decides and not the parity of the
// depth. A draw counts half a win.
//
// Limits work as follows. An expansion is always finished, so a search may exceed its limit by
// one expansion less one. The root is always expanded, so there is a legal move under any
// limit. A descent that can create no node, because the game has ended there or memory or depth
// is used up, counts as one node against a limit of nodes, so every search ends. If the memory
// is full, the search forgets the nodes below the least visited ones and continues. A leaf that
// cannot be expanded for lack of memory or depth gets another random game.
//
// Under limits of playouts, nodes and depth a search is a function of the position, the
// options, the number of threads, the seed and, with reuse, the searches before it in the game,
// on every architecture.
package mcts

import (
	"fmt"
	"math"

	"selfplaylab/engines"
)

// Position is the part of a game that a search needs.
type Position[T any] interface {
	engines.Position[T]
	// Playout plays random moves to the end of the game and returns the outcome. The position
	// is undefined afterwards. Playout may be called after the end. A game without an end must
	// set its own bound.
	Playout(r *Rand, care RolloutPolicy) engines.Outcome
}

// RolloutPolicy selects the kind of random games. A game may ignore it.
type RolloutPolicy uint8

// The kinds of random games. Each has the properties of the kinds before it.
const (
	Careless RolloutPolicy = iota // every legal move with equal probability
	Decisive                      // takes a win within reach, else parries a loss (Teytaud 2010)
	Careful                       // avoids moves that lose a win or allow one, while there are others
)

// Game is a random game after a move.
type Game struct {
	Outcome engines.Outcome // for the game, not for the mover
	Ended   bool            // the move itself ended the game
}

// BatchRollouts is a Position that plays random games after several moves
// at once, which is cheaper than one by one for policies above Careless.
// The games must equal the results of Play and Playout,
// in this order and with the same random numbers.
type BatchRollouts interface {
	// Playouts sets games[i] to a random game after moves[i]. The position is unchanged.
	Playouts(moves []engines.Move, r *Rand, care RolloutPolicy, games []Game)
}

// MovePruner is a Position that knows which moves matter. Options.Forced has no effect without it.
type MovePruner interface {
	// Sensible appends the moves worth searching, at least one while the game goes on.
	// It may leave out a move only if another listed move is no worse.
	Sensible(buf []engines.Move) []engines.Move
}

// Solver proves wins in games of T. Options.Fours has no effect without one. Its results may
// only depend on the calls since Forget. It serves one search at a time.
type Solver[T any] interface {
	// Forget begins a decision: results of earlier ones must not count.
	Forget()
	// Wins returns a number of plies within which the side to move at p can force a win, or 0
	// if a search of at most limit positions proves none; and the number of positions visited.
	Wins(p *T, limit int64) (plies int, spent int64)
}

// Budgets returns the limits that a Player supports, for Game.Budgets.
// maxMoves is the largest number of moves in a position: an expansion may try all at once.
func Budgets(maxMoves int) []engines.Budget {
	slack := int64(maxMoves) - 1
	return []engines.Budget{
		{Kind: engines.BudgetPlayouts, Slack: slack},
		{Kind: engines.BudgetNodes, Slack: slack},
		{Kind: engines.BudgetDepth},
		{Kind: engines.BudgetTime},
	}
}

// Loop is the place where a descent starts after an expansion.
type Loop uint8

// The loops.
const (
	Source   Loop = iota // below the expansion, until the game ends
	Standard             // at the root
)

// Expand is the set of children that the expansion of a leaf simulates.
type Expand uint8

// The ways to expand.
const (
	All Expand = iota // every child, one random game each
	One               // one child not visited yet, drawn at random
)

// Final is the measure by which a root child is chosen.
type Final uint8

// The final choices.
// A proven win is always chosen, and a proven loss never if there is another move.
// Ties go to the other measure, then to the earlier move.
const (
	WinRate Final = iota
	Visits
)

// Options choose how to search.
type Options struct {
	C   float64 // exploration, for wins from 0 to 1; at least 0
	Eps float64 // keeps divisions finite; above 0

	Loop   Loop   // where the next descent starts
	Expand Expand // which children of a leaf are simulated
	Final  Final  // how the move is chosen

	Rollouts RolloutPolicy // kind of random games
	Solver   bool          // proven results are backed up (Winands, Björnsson and Saito 2008)
	// Forced keeps only the moves of MovePruner in the tree,
	// and plays a forced move before a random game starts.
	Forced bool
	// Fours searches every position of the tree for wins by continuous threats.
	// It needs Solver.
	Fours bool
	// Answers is the least share of the playouts, from 0 to 1, for each reply to the move about
	// to be played, even if the reply looks bad.
	Answers float64
}

// check returns an error for the first option out of range.
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

// Child is one move at the root with its results.
type Child struct {
	Move    engines.Move    // legal in the root's position
	Visits  int64           // random games and proofs that count for the move
	WinRate float64         // wins of the side to move divided by visits; 0 without visits
	Proven  engines.Outcome // Ongoing if not proven
}

// Result is the outcome of a search.
type Result struct {
	Move     engines.Move    // 0 at the end of a game
	WinRate  float64         // of Move, for the side to move: 1 and 0 if proven won or lost
	Playouts int64           // results backed up: random games, and ends reached in the tree
	Nodes    int64           // tree nodes created
	Descents int64           // descents from the root
	Depth    int             // of the deepest node reached, in plies from the root
	Proven   engines.Outcome // of the root, by Options.Solver; Ongoing if not proven
	// Mate is a number of plies, Move included, within which the side to move is proven to win
	// by Move. It is negative if every move is proven lost and Move loses within that number of
	// plies; otherwise 0. Another move may win sooner. Without the solver only a win by Move
	// itself is proven.
	Mate int
	// Cut is the number of times that the memory was full and the least visited nodes were
	// discarded.
	Cut int
	// Exact is the number of positions that Solver visited. Four of them count as one playout
	// and as one node against the limits.
	Exact int64
	// Stopped reports that the context ended the search.
	Stopped bool
}
