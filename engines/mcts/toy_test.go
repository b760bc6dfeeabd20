package mcts

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"

	"selfplaylab/engines"
	picture "selfplaylab/reports/board"
)

// board is tic-tac-toe.
type board struct {
	men [2]uint16
}

var rowsOfThree = [8]uint16{0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

func (b *board) Moves(buf []engines.Move) []engines.Move {
	if b.Outcome() != engines.Ongoing {
		return buf
	}
	for i := range 9 {
		if (b.men[0]|b.men[1])>>i&1 == 0 {
			buf = append(buf, engines.Move(i)+1)
		}
	}
	return buf
}

func (b *board) Play(m engines.Move) { b.men[b.Turn()] |= 1 << (m - 1) }
func (b *board) Turn() engines.Side {
	return engines.Side(bits.OnesCount16(b.men[0]|b.men[1]) & 1)
}
func (b *board) Key() uint64 { return uint64(b.men[0])<<16 | uint64(b.men[1]) }

func (b *board) Outcome() engines.Outcome {
	for _, three := range rowsOfThree {
		for side, men := range b.men {
			if men&three == three {
				return engines.Win(engines.Side(side))
			}
		}
	}
	if b.men[0]|b.men[1] == 1<<9-1 {
		return engines.Draw
	}
	return engines.Ongoing
}

func (b *board) Playout(r *Rand, _ RolloutPolicy) engines.Outcome { return uniform(b, r, 9, nil) }

// pile is a game in which a side may move twice in a row: take 1, 2 or 3 of a pile.
// A side that takes 1 moves again.
// The side that takes the last one wins, unless the
// pile began odd and ends by a 1, which is a draw.
type pile struct {
	left, start uint8
	turn        engines.Side
	last        uint8
}

func newPile(n uint8) pile { return pile{left: n, start: n} }

func (p *pile) Moves(buf []engines.Move) []engines.Move {
	for n := uint8(1); n <= min(3, p.left); n++ {
		buf = append(buf, engines.Move(n))
	}
	return buf
}

func (p *pile) Play(m engines.Move) {
	p.left -= uint8(m)
	p.last = uint8(m)
	if m != 1 {
		p.turn ^= 1
	}
}

func (p *pile) Turn() engines.Side { return p.turn }
func (p *pile) Key() uint64        { return uint64(p.left)<<16 | uint64(p.last)<<8 | uint64(p.turn) }

func (p *pile) Outcome() engines.Outcome {
	switch {
	case p.left > 0:
		return engines.Ongoing
	case p.last == 1 && p.start&1 == 1:
		return engines.Draw
	case p.last == 1:
		return engines.Win(p.turn)
	}
	return engines.Win(p.turn.Other())
}

func (p *pile) Playout(r *Rand, _ RolloutPolicy) engines.Outcome { return uniform(p, r, 255, nil) }

// Other methods of engines.State.

func (p *pile) Legal(m engines.Move) bool        { return m >= 1 && m <= engines.Move(min(3, p.left)) }
func (p *pile) Penalty() engines.Move            { return 0 }
func (p *pile) Reason() engines.Reason           { return engines.NoReason }
func (p *pile) String() string                   { return fmt.Sprintf("%d %d", p.left, p.turn) }
func (p *pile) Board(engines.Move) picture.Board { return picture.Board{Title: "Pile"} }

func (p *pile) SetText(text string) error {
	var left uint8
	var turn engines.Side
	if _, err := fmt.Sscanf(text, "%d %d", &left, &turn); err != nil || left == 0 || turn > 1 {
		return errors.New("want a pile and a side, 0 or 1, such as 7 0")
	}
	*p = pile{left: left, start: left, turn: turn}
	return nil
}

func (p *pile) ParseMove(text string) (engines.Move, error) {
	n, err := strconv.ParseUint(text, 10, 8)
	return engines.Move(n), err
}

func (p *pile) MoveString(m engines.Move) string { return strconv.Itoa(int(m)) }

// solve returns the outcome of best play.
func solve[T any, P engines.Position[T]](p *T) engines.Outcome {
	if o := P(p).Outcome(); o != engines.Ongoing {
		return o
	}
	turn := P(p).Turn()
	best := engines.Win(turn.Other())
	for _, m := range P(p).Moves(nil) {
		q := *p
		P(&q).Play(m)
		if o := solve[T, P](&q); o.Points(turn) > best.Points(turn) {
			best = o
		}
	}
	return best
}

// uniform plays uniformly random moves from p to the end of the game, and returns the outcome.
// A game without a faster way can use it as its Playout. After plies plies the game is a draw.
// buf is memory for moves.
func uniform[T any, P engines.Position[T]](p *T, r *Rand, plies int, buf []engines.Move) engines.Outcome {
	for range plies {
		if o := P(p).Outcome(); o != engines.Ongoing {
			return o
		}
		buf = P(p).Moves(buf[:0])
		P(p).Play(buf[r.Below(len(buf))])
	}
	if o := P(p).Outcome(); o != engines.Ongoing {
		return o
	}
	return engines.Draw
}
