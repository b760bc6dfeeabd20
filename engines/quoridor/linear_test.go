package quoridor

import (
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
)

// TestLinear: terms times weights and the rest are the evaluation of the look-ahead, while
// somebody has a wall, but for rounding. The greedy formulas have no linear terms.
func TestLinear(t *testing.T) {
	game, w := Game(), space.Default()
	v, err := game.OpenText("")
	if err != nil || v.Linear(w, engines.Limits{}) != nil {
		t.Errorf("the greedy formulas are called linear (%v)", err)
	}
	linear := v.Linear(w, engines.Limits{Depth: 2})
	row := make([]float32, len(linear.Names))
	o := &outlook{}
	o.set(w)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		a := o.at(newBoard(false))
		for a.Outcome() == engines.Ongoing && a.walls != [2]uint8{} {
			rest, _, err := linear.Row(a.Board.String(), row)
			if err != nil {
				t.Fatal(err)
			}
			sum := float64(rest)
			for i, name := range linear.Names {
				sum += float64(row[i]) * w[space.Index(name)]
			}
			if want := float64(a.Eval()); sum-want > 2 || want-sum > 2 {
				t.Fatalf("%v, want %v in %s", sum, want, a.Board.String())
			}
			moves := a.Board.Moves(nil)
			a.Play(moves[r.IntN(len(moves))])
		}
	}
}
