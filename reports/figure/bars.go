package figure

import (
	"fmt"
	"math"

	"selfplaylab/reports/text"
)

// Bars compares named things (players, parameters) by one value with its interval: a dot, its
// interval bar and the numbers next to it.
type Bars struct {
	Title, Subtitle string // Subtitle may be ""

	XLabel string // with its unit, such as "Elo"
	Bars   []Bar  // in the order given, from the top down

	// LogX makes the axis logarithmic, for ratios such as how many times faster; all values and
	// Zero must then be positive.
	LogX bool

	Zero      float64 // value of the vertical line at which bars start; 1 for ratios
	ZeroLabel string  // label of this line; "" for none
}

// Bar is one line of [Bars].
type Bar struct {
	Name   string  // to the left of the bar
	Value  float64 // NaN for a missing value
	Lo, Hi float64 // interval; equal for none
	// Text is printed to the right; "" is the value and its interval.
	Text string
	// Strong emphasises this bar, such as the tuned player's.
	Strong bool
}

// Draw implements [Chart].
func (b Bars) Draw(layout Layout) (*Drawing, error) {
	if err := b.check(); err != nil {
		return nil, failed("Bars", b.Title, err)
	}
	d, y := newDrawing(b.Title, b.Subtitle, layout)
	if b.ZeroLabel != "" {
		y -= labelRow + 4
	}
	r := d.rows(y, b.texts(), b.reach().axis(b.LogX, 0.04))
	r.bars, r.zero, r.zeroLabel, r.signs = b.Bars, b.Zero, b.ZeroLabel, b.signs()
	r.draw(b.XLabel)
	return d, nil
}

// check returns an error that names the bar and the field that cannot be drawn.
func (b Bars) check() error {
	if n := len(b.Bars); n > MaxRows {
		return fmt.Errorf("%d bars: more than %d make no figure; give the most important", n, MaxRows)
	}
	any := false
	for i, bar := range b.Bars {
		err := checkValue("Value", bar.Value, b.LogX)
		if err == nil {
			err = checkInterval(bar.Lo, bar.Hi)
		}
		if err != nil {
			return fmt.Errorf("bar %d, %q: %w", i, bar.Name, err)
		}
		any = any || !math.IsNaN(bar.Value)
	}
	if !any {
		return errEmpty
	}
	return checkMark("Zero", b.Zero, b.LogX)
}

// reach covers the line at Zero, and the values with their intervals.
func (b Bars) reach() *reach {
	r := &reach{positive: b.LogX}
	r.add(b.Zero)
	for _, bar := range b.Bars {
		r.add(bar.Value)
		if hasInterval(bar.Lo, bar.Hi) {
			r.add(bar.Lo, bar.Hi)
		}
	}
	return r
}

// signs reports whether to write plus signs: if the line is at zero and values are below it.
func (b Bars) signs() bool {
	below := false
	for _, bar := range b.Bars {
		below = below || bar.Value < 0 || bar.Lo < 0
	}
	return below && b.Zero == 0 && !b.LogX
}

// texts returns all values with the same decimals.
func (b Bars) texts() []rowText {
	largest := 0.0
	for _, bar := range b.Bars {
		if !math.IsNaN(bar.Value) {
			largest = max(largest, math.Abs(bar.Value))
		}
	}
	write := common(largest)
	if b.LogX { // with decimals that suit each value's size
		write = func(v float64) string { return text.Number(v, text.Decimals(v, 3)) }
	}
	var out []rowText
	for _, bar := range b.Bars {
		t := bar.Text
		if t == "" {
			t = valueText(bar, func(v float64) string {
				if b.signs() {
					return plus(v, write(v))
				}
				return write(v)
			})
		}
		out = append(out, rowText{bar.Name, t, bar.Strong})
	}
	return out
}

// valueText returns the value with its interval, or "no value"; an infinite end is written as
// "below" or "above".
func valueText(b Bar, format func(float64) string) string {
	switch {
	case math.IsNaN(b.Value):
		return "no value"
	case !hasInterval(b.Lo, b.Hi):
		return format(b.Value)
	case math.IsInf(b.Lo, 0) && math.IsInf(b.Hi, 0):
		return format(b.Value) + " (unbounded)"
	case math.IsInf(b.Lo, 0):
		return format(b.Value) + " (below " + format(b.Hi) + ")"
	case math.IsInf(b.Hi, 0):
		return format(b.Value) + " (above " + format(b.Lo) + ")"
	}
	return format(b.Value) + " (" + format(b.Lo) + " to " + format(b.Hi) + ")"
}
