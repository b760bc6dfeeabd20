package figure

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// surface holds values over a grid of places on the sheet, parallel to its edges.
type surface struct {
	xs, ys []vg.Length // increasing or decreasing
	values [][]float64 // [y][x]; NaN for none
}

// at interpolates the surface at a place inside the grid; NaN if one of the four values around
// it is missing.
func (s surface) at(x, y vg.Length) float64 {
	i, fx := cellOf(s.xs, x)
	j, fy := cellOf(s.ys, y)
	lower := float64((1-fx)*s.values[j][i]) + float64(fx*s.values[j][i+1])
	upper := float64((1-fx)*s.values[j+1][i]) + float64(fx*s.values[j+1][i+1])
	return float64((1-fy)*lower) + float64(fy*upper)
}

// cellOf returns the index of the interval of places that contains v, and the position of v in
// it, from 0 to 1.
func cellOf(places []vg.Length, v vg.Length) (i int, along float64) {
	up := places[0] < places[len(places)-1]
	for i < len(places)-2 && (v > places[i+1]) == up && v != places[i+1] {
		i++
	}
	return i, min(max(float64((v-places[i])/(places[i+1]-places[i])), 0), 1)
}

// side is a side of a cell of the grid: from the corner (x, y) one step along X, or along Y.
// Neighbouring cells give their common side the same name.
type side struct {
	x, y int
	up   bool
}

// contour returns the lines at which the surface passes a level (marching squares; W. Lorensen
// and H. Cline, "Marching Cubes", 1987, in two dimensions). gonum/plot's contours are not used,
// because they come in the order of a map, so that equal data would give different bytes.
func (s surface) contour(level float64) [][]vg.Point {
	next := map[side][]side{}
	var starts []side
	join := func(a, b side) {
		for _, ends := range [][2]side{{a, b}, {b, a}} {
			if next[ends[0]] == nil {
				starts = append(starts, ends[0])
			}
			next[ends[0]] = append(next[ends[0]], ends[1])
		}
	}
	for j := range len(s.ys) - 1 {
		for i := range len(s.xs) - 1 {
			for _, piece := range s.crossed(i, j, level) {
				join(piece[0], piece[1])
			}
		}
	}
	var lines [][]vg.Point
	for _, open := range []bool{true, false} { // first lines that end at the rim, then rings
		for _, start := range starts {
			if n := len(next[start]); n > 0 && (n == 1 || !open) {
				lines = append(lines, s.follow(start, next, level))
			}
		}
	}
	return lines
}

// follow walks along a line from a side and removes it from next.
func (s surface) follow(at side, next map[side][]side, level float64) []vg.Point {
	line := []vg.Point{s.pass(at, level)}
	for len(next[at]) > 0 {
		to := next[at][0]
		next[at] = next[at][1:]
		for k, back := range next[to] {
			if back == at {
				next[to] = append(next[to][:k:k], next[to][k+1:]...)
				break
			}
		}
		line = append(line, s.pass(to, level))
		at = to
	}
	return line
}

// crossed returns the pairs of sides between which a level runs through a cell. If all four
// sides are crossed, the mean of the corners decides which pairs.
func (s surface) crossed(i, j int, level float64) [][2]side {
	corners := [4]float64{s.values[j][i], s.values[j][i+1], s.values[j+1][i+1], s.values[j+1][i]}
	sides := [4]side{{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}} // from each corner to the next
	var cut []side
	mean := 0.0
	for k, v := range corners {
		if math.IsNaN(v) {
			return nil
		}
		mean += v / 4
		if (v >= level) != (corners[(k+1)%4] >= level) {
			cut = append(cut, sides[k])
		}
	}
	switch {
	case len(cut) == 2:
		return [][2]side{{cut[0], cut[1]}}
	case len(cut) == 4 && (mean >= level) == (corners[0] >= level):
		return [][2]side{{cut[0], cut[1]}, {cut[2], cut[3]}}
	case len(cut) == 4:
		return [][2]side{{cut[3], cut[0]}, {cut[1], cut[2]}}
	}
	return nil
}

// pass returns the point of a side at which it is crossed by a level.
func (s surface) pass(at side, level float64) vg.Point {
	a, from := s.values[at.y][at.x], vg.Point{X: s.xs[at.x], Y: s.ys[at.y]}
	if at.up {
		t := (level - a) / (s.values[at.y+1][at.x] - a)
		return vg.Point{X: from.X, Y: from.Y + vg.Length(t)*(s.ys[at.y+1]-from.Y)}
	}
	t := (level - a) / (s.values[at.y][at.x+1] - a)
	return vg.Point{X: from.X + vg.Length(t)*(s.xs[at.x+1]-from.X), Y: from.Y}
}
