// Package chess is chess by the rules of FIDE, with chess960 and double Fischer Random,
// an evaluator of which every number can be tuned, and a player by alpha-beta search. It
// is not the search (package alphabeta) and runs no matches.
//
// Positions are bitboards. Sliding pieces attack by hyperbola quintessence, which needs
// tables of a few kilobytes that are made in microseconds when a program starts; magic
// bitboards need hundreds, and were not needed for 50 million leaves of perft a second.
package chess

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

const doc = `The rules of FIDE; a third occurrence of a position, 50 moves without progress and
insufficient material are draws at once. Moves are written as UCI and SAN do,
positions as FEN or EPD.

The player searches by alpha-beta with quiescence search. Tuned are the weights of
its evaluation, each for the middle game and the endgame: values and places of
pieces, mobility, pawns, the king's shelter, attacks. If none are named, 20 are.`

var defaultLimits = engines.Limits{Depth: 3}

// gameSpace is space, made once.
var gameSpace = sync.OnceValue(space)

// Game describes the game.
func Game() *engines.Game {
	return &engines.Game{
		Name:          "chess",
		Title:         "Chess 国际象棋",
		Doc:           doc,
		Version:       1,
		Options:       options(),
		Space:         gameSpace(),
		Presets:       presets(),
		DefaultPreset: defaultPreset,
		WeakPreset:    weakPreset,
		Tuned:         tuned,
		Limits:        defaultLimits,
		Budgets:       alphabeta.Budgets(),
		Proves:        3,
		Unit:          "centipawns",
		OpeningPlies:  8,
		Pairs:         8,
		New:           newVariant,
	}
}

func newVariant(rules engines.Rules) (engines.Variant, error) {
	s, err := read(rules)
	if err != nil {
		return engines.Variant{}, err
	}
	return engines.Variant{
		NewReferee: func() engines.Referee { return engines.NewReferee(s.start, s.bounds) },
		NewPlayer:  func() engines.Player { return newPlayer(s) },
		Opening:    func(r *rand.Rand, plies int) engines.Opening { return drawOpening(s, r, plies) },
		Evaluate: func(position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
			return s.evaluate(position, moves, v)
		},
		Linear: s.linear,
		Files:  s.files(),
	}, nil
}

// files is how PGN has games: SAN, six fields of a FEN, scores in pawns as fastchess
// writes them.
func (s setup) files() *engines.Notation {
	n := &engines.Notation{Start: s.fen, Moves: s.sans, Score: pgnScore}
	if s.start.free {
		n.Tags = [][2]string{{"Variant", "Chess960"}}
	}
	return n
}

// fen writes a position with the plies without progress and the number of the move.
func (s setup) fen(position string) (string, error) {
	p := s.start
	if err := engines.SetUp[Position](&p, position, nil); err != nil {
		return "", err
	}
	fields := strings.Fields(position)
	quiet, number, err := counters(fields[min(4, len(fields)):])
	return fmt.Sprintf("%s %d %d", p.String(), quiet, number), err
}

func (s setup) sans(position string, moves []engines.Move) (list []string, err error) {
	p := s.start
	if err := engines.SetUp[Position](&p, position, nil); err != nil {
		return nil, err
	}
	for _, m := range moves {
		list = append(list, p.SAN(m))
		p.Play(m)
	}
	return list, nil
}

// pgnScore writes a score in pawns, or the plies to mate.
func pgnScore(d engines.Decision) string {
	switch {
	case d.Mate > 0:
		return fmt.Sprintf("+M%d", d.Mate)
	case d.Mate < 0:
		return fmt.Sprintf("-M%d", -d.Mate)
	case math.Abs(d.Score) < 0.5:
		return "0.00"
	}
	return fmt.Sprintf("%+.2f", d.Score/100)
}

// evaluate returns the terms of the evaluation after moves from position.
func (s setup) evaluate(position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
	if err := checkVector(v); err != nil {
		return nil, err
	}
	p := s.start
	if err := engines.SetUp[Position](&p, position, moves); err != nil {
		return nil, err
	}
	return newWeights(v).evaluateTerms(&p), nil
}
