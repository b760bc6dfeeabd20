package quoridor

import (
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

// perftCases come from the project's rule specification.
// The standard numbers agree with OpenSpiel, and 247,569,030
// is also the number that the Rust engine titanium publishes.
var perftCases = []struct {
	position       string
	seed, standard []uint64
}{
	{"e1 e9 10 10 0 h:- v:-", []uint64{131, 16805, 2110468, 259360832}, []uint64{131, 16677, 2062264, 247569030}},
	{"e5 e6 10 10 1 h:- v:-", []uint64{132, 17062}, []uint64{132, 16938}},
	{"e5 e6 9 9 1 h:a1,e4 v:-", []uint64{126, 15533}, []uint64{126, 15176}},
	{"b5 a5 9 10 0 h:h1 v:-", []uint64{129, 16289}, []uint64{130, 16171}},
	{"e4 e6 8 8 0 h:d4,f5 v:c3,e6", []uint64{119, 13842}, []uint64{115, 12819}},
	{"b6 a6 2 3 1 h:c4,d5,d7,e1,f4,f8,h6 v:b5,c6,d1,d4,d8,e7,f7,h1", []uint64{89, 7354, 615850}, []uint64{80, 6135, 450521}},
	{
		"f2 f9 0 0 1 h:b4,b6,d1,d2,d4,d7,e8,f2,f6,g1,h7 v:b2,c8,d5,e5,f1,f7,g6,h2,h8",
		[]uint64{2, 4, 10, 20, 44, 88, 200, 425, 969},
		[]uint64{2, 4, 10, 20, 44, 88, 200, 425, 969},
	},
	{"c4 c3 0 1 1 h:b4,c2,c7,e3,e8,g2,h5 v:a1,b4,b7,c3,c5,d3,e6,f2,f5,f8,g3,h7", []uint64{1, 1, 75}, nil},
}

func TestPerftMatchesKnownCounts(t *testing.T) {
	for _, c := range perftCases {
		for standard, want := range map[bool][]uint64{false: c.seed, true: c.standard} {
			b := newBoard(standard)
			if want == nil {
				continue
			}
			if err := b.SetText(c.position); err != nil {
				t.Fatalf("%s: %v", c.position, err)
			}
			if b.String() != c.position {
				t.Errorf("text %q reads back as %q", c.position, b.String())
			}
			for i, n := range want {
				if !testmode.Long() && n > 1e8 {
					continue
				}
				if got := engines.Perft[Board](&b, i+1); got != n {
					t.Errorf("%s standard=%v: perft(%d) = %d, want %d", c.position, standard, i+1, got, n)
				}
			}
		}
	}
}

// TestLegalMovesAreListed expects that a move is legal if and only if it is listed.
// Walls that close the last path are not.
func TestLegalMovesAreListed(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, rules := range []string{"seed", "standard"} {
		v, err := Game().Open(engines.Rules{"variant": rules})
		if err != nil {
			t.Fatal(err)
		}
		ref := v.NewReferee()
		for range 8 {
			if err := ref.Reset(""); err != nil {
				t.Fatal(err)
			}
			for range 24 {
				if o, _ := ref.Result(); o != engines.Ongoing {
					break
				}
				moves := ref.Moves(nil)
				for m := range engines.Move(0x400) {
					if ref.Legal(m) != slices.Contains(moves, m) {
						t.Fatalf("%s: %#x in %s: legal %v", rules, m, ref, ref.Legal(m))
					}
				}
				ref.Play(moves[r.IntN(len(moves))])
			}
		}
	}
}
