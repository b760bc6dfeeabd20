package figure

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// Scatter shows things by two shares of the same player, such as openings by its scores as first and
// as second: a circle each, whose area is a number.
type Scatter struct {
	Title, Subtitle string // Subtitle may be ""

	XLabel, YLabel string // in percent
	Even           string // name of the line on which X and Y have the mean 50
	Spots          []Spot
}

// Spot is a circle of a [Scatter].
type Spot struct {
	X, Y float64 // in percent
	N    int     // sets the area; at least 1
	Tip  string  // the tooltip begins with it
}

// maxSpot is the radius of the largest circle, which also keeps half of it outside the axes.
const maxSpot vg.Length = 15

// Draw implements [Chart].
func (s Scatter) Draw(layout Layout) (*Drawing, error) {
	most, err := s.check()
	if err != nil {
		return nil, failed("Scatter", s.Title, err)
	}
	d, top := newDrawing(s.Title, s.Subtitle, layout)
	axis := plot.Axis{Min: -6, Max: 106, Scale: plot.LinearScale{}}
	p := d.panel(axis, axis)
	p.label(s.XLabel)
	p.yLabel = s.YLabel
	p.add(grid(), &plotter.Line{XYs: plotter.XYs{{X: 0, Y: 100}, {X: 100, Y: 0}}, LineStyle: levelPen})
	p.add(painter(func(_ draw.Canvas, x, y func(float64) vg.Length) {
		for _, spot := range s.Spots {
			r := max(2.5, maxSpot*vg.Length(math.Sqrt(float64(spot.N)/float64(most))))
			d.mark(mark{path: circle(vg.Point{X: x(spot.X), Y: y(spot.Y)}, r), fill: faded(blue, 0.45), line: pen(blue, 1),
				tip: fmt.Sprintf("%s: %s %% / %s %%, n = %s", spot.Tip, plain(spot.Y), plain(spot.X), text.Count(spot.N))})
		}
	}))
	p.draw(d.legend([]key{lineKey(s.Even, levelPen)}, top), layout.panelHeight()+40)
	return d, nil
}

// check returns the largest number, and an error that names the spot and the field that cannot be drawn.
func (s Scatter) check() (most int, err error) {
	for i, spot := range s.Spots {
		if err := cmp.Or(checkMark("X", spot.X, false), checkMark("Y", spot.Y, false)); err != nil {
			return 0, fmt.Errorf("spot %d: %w", i, err)
		}
		if min(spot.X, spot.Y) < 0 || max(spot.X, spot.Y) > 100 || spot.N < 1 {
			return 0, fmt.Errorf("spot %d: %v and %v with N %d: want shares from 0 to 100 and N of at least 1", i, spot.X, spot.Y, spot.N)
		}
		most = max(most, spot.N)
	}
	if most == 0 {
		return 0, errEmpty
	}
	return most, nil
}
