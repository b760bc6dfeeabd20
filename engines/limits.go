package engines

import (
	"fmt"
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
func ParseLimits(text string) (Limits, error) {
	var l Limits
	for field := range strings.SplitSeq(text, ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		key, value, _ := strings.Cut(field, "=")
		var err error
		var n int64
		switch key {
		case "depth":
			l.Depth, err = strconv.Atoi(value)
			n = int64(l.Depth)
		case "nodes":
			l.Nodes, err = strconv.ParseInt(value, 10, 64)
			n = l.Nodes
		case "playouts":
			l.Playouts, err = strconv.ParseInt(value, 10, 64)
			n = l.Playouts
		case "time":
			l.Time, err = time.ParseDuration(value)
			n = int64(l.Time)
		default:
			return Limits{}, ParseError("limits", text, "want depth=N, nodes=N, playouts=N or time=DURATION, joined by commas")
		}
		if err != nil || n <= 0 {
			return Limits{}, ParseError("limits", text, key+" wants a positive value, such as depth=3, nodes=20000, playouts=5000 or time=1s")
		}
	}
	return l, nil
}

// MarshalText writes what ParseLimits reads.
func (l Limits) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is ParseLimits.
func (l *Limits) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLimits(string(text))
	return err
}
