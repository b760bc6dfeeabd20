package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// FaultLimit says when a side faults too often for a match to mean anything:
// with more than Games games lost by a fault, which are more than Share of all
// games of its phase so far. It is judged pair by pair in schedule order. The
// zero value is no limit.
type FaultLimit struct {
	Games int     // at least 1
	Share float64 // 0 to below 1
}

// DefaultFaultLimit tolerates single faults and ends matches whose result says nothing.
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

// MarshalText writes what UnmarshalText reads.
func (f FaultLimit) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads "games=N,share=P", or "off" for no limit.
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
	Phase  string
	Who    int    // 0 is A, 1 is B
	Name   string // of the player; "" where only the record is known
	Faults int    // games it lost by a fault
	Games  int    // of the phase so far
	Trial  int64  // where the last of its faults is
	Pair   int
	Game   int // -1 where a resumed run knows only the pair
	Reason engines.Reason
	Detail string // what went wrong in it
	Seed   uint64 // of the pair
}

// Error names the player, the counts, the game and its seed. It names the side, too: both
// sides of a tuning may be one program, whose faults as the other side are not counted.
func (f *FaultError) Error() string {
	side := []string{"A", "B"}[f.Who]
	who := "one side"
	if f.Name != "" {
		who = f.Name
	}
	where := fmt.Sprintf("trial %d, pair %d", f.Trial, f.Pair)
	if f.Game >= 0 {
		where += fmt.Sprintf(", game %d", f.Game)
	}
	text := fmt.Sprintf("stopped: %s lost %d of %d games (%s, as %s) by its own faults; the last was %s (seed of the pair %d)",
		who, f.Faults, f.Games, f.Phase, side, where, f.Seed)
	if f.Detail != "" {
		text += fmt.Sprintf(": %s, %s", f.Reason, f.Detail)
	}
	return text
}

// faultRecord is what a FaultLimit judges.
type faultRecord struct {
	faults [2]int // games lost by a fault in finished trials: A's, B's
	games  int    // of finished trials
}

func (f *faultRecord) add(t datasets.TrialRow) {
	f.faults[0] += int(t.FaultsA)
	f.faults[1] += int(t.FaultsB)
	f.games += int(t.Games)
}

// verdict is the record of a phase.
func (r *Runner) verdict(phase string) *faultRecord {
	if r.verdicts == nil {
		r.verdicts = map[string]*faultRecord{}
	}
	if r.verdicts[phase] == nil {
		r.verdicts[phase] = &faultRecord{}
	}
	return r.verdicts[phase]
}

// tooMany reports whether, with these faults in these games more, a side has
// reached the limit.
func (r *Runner) tooMany(phase string, faults [2]int, games int) (who int, reached bool) {
	if r.FaultLimit.IsZero() {
		return 0, false
	}
	so := r.verdict(phase)
	for who := range faults {
		n := so.faults[who] + faults[who]
		if n > r.FaultLimit.Games && float64(n) > float64(r.FaultLimit.Share*float64(so.games+games)) {
			return who, true
		}
	}
	return 0, false
}

// faultError is the end of the run by a side's last fault, with these faults
// in these games beyond those of finished trials.
func (r *Runner) faultError(who int, phase string, faults [2]int, games int) *FaultError {
	so := r.verdict(phase)
	return &FaultError{Phase: phase, Who: who, Faults: so.faults[who] + faults[who], Games: so.games + games, Game: -1}
}

// faultOf is the same with the pair in which it happened.
func (r *Runner) faultOf(who int, u *underway, p *play.Pair) *FaultError {
	e := r.faultError(who, u.trial.Phase, u.faults, 2*u.counted)
	e.Name, e.Trial, e.Pair = u.trial.Seats[who].Name, u.number, p.Number
	e.Seed = play.PairSeed(r.Setup.Seed, u.trial.Stream, u.trial.Openings, p.Number)
	for n := range p.Games {
		if f, is := p.Games[n].Faulted(n); is && f == who {
			e.Game, e.Reason, e.Detail = n, p.Games[n].Reason, p.Games[n].Detail
			break
		}
	}
	return e
}
