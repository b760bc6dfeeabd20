package mcts

import (
	"testing"

	"selfplaylab/engines"
)

// TestAnswersRefuteLosingMove has a move that one of twenty answers refutes by force, although
// this answer loses nearly all random games. The search avoids the move if every answer has its
// share, and plays it otherwise.
func TestAnswersRefuteLosingMove(t *testing.T) {
	fell := map[float64]int{}
	for _, answers := range []float64{0, 0.05} {
		for seed := range uint64(20) {
			o := options()
			o.C, o.Solver, o.Answers = 0.2, true, answers
			s := begin[trap](t, trap{}, o)
			r := s.Run(ctx, seed, engines.Limits{Playouts: 20_000})
			if r.Move == trapped {
				fell[answers]++
			} else if c := s.Children()[trapped-1]; c.Proven != engines.SecondWins {
				t.Errorf("share %v, seed %d: played %d; the trap is thought to be %+v", answers, seed, r.Move, c)
			}
			if r.Playouts > 20_000+ways {
				t.Errorf("share %v: %d playouts", answers, r.Playouts)
			}
			// Games of answers that are only checked do not count above them.
			for _, c := range s.Children() {
				if c.Visits > r.Playouts {
					t.Errorf("%+v of %d playouts", c, r.Playouts)
				}
			}
		}
	}
	if fell[0] < 15 || fell[0.05] > 0 {
		t.Errorf("of 20 searches %d fell into the trap without looking at all answers, and %d with", fell[0], fell[0.05])
	}
}

// trap is a game with ways moves in each position.
// Every first move leads to a draw, except the move trapped.
// After it the first side wins three random games of four, which are long,
// unless the second side plays the last move twice, which wins at once.
type trap struct {
	moves [9]uint8
	n     uint8
}

const (
	ways    = 20
	trapped = 2
)

func (t *trap) Moves(buf []engines.Move) []engines.Move {
	if t.Outcome() == engines.Ongoing {
		for m := engines.Move(1); m <= ways; m++ {
			buf = append(buf, m)
		}
	}
	return buf
}

func (t *trap) Play(m engines.Move) {
	t.moves[t.n] = uint8(m)
	t.n++
}

func (t *trap) Turn() engines.Side { return engines.Side(t.n & 1) }
func (t *trap) Key() uint64        { return 0 }

func (t *trap) Outcome() engines.Outcome {
	m := &t.moves
	switch {
	case t.n == 0:
		return engines.Ongoing
	case m[0] != trapped:
		return engines.Draw
	case t.n < 4 || t.n < 9 && m[1] != ways:
		return engines.Ongoing
	case m[1] == ways && m[3] == ways:
		return engines.SecondWins
	case m[1] == ways || (m[4]+m[5]+m[6]+m[7]+m[8])&3 != 0:
		return engines.FirstWins
	}
	return engines.SecondWins
}

func (t *trap) Playout(r *Rand, _ RolloutPolicy) engines.Outcome {
	for t.Outcome() == engines.Ongoing {
		t.Play(engines.Move(1 + r.Below(ways)))
	}
	return t.Outcome()
}
