package schedule

import (
	"selfplaylab/engines/play"
	"strings"
	"testing"
)

// TestBookOpeningsAreAllPlayed plays every opening once with swapped colours, in order.
func TestBookOpeningsAreAllPlayed(t *testing.T) {
	c, m := campaign(t, 2)
	var text strings.Builder
	ref := c.Variant.NewReferee()
	if err := ref.Reset(""); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, a := range ref.Moves(nil) {
		lines = append(lines, ref.MoveString(a))
	}
	if len(lines) <= chunk {
		t.Fatalf("only %d openings: want more than a chunk", len(lines))
	}
	text.WriteString(strings.Join(lines, "\n"))
	book, _, err := play.ParseBook("b", []byte(text.String()), c.Variant, 0)
	if err != nil {
		t.Fatal(err)
	}
	c.Setup.Book = book
	playAll(t, c, &Fixed{X: vector(t, "final"), Than: vector(t, "v12.7"), Pairs: len(book), InOrder: true})
	for i, g := range m.games {
		if first, _, _ := strings.Cut(g.Moves, " "); first != lines[i/2] || g.OpeningPlies != 1 {
			t.Errorf("game %d starts with %s, want %s", i, first, lines[i/2])
		}
	}
}
