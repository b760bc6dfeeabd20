package engines

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Clock is a side's time for many moves: Base for Moves of them, or for the whole
// game where Moves is 0. Among an entrant's limits it is what each game begins
// with; among those of a decision, what is left of it. The zero value is no clock.
type Clock struct {
	Base  time.Duration
	Inc   time.Duration // what every move made adds
	Moves int           // after which Base is added anew; 0 for never
}

// IsZero reports whether there is no clock.
func (c Clock) IsZero() bool { return c == Clock{} }

// UsualMargin is how much longer than it may a decision can take by the referee's
// clock before it counts as late, where nobody says otherwise: the cost of
// measuring and waking up.
const UsualMargin = 20 * time.Millisecond

const (
	// usualMoves is how many more moves a clock for a whole game has to last: more
	// than most games of the catalogue take, and what is left is divided anew at
	// every move.
	usualMoves = 30
	// reserved is what of a clock no decision is given, for what decisions take
	// longer than they may.
	reserved = 20 * time.Millisecond
)

// Share returns what one decision may take of what is left: an equal part, most
// of the increment, and never all.
func (c Clock) Share() time.Duration {
	moves := usualMoves
	if c.Moves > 0 {
		moves = min(c.Moves, usualMoves)
	}
	left := c.Base - min(reserved, c.Base/2)
	return max(min(left/time.Duration(moves)+c.Inc*3/4, left), 1)
}

// After returns what is left of a clock after a side's n-th move of the game, from
// 1, which took so long of what was left before.
func (c Clock) After(left, took time.Duration, n int) time.Duration {
	left = max(left-took, 0) + c.Inc
	if c.Moves > 0 && n%c.Moves == 0 {
		left += c.Base
	}
	return left
}

// String returns what ParseClock reads, in seconds: "8+0.08", "40/60".
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

const clockWant = "want [MOVES/]TIME[+INCREMENT] in seconds or minutes:seconds, as cutechess does: 8+0.08, 40/60, 40/1:30+0.5"

// ParseClock reads [MOVES/]TIME[+INCREMENT]: times in seconds, in minutes:seconds,
// or with a unit (2m, 500ms). The words are those of cutechess.
func ParseClock(text string) (c Clock, err error) {
	wrong := ParseError("clock", text, clockWant)
	rest := text
	if moves, after, ok := strings.Cut(text, "/"); ok {
		if c.Moves, err = strconv.Atoi(moves); err != nil || c.Moves < 1 {
			return Clock{}, wrong
		}
		rest = after
	}
	base, inc, ok := strings.Cut(rest, "+")
	if c.Base, err = parseSeconds(base); err != nil || c.Base <= 0 {
		return Clock{}, wrong
	}
	if !ok {
		return c, nil
	}
	if c.Inc, err = parseSeconds(inc); err != nil {
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
	most := time.Duration(b.most())
	switch {
	case c.Base < MinTime || c.Base > most:
		return fmt.Errorf("tc=%v: want a time of %v to %v", c, MinTime, most)
	case c.Inc > most:
		return fmt.Errorf("tc=%v: want an increment of at most %v", c, most)
	case c.Moves > MaxDepth:
		return fmt.Errorf("tc=%v: want at most %d moves before the slash", c, MaxDepth)
	}
	return nil
}
