// Package match plays games between two players and keeps the score: one game,
// a pair of games with colours swapped, and campaigns of many pairs on many
// workers whose records come out in schedule order whatever the workers do. It
// decides nothing about strength and tunes nothing.
package match

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"selfplaylab/engines"
)

// timeMargin is how much longer than its limit a decision may take by the
// referee's clock before it counts as late: the cost of measuring and waking up.
const timeMargin = 20 * time.Millisecond

// record is what one game left behind. Arrays are by side, not by player.
type record struct {
	moves   []engines.Move
	outcome engines.Outcome
	reason  engines.Reason
	illegal [2]int
	nodes   [2]int64
	chosen  int     // moves chosen by a player
	broken  [2]bool // the player failed and must be replaced
	detail  string  // what went wrong, for people; "" if nothing
}

// faulted returns the side that lost by its own fault.
func (r *record) faulted() (engines.Side, bool) {
	switch r.reason {
	case engines.IllegalMove, engines.OutOfTime, engines.Crash:
		if r.outcome == engines.FirstWins {
			return engines.Second, true
		}
		return engines.First, true
	}
	return 0, false
}

// seat is one side of a game: who plays it and under which limits.
type seat struct {
	player engines.Player
	limits engines.Limits
	seed   uint64
}

// playGame plays one game from an opening. Its error is ctx's or the fault of
// the caller (a position the game does not take); a player's fault is an outcome.
func playGame(ctx context.Context, ref engines.Referee, open engines.Opening, seats [2]seat, buf []engines.Move) (record, error) {
	r := record{moves: buf[:0]}
	if err := ref.Reset(open.Position); err != nil {
		return r, err
	}
	for _, m := range open.Moves {
		if !ref.Legal(m) {
			return r, fmt.Errorf("opening move %s is not legal in %s", ref.MoveString(m), ref.String())
		}
		ref.Play(m)
		r.moves = append(r.moves, m)
	}
	for side := range seats {
		if err := guard(func() error { return seats[side].player.Reset(open.Position, seats[side].seed) }); err != nil {
			r.fault(engines.Side(side), engines.Crash, err.Error())
			r.broken[side] = true
			return r, nil
		}
	}
	for {
		if r.outcome, r.reason = ref.Result(); r.outcome != engines.Ongoing {
			return r, nil
		}
		if err := r.turn(ctx, ref, &seats[ref.Turn()]); err != nil {
			return r, err
		}
		if r.outcome != engines.Ongoing {
			return r, nil
		}
	}
}

// turn asks the side to move and plays what it answers.
func (r *record) turn(ctx context.Context, ref engines.Referee, s *seat) error {
	side := ref.Turn()
	d, elapsed, err := ask(ctx, s, r.moves)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		r.fault(side, engines.Crash, err.Error())
		r.broken[side] = true
		return nil
	}
	r.nodes[side] += d.Nodes
	r.chosen++
	if limit := s.limits.Time; limit > 0 && elapsed > limit+timeMargin {
		r.fault(side, engines.OutOfTime, fmt.Sprintf("took %v of %v", elapsed.Round(time.Millisecond), limit))
		return nil
	}
	m := d.Move
	if !ref.Legal(m) {
		r.illegal[side]++
		if m = ref.Penalty(); m == 0 {
			r.outcome, r.reason = ref.Result()
			return nil
		}
		r.moves = append(r.moves, m)
		return nil
	}
	ref.Play(m)
	r.moves = append(r.moves, m)
	return nil
}

// ask has the player choose, and times it where a clock matters. A panic comes
// back as an error.
func ask(ctx context.Context, s *seat, history []engines.Move) (d engines.Decision, elapsed time.Duration, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	var start time.Time
	if s.limits.Time > 0 {
		start = time.Now()
	}
	d, err = s.player.Choose(ctx, history, s.limits)
	if s.limits.Time > 0 {
		elapsed = time.Since(start)
	}
	return d, elapsed, err
}

// guard runs f, turning a panic into an error.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

// fault ends the game as lost by side.
func (r *record) fault(side engines.Side, why engines.Reason, detail string) {
	r.outcome, r.reason, r.detail = engines.Win(side.Other()), why, detail
}

// text writes the moves in notation. The referee only lends its notation.
func (r *record) text(ref engines.Referee) string {
	var s strings.Builder
	s.Grow(4 * len(r.moves))
	for i, m := range r.moves {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(ref.MoveString(m))
	}
	return s.String()
}
