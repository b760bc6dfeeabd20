// Package gametest holds the promises every game keeps, as one test to run
// against each game, the way testing/fstest does for file systems. It holds a
// game to the contract of package engines; it does not know any game's rules
// (perft numbers and vectors in the game's own tests do), and measures neither
// strength nor speed.
//
// A game is held to its contract by one line in a test:
//
//	gametest.Run(t, mygame.Game())
//
// # How to add a game
//
// A game is a folder engines/NAME and one line in engines/games; nothing else
// in the module knows games by name. tictactoe_test.go in this folder is one,
// whole, in the order to write it; the example of package alphabeta is a whole
// game with an evaluator and a search. The parts:
//
//  1. The position: plain data with its rules in it, copied by assignment, and
//     the methods of engines.Position. Up to some hundred bytes it is searched on
//     copies; a larger one wants a twin that is searched in place (gobang's board
//     beside its State).
//  2. The rest of engines.State: legality, penalty, notation, position text, and
//     Board, which describes what there is to see as a board.Board: package
//     reports/board draws it, for terminals and for pages. engines.NewReferee
//     makes a Referee of it all, with draws by length, repetition or moves
//     without progress (engines.Bounds).
//  3. The rules to choose from: engines.Option, a Doc each, with the names that
//     players of the game know them by.
//  4. The parameters: a params.Space, and presets in presets.toml, each with its
//     reason, read by params.MustPresets: one to play with (Default) and one that
//     a tuner should recover from (Bad).
//  5. The player. alphabeta.NewPlayer makes one of a static value: give the
//     position an Eval, put alphabeta.Parameters into the space, and say how a
//     vector becomes weights. mcts.NewPlayer makes one of random games: give the
//     position a Playout. A player of its own kind implements engines.Player;
//     engines.Follower keeps it in step with the history.
//  6. What limits it keeps: Game.Budgets (alphabeta.Budgets, mcts.Budgets), and
//     Game.Proves, how far ahead it finds forced wins and says so.
//  7. The openings: short, legal, varied, about equal for both sides.
//  8. The terms of the evaluation, for people and tools: engines.SetUp reads
//     position and moves, engines.Both writes what is counted for both sides.
//  9. The engines.Game that names it all. Its Version grows with every change
//     that makes other games.
//  10. The tests: the line above; perft numbers and vectors from elsewhere, since
//     this suite proves that a game agrees with itself and not that it is the
//     game; testing.AllocsPerRun for moves and decisions; a benchmark.
//
// The suite needs nothing else from the game. It takes the positions of games at
// random and of games the player plays against itself, so that it sees openings,
// ends and what lies between.
package gametest

import (
	"fmt"
	"runtime/debug"
	"testing"

	"selfplaylab/engines"
)

// Broken is a promise that a game does not keep.
type Broken struct {
	Game    string
	Rules   string // as the subtest is called; "" for a promise of the description
	Promise string
	Err     error // what was found, and where
}

// Error names the game, the rules, the promise and what was found.
func (b *Broken) Error() string {
	where := b.Game
	if b.Rules != "" {
		where += " under " + b.Rules
	}
	return fmt.Sprintf("%s breaks the promise %q: %v", where, b.Promise, b.Err)
}

// Unwrap returns Err.
func (b *Broken) Unwrap() error { return b.Err }

// Run holds a game to every promise, a subtest each: those of its description,
// then those of its referee, openings, evaluator and player under the default
// rules and under every listed value of every option. Rules such as "size=5"
// add further sets, for options that list no values.
func Run(t *testing.T, g *engines.Game, rules ...string) {
	t.Helper()
	for _, group := range groups(g, rules) {
		t.Run(group.name(), func(t *testing.T) {
			for _, p := range group.promises {
				t.Run(p.name, func(t *testing.T) {
					if err := guard(p.holds); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// Check is Run for callers without a testing.T: it returns the promises that
// are broken, each a *Broken with the first thing found.
func Check(g *engines.Game, rules ...string) []error {
	var broken []error
	for _, group := range groups(g, rules) {
		for _, p := range group.promises {
			if err := guard(p.holds); err != nil {
				broken = append(broken, &Broken{Game: g.Name, Rules: group.rules, Promise: p.name, Err: err})
			}
		}
	}
	return broken
}

// promise is one thing a game promises.
type promise struct {
	name  string
	holds func() error
}

// group is the promises of the description, or of the game under some rules.
type group struct {
	rules    string
	promises []promise
}

func (g group) name() string {
	if g.rules == "" {
		return "description"
	}
	return g.rules
}

// groups lists everything there is to check.
func groups(g *engines.Game, extra []string) []group {
	all := []group{{promises: description(g, extra)}}
	for _, s := range subjects(g, extra) {
		all = append(all, group{rules: s.rules, promises: s.promises()})
	}
	return all
}

// promises lists what a game promises under given rules. Later ones build on
// earlier ones: of several failures the first is the one to look at.
func (s *subject) promises() []promise {
	list := []promise{
		{"random games end", s.gamesEnd},
		{"rules text", s.rulesText},
		{"reset", s.reset},
		{"moves", s.moves},
		{"legal", s.legal},
		{"end", s.end},
		{"margins", s.margins},
		{"position text", s.positionText},
		{"move text", s.moveText},
		{"key", s.key},
		{"transpositions", s.transpositions},
		{"perft", s.perft},
		{"board", s.board},
		{"bad move text", s.badMoveText},
		{"bad position text", s.badPositionText},
		{"penalty", s.penalty},
		{"openings", s.openings},
		{"evaluation", s.evaluation},
		{"player's moves", s.playerMoves},
		{"player's limits", s.playerLimits},
		{"player's memory", s.playerMemory},
		{"player's positions", s.playerPositions},
		{"equal players", s.equalPlayers},
	}
	if s.main { // these do not depend on the rules
		list = append(list,
			promise{"player's presets", s.playerPresets},
			promise{"player's parameters", s.playerParameters},
			promise{"player's proofs", s.proofs},
			promise{"default beats bad", s.order},
			promise{"player's scores", s.scores},
			promise{"player stops", s.playerStops})
	}
	return list
}

// guard runs f and makes an error of a panic.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
