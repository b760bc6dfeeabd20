package play

import (
	"fmt"
	"strings"

	"selfplaylab/engines"
)

// Step is a move of a recorded game.
type Step struct {
	Ply     int // from 0
	Move    engines.Move
	Text    string // of the move, as recorded
	Opening bool   // given, not chosen
	Penalty bool   // the player's own answer was illegal; Move is what the penalty left
}

// Retrace plays the moves of a finished game on a referee, without asking its
// players, and calls visit with each move before it is played. It returns visit's
// first error, or says where the record does not fit the rules: a move that is
// not legal, or another end than the recorded one.
func Retrace(ref engines.Referee, g Game, visit func(Step) error) (err error) {
	defer engines.CatchReferee(&err)
	if err := ref.Reset(g.Position); err != nil {
		return err
	}
	s := Step{}
	for text := range strings.FieldsSeq(g.Moves) {
		m, err := ref.ParseMove(text)
		if err != nil {
			return fmt.Errorf("ply %d: %w", s.Ply, err)
		}
		s.Move, s.Text = m, text
		s.Opening, s.Penalty = s.Ply < g.Opening, !ref.Legal(m)
		if s.Penalty && (s.Opening || g.Illegal[0]+g.Illegal[1] == 0) {
			return fmt.Errorf("ply %d: %s is not legal in %s", s.Ply, text, ref)
		}
		if err := visit(s); err != nil {
			return err
		}
		if !s.Penalty {
			ref.Play(m)
		} else if left := ref.Penalty(); left != m {
			return fmt.Errorf("ply %d: %s is not legal, nor what a penalty leaves", s.Ply, text)
		}
		s.Ply++
	}
	return checkEnd(ref, g, s.Ply)
}

// checkEnd compares how a retraced game has ended with its record. Ends that are
// not by the rules of the game find it going on; and where illegal answers were
// penalised, a forced pass may hide one.
func checkEnd(ref engines.Referee, g Game, plies int) error {
	if g.Illegal[0]+g.Illegal[1] > 0 {
		return nil
	}
	const on = "goes on"
	here, want := on, fmt.Sprintf("has ended %s by %s", g.Outcome, g.Reason)
	switch {
	case g.Reason.Fault(), g.Reason == engines.Adjudicated, g.Reason == engines.Resigned, g.Reason == engines.Agreed:
		want = on
	}
	if outcome, reason := ref.Result(); outcome != engines.Ongoing {
		here = fmt.Sprintf("has ended %s by %s", outcome, reason)
	}
	if here != want {
		return fmt.Errorf("after its %d plies the game %s by these rules; recorded is %s by %s", plies, here, g.Outcome, g.Reason)
	}
	return nil
}
