// Package board describes what is to be seen of a game's position (places,
// pieces, walls, lines, marks, what is in hand, the last move) as plain data, and
// draws it: as text for terminals and as SVG for pages. It knows no game and no
// rules; whoever knows them fills a [Board] in.
//
// # Coordinates
//
// One unit is the distance between neighbouring places. X runs to the right, Y
// downwards, and the place in the top left corner is (0, 0); the places of a
// board of width W and height H have whole coordinates from 0 to W-1 and H-1. A
// square reaches half a unit from its centre, so walls between squares have
// halves in their coordinates.
//
// # JSON
//
// A Board encodes to JSON and back without loss. The names are part of the
// format and stay; lists that are empty, and what is zero, are left out. Sides
// are 0, who moves first in the game's initial position, and 1.
package board

import (
	"slices"
	"strconv"
)

// Kind says what the board is made of.
type Kind string

// The kinds of boards.
const (
	Squares Kind = "squares" // squares side by side, as in tic-tac-toe
	Rooms   Kind = "rooms"   // squares with room for walls between them, as in Quoridor
	Lattice Kind = "lattice" // crossings of lines, as in gobang
	Network Kind = "network" // the points of Places, joined by Lines, as in mills
	Rack    Kind = "rack"    // holes in a plate, filled from below, as in connect four
	// Checkered is squares alternately light and dark, dark in the left bottom corner.
	Checkered Kind = "checkered"
)

// Board is a position to be looked at. The zero value is an empty board of no
// size; Kind, Width, Height, Sides and Places must be set.
type Board struct {
	Title  string `json:"title"` // the game's name
	Kind   Kind   `json:"kind"`
	Width  int    `json:"width"`
	Height int    `json:"height"`

	Files []string `json:"files,omitempty"` // labels of the columns, from the left; nil for none
	Ranks []string `json:"ranks,omitempty"` // labels of the rows, from the top; nil for none

	Sides [2]Side `json:"sides"`
	Turn  int     `json:"turn"` // side to move; after the end the side that would be
	// Outcome is "1-0", "0-1" or "1/2" after the end, side 0 on the left, and
	// Reason says in a word how it came about.
	Outcome string `json:"outcome,omitempty"`
	Reason  string `json:"reason,omitempty"`

	Places   []Place   `json:"places"` // all there are, by rows from the top
	Pieces   []Piece   `json:"pieces,omitempty"`
	Walls    []Wall    `json:"walls,omitempty"`
	Lines    []Line    `json:"lines,omitempty"`
	Marks    []Mark    `json:"marks,omitempty"`
	Counters []Counter `json:"counters,omitempty"`
	Last     *Move     `json:"last,omitempty"` // the move just made; nil at the start

	// Caption says in words what a drawing in letters does not show, such as who
	// is to move. It ends without a full stop and may have several lines.
	Caption string `json:"caption,omitempty"`
}

// Side is one of the two players.
type Side struct {
	Name   string `json:"name"`   // for people
	Letter string `json:"letter"` // stands for its pieces in text: one ASCII character
	Tone   tone   `json:"tone"`
}

// tone is the colour of a side's pieces. All tones can be told apart by people
// who see no red or no green.
type tone string

// The tones.
const (
	Black tone = "black"
	White tone = "white"
	Red   tone = "red"
	Blue  tone = "blue"
)

// At is a place by its coordinates.
type At struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// Place is a square, crossing, point or hole.
type Place struct {
	At
	// Name is what a move there is called in the game's notation. Several places
	// may share it: in connect four a move names a column.
	Name string `json:"name"`
}

// Piece is a stone, man or pawn.
type Piece struct {
	At
	Side int    `json:"side"`
	Kind string `json:"kind"` // in the game's words, such as "stone"
	// Letter stands for the piece in text, instead of its side's: one ASCII character.
	// A letter of chess (KQRBNP, in either case) is drawn as that figure.
	Letter string `json:"letter,omitempty"`
}

// Wall stands between squares, from one end to the other. It runs along an axis.
type Wall struct {
	X1 float64 `json:"x1"`
	Y1 float64 `json:"y1"`
	X2 float64 `json:"x2"`
	Y2 float64 `json:"y2"`
}

// Line joins places.
type Line struct {
	From At       `json:"from"`
	To   At       `json:"to"`
	Kind LineKind `json:"kind"`
}

// LineKind says what a line means.
type LineKind string

// The kinds of lines.
const (
	Edge   LineKind = "edge"   // part of the board: of a Network
	Row    LineKind = "row"    // a complete row, such as the five that won or the mill just closed
	Banned LineKind = "banned" // a step that the rules forbid for now
)

// Mark is something about a place that is no piece.
type Mark struct {
	At
	Kind MarkKind `json:"kind"`
	Side int      `json:"side,omitempty"` // whose goal it is
}

// MarkKind says what a mark means.
type MarkKind string

// The kinds of marks.
const (
	Forbidden MarkKind = "forbidden" // nothing may stand here
	Goal      MarkKind = "goal"      // where Side wants to go
	Star      MarkKind = "star"      // a dot to find one's way by
	Right     MarkKind = "right"     // the piece here has a right that moving it would lose
	Target    MarkKind = "target"    // a piece can be captured here though none stands here
)

// Counter is something a side has a number of beside the board.
type Counter struct {
	Side  int    `json:"side"`
	Name  string `json:"name"` // in the plural, such as "walls"
	Value int    `json:"value"`
}

// Move is what there is to see of the last move.
type Move struct {
	Text  string `json:"text"` // in the game's notation
	From  *At    `json:"from,omitempty"`
	To    *At    `json:"to,omitempty"`    // nil if nothing arrived anywhere
	Taken []At   `json:"taken,omitempty"` // where pieces were taken off or changed sides
	Wall  *Wall  `json:"wall,omitempty"`  // the wall set; it is in Board.Walls too
	// Also is where other pieces of the mover arrived, such as the rook in castling.
	Also []At `json:"also,omitempty"`
}

// PieceAt returns the piece on a place.
func (b *Board) PieceAt(at At) (Piece, bool) {
	for _, p := range b.Pieces {
		if p.At == at {
			return p, true
		}
	}
	return Piece{}, false
}

// FillGrid sets Places to all width times height of a full grid, named by name.
func (b *Board) FillGrid(name func(x, y int) string) {
	b.Places = make([]Place, 0, b.Width*b.Height)
	for y := range b.Height {
		for x := range b.Width {
			b.Places = append(b.Places, Place{At{x, y}, name(x, y)})
		}
	}
}

// Letters returns n labels from "a" on, for Files; n is at most 26.
func Letters(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = string(rune('a' + i))
	}
	return list
}

// Falling returns the labels "n" to "1", for Ranks counted from the bottom.
func Falling(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(n - i)
	}
	return list
}

// Rising returns the labels "1" to "n".
func Rising(n int) []string {
	list := Falling(n)
	slices.Reverse(list)
	return list
}
