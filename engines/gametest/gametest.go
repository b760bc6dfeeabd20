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
// How to write a game: tictactoe_test.go in this folder is one, whole, with
// rules, notation, player, parameters, presets and openings, and a comment at
// each step.
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
