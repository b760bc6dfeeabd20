package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// drawingErrors returns the faults of a layout: marks off the sheet, places that are not
// numbers, overlapping texts.
func drawingErrors(s *Drawing) []string {
	var out []string
	complain := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if !(s.w > 0 && s.h > 0 && s.h < 15000) {
		complain("sheet of %v by %v", s.w, s.h)
	}
	sheet := inset(box(0, 0, s.w, -s.h), -0.01)
	var texts []textLine
	for _, sh := range s.shapes {
		b := sh.(interface{ bounds() vg.Rectangle }).bounds()
		for _, v := range []vg.Length{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y} {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				complain("%T %+v has no place", sh, sh)
			}
		}
		if union(sheet, b) != sheet {
			complain("%T %+v leaves the sheet of %v by %v", sh, sh, s.w, s.h)
		}
		if t, ok := sh.(textLine); ok {
			texts = append(texts, t)
		}
	}
	for i, a := range texts {
		for _, b := range texts[:i] {
			if overlap(inset(a.bounds(), 1), inset(b.bounds(), 1)) {
				complain("texts %q and %q meet", b.s, a.s)
			}
		}
	}
	return out
}

// svgErrors reads the document as XML and searches for values that are not numbers.
func svgErrors(svg []byte) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			if a.Name.Local != "aria-label" && (strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || strings.Contains(a.Value, "e+")) {
				return fmt.Errorf("<%s %s=%q>", start.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
}

func TestGalleryLayoutsHaveNoFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("short: draws every figure")
	}
	for _, n := range Gallery() {
		for _, width := range []Layout{Wide, Narrow} {
			t.Run(fmt.Sprintf("%s/%v", n.Name, width), func(t *testing.T) {
				s, err := n.Chart.Draw(width)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range drawingErrors(s) {
					t.Error(e)
				}
				svg := s.SVG()
				if err := svgErrors(svg); err != nil {
					t.Error(err)
				}
				again, err := n.Chart.Draw(width)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(svg, again.SVG()) {
					t.Error("the same data drew another document")
				}
				for _, sh := range s.shapes {
					if tx, ok := sh.(textLine); ok && strings.Contains(tx.s, "…") && !strings.HasPrefix(tx.s, "risk_aversion") {
						t.Errorf("%q was cut", tx.s)
					}
				}
			})
		}
	}
}

// texts returns all texts of a figure, in painting order.
func texts(t *testing.T, f Chart, width Layout) []string {
	t.Helper()
	s, err := f.Draw(width)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, sh := range s.shapes {
		if tx, ok := sh.(textLine); ok {
			out = append(out, tx.s)
		}
	}
	return out
}

// TestFiguresHaveTheirLabels searches for the texts that a reader needs in each figure.
func TestFiguresHaveTheirLabels(t *testing.T) {
	for _, tt := range []struct {
		name   string
		figure Chart
		want   []string
	}{
		{"elo", exampleElo(37, 1200, "shown to be better"), []string{"shown to be better", "95 % band, valid at any time", "game pairs", "0", "+28"}},
		{"response", exampleResponse(), []string{"path_weight", "reference 1", "optimum 1.36 (1.21 to 1.49)", "fitted curve", "measured, with interval"}},
		{"lines", exampleLines(), []string{"minimax", "alpha-beta", "alpha-beta, ordered", "depth", "10,000"}},
		{"heat", exampleHeat(), []string{"best", "reference", "path_weight", "wall_bonus", "Elo against the reference", "+36", "+100"}},
		{"bars", exampleRatings(), []string{"final", "random", "+212 (+198 to +226)", "−310 (below −296)", "Elo", "baseline"}},
		{"histogram", exampleLengths(), []string{"median 60", "plies", "games", "2,000"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			have := map[string]bool{}
			for _, s := range texts(t, tt.figure, Wide) {
				have[s] = true
			}
			for _, w := range tt.want {
				if !have[w] {
					t.Errorf("%q is missing from %q", w, texts(t, tt.figure, Wide))
				}
			}
		})
	}
}

// maker draws figures. A tame one stays within the data that figures accept, so that most are
// drawn; another uses any data.
type maker struct {
	*rapid.T
	tame bool
}

