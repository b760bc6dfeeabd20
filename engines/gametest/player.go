package gametest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// playerMoves checks that the player plays whole games of legal moves, also after a penalty
// cost it a turn.
func (s *subject) playerMoves() error {
	games := s.sample()
	for i, l := range games[:2] {
		p, err := s.player(s.vector(), l.start, uint64(i))
		if err != nil {
			return err
		}
		if _, err := s.converse(p, l, uint64(i), longest, quick(s.game.Limits)); err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
	}
	l := games[0]
	history := slices.Clone(l.moves[:l.opening])
	ref, err := s.at(l.start, history)
	if err != nil {
		return err
	}
	m := ref.Penalty()
	if o, _ := ref.Result(); m == 0 || o != engines.Ongoing {
		return nil
	}
	if _, err = s.askNew(l.start, 0, append(history, m), quick(s.game.Limits)); err != nil {
		return fmt.Errorf("after a lost turn: %w", err)
	}
	return nil
}

// playerLimits checks that the player gives a legal move under the least budget of every kind
// that it supports, including a clock without time, and that it observes limits of nodes,
// playouts and depth. It does not measure time.
func (s *subject) playerLimits() error {
	var budgets []engines.Limits
	for _, b := range s.game.Budgets {
		switch b.Kind {
		case engines.BudgetDepth:
			budgets = append(budgets, engines.Limits{Depth: 1}, engines.Limits{Depth: 2})
		case engines.BudgetNodes:
			budgets = append(budgets, engines.Limits{Nodes: 1}, engines.Limits{Nodes: 1000})
		case engines.BudgetPlayouts:
			budgets = append(budgets, engines.Limits{Playouts: 1}, engines.Limits{Playouts: 1000})
		case engines.BudgetTime:
			budgets = append(budgets, engines.Limits{Time: 1})
		}
	}
	for _, l := range s.sample() {
		for _, limits := range budgets {
			d, err := s.askNew(l.start, 0, l.moves[:l.opening], limits)
			if err == nil {
				err = s.kept(d, limits)
			}
			if err != nil {
				return fmt.Errorf("limits %s: %w", limits, err)
			}
		}
	}
	return nil
}

// kept checks the counts of a decision against its limits. A playout makes one node at most.
func (s *subject) kept(d engines.Decision, l engines.Limits) error {
	if l.Depth > 0 && d.Depth > l.Depth {
		return fmt.Errorf("the player searched to depth %d", d.Depth)
	}
	for kind, most := range map[string]int64{engines.BudgetNodes: l.Nodes, engines.BudgetPlayouts: l.Playouts} {
		if b, _ := s.game.Budget(kind); most > 0 && d.Nodes > most+b.Slack {
			return fmt.Errorf("the player counted %d nodes, and its Slack is %d", d.Nodes, b.Slack)
		}
	}
	return nil
}

// playerMemory checks that a decision of the default preset depends only on parameters, start,
// seed, history and limits, not on earlier games, parameters or histories. It uses the game's
// own limits and a limit of nodes.
func (s *subject) playerMemory() error {
	if err := s.remembers(quick(s.game.Limits)); err != nil {
		return err
	}
	if _, keeps := s.game.Budget(engines.BudgetNodes); !keeps {
		return nil
	}
	nodes := engines.Limits{Nodes: quickNodes}
	if err := s.remembers(nodes); err != nil {
		return fmt.Errorf("under a limit of nodes: %w", err)
	}
	return nil
}

// remembers checks playerMemory under one kind of limits.
func (s *subject) remembers(limits engines.Limits) error {
	plies := 10
	if s.main {
		plies = 30
	}
	games := s.sample()
	used, err := s.player(s.vector(), games[0].start, 1)
	if err != nil {
		return err
	}
	t, err := s.converse(used, games[0], 1, plies, limits)
	if err != nil {
		return err
	}
	return errors.Join(
		s.bySides(&t),
		s.atOnce(&t),
		s.afterAnother(&t, used, games[1]),
		s.afterParameters(&t, used, games[1]),
		s.jumping(&t, used))
}

