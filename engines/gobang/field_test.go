package gobang

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// sameField fails unless two fields have equal values.
func sameField(t *testing.T, got, want *field) {
	t.Helper()
	if got.turn != want.turn || got.outcome != want.outcome || got.count != want.count || got.key != want.key || got.stones != want.stones {
		t.Fatalf("turn, outcome, count, key or stones differ after %d stones", want.count)
	}
	if got.lines != want.lines || got.makes != want.makes {
		t.Fatalf("lines, makes or classes differ after %d stones", want.count)
	}
	if got.sets != want.sets || got.counts != want.counts || got.sum != want.sum || got.learned != want.learned {
		t.Fatalf("sets, counts or sums differ after %d stones", want.count)
	}
}

// TestFieldMatchesRecount plays random games with moves taken back
// now and then, and compares the updated field with one counted anew.
func TestFieldMatchesRecount(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for i := range 30 {
		rules := randomRules(r)
		b, f, fresh, s := newBoard(rules), newField(rules), newField(rules), newState(rules)
		for _, f := range []*field{f, fresh} {
			f.configure(preset(t, []string{"master", "grandmaster", "champion"}[i%3]))
			f.load(&s)
		}
		b.load(&s)
		wander(r, b, &s, 80, 5, func() {
			fresh.load(&s)
			sameField(t, f, fresh)
		}, f)
	}
}

// TestFieldEvalIsSymmetric expects the other side's value
// with the colours swapped, and white's view from evaluate.
func TestFieldEvalIsSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 1))
	master := preset(t, "master")
	for range 50 {
		s := tactical(r, variant{size: 9})
		f := fieldOf(t, &s)
		swapped := s
		swapped.stones[black], swapped.stones[white] = s.stones[white], s.stones[black]
		swapped.turn = s.turn.Other()
		if got, want := fieldOf(t, &swapped).Eval(), f.Eval(); got != want {
			t.Fatalf("%d with the colours swapped, %d before", got, want)
		}
		want := f.Eval()
		if s.turn == black {
			want = -want
		}
		if got := terms(t, open(t, "size=9"), s.String(), master)["score"]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("score %v, want %v", got, want)
		}
	}
}
