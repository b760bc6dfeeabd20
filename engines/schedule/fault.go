package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
)

// FaultLimit ends a match in which a side faults so often that the result means nothing: the
// side loses more than Games games by a fault, and more than Share of all games of the phase so
// far. It is judged pair by pair in schedule order. The zero value is no limit.
type FaultLimit struct {
	Games int     // at least 1, unless there is no limit
	Share float64 // from 0 to below 1
}

// DefaultFaultLimit tolerates occasional faults.
var DefaultFaultLimit = FaultLimit{Games: 10, Share: 0.1}

// noFaultLimit is the text of the zero value.
const noFaultLimit = "off"

// IsZero reports whether there is no limit.
func (f FaultLimit) IsZero() bool { return f == FaultLimit{} }

// String returns "games=10,share=0.1", or "off".
func (f FaultLimit) String() string {
	if f.IsZero() {
		return noFaultLimit
	}
	return fmt.Sprintf("games=%d,share=%v", f.Games, f.Share)
}

// MarshalText returns the text that UnmarshalText reads.
func (f FaultLimit) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads "games=N,share=P", or "off" for no limit. An error names the wrong part.
func (f *FaultLimit) UnmarshalText(data []byte) error {
	text := string(data)
	if text == noFaultLimit {
		*f = FaultLimit{}
		return nil
	}
	games, share, ok := strings.Cut(text, ",")
	n, okGames := strings.CutPrefix(games, "games=")
	p, okShare := strings.CutPrefix(share, "share=")
	number, err := strconv.Atoi(n)
	part, err2 := strconv.ParseFloat(p, 64)
	if !ok || !okGames || !okShare || err != nil || err2 != nil || number < 1 || !(part >= 0 && part < 1) {
		return engines.ParseError("fault limit", text,
			fmt.Sprintf("want games=N,share=P with N at least 1 and P from 0 to below 1, such as %s, or %s", DefaultFaultLimit, noFaultLimit))
	}
	*f = FaultLimit{number, part}
	return nil
}

// FaultError ends a run in which a side faults too often.
type FaultError struct {
	Phase  string         // name of the phase
	Who    int            // the side that faults: 0 is A, 1 is B
	Name   string         // name of the player; "" if only the record is known
	Faults int            // games that it lost by a fault
	Games  int            // games of the phase so far
	Trial  int64          // trial of its last fault
	Pair   int            // pair of the last fault in the trial
	Game   int            // game of the pair; -1 if a resumed run knows only the pair
	Reason engines.Reason // kind of the last fault
	Detail string         // words on the last fault
	Seed   uint64         // seed of the pair
}

// Error names the player, the counts, the game and its seed. It names the side, too, because
// both sides of a tuning may be one program, and faults of the other side are not counted.
func (f *FaultError) Error() string {
	side := []string{"A", "B"}[f.Who]
	name := "one side"
	if f.Name != "" {
		name = f.Name
	}
	where := fmt.Sprintf("trial %d, pair %d", f.Trial, f.Pair)
	if f.Game >= 0 {
		where += fmt.Sprintf(", game %d", f.Game)
	}
	text := fmt.Sprintf("stopped: %s lost %d of %d games (%s, as %s) by its own faults; the last was %s (seed of the pair %d)",
		name, f.Faults, f.Games, f.Phase, side, where, f.Seed)
	if f.Detail != "" {
		text += fmt.Sprintf(": %s, %s", f.Reason, f.Detail)
	}
	return text
}

// faultRecord holds the counts that a FaultLimit judges.
type faultRecord struct {
	faults [2]int // games lost by a fault in finished trials, of A and B
	games  int    // games of finished trials
}

// add counts a finished trial.
func (f *faultRecord) add(t datasets.TrialRow) {
	f.faults[0] += int(t.FaultsA)
	f.faults[1] += int(t.FaultsB)
	f.games += int(t.Games)
}
