package alphabeta

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// Engine adapts a game to a Player.
// S is a position by the rules, as the game's referee keeps it.
// T is a position in the search: S with evaluation weights, or a board that updates its evaluation.
type Engine[S, T any] struct {
	Name  string       // the game's name, at the beginning of errors
	Space params.Space // describes the player's vectors; it contains Parameters
	// Limits are the limits of a decision that sets none.
	Limits engines.Limits
	// Start is the initial position with the rules.
	Start S
	// Node is the memory of the search. The Player owns it, and only the functions below change
	// it.
	Node *T
	// Weigh sets the weights by a vector of Space.
	// It returns the options that Parameters lacks.
	Weigh func(vector params.Vector) Options
	// Scale is the worth of one unit of Eval in the game's unit of
	// scores, such as 0.01 if Eval counts hundredths of a point.
	// 0 means 1.
	Scale float64
	// Load sets the node to position s.
	Load func(node *T, s *S)
	// Ready, if not nil, prepares the node for a search of its position s.
	Ready func(node *T, s *S)
	Hooks Hooks[T]
}

// Names of the parameters that every Player has.
const (
	paramSearch   = "search"
	paramOrdering = "ordering"
	paramTable    = "table"
	paramReduce   = "reduce" // of Selective
	paramMargin   = "margin"
	paramPrune    = "prune" // of Pruning
)

// maxTable is the size of the largest table of a Player, as a power of two.
const maxTable = 24

// Parameters returns the parameters of every Player, which a game puts into its space, anywhere.
// They select the kind of search and are frozen.
// table is the default size of the transposition table as a power of two, 0 for none.
func Parameters(table int) params.Space {
	choice := func(name, doc string, labels ...string) params.Param {
		return params.Param{Name: name, Doc: doc, Labels: labels, Max: 1, Step: 1, Whole: true, Frozen: true}
	}
	return params.Space{
		choice(paramSearch, "minimax searches every move, for comparison", "alphabeta", "minimax"),
		choice(paramOrdering, "whether alpha-beta searches promising moves first", "on", "off"),
		{
			Name: paramTable, Doc: "entries of the transposition table as a power of two; 0 for no table",
			Max: maxTable, Default: float64(table), Step: 2, Whole: true, Frozen: true,
		},
	}
}

// Selective returns the parameters by which a player gives up minimax's value for depth.
// A game puts them at the end of its space.
// By default they are off.
// unit is the unit of the game's Eval.
func Selective(unit string) params.Space {
	return params.Space{
		{
			Name: paramReduce, Doc: "late move reductions: late quiet moves are searched less deeply, and results of deeper searches count",
			Labels: []string{"off", "on"}, Max: 1, Step: 1, Whole: true, Frozen: true, Added: true,
		},
		{
			Name: paramMargin, Unit: unit, Doc: "futility margin: how much a quiet ply may change the evaluation, to prune near the leaves; 0: " +
				"no pruning",
			Max: float64(maxMargin), Step: 20, Whole: true, Frozen: true, Added: true,
		},
	}
}

// Pruning returns the parameter of Options.Prune, off by default.
// A game that also has Selective's puts it at the end of its space.
func Pruning() params.Space {
	return params.Space{{
		Name: paramPrune, Doc: "pruning for large budgets: passing as a bound (null move), margins at greater depths, moves ordered by the one before, the table kept from move to move",
		Labels: []string{"off", "on"}, Max: 1, Step: 1, Whole: true, Frozen: true, Added: true,
	}}
}

// maxMargin keeps sums of margins and evaluations below the scores of wins.
const maxMargin = 1_000_000

// Budgets returns the limits that a Player supports, for Game.Budgets.
// A search counts every node and looks at the clock every few microseconds.
func Budgets() []engines.Budget {
	return []engines.Budget{
		{Kind: engines.BudgetDepth, Max: maxPly / 2},
		{Kind: engines.BudgetNodes},
		{Kind: engines.BudgetTime},
	}
}

