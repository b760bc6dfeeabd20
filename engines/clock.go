package engines

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Clock is the time of one side: Base for every Moves moves, or for the whole game
// where Moves is 0. In a player's limits it is the time control of each game; in the limits
// of a decision, Base is the time left. The zero value is no clock.
type Clock struct {
	Base  time.Duration
	Inc   time.Duration // added before the first move and after every move
	Moves int           // after this many moves Base is added again; 0 for never
}

// IsZero reports whether there is no clock.
func (c Clock) IsZero() bool { return c == Clock{} }

// Start returns the time on the clock before the first move: Base and one increment, as
// fastchess and cutechess give.
func (c Clock) Start() time.Duration { return c.Base + c.Inc }

// DefaultMargin is the default time overrun that is allowed per decision, by the
// referee's clock: it covers the cost of measuring and waking up.
const DefaultMargin = 20 * time.Millisecond

const (
	// defaultMoves is for how many more moves a clock for the whole game has to last:
	// more than most of our games take. The time left is divided again at every move.
	defaultMoves = 30
	// reserved is kept back from the clock, for decisions that overrun their time.
	reserved = 20 * time.Millisecond
)

// Share returns how much of the time left one decision may take: an equal share
// and three quarters of the increment, but never all of it.
func (c Clock) Share() time.Duration {
	moves := defaultMoves
	if c.Moves > 0 {
		moves = min(c.Moves, defaultMoves)
	}
	left := c.Base - min(reserved, c.Base/2)
	return max(min(left/time.Duration(moves)+c.Inc*3/4, left), 1)
}

// After returns the time left after a side's n-th move of the game (counted from
// 1), which took took of left.
func (c Clock) After(left, took time.Duration, n int) time.Duration {
	left = max(left-took, 0) + c.Inc
	if c.Moves > 0 && n%c.Moves == 0 {
		left += c.Base
	}
	return left
}

// String returns what parseClock reads, in seconds: "8+0.08", "40/60".
func (c Clock) String() string {
	text := seconds(c.Base)
	if c.Moves > 0 {
		text = strconv.Itoa(c.Moves) + "/" + text
	}
	if c.Inc > 0 {
		text += "+" + seconds(c.Inc)
	}
	return text
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

const clockWant = "want [MOVES/]TIME[+INCREMENT] in seconds or minutes:seconds, as cutechess does: 8+0.08, 40/60, 40/1:30+0.5, 0+5"

// parseClock reads [MOVES/]TIME[+INCREMENT]: times in seconds, in minutes:seconds,
// or with a unit (2m, 500ms). The words are those of cutechess.
func parseClock(text string) (c Clock, err error) {
	wrong := ParseError("clock", text, clockWant)
	rest := text
	if moves, after, ok := strings.Cut(text, "/"); ok {
		if c.Moves, err = strconv.Atoi(moves); err != nil || c.Moves < 1 {
			return Clock{}, wrong
		}
		rest = after
	}
	base, inc, ok := strings.Cut(rest, "+")
	if c.Base, err = parseSeconds(base); err != nil {
		return Clock{}, wrong
	}
	if ok {
		c.Inc, err = parseSeconds(inc)
	}
	if err != nil || c.Start() <= 0 {
		return Clock{}, wrong
	}
	return c, nil
}

// parseSeconds reads "8", "0.08", "1:30" or "500ms", not below 0.
func parseSeconds(text string) (time.Duration, error) {
	minutes := 0.0
	if m, s, ok := strings.Cut(text, ":"); ok {
		n, err := strconv.ParseUint(m, 10, 16)
		if err != nil {
			return 0, err
		}
		minutes, text = float64(n), s
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil && minutes == 0 {
		d, err := time.ParseDuration(text)
		return d, nonNegative(d, err)
	}
	if err == nil && !(x >= 0 && x < 1e9) {
		err = strconv.ErrRange
	}
	return time.Duration(math.Round((float64(60*minutes) + x) * 1e9)), err
}

func nonNegative(d time.Duration, err error) error {
	if err == nil && d < 0 {
		return strconv.ErrRange
	}
	return err
}

// check reports a clock out of the bounds of a budget of time.
func (c Clock) check(b Budget) error {
	longest := time.Duration(b.max())
	switch {
	case c.Start() < MinTime || c.Base > longest:
		return fmt.Errorf("tc=%v: want a time of %v to %v", c, MinTime, longest)
	case c.Inc > longest:
		return fmt.Errorf("tc=%v: want an increment of at most %v", c, longest)
	case c.Moves > MaxDepth:
		return fmt.Errorf("tc=%v: want at most %d moves before the slash", c, MaxDepth)
	}
	return nil
}
