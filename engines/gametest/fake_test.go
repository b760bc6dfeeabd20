package gametest_test

import (
	"context"

	"selfplaylab/engines"
	picture "selfplaylab/reports/board"
)

// fakeReferee is a referee of which some methods are replaced.
type fakeReferee struct {
	engines.Referee // the whole one

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

// or returns the replacement, if there is one.
func or[F any](replaced bool, replacement, whole F) F {
	if replaced {
		return replacement
	}
	return whole
}

func (r *fakeReferee) Reset(text string) error {
	return or(r.reset != nil, r.reset, r.Referee.Reset)(text)
}

func (r *fakeReferee) Turn() engines.Side { return or(r.turn != nil, r.turn, r.Referee.Turn)() }

func (r *fakeReferee) Moves(buf []engines.Move) []engines.Move {
	return or(r.moves != nil, r.moves, r.Referee.Moves)(buf)
}

func (r *fakeReferee) Legal(m engines.Move) bool {
	return or(r.legal != nil, r.legal, r.Referee.Legal)(m)
}
func (r *fakeReferee) Play(m engines.Move) { or(r.play != nil, r.play, r.Referee.Play)(m) }
func (r *fakeReferee) Penalty() engines.Move {
	return or(r.penalty != nil, r.penalty, r.Referee.Penalty)()
}

func (r *fakeReferee) Result() (engines.Outcome, engines.Reason) {
	return or(r.result != nil, r.result, r.Referee.Result)()
}

func (r *fakeReferee) Perft(depth int) uint64 {
	return or(r.perft != nil, r.perft, r.Referee.Perft)(depth)
}
func (r *fakeReferee) Key() uint64 { return or(r.key != nil, r.key, r.Referee.Key)() }

func (r *fakeReferee) ParseMove(text string) (engines.Move, error) {
	return or(r.parse != nil, r.parse, r.Referee.ParseMove)(text)
}

func (r *fakeReferee) MoveString(m engines.Move) string {
	return or(r.write != nil, r.write, r.Referee.MoveString)(m)
}
func (r *fakeReferee) String() string       { return or(r.text != nil, r.text, r.Referee.String)() }
func (r *fakeReferee) Board() picture.Board { return or(r.board != nil, r.board, r.Referee.Board)() }

// fakePlayer is a player of which some methods are replaced.
type fakePlayer struct {
	engines.Player // the whole one

	configure func([]float64) error
	reset     func(string, uint64) error
	choose    func(context.Context, []engines.Move, engines.Limits) (engines.Decision, error)
}

func (p *fakePlayer) Configure(v []float64) error {
	return or(p.configure != nil, p.configure, p.Player.Configure)(v)
}

func (p *fakePlayer) Reset(position string, seed uint64) error {
	return or(p.reset != nil, p.reset, p.Player.Reset)(position, seed)
}

func (p *fakePlayer) Choose(ctx context.Context, history []engines.Move, l engines.Limits) (engines.Decision, error) {
	return or(p.choose != nil, p.choose, p.Player.Choose)(ctx, history, l)
}