// value draws ordinary, odd and impossible numbers; a tame maker only positive ones, or none.
func (m maker) value(name string) float64 {
	if m.tame {
		switch exp := rapid.IntRange(-7, 7).Draw(m.T, name+" exponent"); exp {
		case 7:
			return math.NaN()
		case 6:
			return 0.5
		default:
			return rapid.Float64Range(0.1, 1).Draw(m.T, name) * math.Pow(10, float64(exp))
		}
	}
	switch rapid.IntRange(0, 12).Draw(m.T, name+" kind") {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1 - 2*rapid.IntRange(0, 1).Draw(m.T, name+" sign"))
	case 2:
		return 0
	case 3:
		return rapid.Float64Range(-1e-12, 1e-12).Draw(m.T, name)
	case 4:
		return rapid.Float64Range(-1e12, 1e12).Draw(m.T, name)
	case 5:
		return rapid.Float64().Draw(m.T, name)
	}
	return rapid.Float64Range(-2, 2).Draw(m.T, name)
}

// number draws a value that a tame maker must not leave out.
func (m maker) number(name string) float64 {
	if v := m.value(name); !m.tame || !math.IsNaN(v) {
		return v
	}
	return 1
}

// least returns the smallest number of things in a figure of this maker.
func (m maker) least() int {
	if m.tame {
		return 1
	}
	return 0
}

func (m maker) points(name string) []Point {
	var out []Point
	for i := range rapid.IntRange(m.least(), 8).Draw(m.T, name+" number") {
		p := Point{X: float64(i + 1), Y: m.value("Y"), Lo: m.value("Lo"), Hi: m.value("Hi")}
		if !m.tame && rapid.Bool().Draw(m.T, "odd X") {
			p.X = m.value("X")
		}
		if m.tame {
			p.Y = rapid.Float64Range(0.1, 0.9).Draw(m.T, "score")
			p.Lo, p.Hi = p.Y-m.value("below"), p.Y+m.value("above")
		}
		if p.Lo > p.Hi && rapid.IntRange(0, 5).Draw(m.T, "order") > 0 {
			p.Lo, p.Hi = p.Hi, p.Lo
		}
		out = append(out, p)
	}
	return out
}

// word draws short, long, foreign and hostile names.
func (m maker) word(name string) string {
	return rapid.SampledFrom([]string{
		"", "a", "path_weight", "x < y & \"z\"", "五子棋", "\x00\xff\n", "</svg><script>",
		strings.Repeat("very long ", 12), strings.Repeat("m", 90),
	}).Draw(m.T, name)
}

func (m maker) ellipse() *Ellipse {
	if rapid.Bool().Draw(m.T, "no ellipse") {
		return nil
	}
	a, b, c := m.number("a"), m.number("b"), m.number("c")
	return &Ellipse{X: m.number("x"), Y: m.number("y"), XX: a * a, XY: a * b, YY: b*b + c*c, Radius: m.number("radius")}
}

// places draws increasing numbers.
func (m maker) places(name string) []float64 {
	var out []float64
	v := m.number(name)
	for range rapid.IntRange(2*m.least(), 6).Draw(m.T, name+" number") {
		out = append(out, v)
		v += math.Abs(m.number(name + " step"))
	}
	return out
}

