package mcts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"selfplaylab/engines"
)

// State is the part of a game that a Player needs: a Position that can be set from text.
type State[T any] interface {
	engines.State[T]
	Position[T]
}

// Settings are the settings of a player, as its parameters give them.
type Settings struct {
	Options
	Reuse   bool // keep the tree from one decision of a game to the next
	Threads int  // trees searched side by side; 0 and 1 for one
}

// Player is an engines.Player that searches.
// Its Score is the win rate of the chosen move for the side to move, from 0 to 1.
// Its Nodes are the tree nodes created and a quarter of the
// positions visited by the solver, and its Mate is that of Result.
// It serves one game at a time.
//
// The random numbers of a decision come from the seed
// of the game and the number of moves before it.
// Without reuse a decision depends only on history, parameters and limits.
// With reuse it also depends on the earlier decisions of the game.
// So a game repeats if it is played from its start in
// the same way, and not if it is resumed elsewhere.
type Player[T any, P State[T]] struct {
	read     func(vector []float64) (Settings, error)
	settings Settings
	search   *Search[T, P]
	game     engines.Follower[T, P]
	initial  T
	start    T
	seed     uint64

	ready  bool           // Configure was called
	rooted bool           // the search holds a tree of this game
	behind []engines.Move // the history of the tree's root
}

// NewPlayer returns a player for games that begin at start unless another position is given,
// with memory for capacity nodes. read checks a vector and returns it as settings; its error is
// Configure's. Call Configure before Choose.
func NewPlayer[T any, P State[T]](start T, capacity int, read func([]float64) (Settings, error)) *Player[T, P] {
	p := &Player[T, P]{read: read, search: New[T, P](capacity), initial: start}
	p.game.Reset(start)
	return p
}

// Configure sets the parameters and forgets the tree. After an error the former parameters
// stay.
func (p *Player[T, P]) Configure(vector []float64) error {
	settings, err := p.read(vector)
	if err != nil {
		return err
	}
	if err := p.search.Configure(settings.Options); err != nil {
		return err
	}
	p.search.Threads(settings.Threads)
	p.settings = settings
	p.ready = true
	p.rooted = false
	return nil
}

// Reset begins a game at a position, "" for the initial one. All random numbers of the game
// come from seed.
func (p *Player[T, P]) Reset(position string, seed uint64) error {
	p.start = p.initial
	if err := engines.SetUp[T, P](&p.start, position, nil); err != nil {
		p.start = p.initial
		return err
	}
	p.game.Reset(p.start)
	p.seed, p.rooted = seed, false
	return nil
}

// Choose searches the position after history. If ctx ends, it returns the best move so far,
// without an error.
func (p *Player[T, P]) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	if !p.ready {
		return engines.Decision{}, errors.New("mcts player: call Configure before Choose")
	}
	start := time.Now()
	p.game.Follow(history)
	p.root(history)
	if most := limits.MoveTime(); most > 0 {
		limits.Time = engines.SearchTime(most, time.Since(start))
	}
	r := p.search.Run(ctx, engines.Seed(p.seed, uint64(len(history))), limits)
	if r.Move == 0 {
		return engines.Decision{}, fmt.Errorf("no move to choose in %s: the game has ended", P(&p.game.Position).String())
	}
	return engines.Decision{Move: r.Move, Score: r.WinRate, Nodes: r.Nodes + r.Exact/exactCost, Depth: r.Depth, Mate: r.Mate, Cut: r.Cut}, nil
}

// PVs implements engines.MultiPV: the moves at the root in their order of preference, each with
// its line in the tree. It searches once, as Choose does.
func (p *Player[T, P]) PVs(ctx context.Context, history []engines.Move, limits engines.Limits,
	most int) (engines.Decision, []engines.PV, error) {
	d, err := p.Choose(ctx, history, limits)
	if err != nil {
		return d, nil, err
	}
	lines := p.search.PVs(most)
	lines[0].Score, lines[0].Mate = d.Score, d.Mate
	return d, lines, nil
}

// root moves the root of the search to the end of history.
func (p *Player[T, P]) root(history []engines.Move) {
	known := len(p.behind)
	if p.settings.Reuse && p.rooted && len(history) >= known && slices.Equal(history[:known], p.behind) {
		for _, m := range history[known:] {
			p.search.Advance(m)
		}
		p.behind = append(p.behind, history[known:]...)
		return
	}
	p.search.Begin(&p.game.Position)
	p.behind = append(p.behind[:0], history...)
	p.rooted = true
}

// Search returns the player's search, for its results on the position of the last choice. It is
// valid until the next choice.
func (p *Player[T, P]) Search() *Search[T, P] { return p.search }
