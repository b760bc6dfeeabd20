package figure

import "math"

// grid is a surface over an upright grid of places on the sheet.
type grid struct {
	xs, ys []float64   // increasing or decreasing
	values [][]float64 // [y][x]; NaN for none
}

// at interpolates the surface at a place inside the grid; NaN where one of the
// four values around it is missing.
func (g grid) at(x, y float64) float64 {
	i, fx := cellOf(g.xs, x)
	j, fy := cellOf(g.ys, y)
	lower := float64((1-fx)*g.values[j][i]) + float64(fx*g.values[j][i+1])
	upper := float64((1-fx)*g.values[j+1][i]) + float64(fx*g.values[j+1][i+1])
	return float64((1-fy)*lower) + float64(fy*upper)
}

// cellOf finds the stretch of places that holds v and how far along it v lies.
func cellOf(places []float64, v float64) (i int, along float64) {
	up := places[0] < places[len(places)-1]
	for i < len(places)-2 && (v > places[i+1]) == up && v != places[i+1] {
		i++
	}
	return i, min(max((v-places[i])/(places[i+1]-places[i]), 0), 1)
}

// side is a side of a cell of the grid: from the corner (x, y) one step along X,
// or along Y. Neighbouring cells name their common side alike.
type side struct {
	x, y int
	up   bool
}

// contour returns the lines at which the surface passes a level (marching
// squares; W. Lorensen and H. Cline, "Marching Cubes", 1987, in two dimensions).
// gonum/plot's contours are not used: they come in the order of a map, so that
// the same data would not give the same bytes.
func (g grid) contour(level float64) [][]spot {
	next := map[side][]side{}
	var starts []side
	join := func(a, b side) {
		for _, s := range [][2]side{{a, b}, {b, a}} {
			if next[s[0]] == nil {
				starts = append(starts, s[0])
			}
			next[s[0]] = append(next[s[0]], s[1])
		}
	}
	for j := range len(g.ys) - 1 {
		for i := range len(g.xs) - 1 {
			for _, piece := range g.crossed(i, j, level) {
				join(piece[0], piece[1])
			}
		}
	}
	var lines [][]spot
	for _, open := range []bool{true, false} { // lines that end at the rim, then rings
		for _, s := range starts {
			if n := len(next[s]); n > 0 && (n == 1 || !open) {
				lines = append(lines, g.follow(s, next, level))
			}
		}
	}
	return lines
}

// follow walks along a line from s and removes it from next.
func (g grid) follow(s side, next map[side][]side, level float64) []spot {
	line := []spot{g.pass(s, level)}
	for len(next[s]) > 0 {
		to := next[s][0]
		next[s] = next[s][1:]
		for k, back := range next[to] {
			if back == s {
				next[to] = append(next[to][:k:k], next[to][k+1:]...)
				break
			}
		}
		line = append(line, g.pass(to, level))
		s = to
	}
	return line
}

// crossed returns the pairs of sides between which a level runs through a cell.
// Where all four sides are crossed, the mean of the corners says how.
func (g grid) crossed(i, j int, level float64) [][2]side {
	corners := [4]float64{g.values[j][i], g.values[j][i+1], g.values[j+1][i+1], g.values[j+1][i]}
	sides := [4]side{{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}} // between a corner and the next
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

// pass returns where a side is crossed at a level.
func (g grid) pass(s side, level float64) spot {
	a, from := g.values[s.y][s.x], spot{g.xs[s.x], g.ys[s.y]}
	if s.up {
		t := (level - a) / (g.values[s.y+1][s.x] - a)
		return spot{from.x, from.y + float64(t*(g.ys[s.y+1]-from.y))}
	}
	t := (level - a) / (g.values[s.y][s.x+1] - a)
	return spot{from.x + float64(t*(g.xs[s.x+1]-from.x)), from.y}
}
