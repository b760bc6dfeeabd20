package datasets

import "testing"

func TestFaultNamesTheLosingPlayer(t *testing.T) {
	for _, test := range []struct {
		reason string
		score  float64
		player int
		ok     bool
	}{
		{"illegal", 0, 0, true}, {"time", 1, 1, true}, {"clock", 0, 0, true}, {"crash", 0, 0, true}, {"stall", 1, 1, true}, {"garbage", 0, 0, true},
		{"goal", 0, 0, false}, {"plies", 0.5, 0, false}, {"adjudicated", 1, 0, false}, {"", 0, 0, false},
	} {
		g := GameRow{Reason: test.reason, AScore: test.score}
		if player, ok := g.Fault(); player != test.player || ok != test.ok {
			t.Errorf("%s, X scored %v: %d, %v", test.reason, test.score, player, ok)
		}
	}
}
