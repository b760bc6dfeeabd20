package engines

import "context"

// Line is a move that a player thinks of, and what it thinks of it.
type Line struct {
	Moves []Move  // the move itself, then how the game would go on, as far as the player knows
	Score float64 // as Decision.Score, for the side that makes the first move
	Mate  int     // as Decision.Mate
	Depth int     // so many plies were searched; 0 where it has no meaning
	// Visits counts the random games through the move; 0 where there are none.
	Visits int64
}

// Liner is a Player that can tell the best moves and not only the best one.
type Liner interface {
	// Lines is Choose, and then up to most lines (at least 1), each with another
	// first move. The first is the decision, which is that of Choose; the others
	// follow as the player would prefer them. It may take twice as long as Choose.
	// A player that keeps what it knows from one decision to the next keeps it as
	// after Choose.
	Lines(ctx context.Context, history []Move, limits Limits, most int) (Decision, []Line, error)
}

// Lines asks a player for its best moves: one that tells no lines gives one.
func Lines(ctx context.Context, p Player, history []Move, limits Limits, most int) (Decision, []Line, error) {
	if l, ok := p.(Liner); ok {
		return l.Lines(ctx, history, limits, most)
	}
	d, err := p.Choose(ctx, history, limits)
	if err != nil {
		return d, nil, err
	}
	return d, []Line{{Moves: []Move{d.Move}, Score: d.Score, Mate: d.Mate, Depth: d.Depth}}, nil
}
