package figure

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"selfplaylab/reports/text"
)

// strip is a panel's height as gonum/plot clips to it. Its X cover the sheet and
// more: only heights are ever cut, because axes hold every X.
func strip(y0, y1 float64) draw.Canvas {
	return draw.Canvas{Rectangle: vg.Rectangle{Min: vg.Point{Y: vg.Length(y0)}, Max: vg.Point{Y: vg.Length(y1)}}}
}

// clipLine cuts a line to y0 <= y <= y1 into the pieces inside.
func clipLine(spots []spot, y0, y1 float64) [][]spot {
	c := strip(y0, y1)
	return text.Each(c.ClipLinesY(snapped(spots, y0, y1)), spotsOf)
}

// clipArea cuts an outline to y0 <= y <= y1.
func clipArea(spots []spot, y0, y1 float64) []spot {
	c := strip(y0, y1)
	return spotsOf(c.ClipPolygonY(snapped(spots, y0, y1)))
}

// snapped puts spots next to a limit on it. gonum/plot takes a spot up to 3e-8
// outside for one inside and then cuts the line where it would meet the limit if it
// went on backwards, which can be far away.
func snapped(spots []spot, y0, y1 float64) []vg.Point {
	const near = 1e-7
	out := points(spots)
	for i, p := range spots {
		for _, limit := range []float64{y0, y1} {
			if math.Abs(p.y-limit) < near {
				out[i].Y = vg.Length(limit)
			}
		}
	}
	return out
}

func points(spots []spot) []vg.Point {
	return text.Each(spots, func(p spot) vg.Point { return vg.Point{X: vg.Length(p.x), Y: vg.Length(p.y)} })
}

func spotsOf(points []vg.Point) []spot {
	return text.Each(points, func(p vg.Point) spot { return spot{float64(p.X), float64(p.Y)} })
}

// runs splits points where a value is missing. (gonum/plot draws through them or
// refuses them.)
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

// thin keeps of a long line what can be seen: for each pixel its first,
// highest, lowest and last spot. gonum/plot draws every point there is: 25
// parameters over 5,000 iterations would be megabytes of path data.
func thin(spots []spot) []spot {
	if len(spots) < 3 {
		return spots
	}
	var out []spot
	from := 0
	for i := 1; i <= len(spots); i++ {
		if i == len(spots) || math.Floor(spots[i].x) != math.Floor(spots[from].x) {
			out = append(out, outermost(spots[from:i])...)
			from = i
		}
	}
	return out
}

// outermost returns the first, highest, lowest and last of spots, each once, in
// their order.
func outermost(spots []spot) []spot {
	lo, hi := 0, 0
	for i, p := range spots {
		if p.y < spots[lo].y {
			lo = i
		}
		if p.y > spots[hi].y {
			hi = i
		}
	}
	var out []spot
	last := -1
	for _, i := range []int{0, min(lo, hi), max(lo, hi), len(spots) - 1} {
		if i > last {
			out, last = append(out, spots[i]), i
		}
	}
	return out
}
