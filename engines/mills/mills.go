// Package mills is the game of mills (成三棋, 打三棋) of Shen and Chen, with the rules in which its
// relatives differ, an evaluator whose weights can be tuned, and a player by alpha-beta search.
// The search itself is in package alphabeta.
//
// The source is Shen Jian and Chen Qi'an, 基于 iPhone 平台的成三棋博弈算法研究与实现.
// Its rules are the preset paper of the rules; its evaluation F(n1,
// n2) = (n1*n1 - n2*n2) * w is the preset paper of the parameters.
// Its pseudocode negates the value at every ply, although the side that places last
// also steps first; here a value is negated only where the side to move changes.
// It has no score for a finished game; here a loss in n plies scores -(Win - n).
package mills

import (
	"math/rand/v2"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

const doc = `Twelve men a side are placed in turn on the 24 points of three squares, then
stepped along the lines. Three in a line, a mill, takes an opposing man; a side
with fewer than three men, or without a step, has lost.

The player searches by alpha-beta. Tuned are the weights of its evaluator: men
(the paper's F), mobility, open twos, blocked men, mills, running mills and
points, each while placing and while moving.`

// Game returns the description of the game for the list of games.
func Game() *engines.Game {
	return &engines.Game{
		Name:          "mills",
		Title:         "Mills 成三棋",
		Doc:           doc,
		Version:       1,
		Options:       options(),
		Space:         space(),
		Presets:       presets(),
		DefaultPreset: "paper",
		WeakPreset:    "bad",
		Limits:        engines.Limits{Depth: defaultDepth},
		Budgets:       alphabeta.Budgets(),
		Proves:        3,
		Unit:          "points",
		OpeningPlies:  6,
		Pairs:         8,
		New:           newVariant,
	}
}

// newVariant returns the game by rules, which read checks.
func newVariant(rules engines.Rules) (engines.Variant, error) {
	s, err := read(rules, options())
	if err != nil {
		return engines.Variant{}, err
	}
	return engines.Variant{
		Rules:      s.text,
		NewReferee: func() engines.Referee { return engines.NewReferee(s.start, s.bounds) },
		NewPlayer:  func() engines.Player { return newPlayer(s) },
		Opening: func(r *rand.Rand, plies int) engines.Opening {
			return drawOpening(s, r, plies)
		},
		Evaluate: func(at string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
			return s.evaluate(at, moves, v)
		},
		Linear: s.linear,
	}, nil
}

// evaluate returns the terms of the evaluation after moves from position.
func (s setup) evaluate(at string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
	if err := checkVector(v); err != nil {
		return nil, err
	}
	p := s.start
	if err := engines.SetUp[position](&p, at, moves); err != nil {
		return nil, err
	}
	w := newWeights(v)
	return w.evaluateTerms(&p), nil
}