// figure draws a figure of a kind with any data.
func (m maker) figure(kind int) Chart {
	title, subtitle := m.word("title"), m.word("subtitle")
	x, y := m.word("X label"), m.word("Y label")
	var levels []Level
	for range rapid.IntRange(0, 3).Draw(m.T, "levels") {
		levels = append(levels, Level{m.number("level"), m.word("level label")})
	}
	n := rapid.IntRange(m.least(), 6).Draw(m.T, "n")
	switch kind {
	case 0:
		r := Response{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, Points: m.points("points"), Levels: levels, LogX: rapid.Bool().Draw(m.T, "log")}
		if rapid.Bool().Draw(m.T, "extras") {
			r.Fit, r.ReferenceX, r.ReferenceLabel = m.points("fit"), ptr(m.number("reference")), m.word("reference label")
			r.Optimum = &Point{X: m.number("optimum"), Y: m.number("value"), Lo: m.value("from"), Hi: m.value("to")}
		}
		return r
	case 1:
		l := Lines{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, Levels: levels, LogX: rapid.Bool().Draw(m.T, "log X"), LogY: rapid.Bool().Draw(m.T, "log Y"), Diagonal: rapid.Bool().Draw(m.T, "diagonal"), Band: m.word("what bands mean")}
		for range n {
			l.Series = append(l.Series, Series{m.word("name"), m.points("series"), rapid.Bool().Draw(m.T, "band")})
		}
		return l
	case 2:
		h := Heat{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, Label: m.word("label")}
		columns := rapid.IntRange(m.least(), 9).Draw(m.T, "columns")
		for range columns {
			h.Columns = append(h.Columns, m.word("column"))
		}
		for range n {
			h.Rows = append(h.Rows, m.word("row"))
			var row []float64
			for range columns {
				row = append(row, m.value("cell"))
			}
			h.Values = append(h.Values, row)
		}
		if rapid.Bool().Draw(m.T, "marks") {
			h.Best, h.Middle = &Cell{rapid.IntRange(m.least()-1, n+1-2*m.least()).Draw(m.T, "best row"), 0}, ptr(m.number("middle"))
		}
		return h
	case 3:
		b := Bars{Title: title, Subtitle: subtitle, XLabel: x, ZeroLabel: m.word("zero label"), Zero: m.number("zero")}
		for _, p := range m.points("bars") {
			b.Bars = append(b.Bars, Bar{Name: m.word("name"), Value: p.Y, Lo: p.Lo, Hi: p.Hi, Strong: rapid.Bool().Draw(m.T, "strong")})
		}
		return b
	case 4:
		values, counts := rapid.IntRange(-1000, 100000), rapid.IntRange(1-m.least(), 1000)
		return Histogram{Title: title, Subtitle: subtitle, XLabel: x, Counts: rapid.MapOfN(values, counts, m.least(), 12).Draw(m.T, "counts")}
	case 5:
		return Curve{Title: title, Subtitle: subtitle, XLabel: x, YLabel: y, LogX: rapid.Bool().Draw(m.T, "log"), Line: m.points("line"), Measured: m.points("measured"), Level: m.word("band"), Verdict: m.word("verdict")}
	default:
		c := Pairs{Title: title, Subtitle: subtitle, Label: m.word("label")}
		for range 2 {
			a := PairAxis{Name: m.word("name"), Log: rapid.Bool().Draw(m.T, "log"), Values: m.places("places")}
			if rapid.Bool().Draw(m.T, "marks") && len(a.Values) > 0 {
				a.Best, a.Reference = &a.Values[0], &a.Values[len(a.Values)-1]
			}
			c.Axes = append(c.Axes, a)
		}
		p := Pair{Second: 1, Ellipse: m.ellipse(), Note: m.word("note"), Points: []Place{{m.number("x"), m.number("y")}}}
		for range c.Axes[1].Values {
			var row []float64
			for range c.Axes[0].Values {
				row = append(row, m.value("cell"))
			}
			p.Surface = append(p.Surface, row)
		}
		c.Pairs = []Pair{p}
		return c
	}
}

// TestAnyFigureIsDrawnOrRefused gives figures any data: the result is an error, or a drawing
// without marks off the sheet, overlapping texts or places that are not numbers.
func TestAnyFigureIsDrawnOrRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("short: draws many figures")
	}
	for kind, f := range allCharts() {
		t.Run(strings.TrimPrefix(fmt.Sprintf("%T", f), "figure."), func(t *testing.T) {
			drawn := 0
			rapid.Check(t, func(t *rapid.T) {
				if checkAny(t, kind) {
					drawn++
				}
			})
			if drawn == 0 {
				t.Error("none was valid: the test says nothing")
			}
		})
	}
}

// allCharts returns the kinds of charts, in the order of maker.figure.
func allCharts() []Chart {
	return []Chart{
		Response{}, Lines{}, Heat{}, Bars{}, Histogram{}, Curve{}, Pairs{},
	}
}

func FuzzAnyFigure(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { checkAny(t, rapid.IntRange(0, len(allCharts())-1).Draw(t, "kind")) }))
}

