package figure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// present returns the points that have a value, points itself if all have.
func present(points []Point) []Point {
	missing := func(p Point) bool { return math.IsNaN(p.X) || math.IsNaN(p.Y) }
	if !slices.ContainsFunc(points, missing) {
		return points
	}
	return slices.DeleteFunc(slices.Clone(points), missing)
}

// runs splits points where a value is missing. (gonum's plotters refuse such points.)
func runs(points []Point) [][]Point {
	var out [][]Point
	var run []Point
	for _, p := range points {
		if math.IsNaN(p.X) || math.IsNaN(p.Y) {
			if len(run) > 0 {
				out = append(out, run)
			}
			run = nil
			continue
		}
		run = append(run, p)
	}
	if len(run) > 0 {
		out = append(out, run)
	}
	return out
}

// painter is a plotter defined by a function of the panel's canvas and its transforms.
type painter func(c draw.Canvas, x, y func(float64) vg.Length)

func (f painter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	f(c, x, y)
}

// hasInterval reports whether Lo and Hi are an interval.
func hasInterval(lo, hi float64) bool { return lo < hi } // false for NaN, too

const (
	bandOpacity           = 0.18
	dotRadius   vg.Length = 3.5
)

// line returns the lines through points by increasing X, broken where a value is missing.
func (p *panel) line(points []Point, style draw.LineStyle) (lines []plot.Plotter) {
	for _, run := range runs(points) {
		xys := text.Each(run, func(q Point) plotter.XY { return plotter.XY{X: q.X, Y: near(p.Y, q.Y)} })
		lines = append(lines, &plotter.Line{XYs: xys, LineStyle: style})
	}
	return lines
}

// band returns the areas between Lo and Hi of points by increasing X. A missing interval ends
// an area; the next interval begins another.
func (p *panel) band(points []Point, c tone) (areas []plot.Plotter) {
	var with []Point
	for _, q := range points {
		if !hasInterval(q.Lo, q.Hi) {
			q.Y = math.NaN()
		}
		with = append(with, q)
	}
	for _, run := range runs(with) {
		ring := text.Each(run, func(q Point) plotter.XY { return plotter.XY{X: q.X, Y: near(p.Y, q.Hi)} })
		for _, q := range slices.Backward(run) {
			ring = append(ring, plotter.XY{X: q.X, Y: near(p.Y, q.Lo)})
		}
		if len(ring) > 2 {
			areas = append(areas, &plotter.Polygon{XYs: []plotter.XYs{ring}, Color: faded(c, bandOpacity)})
		}
	}
	return areas
}

// cuts marks the places where a band of points by increasing X exceeds the panel: dashes along
// the edge, and an arrow with a tip that gives the value.
func (p *panel) cuts(points []Point, c tone) plot.Plotter {
	return painter(func(at draw.Canvas, x, _ func(float64) vg.Length) {
		mark := func(edge, out vg.Length, beyond func(Point) (far float64, ok bool)) {
			for _, run := range runs(text.Each(points, func(q Point) Point {
				if far, ok := beyond(q); math.IsNaN(q.Y) || !hasInterval(q.Lo, q.Hi) || !ok {
					q.Y = math.NaN()
				} else {
					q.Y = far
				}
				return q
			})) {
				from, to := x(run[0].X), x(run[len(run)-1].X)
				far := slices.MaxFunc(run, func(a, b Point) int { return cmp.Compare(a.Y*float64(out), b.Y*float64(out)) }).Y
				at.StrokeLine2(pen(c, 1.5, 2, 3), from, edge, to, edge)
				tip, foot := vg.Point{X: (from + to) / 2, Y: edge}, edge-6*out
				if p.d.tip = "goes on to " + plain(far); math.IsInf(far, 0) {
					p.d.tip = "goes on without end"
				}
				at.FillPolygon(c, []vg.Point{tip, {X: tip.X - 4, Y: foot}, {X: tip.X + 4, Y: foot}})
			}
		}
		mark(at.Max.Y, 1, func(q Point) (float64, bool) { return q.Hi, q.Hi > p.Y.Max })
		mark(at.Min.Y, -1, func(q Point) (float64, bool) { return q.Lo, q.Lo < p.Y.Min })
	})
}

// measured is a plotter of points with their intervals, and of dots with tips.
type measured struct {
	d      *Drawing
	points []Point
	color  tone
	width  vg.Length            // of the bars
	name   func(p Point) string // of a tip
	bars   bool
}

// measured returns a plotter of points with their intervals, whose tips begin with X.
func (d *Drawing) measured(points []Point, c tone) measured {
	return measured{d: d, points: points, color: c, width: 1.5, bars: true, name: func(p Point) string { return plain(p.X) }}
}

// Plot implements plot.Plotter: intervals first, then the dots with their tips.
func (m measured) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, q := range m.points {
		lo, hi := vg.Point{X: x(q.X), Y: y(clamp(p.Y, q.Lo))}, vg.Point{X: x(q.X), Y: y(clamp(p.Y, q.Hi))}
		// The dot would hide a shorter bar except for its caps.
		if m.bars && hasInterval(q.Lo, q.Hi) && hi.Y-lo.Y >= 2*dotRadius+2 {
			m.d.whisker(lo, hi, q.Lo < p.Y.Min, q.Hi > p.Y.Max, pen(m.color, m.width))
		}
	}
	for _, q := range m.points {
		if inside(p.X, q.X) && inside(p.Y, q.Y) {
			m.d.dot(vg.Point{X: x(q.X), Y: y(q.Y)}, m.color, tip(m.name(q), q))
		}
	}
}

// Thumbnail is a dot, with a bar if any point has one.
func (m measured) Thumbnail(c *draw.Canvas) {
	if anyInterval(m.points) {
		y := c.Center().Y
		c.StrokeLine2(pen(m.color, 1.5), c.Min.X, y, c.Max.X, y)
	}
	m.d.mark(mark{path: circle(c.Center(), dotRadius), fill: m.color})
}

// key returns the legend's entry of the points.
func (m measured) key(label string) key {
	if anyInterval(m.points) {
		return key{label, 20, m}
	}
	return key{label, 10, m}
}

func (d *Drawing) dot(at vg.Point, c tone, tip string) {
	d.mark(mark{path: circle(at, dotRadius), fill: c, line: pen(paper, 1), tip: tip})
}

// whisker draws an interval: a line with caps, or with an arrow where the interval exceeds the
// panel.
func (d *Drawing) whisker(lo, hi vg.Point, openLo, openHi bool, line draw.LineStyle) {
	c := draw.Canvas{Canvas: d}
	c.StrokeLines(line, []vg.Point{lo, hi})
	along := vg.Point{X: 1}
	if lo.Y < hi.Y {
		along = vg.Point{Y: 1}
	}
	for _, e := range []struct {
		at, to vg.Point
		open   bool
	}{{lo, along.Scale(-1), openLo}, {hi, along, openHi}} {
		side := vg.Point{X: e.to.Y, Y: e.to.X}.Scale(3)
		if e.open {
			foot := e.at.Sub(e.to.Scale(5))
			c.StrokeLines(line, []vg.Point{foot.Add(side), e.at, foot.Sub(side)})
		} else {
			c.StrokeLines(line, []vg.Point{e.at.Add(side), e.at.Sub(side)})
		}
	}
}
