package quadratic

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplaylab/params/problem"
)

// TestStart: if there is nothing to gain, a recommendation stays near the start.
func TestStart(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 24,000 games")
	}
	for _, p := range problem.Exam(12) {
		if !strings.HasPrefix(p.Name, "0 Elo, 16 parameters") || strings.Contains(p.Name, "80 %") {
			continue
		}
		const repeats = 6
		lost := 0.0
		for seed := range uint64(repeats) {
			tuner := newTuner(t, Settings{Space: p.Space, Start: p.Start, Active: active(t, p.Space), Seed: seed, Pairs: 1000})
			chance := rand.New(rand.NewPCG(seed, 5))
			for trials := tuner.Ask(); len(trials) > 0; trials = tuner.Ask() {
				for _, trial := range trials {
					if err := tuner.Tell(trial, p.Play(trial, chance)); err != nil {
						t.Fatal(err)
					}
				}
			}
			lost -= p.Elo(tuner.Recommend(), p.Start) / repeats
		}
		t.Logf("%s: %.1f Elo lost", p.Name, lost)
		if lost > 3.5 {
			t.Errorf("%s: the recommendations are %.1f Elo below the start, want 3.5 at most", p.Name, lost)
		}
	}
}
