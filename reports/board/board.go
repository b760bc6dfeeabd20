// Package board describes the visible part of a game's position as plain data:
// places, pieces, walls, lines, marks, pieces in hand and the last move.
// It draws it as text for terminals and as SVG for pages.
// It knows no game and no rules; a game fills in a [Board].
//
// # Coordinates
//
// One unit is the distance between neighbouring places.
// X runs to the right, Y downwards, and the place in the top left corner is (0, 0); the
// places of a board of width W and height H have whole coordinates from 0 to W-1 and H-1.
// A square reaches half a unit from its centre, so walls
// between squares have halves in their coordinates.
//
// # JSON
//
// A Board encodes to JSON and back without loss.
// The names are part of the format and stay.
// Empty lists and zero values are left out.
// Side 0 moves first in the game's initial position; the other is side 1.
package board

import (
	"slices"
	"strconv"
)

// Kind is the kind of a board.
type Kind string

// The kinds of boards.
const (
	Squares Kind = "squares" // squares side by side, as in tic-tac-toe
	Rooms   Kind = "rooms"   // squares with gaps for walls between them, as in Quoridor
	Lattice Kind = "lattice" // crossings of lines, as in gobang
	Network Kind = "network" // the points of Places, joined by Lines, as in mills
	Rack    Kind = "rack"    // holes in a plate, filled from below, as in connect four
	// Checkered is squares alternately light and dark, dark in the left bottom corner.
	Checkered Kind = "checkered"
)

// Board is a position to be drawn. The zero value is an empty board of no size; Kind, Width,
// Height, Sides and Places must be set. All places that it names must be among Places.
type Board struct {
	Title  string `json:"title"`  // the game's name
	Kind   Kind   `json:"kind"`   // the shape of the board
	Width  int    `json:"width"`  // places in a row
	Height int    `json:"height"` // places in a column

	Files []string `json:"files,omitempty"` // labels of the columns, from the left; nil for none
	Ranks []string `json:"ranks,omitempty"` // labels of the rows, from the top; nil for none

	Sides [2]Side `json:"sides"` // side 0 moves first in the initial position
	Turn  int     `json:"turn"`  // index of the side to move; after the end the side that would move
	// Outcome is "1-0", "0-1" or "1/2" after the end, side 0 on the left; "" before. Reason is
	// one word.
	Outcome string `json:"outcome,omitempty"`
	Reason  string `json:"reason,omitempty"`

	Places   []Place   `json:"places"`             // every place, by rows from the top
	Pieces   []Piece   `json:"pieces,omitempty"`   // pieces on the board, at most one on a place
	Walls    []Wall    `json:"walls,omitempty"`    // walls on the board
	Lines    []Line    `json:"lines,omitempty"`    // lines of the board or of the position
	Marks    []Mark    `json:"marks,omitempty"`    // properties of places
	Counters []Counter `json:"counters,omitempty"` // things next to the board
	Last     *Move     `json:"last,omitempty"`     // the move just made; nil at the start

	// Caption states in words what letters do not show, such as the side to move. It ends
	// without a full stop and may have several lines.
	Caption string `json:"caption,omitempty"`
}

// Side is one of the two players.
type Side struct {
	Name   string `json:"name"`   // name for people
	Letter string `json:"letter"` // letter of its pieces in text: one ASCII character
	Tone   tone   `json:"tone"`   // colour of its pieces
	// Captured holds the letters of the opponent's pieces that the side has captured, as Piece has
	// them. Lead is the value of the side's pieces above the opponent's, in the unit of the
	// game's players; 0 for the side that is not ahead.
	Captured string `json:"captured,omitempty"`
	Lead     int    `json:"lead,omitempty"`
}

// tone is the colour of a side's pieces. Colour-blind people can tell all tones apart.
type tone string

// The tones.
const (
	Black tone = "black"
	White tone = "white"
	Red   tone = "red"
	Blue  tone = "blue"
)