// bySides asks two new players in turn, as a match does.
func (s *subject) bySides(t *talk) error {
	var players [2]engines.Player
	for side := range players {
		var err error
		if players[side], err = s.player(s.vector(), t.start, t.seed); err != nil {
			return err
		}
	}
	for i, side := range t.turns {
		if err := s.again(t, i, players[side], "asked only for one side"); err != nil {
			return err
		}
	}
	return nil
}

// atOnce asks new players in the middle of the game.
func (s *subject) atOnce(t *talk) error {
	for _, i := range []int{len(t.answer) - 1, len(t.answer) / 2} {
		p, err := s.player(s.vector(), t.start, t.seed)
		if err != nil {
			return err
		}
		if err := s.again(t, i, p, "asked for the first time"); err != nil {
			return err
		}
	}
	return nil
}

// afterAnother asks a player that has played another game, from its end to its start.
func (s *subject) afterAnother(t *talk, used engines.Player, other line) error {
	if err := used.Reset(other.start, 2); err != nil {
		return err
	}
	if _, err := s.converse(used, other, 2, 5, t.limits); err != nil {
		return err
	}
	if err := used.Reset(t.start, t.seed); err != nil {
		return err
	}
	for i := len(t.answer) - 1; i >= 0; i-- {
		if err := s.again(t, i, used, "after another game, asked in falling order,"); err != nil {
			return err
		}
	}
	return nil
}

// afterParameters asks a player that has played with other parameters.
func (s *subject) afterParameters(t *talk, used engines.Player, other line) error {
	for _, p := range s.game.Presets {
		err := setUp(used, p.Vector, other.start, 3)
		if err == nil {
			_, err = s.converse(used, other, 3, 1, t.limits)
		}
		if err != nil {
			return fmt.Errorf("preset %s: %w", p.Name, err)
		}
	}
	if err := setUp(used, s.vector(), t.start, t.seed); err != nil {
		return err
	}
	for i := range min(3, len(t.answer)) {
		if err := s.again(t, i, used, "after other parameters"); err != nil {
			return err
		}
	}
	return nil
}

// jumping asks in any order, with lines in between that the game did not take.
func (s *subject) jumping(t *talk, used engines.Player) error {
	if err := used.Reset(t.start, t.seed); err != nil {
		return err
	}
	r := random(6)
	for _, i := range r.Perm(len(t.answer)) {
		if err := s.aside(t, i, used, r); err != nil {
			return err
		}
		if err := s.again(t, i, used, "after a jump in the history"); err != nil {
			return err
		}
	}
	return nil
}

// aside asks about a line that leaves the game two plies before ply i and has i plies, too.
// Only the moves tell the two lines apart.
func (s *subject) aside(t *talk, i int, p engines.Player, r *rand.Rand) error {
	history := slices.Clone(t.moves[:t.from+max(0, i-2)])
	ref, err := s.at(t.start, history)
	if err != nil {
		return err
	}
	for range min(i, 2) {
		if o, _ := ref.Result(); o != engines.Ongoing {
			return nil
		}
		list := ref.Moves(nil)
		m := list[r.IntN(len(list))]
		ref.Play(m)
		history = append(history, m)
	}
	if o, _ := ref.Result(); o != engines.Ongoing {
		return nil
	}
	_, err = s.ask(p, ref, history, t.limits)
	return err
}

// playerPresets checks for every preset that equal games take equal courses, by a new player
// and by one that has played before.
func (s *subject) playerPresets() error {
	games := s.sample()
	used := s.v.NewPlayer()
	for _, preset := range s.game.Presets {
		var talks [2]talk
		for n := range talks {
			p := used
			if n == 0 {
				p = s.v.NewPlayer()
			}
			err := setUp(p, preset.Vector, games[1].start, 4)
			if err == nil {
				talks[n], err = s.converse(p, games[1], 4, 12, quick(s.game.Limits))
			}
			if err != nil {
				return fmt.Errorf("preset %s: %w", preset.Name, err)
			}
		}
		if a, b := talks[0], talks[1]; !slices.Equal(a.answer, b.answer) {
			return fmt.Errorf("preset %s: from %q and %v a new player decided %+v, a used one %+v",
				preset.Name, a.start, a.moves[:a.from], a.answer, b.answer)
		}
	}
	return nil
}

