package engines

import "context"

// PV is a move that a player thinks of, and what it thinks of it.
type PV struct {
	Moves []Move  // the move itself, then how the game would go on, as far as the player knows
	Score float64 // as Decision.Score, for the side that makes the first move
	Mate  int     // as Decision.Mate
	Depth int     // so many plies were searched; 0 where it has no meaning
	// Visits counts the random games through the move; 0 where there are none.
	Visits int64
}

// MultiPV is a Player that can tell the best moves and not only the best one.
type MultiPV interface {
	// PVs is Choose, and then up to most lines (at least 1), each with another
	// first move. The first is the decision, which is that of Choose; the others
	// follow as the player would prefer them. It may take twice as long as Choose.
	// A player that keeps what it knows from one decision to the next keeps it as
	// after Choose.
	PVs(ctx context.Context, history []Move, limits Limits, most int) (Decision, []PV, error)
}

// PVs asks a player for its best moves: one that tells no lines gives one.
func PVs(ctx context.Context, p Player, history []Move, limits Limits, most int) (Decision, []PV, error) {
	if l, ok := p.(MultiPV); ok {
		return l.PVs(ctx, history, limits, most)
	}
	d, err := p.Choose(ctx, history, limits)
	if err != nil {
		return d, nil, err
	}
	return d, []PV{{Moves: []Move{d.Move}, Score: d.Score, Mate: d.Mate, Depth: d.Depth}}, nil
}
