// Package gametest is the conformance suite of games: one test to run against every game, as
// testing/fstest is for file systems. It checks that a game keeps the contract of package
// engines. It does not know any rules (perft numbers and vectors in the game's tests do), and
// measures neither strength nor speed.
//
// One line in a test checks a game:
//
//	gametest.Run(t, mygame.Game())
//
// # How to add a game
//
// A game is a folder engines/NAME and one line in engines/games; no other code has to know it.
// (Files of other programs' formats and protocols name the games that they support, and the
// browser's page of settings knows a rule of Quoridor.) tictactoe_test.go in this folder is a
// complete game, in the order in which to write it; the example of package alphabeta is one
// with an evaluator and a search. The parts:
//
//  1. The position: plain data with the rules, copied by assignment, and the methods
//     of engines.Position. Searches copy positions of up to a few hundred bytes; a
//     larger one needs a second type that is searched in place (gobang has a board
//     for that).
//  2. The rest of engines.State: legality, penalty, notation, position text, and
//     Board, which returns what to draw as a board.Board; package reports/board draws
//     it in terminals and pages. engines.NewReferee makes a Referee from it, with
//     draws by length, repetition or moves without progress (engines.Bounds).
//  3. The options of the rules: an engines.Option each, with its Doc, the name
//     that players of the game use, and the values that forms offer.
//  4. The parameters: a params.Space, and presets in presets.toml, each with its
//     reason, a key a line, read by params.MustPresets: one to play with
//     (DefaultPreset) and one that a tuner should recover from (WeakPreset).
//  5. The player. alphabeta.NewPlayer searches with a static evaluation: give the
//     position an Eval, add alphabeta.Parameters to the space, and convert a vector
//     to weights. mcts.NewPlayer plays random games: give the position a Playout. Any
//     other player implements engines.Player; engines.Follower keeps it in step with
//     the history of moves.
//  6. The limits that the player supports: Game.Budgets (alphabeta.Budgets,
//     mcts.Budgets), and Game.Proves, how far ahead it finds and reports forced wins.
//  7. The openings: short, legal, varied, about equal for both sides.
//  8. The terms of the evaluation, for people and tools: engines.SetUp reads position
//     and moves, engines.Both writes what is counted for both sides.
//  9. The engines.Game that puts everything together. Raise its Version with every
//     change that changes games. If the game has margins, choose Margins.Cap by the
//     output of "selfplay bench --game NAME".
//  10. The tests: the line above; perft numbers and vectors from another source,
//     because this suite shows that a game is consistent, not that its rules are
//     correct; testing.AllocsPerRun for moves and decisions; a benchmark. The example
//     has both at its end.
//  11. The levels of play, which a game may lack: a ladder of ten players, the weakest
//     with overlook and at 0 Elo, measured by selfplay ladder --calibrate --neighbours 1, published as
//     levels-NAME, and written into engines/levels/levels.txt by its test.
//
// The suite needs nothing else from the game. It takes positions from random games and from
// games of the player against itself, so that it sees openings, middle games and ends.
package gametest

import (
	"fmt"
	"testing"

	"selfplaylab/engines"
)

// Broken is a promise that a game does not keep. It is an error.
type Broken struct {
	Game    string // name of the game
	Rules   string // name of the subtest; "" for a promise of the description
	Promise string // name of the promise, as in the subtest
	Err     error  // the failure and the position in which it was found
}

// Error returns the game, the rules, the promise and the failure.
func (b *Broken) Error() string {
	where := b.Game
	if b.Rules != "" {
		where += " under " + b.Rules
	}
	return fmt.Sprintf("%s breaks the promise %q: %v", where, b.Promise, b.Err)
}

func (b *Broken) Unwrap() error { return b.Err }

// Run checks every promise of a game in a subtest of its own: first the description, then
// referee, openings, evaluator and player under the default rules and under every listed value
// of every option. Rules such as "size=5" add further sets, for options that list no values.
// Short tests leave out other rules than the default ones, and promises that need many games.
func Run(t *testing.T, g *engines.Game, rules ...string) {
	t.Helper()
	for i, group := range groups(g, rules) {
		if testing.Short() && i > 1 {
			break
		}
		t.Run(group.name(), func(t *testing.T) {
			for _, p := range group.promises {
				t.Run(p.name, func(t *testing.T) {
					if testing.Short() && p.long {
						t.Skip("short: plays many games")
					}
					if err := guard(p.holds); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// Check checks a game as Run does, in its long form and without a testing.T. It returns the
// broken promises, each a *Broken with the first failure.
func Check(g *engines.Game, rules ...string) []error { return check(g, rules, "") }

// check checks the promises with a name; "" means all.
func check(g *engines.Game, rules []string, name string) []error {
	var broken []error
	for _, group := range groups(g, rules) {
		for _, p := range group.promises {
			if name != "" && p.name != name {
				continue
			}
			if err := guard(p.holds); err != nil {
				broken = append(broken, &Broken{Game: g.Name, Rules: group.rules, Promise: p.name, Err: err})
			}
		}
	}
	return broken
}

// promise is one property that every game must have.
type promise struct {
	name  string
	holds func() error
	long  bool // needs many or long games, or many texts: short tests leave it out
}

// group holds the promises of the description, or of the game under some rules.
type group struct {
	rules    string
	promises []promise
}

// name returns the name of the group's subtest.
func (g group) name() string {
	if g.rules == "" {
		return "description"
	}
	return g.rules
}

// groups returns the promises to check: of the game's description, and under each set of rules.
func groups(g *engines.Game, extra []string) []group {
	all := []group{{promises: description(g, extra)}}
	for _, s := range subjects(g, extra) {
		all = append(all, group{rules: s.rules, promises: s.promises()})
	}
	return all
}

// promises returns the promises of a game under given rules. Later ones build on earlier ones,
// so fix the first of several failures first.
func (s *subject) promises() []promise {
	list := []promise{
		{name: "random games end", holds: s.gamesEnd},
		{name: "rules text", holds: s.rulesText},
		{name: "reset", holds: s.reset},
		{name: "moves", holds: s.moves},
		{name: "legal", holds: s.legal},
		{name: "end", holds: s.end},
		{name: "margins", holds: s.margins},
		{name: "position text", holds: s.positionText},
		{name: "move text", holds: s.moveText},
		{name: "key", holds: s.key},
		{name: "transpositions", holds: s.transpositions},
		{name: "perft", holds: s.perft},
		{name: "board", holds: s.board},
		{name: "bad move text", holds: s.badMoveText, long: true},
		{name: "bad position text", holds: s.badPositionText},
		{name: "penalty", holds: s.penalty},
		{name: "openings", holds: s.openings, long: true},
		{name: "evaluation", holds: s.evaluation, long: true},
		{name: "player's moves", holds: s.playerMoves},
		{name: "player's limits", holds: s.playerLimits},
		{name: "player's memory", holds: s.playerMemory},
		{name: "player's positions", holds: s.playerPositions},
		{name: "equal players", holds: s.equalPlayers, long: true},
	}
	if s.main { // these do not depend on the rules
		list = append(list,
			promise{name: "player's presets", holds: s.playerPresets},
			promise{name: "player's parameters", holds: s.playerParameters, long: true},
			promise{name: "player's proofs", holds: s.proofs, long: true},
			promise{name: "default beats bad", holds: s.order, long: true},
			promise{name: "player's scores", holds: s.scores, long: true},
			promise{name: "player stops", holds: s.playerStops})
	}
	return list
}
