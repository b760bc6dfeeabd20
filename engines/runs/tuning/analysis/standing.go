package analysis

import (
	"fmt"
	"math"
	"strconv"

	"selfplaylab/params/quadratic"
	"selfplaylab/reports/text"
)

// Standing is what a tuner's own games show about its recommendation against the start.
// Text, page, JSON and the choice of the values to use are made of it.
type Standing struct {
	Gain      *span `json:"gain"`       // 95 % interval, as in Analysis; nil where far, and for an objective by value
	Reliable  bool  `json:"reliable"`   // the interval of the gain is above 0
	MoreGames int   `json:"more_games"` // about how many more make it so; 0 where reliable or not known

	Far bool `json:"far"` // from the start: its games hardly compare both

	unit string
}

// NewStanding returns the standing of a tuner that was told a history, whose budget counts
// units of a name.
func NewStanding(h *History, s quadratic.Standing, unit string) *Standing {
	f := fit{History: h, z: quadratic.ShownGain, elo: eloOf(h)}
	standing := &Standing{Reliable: s.Reliable, MoreGames: s.MoreGames, Far: s.Far, unit: unit}
	if gain := f.interval(s.Gain); !s.Far {
		standing.Gain = &gain
	}
	return standing
}

// String says it in a clause.
func (s *Standing) String() string {
	switch {
	case s.Reliable:
		return "the tuning's own games show a gain"
	case s.Far:
		return "no reliable recommendation yet; so far from the start, only a verification can show a gain"
	case s.MoreGames == 0:
		return "no reliable recommendation yet; the tuning's own games suggest no gain"
	}
	return fmt.Sprintf("no reliable recommendation yet; about %s needed", aboutMore(s.MoreGames, s.unit))
}

// aboutMore is a number of further units, rounded up to two digits.
func aboutMore(n int, unit string) string {
	digit := int64(math.Pow10(max(len(strconv.Itoa(n))-2, 0)))
	return text.Plural((int64(n)+digit-1)/digit*digit, "more "+unit)
}
