package mills

import (
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
)

// TestLinearTermsGiveEval expects that terms times weights give the evaluation.
func TestLinearTermsGiveEval(t *testing.T) {
	game := Game()
	for _, rules := range []string{"", "fly_at=3", "diagonals=no,men=9"} {
		v, err := game.OpenText(rules)
		if err != nil {
			t.Fatal(err)
		}
		r, checked := rand.New(rand.NewPCG(1, 2)), 0
		for _, p := range game.Presets {
			linear := v.Linear(p.Vector, game.Limits)
			row := make([]float32, len(linear.Names))
			ref := v.NewReferee()
			if err := ref.Reset(""); err != nil {
				t.Fatal(err)
			}
			for o, _ := ref.Result(); o == engines.Ongoing; o, _ = ref.Result() {
				terms, err := v.Evaluate(ref.String(), nil, p.Vector)
				rest, _, failed := linear.Row(ref.String(), row)
				if err != nil || failed != nil {
					t.Fatal(err, failed)
				}
				sum := float64(rest)
				for i, name := range linear.Names {
					sum += float64(row[i]) * p.Vector[game.Space.Index(name)]
				}
				if want := terms[len(terms)-1].Value.(int); sum != float64(want) {
					t.Fatalf("%s, %s: %v, want %d in %s", rules, p.Name, sum, want, ref)
				}
				checked++
				moves := ref.Moves(nil)
				ref.Play(moves[r.IntN(len(moves))])
			}
		}
		if checked < 100 {
			t.Errorf("%s: only %d positions", rules, checked)
		}
	}
}
