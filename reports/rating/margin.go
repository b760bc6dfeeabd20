package rating

import (
	"fmt"
	"math"
	"strings"

	"selfplaylab/reports/text"
)

// Margins averages the margin of pairs of games.
// A pair's margin is the mean over its two games, in which each
// player moves first once, so the advantage of moving first cancels.
// The zero value is empty.
type Margins struct {
	n        int
	mean, m2 float64 // mean, and sum of squared deviations (Welford 1962)
}

// Add counts a pair by its mean margin.
func (m *Margins) Add(pair float64) {
	m.n++
	d := pair - m.mean
	m.mean += d / float64(m.n)
	m.m2 += float64(d * (pair - m.mean))
}

// N returns the number of pairs.
func (m Margins) N() int { return m.n }

// Interval returns the mean margin of a pair and Student's interval around it.
// With fewer than two pairs the interval is infinite.
func (m Margins) Interval(level float64) (mean float64, in Interval) {
	half := math.Inf(1)
	if m.n > 1 {
		half = float64(Student(m.n, level) * math.Sqrt(m.m2/float64(m.n-1)/float64(m.n)))
	}
	return m.mean, Interval{Low: m.mean - half, High: m.mean + half}
}

// Known reports whether Interval is reliable: with MinSample pairs or more that are not all alike.
// Margins of games are whole numbers with few values, so the spread of a small
// sample says little: two pairs won by one each have an interval without width.
func (m Margins) Known() bool { return m.n >= MinSample && m.m2 > 0 }

// Text returns the mean with its interval, if known, and the number of pairs.
// unit is the game's unit of margins, in the plural.
func (m Margins) Text(level float64, unit string) string {
	mean, in := m.Interval(level)
	signed := func(x float64) string { // zero has no sign
		if x == 0 {
			return "0"
		}
		return fmt.Sprintf("%+.4g", x)
	}
	value := signed(mean)
	if value == "+1" || value == "-1" {
		unit = strings.TrimSuffix(unit, "s")
	}
	switch n := text.Plural(m.n, "pair"); {
	case m.n < MinSample:
		return fmt.Sprintf("%s %s a game (%s, too few for an interval)", value, unit, n)
	case !m.Known():
		return fmt.Sprintf("%s %s a game (%s, all alike)", value, unit, n)
	}
	return fmt.Sprintf("%s %s a game, from %s to %s (%s, %s)", value, unit, signed(in.Low), signed(in.High), text.Level(level),
		text.Plural(m.n, "pair"))
}

// Short returns the mean and half its interval, if known; "-" without pairs.
func (m Margins) Short(level float64) string {
	mean, in := m.Interval(level)
	switch {
	case m.n == 0:
		return "-"
	case !m.Known():
		return text.Signed(mean, 2)
	}
	return text.PlusMinus(mean, in.Half(), 2)
}
