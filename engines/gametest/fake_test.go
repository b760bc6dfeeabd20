package gametest_test

import (
	"context"

	"selfplaylab/engines"
	picture "selfplaylab/reports/board"
)

// fakeReferee is a referee with some methods replaced.
type fakeReferee struct {
	engines.Referee // the original

	reset   func(string) error
	turn    func() engines.Side
	moves   func([]engines.Move) []engines.Move
	legal   func(engines.Move) bool
	play    func(engines.Move)
	penalty func() engines.Move
	result  func() (engines.Outcome, engines.Reason)
	perft   func(int) uint64
	key     func() uint64
	parse   func(string) (engines.Move, error)
	write   func(engines.Move) string
	text    func() string
	board   func() picture.Board
}

// or returns the replacement if there is one, else the original.
func or[F any](replaced bool, replacement, whole F) F {
	if replaced {
		return replacement
	}
	return whole
}

func (f *fakeReferee) Reset(text string) error {
	return or(f.reset != nil, f.reset, f.Referee.Reset)(text)
}

func (f *fakeReferee) Turn() engines.Side { return or(f.turn != nil, f.turn, f.Referee.Turn)() }

func (f *fakeReferee) Moves(buf []engines.Move) []engines.Move {
	return or(f.moves != nil, f.moves, f.Referee.Moves)(buf)
}

func (f *fakeReferee) Legal(m engines.Move) bool {
	return or(f.legal != nil, f.legal, f.Referee.Legal)(m)
}
func (f *fakeReferee) Play(m engines.Move) { or(f.play != nil, f.play, f.Referee.Play)(m) }
func (f *fakeReferee) Penalty() engines.Move {
	return or(f.penalty != nil, f.penalty, f.Referee.Penalty)()
}

func (f *fakeReferee) Result() (engines.Outcome, engines.Reason) {
	return or(f.result != nil, f.result, f.Referee.Result)()
}

func (f *fakeReferee) Perft(depth int) uint64 {
	return or(f.perft != nil, f.perft, f.Referee.Perft)(depth)
}
func (f *fakeReferee) Key() uint64 { return or(f.key != nil, f.key, f.Referee.Key)() }

func (f *fakeReferee) ParseMove(text string) (engines.Move, error) {
	return or(f.parse != nil, f.parse, f.Referee.ParseMove)(text)
}

func (f *fakeReferee) MoveString(m engines.Move) string {
	return or(f.write != nil, f.write, f.Referee.MoveString)(m)
}
func (f *fakeReferee) String() string       { return or(f.text != nil, f.text, f.Referee.String)() }
func (f *fakeReferee) Board() picture.Board { return or(f.board != nil, f.board, f.Referee.Board)() }

// fakePlayer is a player with some methods replaced.
type fakePlayer struct {
	engines.Player // the original

	configure func([]float64) error
	reset     func(string, uint64) error
	choose    func(context.Context, []engines.Move, engines.Limits) (engines.Decision, error)
}

func (f *fakePlayer) Configure(v []float64) error {
	return or(f.configure != nil, f.configure, f.Player.Configure)(v)
}

func (f *fakePlayer) Reset(position string, seed uint64) error {
	return or(f.reset != nil, f.reset, f.Player.Reset)(position, seed)
}

func (f *fakePlayer) Choose(ctx context.Context, history []engines.Move, l engines.Limits) (engines.Decision, error) {
	return or(f.choose != nil, f.choose, f.Player.Choose)(ctx, history, l)
}
