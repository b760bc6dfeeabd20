package gobang

import (
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

func TestOpeningsAreReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("short: draws many openings")
	}
	for _, rules := range []variant{{size: 15}, {size: 15, ring: true}, {size: 9, exactFive: true}, {size: 5}, {size: 6, ring: true}, {size: 22}} {
		for _, plies := range []int{0, 1, 2, 4, 7, 8, 12, 1000} {
			for seed := range uint64(testmode.Times(2, 3)) {
				o := rules.opening(rand.New(rand.NewPCG(seed, 1)), plies)
				again := rules.opening(rand.New(rand.NewPCG(seed, 1)), plies)
				if o.Position != "" || !slices.Equal(o.Moves, again.Moves) {
					t.Fatalf("%v: %v, then %v", rules, o, again)
				}
				if want := min(plies, rules.size*rules.size/2); len(o.Moves) != want {
					t.Fatalf("%v: %d moves, want %d", rules, len(o.Moves), want)
				}
				s := newState(rules)
				for _, m := range o.Moves {
					if !s.Legal(m) {
						t.Fatalf("%v: %v is not legal", rules, s.MoveString(m))
					}
					s.Play(m)
				}
				if s.Outcome() != engines.Ongoing {
					t.Fatalf("%v: the game is over:\n%s", rules, s.Board(0).Text())
				}
			}
		}
	}
}

// TestOpeningsAreFair expects that openings are quiet, have the promised lead, and differ.
func TestOpeningsAreFair(t *testing.T) {
	v := variant{size: 15}
	seen := map[uint64]bool{}
	for seed := range uint64(200) {
		o := v.opening(rand.New(rand.NewPCG(seed, 2)), Game().OpeningPlies)
		s := newState(v)
		for _, m := range o.Moves {
			s.Play(m)
		}
		seen[s.Key()] = true
		if miss, quiet := s.unfairness(); miss != 0 || !quiet {
			t.Errorf("opening %d misses by %d, quiet %v:\n%s", seed, miss, quiet, s.Board(0).Text())
		}
		b := newBoard(v)
		b.load(&s)
		if b.has(black, threat) || b.has(white, threat) {
			t.Errorf("opening %d has a four:\n%s", seed, s.Board(0).Text())
		}
		if s.turn != black {
			t.Errorf("opening %d: white is to move", seed)
		}
	}
	if len(seen) != 200 {
		t.Errorf("%d different openings of 200", len(seen))
	}
}

// TestShortOpeningsAreDrawnOnce expects the first draw of openings of fewer than three stones,
// among which none is fairer, at the cost of one draw.
func TestShortOpeningsAreDrawnOnce(t *testing.T) {
	for plies := range 3 {
		v := variant{size: 15}
		_, want := v.draw(rand.New(rand.NewPCG(7, 1)), plies)
		one := testing.AllocsPerRun(5, func() { v.draw(rand.New(rand.NewPCG(7, 1)), plies) })
		var got engines.Opening
		all := testing.AllocsPerRun(5, func() { got = v.opening(rand.New(rand.NewPCG(7, 1)), plies) })
		if !slices.Equal(got.Moves, want) || all > 3*one+10 {
			t.Errorf("%d plies: %v with %v allocations, want %v of %v", plies, got.Moves, all, want, one)
		}
	}
}
