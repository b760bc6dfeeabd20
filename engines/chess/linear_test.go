package chess

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

// TestLinearTermsGiveEval draws weights at random and
// expects that terms times weights give the evaluation.
// A position in check, or with a capture that may win, is not quiet.
func TestLinearTermsGiveEval(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many positions")
	}
	v, err := Game().OpenText("")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := engines.ParseRules(v.Rules)
	if err != nil {
		t.Fatal(err)
	}
	s, err := read(rules)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	vector := gameSpace().Default()
	checked, quiets := 0, 0
	for game := range testmode.Times(20, 2) {
		vector[gameSpace().Index(paramExchange)] = float64(game % 2) // adds terms
		linear := v.Linear(vector, defaultLimits)
		row := make([]float32, len(linear.Names))
		for _, name := range linear.Names {
			i := gameSpace().Index(name)
			vector[i] = math.Round(gameSpace()[i].Min + r.Float64()*(gameSpace()[i].Max-gameSpace()[i].Min))
		}
		w := newWeights(vector)
		p := s.start
		for range 80 {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			p.Play(moves[r.IntN(len(moves))])
			_, quiet, err := linear.Row(p.String(), row)
			if err != nil {
				t.Fatal(err)
			}
			var sum float64
			for i, name := range linear.Names {
				sum += float64(row[i]) * vector[gameSpace().Index(name)]
			}
			if want := float64(w.evaluate(&p, w.material(&p, 0)-w.material(&p, 1))); math.Abs(sum-want) > 1.1 { // tapering rounds
				t.Fatalf("%v, want %v in %s", sum, want, p.String())
			}
			if quiet && p.checkers() != 0 {
				t.Errorf("in check, and called quiet: %s", p.String())
			}
			checked++
			if quiet {
				quiets++
			}
		}
	}
	if checked < 1000 || quiets < checked/20 || quiets == checked {
		t.Errorf("%d of %d positions are quiet", quiets, checked)
	}
}

// TestQuietPositionsGainNothing: for a player with exchanges a position is quiet if captures gain
// nothing, although there are some.
func TestQuietPositionsGainNothing(t *testing.T) {
	v, err := Game().OpenText("")
	if err != nil {
		t.Fatal(err)
	}
	start, err := gameSpace().Set(gameSpace().Default(), []string{"exchange=on"})
	if err != nil {
		t.Fatal(err)
	}
	linear := v.Linear(start, engines.Limits{})
	row := make([]float32, len(linear.Names))
	for position, want := range map[string]bool{
		"3rk3/8/8/8/8/8/8/3RK3 w - -":   true,  // a rook for a rook
		"3rk3/8/8/3p4/8/8/8/3RK3 w - -": true,  // the pawn is defended
		"4k3/8/8/3p4/8/8/8/3RK3 w - -":  false, // it is not
		"4k3/8/8/8/8/8/4r3/4K3 w - -":   false, // check
	} {
		if _, quiet, err := linear.Row(position, row); err != nil || quiet != want {
			t.Errorf("%s: quiet %v (%v), want %v", position, quiet, err, want)
		}
	}
}

// TestQuietPositionsLackGoodCaptures: a capture that loses material to a pawn leaves a position
// quiet, other captures do not. Positions decided by material are left out.
func TestQuietPositionsLackGoodCaptures(t *testing.T) {
	v, err := Game().OpenText("")
	if err != nil {
		t.Fatal(err)
	}
	linear := v.Linear(gameSpace().Default(), engines.Limits{})
	row := make([]float32, len(linear.Names))
	for position, want := range map[string]bool{
		"q3k3/8/2p5/3p4/8/8/8/3QK3 w - -": true,  // the pawn is defended by another
		"4k3/8/8/3p4/8/8/8/3QK3 w - -":    false, // the pawn is undefended
		"4k3/8/8/8/8/8/8/r2QK3 b - -":     false,
		"4k3/8/8/8/8/8/4r3/4K3 w - -":     false, // check
		"4k3/8/8/8/8/8/8/3QK3 w - -":      false, // a queen ahead: decided
		"3rk3/8/8/8/8/8/8/4K2R w - -":     true,
		"2b1k3/8/8/8/8/8/5PP1/4K2R w - -": true, // four pawns ahead
		"4k3/8/8/8/8/8/6P1/4K2R b - -":    false,
	} {
		if _, quiet, err := linear.Row(position, row); err != nil || quiet != want {
			t.Errorf("%s: quiet %v (%v), want %v", position, quiet, err, want)
		}
	}
}
