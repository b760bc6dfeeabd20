package rating

import (
	"fmt"
	"math"
	"selfplaylab/reports/text"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Margins sums up by how much one player won pairs of games: the mean over the two
// games of a pair, so that whoever moves first has no part in it. The zero value
// is empty.
type Margins struct {
	n        int
	mean, m2 float64 // Welford 1962: the sum of squared deviations
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

// Interval returns the mean margin of a pair and Student's interval around it; an
// infinite one of less than two pairs.
func (m Margins) Interval(level float64) (mean float64, in Interval) {
	half := math.Inf(1)
	if m.n > 1 {
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(m.n - 1)}.Quantile((1 + level) / 2)
		half = float64(t * math.Sqrt(m.m2/float64(m.n-1)/float64(m.n)))
	}
	return m.mean, Interval{Low: m.mean - half, High: m.mean + half}
}

// Text writes the mean with its interval and number of pairs, in the unit of the
// game's margin, which is named in the plural.
func (m Margins) Text(level float64, unit string) string {
	mean, in := m.Interval(level)
	signed := func(x float64) string { // none on zero
		if x == 0 {
			return "0"
		}
		return fmt.Sprintf("%+.4g", x)
	}
	value := signed(mean)
	if value == "+1" || value == "-1" {
		unit = strings.TrimSuffix(unit, "s")
	}
	if m.n < 2 {
		return fmt.Sprintf("%s %s a game (%s, too few for an interval)", value, unit, text.Plural(m.n, "pair"))
	}
	return fmt.Sprintf("%s %s a game, from %s to %s (%s, %s)", value, unit, signed(in.Low), signed(in.High), text.Level(level),
		text.Plural(m.n, "pair"))
}

// Short writes the mean and half its interval; "-" of less than two pairs.
func (m Margins) Short(level float64) string {
	if m.n < 2 {
		return "-"
	}
	mean, in := m.Interval(level)
	return text.PlusMinus(mean, in.Half(), 2)
}
