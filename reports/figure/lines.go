package figure

import (
	"cmp"
	"fmt"
	"math"
)

// Lines shows several named series over one axis, such as strength or nodes by
// depth for two searches, or a calibration against its diagonal. Each series
// is labelled at its end.
type Lines struct {
	Title, Subtitle string

	XLabel, YLabel string
	LogX, LogY     bool // all values on that axis must then be positive

	Series []Series // at most 7, one for each colour
	Levels []Level
	// Diagonal draws the line Y = X, "as predicted".
	Diagonal bool

	Band string // what bands mean, for the legend; "" for what needs no words
}

// Series is one named row of points, by increasing X.
type Series struct {
	Name   string
	Points []Point
	// Band draws the intervals as a band instead of bars.
	Band bool
}

func (l Lines) Draw(layout Layout) (*Drawing, error) {
	if err := l.check(); err != nil {
		return nil, failed("Lines", l.Title, err)
	}
	var ends []end
	x, y := &reach{}, &reach{positive: l.LogY}
	whole := true // such as depths, which have no halves
	for i, sr := range l.Series {
		points := present(sr.Points)
		if len(points) == 0 {
			continue
		}
		last := points[len(points)-1]
		ends = append(ends, end{y: last.Y, label: sr.Name, bold: true, color: palette[i], leader: true, from: last.X})
		for _, p := range points {
			x.add(p.X)
			whole = whole && p.X == math.Trunc(p.X)
		}
		y.addPoints(points)
	}
	for _, lv := range l.Levels {
		ends = append(ends, end{y: lv.Y, label: lv.Label, color: inkSoft})
		y.add(lv.Y)
	}
	s, top := newDrawing(l.Title, l.Subtitle, layout)
	var keys []key
	if l.Band != "" {
		keys = append(keys, key{l.Band, markBand, inkSoft})
	}
	if l.Diagonal {
		keys = append(keys, key{"equal", markDash, inkPale})
	}
	keys, ends = s.labelsOrKeys(keys, ends)
	f := s.frame(axes{
		top: s.legend(keys, top), height: layout.panelHeight(),
		x: x.scale(l.LogX, 0.03), y: y.scale(l.LogY, 0.06),
		xLabel: l.XLabel, yLabel: l.YLabel, xWhole: whole, right: endRoom(ends),
	})
	f.levels(l.Levels)
	if l.Diagonal {
		f.diagonal()
	}
	for i, sr := range l.Series {
		f.series(sr, palette[i])
	}
	f.ends(ends)
	return s, nil
}

func (l Lines) check() error {
	if len(l.Series) > len(palette) {
		return fmt.Errorf("%d series: at most %d can be distinguished; draw several figures", len(l.Series), len(palette))
	}
	var all [][]Point
	for i, s := range l.Series {
		if err := checkLine(fmt.Sprintf("Series[%d].Points", i), s.Points, l.LogX, l.LogY); err != nil {
			return err
		}
		all = append(all, s.Points)
	}
	return cmp.Or(checkSome(all...), checkLevels(l.Levels, l.LogY))
}

// series draws one row of points with line and intervals.
func (f *frame) series(s Series, c tone) {
	points := present(s.Points)
	if s.Band {
		f.band(s.Points, faded(c, bandOpacity))
	}
	f.line(s.Points, stroke{color: c, width: 2})
	if len(points) > 60 {
		return // dots would hide the line
	}
	for _, p := range points {
		if !s.Band || len(points) == 1 { // a single point has no band
			f.bar(p.X, p.Lo, p.Hi, stroke{color: c, width: 1.25})
		}
		f.dot(p, c, tip(s.Name+", "+plain(p.X), p))
	}
}

// diagonal draws Y = X as far as both axes hold it.
func (f *frame) diagonal() {
	lo, hi := max(f.x.lo, f.y.lo), min(f.x.hi, f.y.hi)
	if lo >= hi {
		return
	}
	const steps = 64 // a straight line only where both axes are of one kind
	var spots []spot
	for i := range steps + 1 {
		t := float64(i) / steps
		v := lo + float64(t*(hi-lo))
		if f.x.log {
			v = lo * math.Pow(hi/lo, t)
		}
		spots = append(spots, spot{f.x.at(v), f.y.at(v)})
	}
	if f.x.log == f.y.log {
		spots = []spot{spots[0], spots[steps]}
	}
	f.s.add(polyline{spots, stroke{color: inkPale, width: 1.25, dash: []float64{4, 3}}})
}
