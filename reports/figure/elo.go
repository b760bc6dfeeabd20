package figure

import (
	"cmp"
	"slices"
)

// EloSequence shows a sequential match: the running difference, in Elo, with its
// band by number of pairs, a line at zero and the verdict at the end.
type EloSequence struct {
	Title, Subtitle string

	// Points hold pairs played in X and Elo in Y, X increasing. The curve begins
	// with the first finite band, where there is one: before that an estimate
	// says nothing. An early band many times as wide as the last is cut.
	Points []Point
	// Level names the band; "" is "95 % band".
	Level  string
	XLabel string // "" is "game pairs"
	Unit   string // of Y; "" is "Elo"
	// Verdict is printed at the end, such as "+41 Elo, shown to be better".
	Verdict string
}

func (e EloSequence) Draw(layout Layout) (*Drawing, error) {
	if err := e.check(); err != nil {
		return nil, failed("EloSequence", e.Title, err)
	}
	points := banded(present(e.Points))
	c := Curve{Title: e.Title, Subtitle: e.Subtitle, XLabel: cmp.Or(e.XLabel, "game pairs"), Line: points, Level: e.Level, YLabel: e.Unit}
	return c.layOut(layout, cmp.Or(e.Unit, "Elo")+" so far", e.Verdict, fromStart(points).axis(false, 0), true), nil
}

func (e EloSequence) check() error {
	return cmp.Or(checkLine("Points", e.Points, false, false), checkSome(e.Points))
}

// banded leaves out the points before the first finite band, none where there is
// no such band.
func banded(points []Point) []Point {
	return points[max(slices.IndexFunc(points, Point.bounded), 0):]
}

// fromStart covers the X of points, and zero where they begin near it or there
// is only one.
func fromStart(points []Point) *reach {
	r := &reach{}
	r.addX(points)
	if r.lo > 0 && (r.lo <= r.hi/10 || r.lo == r.hi) {
		r.add(0)
	}
	return r
}

// lineKeys are the legend of one line with its band, as far as points show them:
// a single point is a dot with its interval.
func (d *Drawing) lineKeys(points []Point, line, band string) []key {
	switch {
	case len(points) > 1 && anyInterval(points):
		return []key{lineKey(line, pen(blue, 2.25)), bandKey(band, blue)}
	case len(points) > 1:
		return []key{lineKey(line, pen(blue, 2.25))}
	case anyInterval(points):
		return []key{d.measured(points, blue).key(line + ", " + band)}
	}
	return []key{d.measured(points, blue).key(line)}
}

// eloDecimals shows a tenth where the interval is that fine.
func eloDecimals(p Point) int {
	if hasInterval(p.Lo, p.Hi) && p.Hi-p.Lo < 10 {
		return 1
	}
	return 0
}
