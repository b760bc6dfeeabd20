package gametest_test

// This file is a complete game, in the order in which to write one; the package comment lists
// the steps. A real game is a folder engines/NAME with a file for each part, and a line in
// engines/games.

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/gametest"
	"selfplaylab/params"
	picture "selfplaylab/reports/board"
)

// 1. The position.

// board is a position of tic-tac-toe on size x size cells. A line of size wins. Cell 0 is a1,
// cell 1 is b1. A move is the cell plus one, because no move may be 0.
type board struct {
	stones [2]uint32 // cells by side
	size   uint8
	turn   engines.Side
}

// lines holds the winning lines by size: rows, columns and two diagonals.
var lines = [...][]uint32{3: linesOf(3), 4: linesOf(4), 5: linesOf(5)}

func linesOf(n int) []uint32 {
	list := make([]uint32, 2*n+2)
	for i := range n {
		for j := range n {
			list[i] |= 1 << (i*n + j)
			list[n+i] |= 1 << (j*n + i)
		}
		list[2*n] |= 1 << (i*n + i)
		list[2*n+1] |= 1 << (i*n + n - 1 - i)
	}
	return list
}

func (b *board) cells() int   { return int(b.size) * int(b.size) }
func (b *board) free() uint32 { return (1<<b.cells() - 1) &^ (b.stones[0] | b.stones[1]) }

func (b *board) Moves(buf []engines.Move) []engines.Move {
	if b.Outcome() != engines.Ongoing {
		return buf
	}
	for m := b.free(); m != 0; m &= m - 1 {
		buf = append(buf, engines.Move(bits.TrailingZeros32(m)+1))
	}
	return buf
}

func (b *board) Play(m engines.Move) {
	b.stones[b.turn] |= 1 << (m - 1)
	b.turn = b.turn.Other()
}

func (b *board) Turn() engines.Side { return b.turn }

func (b *board) Outcome() engines.Outcome {
	switch {
	case b.has(engines.First):
		return engines.FirstWins
	case b.has(engines.Second):
		return engines.SecondWins
	case b.free() == 0:
		return engines.Draw
	}
	return engines.Ongoing
}

// has reports whether a side has a line.
func (b *board) has(side engines.Side) bool {
	for _, l := range lines[b.size] {
		if b.stones[side]&l == l {
			return true
		}
	}
	return false
}

func (b *board) Key() uint64 {
	return engines.Seed(uint64(b.stones[0])|uint64(b.stones[1])<<32, uint64(b.turn))
}

// 2. The rest of the state.

func (b *board) Legal(m engines.Move) bool {
	return m >= 1 && int(m) <= b.cells() && b.free()>>(m-1)&1 != 0 && b.Outcome() == engines.Ongoing
}

// Penalty loses the game, because no turn can be lost.
func (b *board) Penalty() engines.Move { return 0 }

func (b *board) Reason() engines.Reason {
	switch b.Outcome() {
	case engines.Ongoing:
		return engines.NoReason
	case engines.Draw:
		return "full"
	}
	return "line"
}

// Margin is the number of cells that the winner left empty. It implements engines.MarginScorer,
// which most games do not need.
func (b *board) Margin() float64 {
	switch b.Outcome() {
	case engines.FirstWins:
		return float64(bits.OnesCount32(b.free()))
	case engines.SecondWins:
		return -float64(bits.OnesCount32(b.free()))
	}
	return 0
}

const marks = "XO" // by side

func (b *board) mark(cell int) byte {
	for side := range b.stones {
		if b.stones[side]>>cell&1 != 0 {
			return marks[side]
		}
	}
	return '.'
}

// String returns the rows from the bottom, joined by /, and the side to move.
func (b *board) String() string {
	var s strings.Builder
	for cell := range b.cells() {
		if cell > 0 && cell%int(b.size) == 0 {
			s.WriteByte('/')
		}
		s.WriteByte(b.mark(cell))
	}
	return s.String() + " " + marks[b.turn:b.turn+1]
}

func (b *board) SetText(text string) error {
	rows, turn, _ := strings.Cut(text, " ")
	list := strings.Split(rows, "/")
	if len(list) != int(b.size) || len(turn) != 1 || !strings.Contains(marks, turn) {
		return fmt.Errorf("want %d rows joined by /, then X or O", b.size)
	}
	n := board{size: b.size, turn: engines.Side(strings.Index(marks, turn))}
	for i, row := range list {
		if len(row) != int(b.size) {
			return fmt.Errorf("row %d has %d cells; want %d", i+1, len(row), b.size)
		}
		for j := range row {
			switch side := strings.IndexByte(marks, row[j]); {
			case side >= 0:
				n.stones[side] |= 1 << (i*int(b.size) + j)
			case row[j] != '.':
				return fmt.Errorf("cell %q; want X, O or .", row[j])
			}
		}
	}
	if ahead := bits.OnesCount32(n.stones[0]) - bits.OnesCount32(n.stones[1]); ahead != int(n.turn) {
		return fmt.Errorf("X has %d stones more than O, with %s to move", ahead, turn)
	}
	if n.has(n.turn) {
		return fmt.Errorf("%s is to move and has a line already", turn)
	}
	*b = n
	return nil
}

