package runs

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines/player"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Test is a sequential test, a schedule.Verdict, or none: the zero value.
type Test struct {
	rating.SPRT
	Given bool
}

// MarshalText writes the test for UnmarshalText; "" for none.
func (t Test) MarshalText() ([]byte, error) {
	if !t.Given {
		return nil, nil
	}
	return []byte(t.String()), nil
}

// UnmarshalText reads the text of rating.ParseSPRT; "" is none.
func (t *Test) UnmarshalText(text []byte) (err error) {
	if *t = (Test{}); len(text) == 0 {
		return nil
	}
	t.Given = true
	t.SPRT, err = rating.ParseSPRT(string(text))
	return err
}

func (t Test) Decided(pairs [5]int) bool { return t.Pairs(pairs).State != rating.Continue }

// At returns the state of the test after these pairs; nil without a test.
func (t Test) At(pairs rating.Pairs) *rating.Progress {
	if !t.Given {
		return nil
	}
	return new(t.Pairs(pairs))
}

// LimitsOf describes the budgets of players for people: one text if all have the
// same.
func LimitsOf(players ...player.Config) string {
	if len(players) > 0 && !slices.ContainsFunc(players, func(p player.Config) bool { return p.Limits != players[0].Limits }) {
		return players[0].Limits.String()
	}
	return strings.Join(text.Each(players, func(p player.Config) string { return p.Name + ": " + p.Limits.String() }), "; ")
}

// LimitsName returns a budget as tables show it.
func LimitsName(p player.Config) string {
	if p.Limits.IsZero() {
		return "no limits"
	}
	return p.Limits.String()
}

// Unfinished describes how far a run is, before its result.
func Unfinished(done, planned string, result string) string {
	return fmt.Sprintf("unfinished, %s of %s: %s", done, planned, result)
}

// NothingYet is the result of a run without games.
const NothingYet = "no game recorded yet"
