package engines

import "slices"

// Follower keeps a player's own position in step with the history it is given,
// playing only what is new. The zero value needs Reset.
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
