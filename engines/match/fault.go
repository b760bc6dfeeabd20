package match

import (
	"fmt"

	"selfplaylab/datasets"
	"selfplaylab/engines"
)

// FaultLimit says when a side faults too often for a match to mean anything:
// with more than Games games lost by a fault, which are more than Share of all
// games so far. It is judged pair by pair in schedule order. Both zero is no
// limit.
type FaultLimit struct {
	Games int     // at least 0
	Share float64 // 0 to 1
}

// IsZero reports whether there is no limit.
func (l FaultLimit) IsZero() bool { return l == FaultLimit{} }

// FaultError ends a campaign in which a side faults too often.
type FaultError struct {
	Who    int              // 0 is X, 1 is Than; A and B to people
	Faults int              // games it lost by a fault
	Games  int              // of all so far
	Game   datasets.GameRow // the last of its faults; Game.Game is -1 where a resumed run knows only the pair
	Detail string           // what went wrong in it
	Seed   uint64           // of the pair
}

// Error names the side, the counts, the game and its seed.
func (e *FaultError) Error() string {
	where := fmt.Sprintf("trial %d, pair %d", e.Game.Trial, e.Game.Pair)
	if e.Game.Game >= 0 {
		where += fmt.Sprintf(", game %d", e.Game.Game)
	}
	text := fmt.Sprintf("stopped: %s lost %d of %d games by its own faults; the last was %s (seed of the pair %d)",
		[]string{"A", "B"}[e.Who], e.Faults, e.Games, where, e.Seed)
	if e.Detail != "" {
		text += ": " + e.Game.Reason + ", " + e.Detail
	}
	return text
}

// tooMany reports whether, with these faults in these games more, a side has
// reached the limit.
func (c *Campaign) tooMany(faults [2]int, games int) (who int, reached bool) {
	if c.FaultLimit.IsZero() {
		return 0, false
	}
	for who := range faults {
		n := c.faults[who] + faults[who]
		if n > c.FaultLimit.Games && float64(n) > float64(c.FaultLimit.Share*float64(c.games+games)) {
			return who, true
		}
	}
	return 0, false
}

// faultError is the end of the campaign by a side's last fault, with these faults
// in these games beyond those of finished trials.
func (c *Campaign) faultError(who int, faults [2]int, games int, g datasets.GameRow, detail string, stream uint64) *FaultError {
	return &FaultError{
		Who: who, Faults: c.faults[who] + faults[who], Games: c.games + games,
		Game: g, Detail: detail, Seed: PairSeed(c.Seed, g.Phase, stream, int(g.Pair)),
	}
}

// faulted returns who lost a game by its own fault: 0 for X, 1 for Than.
func faulted(g *datasets.GameRow) (who int, is bool) {
	if !engines.Reason(g.Reason).Fault() {
		return 0, false
	}
	if g.XScore == 0 {
		return 0, true
	}
	return 1, true
}
