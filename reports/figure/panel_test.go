package figure

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"
)

func TestSpreadKeepsPlacesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var places []vg.Length
		for _, p := range rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 12).Draw(t, "places") {
			places = append(places, vg.Length(p))
		}
		slices.Sort(places)
		before := slices.Clone(places)
		spread(places, 14, 0, 100)
		fits := vg.Length(len(places)-1)*14 <= 100
		for i, p := range places {
			if i > 0 && p-places[i-1] < 14-1e-9 {
				t.Fatalf("%v: %d and %d overlap", places, i-1, i)
			}
			if fits && (p < -1e-9 || p > 100+1e-9) {
				t.Fatalf("%v: %d left the panel", places, i)
			}
		}
		if apart(before, 14) && !slices.Equal(before, places) {
			t.Fatalf("%v moved to %v without need", before, places)
		}
	})
}

func apart(places []vg.Length, d vg.Length) bool {
	for i := 1; i < len(places); i++ {
		if places[i]-places[i-1] < d {
			return false
		}
	}
	return true
}

// plotted draws plotters on a panel from 0 to width and from 0 to 100, and returns their marks
// in the units of the axes.
func plotted(width float64, list func(p *panel) []plot.Plotter) (paths [][]Place) {
	d := &Drawing{w: Wide.width()}
	p := d.panel(plot.Axis{Max: width, Scale: plot.LinearScale{}}, plot.Axis{Max: 100, Scale: plot.LinearScale{}})
	p.add(list(p)...)
	var area vg.Rectangle
	p.add(painter(func(c draw.Canvas, _, _ func(float64) vg.Length) { area = c.Rectangle }))
	p.X.LineStyle.Width, p.X.Tick.LineStyle.Width = 0, 0
	p.draw(0, 300)
	for _, m := range marksOf(d, func(mark) bool { return true }) {
		var path []Place
		for _, c := range m.path {
			if c.Type != vg.CloseComp {
				at := c.Pos.Sub(area.Min)
				path = append(path, Place{width * float64(at.X/area.Size().X), 100 * float64(at.Y/area.Size().Y)})
			}
		}
		paths = append(paths, path)
	}
	return paths
}

func drawPoints(t *rapid.T) (points []Point) {
	for i, y := range rapid.SliceOfN(rapid.Float64Range(-50, 150), 2, 20).Draw(t, "ys") {
		points = append(points, Point{X: float64(10 * i), Y: y, Lo: y, Hi: y + 60})
	}
	return points
}

func lineOf(points []Point) [][]Place {
	return plotted(points[len(points)-1].X, func(p *panel) []plot.Plotter { return p.line(points, pen(blue, 2)) })
}

// TestLineNextToLimit has a line that ends just outside: only its part inside is drawn.
func TestLineNextToLimit(t *testing.T) {
	for _, ends := range [][2]float64{{-2.98e-8, -4.77e-7}, {-2.9e-9, -3.1e-9}, {-9e-9, -1.1e-8}, {100 + 2.9e-9, 100 + 3.1e-9}} {
		for _, piece := range lineOf([]Point{{X: 0, Y: 50}, {X: 10, Y: ends[0]}, {X: 20, Y: ends[1]}}) {
			for i := 1; i < len(piece); i++ {
				if piece[i].X < piece[i-1].X {
					t.Errorf("ends %v: the line goes back: %v", ends, piece)
				}
			}
			if last := piece[len(piece)-1]; last.X < 10-1e-6 {
				t.Errorf("ends %v: the line ends at %v", ends, last)
			}
		}
	}
}

// TestLineInsidePanel compares with samples: a place of the line is drawn if and only if it is
// inside.
func TestLineInsidePanel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := drawPoints(t)
		var all []Place
		for _, p := range points {
			all = append(all, Place{p.X, p.Y})
		}
		pieces := lineOf(points)
		for x := 0.5; x < points[len(points)-1].X; x++ {
			y := lineAt(all, x)
			if math.Abs(y) < 1e-6 || math.Abs(y-100) < 1e-6 {
				continue
			}
			hit := false
			for _, piece := range pieces {
				if piece[0].X <= x && x <= piece[len(piece)-1].X {
					hit = true
					if got := lineAt(piece, x); math.Abs(got-y) > 1e-6 {
						t.Fatalf("at %v: %v, want %v", x, got, y)
					}
				}
			}
			if within := y > 0 && y < 100; hit != within {
				t.Fatalf("at %v, y %v: in a piece is %v", x, y, hit)
			}
		}
	})
}