// At is a place by its coordinates, counted from the top left corner.
type At struct {
	X int `json:"x"` // to the right, from 0
	Y int `json:"y"` // downwards, from 0
}

// Place is a square, crossing, point or hole.
type Place struct {
	At
	// Name is the name of a move to the place in the game's notation. Several places may share
	// it: in connect four a move names a column.
	Name string `json:"name"`
}

// Piece is a stone, man or pawn.
type Piece struct {
	At
	Side int    `json:"side"` // 0 or 1
	Kind string `json:"kind"` // name in the game, such as "stone"
	// Letter replaces the letter of its side in text: one ASCII character. A letter of chess
	// (KQRBNP, in either case) is drawn as the figure.
	Letter string `json:"letter,omitempty"`
}

// Wall stands between squares, parallel to an axis, from (X1, Y1) to (X2, Y2).
type Wall struct {
	X1 float64 `json:"x1"` // one end, in units of At
	Y1 float64 `json:"y1"`
	X2 float64 `json:"x2"` // the other end
	Y2 float64 `json:"y2"`
}

// Line joins places.
type Line struct {
	From At       `json:"from"` // one end
	To   At       `json:"to"`   // the other end
	Kind LineKind `json:"kind"` // meaning of the line
}

// LineKind is the meaning of a line.
type LineKind string

// The kinds of lines.
const (
	Edge   LineKind = "edge"   // part of the board, in a Network
	Row    LineKind = "row"    // a complete row, such as five in a row or the mill just closed
	Banned LineKind = "banned" // a step that the rules forbid for now
)

// Mark is a property of a place other than a piece.
type Mark struct {
	At
	Kind MarkKind `json:"kind"`           // meaning of the mark
	Side int      `json:"side,omitempty"` // owner of a Goal; 0 for other kinds
}

// MarkKind is the meaning of a mark.
type MarkKind string

// The kinds of marks.
const (
	Forbidden MarkKind = "forbidden" // no piece may stand here
	Goal      MarkKind = "goal"      // the place that Side must reach
	Star      MarkKind = "star"      // a dot for orientation
	Check     MarkKind = "check"     // the piece here is attacked, and its side must end that
)

// Counter is a number of things that a side has next to the board.
type Counter struct {
	Side  int    `json:"side"`  // the owner, 0 or 1
	Name  string `json:"name"`  // in the plural, such as "walls"
	Value int    `json:"value"` // the number of things
}

// Move is the visible part of the last move.
type Move struct {
	Text  string `json:"text"`            // text in the game's notation
	From  *At    `json:"from,omitempty"`  // nil if no piece left a place
	To    *At    `json:"to,omitempty"`    // nil if no piece arrived
	Taken []At   `json:"taken,omitempty"` // places where pieces were removed or changed sides
	Wall  *Wall  `json:"wall,omitempty"`  // the new wall, which is in Board.Walls too
	// Also holds the places where other pieces of the mover arrived, such as the rook in
	// castling.
	Also []At `json:"also,omitempty"`
}

// PieceAt returns the piece on a place; false if the place is free.
func (b *Board) PieceAt(at At) (Piece, bool) {
	for _, p := range b.Pieces {
		if p.At == at {
			return p, true
		}
	}
	return Piece{}, false
}

// FillGrid sets Places to a full grid of Width times Height places, by rows from the top. name
// returns the name of each.
func (b *Board) FillGrid(name func(x, y int) string) {
	b.Places = make([]Place, 0, b.Width*b.Height)
	for y := range b.Height {
		for x := range b.Width {
			b.Places = append(b.Places, Place{At{x, y}, name(x, y)})
		}
	}
}

// Letters returns n labels from "a" on, for Files. n is at most 26.
func Letters(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = string(rune('a' + i))
	}
	return list
}

// Falling returns the labels from n down to "1", for Ranks counted from the bottom.
func Falling(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(n - i)
	}
	return list
}

// Rising returns the labels from "1" to n.
func Rising(n int) []string {
	list := Falling(n)
	slices.Reverse(list)
	return list
}
