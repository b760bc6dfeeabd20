package mills

import (
	"context"
	"fmt"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
)

// node is a position as the search sees it: with the weights that value it.
type node struct {
	Position
	weights *weights
}

// Eval returns the static value for the side to move.
func (n *node) Eval() int32 { return n.weights.evaluate(&n.Position) }

// player chooses by alpha-beta search.
type player struct {
	rules   setup
	weights weights
	search  *alphabeta.Search[node, *node]

	start, now node
	known      []engines.Move // history that leads from start to now
	keys       []uint64       // of the position before each known move
}

func newPlayer(rules setup) *player {
	p := &player{rules: rules}
	p.search = alphabeta.New[node](alphabeta.Options{}, alphabeta.Hooks[node]{Rank: rank})
	return p
}

// Configure sets the parameters, a vector of the game's space.
func (p *player) Configure(vector []float64) error {
	if err := checkVector(vector); err != nil {
		return err
	}
	p.weights = newWeights(vector)
	p.search.Configure(searchOptions(vector, p.rules.bounds.Repetitions > 0))
	return nil
}

// Reset starts a game. The player draws nothing at random, so seed is unused.
func (p *player) Reset(position string, _ uint64) error {
	p.start = node{p.rules.start, &p.weights}
	if position != "" {
		if err := p.start.SetText(position); err != nil {
			return fmt.Errorf("position %q: %w", position, err)
		}
	}
	p.rewind()
	return nil
}

func (p *player) rewind() {
	p.now, p.known, p.keys = p.start, p.known[:0], p.keys[:0]
}

// Choose returns the best move found within limits of depth, nodes and time;
// with none of them it searches to the default depth. It forgets the search
// before, so that a decision depends on nothing but history and limits.
func (p *player) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	if limits.Depth == 0 && limits.Nodes == 0 && limits.Time == 0 {
		limits.Depth = defaultDepth
	}
	p.follow(history)
	p.search.NewGame()
	past := p.keys[len(p.keys)-p.now.Quiet():]
	r := p.search.Think(ctx, &p.now, past, limits)
	if r.Move == 0 {
		return engines.Decision{}, fmt.Errorf("mills player: no move to choose in %s: the game has ended", &p.now.Position)
	}
	return engines.Decision{Move: r.Move, Score: float64(r.Score), Nodes: r.Nodes, Depth: r.Depth}, nil
}

// follow makes now the position after history, playing only what is new.
func (p *player) follow(history []engines.Move) {
	if n := len(p.known); len(history) < n || !slices.Equal(history[:n], p.known) {
		p.rewind()
	}
	for _, m := range history[len(p.known):] {
		p.keys = append(p.keys, p.now.Key())
		p.now.Play(m)
		p.known = append(p.known, m)
	}
}

// rank puts captures first, and moves onto a point where the opponent could
// close a mill before other quiet ones. Measured over positions of all phases at
// depth 8, captures first save 2 to 8 % of the nodes and blocking mills 10 to
// 25 % more; ranking captures by what they take saves nothing.
func rank(n *node, moves []engines.Move, ranks []int32) {
	threats := closersOf(n.men[n.turn&1^1], n.laws.spokes()).any()
	for i, m := range moves {
		switch {
		case hasCapture(m):
			ranks[i] = 2 * alphabeta.KillerRank
		case threats>>arrival(m)&1 != 0:
			ranks[i] = alphabeta.KillerRank / 2
		}
	}
}
