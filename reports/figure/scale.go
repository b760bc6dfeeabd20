package figure

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Meaning is the kind of a result for its reader; it chooses the colour.
type Meaning int

// Meanings of a result.
const (
	Open    Meaning = iota // nothing is decided
	Growing                // the run continues
	Better
	Worse
	Broken
)

// String returns the name of the meaning, which style sheets use.
func (m Meaning) String() string {
	return [...]string{"open", "growing", "better", "worse", "broken"}[m]
}

// tone returns the colour of a meaning, which is readable as text.
func (m Meaning) tone() tone {
	return [...]tone{Open: textTones[4], Growing: blue, Better: textTones[2], Worse: warmInk, Broken: warmInk}[m]
}

// Scale shows one value with its interval on an axis with zero.
type Scale struct {
	Title   string  // for readers who do not see the drawing
	Meaning Meaning // chooses the colour
	Value   float64 // in the unit of the axis
	Lo, Hi  float64 // equal for no interval; an infinite end is open
	Zero    string  // label of zero
	Mark    *Level  // another value to compare with; nil for none
}

const (
	scaleLine   vg.Length = 26 // of the axis, below the top
	scaleHeight vg.Length = 62
)

// Draw implements [Chart]. The drawing has no title, because the page states it as text.
func (s Scale) Draw(layout Layout) (*Drawing, error) {
	if err := cmp.Or(checkMark("Value", s.Value, false), checkInterval(s.Lo, s.Hi)); err != nil {
		return nil, failed("Scale", s.Title, err)
	}
	d := &Drawing{layout: layout, w: layout.width(), h: scaleHeight, title: s.Title}
	a := s.axis()
	first, last := margin+4, d.w-margin-4
	x := func(v float64) vg.Length { return first + (last-first)*vg.Length(a.Norm(clamp(a, v))) }
	d.pill(first-4, last+4, -scaleLine, 3, gridInk)
	d.uprightAt(x(0), inkSoft)
	taken := d.caption(x(0), cmp.Or(s.Zero, "0"), nil)
	if s.Mark != nil {
		d.uprightAt(x(s.Mark.Y), inkSoft, 3, 3)
		taken = append(taken, d.caption(x(s.Mark.Y), s.Mark.Label, taken)...)
	}
	marks := ticks(a, 5, true)
	signed(marks)
	for _, t := range marks {
		if t.Value != 0 {
			taken = append(taken, d.caption(x(t.Value), t.Label, taken)...)
		}
	}
	c := s.Meaning.tone()
	if hasInterval(s.Lo, s.Hi) {
		d.tip = fmt.Sprintf("%s to %s", plain(s.Lo), plain(s.Hi))
		d.pill(x(s.Lo), x(s.Hi), -scaleLine, 5, faded(c, 0.38))
		d.beyond(x(s.Lo), -1, s.Lo < a.Min, c)
		d.beyond(x(s.Hi), 1, s.Hi > a.Max, c)
	}
	d.mark(mark{path: circle(vg.Point{X: x(s.Value), Y: -scaleLine}, 7.5), fill: c, line: pen(paper, 1.5), tip: plain(s.Value)})
	return d, nil
}

// axis covers zero, the value and the finite ends of its interval. An end several times as far
// as the rest is cut, and drawn as open.
func (s Scale) axis() plot.Axis {
	r := &reach{}
	r.add(0, s.Value)
	if s.Mark != nil {
		r.add(s.Mark.Y)
	}
	if hasInterval(s.Lo, s.Hi) {
		r.add(s.Lo, s.Hi)
	}
	r.add(-0.25*max(math.Abs(r.lo), math.Abs(r.hi)), 0.25*max(math.Abs(r.lo), math.Abs(r.hi)))
	return r.axis(false, 0.04)
}

// Range returns the ends of the axis.
func (s Scale) Range() (low, high float64) {
	a := s.axis()
	return a.Min, a.Max
}

// pill draws a bar with round ends.
func (d *Drawing) pill(x0, x1, y, half vg.Length, c tone) {
	if x1-x0 < 2*half {
		middle := (x0 + x1) / 2
		x0, x1 = middle-half, middle+half
	}
	const k = 0.5522847498 // of a quarter of a circle as a curve
	place := func(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: y} }
	var p vg.Path
	p.Move(place(x0+half, y+half))
	p.Line(place(x1-half, y+half))
	p.CubeTo(place(x1-half+k*half, y+half), place(x1, y+k*half), place(x1, y))
	p.CubeTo(place(x1, y-k*half), place(x1-half+k*half, y-half), place(x1-half, y-half))
	p.Line(place(x0+half, y-half))
	p.CubeTo(place(x0+half-k*half, y-half), place(x0, y-k*half), place(x0, y))
	p.CubeTo(place(x0, y+k*half), place(x0+half-k*half, y+half), place(x0+half, y+half))
	p.Close()
	d.mark(mark{path: p, fill: c})
}

// uprightAt draws a line across the axis.
func (d *Drawing) uprightAt(x vg.Length, c tone, dashes ...vg.Length) {
	d.mark(mark{path: outline(false, vg.Point{X: x, Y: -scaleLine + 12}, vg.Point{X: x, Y: -scaleLine - 12}), line: pen(c, 1.5, dashes...)})
}

// beyond draws an arrow if an interval continues beyond the axis.
func (d *Drawing) beyond(x, out vg.Length, open bool, c tone) {
	if open {
		tip := vg.Point{X: x + 7*out, Y: -scaleLine}
		d.mark(mark{path: outline(true, tip, tip.Add(vg.Point{X: -6 * out, Y: 5}), tip.Add(vg.Point{X: -6 * out, Y: -5})), fill: c})
	}
}

// room is the horizontal room of a caption.
type room struct{ from, to vg.Length }

// caption writes a text below a place of the axis if it has room next to the others. It returns
// the rooms taken.
func (d *Drawing) caption(x vg.Length, s string, taken []room) []room {
	w := textWidth(s, sizeTick, false)
	from := max(margin, min(x-w/2, d.w-margin-w))
	for _, t := range taken {
		if from < t.to+10 && t.from < from+w+10 {
			return nil
		}
	}
	d.write(s, vg.Point{X: from + w/2, Y: -scaleLine - 28}, middle, inkSoft, sizeTick, false)
	return []room{{from, from + w}}
}
