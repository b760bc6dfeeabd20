package table

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// reading reads a text as a move. It returns the move in the game's notation if it is legal, and
// else the reason.
func (s *seat) reading(text string) map[string]string {
	read := map[string]string{"why": s.why(text)}
	if m, err := s.ref.ParseMove(text); err == nil && read["why"] == "" {
		read["move"] = s.ref.MoveString(m)
	}
	return read
}

// why returns the reason why a move is illegal; "" for a legal one.
func (s *seat) why(text string) string {
	if o, reason := s.ref.Result(); o != engines.Ongoing {
		return fmt.Sprintf("The game is over: %s by %s.", o, reason)
	}
	m, err := s.ref.ParseMove(text)
	if err != nil {
		return err.Error()
	}
	if s.ref.Legal(m) {
		return ""
	}
	if s.v.Why != nil {
		return s.v.Why(s.ref.String(), m)
	}
	b := s.ref.Board()
	if reason := reasonOf(&b, s.legal(), text); reason != "" {
		return reason
	}
	return fmt.Sprintf("%s is not legal here by the rules of %s.", text, b.Title)
}

// reasonOf explains by the board why a move is not legal; "" if the board does not show
// it.
func reasonOf(b *board.Board, legal []legalMoves, text string) string {
	if wall, ok := wallOf(b, text); ok {
		return wallReason(b, wall)
	}
	at, ok := target(b, text)
	if !ok {
		return ""
	}
	if slices.ContainsFunc(b.Marks, func(m board.Mark) bool { return m.At == at && m.Kind == board.Forbidden }) {
		return "The rules forbid that place."
	}
	if _, taken := b.PieceAt(at); taken && b.Kind != board.Rack {
		return "That place is occupied."
	}
	switch {
	case b.Kind == board.Rack:
		return "That column is full or forbidden."
	case b.Kind == board.Rooms:
		return "The pawn cannot step there: it goes one square, not through a wall, and jumps over the other pawn."
	case slices.ContainsFunc(legal, func(l legalMoves) bool {
		return strings.HasPrefix(l.Move, text+"x") || strings.Contains(l.Move, "x") && strings.HasPrefix(l.Move, text)
	}):
		return "That closes a mill: also name the man to take."
	case b.Kind == board.Network:
		return "No man may be placed or moved there now."
	}
	return ""
}

// target returns the place of a move's last square.
func target(b *board.Board, text string) (board.At, bool) {
	for i := len(b.Places) - 1; i >= 0; i-- {
		if p := b.Places[i]; p.Name == text || strings.HasSuffix(text, "-"+p.Name) {
			return p.At, true
		}
	}
	return board.At{}, false
}

// wallOf reads a wall of Quoridor, such as e3h, by its south-west square.
func wallOf(b *board.Board, text string) (board.Wall, bool) {
	if b.Kind != board.Rooms || len(text) < 3 {
		return board.Wall{}, false
	}
	square, direction := text[:len(text)-1], text[len(text)-1]
	for _, p := range b.Places {
		if p.Name != square {
			continue
		}
		x, y := float64(p.X), float64(p.Y)
		switch direction {
		case 'h':
			return board.Wall{X1: x - 0.5, Y1: y - 0.5, X2: x + 1.5, Y2: y - 0.5}, true
		case 'v':
			return board.Wall{X1: x + 0.5, Y1: y + 0.5, X2: x + 0.5, Y2: y - 1.5}, true
		}
	}
	return board.Wall{}, false
}

func wallReason(b *board.Board, w board.Wall) string {
	if slices.ContainsFunc(b.Counters, func(c board.Counter) bool { return c.Side == b.Turn && c.Name == "walls" && c.Value == 0 }) {
		return "No wall is left."
	}
	if slices.ContainsFunc(b.Walls, func(o board.Wall) bool { return meet(w, o) }) {
		return "That wall would overlap or cross another."
	}
	return "That wall would cut a pawn off from its goal, or reach beyond the board."
}

// meet reports whether two walls cross in the middle or share a part.
func meet(a, b board.Wall) bool {
	mid := func(w board.Wall) (float64, float64) { return (w.X1 + w.X2) / 2, (w.Y1 + w.Y2) / 2 }
	ax, ay := mid(a)
	bx, by := mid(b)
	if ax == bx && ay == by {
		return true
	}
	flatA, flatB := a.Y1 == a.Y2, b.Y1 == b.Y2
	switch {
	case flatA && flatB:
		return ay == by && ax-bx < 2 && bx-ax < 2
	case !flatA && !flatB:
		return ax == bx && ay-by < 2 && by-ay < 2
	}
	return false
}
