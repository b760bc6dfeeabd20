package referee

import (
	"context"
	"errors"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
	"selfplaylab/params"
)

// Parameters of the built-in player.
const (
	paramExploration = iota
	paramRandom
)

// defaultPlayouts is small, because a referee in Python answers some thousand questions a second.
const defaultPlayouts = 30

// treeNodes is the memory of a search, in nodes. Every node costs a question.
const treeNodes = 1 << 16

// space returns the parameters of the built-in player.
func space() params.Space {
	return params.Space{
		{Name: "exploration", Doc: "weight of moves that were tried less", Min: 0, Max: 4, Step: 0.2, Default: 1},
		{Name: "random", Doc: "share of moves drawn at random", Min: 0, Max: 1, Step: 0.1, Default: 0},
	}
}

// addPlayer gives a game its built-in player, a tree
// search by random games that knows only the rules.
func addPlayer(g *engines.Game) {
	g.Space = space()
	g.Presets = []params.Preset{
		{Name: "search", Doc: "Searches a tree by random games.", Vector: params.Vector{1, 0}},
		{Name: "random", Doc: "Plays every legal move with equal chance.", Vector: params.Vector{1, 1}},
	}
	g.DefaultPreset = "search"
	g.WeakPreset = "random"
	g.Unit = engines.UnitChance
	g.Budgets = mcts.Budgets(maxMoves)
	g.Limits = engines.Limits{Playouts: defaultPlayouts}
}

// builtin is the player of every such game. It serves one game at a time.
type builtin struct {
	*mcts.Player[state, *state]
	rules  *rules
	random float64
	game   engines.Follower[state, *state]
	seed   uint64
}

// newPlayer returns the built-in player.
func newPlayer(r *rules) *builtin {
	read := func(v []float64) (mcts.Settings, error) {
		return mcts.Settings{Options: mcts.Options{C: v[paramExploration], Eps: 1e-6, Loop: mcts.Standard, Expand: mcts.One,
			Final: mcts.Visits, Solver: true}}, nil
	}
	return &builtin{Player: mcts.NewPlayer(state{rules: r}, treeNodes, read), rules: r}
}

// Configure sets the parameters.
func (b *builtin) Configure(v []float64) error {
	if err := space().Check(v); err != nil {
		return err
	}
	b.random = v[paramRandom]
	return b.Player.Configure(v)
}

// Reset begins a game.
func (b *builtin) Reset(position string, seed uint64) error {
	start := state{rules: b.rules}
	if err := engines.SetUp(&start, position, nil); err != nil {
		return err
	}
	b.game.Reset(start)
	b.seed = seed
	return b.Player.Reset(position, seed)
}

// Choose draws a move with the probability of the parameter random, and else searches.
func (b *builtin) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	draw := mcts.NewRand(engines.Seed(b.seed, uint64(len(history)), paramRandom))
	if float64(draw.Uint64()>>11)/(1<<53) >= b.random {
		return b.Player.Choose(ctx, history, limits)
	}
	b.game.Follow(history)
	moves := b.game.Position.here().moves
	return engines.Decision{Move: moves[draw.Below(len(moves))], Score: 0.5, Nodes: 1}, nil
}

// evaluate searches with the game's limits and seed 0, and returns the moves with their visits.
func (r *rules) evaluate(position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
	at := state{rules: r}
	if err := engines.SetUp(&at, position, moves); err != nil {
		return nil, err
	}
	p := newPlayer(r)
	if err := errors.Join(p.Configure(v), p.Reset(position, 0)); err != nil {
		return nil, err
	}
	if o := at.Outcome(); o != engines.Ongoing {
		return nil, fmt.Errorf("the game is over: %s, %s", o, at.Reason())
	}
	d, err := p.Player.Choose(context.Background(), moves, engines.Limits{Playouts: defaultPlayouts})
	if err != nil {
		return nil, err
	}
	var names []string
	var visits []int64
	for _, c := range p.Search().Children() {
		names, visits = append(names, at.MoveString(c.Move)), append(visits, c.Visits)
	}
	return []engines.Term{
		{Name: "turn", Value: int(at.Turn()) + 1, Doc: "side to move, 1 or 2"},
		{Name: "moves", Value: names, Doc: "legal moves, as the search has tried them"},
		{Name: "visits", Value: visits, Doc: "random games through each"},
		{Name: "best", Value: at.MoveString(d.Move), Doc: "the move chosen"},
		{Name: "score", Value: d.Score, Doc: "its win rate"},
	}, nil
}
