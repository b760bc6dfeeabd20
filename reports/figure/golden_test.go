package figure

import (
	"path/filepath"
	"testing"

	"selfplaylab/engines/testmode"
)

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	testmode.Golden(t, filepath.Join("testdata", name), got)
}

// smallFigure has a short drawing.
func smallFigure() Chart {
	return Bars{Title: "Two <players> & a score", XLabel: "Elo", Bars: []Bar{
		{Name: "a \"quoted\" name", Value: 12, Lo: 5, Hi: 19, Strong: true}, {Name: "b", Value: -3},
	}}
}

func TestChartsGiveTheirFiles(t *testing.T) {
	for name, f := range map[string]Chart{
		"bars.svg":     smallFigure(),
		"elo.svg":      Curve{Title: "Elo", Verdict: "+8 Elo, not shown to be better", Line: []Point{{X: 1, Y: 40, Lo: -200, Hi: 300}, {X: 2, Y: 10, Lo: -30, Hi: 50}, {X: 3, Y: 8, Lo: -6, Hi: 22}}},
		"response.svg": Response{Title: "Response", XLabel: "w", YLabel: "Elo", Points: []Point{{X: 1, Y: 0, Lo: -5, Hi: 5}, {X: 2, Y: 9, Lo: 4, Hi: 14}}, Fit: []Point{{X: 1, Y: 0}, {X: 2, Y: 9}}, Optimum: &Point{X: 2, Y: 9, Lo: 1.5, Hi: 2.5}},
	} {
		svg, err := File(f, "svg")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, svg)
	}
}
