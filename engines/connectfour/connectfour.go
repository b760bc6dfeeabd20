// Package connectfour is connect four with a forbidden cell 四子棋: the rules on boards of 4 to 12
// rows and columns, their notation, random games on bitboards, and a player that searches by them.
// The search itself is in package mcts.
//
// The game is that of a university course: 9 to 12 rows and
// columns and one forbidden cell, all drawn for each opening.
// A stone lands on the lowest cell of its column that is neither filled nor forbidden.
// Four in a line win.
// No line passes over the forbidden cell, because it is never filled.
package connectfour

import (
	"context"
	"fmt"
	"math/rand/v2"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
	"selfplaylab/params"
)

const doc = `Stones are dropped into columns; four in a line win. The board has 9 to 12
rows and columns and one cell that stays empty, all drawn anew for each opening.

The player searches by random games (MCTS with UCB1). Tuned is C, how much it
explores; its loop, expansion and other ways of searching can be compared.`

// defaultLimits are the limits of a player that sets none. At 2,000 playouts a game takes about
// 12 ms on one core, and C matters.
var defaultLimits = engines.Limits{Playouts: 2000}

// maxNodes bounds the memory of one player to 336 MB, or twice
// as much once its tree was kept between moves or cut back.
// Only moves of several seconds reach it.
const maxNodes = 1 << 24

// Game returns the description of the game for the list of games.
func Game() *engines.Game {
	return &engines.Game{
		Name:          "connectfour",
		Title:         "Connect four with a forbidden cell 四子棋",
		Doc:           doc,
		Version:       1,
		Options:       options(),
		Space:         space(),
		Presets:       params.MustPresets("engines/connectfour/presets.toml", presetsTOML, space()),
		DefaultPreset: "default",
		WeakPreset:    "bad",
		Limits:        defaultLimits,
		Budgets:       mcts.Budgets(maxSize),
		Proves:        1,
		Unit:          engines.UnitChance,
		OpeningPlies:  6,
		Pairs:         8,
		New:           newVariant,
	}
}

// newVariant returns the game by rules, which parseRules checks.
func newVariant(r engines.Rules) (engines.Variant, error) {
	law, err := parseRules(r)
	if err != nil {
		return engines.Variant{}, err
	}
	return engines.Variant{
		Rules:      law.String(),
		NewReferee: func() engines.Referee { return engines.NewReferee(law.initial(), engines.Bounds{}) },
		NewPlayer:  func() engines.Player { return newPlayer(law) },
		Opening:    func(r *rand.Rand, plies int) engines.Opening { return opening(law, r, plies) },
		Evaluate: func(position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
			return evaluate(law, position, moves, v)
		},
	}, nil
}

// newPlayer returns a player with the default parameters.
func newPlayer(law rules) *mcts.Player[position, *position] {
	p := mcts.NewPlayer[position](law.initial(), maxNodes, settings)
	p.Search().Solves(newSolver)
	return p
}

// evaluate searches with the default limits and seed 0. It returns
//
//	turn      side to move, 1 or 2
//	moves     columns that are not full, counted from 1
//	visits    random games through each
//	win_rate  of the side to move, by column; null for a column never tried
//	best      the column chosen
//	score     its win rate
//	playouts  number of random games
//	nodes     tree nodes created
//	depth     of the deepest node, in plies
func evaluate(law rules, at string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
	root := law.initial()
	if err := engines.SetUp[position](&root, at, moves); err != nil {
		return nil, err
	}
	if o := root.Outcome(); o != engines.Ongoing {
		return nil, fmt.Errorf("the game is over: %s, %s", o, root.Reason())
	}
	set, err := settings(v)
	if err != nil {
		return nil, err
	}
	search := mcts.New[position](maxNodes)
	search.Solves(newSolver)
	if err := search.Configure(set.Options); err != nil {
		return nil, err
	}
	search.Threads(set.Threads)
	search.Begin(&root)
	found := search.Run(context.Background(), 0, defaultLimits)
	return terms(&root, found, search.Children()), nil
}

// terms returns the terms of evaluate.
func terms(root *position, found mcts.Result, children []mcts.Child) []engines.Term {
	var columns []int
	var visits []int64
	var rates []any
	for _, c := range children {
		columns = append(columns, int(c.Move))
		visits = append(visits, c.Visits)
		if c.Visits == 0 {
			rates = append(rates, nil)
			continue
		}
		rates = append(rates, c.WinRate)
	}
	return []engines.Term{
		{Name: "turn", Value: int(root.Turn()) + 1, Doc: "side to move, 1 or 2"},
		{Name: "moves", Value: columns, Doc: "columns that are not full, from 1"},
		{Name: "visits", Value: visits, Doc: "random games through each"},
		{Name: "win_rate", Value: rates, Doc: "of the side to move, by column; - where never tried"},
		{Name: "best", Value: int(found.Move), Doc: "the column chosen"},
		{Name: "score", Value: found.WinRate, Doc: "its win rate"},
		{Name: "playouts", Value: found.Playouts, Doc: "random games in all"},
		{Name: "nodes", Value: found.Nodes, Doc: "tree nodes created"},
		{Name: "depth", Value: found.Depth, Doc: "of the deepest, in plies"},
	}
}
