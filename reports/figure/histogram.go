package figure

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// Histogram shows how often whole values occur, such as the lengths of games.
type Histogram struct {
	Title, Subtitle string // Subtitle may be ""

	XLabel string      // such as "plies"
	Counts map[int]int // number of games by value
}

// Draw implements [Chart].
func (h Histogram) Draw(layout Layout) (*Drawing, error) {
	var values []int
	games := 0
	for _, v := range slices.Sorted(maps.Keys(h.Counts)) {
		if n := h.Counts[v]; n > 0 {
			values, games = append(values, v), games+n
		}
	}
	if games == 0 {
		return nil, failed("Histogram", h.Title, errEmpty)
	}
	bins := h.bins(values, games)
	x, y := &reach{}, &reach{}
	x.add(bins[0].lo, bins[len(bins)-1].hi)
	y.add(0)
	for _, b := range bins {
		y.add(float64(b.games))
	}
	d, top := newDrawing(h.Title, h.Subtitle, layout)
	ys := y.axis(false, 0)
	ys.Max *= 1.04
	p := d.panel(x.axis(false, 0.01), ys)
	p.label(h.XLabel)
	median := h.median(values, games)
	p.yLabel, p.yWhole, p.uprights = "games", true, []upright{{median, "median " + plain(median), warmInk, []vg.Length{4, 3}}}
	p.add(grid())
	for _, b := range bins {
		if b.games > 0 {
			p.add(b.column(d, (p.X.Max-p.X.Min)/float64(layout.width()-4*margin))...)
		}
	}
	p.add(p.uprightLines())
	p.draw(top, layout.panelHeight()-50)
	return d, nil
}

// bin is one column of a histogram. It covers half a unit more than its first and last value, and
// is so centred on the values counted.
type bin struct {
	lo, hi float64
	games  int
}

// column returns a tip and a histogram of the bin alone, with about half a pixel free at both
// sides if that is visible.
func (b bin) column(d *Drawing, pixel float64) []plot.Plotter {
	name := between(b.lo+0.5, b.hi-0.5)
	if b.hi-b.lo == 1 {
		name = plain(b.lo + 0.5)
	}
	gap := pixel / 2
	if b.hi-b.lo < 4*pixel {
		gap = 0
	}
	h := &plotter.Histogram{Bins: []plotter.HistogramBin{{Min: b.lo + gap, Max: b.hi - gap, Weight: float64(b.games)}}, FillColor: blue}
	tip := painter(func(draw.Canvas, func(float64) vg.Length, func(float64) vg.Length) {
		d.tip = name + ": " + text.Plural(b.games, "game")
	})
	return []plot.Plotter{tip, h}
}

// bins counts the values, given in increasing order, in bins of a round width. Their number is
// about that of the Rice rule, twice the cube root of the number of games, or more, and at most
// about thirty, because few values in many bins would be a row of ones. It first requests half
// as many bins again, because a round width may be two and a half times the requested one.
func (h Histogram) bins(values []int, games int) []bin {
	lo, hi := float64(values[0]), float64(values[len(values)-1])
	width := decimal(roundStep((hi-lo)/min(max(3*math.Cbrt(float64(games)), 10), 30), true))
	first := math.Floor(lo / width)
	bins := make([]bin, int(math.Floor(hi/width)-first+1))
	for i := range bins {
		from := float64((first+float64(i))*width) - 0.5
		bins[i] = bin{lo: from, hi: from + width}
	}
	for _, v := range values {
		bins[int(math.Floor(float64(v)/width)-first)].games += h.Counts[v]
	}
	return bins
}

// median returns the value with half of the games at or below it.
func (h Histogram) median(values []int, games int) float64 {
	sum := 0
	for i := 0; ; i++ {
		sum += h.Counts[values[i]]
		switch {
		case 2*sum > games:
			return float64(values[i])
		case 2*sum == games:
			return float64(values[i]+values[i+1]) / 2
		}
	}
}