func (b *board) ParseMove(text string) (engines.Move, error) {
	if len(text) == 2 {
		if file, rank := int(text[0])-'a', int(text[1])-'1'; min(file, rank) >= 0 && max(file, rank) < int(b.size) {
			return engines.Move(rank*int(b.size) + file + 1), nil
		}
	}
	return 0, engines.ParseError("move", text, "want a file letter and a rank, such as b2")
}

// MoveString returns the text of any number, so that errors can name illegal moves.
func (b *board) MoveString(m engines.Move) string {
	if m < 1 || int(m) > b.cells() {
		return fmt.Sprintf("?%d", m)
	}
	cell, n := int(m-1), int(b.size)
	return string([]byte{'a' + byte(cell%n), '1' + byte(cell/n)})
}

// Board describes the visible position; terminals and pages draw it.
func (b *board) Board(last engines.Move) picture.Board {
	n := int(b.size)
	p := picture.Board{
		Title: "Tic-tac-toe", Kind: picture.Squares, Width: n, Height: n,
		Files: picture.Letters(n), Ranks: picture.Falling(n),
		Sides: [2]picture.Side{
			{Name: "X", Letter: "X", Tone: picture.Red},
			{Name: "O", Letter: "O", Tone: picture.Blue},
		},
		Caption: marks[b.turn:b.turn+1] + " to move",
	}
	p.FillGrid(func(x, y int) string { return b.MoveString(b.moveAt(x, y)) })
	for side := range b.stones {
		for m := b.stones[side]; m != 0; m &= m - 1 {
			p.Pieces = append(p.Pieces, picture.Piece{At: b.seen(bits.TrailingZeros32(m)), Side: side, Kind: "mark"})
		}
	}
	if last != 0 {
		to := b.seen(int(last - 1))
		p.Last = &picture.Move{To: &to}
	}
	return p
}

// seen returns the place of a cell in the drawing, rank 1 at the bottom; moveAt returns the
// move there.
func (b *board) seen(cell int) picture.At {
	return picture.At{X: cell % int(b.size), Y: int(b.size) - 1 - cell/int(b.size)}
}

func (b *board) moveAt(x, y int) engines.Move {
	return engines.Move((int(b.size)-1-y)*int(b.size) + x + 1)
}

// 4. The parameters.

const (
	own = iota
	theirs
	wins
	parameters
)

var weights = params.Space{
	own:    {Name: "own", Unit: "points/line", Doc: "a line open to me that the cell lies on", Min: -10, Max: 10, Default: 1, Step: 0.5},
	theirs: {Name: "theirs", Unit: "points/line", Doc: "a line open to the opponent that the cell lies on", Min: -10, Max: 10, Default: 0.5, Step: 0.5},
	wins:   {Name: "wins", Doc: "whether a line is completed or stopped at once", Max: 1, Default: 1, Step: 1, Whole: true, Frozen: true, Labels: []string{"no", "yes"}},
}

// A real game embeds presets in a file and reads them by params.MustPresets.
var vectors = []params.Preset{
	{Name: "steady", Doc: "The defaults.", Vector: params.Vector{1, 0.5, 1}},
	{Name: "bad", Doc: "Avoids the good cells: a tuner should recover from it.", Vector: params.Vector{-1, -1, 0}},
}

// 5. The player.

// player takes the cell of the highest value. Among equal ones chance decides, drawn from seed
// and ply alone, so that any decision can be repeated by itself.
type player struct {
	game engines.Follower[board, *board]
	size uint8
	w    [parameters]float64
	seed uint64
}

func (p *player) Configure(v []float64) error {
	if len(v) != parameters {
		return fmt.Errorf("tictactoe player takes %d parameters, not %d", parameters, len(v))
	}
	copy(p.w[:], v)
	return nil
}

func (p *player) Reset(position string, seed uint64) error {
	b := board{size: p.size}
	if err := engines.SetUp[board](&b, position, nil); err != nil {
		return err
	}
	p.game.Reset(b)
	p.seed = seed
	return nil
}