// checkAny draws and checks one figure; it reports whether the figure was valid.
func checkAny(t *rapid.T, kind int) bool {
	f := maker{t, rapid.IntRange(0, 3).Draw(t, "tame") > 0}.figure(kind)
	s, err := f.Draw(rapid.SampledFrom([]Layout{Wide, Narrow}).Draw(t, "width"))
	if err != nil {
		return false
	}
	for _, e := range drawingErrors(s) {
		t.Error(e)
	}
	if err := svgErrors(s.SVG()); err != nil {
		t.Error(err)
	}
	return true
}

func TestTextIsCutAndWrappedToWidth(t *testing.T) {
	long := "The quick brown fox jumps over the lazy dog"
	if got := shorten(long, 12, false, 100); textWidth(got, 12, false) > 100 || !strings.HasSuffix(got, "…") || !strings.HasPrefix(long, strings.TrimSuffix(got, "…")) {
		t.Errorf("shortened to %q", got)
	}
	if got := shorten(long, 12, false, 1000); got != long {
		t.Errorf("%q was changed without need", got)
	}
	lines := wrap(long+" "+strings.Repeat("x", 60), 12, false, 120)
	for _, l := range lines {
		if textWidth(l, 12, false) > 120 {
			t.Errorf("line %q is too wide", l)
		}
	}
	if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); !strings.HasPrefix(got, "Thequickbrownfox") || len(got) != len(strings.ReplaceAll(long, " ", ""))+60 {
		t.Errorf("wrapping lost letters: %q", lines)
	}
	if got := wrap(strings.Repeat("word ", 500), 12, false, 200); len(got) != maxLines || !strings.HasSuffix(got[maxLines-1], "…") {
		t.Errorf("%d lines, the last %q", len(got), got[len(got)-1])
	}
	if a, b := textWidth("五子棋", 10, false), vg.Length(30); a != b {
		t.Errorf("three squares are %v wide, want %v", a, b)
	}
}

func TestPathDataRoundsPlacesNotSteps(t *testing.T) {
	if got, want := path(outline(true, vg.Point{X: 1, Y: -2}, vg.Point{X: 1.5, Y: -1.25}, vg.Point{X: 0.25, Y: -1.25}, vg.Point{X: 0.255, Y: -3})),
		"M1 2l0.5-0.75-1.25 0 0.01 1.75z"; got != want {
		t.Errorf("path %s, want %s", got, want)
	}
	if got, want := path(circle(vg.Point{X: 10, Y: -10}, 2)), "M12 10c0-1.1-0.9-2-2-2-1.1 0-2 0.9-2 2 0 1.1 0.9 2 2 2 1.1 0 2-0.9 2-2z"; got != want {
		t.Errorf("circle %s, want %s", got, want)
	}
	// Rounding must not add up along a line of many small steps.
	var places []vg.Point
	for i := range 1001 {
		places = append(places, vg.Point{X: vg.Length(i) * 0.0333})
	}
	x, y := 0.0, 0.0
	data := strings.NewReplacer("M", "", "l", " ").Replace(path(outline(false, places...)))
	for r := strings.NewReader(data); ; {
		var dx, dy float64
		if _, err := fmt.Fscan(r, &dx, &dy); err != nil {
			break
		}
		x, y = x+dx, y+dy
	}
	if math.Abs(x-33.3) > 0.06 || y != 0 {
		t.Errorf("a line to 33.3 ended at %v, %v", x, y)
	}
}

