package engines

import (
	"fmt"

	"selfplaylab/reports/board"
)

// Bounds are the draw rules that need a game's history. Zero switches a rule
// off.
type Bounds struct {
	MaxPlies    int // a game of this many plies, opening included, is a draw
	Repetitions int // the n-th occurrence of a Key is a draw
	NoProgress  int // this many moves in a row without progress are a draw; the state must be a NoProgressCounter
}

// NoProgressCounter is a State that counts its moves without progress, such as moves
// without a capture, for Bounds.NoProgress.
type NoProgressCounter interface {
	// NoProgress returns how many moves in a row, up to now, made no progress.
	NoProgress() int
}

// MarginScorer is a State whose games are won by a margin, such as discs or points
// of area.
type MarginScorer interface {
	// Margin returns by how much the first side has won, in the game's own unit;
	// negative where it lost. The game must have ended on the board.
	Margin() float64
}

// MarginOf returns by how much the first side won the referee's game. ok is false if
// the game has no margins or did not end by its own rules on the board.
func MarginOf(r Referee) (margin float64, ok bool) {
	m, is := r.(interface{ margin() (float64, bool) })
	if !is {
		return 0, false
	}
	return m.margin()
}

// NewReferee returns a Referee over a game's state. start is the initial
// position with its rules; it is copied. It panics if bounds limit moves without
// progress and the state does not count them.
func NewReferee[T any, S State[T]](start T, bounds Bounds) Referee {
	if _, ok := any(S(&start)).(NoProgressCounter); bounds.NoProgress > 0 && !ok {
		panic(fmt.Sprintf("engines.NewReferee: Bounds.NoProgress = %d, but %T is not a NoProgressCounter", bounds.NoProgress, &start))
	}
	return &referee[T, S]{start: start, state: start, bounds: bounds}
}

type referee[T any, S State[T]] struct {
	start, state T
	bounds       Bounds
	plies        int
	last         Move // the move just made, 0 for none
	keys         []uint64
	lost         Outcome // set when a penalty lost the game
	repeated     bool
}

func (r *referee[T, S]) Reset(position string) error {
	r.state, r.plies, r.last, r.keys, r.lost, r.repeated = r.start, 0, 0, r.keys[:0], Ongoing, false
	if err := SetUp[T, S](&r.state, position, nil); err != nil {
		r.state = r.start
		return err
	}
	r.remember()
	return nil
}

func (r *referee[T, S]) remember() {
	if r.bounds.Repetitions == 0 {
		return
	}
	key, seen := S(&r.state).Key(), 1
	for _, k := range r.keys {
		if k == key {
			seen++
		}
	}
	r.keys = append(r.keys, key)
	r.repeated = seen >= r.bounds.Repetitions
}

func (r *referee[T, S]) Turn() Side              { return S(&r.state).Turn() }
func (r *referee[T, S]) Moves(buf []Move) []Move { return S(&r.state).Moves(buf) }
func (r *referee[T, S]) Legal(m Move) bool       { return S(&r.state).Legal(m) }
func (r *referee[T, S]) Key() uint64             { return S(&r.state).Key() }
func (r *referee[T, S]) String() string          { return S(&r.state).String() }
func (r *referee[T, S]) MoveString(m Move) string {
	return S(&r.state).MoveString(m)
}

func (r *referee[T, S]) Board() board.Board {
	b := S(&r.state).Board(r.last)
	b.Turn = int(r.Turn())
	if o, why := r.Result(); o != Ongoing {
		b.Outcome, b.Reason = o.String(), string(why)
	}
	if r.last != 0 {
		if b.Last == nil {
			b.Last = &board.Move{}
		}
		b.Last.Text = r.MoveString(r.last)
	}
	return b
}

func (r *referee[T, S]) ParseMove(text string) (Move, error) {
	return S(&r.state).ParseMove(text)
}

func (r *referee[T, S]) Play(m Move) {
	S(&r.state).Play(m)
	r.made(m)
}

// made notes a move that the state has made.
func (r *referee[T, S]) made(m Move) {
	r.plies++
	r.last = m
	r.remember()
}

func (r *referee[T, S]) Penalty() Move {
	side := r.Turn()
	m := S(&r.state).Penalty()
	if m == 0 {
		r.lost = Win(side.Other())
		return 0
	}
	r.made(m)
	return m
}

func (r *referee[T, S]) Result() (Outcome, Reason) {
	if r.lost != Ongoing {
		return r.lost, IllegalMove
	}
	if o := S(&r.state).Outcome(); o != Ongoing {
		return o, S(&r.state).Reason()
	}
	if r.repeated {
		return Draw, Repetition
	}
	if r.bounds.NoProgress > 0 && any(S(&r.state)).(NoProgressCounter).NoProgress() >= r.bounds.NoProgress {
		return Draw, NoProgress
	}
	if r.bounds.MaxPlies > 0 && r.plies >= r.bounds.MaxPlies {
		return Draw, PlyBound
	}
	return Ongoing, NoReason
}

func (r *referee[T, S]) margin() (float64, bool) {
	m, ok := any(S(&r.state)).(MarginScorer)
	if !ok || r.lost != Ongoing || S(&r.state).Outcome() == Ongoing {
		return 0, false
	}
	return m.Margin(), true
}

func (r *referee[T, S]) Perft(depth int) uint64 {
	return Perft[T, S](&r.state, depth)
}

// Perft counts the sequences of exactly depth moves from p, the last ply in
// bulk.
func Perft[T any, P Position[T]](p *T, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	states := make([]T, depth) // positions kept out of the recursion's frames
	moves := make([][]Move, depth)
	return perft[T, P](p, depth, states, moves)
}

func perft[T any, P Position[T]](p *T, depth int, states []T, moves [][]Move) uint64 {
	list := P(p).Moves(moves[0][:0])
	moves[0] = list
	if depth == 1 {
		return uint64(len(list))
	}
	var nodes uint64
	for _, m := range list {
		states[0] = *p
		P(&states[0]).Play(m)
		nodes += perft[T, P](&states[0], depth-1, states[1:], moves[1:])
	}
	return nodes
}
