package quoridor

import (
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// evaluate returns all numbers of one decision as terms.
func evaluate(standard bool, position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
	p, at, err := playerAt(standard, position, moves, v)
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

// meanings are the documents of the terms of evaluate.
var meanings = map[string]string{
	"M": "own steps to the goal", "E": "the opponent's",
	"wall": "the best wall; none where no wall is worth trying", "M2": "own steps behind that wall", "E2": "the opponent's",
	"score_1": "worth of a step on the shortest path", "score_2": "worth of that wall",
	"move": "the greater of both", "coin": "which walls are tried first: h or v",
}

// playerAt returns a player with vector v and the position after moves.
// It returns an error if the game is over there.
func playerAt(standard bool, position string, moves []engines.Move, v params.Vector) (*player, Board, error) {
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
