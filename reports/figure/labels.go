package figure

import (
	"math"
	"slices"
	"strings"

	"selfplaylab/reports/text"
)

// plus adds a sign to the label of a value above zero, unless it reads as zero.
func plus(v float64, label string) string {
	if v > 0 && strings.Trim(label, "0.") != "" {
		return "+" + label
	}
	return label
}

// between returns an interval as text, with "to", because a dash would look like a minus sign.
func between(lo, hi float64) string { return plain(lo) + " to " + plain(hi) }

// tip returns the text that a browser shows for a point.
func tip(name string, p Point) string {
	s := name + ": " + plain(p.Y)
	if p.bounded() {
		s += " (" + between(p.Lo, p.Hi) + ")"
	}
	if p.N > 0 {
		s += ", n = " + text.Number(float64(p.N), 0)
	}
	return s
}

// bounded reports whether both ends of the interval are finite.
func (p Point) bounded() bool {
	return hasInterval(p.Lo, p.Hi) && !math.IsInf(p.Lo, 0) && !math.IsInf(p.Hi, 0)
}

// anyInterval reports whether a band or bar will be drawn.
func anyInterval(points []Point) bool {
	return slices.ContainsFunc(points, func(p Point) bool { return hasInterval(p.Lo, p.Hi) })
}
