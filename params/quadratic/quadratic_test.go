package quadratic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/problem"
	"selfplaylab/params/tunertest"
)

func active(t testing.TB, space params.Space) []int {
	t.Helper()
	list, err := space.Active(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func settings(t testing.TB, p problem.Problem, pairs int) Settings {
	return Settings{Space: p.Space, Start: p.Start, Active: active(t, p.Space), Seed: 5, Pairs: pairs}
}

func newTuner(t testing.TB, set Settings) *Tuner {
	t.Helper()
	tuner, err := New(set)
	if err != nil {
		t.Fatal(err)
	}
	return tuner
}

// play lets a tuner play until it has no more trials, or until a number of pairs is played.
func play(t testing.TB, tuner *Tuner, pairs int, answer func(params.Trial) params.Score) {
	t.Helper()
	played := 0
	for waiting := tuner.Ask(); len(waiting) > 0 && played < pairs; waiting = append(waiting[1:], tuner.Ask()...) {
		s := answer(waiting[0])
		played += s.N()
		if err := tuner.Tell(waiting[0], s); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPromises(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes on many problems")
	}
	// The start is 4 x (25 + 25 + 12.25 + 36) = 392 Elo below the optimum.
	tunertest.Run(t, 385, func() params.Tuner {
		return newTuner(t, Settings{
			Space: tunertest.Space, Start: tunertest.Space.Default(), Active: active(t, tunertest.Space), Seed: 3, Pairs: 3000,
		})
	})
	t.Run("no budget", func(t *testing.T) {
		tunertest.Run(t, 350, func() params.Tuner {
			return newTuner(t, Settings{Space: tunertest.Space, Start: tunertest.Space.Default(), Active: active(t, tunertest.Space), Seed: 4})
		})
	})
}

// TestRows: trials grow, so that a million pairs of fits have a few thousand rows; a walk has
// some more.
func TestRows(t *testing.T) {
	for stage, most := range map[stage]int{fitting: 5000, walking: 10_000} {
		tuner := Tuner{stage: stage}
		rows := 0
		for before := 0; before < 1e6; rows++ {
			before += tuner.trialPairs(before)
		}
		if rows > most {
			t.Errorf("stage %d: a million pairs are %d rows, want %d at most", stage, rows, most)
		}
	}
}

// TestBudget plays the budget to the last pair. The budget changes no proposal before its end,
// and a run continues when it is raised.
func TestBudget(t *testing.T) {
	p := problem.Copies(problem.Log(), 2)
	for _, budget := range []int{1, 2, 7, 777} {
		tuner := newTuner(t, settings(t, p, budget))
		endless := newTuner(t, settings(t, p, 0))
		r := rand.New(rand.NewPCG(1, 1))
		total := 0
		for again := range 2 {
			tuner.SetPairs(budget * (again + 1))
			for trials := tuner.Ask(); len(trials) > 0; trials = tuner.Ask() {
				for _, trial := range trials {
					s := p.Play(trial, r)
					total += s.N()
					if err := tuner.Tell(trial, s); err != nil {
						t.Fatal(err)
					}
					if err := endless.Tell(trial, s); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !slices.Equal(tuner.latest.m, endless.latest.m) {
				t.Errorf("budget %d: the centre is %v, without a budget %v", budget, tuner.latest.m, endless.latest.m)
			}
		}
		if total != 2*budget {
			t.Errorf("%d pairs played, want %d", total, 2*budget)
		}
	}
}
