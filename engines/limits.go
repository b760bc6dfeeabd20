package engines

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Limits bounds one decision. Zero means unlimited in that respect; all zero
// means whatever the player does by itself.
type Limits struct {
	Depth    int           // plies
	Nodes    int64         // the player's own node count
	Playouts int64         // random games, for tree search by playouts
	Time     time.Duration // wall clock: such games do not repeat exactly
	// Clock is the time for all moves of a game, instead of Time. In the limits of a
	// decision it is the time left, and Other is the opponent's, zero if it has no
	// clock. A player's own limits have no Other.
	Clock, Other Clock
	// Margin is the time overrun allowed per decision; 0 leaves it to the match,
	// NoMargin allows none.
	Margin time.Duration
	// Overlook is the chance, in [0, 1), that the player overlooks its best move, and
	// then the next best, and so on: it weakens a player (see Decide).
	Overlook float64
}

// NoMargin, as Limits.Margin, is a margin of 0.
const NoMargin time.Duration = -1

// Timed reports whether the decision is limited by wall-clock time.
func (l Limits) Timed() bool { return l.Time > 0 || !l.Clock.IsZero() }

// Repeatable reports whether a player must choose the same move again under these
// limits, that is, whether they involve no time.
func (l Limits) Repeatable() bool { return !l.Timed() }

// IsZero reports whether l limits nothing.
func (l Limits) IsZero() bool {
	l.Margin, l.Other, l.Overlook = 0, Clock{}, 0
	return l == Limits{}
}

// MoveTime is the time that a player should take: Time, or its share of the
// clock; 0 for as long as it likes.
func (l Limits) MoveTime() time.Duration {
	if l.Time == 0 && !l.Clock.IsZero() {
		return l.Clock.Share()
	}
	return l.Time
}

// AtStart returns a player's limits as they are for its first decision of a game.
func (l Limits) AtStart() Limits {
	l.Clock.Base = l.Clock.Start()
	return l
}

// Longest returns the time after which a decision loses the game: Time, or the time left
// on the clock; 0 for never.
func (l Limits) Longest() time.Duration {
	if l.Time == 0 {
		return l.Clock.Base
	}
	return l.Time
}

// TimeoutReason is why a game is lost when a decision takes longer than Longest.
func (l Limits) TimeoutReason() Reason {
	if l.Time == 0 {
		return OutOfClock
	}
	return OutOfTime
}

// String returns what ParseLimits reads; "" for no limit.
func (l Limits) String() string {
	var fields []string
	if l.Depth > 0 {
		fields = append(fields, fmt.Sprintf("depth=%d", l.Depth))
	}
	if l.Nodes > 0 {
		fields = append(fields, fmt.Sprintf("nodes=%d", l.Nodes))
	}
	if l.Playouts > 0 {
		fields = append(fields, fmt.Sprintf("playouts=%d", l.Playouts))
	}
	margin := max(l.Margin, 0).String()
	switch {
	case l.Time > 0 && l.Margin != 0:
		fields = append(fields, "time="+l.Time.String()+"+"+margin)
	case l.Time > 0:
		fields = append(fields, "time="+l.Time.String())
	case !l.Clock.IsZero():
		fields = append(fields, "tc="+l.Clock.String())
		if l.Margin != 0 {
			fields = append(fields, "margin="+margin)
		}
	}
	if l.Overlook > 0 {
		fields = append(fields, "overlook="+strconv.FormatFloat(l.Overlook, 'g', -1, 64))
	}
	return strings.Join(fields, ",")
}

// maxOverlook is the most of Limits.Overlook.
const maxOverlook = 0.99

const limitsWant = "want depth=N, nodes=N, playouts=N, time=DURATION[+MARGIN] for a move, or tc=[MOVES/]SECONDS[+INCREMENT] for a " +
	"game, joined by commas; overlook=CHANCE with one of them weakens a player"

// ParseLimits reads such as "depth=3", "nodes=20000,time=1s", "playouts=5000",
// "time=100ms+20ms" with a margin, "tc=40/60+0.6" and "tc=8+0.08,margin=50ms".
// It also reads cutechess's st (seconds per move) and UGI's movetime, p1time and
// p1inc, or those of p2 (milliseconds). Game.CheckLimits tells whether a player
// supports them.
func ParseLimits(text string) (Limits, error) {
	var l Limits
	seen := map[string]bool{}
	for field := range strings.SplitSeq(text, ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		key, value, _ := strings.Cut(field, "=")
		if seen[key] {
			return Limits{}, ParseError("limits", text, key+" is set twice")
		}
		seen[key] = true
		if want := l.set(key, strings.TrimSpace(value)); want != "" {
			return Limits{}, ParseError("limits", text, want)
		}
	}
	switch {
	case l.Time > 0 && !l.Clock.IsZero():
		return Limits{}, ParseError("limits", text, "a time per move and a clock for the game cannot be combined")
	case l.Margin != 0 && !l.Timed():
		return Limits{}, ParseError("limits", text, "a margin requires a time or a clock, such as time=100ms+20ms or tc=8+0.08,margin=20ms")
	}
	if l.Overlook > 0 && l.IsZero() {
		return Limits{}, ParseError("limits", text, "overlook requires another limit, such as depth=1,overlook=0.3")
	}
	return l, nil
}

