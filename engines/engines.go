// Package engines is the contract between games, searches, players and matches.
//
// A game is written once as a Position, a plain value that searches are compiled against.
// Matches, tools and external engines see it as a Referee, and see whatever chooses the moves
// as a Player. Both cost one dynamic call per move.
package engines

import (
	"context"
	"fmt"
	"math"

	"selfplaylab/reports/board"
)

// Move is one whole turn in the game's own bits: a mill and its capture, or a
// wall, are one Move. 0 is never a legal move.
type Move uint32

// Side is 0 for the side that moves first in the initial position, else 1.
type Side uint8

// The two sides.
const (
	First  Side = 0
	Second Side = 1
)

// Other returns the opponent of s.
func (s Side) Other() Side { return s ^ 1 }

// Outcome is the result of a game, Ongoing while it is played.
type Outcome uint8

// The outcomes. Ongoing is the zero value.
const (
	Ongoing Outcome = iota
	FirstWins
	SecondWins
	Draw
)

// Win returns the outcome in which s wins.
func Win(s Side) Outcome { return FirstWins + Outcome(s) }

// Points returns the half points of side s: 0, 1 or 2. The game must have ended.
func (o Outcome) Points(s Side) int {
	switch o {
	case Draw:
		return 1
	case Win(s):
		return 2
	}
	return 0
}

// String returns "1-0", "0-1", "1/2" or "*".
func (o Outcome) String() string {
	return [...]string{"*", "1-0", "0-1", "1/2"}[o]
}

// ParseOutcome reads what String writes.
func ParseOutcome(text string) (Outcome, error) {
	for o := Ongoing; o <= Draw; o++ {
		if o.String() == text {
			return o, nil
		}
	}
	return Ongoing, ParseError("outcome", text, "want 1-0, 0-1, 1/2 or *")
}

// MarshalText writes what ParseOutcome reads.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText is ParseOutcome.
func (o *Outcome) UnmarshalText(text []byte) (err error) {
	*o, err = ParseOutcome(string(text))
	return err
}

// Reason names why a game ended, in one lower-case word used in records and
// tables. Games define their own (goal, five, blocked); these are common.
type Reason string

// Reasons any game may end by.
const (
	NoReason    Reason = ""
	IllegalMove Reason = "illegal"     // the loser broke the rules
	OutOfTime   Reason = "time"        // the loser took too long over one move
	OutOfClock  Reason = "clock"       // the loser's clock ran out
	Crash       Reason = "crash"       // the loser's player failed
	Stall       Reason = "stall"       // the loser's player never answered
	Garbage     Reason = "garbage"     // the loser's engine sent an answer that its protocol does not allow
	Adjudicated Reason = "adjudicated" // ended by a rule of the match, not of the game
	Resigned    Reason = "resigned"    // the loser, a person at a board or an external engine, gave up
	Agreed      Reason = "agreed"      // draw: both said so
	PlyBound    Reason = "plies"       // the game reached its bound: draw
	Repetition  Reason = "repetition"  // draw
	NoProgress  Reason = "noprogress"  // draw: too many moves in a row without progress
)

// Fault reports whether r is the loser's own failure and no end by the rules of
// the game.
func (r Reason) Fault() bool {
	switch r {
	case IllegalMove, OutOfTime, OutOfClock, Crash, Stall, Garbage:
		return true
	}
	return false
}

// Position is the inner view of a game, a constraint that searches are
// compiled against: small plain data, copied by assignment.
type Position[T any] interface {
	*T
	// Moves appends every legal move, in an order that depends on nothing but
	// the position, and returns the extended slice. None after the end.
	Moves(buf []Move) []Move
	// Play makes a legal move. It does not check.
	Play(Move)
	// Turn returns the side to move: not always the other side than before.
	Turn() Side
	// Outcome returns the result on the board. Ply bounds and repetition are the Referee's.
	Outcome() Outcome
	// Key returns a hash of all that matters for repetition and search tables.
	Key() uint64
}

