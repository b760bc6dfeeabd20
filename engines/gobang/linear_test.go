package gobang

import (
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
)

// TestLinearTermsGiveEval expects that terms times
// weights plus the rest give the evaluation of a field.
// The source's evaluator has no linear terms.
func TestLinearTermsGiveEval(t *testing.T) {
	game := Game()
	v, err := game.OpenText("")
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := game.Preset("fixed")
	if err != nil || v.Linear(fixed.Vector, game.Limits) != nil {
		t.Errorf("the source's evaluator is called linear (%v)", err)
	}
	r, checked := rand.New(rand.NewPCG(1, 2)), 0
	for _, p := range game.Presets {
		linear := v.Linear(p.Vector, game.Limits)
		if linear == nil {
			continue
		}
		f := newField(variant{size: 15})
		f.configure(p.Vector)
		row := make([]float32, len(linear.Names))
		for range 10 {
			s := newState(variant{size: 15})
			for s.Outcome() == engines.Ongoing && s.count < 60 {
				moves := s.Moves(nil)
				s.Play(moves[r.IntN(len(moves))])
				rest, _, err := linear.Row(s.String(), row)
				if err != nil {
					t.Fatal(err)
				}
				f.load(&s)
				sum := float64(rest)
				for i, name := range linear.Names {
					sum += float64(row[i]) * p.Vector[space.Index(name)]
				}
				if want := float64(f.Eval()); sum-want > 1 || want-sum > 1 { // the learned part is rounded
					t.Fatalf("%s: %v, want %v in %s", p.Name, sum, want, s.String())
				}
				checked++
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d positions", checked)
	}
}
