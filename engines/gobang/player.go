package gobang

import (
	"context"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// player chooses moves by alpha-beta. It draws nothing: equal games go equal
// ways, whatever the seed.
type player struct {
	board  *board
	search *alphabeta.Search[board, *board]
	start  State
	state  State
	played []engines.Move
}

func newPlayer(rules variant) *player {
	p := &player{board: newBoard(rules), start: newState(rules)}
	p.search = alphabeta.New[board](searchOptions(space.Default()), alphabeta.Hooks[board]{
		Undo: (*board).undo, Rank: (*board).rank, Forced: (*board).forced,
	})
	p.restart()
	return p
}

// Configure implements engines.Player. It forgets the game.
func (p *player) Configure(vector []float64) error {
	if err := space.Check(params.Vector(vector)); err != nil {
		return fmt.Errorf("gobang player: %w", err)
	}
	p.board.configure(vector)
	p.search.Configure(searchOptions(vector))
	p.restart()
	return nil
}

// Reset implements engines.Player.
func (p *player) Reset(position string, _ uint64) error {
	start := newState(p.start.rules)
	if position != "" {
		if err := start.SetText(position); err != nil {
			return fmt.Errorf("gobang player: position %q: %w", position, err)
		}
	}
	p.start = start
	p.restart()
	return nil
}

// restart goes back to the start position.
func (p *player) restart() {
	p.state, p.played = p.start, p.played[:0]
	p.board.load(&p.start)
}

// follow makes the position the one after history.
func (p *player) follow(history []engines.Move) error {
	shared := 0
	for shared < len(p.played) && shared < len(history) && p.played[shared] == history[shared] {
		shared++
	}
	if shared < len(p.played) {
		p.restart()
		shared = 0
	}
	for i, m := range history[shared:] {
		if !p.state.Legal(m) {
			return fmt.Errorf("gobang player: move %d, %s, is not legal in %s", shared+i+1, p.state.MoveString(m), p.state.String())
		}
		p.state.Play(m)
		p.board.Play(m)
		p.played = append(p.played, m)
	}
	return nil
}

// Choose implements engines.Player. It takes limits of depth, nodes and time,
// and searches three plies if there are none. It forgets the search before, so
// that a decision depends on nothing but the history and the limits. When ctx
// ends, it returns a legal move together with the context's error.
func (p *player) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	if limits.Playouts > 0 {
		return engines.Decision{}, fmt.Errorf("gobang player: limits %q: it makes no playouts; use depth=, nodes= or time=", limits)
	}
	if limits.IsZero() {
		limits = defaultLimits
	}
	if err := p.follow(history); err != nil {
		return engines.Decision{}, err
	}
	if o := p.state.Outcome(); o != engines.Ongoing {
		return engines.Decision{}, fmt.Errorf("gobang player: the game is over: %v by %s", o, p.state.Reason())
	}
	if p.board.pool.full() {
		p.board.load(&p.state)
	}
	p.board.me = p.state.Turn()
	p.search.NewGame()
	r := p.search.Think(ctx, p.board, nil, limits)
	d := engines.Decision{Move: r.Move, Score: float64(r.Score), Nodes: r.Nodes, Depth: r.Depth}
	if r.Stopped {
		return d, context.Cause(ctx)
	}
	return d, nil
}
