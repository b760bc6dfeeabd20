package engines

import "context"

// PV is a principal variation: a candidate move with its continuation and score.
type PV struct {
	Moves []Move  // the move, then the expected continuation as far as the player knows it
	Score float64 // as Decision.Score, for the side that makes the first move
	Mate  int     // as Decision.Mate
	Depth int     // plies searched; 0 where it has no meaning
	// Visits counts the random games through the move; 0 where there are none.
	Visits int64
}

// MultiPV is a Player that can report several best moves.
type MultiPV interface {
	// PVs returns the decision of Choose and up to count (at least 1) variations
	// with different first moves, the best first; the first one starts with the
	// decision. It may take twice as long as Choose. What the player remembers
	// between decisions is the same as after Choose.
	PVs(ctx context.Context, history []Move, limits Limits, count int) (Decision, []PV, error)
}

// PVs returns a player's best moves: only its decision unless it is a MultiPV.
func PVs(ctx context.Context, p Player, history []Move, limits Limits, count int) (Decision, []PV, error) {
	if l, ok := p.(MultiPV); ok {
		return l.PVs(ctx, history, limits, count)
	}
	d, err := p.Choose(ctx, history, limits)
	if err != nil {
		return d, nil, err
	}
	return d, []PV{{Moves: []Move{d.Move}, Score: d.Score, Mate: d.Mate, Depth: d.Depth}}, nil
}
