package tuning

import (
	"testing"

	"selfplaylab/engines/runs/tuning/analysis"
)

// TestOutlookFollowsIntervals expects growth only where two intervals are apart, and a flat stretch that is
// as long as all intervals overlap the latest one.
func TestOutlookFollowsIntervals(t *testing.T) {
	at := func(games int64, low, high float64) analysis.Measured {
		return analysis.Measured{Games: games, Elo: (low + high) / 2, Low: low, High: high}
	}
	for want, list := range map[string][]analysis.Measured{
		"": {at(1000, 0, 50)},
		"Still improving: +60 Elo in the last 1,000 games.":         {at(2000, 0, 40), at(3000, 60, 100)},
		"Flat for 2,000 games: no change of its strength is shown.": {at(1000, 0, 40), at(2000, 30, 80), at(3000, 35, 70)},
		"Flat for 1,000 games: no change of its strength is shown.": {at(1000, 0, 20), at(5000, 50, 80), at(6000, 55, 70)},
		"Flat for 500 games: no change of its strength is shown.":   {{Games: 100, Few: true}, at(5500, 50, 80), at(6000, 55, 70)},
	} {
		if got := outlook(list); got != want {
			t.Errorf("%+v: %q, want %q", list, got, want)
		}
	}
}