func TestErrorsNameTheField(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	cell := &Cell{3, 0}
	for _, tt := range []struct {
		figure Chart
		want   string
	}{
		{Curve{Line: []Point{{Y: nan}}}, "nothing to draw"},
		{Curve{Line: []Point{{Y: inf}}}, "Line[0]: Y is +Inf"},
		{Curve{Line: []Point{{Y: 1, Lo: 2, Hi: 1}}}, "from 2 to 1 is reversed"},
		{Curve{Line: []Point{{Y: 1, Lo: inf, Hi: inf}}}, "holds no value"},
		{Response{LogX: true, Points: []Point{{X: 0, Y: 1}}}, "Points[0]: X is 0: a logarithmic axis"},
		{Response{LogX: true, Points: []Point{{X: 5e-324, Y: 1}}}, "Points[0]: X is 5e-324: too small"},
		{Response{Points: []Point{{Y: 1}}, Optimum: &Point{X: nan}}, "Optimum.X is NaN"},
		{Response{Points: []Point{{Y: 1}}, Fit: []Point{{Y: inf}}}, "Fit[0]: Y is +Inf"},
		{Response{LogX: true, Points: []Point{{X: 1, Y: 1}}, ReferenceX: ptr(-1.0)}, "ReferenceX is -1"},
		{Lines{}, "nothing to draw"},
		{Lines{Series: make([]Series, 8)}, "8 series: at most 7"},
		{Lines{LogY: true, Series: []Series{{Points: []Point{{X: 1, Y: -1}}}}}, "Series[0].Points[0]: Y is -1"},
		{Heat{}, "nothing to draw"},
		{Heat{Rows: []string{"a"}, Columns: []string{"b"}}, "0 rows of Values for 1 Rows"},
		{Heat{Rows: []string{"a"}, Columns: []string{"b"}, Values: [][]float64{{1, 2}}}, "row 0 of Values has 2 for 1 Columns"},
		{Heat{Rows: []string{"a"}, Columns: []string{"b"}, Values: [][]float64{{inf}}}, "Values[0][0] is +Inf"},
		{Heat{Rows: []string{"a"}, Columns: []string{"b"}, Values: [][]float64{{1}}, Best: cell}, "marked cell {3 0}"},
		{Heat{Rows: make([]string, 121)}, "121 rows"},
		{Bars{}, "nothing to draw"},
		{Bars{Bars: []Bar{{Name: "x", Value: inf}}}, `bar 0, "x": Value is +Inf`},
		{Bars{Bars: make([]Bar, 201)}, "201 bars"},
		{Histogram{}, "nothing to draw"},
	} {
		_, err := File(tt.figure, "svg")
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%T: error %v, want one with %q", tt.figure, err, tt.want)
		}
	}
}

// TestSparseDataIsDrawn has as little data as a young run.
func TestSparseDataIsDrawn(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]Chart{
		"one pair":      Curve{Line: []Point{{X: 1, Y: 0, Lo: math.Inf(-1), Hi: math.Inf(1)}}},
		"one response":  Response{Points: []Point{{X: 1, Y: 1}}},
		"same response": Response{Points: []Point{{X: 1, Y: 3}, {X: 2, Y: 3}}},
		"one log":       Response{LogX: true, Points: []Point{{X: 1, Y: 1}}},
		"one line":      Lines{Series: []Series{{Name: "a", Points: []Point{{X: 1, Y: 1}}}}},
		"one cell":      Heat{Rows: []string{"a"}, Columns: []string{"b"}, Values: [][]float64{{1}}, Best: &Cell{}, Middle: ptr(1.0)},
		"equal cells":   Heat{Rows: []string{"a"}, Columns: []string{"b", "c"}, Values: [][]float64{{0, 0}}},
		"zero bar":      Bars{Bars: []Bar{{Name: "a"}}},
		"missing bar":   Bars{Bars: []Bar{{Name: "a", Value: nan}, {Name: "b", Value: 1}}},
		"one length":    Histogram{Counts: map[int]int{60: 1}},
	} {
		for _, width := range []Layout{Wide, Narrow} {
			s, err := f.Draw(width)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for _, e := range drawingErrors(s) {
				t.Errorf("%s at %v: %s", name, width, e)
			}
		}
	}
}