// maxAtBounds is the number of parameters up to which each is tried at its bounds alone. In a
// larger space several share a trial.
const maxAtBounds = 64

// playerParameters checks that the player plays legal moves at many points of the space: the
// least and the greatest corner, each parameter at its bounds, and random points. A vector of
// another length must be an error.
func (s *subject) playerParameters() error {
	space := s.game.Space
	least, most := s.vector(), s.vector()
	var vectors []params.Vector
	for i, p := range space {
		least[i], most[i] = p.Min, p.Max
	}
	for first := range min(len(space), maxAtBounds) {
		low, high := s.vector(), s.vector()
		for i := first; i < len(space); i += maxAtBounds {
			low[i], high[i] = least[i], most[i]
		}
		vectors = append(vectors, low, high)
	}
	r := random(7)
	for range 5 {
		vectors = append(vectors, draw(space, r))
	}
	for _, v := range append(vectors, least, most) {
		if err := s.tryVector(v); err != nil {
			return err
		}
	}
	p := s.v.NewPlayer()
	for _, v := range []params.Vector{append(s.vector(), 0), s.vector()[:max(0, len(space)-1)]} {
		if len(v) != len(space) && p.Configure(v) == nil {
			return fmt.Errorf("a player of %d parameters takes a vector of %d", len(space), len(v))
		}
	}
	return nil
}

// draw returns a random point of the space.
func draw(space params.Space, r *rand.Rand) params.Vector {
	v := space.Default()
	for i, p := range space {
		u := r.Float64()
		v[i] = p.Clip(p.Min + u*(p.Max-p.Min))
		if p.Log {
			v[i] = p.Clip(p.Min * math.Pow(p.Max/p.Min, u))
		}
	}
	return v
}

// tryVector checks that a player with a vector plays four legal moves.
func (s *subject) tryVector(v params.Vector) error {
	l := s.sample()[0]
	p, err := s.player(v, l.start, 5)
	if err != nil {
		return err
	}
	if _, err := s.converse(p, l, 5, 4, quick(s.game.Limits)); err != nil {
		return fmt.Errorf("parameters %v: %w", v, err)
	}
	return nil
}

// playerPositions checks that the player accepts exactly the positions that the referee
// accepts, and has a move in every unfinished game.
func (s *subject) playerPositions() error {
	p := s.v.NewPlayer()
	if err := configure(p, s.vector()); err != nil {
		return err
	}
	ref := s.v.NewReferee()
	try := func(text string) error {
		want, got := ref.Reset(text), p.Reset(text, 6)
		if (want == nil) != (got == nil) {
			return fmt.Errorf("the referee's Reset says %v, the player's %v", want, got)
		}
		if o, _ := ref.Result(); want != nil || o != engines.Ongoing {
			return nil
		}
		_, err := s.ask(p, ref, nil, quick(s.game.Limits))
		return err
	}
	for text := range s.odd(garbage) {
		if err := guard(func() error { return try(text) }); err != nil {
			return fmt.Errorf("position %q: %w", text, err)
		}
	}
	return nil
}

// playerStops checks that a player returns soon after its context ends, with a legal move or
// the context's error, and that the next decision is not affected.
func (s *subject) playerStops() error {
	l := s.sample()[0]
	history := l.moves[:l.opening]
	ref, err := s.at(l.start, history)
	if err != nil {
		return err
	}
	p, err := s.player(s.vector(), l.start, 7)
	if err != nil {
		return err
	}
	before, err := s.ask(p, ref, history, quick(s.game.Limits))
	if err != nil {
		return err
	}
	const thought = 10 * time.Millisecond
	for _, wait := range []time.Duration{0, thought} {
		if err := p.Reset(l.start, 7); err != nil {
			return err
		}
		if err := stop(p, ref, slices.Clone(history), endless(s.game.Limits), wait); err != nil {
			return fmt.Errorf("context ended after %v: %w", wait, err)
		}
	}
	if err := p.Reset(l.start, 7); err != nil {
		return err
	}
	after, err := s.ask(p, ref, history, quick(s.game.Limits))
	if err == nil && after != before {
		err = fmt.Errorf("in %s the player decided %+v, and after a decision broken off %+v", ref, before, after)
	}
	return err
}

