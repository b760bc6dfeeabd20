package match

import (
	"fmt"
	"strings"

	"selfplaylab/datasets"
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

// Retrace plays the moves of a recorded game on a referee, without asking its
// players, and calls visit with each move before it is played. It returns visit's
// first error, or says where the record does not fit the rules: a move that is
// not legal, or another end than the recorded one.
func Retrace(ref engines.Referee, g datasets.GameRow, visit func(Step) error) error {
	if err := retrace(ref, g, visit); err != nil {
		return fmt.Errorf("trial %d, pair %d, game %d: %w", g.Trial, g.Pair, g.Game, err)
	}
	return nil
}

func retrace(ref engines.Referee, g datasets.GameRow, visit func(Step) error) error {
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
		s.Opening, s.Penalty = s.Ply < int(g.OpeningPlies), !ref.Legal(m)
		if s.Penalty && (s.Opening || g.IllegalFirst+g.IllegalSecond == 0) {
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
func checkEnd(ref engines.Referee, g datasets.GameRow, plies int) error {
	if g.IllegalFirst+g.IllegalSecond > 0 {
		return nil
	}
	const on = "goes on"
	here, want := on, "has ended "+g.Outcome+" by "+g.Reason
	if r := engines.Reason(g.Reason); r.Fault() || r == engines.Adjudicated {
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
