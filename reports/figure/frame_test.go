package figure

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 12).Draw(t, "places")
		slices.Sort(places)
		before := slices.Clone(places)
		spread(places, 14, 0, 100)
		fits := float64(len(places)-1)*14 <= 100
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

func apart(places []float64, d float64) bool {
	for i := 1; i < len(places); i++ {
		if places[i]-places[i-1] < d {
			return false
		}
	}
	return true
}

func drawSpots(t *rapid.T) []spot {
	ys := rapid.SliceOfN(rapid.Float64Range(-50, 150), 2, 20).Draw(t, "ys")
	var spots []spot
	for i, y := range ys {
		spots = append(spots, spot{float64(10 * i), y})
	}
	return spots
}

// TestClipLineNextToLimit holds a line that ends just outside to what is inside.
func TestClipLineNextToLimit(t *testing.T) {
	for _, ends := range [][2]float64{{-2.98e-8, -4.77e-7}, {-2.9e-8, -3.1e-8}, {100 + 2.9e-8, 100 + 3.1e-8}} {
		pieces := clipLine([]spot{{0, 50}, {10, ends[0]}, {20, ends[1]}}, 0, 100)
		for _, piece := range pieces {
			for i := 1; i < len(piece); i++ {
				if piece[i].x < piece[i-1].x {
					t.Errorf("ends %v: the line goes back: %v", ends, piece)
				}
			}
			if last := piece[len(piece)-1]; last.x < 10 {
				t.Errorf("ends %v: the line ends at %v", ends, last)
			}
		}
	}
}

// TestClipLine compares with sampling: a place of the line is in a piece if and
// only if it is inside.
func TestClipLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spots := drawSpots(t)
		pieces := clipLine(spots, 0, 100)
		for x := 0.5; x < spots[len(spots)-1].x; x++ {
			y := lineAt(spots, x)
			if math.Abs(y) < 1e-6 || math.Abs(y-100) < 1e-6 {
				continue
			}
			hit := false
			for _, piece := range pieces {
				if piece[0].x <= x && x <= piece[len(piece)-1].x {
					hit = true
					if got := lineAt(piece, x); math.Abs(got-y) > 1e-6 {
						t.Fatalf("at %v: %v, want %v", x, got, y)
					}
				}
			}
			if inside := y > 0 && y < 100; hit != inside {
				t.Fatalf("at %v, y %v: in a piece is %v", x, y, hit)
			}
		}
	})
}

func lineAt(spots []spot, x float64) float64 {
	for i := 1; i < len(spots); i++ {
		if a, b := spots[i-1], spots[i]; x <= b.x && b.x > a.x {
			return a.y + (b.y-a.y)*(x-a.x)/(b.x-a.x)
		}
	}
	return spots[len(spots)-1].y
}

// TestClipArea compares the size of the cut outline with a sum over thin strips.
func TestClipArea(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		upper := drawSpots(t)
		outline := slices.Clone(upper)
		for i := len(upper) - 1; i >= 0; i-- {
			outline = append(outline, spot{upper[i].x, upper[i].y + 60})
		}
		got := math.Abs(size(clipArea(outline, 0, 100)))
		want, n := 0.0, 4000
		width := upper[len(upper)-1].x / float64(n)
		for i := range n {
			y := lineAt(upper, (float64(i)+0.5)*width)
			want += max(min(y+60, 100)-max(y, 0), 0) * width
		}
		if math.Abs(got-want) > 1e-3*(want+10) {
			t.Fatalf("area %v, want %v", got, want)
		}
	})
}

// size is the shoelace formula.
func size(spots []spot) float64 {
	sum := 0.0
	for i, p := range spots {
		q := spots[(i+1)%len(spots)]
		sum += p.x*q.y - q.x*p.y
	}
	return sum / 2
}

// TestThin checks that what is kept spans, pixel by pixel, what was there.
func TestThin(t *testing.T) {
	r := dice(11)
	var spots []spot
	for i := range 20000 {
		spots = append(spots, spot{200 * float64(i) / 20000, 50 + 10*r.NormFloat64()})
	}
	kept := thin(spots)
	if len(kept) > 4*201 {
		t.Errorf("%d spots kept for 200 pixels", len(kept))
	}
	if kept[0] != spots[0] || kept[len(kept)-1] != spots[len(spots)-1] {
		t.Error("an end was lost")
	}
	span := func(spots []spot) map[int]rect {
		m := map[int]rect{}
		for _, p := range spots {
			at := rect{0, p.y, 0, p.y}
			if old, ok := m[int(p.x)]; ok {
				at = old.union(at)
			}
			m[int(p.x)] = at
		}
		return m
	}
	want, got := span(spots), span(kept)
	for x, w := range want {
		if got[x] != w {
			t.Errorf("pixel %d spans %v, want %v", x, got[x], w)
		}
	}
}

func TestScaleOfEqualValues(t *testing.T) {
	for _, v := range []float64{0, 1, -3, 0.5, 1e-80, 1e80, 1e15 + 1} {
		r := &reach{}
		r.add(v, v)
		if sc := r.scale(false, 0.05); !(sc.lo < v && v < sc.hi) && v > 1e-90 {
			t.Errorf("axis around %v is %v to %v", v, sc.lo, sc.hi)
		}
	}
	r := &reach{}
	r.add(2)
	if sc := r.scale(true, 0.05); !(sc.lo > 0 && sc.lo < 2 && sc.hi > 2) {
		t.Errorf("logarithmic axis around 2 is %v to %v", sc.lo, sc.hi)
	}
}

// TestInkContrast holds numbers in cells to WCAG 2's ratio.
func TestInkContrast(t *testing.T) {
	for i := range 101 {
		for name, stops := range map[string][]color.NRGBA{"viridis": viridis, "diverging": diverging} {
			c := ramp(stops, float64(i)/100)
			if ratio := contrast(inkOn(fixedTone(c)).light, c); ratio < 4.5 {
				t.Errorf("%s at %d %%: contrast of numbers %.2f", name, i, ratio)
			}
		}
	}
}