// Player is an engines.Player that searches.
// Its Score is that of the search, in the unit of the game; its Depth is the
// deepest completed iteration; Mate is set where the search saw the end.
// It serves one game at a time.
//
// A decision depends only on history, parameters and
// limits, because the search forgets the one before.
// It draws no random numbers, so the seed of a game makes no difference.
// With Options.Reuse a decision also depends on the earlier decisions
// of the game, so a game repeats if it is played from its start.
type Player[S, T any, P engines.State[S], Q Position[T]] struct {
	engine   Engine[S, T]
	search   *Search[T, Q]
	repeated bool // repetitions count as draws
	reuse    bool // the table is kept between decisions of a game
	thought  bool // the table holds results of this game

	start, state S
	played       []engines.Move // the moves from start to state
	keys         []uint64       // keys of the positions before each of played
}

// NewPlayer returns a player with the defaults of its space.
// It panics if the space lacks Parameters.
func NewPlayer[S, T any, P engines.State[S], Q Position[T]](e Engine[S, T]) *Player[S, T, P, Q] {
	for _, name := range []string{paramSearch, paramOrdering, paramTable} {
		if e.Space.Index(name) < 0 {
			panic(fmt.Sprintf("alphabeta.NewPlayer: the space of %s has no parameter %q; append Parameters to it", e.Name, name))
		}
	}
	p := &Player[S, T, P, Q]{engine: e, search: New[T, Q](Options{}, e.Hooks), start: e.Start}
	if err := p.Configure(e.Space.Default()); err != nil {
		panic(fmt.Sprintf("alphabeta.NewPlayer: the defaults of %s: %v", e.Name, err))
	}
	return p
}

// Configure sets the parameters, a vector of the engine's space, and begins a new game. An
// error names the first value that the space does not allow.
func (p *Player[S, T, P, Q]) Configure(vector []float64) error {
	if err := p.engine.Space.Check(vector); err != nil {
		return fmt.Errorf("%s player: %w", p.engine.Name, err)
	}
	o := p.engine.Weigh(vector)
	value := func(name string) int { return int(vector[p.engine.Space.Index(name)]) }
	o.Minimax, o.Unordered, o.Table = value(paramSearch) == 1, value(paramOrdering) == 1, 0
	if bits := value(paramTable); bits > 0 {
		o.Table = 1 << bits
	}
	if i := p.engine.Space.Index(paramReduce); i >= 0 {
		o.Reduce, o.Deeper = vector[i] == 1, vector[i] == 1
		o.Margin = int32(value(paramMargin))
	}
	if i := p.engine.Space.Index(paramPrune); i >= 0 {
		o.Prune = vector[i] == 1
		o.Reuse = o.Reuse || o.Prune
	}
	p.repeated, p.reuse = o.Repetition, o.Reuse
	p.search.Configure(o)
	p.restart()
	return nil
}

// Reset starts a game at a position, "" for the engine's own. The seed is not used. An error
// says why the position cannot be read.
func (p *Player[S, T, P, Q]) Reset(position string, _ uint64) error {
	p.start = p.engine.Start
	if err := engines.SetUp[S, P](&p.start, position, nil); err != nil {
		p.start = p.engine.Start
		return fmt.Errorf("%s player: %w", p.engine.Name, err)
	}
	p.restart()
	return nil
}

// restart goes back to the start of the game.
func (p *Player[S, T, P, Q]) restart() {
	p.state = p.start
	p.played = p.played[:0]
	p.keys = p.keys[:0]
	p.thought = false
	p.engine.Load(p.engine.Node, &p.state)
}

// Choose searches within limits of depth, nodes and time, or within the engine's own limits if
// none is set. If ctx ends, it returns the best move so far, without an error. history may
// continue, or leave, the line of the last call.
func (p *Player[S, T, P, Q]) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	r, _, err := p.think(ctx, history, limits)
	if err != nil {
		return engines.Decision{}, err
	}
	return p.decision(r), nil
}

