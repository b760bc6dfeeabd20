package play

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"selfplaylab/engines"
)

// Checker checks pairs that another process played, by the rules and without their players. One
// goroutine at a time may use it.
type Checker struct {
	setup   Setup
	variant engines.Variant
	ref     engines.Referee
	moves   [2][]engines.Move
}

// NewChecker returns a checker for games of a variant, which must be the setup's.
func NewChecker(v engines.Variant, s Setup) *Checker {
	return &Checker{setup: s, variant: v, ref: v.NewReferee()}
}

// Check returns an error unless p can be the result of a job's pair: the drawn opening, legal
// moves, an end that follows from them, and possible numbers and texts. It does not check the
// players' decisions.
func (c *Checker) Check(j *Job, p *Pair) error {
	seed := PairSeed(c.setup.Seed, j.Stream, j.Openings, p.Number)
	open, err := c.setup.opening(c.variant, j, p.Number, seed)
	if err != nil {
		return err
	}
	for n := range p.Games {
		if err := c.game(j, open, &p.Games[n], n); err != nil {
			return fmt.Errorf("pair %d, game %d: %w", p.Number, n, err)
		}
	}
	compared, differs := compare(c.moves[0], c.moves[1], len(open.Moves))
	if compared != p.Compared || differs != p.Differs {
		return fmt.Errorf("pair %d: its games have %d decisions in common, not %d", p.Number, compared, p.Compared)
	}
	return nil
}

// game checks one game.
func (c *Checker) game(j *Job, open engines.Opening, g *Game, number int) error {
	if g.Position != open.Position || g.Opening != len(open.Moves) {
		return errors.New("another opening than the drawn one")
	}
	if len(g.Notes) > 0 && !c.setup.Notes {
		return fmt.Errorf("%d decisions are noted", len(g.Notes))
	}
	moves, illegal := c.moves[number][:0], [2]int{}
	err := Retrace(c.ref, *g, func(s Step) error {
		if s.Opening && s.Move != open.Moves[s.Ply] {
			return fmt.Errorf("ply %d: the drawn opening has another move", s.Ply)
		}
		if s.Penalty {
			illegal[c.ref.Turn()]++
		}
		moves = append(moves, s.Move)
		if s.Opening {
			return nil
		}
		if outcome, _ := c.ref.Result(); outcome != engines.Ongoing {
			return fmt.Errorf("ply %d: the game is over before it", s.Ply)
		}
		return c.note(g, s.Ply)
	})
	c.moves[number] = moves
	if err != nil {
		return err
	}
	record := record{moves: moves}
	if g.Plies != len(moves) || g.Moves != record.text(c.ref) {
		return fmt.Errorf("its %d plies are not those of its %d moves in their notation", g.Plies, len(moves))
	}
	if g.Illegal[0] < illegal[0] || g.Illegal[1] < illegal[1] || g.Illegal[0]+g.Illegal[1] > int(g.Chosen) {
		return fmt.Errorf("%v illegal actions are counted, %v are in its moves", g.Illegal, illegal)
	}
	return errors.Join(c.end(j, g, number), c.counts(g, number))
}

// note checks the note of the next decision.
func (c *Checker) note(g *Game, ply int) error {
	if !c.setup.Notes {
		return nil
	}
	i := ply - g.Opening
	if i >= len(g.Notes) {
		return fmt.Errorf("ply %d: its decision is not noted", ply)
	}
	if n := &g.Notes[i]; n.Side != c.ref.Turn() || n.Key != c.ref.Key() {
		return fmt.Errorf("ply %d: the note is of another position", ply)
	}
	return nil
}

// end checks that the outcome follows from the moves on the board.
func (c *Checker) end(j *Job, g *Game, number int) error {
	outcome, reason := c.ref.Result()
	margin, has := engines.MarginOf(c.ref)
	switch {
	case outcome != engines.Ongoing:
		if outcome != g.Outcome || reason != g.Reason {
			return fmt.Errorf("the game ended %s by %s, not %s by %.20q", outcome, reason, g.Outcome, g.Reason)
		}
		if has != (g.Margin != nil) || has && math.Float64bits(margin) != math.Float64bits(*g.Margin) {
			return errors.New("the margin does not follow from the moves")
		}
		return nil
	case g.Margin != nil:
		return errors.New("a margin of a game that did not end by its rules")
	case g.Reason.Fault():
		if g.Outcome != engines.Win(c.ref.Turn().Other()) && (g.Chosen > 0 || g.Outcome == engines.Draw) {
			return fmt.Errorf("a fault (%s) of the side that was not to move", g.Reason)
		}
		return nil
	case g.Reason == engines.Resigned:
		if turn := c.ref.Turn(); g.Outcome != engines.Win(turn.Other()) || !j.Seats[int(turn)^number].External() {
			return errors.New("a resignation of a side that was not to move, or of the game's own player")
		}
		return nil
	case g.Reason == engines.Adjudicated:
		return c.setup.Adjudication.allows(g)
	}
	return fmt.Errorf("the game goes on after its last move; reported is %s by %.20q", g.Outcome, g.Reason)
}

// allows returns an error if a game is too short for the recorded adjudication.
func (a *Adjudication) allows(g *Game) error {
	draw := g.Outcome == engines.Draw
	switch {
	case draw && a.MaxPlies > 0 && g.Plies >= a.MaxPlies:
	case draw && a.Draw.Moves > 0 && g.Plies >= a.Draw.After && int(g.Chosen) >= a.Draw.Moves:
	case !draw && a.Resign.Moves > 0 && int(g.Chosen) >= a.Resign.Moves:
	default:
		return fmt.Errorf("no rule of the run adjudicates %s after %d plies", g.Outcome, g.Plies)
	}
	return nil
}

// counts checks the numbers and texts of a game.
func (c *Checker) counts(g *Game, number int) error {
	chosen := int64(g.Plies - g.Opening)
	if g.Chosen != chosen && !(g.Chosen == chosen+1 && g.Reason.Fault()) {
		return fmt.Errorf("%d moves are chosen of %d plies", g.Chosen, g.Plies)
	}
	for _, n := range g.Nodes {
		if n < 0 || n > maxNodes*max(1, g.Chosen) {
			return fmt.Errorf("a node count of %d", n)
		}
	}
	var noted [2]int64
	for i, n := range g.Notes {
		if n.Ply != g.Opening+i || n.Nodes < 0 || n.Nodes > maxNodes || n.Depth < 0 || n.Depth > maxDepth || max(n.Mate, -n.Mate) > maxDepth ||
			n.Elapsed < 0 || n.Elapsed > 0 && !c.setup.Times {
			return fmt.Errorf("note %d has numbers that cannot be", i)
		}
		noted[int(n.Side&1)^number] += n.Nodes
	}
	if c.setup.Notes && (int64(len(g.Notes)) != g.Chosen || noted != g.Nodes) {
		return errors.New("the notes do not add up to the game")
	}
	control := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	if len(g.Detail) > maxDetail || len(g.Log) > maxLog || strings.ContainsFunc(g.Detail+g.Log, control) {
		return errors.New("a detail or log that is too long or has control characters")
	}
	if (g.Detail != "" || g.Log != "" && !c.setup.Logs) && !g.Reason.Fault() && slices.Max(g.Illegal[:]) == 0 {
		return errors.New("a detail or log of a game without a fault")
	}
	return nil
}