func lineAt(places []Place, x float64) float64 {
	for i := 1; i < len(places); i++ {
		if a, b := places[i-1], places[i]; x <= b.X && b.X > a.X {
			return a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X)
		}
	}
	return places[len(places)-1].Y
}

// TestBandInsidePanel compares the area of the drawn band with a sum over thin strips.
func TestBandInsidePanel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := drawPoints(t)
		var lower []Place
		for _, p := range points {
			lower = append(lower, Place{p.X, p.Lo})
		}
		width := points[len(points)-1].X
		got := 0.0
		for _, ring := range plotted(width, func(p *panel) []plot.Plotter { return p.band(points, blue) }) {
			got += math.Abs(size(ring))
		}
		want, n := 0.0, 4000
		for i := range n {
			y := lineAt(lower, width*(float64(i)+0.5)/float64(n))
			want += max(min(y+60, 100)-max(y, 0), 0) * width / float64(n)
		}
		if math.Abs(got-want) > 1e-3*(want+10) {
			t.Fatalf("area %v, want %v", got, want)
		}
	})
}

// size returns the area of a ring by the shoelace formula.
func size(ring []Place) float64 {
	sum := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum / 2
}

// TestThinKeepsEachPixelsSpan compares, pixel by pixel, the span of the kept places with the
// span before.
func TestThinKeepsEachPixelsSpan(t *testing.T) {
	r := dice(11)
	var places []vg.Point
	for i := range 20000 {
		places = append(places, vg.Point{X: 200 * vg.Length(i) / 20000, Y: vg.Length(50 + 10*r.NormFloat64())})
	}
	all := outline(false, places...)
	kept := thin(all)
	if len(kept) > 4*201 {
		t.Errorf("%d places kept for 200 pixels", len(kept))
	}
	if kept[0].Pos != all[0].Pos || kept[len(kept)-1].Pos != all[len(all)-1].Pos {
		t.Error("an end was lost")
	}
	span := func(p vg.Path) map[int]vg.Rectangle {
		m := map[int]vg.Rectangle{}
		for _, c := range p {
			at := box(0, c.Pos.Y, 0, c.Pos.Y)
			if old, ok := m[int(c.Pos.X)]; ok {
				at = union(old, at)
			}
			m[int(c.Pos.X)] = at
		}
		return m
	}
	want, got := span(all), span(kept)
	for x, w := range want {
		if got[x] != w {
			t.Errorf("pixel %d spans %v, want %v", x, got[x], w)
		}
	}
}

func TestAxisOfEqualValues(t *testing.T) {
	for _, v := range []float64{0, 1, -3, 0.5, 1e-80, 1e80, 1e15 + 1} {
		r := &reach{}
		r.add(v, v)
		if a := r.axis(false, 0.05); !(a.Min < v && v < a.Max) && v > 1e-90 {
			t.Errorf("axis around %v is %v to %v", v, a.Min, a.Max)
		}
	}
	r := &reach{}
	r.add(2)
	if a := r.axis(true, 0.05); !(a.Min > 0 && a.Min < 2 && a.Max > 2) {
		t.Errorf("logarithmic axis around 2 is %v to %v", a.Min, a.Max)
	}
}

// TestNumbersInCellsHaveContrast requires the contrast of WCAG 2 for numbers in cells.
func TestNumbersInCellsHaveContrast(t *testing.T) {
	for i := range 101 {
		for name, stops := range map[string][]color.NRGBA{"viridis": viridis, "diverging": diverging} {
			c := ramp(stops, float64(i)/100)
			if ratio := contrast(inkOn(fixedTone(c)).light, c); ratio < 4.5 {
				t.Errorf("%s at %d %%: contrast of numbers %.2f", name, i, ratio)
			}
		}
	}
}
