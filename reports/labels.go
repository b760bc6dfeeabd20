package reports

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"
)

// errEmpty is what a figure without a single value answers.
var errEmpty = errors.New("nothing to draw: give at least one value that is not NaN")

// or returns s, or standard where s is empty.
func or(s, standard string) string {
	if s == "" {
		return standard
	}
	return s
}

// plotHeight is the height of a single panel on a sheet of the given width.
func plotHeight(width float64) float64 {
	if width < 500 {
		return 220
	}
	return 290
}

// percent writes a share with a tenth.
func percent(v float64) string { return fixed(100*v, 1) + " %" }

// percentTick writes the label of a share's tick.
func percentTick(v float64, label string) string {
	s := plain(math.Round(v*1e9) / 1e7)
	return s + " %"
}

// plus puts a sign before the label of a value above zero, unless it reads as
// zero.
func plus(v float64, label string) string {
	if v > 0 && strings.Trim(label, "0.") != "" {
		return "+" + label
	}
	return label
}

// between writes an interval. "to" cannot be read as a minus sign.
func between(lo, hi float64) string { return plain(lo) + " to " + plain(hi) }

// tip is what a browser shows for a point.
func tip(name, value string, p Point, format func(float64) string) string {
	s := name + ": " + value
	if hasInterval(p.Lo, p.Hi) && !math.IsInf(p.Lo, 0) && !math.IsInf(p.Hi, 0) {
		s += " (" + format(p.Lo) + " to " + format(p.Hi) + ")"
	}
	if p.N > 0 {
		s += ", n = " + fixed(float64(p.N), 0)
	}
	return s
}

// anyInterval tells whether a band or bar will be drawn.
func anyInterval(points []Point) bool {
	for _, p := range points {
		if hasInterval(p.Lo, p.Hi) {
			return true
		}
	}
	return false
}

// checkMark wants a value that is there.
func checkMark(field string, v float64, log bool) error {
	if math.IsNaN(v) {
		return fmt.Errorf("%s is NaN; leave it nil for no mark", field)
	}
	return checkValue(field, v, log)
}

func checkLevels(levels []Level, log bool) error {
	for i, l := range levels {
		if err := checkMark(fmt.Sprintf("Levels[%d].Y", i), l.Y, log); err != nil {
			return err
		}
	}
	return nil
}

// addPoints adds values and the ends of their intervals.
func (r *reach) addPoints(points []Point) {
	for _, p := range points {
		r.add(p.Y)
		if hasInterval(p.Lo, p.Hi) {
			r.add(p.Lo, p.Hi)
		}
	}
}

// from extends r to v.
func (r *reach) from(v float64) *reach {
	r.add(v)
	return r
}

// within cuts r to what is possible.
func (r *reach) within(lo, hi float64) *reach {
	r.lo, r.hi = max(r.lo, lo), min(r.hi, hi)
	return r
}

// reachX covers the X of points.
func reachX(points []Point) *reach {
	r := &reach{}
	for _, p := range points {
		r.add(p.X)
	}
	return r
}

// labelsOrKeys keeps labels beside the panel where they leave it room enough;
// otherwise, as on a phone, it turns them into entries of the legend.
func (s *scene) labelsOrKeys(keys []key, ends []end) ([]key, []end) {
	crowded := float64(len(ends)*endPitch) > plotHeight(s.w)
	if endRoom(ends) <= 0.26*s.w && !crowded {
		return keys, ends
	}
	var short []end
	for _, e := range ends {
		m := markLine
		if !e.bold {
			m = markDash
		}
		if endRoom([]end{e}) <= 0.15*s.w && !crowded {
			short = append(short, e)
			continue
		}
		c := e.color
		if c == inkSoft {
			c = inkPale
		}
		keys = append(keys, key{e.label, m, c})
	}
	return keys, short
}

// verdict writes a bold line under the subtitle.
func (s *scene) verdict(v string, y float64) float64 {
	for _, line := range wrap(v, 13, true, s.w-2*margin) {
		y += 13 * leading
		s.add(text{spot: spot{margin, y - 2}, s: line, size: 13, bold: true, color: blue})
	}
	if v != "" {
		y += 4
	}
	return y
}

// levels draws labelled horizontal lines.
func (f *frame) levels(levels []Level) {
	for _, l := range levels {
		f.across(l.Y, stroke{color: inkPale, width: 1.25, dash: []float64{4, 3}})
	}
}

// dot draws a point; one outside the panel is left out.
func (f *frame) dot(p Point, c color.NRGBA, tip string) {
	if f.x.inside(p.X) && f.y.inside(p.Y) {
		f.s.add(disc{spot: spot{f.x.at(p.X), f.y.at(p.Y)}, r: dotRadius, fill: c, border: stroke{color: white, width: 1}, tip: tip})
	}
}
