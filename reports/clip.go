package reports

import (
	"math"
)

// runs splits points where a value is missing.
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
// highest, lowest and last spot.
func thin(spots []spot) []spot {
	if len(spots) < 3 {
		return spots
	}
	var out []spot
	keep := func(group []spot) {
		lo, hi := 0, 0
		for i, p := range group {
			if p.y < group[lo].y {
				lo = i
			}
			if p.y > group[hi].y {
				hi = i
			}
		}
		last := -1
		for _, i := range []int{0, min(lo, hi), max(lo, hi), len(group) - 1} {
			if i > last {
				out, last = append(out, group[i]), i
			}
		}
	}
	from := 0
	for i := 1; i <= len(spots); i++ {
		if i == len(spots) || math.Floor(spots[i].x) != math.Floor(spots[from].x) {
			keep(spots[from:i])
			from = i
		}
	}
	return out
}

// clipLine cuts a line to y0 <= y <= y1 into the pieces inside.
func clipLine(spots []spot, y0, y1 float64) [][]spot {
	var pieces [][]spot
	var piece []spot
	flush := func() {
		if len(piece) > 0 {
			pieces = append(pieces, piece)
		}
		piece = nil
	}
	for i, p := range spots {
		if i > 0 {
			piece = append(piece, crossings(spots[i-1], p, y0, y1)...)
		}
		if p.y >= y0 && p.y <= y1 {
			piece = append(piece, p)
		} else {
			flush()
		}
	}
	flush()
	return pieces
}

// crossings returns where the stretch from a to b passes y0 and y1, in order.
func crossings(a, b spot, y0, y1 float64) []spot {
	var out []spot
	for _, y := range []float64{y0, y1} {
		if (a.y < y) != (b.y < y) && a.y != y && b.y != y {
			out = append(out, spot{a.x + float64((b.x-a.x)*((y-a.y)/(b.y-a.y))), y})
		}
	}
	if len(out) == 2 && a.y > b.y {
		out[0], out[1] = out[1], out[0]
	}
	return out
}

// clipArea cuts an outline to y0 <= y <= y1 (Sutherland and Hodgman, 1974).
func clipArea(spots []spot, y0, y1 float64) []spot {
	cut := func(spots []spot, y float64, inside func(spot) bool) []spot {
		var out []spot
		for i, p := range spots {
			prev := spots[(i+len(spots)-1)%len(spots)]
			if inside(p) != inside(prev) {
				out = append(out, spot{prev.x + float64((p.x-prev.x)*((y-prev.y)/(p.y-prev.y))), y})
			}
			if inside(p) {
				out = append(out, p)
			}
		}
		return out
	}
	spots = cut(spots, y0, func(p spot) bool { return p.y >= y0 })
	return cut(spots, y1, func(p spot) bool { return p.y <= y1 })
}