// set reads one limit. It returns what was expected if value is not valid.
func (l *Limits) set(key, value string) (want string) {
	var err error
	switch key {
	case "depth":
		n, want := parseCount(value)
		l.Depth = int(min(n, math.MaxInt32))
		return want
	case "nodes":
		l.Nodes, want = parseCount(value)
	case "playouts":
		l.Playouts, want = parseCount(value)
	case "time":
		return l.setTime(key, value)
	case "margin":
		return l.setMargin(value)
	case "tc":
		if l.Clock, err = parseClock(value); err != nil {
			want = key + ": " + clockWant
		}
	case "st":
		if l.Time, err = parseSeconds(value); err != nil || l.Time <= 0 {
			want = "want seconds per move, such as st=0.1"
		}
	case "overlook":
		if l.Overlook, err = strconv.ParseFloat(value, 64); err != nil || !(l.Overlook > 0 && l.Overlook <= maxOverlook) {
			want = "want a chance above 0 and at most 0.99 to overlook a move, such as overlook=0.3"
		}
	case "movetime":
		l.Time, want = parseMillis(key, value)
	case "p1time", "p2time":
		return sameAs(&l.Clock.Base, key, value)
	case "p1inc", "p2inc":
		return sameAs(&l.Clock.Inc, key, value)
	default:
		return limitsWant
	}
	return want
}

// setTime reads TIME[+MARGIN].
func (l *Limits) setTime(key, value string) (want string) {
	value, margin, ok := strings.Cut(value, "+")
	if l.Time, want = parseTime(key, value); want != "" || !ok {
		return want
	}
	return l.setMargin(margin)
}

// setMargin reads a duration, which may be 0.
func (l *Limits) setMargin(value string) (want string) {
	d, err := ParseMargin(value)
	if err != nil || l.Margin != 0 {
		return "want one margin with its unit, such as time=100ms+20ms"
	}
	l.Margin = d
	return ""
}

// ParseMargin reads a duration for Limits.Margin; one of 0 is NoMargin.
func ParseMargin(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > MaxTime {
		return 0, ParseError("margin", text, fmt.Sprintf("want a duration from 0s to %v, such as 20ms", MaxTime))
	}
	if d == 0 {
		return NoMargin, nil
	}
	return d, nil
}

// sameAs reads the milliseconds of one side. They must equal those of the other side
// if both are given, since a player takes either side.
func sameAs(to *time.Duration, key, value string) (want string) {
	d, want := parseMillis(key, value)
	if want == "" && *to != 0 && *to != d {
		want = "p1 and p2 must be equal, because a player takes either side; give each player its own limits instead"
	}
	*to = d
	return want
}

// parseMillis reads milliseconds above 0.
func parseMillis(key, value string) (time.Duration, string) {
	n, want := parseCount(value)
	if want != "" || n > int64(math.MaxInt64/time.Millisecond) {
		return 0, "want milliseconds above 0, such as " + key + "=100"
	}
	return time.Duration(n) * time.Millisecond, ""
}

// parseCount reads a number above 0. Game.CheckLimits, which knows the largest,
// refuses one that is too large.
func parseCount(value string) (n int64, want string) {
	n, err := strconv.ParseInt(value, 10, 64)
	if errors.Is(err, strconv.ErrRange) && n > 0 {
		err = nil
	}
	if err != nil || n <= 0 {
		return 0, "want a positive number, such as depth=3, nodes=20000, playouts=5000 or time=1s"
	}
	return n, ""
}

// parseTime reads a duration above 0, with its unit.
func parseTime(key, value string) (d time.Duration, want string) {
	if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 {
		return 0, fmt.Sprintf("want a unit, such as %s=%ss or %s=%sms", key, value, key, value)
	}
	if d, err := time.ParseDuration(value); err == nil && d > 0 {
		return d, ""
	}
	return 0, "want a positive " + key + " with its unit, such as time=1s, time=250ms or time=100ms+20ms with a margin"
}

// MarshalText writes what ParseLimits reads.
func (l Limits) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is ParseLimits.
func (l *Limits) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLimits(string(text))
	return err
}