func TestHistogramHasRoundBins(t *testing.T) {
	d := drawn(t, Histogram{Counts: map[int]int{10: 1, 20: 1, 21: 1, 30: 1, 50: 0, 100: 1}}, Wide)
	var got []string
	for _, b := range marksOf(d, func(m mark) bool { return m.tip != "" }) {
		got = append(got, b.tip)
	}
	want := []string{"10 to 19: 1 game", "20 to 29: 2 games", "30 to 39: 1 game", "100 to 109: 1 game"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bins (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		counts map[int]int
		want   string
	}{
		{map[int]int{1: 1, 2: 1, 3: 1}, "median 2"},
		{map[int]int{1: 1, 2: 1, 3: 1, 4: 1}, "median 2.5"},
		{map[int]int{1: 1, 9: 3}, "median 9"},
		{map[int]int{1: 2, 9: 2, 5: 0}, "median 5"},
		{map[int]int{60: 1}, "median 60"},
	} {
		d := drawn(t, Histogram{Counts: tt.counts}, Wide)
		if list := textsOf(d, tt.want); len(list) != 1 {
			t.Errorf("%v: want %s", tt.counts, tt.want)
		}
	}
	// Numbers of games are whole, so no mark is at half a game.
	d = drawn(t, Histogram{Counts: map[int]int{58: 1, 59: 2}}, Wide)
	if list := textsOf(d, "0.5", "1.5"); len(list) > 0 {
		t.Errorf("marks %v", list)
	}
}

func TestBinScoresMatchFormula(t *testing.T) {
	got := BinScores([]TrialScore{{1, 0.5, 2}, {2, 1, 6}, {3, 0.25, 1}}, 2)
	// One trial has no spread; the second bin: mean (6 + 0.25)/7, residuals
	// 6(1 - m) and 1(0.25 - m), variance of the mean 2/1 of their squares over 49.
	m := 6.25 / 7
	half := 1.959964 * math.Sqrt(2*(math.Pow(6*(1-m), 2)+math.Pow(0.25-m, 2))) / 7
	want := []Point{{X: 1, Y: 0.5, Lo: 0.5, Hi: 0.5, N: 2}, {X: 2.5, Y: m, Lo: m - half, Hi: m + half, N: 7}}
	for i := range want {
		for k, d := range []float64{got[i].X - want[i].X, got[i].Y - want[i].Y, got[i].Lo - want[i].Lo, got[i].Hi - want[i].Hi} {
			if math.Abs(d) > 1e-12 {
				t.Errorf("bin %d, field %d: %+v, want %+v", i, k, got[i], want[i])
			}
		}
		if got[i].N != want[i].N {
			t.Errorf("bin %d has %d pairs, want %d", i, got[i].N, want[i].N)
		}
	}
	if got := BinScores(nil, 10); got != nil {
		t.Errorf("no trials gave %v", got)
	}
	// Of many bins of pure noise, about 95 % must contain the truth.
	r, inside := dice(12), 0
	var trials []TrialScore
	for k := range 40000 {
		trials = append(trials, TrialScore{float64(k), 0.5 + 0.1*r.NormFloat64(), 1})
	}
	for _, p := range BinScores(trials, 1000) {
		if p.Lo <= 0.5 && 0.5 <= p.Hi {
			inside++
		}
	}
	if inside < 915 || inside > 970 {
		t.Errorf("%d of 1,000 intervals hold the truth", inside)
	}
}

// bounds returns the rectangle that a mark covers, with its line.
func (m mark) bounds() vg.Rectangle {
	r := vg.Rectangle{Min: vg.Point{X: vg.Inch * 1e9, Y: vg.Inch * 1e9}, Max: vg.Point{X: -vg.Inch * 1e9, Y: -vg.Inch * 1e9}}
	for _, c := range m.path {
		if c.Type != vg.CloseComp {
			r = union(r, vg.Rectangle{Min: c.Pos, Max: c.Pos})
		}
	}
	return inset(r, -m.line.Width/2)
}

func union(a, b vg.Rectangle) vg.Rectangle {
	return box(min(a.Min.X, b.Min.X), min(a.Min.Y, b.Min.Y), max(a.Max.X, b.Max.X), max(a.Max.Y, b.Max.Y))
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// bounds of a text follow from the font's widths and the height of its capitals and descenders.
func (t textLine) bounds() vg.Rectangle {
	w := textWidth(t.s, t.size, t.bold)
	from := -w * t.anchor.share()
	rise, drop := 0.75*t.size, 0.22*t.size
	if t.up {
		return box(t.at.X-rise, t.at.Y+from, t.at.X+drop, t.at.Y+from+w)
	}
	return box(t.at.X+from, t.at.Y-drop, t.at.X+from+w, t.at.Y+rise)
}
