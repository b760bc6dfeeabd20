package analysis

import (
	"fmt"
	"math"
	"strconv"

	"selfplaylab/params/quadratic"
	"selfplaylab/reports/text"
)

// Standing is the evidence of a tuner's own games on its recommendation against the start. Text,
// page, JSON and the choice of the values to use are made of it.
type Standing struct {
	Gain      *span `json:"gain"`       // 95 % interval, as in Analysis; nil where far or few
	Reliable  bool  `json:"reliable"`   // the interval of the gain is above 0
	MoreGames int   `json:"more_games"` // of a verification, about, to show the gain if it is as estimated; 0 if reliable or unknown
	Few       bool  `json:"few"`        // games for any claim but that MoreGames of the tuning are the least that are needed

	Far bool `json:"far"` // its games hardly compare the tuned values with the start

	// Played is the score of recommendations over the start in the PlayedGames games between them
	// in the second half of the tuning: a 95 % interval that holds at any time; nil without such
	// games.
	Played      *span `json:"played"`
	PlayedGames int   `json:"played_games"`
}

// NewStanding returns the standing of a tuner that has learned a history.
func NewStanding(h *History, s quadratic.Standing) *Standing {
	f := fit{History: h, z: quadratic.ShownGain, elo: eloOf(h)}
	standing := &Standing{Reliable: s.Reliable, MoreGames: s.MoreGames, Few: s.Few, Far: s.Far}
	if gain := f.interval(s.Gain); !s.Far && !s.Few {
		gain.High = f.interval(quadratic.Estimate{Value: s.High}).Elo
		standing.Gain = &gain
	}
	if f.z = quadratic.ShownAnyTime; s.PlayedPairs > 0 {
		standing.Played, standing.PlayedGames = new(f.interval(s.Played)), 2*s.PlayedPairs
	}
	return standing
}

// scored writes the score of recommendations over the start.
func (s *Standing) scored() string {
	if s.Played == nil {
		return ""
	}
	return fmt.Sprintf("; its recommendations scored %s Elo (95 %%: %s) over the start in %s", text.Signed(s.Played.Elo, 1),
		text.Ends(s.Played.Low, s.Played.High, 1), text.Plural(s.PlayedGames, "game"))
}

// String writes the standing as a clause.
func (s *Standing) String() string {
	const none = "no reliable recommendation yet; "
	shown := none + "about " + About(s.MoreGames, "game") + " of verification show the gain if it is what it seems"
	switch {
	case s.Reliable:
		return "the tuning's own games show a gain" + s.scored()
	case s.Far:
		return none + "its games hardly compare the tuned values with the start, and only a verification can show a gain" + s.scored()
	case s.Few:
		return none + "it needs at least " + About(s.MoreGames, "more game") + " or a verification"
	case s.MoreGames == 0:
		return none + "the tuning's own games suggest no gain" + s.scored()
	case s.Gain == nil:
		return shown
	}
	return fmt.Sprintf("%s, %s Elo (95 %%: %s)", shown, text.Signed(s.Gain.Elo, 1),
		text.Ends(s.Gain.Low, s.Gain.High, 1))
}

// About returns a number of games or more games, rounded up to two digits.
func About(n int, noun string) string {
	digit := int64(math.Pow10(max(len(strconv.Itoa(n))-2, 0)))
	return text.Plural((int64(n)+digit-1)/digit*digit, noun)
}
