package quoridor

import (
	"context"
	"fmt"

	"selfplaylab/engines"
)

// player is the greedy player: a decision compares the step with the best wall.
// It serves one game at a time.
type player struct {
	game     engines.Follower[Board, *Board]
	standard bool
	w        [parameterCount]float64
	seed     uint64

	// Scratch of one decision.
	ours, theirs, trial, trialMine layers
	my, their                      path

	position string  // of the game's beginning
	ahead    *looker // nil until first needed
}

// Configure sets the parameters, a vector of the package's space.
func (p *player) Configure(v []float64) error {
	if len(v) != len(p.w) {
		return fmt.Errorf("quoridor player takes %d parameters, not %d", len(p.w), len(v))
	}
	copy(p.w[:], v)
	if p.ahead != nil {
		return p.ahead.Configure(v)
	}
	return nil
}

// Reset starts a game.
func (p *player) Reset(position string, seed uint64) error {
	b := newBoard(p.standard)
	if err := engines.SetUp[Board](&b, position, nil); err != nil {
		return err
	}
	p.game.Reset(b)
	p.seed, p.position = seed, position
	if p.ahead != nil {
		return p.ahead.Reset(position, seed)
	}
	return nil
}

// Choose returns the greedy decision.
// Its score is s1 or s2, for the chosen move; its nodes are the
// number of distances measured; its mate is 1 if the step arrives.
// Within limits of depth or nodes, or with the parameter look=always, it looks ahead instead.
func (p *player) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	if looksAhead(p.w[:], limits) {
		ahead, err := p.looker()
		if err != nil {
			return engines.Decision{}, err
		}
		return ahead.Choose(ctx, history, limits)
	}
	p.game.Follow(history)
	d := p.decide(&p.game.Position, p.horizontalFirst(len(history)))
	mate := 0
	if kind(d.move) == pawnMove && arrives(p.game.Position.turn, d.move) {
		mate = 1
	}
	return engines.Decision{Move: d.move, Score: max(d.s1, d.s2), Nodes: int64(d.floods), Mate: mate}, nil
}

// looker returns the look-ahead with the state of the game.
func (p *player) looker() (*looker, error) {
	if p.ahead != nil {
		return p.ahead, nil
	}
	ahead := newLooker(p.standard)
	if err := ahead.Configure(p.w[:]); err != nil {
		return nil, err
	}
	if err := ahead.Reset(p.position, p.seed); err != nil {
		return nil, err
	}
	p.ahead = ahead
	return ahead, nil
}

// PVs implements engines.MultiPV. The greedy player has a single line, its decision.
func (p *player) PVs(ctx context.Context, history []engines.Move, limits engines.Limits, most int) (engines.Decision, []engines.PV, error) {
	if looksAhead(p.w[:], limits) {
		ahead, err := p.looker()
		if err != nil {
			return engines.Decision{}, nil, err
		}
		return ahead.PVs(ctx, history, limits, most)
	}
	d, err := p.Choose(ctx, history, limits)
	return d, []engines.PV{{Moves: []engines.Move{d.Move}, Score: d.Score, Mate: d.Mate}}, err
}

// horizontalFirst tosses the coin of one ply.
// It depends only on seed and ply, so a decision can be repeated without its predecessors.
func (p *player) horizontalFirst(ply int) bool {
	switch p.w[coin] {
	case 1:
		return true
	case 2:
		return false
	}
	return engines.Seed(p.seed, uint64(ply))&1 == 0
}