// stop asks for a decision and ends its context after a while.
func stop(p engines.Player, ref engines.Referee, history []engines.Move, l engines.Limits, wait time.Duration) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if wait == 0 {
		cancel()
	} else {
		defer time.AfterFunc(wait, cancel).Stop()
	}
	type answer struct {
		d   engines.Decision
		err error
	}
	done := make(chan answer, 1)
	go func() { // if the player never returns, the goroutine stays, and the test has failed
		var a answer
		a.err = guard(func() (err error) { a.d, err = p.Choose(ctx, history, l); return err })
		done <- a
	}()
	select {
	case <-time.After(wait + patience):
		return fmt.Errorf("asked in %s with limits %q, the player did not return within %v", ref, l, patience)
	case a := <-done:
		if errors.Is(a.err, context.Canceled) {
			return nil
		}
		if a.err != nil {
			return a.err
		}
		return sane(ref, a.d)
	}
}

// record collects the rows of a schedule.
type record struct{ games []datasets.GameRow }

func (r *record) Append(_ datasets.TrialRow, games []datasets.GameRow, _ []datasets.MoveRow) error {
	r.games = append(r.games, games...)
	return nil
}

// equalPlayers checks that a player against its equal plays the same game from either side, so
// that every pair is exactly even, on any worker.
func (s *subject) equalPlayers() error {
	pairs := 1
	if s.main {
		pairs = 3
	}
	if err := s.playable(); err != nil {
		return err
	}
	mirror := func(workers int) ([]datasets.GameRow, error) {
		return s.pairs(s.vector(), s.vector(), pairs, workers, quick(s.game.Limits))
	}
	one, err := mirror(1)
	if err != nil {
		return err
	}
	for i := 0; i < len(one); i += 2 {
		a, b := one[i], one[i+1]
		if a.Moves != b.Moves || a.Reason != b.Reason || a.AScore+b.AScore != 1 {
			return fmt.Errorf("pair %d from %q: equal players with colours swapped played\n%s (%s by %s) and\n%s (%s by %s)",
				a.Pair, a.Position, a.Moves, a.Outcome, a.Reason, b.Moves, b.Outcome, b.Reason)
		}
	}
	two, err := mirror(2)
	if err == nil && !reflect.DeepEqual(one, two) {
		err = fmt.Errorf("one worker played %+v, two %+v", one, two)
	}
	return err
}

// playable returns the failures that make a match impossible. A match trusts the referee, runs
// it in goroutines that catch no panic, and shares one vector among its workers.
func (s *subject) playable() error {
	if err := errors.Join(s.gamesEnd(), s.moves(), s.end(), s.moveText()); err != nil {
		return fmt.Errorf("no match is tried with such a referee: %w", err)
	}
	_, err := s.player(s.vector(), "", 0)
	return err
}

// pairs plays pairs of games between two vectors, from the same openings at every call.
func (s *subject) pairs(x, other params.Vector, pairs, workers int, limits engines.Limits) ([]datasets.GameRow, error) {
	var rows record
	seats := [2]player.Config{{Name: "x", Values: x, Limits: limits}, {Name: "than", Values: other, Limits: limits}}
	c := schedule.Runner{
		Setup: play.Setup{Game: s.game.Name, Version: s.game.Version, Rules: s.v.Rules, Seed: 8, OpeningPlies: s.game.OpeningPlies},
		Pool:  schedule.Local{Variant: s.v, Workers: workers}, Record: &rows,
		Noted: func(g datasets.GameRow, p *play.Game) error {
			return fmt.Errorf("pair %d, game %d, lost by %s after %q: %s", g.Pair, g.Game, g.Reason, g.Moves, p.Detail)
		},
	}
	err := c.Run(context.Background(), &schedule.Match{PhaseName: "gametest", Seats: seats, Pairs: pairs})
	return rows.games, err
}
