package table

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"selfplaylab/engines"
)

// candidate is a move that a player might make.
type candidate struct {
	Move string `json:"move"`
	// Score is the player's score of the position after the move, for the side that
	// makes it, in the player's unit; nil if Terms are given instead.
	Score any              `json:"score,omitempty"`
	Mate  int              `json:"mate,omitempty"`
	Reply string           `json:"reply,omitempty"` // that the player expects
	End   string           `json:"end,omitempty"`   // result if the move ends the game
	Nodes int64            `json:"nodes,omitempty"`
	Terms []evaluationTerm `json:"terms,omitempty"`

	move  engines.Move
	worth float64 // for the order
}

// defaultCandidates is how many are listed by default.
const defaultCandidates = 8

// maxCandidates bounds a list.
const maxCandidates = 40

// candidates lists the moves that a player considers, the best first, with the terms of the
// evaluation if the player has terms, else with the score after each move.
func (s *seat) candidates(ctx context.Context, q Question) ([]candidate, error) {
	if o, why := s.ref.Result(); o != engines.Ongoing {
		return nil, fmt.Errorf("no candidates: the game is over (%s, %s)", o, why)
	}
	most := q.most()
	limits, err := q.limits(s.v.Game)
	if err != nil {
		return nil, err
	}
	if list, err := s.known(q, limits, most); err != nil || len(list) > 0 {
		return s.weighed(list), err
	}
	return s.tried(ctx, q, most)
}

// most returns the number of moves to list.
func (q Question) most() int {
	return min(cmp.Or(max(q.Most, 0), defaultCandidates), maxCandidates)
}

// known returns the moves that the player itself compares by terms, at most most of them;
// none for a player that does not.
func (s *seat) known(q Question, limits engines.Limits, most int) ([]engines.Candidate, error) {
	if s.v.Candidates == nil || !limits.IsZero() {
		return nil, nil
	}
	vector, err := q.vector(s.v.Game)
	if err != nil {
		return nil, err
	}
	return s.v.Candidates(q.Position, s.moves, vector, most)
}

func (s *seat) weighed(list []engines.Candidate) (out []candidate) {
	for _, c := range list {
		out = append(out, candidate{Move: s.ref.MoveString(c.Move), Terms: termsOf(c.Terms), move: c.Move})
	}
	return out
}

// tried asks the player after every move. Of many moves it tries only the best ones at
// depth 1, if the player supports that limit.
func (s *seat) tried(ctx context.Context, q Question, most int) ([]candidate, error) {
	player, limits, err := s.player(q)
	if err != nil {
		return nil, err
	}
	list := []candidate{}
	for _, m := range s.ref.Moves(nil) {
		list = append(list, candidate{Move: s.ref.MoveString(m), move: m})
	}
	if quick := (engines.Limits{Depth: 1}); len(list) > most && s.v.Game.CheckLimits(quick) == nil {
		if err := s.tryAll(ctx, player, q, quick, list); err != nil {
			return nil, err
		}
		list = best(list, most)
	}
	if err := s.tryAll(ctx, player, q, limits, list); err != nil {
		return nil, err
	}
	return best(list, most), nil
}

func best(list []candidate, most int) []candidate {
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.worth, a.worth) })
	return list[:min(len(list), most)]
}

func (s *seat) tryAll(ctx context.Context, player engines.Player, q Question, limits engines.Limits, list []candidate) error {
	for i := range list {
		if err := s.try(ctx, player, q, limits, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// decided is more than any score of an unfinished game.
const decided = 1e300

// try asks the player after a move, on another board.
func (s *seat) try(ctx context.Context, player engines.Player, q Question, limits engines.Limits, c *candidate) error {
	after, err := s.again(q.Position)
	if err != nil {
		return err
	}
	me := after.Turn()
	after.Play(c.move)
	if o, why := after.Result(); o != engines.Ongoing {
		c.End = fmt.Sprintf("%s, %s", o, why)
		c.worth = []float64{-decided, 0, decided}[o.Points(me)]
		if o == engines.Win(me) {
			c.Mate = 1
		}
		return nil
	}
	if err := player.Reset(q.Position, q.Seed); err != nil {
		return err
	}
	d, err := player.Choose(ctx, append(slices.Clone(s.moves), c.move), limits)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	worth, mate := d.Score, d.Mate
	if after.Turn() != me {
		worth, mate = -worth, -mate
		if s.v.Game.Unit == engines.UnitChance {
			worth++ // the opponent's chance
		}
	}
	if mate != 0 { // plus the move itself
		mate += map[bool]int{true: 1, false: -1}[mate > 0]
	}
	c.Score, c.Mate, c.Reply, c.Nodes, c.worth = score(worth), mate, after.MoveString(d.Move), d.Nodes, worth
	switch {
	case mate > 0:
		c.worth = decided / float64(1+mate)
	case mate < 0:
		c.worth = -decided / float64(1-mate)
	}
	return nil
}

// follow makes recorded moves, including penalties.
func follow(ref engines.Referee, moves []engines.Move) error {
	for _, m := range moves {
		if ref.Legal(m) {
			ref.Play(m)
		} else if ref.Penalty() != m {
			return fmt.Errorf("%s is not what a penalty leaves", ref.MoveString(m))
		}
	}
	return nil
}