// State is a Position that can also be read, written and judged: what a game
// implements so that NewReferee can make a Referee of it.
type State[T any] interface {
	Position[T]
	// Legal reports whether Moves would list m.
	Legal(Move) bool
	// Penalty applies the game's penalty to the side to move for an illegal
	// action. It returns the move to keep in the record for a lost turn, or 0
	// when the side has lost the game by it.
	Penalty() Move
	// Reason returns why the game ended on the board.
	Reason() Reason
	// SetText sets the position from its text, keeping the receiver's rules.
	SetText(string) error
	// String returns the text that SetText reads, on one line. Penalties need
	// not be in it.
	String() string
	// ParseMove reads a move in the game's notation. It need not be legal.
	ParseMove(string) (Move, error)
	// MoveString returns m in the game's notation: one word, that ParseMove
	// reads as m if m is legal. Any number has one, since errors name bad moves.
	MoveString(Move) string
	// Board describes the position for display and, in Board.Last, the move just
	// made; last is 0 for none. A Referee fills in Turn, Outcome, Reason and the text
	// of the last move.
	Board(last Move) board.Board
}

// Referee is the outer view of a game in progress: it keeps the position by the
// rules. Matches ask the referee, never the players, what is legal and who won.
// A Referee is not safe for concurrent use.
type Referee interface {
	// Reset sets up the position given as text, or the initial one for "", and
	// forgets the game before.
	Reset(position string) error
	Turn() Side
	// Moves and Legal are the position's: a draw by a bound on the game's length
	// or by repetition does not end them.
	Moves(buf []Move) []Move
	Legal(Move) bool
	// Play makes a move that must be legal.
	Play(Move)
	// Penalty is State.Penalty.
	Penalty() Move
	// Result returns the outcome and its reason, ply bound and repetition
	// included.
	Result() (Outcome, Reason)
	// Perft counts the sequences of exactly depth moves from here; draws by
	// bound or repetition do not cut it short.
	Perft(depth int) uint64
	Key() uint64
	ParseMove(string) (Move, error)
	MoveString(Move) string
	String() string
	// Board describes the position for display, with the last move; there is none
	// after Reset.
	Board() board.Board
}

// Decision is a player's choice with its report on it.
type Decision struct {
	Move Move
	// Score is in the player's own unit, positive if good for the side to move; not a number
	// where it gave none.
	Score float64
	// Nodes counts the units of work the player counts: positions searched,
	// walls tried, tree nodes.
	Nodes int64
	// Depth is the depth reached, in plies; 0 where it has no meaning.
	Depth int
	// Mate is the number of plies to a forced end that the player has proven, the
	// decision's own included: positive if the side to move wins, negative if it
	// loses; 0 if nothing is proven.
	Mate int
	// Cut counts how often the player's memory was full, so that it discarded part of
	// its tree.
	Cut int
}

// SameScore reports whether two scores of decisions are equal, or both none.
func SameScore(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// Player chooses moves. It belongs to one goroutine at a time. A player that holds resources (a
// process, files) is also an io.Closer, which its owner must close.
type Player interface {
	// Configure sets the parameters. The vector is checked by the caller and
	// not kept.
	Configure(vector []float64) error
	// Reset starts a new game from a position (as Referee.Reset takes it). All
	// randomness of the game comes from seed.
	Reset(position string, seed uint64) error
	// Choose returns a move in the position after history, which always starts
	// at the position of Reset. Equal histories, seeds and repeatable limits
	// give equal decisions. The slice is neither changed nor kept.
	Choose(ctx context.Context, history []Move, limits Limits) (Decision, error)
}

// Opening is where a game starts: a position (as Referee.Reset takes it) and
// moves already played from it.
type Opening struct {
	Position string
	Moves    []Move
}

// Term is one line of an evaluation: a name and a number, text or list.
type Term struct {
	Name  string
	Value any
	Doc   string // its meaning in a few words; "" for none
	Sides bool   // Value is the list of three that Both makes
}

// Means returns the term with doc as its meaning.
func (t Term) Means(doc string) Term {
	t.Doc = doc
	return t
}

// Both returns a term that is counted for both sides. Its Value is a list of three:
// the count of the side to move, that of the other side, and how much they add to
// the evaluation for the side to move.
func Both[N int | int64 | float64](name string, own, other, worth N) Term {
	return Term{Name: name, Value: []N{own, other, worth}, Sides: true}
}

// Seed derives a seed from others: equal parts in equal order give equal seeds,
// and any difference gives an unrelated one. It is splitmix64 (Steele, Lea and
// Flood 2014) absorbed part by part, and will not change.
func Seed(parts ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h = Mix(h ^ Mix(p+0x9e3779b97f4a7c15))
	}
	return h
}

// Mix is the finaliser of splitmix64: a bijection that scatters every bit.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// ParseError is an error about a text a user wrote, with what was expected.
func ParseError(what, text, want string) error {
	return fmt.Errorf("%s %q: %s", what, text, want)
}
