package gobang

import (
	"context"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// player chooses moves by alpha-beta, three plies deep if nothing is said: on a board,
// or with the parameter threats on a field.
type player struct {
	engines.Player // of the two, the one that the parameters ask for
	rules          variant
	board, field   engines.Player // nil until asked for
}

func newPlayer(rules variant) *player {
	p := &player{rules: rules, board: onBoard(rules)}
	p.Player = p.board
	return p
}

// Configure sets the parameters and begins the game anew.
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

func onBoard(rules variant) engines.Player {
	return alphabeta.NewPlayer[state, board, *state, *board](engine(newBoard(rules)))
}

func onField(rules variant) engines.Player {
	return alphabeta.NewPlayer[state, field, *state, *field](fieldEngine(newField(rules)))
}

// fieldEngine searches on f, in place. Of what was tried on preset master, against
// patterns,extend at four times its 5,000 nodes: few moves of a node instead of all
// gained 50 to 100 Elo (100 pairs, earlier weights); half or twice as many, stronger reductions, other margins and
// other weights in rank change the score by less than a match of 60 pairs can tell.
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

// engine searches on b, in place.
func engine(b *board) alphabeta.Engine[state, board] {
	return alphabeta.Engine[state, board]{
		Name: "gobang", Space: space, Limits: defaultLimits, Start: newState(b.rules), Node: b,
		Weigh: func(v params.Vector) alphabeta.Options {
			b.configure(v)
			// The larger board score right after the move breaks ties, else the
			// earlier cell, as in the source.
			return alphabeta.Options{Ties: alphabeta.TieEval}
		},
		Load:  (*board).load,
		Ready: (*board).ready,
		Hooks: alphabeta.Hooks[board]{Undo: (*board).undo, Rank: (*board).rank, Forced: (*board).forced},
	}
}

// ready makes room for a search and has it meant for the side to move.
func (b *board) ready(s *state) {
	if b.pool.full() {
		b.load(s)
	}
	b.me = s.Turn()
}

var defaultLimits = engines.Limits{Depth: 3}
