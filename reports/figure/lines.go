package figure

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Lines shows several named series over one axis, such as strength or nodes by depth for two
// searches, or a calibration against its diagonal. Each series has its label at its end.
type Lines struct {
	Title, Subtitle string // Subtitle may be ""

	XLabel, YLabel string // with units
	LogX, LogY     bool   // require positive values on the axis

	Series []Series // at most 7, one for each colour
	Levels []Level  // horizontal lines
	// Diagonal draws the line Y = X, "as predicted".
	Diagonal bool

	Band string // name of the bands in the legend; "" for no entry
}

// Series is one named row of points, by increasing X.
type Series struct {
	Name   string  // label at the end of the line
	Points []Point // by increasing X
	// Band draws the intervals as a band instead of bars.
	Band bool
}

// Draw implements [Chart].
func (l Lines) Draw(layout Layout) (*Drawing, error) {
	if err := l.check(); err != nil {
		return nil, failed("Lines", l.Title, err)
	}
	d, top := newDrawing(l.Title, l.Subtitle, layout)
	x, y, list, whole := l.reach()
	p := d.panel(x.axis(l.LogX, 0.03), y.axis(l.LogY, 0.06))
	p.label(l.XLabel)
	p.yLabel, p.xWhole = l.YLabel, whole
	var keys []key
	if l.Band != "" {
		keys = append(keys, bandKey(l.Band, inkSoft))
	}
	if l.Diagonal {
		keys = append(keys, lineKey("equal", levelPen))
	}
	keys, p.ends = d.labelsOrKeys(keys, list)
	p.add(grid())
	p.add(levels(l.Levels)...)
	if l.Diagonal {
		p.add(p.diagonal())
	}
	for i, sr := range l.Series {
		p.add(p.series(sr, palette[i])...)
	}
	p.add(p.endLabels())
	p.draw(d.legend(keys, top), layout.panelHeight())
	return d, nil
}

// reach returns the values that the axes must show, the labels to the right, and whether all X
// are whole, as depths are.
func (l Lines) reach() (x, y *reach, list ends, whole bool) {
	x, y, whole = &reach{}, &reach{positive: l.LogY}, true
	for i, sr := range l.Series {
		points := present(sr.Points)
		if len(points) == 0 {
			continue
		}
		last := points[len(points)-1]
		list = append(list, end{y: last.Y, label: sr.Name, bold: true, line: pen(palette[i], 2.25), leader: true, from: last.X})
		for _, p := range points {
			x.add(p.X)
			whole = whole && p.X == math.Trunc(p.X)
		}
		y.addPoints(points)
	}
	for _, lv := range l.Levels {
		list = append(list, end{y: lv.Y, label: lv.Label, line: levelPen})
		y.add(lv.Y)
	}
	return x, y, list, whole
}

// check returns an error that names the series and the field that cannot be drawn.
func (l Lines) check() error {
	if len(l.Series) > len(palette) {
		return fmt.Errorf("%d series: at most %d can be distinguished; draw several figures", len(l.Series), len(palette))
	}
	var all [][]Point
	for i, s := range l.Series {
		if err := checkLine(fmt.Sprintf("Series[%d].Points", i), s.Points, l.LogX, l.LogY); err != nil {
			return err
		}
		all = append(all, s.Points)
	}
	return cmp.Or(checkSome(all...), checkLevels(l.Levels, l.LogY))
}

// series returns one row of points with line and intervals.
func (p *panel) series(s Series, c tone) (list []plot.Plotter) {
	points := present(s.Points)
	if s.Band {
		list = append(p.band(s.Points, c), p.cuts(s.Points, c))
	}
	list = append(list, p.line(s.Points, pen(c, 2))...)
	if len(points) > 60 {
		return list // dots would hide the line
	}
	dots := p.d.measured(points, c)
	dots.width, dots.bars = 1.25, !s.Band || len(points) == 1 // a single point has no band
	dots.name = func(q Point) string { return s.Name + ", " + plain(q.X) }
	return append(list, dots)
}

// diagonal draws the line Y = X as far as it is on both axes.
func (p *panel) diagonal() plot.Plotter {
	line := &plotter.Line{LineStyle: levelPen}
	lo, hi := max(p.X.Min, p.Y.Min), min(p.X.Max, p.Y.Max)
	if lo >= hi {
		return line
	}
	steps := 64 // a straight line only if both axes are of one kind
	if isLog(p.X) == isLog(p.Y) {
		steps = 1
	}
	for i := range steps + 1 {
		t := float64(i) / float64(steps)
		v := lo + float64(t*(hi-lo))
		if isLog(p.X) {
			v = lo * math.Pow(hi/lo, t)
		}
		line.XYs = append(line.XYs, plotter.XY{X: v, Y: v})
	}
	return line
}
