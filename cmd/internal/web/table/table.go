// Package table answers questions about positions: the legal moves, the reason why a move is
// illegal, a player's decision, and the terms of its evaluation. Questions and answers are JSON,
// and nothing is kept between them.
package table

import (
	"context"
	"fmt"

	"selfplaylab/engines/games"
)

// Ask answers a question. Errors are mistakes in the question.
func Ask(ctx context.Context, q Question) (any, error) {
	if q.Op == "clock" {
		return q.clock()
	}
	if q.Op == "read" {
		return read(q)
	}
	v, err := games.Open(q.Game, q.Rules)
	if err != nil {
		return nil, err
	}
	if q.Op == "opening" {
		return opening(v, q)
	}
	s, err := q.sit(v)
	if err != nil {
		return nil, err
	}
	switch q.Op {
	case "show":
		return s.show(), nil
	case "why":
		return s.reading(q.Text), nil
	case "penalty":
		return s.penalty(), nil
	case "write":
		return s.write(q)
	case "best":
		return s.best(ctx, q)
	case "lines":
		return s.lines(ctx, q)
	case "terms":
		return s.terms(q)
	case "candidates":
		return s.candidates(ctx, q)
	}
	return nil, fmt.Errorf("no such question: %q", q.Op)
}
