package gobang

import (
	"context"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// player chooses moves by alpha-beta: on a board, or with the parameter threats on a field.
// Without limits it searches three plies deep.
// It serves one game at a time.
type player struct {
	engines.Player // board or field, by the parameters
	rules          variant
	board, field   engines.Player // nil until needed
}

// newPlayer returns a player with the default parameters.
func newPlayer(rules variant) *player {
	p := &player{rules: rules, board: onBoard(rules)}
	p.Player = p.board
	return p
}

// Configure sets the parameters and begins a new game.
func (p *player) Configure(v []float64) error {
	if err := space.Check(v); err != nil {
		return fmt.Errorf("gobang player: %w", err)
	}
	p.Player = p.board
	if v[pThreats] != 0 {
		if p.field == nil {
			p.field = onField(p.rules)
		}
		p.Player = p.field
	}
	return p.Player.Configure(v)
}

// PVs implements engines.MultiPV.
func (p *player) PVs(ctx context.Context, history []engines.Move, limits engines.Limits, most int) (engines.Decision, []engines.PV, error) {
	return engines.PVs(ctx, p.Player, history, limits, most)
}

// onBoard returns a player that searches a board.
func onBoard(rules variant) engines.Player {
	return alphabeta.NewPlayer[state, board, *state, *board](engine(newBoard(rules)))
}

// onField returns a player that searches a field.
func onField(rules variant) engines.Player {
	return alphabeta.NewPlayer[state, field, *state, *field](fieldEngine(newField(rules)))
}

// fieldEngine returns the search on f, in place. A search of a few moves of a node instead of
// all is stronger (parameter width).
func fieldEngine(f *field) alphabeta.Engine[state, field] {
	return alphabeta.Engine[state, field]{
		Name: "gobang", Space: space, Limits: defaultLimits, Start: newState(f.rules), Node: f,
		Weigh: func(v params.Vector) alphabeta.Options {
			f.configure(v)
			return alphabeta.Options{Width: int(v[pWidth]), Lazy: v[pLazy] != 0, Reuse: v[pReuse] != 0}
		},
		Load:  (*field).load,
		Ready: (*field).ready,
		Hooks: alphabeta.Hooks[field]{
			Undo: (*field).undo, Rank: (*field).rank, Forced: (*field).forced, Solve: (*field).solve, Prove: (*field).prove,
		},
	}
}

// engine returns the search on b, in place.
func engine(b *board) alphabeta.Engine[state, board] {
	return alphabeta.Engine[state, board]{
		Name: "gobang", Space: space, Limits: defaultLimits, Start: newState(b.rules), Node: b,
		Weigh: func(v params.Vector) alphabeta.Options {
			b.configure(v)
			// Ties go to the larger board score right after the
			// move, then to the earlier cell, as in the source.
			return alphabeta.Options{Ties: alphabeta.TieEval}
		},
		Load:  (*board).load,
		Ready: (*board).ready,
		Hooks: alphabeta.Hooks[board]{Undo: (*board).undo, Rank: (*board).rank, Forced: (*board).forced},
	}
}

// ready makes room for a search in which the side to move of s searches.
func (b *board) ready(s *state) {
	if b.pool.full() {
		b.load(s)
	}
	b.me = s.Turn()
}

// defaultLimits are the limits of a player without any.
var defaultLimits = engines.Limits{Depth: 3}
