package analysis

import "testing"

// TestStandingRoundsGamesUp expects the number of games rounded up to two digits.
func TestStandingRoundsGamesUp(t *testing.T) {
	const none = "no reliable recommendation yet; "
	gain := &span{Elo: 30, Low: -3.04, High: 63}
	for want, s := range map[string]Standing{
		"the tuning's own games show a gain": {Reliable: true},
		"the tuning's own games show a gain; its recommendations scored +30.0 Elo (95 %: from -3.0 to +63.0) over the start in 50 games": {Reliable: true,
			Played: gain, PlayedGames: 50},
		none + "the tuning's own games suggest no gain":                                                                       {},
		none + "its games hardly compare the tuned values with the start, and only a verification can show a gain":            {Far: true},
		none + "it needs at least 390 more games or a verification":                                                           {Few: true, MoreGames: 382},
		none + "about 7 games of verification show the gain if it is what it seems":                                           {MoreGames: 7},
		none + "about 2,200,000,000 games of verification show the gain if it is what it seems":                               {MoreGames: 1<<31 - 1},
		none + "about 1,300 games of verification show the gain if it is what it seems, +30.0 Elo (95 %: from -3.0 to +63.0)": {MoreGames: 1201, Gain: gain},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
