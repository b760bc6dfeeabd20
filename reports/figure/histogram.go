package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/reports/text"
)

// Histogram shows how often values occur, such as the lengths of games.
type Histogram struct {
	Title, Subtitle string

	XLabel string // such as "plies"; what is counted are games

	Values []float64
	// Weights counts each of Values; nil counts each once.
	Weights []float64
}

// Draw implements [Chart].
func (h Histogram) Draw(layout Layout) (*Drawing, error) {
	bins, err := h.bins()
	if err != nil {
		return nil, failed("Histogram", h.Title, err)
	}
	x, y := &reach{}, &reach{}
	y.add(0)
	for _, b := range bins {
		x.add(b.lo, b.hi)
		y.add(b.count)
	}
	marks := []upright{{h.median(), "median " + plain(h.median()), warmInk, []float64{4, 3}}}
	s, top := newDrawing(h.Title, h.Subtitle, layout)
	ys := y.scale(false, 0)
	ys.hi *= 1.04
	f := s.frame(axes{
		top: top, height: layout.panelHeight() - 50, x: x.scale(false, 0.01), y: ys,
		xLabel: h.XLabel, yLabel: "games", yWhole: h.Weights == nil, uprights: marks,
	})
	for _, b := range bins {
		f.column(b)
	}
	f.uprights(marks)
	f.s.add(polyline{[]spot{{f.area.x0, f.area.y1}, {f.area.x1, f.area.y1}}, stroke{color: inkPale, width: 1}})
	return s, nil
}

// bin is one column of a histogram.
type bin struct {
	lo, hi float64
	count  float64
	tip    string
}

func (f *frame) column(b bin) {
	if b.count == 0 {
		return
	}
	x0, x1 := f.x.at(b.lo), f.x.at(b.hi)
	gap := 0.5
	if x1-x0 < 4 {
		gap = 0
	}
	f.s.add(box{rect: rect{x0 + gap, f.y.at(b.count), x1 - gap, f.area.y1}, fill: blue, tip: b.tip})
}

func (h Histogram) check() error {
	if h.Weights != nil && len(h.Weights) != len(h.Values) {
		return fmt.Errorf("%d Weights for %d Values", len(h.Weights), len(h.Values))
	}
	any := false
	for i, v := range h.Values {
		if err := checkValue(fmt.Sprintf("Values[%d]", i), v, false); err != nil {
			return err
		}
		w := h.weight(i)
		if !(w >= 0 && w <= MaxValue) {
			return fmt.Errorf("weight %d is %v: want a count", i, w)
		}
		any = any || w > 0
	}
	if !any {
		return errEmpty
	}
	return nil
}

// weight of a value; none for NaN.
func (h Histogram) weight(i int) float64 {
	switch {
	case math.IsNaN(h.Values[i]):
		return 0
	case h.Weights == nil:
		return 1
	}
	return h.Weights[i]
}

// bins counts the values, in bins of a round width. Bins of whole values begin half
// a unit below theirs, so that a column stands over the values it counts.
func (h Histogram) bins() ([]bin, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	r, whole := &reach{}, true
	count := 0.0
	for i, v := range h.Values {
		if h.weight(i) > 0 {
			r.add(v)
			count += h.weight(i)
			whole = whole && v == math.Trunc(v)
		}
	}
	width := roundWidth(*r, count, whole)
	first := math.Floor(r.lo / width)
	n := int(math.Floor(r.hi/width) - first + 1)
	bins := make([]bin, n)
	for i, v := range h.Values {
		if w := h.weight(i); w > 0 {
			k := int(math.Floor(v/width) - first)
			bins[min(max(k, 0), n-1)].count += w
		}
	}
	for i := range bins {
		bins[i].place(float64((first+float64(i))*width), width, whole)
	}
	return bins, nil
}

// place sets where a bin stands and what is said of it.
func (b *bin) place(from, width float64, whole bool) {
	b.lo, b.hi = from, from+width
	name := between(b.lo, b.hi)
	if whole {
		if name = between(b.lo, b.hi-1); width == 1 {
			name = plain(b.lo)
		}
		b.lo, b.hi = b.lo-0.5, b.hi-0.5
	}
	b.tip = name + ": " + text.Plural(int64(math.Round(b.count)), "game")
}

// roundWidth chooses a round width with at least as many bins, about, as the Rice
// rule asks for, twice the cube root of the number of values, and at most some
// thirty: few values in many bins would be a row of ones. It starts from half as
// many bins again, since a round width may be two and a half times the one asked
// for.
func roundWidth(r reach, count float64, whole bool) float64 {
	size := max(math.Abs(r.lo), math.Abs(r.hi), 1e-90)
	span := r.hi - r.lo
	switch {
	case span >= 1e-9*size:
		return decimal(roundStep(span/min(max(3*math.Cbrt(count), 10), 30), whole))
	case whole && size < 1e15 && span < 30:
		return 1
	}
	return decimal(roundStep(max(size, 1e-6)/30, false)) // one value: one slim bar
}

// median is the value with half of the weight at or below it.
func (h Histogram) median() float64 {
	order := make([]int, 0, len(h.Values))
	total := 0.0
	for i := range h.Values {
		if h.weight(i) > 0 {
			order = append(order, i)
			total += h.weight(i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.Values[a], h.Values[b]) })
	sum := 0.0
	for k, i := range order {
		sum += h.weight(i)
		switch {
		case sum > total/2:
			return h.Values[i]
		case sum == total/2 && k+1 < len(order):
			return (h.Values[i] + h.Values[order[k+1]]) / 2
		}
	}
	return h.Values[order[len(order)-1]]
}
