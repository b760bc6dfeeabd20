package engines

import (
	"fmt"
	"slices"
)

// SetUp brings a state from the initial position, with the rules in it, to the
// one after moves from position, given as text (as Referee.Reset takes it; "" is
// the initial one). Lost turns, as State.Penalty returns them, may be among the
// moves. An error quotes the text that cannot be read, or names the first move
// that is not legal and where; the state is then anywhere. Draws by bounds or
// repetition do not stop the moves.
func SetUp[T any, S State[T]](at *T, position string, moves []Move) error {
	if position != "" {
		if err := S(at).SetText(position); err != nil {
			return fmt.Errorf("position %q: %w", position, err)
		}
	}
	for i, m := range moves {
		if err := Follow[T, S](at, m); err != nil {
			return fmt.Errorf("move %d, %w", i+1, err)
		}
	}
	return nil
}

// Follow makes a move that is legal or a lost turn. The error of any other names
// it and the position, and then nothing has happened.
func Follow[T any, S State[T]](at *T, m Move) error {
	if S(at).Legal(m) {
		S(at).Play(m)
		return nil
	}
	before := *at
	if m != 0 && S(at).Penalty() == m {
		return nil
	}
	*at = before
	return fmt.Errorf("%s, is not legal in %s", S(at).MoveString(m), S(at).String())
}

// Follower keeps a player's position in step with the history, playing only new moves. Call
// Reset before use.
type Follower[T any, P Position[T]] struct {
	Position T
	start    T
	seen     []Move
}

// Reset starts at a position.
func (f *Follower[T, P]) Reset(start T) {
	f.start, f.Position, f.seen = start, start, f.seen[:0]
}

// Follow makes Position the one after history, which starts at Reset's.
func (f *Follower[T, P]) Follow(history []Move) {
	if len(history) < len(f.seen) || !slices.Equal(history[:len(f.seen)], f.seen) {
		f.Position, f.seen = f.start, f.seen[:0]
	}
	for _, m := range history[len(f.seen):] {
		P(&f.Position).Play(m)
		f.seen = append(f.seen, m)
	}
}
