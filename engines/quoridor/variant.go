package quoridor

import (
	"fmt"
	"math/rand/v2"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// bounds: games between these players last 40 to 87 plies; 200 leaves room and
// still ends two players who shuffle for ever.
var bounds = engines.Bounds{MaxPlies: 200, Repetitions: 3}

func newVariant(rules engines.Rules) (engines.Variant, error) {
	standard := rules["variant"] == "standard"
	return engines.Variant{
		NewReferee: func() engines.Referee { return engines.NewReferee(newBoard(standard), bounds) },
		NewPlayer:  func() engines.Player { return &player{standard: standard} },
		Opening:    func(r *rand.Rand, plies int) engines.Opening { return opening(r, standard, plies) },
		Evaluate: func(position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
			return evaluate(standard, position, moves, v)
		},
		Linear: func(v params.Vector, l engines.Limits) *engines.LinearTerms { return linear(standard, v, l) },
		Candidates: func(position string, moves []engines.Move, v params.Vector, most int) ([]engines.Candidate, error) {
			return candidates(standard, position, moves, v, most)
		},
	}, nil
}

// maxEdge is how far the two paths may differ at the start of a game. Beyond
// it, one side mostly wins both games of the pair, which tells nothing.
const maxEdge = 2

// opening plays random plies from the initial position: a step or a wall with
// equal chance, each uniform among the legal ones. It draws again until the game
// goes on, both sides have a path, and the paths differ by at most maxEdge
// steps.
func opening(r *rand.Rand, standard bool, plies int) engines.Opening {
	var buf [140]engines.Move
	for {
		b := newBoard(standard)
		moves := make([]engines.Move, 0, plies+4)
		for len(moves) < plies && b.Outcome() == engines.Ongoing {
			all := b.Moves(buf[:0])
			walls := 0
			for walls < len(all) && kind(all[len(all)-1-walls]) != pawnMove {
				walls++
			}
			choice := all[:len(all)-walls]
			if walls > 0 && (len(choice) == 0 || r.IntN(2) == 0) {
				choice = all[len(all)-walls:]
			}
			m := choice[r.IntN(len(choice))]
			b.Play(m)
			moves = append(moves, m)
		}
		if fair(&b) {
			return engines.Opening{Moves: moves}
		}
	}
}

func fair(b *Board) bool {
	var l layers
	var dist [2]int
	for side := range 2 {
		l[0] = goal[side]
		if dist[side] = b.flood(&l, 0, bit[b.pawn[side]]); dist[side] == unreachable {
			return false
		}
	}
	edge := dist[0] - dist[1]
	return b.Outcome() == engines.Ongoing && edge <= maxEdge && edge >= -maxEdge
}

// asked returns a player with these values and the position it is asked about, in
// which the game goes on.
func asked(standard bool, position string, moves []engines.Move, v params.Vector) (*player, Board, error) {
	p, b := &player{standard: standard}, newBoard(standard)
	if err := p.Configure(v); err != nil {
		return nil, b, err
	}
	if err := engines.SetUp[Board](&b, position, moves); err != nil {
		return nil, b, err
	}
	if b.Outcome() != engines.Ongoing {
		return nil, b, fmt.Errorf("the game is over: %s", b.Reason())
	}
	return p, b, nil
}

// evaluate returns every number of one decision.
func evaluate(standard bool, position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
	p, at, err := asked(standard, position, moves, v)
	if err != nil {
		return nil, err
	}
	b := &at
	horizontal := p.horizontalFirst(len(moves))
	d := p.decide(b, horizontal)
	terms := []engines.Term{{Name: "M", Value: d.m}, {Name: "E", Value: d.e}, {Name: "wall"}, {Name: "M2"}, {Name: "E2"}, {Name: "score_1"},
		{Name: "score_2"}}
	if d.wall != 0 {
		for i, value := range []any{b.MoveString(d.wall), d.m2, d.e2, d.s1, d.s2} {
			terms[2+i].Value = value
		}
	}
	first := "v"
	if horizontal {
		first = "h"
	}
	terms = append(terms, engines.Term{Name: "move", Value: b.MoveString(d.move)}, engines.Term{Name: "coin", Value: first})
	for i := range terms {
		terms[i].Doc = meanings[terms[i].Name]
	}
	return terms, nil
}

// meanings are those of the terms of evaluate.
var meanings = map[string]string{
	"M": "own steps to the goal", "E": "the opponent's",
	"wall": "the best wall; none where no wall is worth trying", "M2": "own steps behind that wall", "E2": "the opponent's",
	"score_1": "worth of a step on the shortest path", "score_2": "worth of that wall",
	"move": "the greater of both", "coin": "which walls are tried first: h or v",
}
