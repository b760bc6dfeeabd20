package figure

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"
)

func drawn(t *testing.T, c Chart, l Layout) *Drawing {
	t.Helper()
	d, err := c.Draw(l)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// marksOf returns the marks that f accepts.
func marksOf(d *Drawing, f func(mark) bool) (list []mark) {
	for _, sh := range d.shapes {
		if m, ok := sh.(mark); ok && f(m) {
			list = append(list, m)
		}
	}
	return list
}

// textsOf returns the lines of letters with one of these texts.
func textsOf(d *Drawing, says ...string) (list []textLine) {
	for _, sh := range d.shapes {
		if t, ok := sh.(textLine); ok && slices.Contains(says, t.s) {
			list = append(list, t)
		}
	}
	return list
}

// isLine reports whether a mark is a line of a colour and width.
func isLine(m mark, c tone, width vg.Length) bool { return m.line.Width == width && m.line.Color == c }

// TestHistogramWidthsFollowData checks that the bins follow from the range of the data and
// their number.
func TestHistogramWidthsFollowData(t *testing.T) {
	for _, tt := range []struct {
		n      int
		lo, hi int
		want   string // number of bins and their width
	}{
		{7, 58, 64, "7 of 1"},
		{2000, 58, 64, "7 of 1"},
		{70, 10, 200, "11 of 20"},
		{200000, 10, 200, "20 of 10"},
		{1, 60, 60, "1 of 1"},
		{5000, 1, 30000, "31 of 1000"},
	} {
		h := Histogram{Counts: map[int]int{tt.lo: tt.n - tt.n/2}}
		h.Counts[tt.hi] += tt.n / 2
		bins := h.bins([]int{tt.lo, tt.hi}, tt.n)
		if got := fmt.Sprintf("%d of %v", len(bins), bins[0].hi-bins[0].lo); got != tt.want {
			t.Errorf("%d values from %v to %v: bins %s, want %s", tt.n, tt.lo, tt.hi, got, tt.want)
		}
	}
}

// TestEloFollowsItsBand begins the curve with the first finite band. The axes reach as far as
// the band does, and the legend names only what is drawn.
func TestEloFollowsItsBand(t *testing.T) {
	inf := math.Inf(1)
	e := Curve{Name: "Elo so far", Line: []Point{
		{X: 100, Y: 500}, {X: 200, Y: -400, Lo: -inf, Hi: inf},
		{X: 1250, Y: 97, Lo: 71, Hi: 125}, {X: 5000, Y: 94, Lo: 83, Hi: 105}, {X: 10000, Y: 94, Lo: 87, Hi: 102},
	}}
	d := drawn(t, e, Wide)
	lines := marksOf(d, func(m mark) bool { return isLine(m, blue, 2) })
	bands := marksOf(d, func(m mark) bool { return m.fill == faded(blue, bandOpacity) })[1:] // after the legend's
	if len(lines) != 1 || len(lines[0].path) != 3 || len(bands) != 1 || len(bands[0].path) != 7 {
		t.Fatalf("lines %v, bands %v: want one of three points each, with no corner cut", lines, bands)
	}
	if a, b := lines[0].path[0].Pos.X, bands[0].bounds().Min.X; a != b {
		t.Errorf("the curve begins at %v, its band at %v", a, b)
	}
	legend := func(e Curve) (names []string) {
		for _, name := range []string{"Elo so far", "95 % band", "Elo so far, 95 % band"} {
			if slices.Contains(texts(t, e, Wide), name) {
				names = append(names, name)
			}
		}
		return names
	}
	for _, tt := range []struct {
		points []Point
		want   []string
	}{
		{e.Line, []string{"Elo so far", "95 % band"}},
		{e.Line[:1], []string{"Elo so far"}},
		{e.Line[2:3], []string{"Elo so far, 95 % band"}},
		{[]Point{{X: 1, Y: 1}, {X: 2, Y: 2}}, []string{"Elo so far"}},
	} {
		if diff := cmp.Diff(tt.want, legend(Curve{Name: "Elo so far", Line: tt.points})); diff != "" {
			t.Errorf("legend of %v (-want +got):\n%s", tt.points, diff)
		}
	}
}

// TestCutBandsAreMarked has curves whose axes follow their band, except an early part several
// times as wide as the last. An arrow at the edge gives the value of a band that is cut.
func TestCutBandsAreMarked(t *testing.T) {
	line := func(hi, lo float64) []Point {
		return []Point{{X: 1, Y: 1, Lo: 0, Hi: 2}, {X: 2, Y: 2, Lo: lo, Hi: hi}, {X: 3, Y: 3, Lo: 2, Hi: 4}}
	}
	for _, tt := range []struct {
		chart Chart
		want  []string
	}{
		{Response{Points: line(4, 1), Fit: line(4, 1)}, nil},
		{Response{Points: line(4, 1), Fit: line(57, 1)}, []string{"goes on to 57"}},
		{Response{Points: line(4, 1), Fit: line(57, -80)}, []string{"goes on to 57", "goes on to −80"}},
		{Response{Points: line(4, 1), Fit: line(math.Inf(1), 1)}, []string{"goes on without end"}},
		{Curve{Line: line(57, -80)}, nil},
		{Curve{Line: append([]Point{{X: 0.1, Y: 1, Lo: -80, Hi: 57}}, line(4, 1)...)}, []string{"goes on to 57", "goes on to −80"}},
	} {
		d := drawn(t, tt.chart, Wide)
		var got []string
		for _, m := range marksOf(d, func(m mark) bool { return strings.HasPrefix(m.tip, "goes on") }) {
			got = append(got, m.tip)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("marks of what is cut (-want +got):\n%s", diff)
		}
	}
}

// TestLogAxesKeepRatios draws equal ratios equally far apart, marks decades, and draws an
// interval that reaches zero as open.
func TestLogAxesKeepRatios(t *testing.T) {
	points := []Point{{X: 1, Y: 0.01}, {X: 10, Y: 1, Lo: -1, Hi: 3}, {X: 100, Y: 100}}
	for name, c := range map[string]Chart{"Lines": Lines{LogX: true, LogY: true, Series: []Series{{Points: points}}}} {
		d := drawn(t, c, Wide)
		dots := marksOf(d, func(m mark) bool { return m.fill == blue && m.line.Width > 0 })
		if len(dots) != 3 {
			t.Fatalf("%s: %d dots", name, len(dots))
		}
		at := func(i int) vg.Point { return dots[i].path[0].Pos }
		if dx := at(1).X - at(0).X - (at(2).X - at(1).X); math.Abs(float64(dx)) > 1e-6 {
			t.Errorf("%s: two decades of X differ by %v", name, dx)
		}
		if dy := at(1).Y - at(0).Y - (at(2).Y - at(1).Y); math.Abs(float64(dy)) > 1e-6 {
			t.Errorf("%s: two decades of Y differ by %v", name, dy)
		}
		for _, label := range []string{"1", "10", "100", "0.01"} {
			if !slices.Contains(texts(t, c, Wide), label) {
				t.Errorf("%s: no mark at %s", name, label)
			}
		}
		if arrows := marksOf(d, func(m mark) bool { return len(m.path) == 3 && isLine(m, blue, 1.25) }); len(arrows) != 1 {
			t.Errorf("%s: %d arrows, want one", name, len(arrows))
		}
	}
	b := drawn(t, Bars{LogX: true, Zero: 1, Bars: []Bar{{Value: 0.1}, {Value: 10}}}, Wide)
	if bars := marksOf(b, func(m mark) bool { return m.fill == faded(blue, 0.22) }); len(bars) != 2 ||
		math.Abs(float64(bars[0].bounds().Size().X-bars[1].bounds().Size().X)) > 1e-6 {
		t.Errorf("a tenth and ten are drawn as %v", bars)
	}
}

// TestContoursMeetTheirLevel draws a plane, whose contour is a straight line, and a hill, whose
// contour is a closed ring of the right size. Both repeat exactly.
func TestContoursMeetTheirLevel(t *testing.T) {
	g := surface{}
	for i := range 41 {
		g.xs, g.ys = append(g.xs, vg.Length(i)*10), append(g.ys, 300-vg.Length(i)*5)
	}
	set := func(f func(x, y float64) float64) {
		g.values = nil
		for _, y := range g.ys {
			var row []float64
			for _, x := range g.xs {
				row = append(row, f(float64(x), float64(y)))
			}
			g.values = append(g.values, row)
		}
	}
	set(func(x, y float64) float64 { return x + 2*y })
	lines := g.contour(503)
	if len(lines) != 1 {
		t.Fatalf("%d contours of a plane", len(lines))
	}
	for _, p := range lines[0] {
		if d := p.X + 2*p.Y - 503; math.Abs(float64(d)) > 1e-9 {
			t.Errorf("%v is %v off the plane's contour", p, d)
		}
	}
	hill := func(x, y float64) float64 { return -math.Hypot(x-200, y-200) }
	set(hill)
	rings := g.contour(-80)
	if len(rings) != 1 || rings[0][0] != rings[0][len(rings[0])-1] {
		t.Fatalf("contours of a hill: %v", rings)
	}
	if got, want := math.Abs(size(placesOf(rings[0]))), math.Pi*80*80; math.Abs(got/want-1) > 0.01 {
		t.Errorf("the ring holds %v, want %v", got, want)
	}
	if got, want := g.at(233, 187), hill(233, 187); math.Abs(got-want) > 0.5 {
		t.Errorf("interpolated %v, want %v", got, want)
	}
	g.values[8][20] = math.NaN()
	if got := g.contour(-80); len(got) == 0 {
		t.Error("a missing value took all contours away")
	}
	set(func(x, y float64) float64 { return (x - 201) * (y - 199) }) // a saddle
	if lines := g.contour(100); len(lines) != 2 {
		t.Errorf("%d contours of a saddle, want two", len(lines))
	}
}

func placesOf(points []vg.Point) (list []Place) {
	for _, p := range points {
		list = append(list, Place{float64(p.X), float64(p.Y)})
	}
	return list
}

// TestEllipseIsRadiusAway measures every place on the rim: it is Radius standard deviations
// away.
func TestEllipseIsRadiusAway(t *testing.T) {
	e := &Ellipse{X: 2, Y: -3, XX: 4, XY: 1.5, YY: 9, Radius: 2.5}
	det := e.XX*e.YY - e.XY*e.XY
	for _, p := range e.rim(false, false) {
		dx, dy := p.X-e.X, p.Y-e.Y
		if d := (e.YY*dx*dx - 2*e.XY*dx*dy + e.XX*dy*dy) / det; math.Abs(d-2.5*2.5) > 1e-9 {
			t.Fatalf("%v is at a squared distance of %v", p, d)
		}
	}
	e = &Ellipse{X: 2, Y: 3, XX: 0.25, YY: 1, Radius: 1}
	if p := e.rim(true, false)[0]; math.Abs(p.X-2*math.Exp(0.5)) > 1e-9 || p.Y != 3 {
		t.Errorf("on a logarithmic axis the rim is at %v", p)
	}
}

// TestStyleHasEveryClass finds every class of every chart in the page's style, and in its own
// document if dark differs. Drawings have no other colours.
func TestStyleHasEveryClass(t *testing.T) {
	style := Style()
	classes := regexp.MustCompile(`class="([^"]*)"`)
	for _, s := range Gallery() {
		svg := drawn(t, s.Chart, Wide).SVG()
		for _, m := range classes.FindAllSubmatch(svg, -1) {
			for name := range strings.FieldsSeq(string(m[1])) {
				if !strings.Contains(style, "."+name+" {") {
					t.Fatalf("%s: class %s is not in the style of pages", s.Name, name)
				}
				if !bytes.Contains(svg, []byte("."+name+"{")) {
					t.Fatalf("%s: class %s is not in its style", s.Name, name)
				}
			}
		}
		for _, c := range [][]byte{[]byte(`fill="#1F2933"`), []byte(`fill="#52606D"`), []byte(`stroke="#E4E7EB"`)} {
			for _, rest := range bytes.Split(svg, c)[1:] {
				if tag, _, _ := bytes.Cut(rest, []byte(">")); !bytes.Contains(tag, []byte("class=")) {
					t.Errorf("%s: %s without a class", s.Name, c)
				}
			}
		}
	}
}
