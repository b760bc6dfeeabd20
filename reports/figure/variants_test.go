package figure

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// flavour is a kind of data that every chart must be able to show.
type flavour struct {
	name  string
	n     int                     // number of values in each series
	value func(x float64) float64 // converts values of about 1
	word  func(name string) string
}

func same(name string) string { return name }

var flavours = []flavour{
	{"normal", 12, func(x float64) float64 { return 20 * x }, same},
	{"tiny", 12, func(x float64) float64 { return 3e-9 * x }, same},
	{"huge", 12, func(x float64) float64 { return 4e13 * x }, same},
	{"negative", 12, func(x float64) float64 { return -500*x - 1234.5 }, same},
	{"around zero", 12, func(x float64) float64 { return 1e-4 * (x - 1) }, same},
	{"one point", 1, func(x float64) float64 { return 20 * x }, same},
	{"long names", 12, func(x float64) float64 { return 20 * x }, func(name string) string {
		return name + " of the second of two engines that were compared at a long time control on many machines"
	}},
	{"one long word", 3, func(x float64) float64 { return 20 * x }, func(name string) string { return strings.Repeat(name, 12) }},
}

// points returns points that rise from about 0.5 to 1.5, with intervals.
func (f flavour) points() []Point {
	var out []Point
	for i := range f.n {
		x := 0.5 + float64(i)/float64(f.n)
		a, b := f.value(x-0.2), f.value(x+0.2)
		out = append(out, Point{X: float64(1 + i), Y: f.value(x), Lo: min(a, b), Hi: max(a, b), N: 100})
	}
	return out
}

func (f flavour) values() (list []float64) {
	for _, p := range f.points() {
		list = append(list, p.Y)
	}
	return list
}

func (f flavour) positive() bool { return f.value(0.1) > 0 }

// charts returns all kinds of charts with data of a flavour, and with logarithmic axes if the
// data are positive.
func (f flavour) charts() map[string]Chart {
	w, points, values := f.word, f.points(), f.values()
	levels := []Level{{f.value(0.9), w("level")}, {f.value(0.91), w("another")}}
	first, last := points[0], points[len(points)-1]
	lo, hi := min(f.value(0), f.value(2)), max(f.value(0), f.value(2))
	size := math.Abs(f.value(1) - f.value(0.5))
	ellipse := &Ellipse{X: f.value(1), Y: f.value(1), XX: size * size, XY: 0.5 * size * size, YY: size * size, Radius: 2.4477, Label: w("region")}
	series := []Series{{w("series"), points, false}, {w("other"), points, true}}
	var bars []Bar
	var fit []Point
	for i, p := range points {
		bars = append(bars, Bar{Name: fmt.Sprint(w("bar"), i), Value: p.Y, Lo: p.Lo, Hi: p.Hi, Strong: i == 0})
		fit = append(fit, Point{X: p.Y, Y: p.Y, Lo: p.Lo, Hi: p.Hi})
	}
	if first.Y > last.Y {
		for i, p := range fit {
			fit[i].X = fit[len(fit)-1-i].Y
			_ = p
		}
		for i := range fit {
			fit[i].X = -math.Abs(f.value(2)) + float64(i)*size
		}
	}
	title, subtitle, x, y := w("title"), w("subtitle"), w("x"), w("y")
	heat := Heat{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, Label: w("label"), Best: &Cell{}, Reference: &Cell{0, f.n - 1}}
	tried := []Place{{f.value(1), f.value(1)}, {f.value(5), f.value(5)}}
	var places []float64
	for i := range max(f.n, 2) {
		v := lo + (hi-lo)*float64(i+1)/float64(max(f.n, 2)+1)
		if f.n == 1 {
			v = []float64{f.value(0.5), f.value(1.5)}[i]
		}
		places = append(places, v)
	}
	var surface [][]float64
	for i := range places {
		var row []float64
		for j := range places {
			row = append(row, f.value(0.5+float64(i*j)/float64(len(places)*len(places))))
		}
		surface = append(surface, row)
	}
	for i := range f.n {
		heat.Rows, heat.Columns = append(heat.Rows, fmt.Sprint(w("row"), i)), append(heat.Columns, fmt.Sprint(w("column"), i))
		heat.Values = append(heat.Values, values)
	}
	pairs := Pairs{Title: title, Subtitle: subtitle, Label: w("label"), Pairs: []Pair{
		{First: 0, Second: 1, Surface: surface, Points: tried, Ellipse: ellipse, Note: w("note")},
		{First: 1, Second: 5, Surface: surface, Note: w("another")}, {First: 0, Second: 3, Surface: surface}}}
	for i := range 6 {
		a := PairAxis{Name: fmt.Sprint(w("axis"), i), Values: places, Best: ptr(places[0]), Reference: ptr(places[len(places)-1])}
		for j, p := range points {
			p.X = places[min(j, len(places)-1)]
			a.Line = append(a.Line, p)
		}
		pairs.Axes = append(pairs.Axes, a)
	}
	panel := Panel{Name: w("parameter"), Note: w("note"), Min: lo, Max: hi, Ends: [2]string{plain(lo), plain(hi)}, Starts: []float64{f.value(1)}, Paths: [][]Point{points, nil}}
	charts := map[string]Chart{
		"Panel":   panel,
		"Scatter": Scatter{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, Even: w("even"), Spots: []Spot{{X: 0, Y: 100, N: 7000, Tip: w("tip")}, {X: 50, N: 1}}},
		"Panels":  Panels{Title: title, Subtitle: subtitle, Panels: []Panel{panel, panel, panel, panel, panel}},
		"Response": Response{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, Points: points, Levels: levels, Fit: points, ReferenceX: ptr(first.X), ReferenceLabel: w("reference"),
			Optimum: &Point{X: last.X, Y: last.Y, Lo: first.X, Hi: last.X}},
		"Lines":     Lines{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, Series: series, Levels: levels, Diagonal: true, Band: w("band")},
		"Heat":      heat,
		"Bars":      Bars{Title: title, Subtitle: subtitle, XLabel: x, Bars: bars, ZeroLabel: w("zero")},
		"Histogram": Histogram{Title: title, Subtitle: subtitle, XLabel: x, Counts: f.counts()},
		"Curve":     Curve{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, Line: points, Measured: points, Level: w("band"), Verdict: w("verdict")},
		"Pairs":     pairs,
	}
	if f.positive() {
		charts["logarithmic Bars"] = Bars{Title: title, XLabel: x, Bars: bars, Zero: f.value(1), ZeroLabel: w("same"), LogX: true}
		charts["logarithmic Lines"] = Lines{Title: title, XLabel: x, YLabel: y, Series: series, Levels: levels, LogX: true, LogY: true, Diagonal: true}
		charts["logarithmic Response"] = Response{Title: title, XLabel: x, YLabel: y, Points: points, Fit: points, LogX: true}
		charts["logarithmic Curve"] = Curve{Title: title, Line: points, LogX: true}
		e := *ellipse
		e.XX, e.XY, e.YY = 0.2, 0.1, 0.2
		pairs.Axes, pairs.Pairs = slices.Clone(pairs.Axes), slices.Clone(pairs.Pairs)
		for i := range pairs.Axes {
			pairs.Axes[i].Log = true
		}
		pairs.Pairs[0].Ellipse = &e
		charts["logarithmic Pairs"] = pairs
	}
	return charts
}

