package table

import (
	"fmt"
	"time"

	"selfplaylab/engines"
)

// clockState is a side's time after a move.
type clockState struct {
	Left   float64        `json:"left"`             // milliseconds; for the next move, if each has a time
	Late   bool           `json:"late"`             // the move was too late: it loses
	Reason engines.Reason `json:"reason,omitempty"` // of the loss
}

// clock returns a side's time by the rules of matches: engines.Clock and the allowed overrun.
func (q Question) clock() (clockState, error) {
	l, err := engines.ParseLimits(q.Clock)
	if err != nil {
		return clockState{}, err
	}
	if !l.Timed() {
		return clockState{}, fmt.Errorf("clock %q: want a time for each move, such as time=10s, or one for the game, such as tc=180+2", q.Clock)
	}
	millis := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	out := clockState{Left: millis(l.AtStart().Longest()), Reason: l.TimeoutReason()}
	if q.Made < 1 {
		return out, nil
	}
	margin := engines.DefaultMargin
	if l.Margin != 0 {
		margin = max(l.Margin, 0)
	}
	took, left := time.Duration(q.Took*float64(time.Millisecond)), time.Duration(q.Left*float64(time.Millisecond))
	if l.Time > 0 {
		left = l.Time
	}
	out.Late = took > left+margin
	if l.Time == 0 {
		out.Left = millis(l.Clock.After(left, took, q.Made))
	}
	return out, nil
}
