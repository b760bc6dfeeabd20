package analysis

import "testing"

// TestStandingString: the number of games is rounded up to two digits.
func TestStandingString(t *testing.T) {
	const none = "no reliable recommendation yet; "
	for want, s := range map[string]Standing{
		"the tuning's own games show a gain":                                {Reliable: true, unit: "game"},
		none + "the tuning's own games suggest no gain":                     {unit: "game"},
		none + "so far from the start, only a verification can show a gain": {Far: true, unit: "game"},
		none + "about 1,300 more games needed":                              {MoreGames: 1201, unit: "game"},
		none + "about 7 more comparisons needed":                            {MoreGames: 7, unit: "comparison"},
		none + "about 2,200,000,000 more games needed":                      {MoreGames: 1<<31 - 1, unit: "game"},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
