package schedule

import (
	"errors"
	"slices"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/params"
	"selfplaylab/params/spsa"
)

// TestReplayOfAnotherTuner: a recorded trial that the tuner would not propose ends the replay,
// alone or with an opponent, and what was proposed meanwhile is asked for afterwards.
func TestReplayOfAnotherTuner(t *testing.T) {
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
			asked := whole.Ask(0)
			for _, trial := range asked[:2] {
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
			if !slices.Equal(next[0].Seats[0].Values, asked[2].Seats[0].Values) {
				t.Errorf("after the replay it asks for %v, want %v", next[0].Seats[0].Values, asked[2].Seats[0].Values)
			}
		})
	}
}
