package quoridor

import (
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// TestLinearTermsGiveEval expects that terms times weights plus the rest give the
// evaluation of the look-ahead, apart from rounding, while a side has a wall.
// The greedy formulas have no linear terms.
func TestLinearTermsGiveEval(t *testing.T) {
	game, w := Game(), space.Default()
	v, err := game.OpenText("")
	if err != nil || v.Linear(w, engines.Limits{}) != nil {
		t.Errorf("the greedy formulas are called linear (%v)", err)
	}
	linear := v.Linear(w, engines.Limits{Depth: 2})
	master := preset(t, "master")
	if got := len(v.Linear(master, engines.Limits{}).Names); got != len(linear.Names)+1 {
		t.Errorf("%d terms of master", got)
	}
	checkLinear(t, w, linear, 2)
	checkLinear(t, master, v.Linear(master, engines.Limits{}), 10) // a threat is rounded a step
}

func checkLinear(t *testing.T, w params.Vector, linear *engines.LinearTerms, rounding float64) {
	t.Helper()
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
			if want := float64(a.Eval()); sum-want > rounding || want-sum > rounding {
				t.Fatalf("%v, want %v in %s", sum, want, a.Board.String())
			}
			moves := a.Board.Moves(nil)
			a.Play(moves[r.IntN(len(moves))])
		}
	}
}
