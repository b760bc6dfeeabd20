package match

import (
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// TestScoreWithoutFaultyPairs expects a second score next to the score of all: that of the pairs
// without a game lost by a fault.
func TestScoreWithoutFaultyPairs(t *testing.T) {
	r := &Result{Config: &Config{}, reasons: [2]runs.FaultCounts{{}, {}}}
	r.Config.Level = 0.95
	pair := func(n int, aScores [2]float64, reasons [2]engines.Reason) {
		f := schedule.Finished{Trial: datasets.TrialRow{}}
		for i, score := range aScores {
			outcome := engines.FirstWins
			if (score == 1) != (i == 0) {
				outcome = engines.SecondWins
			}
			f.Games = append(f.Games, datasets.GameRow{Pair: int32(n), Game: int32(i), AScore: score, Outcome: outcome.String(), Reason: string(reasons[i])})
			if reasons[i].Fault() {
				f.Trial.FaultsB++
			}
		}
		if err := r.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	var none strings.Builder // a match that failed before its first pair has no score
	if r.table().Print(&none); !strings.HasSuffix(none.String(), "A's score  no pairs played\n") {
		t.Errorf("%s", &none)
	}
	pair(0, [2]float64{1, 0}, [2]engines.Reason{"goal", "goal"})
	if text := strings.Join(r.cautions(), " "); strings.Contains(text, "without such a game") || r.faultlessJSON() != nil {
		t.Error(text)
	}
	pair(1, [2]float64{1, 1}, [2]engines.Reason{"goal", engines.Crash})
	pair(2, [2]float64{1, 0}, [2]engines.Reason{engines.Stall, "goal"})
	pair(3, [2]float64{0, 0}, [2]engines.Reason{"goal", "goal"})
	if r.clean.N() != 2 || r.clean.Estimate(0.95).Score != 0.25 || r.faultlessJSON() == nil {
		t.Errorf("%v", r.clean)
	}
	if !slices.ContainsFunc(r.cautions(), func(c string) bool {
		return strings.Contains(c, "B 2 games by faults (B: 1 by crash, 1 by stall)") && strings.Contains(c, "In the 2 pairs without such a game A scores 25.0 %, ")
	}) {
		t.Error(r.cautions())
	}
}