func (p *player) Choose(_ context.Context, history []engines.Move, l engines.Limits) (engines.Decision, error) {
	p.game.Follow(history)
	b := &p.game.Position
	var d engines.Decision
	ties := uint64(0)
	for _, m := range b.Moves(nil) {
		if l.Nodes > 0 && d.Nodes == l.Nodes {
			break
		}
		d.Nodes++
		value := p.value(b, m)
		if d.Move == 0 || value > d.Score {
			d.Move, d.Score, ties = m, value, 0
		}
		if value == d.Score {
			if ties++; engines.Seed(p.seed, uint64(len(history)), uint64(m))%ties == 0 {
				d.Move = m
			}
		}
	}
	if d.Move == 0 {
		return d, errors.New("tictactoe player: the game is over")
	}
	if next := *b; p.w[wins] == 1 { // the only end that this player foresees
		if next.Play(d.Move); next.has(b.turn) {
			d.Mate = 1
		}
	}
	return d, nil
}

// value judges a move by the lines through its cell that are still open to a side.
func (p *player) value(b *board, m engines.Move) float64 {
	const decides = 1000
	me, them := b.stones[b.turn], b.stones[b.turn.Other()]
	cell := uint32(1) << (m - 1)
	value := 0.0
	for _, l := range lines[b.size] {
		switch {
		case l&cell == 0:
		case p.w[wins] == 1 && (me|cell)&l == l:
			value += decides * decides
		case p.w[wins] == 1 && (them|cell)&l == l:
			value += decides
		case them&l == 0:
			value += p.w[own]
		case me&l == 0:
			value += p.w[theirs]
		}
	}
	return value
}

// 7. The openings.

// opening draws random moves, as long as neither side can complete a line at once.
func opening(size uint8, r *rand.Rand, plies int) engines.Opening {
	for {
		b, moves := board{size: size}, []engines.Move(nil)
		for len(moves) < plies {
			list := b.Moves(nil)
			m := list[r.IntN(len(list))]
			b.Play(m)
			moves = append(moves, m)
		}
		if b.calm() {
			return engines.Opening{Moves: moves}
		}
	}
}

func (b *board) calm() bool {
	for m := b.free(); m != 0; m &= m - 1 {
		for side := range engines.Side(2) {
			next := *b
			if next.stones[side] |= m & -m; next.has(side) {
				return false
			}
		}
	}
	return b.Outcome() == engines.Ongoing
}

// 8. The terms.

func evaluate(size uint8, position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
	b := board{size: size}
	if err := engines.SetUp[board](&b, position, moves); err != nil {
		return nil, err
	}
	p := &player{size: size}
	if err := errors.Join(p.Configure(v), p.Reset(b.String(), 0)); err != nil {
		return nil, err
	}
	d, err := p.Choose(context.Background(), nil, engines.Limits{})
	if err != nil {
		return nil, err
	}
	values := []float64{}
	for _, m := range b.Moves(nil) {
		values = append(values, p.value(&b, m))
	}
	return []engines.Term{{Name: "values", Value: values}, {Name: "move", Value: b.MoveString(d.Move)}}, nil
}

// 3, 6 and 9. The game, with its rules and limits.

func ticTacToe() *engines.Game {
	return &engines.Game{
		Name:    "tictactoe",
		Title:   "Tic-tac-toe",
		Doc:     "Stones on a square; a whole row, column or diagonal wins.",
		Version: 1,
		Options: []engines.Option{
			{Name: "size", Doc: "cells a side", Default: "3", Values: []string{"3", "4", "5"}},
		},
		Space: weights, Presets: vectors, DefaultPreset: "steady", WeakPreset: "bad",
		Budgets:      []engines.Budget{{Kind: engines.BudgetNodes}, {Kind: engines.BudgetTime}},
		Proves:       1,
		Margins:      engines.Margins{Unit: "cells", Cap: 3},
		OpeningPlies: 3,
		New: func(rules engines.Rules) (engines.Variant, error) {
			size := rules["size"][0] - '0'
			return engines.Variant{
				NewReferee: func() engines.Referee { return engines.NewReferee(board{size: size}, engines.Bounds{}) },
				NewPlayer:  func() engines.Player { return &player{size: size} },
				Opening:    func(r *rand.Rand, plies int) engines.Opening { return opening(size, r, plies) },
				Evaluate: func(position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
					return evaluate(size, position, moves, v)
				},
			}, nil
		},
	}
}

// 10. The tests.

func TestTicTacToe(t *testing.T) { gametest.Run(t, ticTacToe()) }

func TestMovesAllocateNothing(t *testing.T) {
	b := board{size: 3}
	buf := make([]engines.Move, 0, b.cells())
	if n := testing.AllocsPerRun(100, func() {
		for _, m := range b.Moves(buf[:0]) {
			after := b
			after.Play(m)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkPerft counts the games of nine plies.
func BenchmarkPerft(b *testing.B) {
	start := board{size: 3}
	for b.Loop() {
		engines.Perft[board](&start, start.cells())
	}
}
