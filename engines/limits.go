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
}

// Repeatable reports whether a player kept to these limits must choose the same
// move again: whether no clock is involved.
func (l Limits) Repeatable() bool { return l.Time == 0 }

// IsZero reports whether l limits nothing.
func (l Limits) IsZero() bool { return l == Limits{} }

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
	if l.Time > 0 {
		fields = append(fields, "time="+l.Time.String())
	}
	return strings.Join(fields, ",")
}

// ParseLimits reads such as "depth=3", "nodes=20000,time=1s", "playouts=5000".
// Whether a player keeps such limits is for Game.CheckLimits to say.
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
		if err := l.set(key, value); err != "" {
			return Limits{}, ParseError("limits", text, err)
		}
	}
	return l, nil
}

// set reads one limit, and returns what is wanted instead.
func (l *Limits) set(key, value string) (want string) {
	switch key {
	case "depth":
		n, want := parseCount(key, value)
		l.Depth = int(min(n, math.MaxInt32))
		return want
	case "nodes":
		l.Nodes, want = parseCount(key, value)
	case "playouts":
		l.Playouts, want = parseCount(key, value)
	case "time":
		l.Time, want = parseTime(key, value)
	default:
		return "want depth=N, nodes=N, playouts=N or time=DURATION, joined by commas"
	}
	return want
}

// parseCount reads a number above 0. One too large for any limit is left to
// Game.CheckLimits, which knows the largest.
func parseCount(key, value string) (n int64, want string) {
	n, err := strconv.ParseInt(value, 10, 64)
	if errors.Is(err, strconv.ErrRange) && n > 0 {
		err = nil
	}
	if err != nil || n <= 0 {
		return 0, key + " wants a positive value, such as depth=3, nodes=20000, playouts=5000 or time=1s"
	}
	return n, ""
}

// parseTime reads a duration above 0, with its unit.
func parseTime(key, value string) (d time.Duration, want string) {
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		return 0, fmt.Sprintf("%s wants a unit, such as %s=%ss or %s=%sms", key, key, value, key, value)
	}
	if d, err := time.ParseDuration(value); err == nil && d > 0 {
		return d, ""
	}
	return 0, key + " wants a positive value with its unit, such as time=1s, time=250ms or time=2m"
}

// MarshalText writes what ParseLimits reads.
func (l Limits) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is ParseLimits.
func (l *Limits) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLimits(string(text))
	return err
}
