// Package chess is chess by the rules of FIDE, with chess960 and double Fischer Random,
// an evaluator whose numbers can all be tuned, and a player by alpha-beta search.
// The search itself is in package alphabeta.
//
// Positions are bitboards.
// Sliding pieces attack by hyperbola quintessence.
// Its tables take a few kilobytes and microseconds at the start
// of a program; magic bitboards would take hundreds of kilobytes.
package chess

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

const gameDoc = `The rules of FIDE; a third occurrence of a position, 50 moves without progress and
insufficient material are draws at once. Moves are written as UCI and SAN do,
positions as FEN or EPD.

The player searches by alpha-beta with quiescence search. Tuned are the weights of
its evaluation, each for the middle game and the endgame: values and places of
pieces, mobility, pawns, the king's shelter, attacks. If none are named, 20 are.`

// Game returns the description of the game for the list of games.
func Game() *engines.Game {
	return &engines.Game{
		Name:          "chess",
		Title:         "Chess 国际象棋",
		Doc:           gameDoc,
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

// newVariant returns the game by rules, which read checks.
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
		Why:    s.why,
		Files:  s.notation(),
	}, nil
}

// notation returns the notation of PGN: SAN, FEN of six
// fields, and scores in pawns as fastchess writes them.
func (s setup) notation() *engines.Notation {
	n := &engines.Notation{Start: s.fen, Moves: s.sans, Score: pgnScore}
	if s.start.free {
		n.Tags = [][2]string{{"Variant", "Chess960"}}
	}
	return n
}

// fen returns a position as a FEN of six fields, with
// the plies without progress and the move number.
func (s setup) fen(position string) (string, error) {
	p := s.start
	if err := engines.SetUp[Position](&p, position, nil); err != nil {
		return "", err
	}
	fields := strings.Fields(position)
	quiet, number, err := counters(fields[min(4, len(fields)):])
	return fmt.Sprintf("%s %d %d", p.String(), quiet, number), err
}

// sans returns the moves from a position in SAN.
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

// pgnScore returns a score in pawns, or the plies to mate.
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