// PVs implements engines.MultiPV. The lines after the first are searched after it, with the
// same limits again.
func (p *Player[S, T, P, Q]) PVs(ctx context.Context, history []engines.Move, limits engines.Limits,
	most int) (engines.Decision, []engines.PV, error) {
	r, limits, err := p.think(ctx, history, limits)
	if err != nil {
		return engines.Decision{}, nil, err
	}
	d := p.decision(r)
	first := []engines.Move{r.Move}
	if len(r.Line) > 0 && r.Line[0] == r.Move {
		first = slices.Clone(r.Line)
	}
	lines := []engines.PV{{Moves: first, Score: d.Score, Mate: d.Mate, Depth: r.Depth}}
	for _, l := range p.search.others(ctx, r, most-1, limits) {
		lines = append(lines, engines.PV{Moves: l.Moves, Score: p.scaled(l.Score), Mate: mateIn(l.Score), Depth: l.Depth})
	}
	return d, lines, nil
}

// think searches the position after history, and returns the limits it used.
func (p *Player[S, T, P, Q]) think(ctx context.Context, history []engines.Move, limits engines.Limits) (Result, engines.Limits, error) {
	began := time.Now()
	if limits.Playouts > 0 {
		return Result{}, limits, fmt.Errorf("%s player: limits %q: it makes no playouts; use depth=, nodes= or time=", p.engine.Name, limits)
	}
	if limits.IsZero() {
		limits = p.engine.Limits
	}
	if err := p.follow(history); err != nil {
		return Result{}, limits, fmt.Errorf("%s player: %w", p.engine.Name, err)
	}
	if o := P(&p.state).Outcome(); o != engines.Ongoing {
		return Result{}, limits, fmt.Errorf("%s player: no move to choose in %s: the game has ended, %v by %s",
			p.engine.Name, P(&p.state).String(), o, P(&p.state).Reason())
	}
	if p.engine.Ready != nil {
		p.engine.Ready(p.engine.Node, &p.state)
	}
	if p.reuse && p.thought {
		p.search.NextMove()
	} else {
		p.search.NewGame()
	}
	p.thought = true
	if most := limits.MoveTime(); most > 0 {
		limits.Time = engines.SearchTime(most, time.Since(began))
	}
	return p.search.Think(ctx, p.engine.Node, p.past(), limits), limits, nil
}

// decision converts the result of a search.
func (p *Player[S, T, P, Q]) decision(r Result) engines.Decision {
	return engines.Decision{Move: r.Move, Score: p.scaled(r.Score), Nodes: r.Nodes, Depth: r.Depth, Mate: mateIn(r.Score)}
}

// scaled returns a score in the game's unit.
func (p *Player[S, T, P, Q]) scaled(score int32) float64 {
	return float64(score) * cmp.Or(p.engine.Scale, 1)
}

// mateIn returns Decision.Mate of a score.
func mateIn(score int32) int {
	plies, proven := Mate(score)
	switch {
	case !proven:
		return 0
	case score < 0:
		return -plies
	}
	return plies
}

// follow sets state and node to the position after history. It plays only the new moves.
func (p *Player[S, T, P, Q]) follow(history []engines.Move) error {
	if n := len(p.played); len(history) < n || !slices.Equal(history[:n], p.played) {
		p.restart()
	}
	for i := len(p.played); i < len(history); i++ {
		key := uint64(0)
		if p.repeated {
			key = Q(p.engine.Node).Key()
		}
		if err := p.play(history[i]); err != nil {
			return fmt.Errorf("move %d, %w", i+1, err)
		}
		p.played, p.keys = append(p.played, history[i]), append(p.keys, key)
	}
	return nil
}

// play plays one move on state and node.
func (p *Player[S, T, P, Q]) play(m engines.Move) error {
	if P(&p.state).Legal(m) {
		P(&p.state).Play(m)
		Q(p.engine.Node).Play(m)
		return nil
	}
	if err := engines.Follow[S, P](&p.state, m); err != nil {
		return err
	}
	p.engine.Load(p.engine.Node, &p.state) // searches do not know lost turns
	return nil
}

// past returns the keys of the positions that may occur again. If the state counts moves
// without progress, these are the positions since the last progress.
func (p *Player[S, T, P, Q]) past() []uint64 {
	if q, ok := any(P(&p.state)).(engines.NoProgressCounter); ok {
		return p.keys[max(0, len(p.keys)-q.NoProgress()):]
	}
	return p.keys
}
