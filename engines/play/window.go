package play

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"selfplaylab/engines"
)

// Window shows the game that a worker is playing. A decision costs the test of a flag, or a
// copy of the moves if a view was requested. Several goroutines may call its methods at once.
type Window struct {
	wanted atomic.Bool
	mu     sync.Mutex
	view   View
}

// View is a game at the moment of a decision. Arrays are by side.
type View struct {
	Names    [2]string        // names of the players
	Position string           // initial position of the game, as text; "" is the game's own
	Opening  int              // number of Moves that the opening gave
	Moves    []engines.Move   // opening included; the caller of Look owns the list
	Score    Score            // of the last decision, for the player who made it
	Left     [2]time.Duration // time left on the clocks of sides that have one
}

// Look returns the game at the first decision after the previous Look, and requests the next
// view. The first Look returns no game.
func (w *Window) Look() View {
	w.wanted.Store(true)
	w.mu.Lock()
	defer w.mu.Unlock()
	v := w.view
	v.Moves = slices.Clone(v.Moves)
	return v
}

// offer stores a view of the game if one was requested.
func (w *Window) offer(t *table, r *record, d engines.Decision) {
	if w == nil || !w.wanted.Load() || !w.wanted.CompareAndSwap(true, false) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.view = View{Names: t.names, Position: t.opening.Position, Opening: len(t.opening.Moves), Moves: append(w.view.Moves[:0], r.moves...),
		Score: Score(d.Score), Left: r.left}
}