// counts returns counts of whole values, if the flavour's values have a size that games have.
func (f flavour) counts() map[int]int {
	counts := map[int]int{}
	for i, v := range f.values() {
		counts[int(1000*min(max(v, -1e6), 1e6))] += i + 1
	}
	return counts
}

// TestEveryFlavourFitsItsSheet draws every chart with data of every flavour in both layouts: no
// texts overlap, nothing leaves the sheet, and no number reads as minus zero.
func TestEveryFlavourFitsItsSheet(t *testing.T) {
	if testing.Short() {
		t.Skip("short: draws every figure in every way")
	}
	minusZero := regexp.MustCompile(`^[-−+]0(\.0*)?( %)?$`)
	for _, f := range flavours {
		for name, c := range f.charts() {
			for layout, word := range map[Layout]string{Wide: "wide", Narrow: "narrow"} {
				t.Run(f.name+"/"+name+"/"+word, func(t *testing.T) {
					d, err := c.Draw(layout)
					if err != nil {
						t.Fatal(err)
					}
					for _, e := range drawingErrors(d) {
						t.Error(e)
					}
					for _, sh := range d.shapes {
						if x, ok := sh.(textLine); ok && minusZero.MatchString(x.s) {
							t.Errorf("a label reads %q", x.s)
						}
					}
				})
			}
		}
	}
}

// TestFlavoursCoverAllCharts finds charts that are missing in the flavours.
func TestFlavoursCoverAllCharts(t *testing.T) {
	have := map[string]bool{}
	for _, c := range flavours[0].charts() {
		have[fmt.Sprintf("%T", c)] = true
	}
	for _, c := range allCharts() {
		if !have[fmt.Sprintf("%T", c)] {
			t.Errorf("no flavour of %T", c)
		}
	}
	shown := map[string]bool{}
	for _, s := range Gallery() {
		shown[fmt.Sprintf("%T", s.Chart)] = true
	}
	for name := range have {
		if !shown[name] {
			t.Errorf("the gallery shows no %s", name)
		}
	}
}

// TestContrastMeetsWCAG requires a contrast of 4.5 between letters and the paint under them,
// and of 3 between tones that carry data and paper, in both schemes.
func TestContrastMeetsWCAG(t *testing.T) {
	for scheme, of := range map[string]func(tone) color.NRGBA{
		"light": func(t tone) color.NRGBA { return t.light },
		"dark":  func(t tone) color.NRGBA { return t.dark },
	} {
		for _, line := range append([]tone{ink, inkSoft, inkPale}, palette...) {
			if c := contrast(of(line), of(paper)); c < 3 {
				t.Errorf("%s: lines in %s have a contrast of %.2f", scheme, line.name, c)
			}
		}
		for _, s := range Gallery() {
			d, err := s.Chart.Draw(Wide)
			if err != nil {
				t.Fatal(err)
			}
			for i, sh := range d.shapes {
				x, ok := sh.(textLine)
				if !ok {
					continue
				}
				under := of(paper)
				for _, below := range d.shapes[:i] {
					if m, ok := below.(mark); ok && m.fill.light.A == 0xFF && overlap(m.bounds(), box(x.at.X, x.at.Y, x.at.X+0.1, x.at.Y+1)) {
						under = of(m.fill)
					}
				}
				if c := contrast(of(x.color), under); c < 4.5 {
					t.Errorf("%s, %s: %q has a contrast of %.2f", s.Name, scheme, x.s, c)
				}
			}
		}
	}
}
