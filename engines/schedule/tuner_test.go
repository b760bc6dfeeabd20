package schedule

import (
	"errors"
	"math"
	"slices"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/params"
	"selfplaylab/params/spsa"
)

// TestTrialOfAnotherTunerEndsReplay has a recorded trial that the tuner would not propose: it
// ends the replay, with and without an opponent. Trials proposed meanwhile are returned
// afterwards.
func TestTrialOfAnotherTunerEndsReplay(t *testing.T) {
	space := params.Space{{Name: "x", Min: -1, Max: 1, Step: .1}}
	set := spsa.Settings{Space: space, Start: params.Vector{0}, Active: []int{0}, Iterations: 90, Seed: 1}
	for name, opponents := range map[string][]player.Config{"alone": nil, "with an opponent": make([]player.Config, 1)} {
		t.Run(name, func(t *testing.T) {
			made := func() *TunerSource {
				tuner, err := spsa.New(set)
				if err != nil {
					t.Fatal(err)
				}
				return &TunerSource{PhaseName: "tune", Tuner: tuner, Opponents: Opponents{Players: opponents}}
			}
			whole, resumed := made(), made()
			trials := whole.Ask(0)
			for _, trial := range trials[:2] {
				row := datasets.TrialRow{Phase: "tune", A: trial.Seats[0].Values, B: trial.Seats[1].Values, Pairs: 1, WW: 1}
				if taken, err := resumed.Replay(row, nil); !taken || err != nil {
					t.Fatal(taken, err)
				}
				row.A = params.Vector{.123}
				if _, err := resumed.Replay(row, nil); !errors.Is(err, ErrDiverged) {
					t.Fatalf("another trial: %v", err)
				}
			}
			next := resumed.Ask(0)
			if !slices.Equal(next[0].Seats[0].Values, trials[2].Seats[0].Values) {
				t.Errorf("after the replay it asks for %v, want %v", next[0].Seats[0].Values, trials[2].Seats[0].Values)
			}
		})
	}
}

// TestCombinedScoreHasMeanAndVarianceOfDifference: the mean is 1/2 plus half the difference of
// the means, rounded to a half point. The variance is the variance of half the difference of
// two independent matches, or slightly more.
func TestCombinedScoreHasMeanAndVarianceOfDifference(t *testing.T) {
	moments := func(pairs [5]int) (n, mean, variance float64) { // in half points
		for points, k := range pairs {
			n += float64(k)
			mean += float64(k * points)
		}
		for points, k := range pairs {
			variance += float64(k) * math.Pow(float64(points)-mean/n, 2)
		}
		return n, mean / n, variance / n
	}
	for _, v := range [][2][5]int{
		{{50, 100, 200, 100, 60}, {80, 90, 100, 120, 120}}, {{0, 0, 0, 0, 301}, {301, 0, 0, 0, 0}}, {{301, 0, 0, 0, 0}, {0, 0, 0, 0, 301}},
		{{0, 400, 0, 100, 0}, {100, 0, 400, 0, 0}}, {{3, 0, 0, 0, 5}, {1, 2, 2, 2, 1}},
	} {
		n, a, va := moments(v[0])
		_, b, vb := moments(v[1])
		m, mean, variance := moments(CombineScores(v[0], v[1]))
		if left := 2*n + n*(a-b)/2 - m*mean; m != n || left < -1e-9 || left > 0.5+1e-9 {
			t.Errorf("%v beside %v: %v of %v pairs, %v half points left over", v[0], v[1], m, n, left)
		}
		if want := (va + vb) / 4; n > 100 && (variance < 0.9*want || variance > 1.1*want+0.25) { // 1/4 for the carried half points
			t.Errorf("%v beside %v: variance %v, want %v", v[0], v[1], variance, want)
		}
	}
	if got := CombineScores([5]int{}, [5]int{}); got != [5]int{} {
		t.Errorf("nothing beside nothing: %v", got)
	}
}

// TestResumeComparesRecordedTrials rejects a recorded trial that differs from the source's
// trial.
func TestResumeComparesRecordedTrials(t *testing.T) {
	for what, change := range map[string]func(*datasets.TrialRow){
		"":           func(*datasets.TrialRow) {},
		"number":     func(r *datasets.TrialRow) { r.Trial++ },
		"phase":      func(r *datasets.TrialRow) { r.Phase = "other" },
		"A":          func(r *datasets.TrialRow) { r.A = params.Vector{7} },
		"B":          func(r *datasets.TrialRow) { r.B = params.Vector{7} },
		"openings":   func(r *datasets.TrialRow) { r.Openings++ },
		"more pairs": func(r *datasets.TrialRow) { r.Pairs++ },
		"less pairs": func(r *datasets.TrialRow) { r.Pairs-- },
	} {
		row := datasets.TrialRow{Phase: phase, A: params.Vector{1}, B: params.Vector{2}, Openings: 3, Pairs: 2, Even: 2}
		change(&row)
		c := Runner{Replayed: func(yield func(Finished, error) bool) { yield(Finished{Trial: row}, nil) }}
		err := c.Run(t.Context(), &Match{
			PhaseName: phase, Seats: [2]player.Config{{Values: params.Vector{1}}, {Values: params.Vector{2}}}, Pairs: 2, First: 3,
		})
		if errors.Is(err, ErrDiverged) != (what != "") || what == "" && (err != nil || c.Close() != nil) {
			t.Errorf("another %q: %v", what, err)
		}
	}
	if (&Match{}).Tell(datasets.TrialRow{}, nil) == nil {
		t.Error("a trial that was not asked for is taken")
	}
}
