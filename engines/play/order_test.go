package play

import (
	"slices"
	"testing"

	"selfplaylab/engines"
)

// TestShuffledBookHoldsSameOpenings shuffles by the seed; a repeating book begins again.
func TestShuffledBookHoldsSameOpenings(t *testing.T) {
	var book []engines.Opening
	for i := range 20 {
		book = append(book, engines.Opening{Moves: []engines.Move{engines.Move(i + 1)}})
	}
	first := func(list []engines.Opening) (moves []engines.Move) {
		for _, o := range list {
			moves = append(moves, o.Moves[0])
		}
		return moves
	}
	one, again, two := (BookOrder{Shuffle: true}).Of(book, 1), (BookOrder{Shuffle: true}).Of(book, 1), (BookOrder{Shuffle: true}).Of(book, 2)
	if a := first(one); !slices.Equal(a, first(again)) || slices.Equal(a, first(two)) || slices.Equal(a, first(book)) {
		t.Errorf("%v, %v, %v", a, first(again), first(two))
	}
	if !slices.Equal(slices.Sorted(slices.Values(first(one))), first(book)) {
		t.Errorf("%v are not the book's", first(one))
	}
	s := Setup{Book: book, BookRepeats: true}
	if o, err := s.opening(engines.Variant{}, &Job{Book: 18}, 5, 1); err != nil || o.Moves[0] != 4 {
		t.Errorf("opening 24 of 20: %v, %v; want the fourth", o, err)
	}
	s.BookRepeats = false
	if _, err := s.opening(engines.Variant{}, &Job{Book: 18}, 5, 1); err == nil {
		t.Error("a book that does not repeat had more openings than it holds")
	}
	for _, text := range []string{"", "shuffle", "repeat", "shuffle,repeat"} {
		var o BookOrder
		if err := o.UnmarshalText([]byte(text)); err != nil {
			t.Error(err)
		}
		if data, _ := o.MarshalText(); string(data) != text {
			t.Errorf("%q was written as %q", text, data)
		}
	}
	if err := new(BookOrder).UnmarshalText([]byte("random")); err == nil {
		t.Error("random was taken")
	}
}
