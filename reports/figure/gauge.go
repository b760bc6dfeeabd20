package figure

import "fmt"

// Gauge shows where a sequential test stands: its log-likelihood ratio between
// the two bounds that end it.
type Gauge struct {
	Title, Subtitle string

	Value        float64
	Lower, Upper float64 // bounds; Lower < Upper
	// LowerLabel and UpperLabel say what is accepted there; "" for nothing.
	LowerLabel, UpperLabel string
	Label                  string // of the value; "" is "log-likelihood ratio"
}

// Draw implements [Chart].
func (g Gauge) Draw(layout Layout) (*Drawing, error) {
	if err := g.check(); err != nil {
		return nil, failed("Gauge", g.Title, err)
	}
	s, y := newDrawing(g.Title, g.Subtitle, layout)
	r := &reach{}
	r.add(g.Lower, g.Upper, g.Value)
	d := &dial{Gauge: g, s: s, x: r.scale(false, 0), write: common(max(r.hi, -r.lo))}
	d.x.a, d.x.b = margin+8, s.w-margin-8
	y = d.value(y)
	d.bar(y)
	s.h = d.labels(d.numbers(y+dialBreadth)) + margin
	return s, nil
}

const dialBreadth = 16.0

// dial is a gauge being drawn.
type dial struct {
	Gauge
	s     *Drawing
	x     scale
	write func(float64) string
}

// value writes what the hand points at, above it.
func (d *dial) value(y float64) float64 {
	y += sizeText * leading
	name := or(d.Label, "log-likelihood ratio")
	number := plus(d.Value, d.write(d.Value))
	space := textWidth(" ", sizeText, false)
	name = shorten(name, sizeText, false, d.s.w-2*margin-textWidth(number, sizeText, true)-space)
	before := textWidth(name, sizeText, false) + space
	w := before + textWidth(number, sizeText, true)
	x := min(max(d.x.at(d.Value)-w/2, margin), d.s.w-margin-w)
	d.s.add(textLine{spot: spot{x, y}, s: name, size: sizeText, color: inkSoft})
	d.s.add(textLine{spot: spot{x + before, y}, s: number, size: sizeText, bold: true, color: lettering(d.color())})
	return y + 12
}

// color is that of the side on which the value lies.
func (d *dial) color() tone {
	if d.Value < d.middle() {
		return vermilion
	}
	return blue
}

// middle is where the bar of the value begins: no evidence either way, which is
// zero unless both bounds lie on one side of it.
func (d *dial) middle() float64 { return min(max(0, d.Lower), d.Upper) }

func (d *dial) bar(y float64) {
	low, high, mid, at := d.x.at(d.Lower), d.x.at(d.Upper), d.x.at(d.middle()), d.x.at(d.Value)
	d.s.add(box{rect: rect{low, y, high, y + dialBreadth}, fill: gridInk})
	d.s.add(box{rect: rect{min(mid, at), y, max(mid, at), y + dialBreadth}, fill: d.color(), tip: or(d.Label, "log-likelihood ratio") + ": " + plain(d.Value)})
	for _, x := range []float64{low, high} {
		d.s.add(polyline{[]spot{{x, y - 4}, {x, y + dialBreadth + 4}}, stroke{color: ink, width: 2}})
	}
	d.s.add(polyline{[]spot{{mid, y}, {mid, y + dialBreadth + 4}}, stroke{color: inkPale, width: 1}})
	d.s.add(area{spots: []spot{{at - 5, y - 8}, {at + 5, y - 8}, {at, y - 1}}, fill: ink})
}

// numbers writes the bounds and, where there is room, zero.
func (d *dial) numbers(y float64) float64 {
	y += 6 + sizeTick
	end := 0.0
	put := func(v float64, from, to float64) float64 {
		label := plus(v, d.write(v))
		if v == 0 {
			label = "0"
		}
		half := textWidth(label, sizeTick, false) / 2
		x := min(max(d.x.at(v), margin/2+half), d.s.w-margin/2-half)
		if x-half < from || x+half > to {
			return from
		}
		d.s.add(textLine{spot: spot{x, y}, s: label, size: sizeTick, color: inkSoft, anchor: middle})
		return x + half + 8
	}
	end = put(d.Lower, 0, d.s.w)
	upper := min(d.x.at(d.Upper), d.s.w) - textWidth(plus(d.Upper, d.write(d.Upper)), sizeTick, false) - 8
	if d.Lower < 0 && d.Upper > 0 {
		end = put(0, end, upper)
	}
	put(d.Upper, end, d.s.w)
	return y
}

// labels writes what the bounds mean below them, in one row where both fit.
func (d *dial) labels(y float64) float64 {
	room := d.s.w - 2*margin
	lower, upper := shorten(d.LowerLabel, sizeText, false, room), shorten(d.UpperLabel, sizeText, false, room)
	if lower+upper == "" {
		return y + 4
	}
	y += sizeText * leading
	if lower != "" {
		d.s.add(textLine{spot: spot{margin, y}, s: lower, size: sizeText, color: ink})
	}
	if lower != "" && upper != "" && textWidth(lower, sizeText, false)+textWidth(upper, sizeText, false)+20 > room {
		y += sizeText * leading
	}
	if upper != "" {
		d.s.add(textLine{spot: spot{d.s.w - margin, y}, s: upper, size: sizeText, color: ink, anchor: right})
	}
	return y + 4
}

func (g Gauge) check() error {
	for _, m := range []struct {
		name string
		v    float64
	}{{"Value", g.Value}, {"Lower", g.Lower}, {"Upper", g.Upper}} {
		if err := checkMark(m.name, m.v, false); err != nil {
			return err
		}
	}
	if !(g.Lower < g.Upper) {
		return fmt.Errorf("bounds from %v to %v: want Lower < Upper", g.Lower, g.Upper)
	}
	return nil
}
