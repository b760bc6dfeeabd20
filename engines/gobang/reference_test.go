package gobang

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"

	"selfplaylab/engines"
)

// slow is a position in the source's form, with everything
// counted anew on every call: the reference for the fast code.
type slow struct {
	size  int
	exact bool
	cell  [maxSize][maxSize]byte // [x][y]: 0, 'B' or 'W'
}

func (s *slow) on(x, y int) bool { return x >= 0 && y >= 0 && x < s.size && y < s.size }

// shapeOf is the source's get_score in one direction.
func (s *slow) shapeOf(x, y, dx, dy int) int {
	cur := s.cell[x][y]
	foe := byte('B' + 'W' - cur)
	connect, jump, jumping := 0, 0, false
	block := [2]bool{}
	tx, ty := x, y
	for range 5 {
		if !s.on(tx, ty) {
			block[0] = true
			break
		}
		here := s.cell[tx][ty]
		if !jumping && here == cur {
			connect++
		} else if !jumping && here == 0 {
			jumping = true
		} else if jumping && here == cur {
			jump++
		} else if jumping {
			break
		} else {
			block[0] = true
			break
		}
		tx, ty = tx+dx, ty+dy
	}
	tx, ty = x-dx, y-dy
	if !s.on(tx, ty) || s.cell[tx][ty] == foe {
		block[1] = true
	}
	total, live := connect+jump, !block[0] && !block[1]
	if block[0] && block[1] {
		return -1
	}
	switch total {
	case 2:
		if live {
			return live2
		}
	case 3:
		if live {
			return live3
		}
		return dead3
	case 4:
		if live {
			return live4
		}
		return dead4
	case 5:
		return five
	}
	return -1
}

// score is get_score.
func (s *slow) score(x, y int, weights []float64) int64 {
	best := 0.0
	for _, d := range directions {
		for _, sign := range []int{1, -1} {
			if k := s.shapeOf(x, y, sign*d[0], sign*d[1]); k >= 0 {
				best = max(best, weights[pLive2+k])
			}
		}
	}
	return int64(best)
}

// side returns a side score by any of the evaluators.
func (s *slow) side(colour byte, weights []float64) int64 {
	if weights[pEvaluator] == byLargest {
		var best int64
		s.each(colour, func(x, y int) { best = max(best, s.score(x, y, weights)) })
		return best
	}
	var sum int64
	for d, step := range directions {
		for x := range s.size {
			for y := range s.size {
				if !s.on(x-step[0], y-step[1]) {
					sum += s.lineScore(x, y, d, colour, weights)
				}
			}
		}
	}
	return sum
}

func (s *slow) each(colour byte, do func(x, y int)) {
	for x := range s.size {
		for y := range s.size {
			if s.cell[x][y] == colour {
				do(x, y)
			}
		}
	}
}

func (s *slow) lineScore(x, y, d int, colour byte, weights []float64) int64 {
	step, best := directions[d], 0.0
	var line []byte
	for ; s.on(x, y); x, y = x+step[0], y+step[1] {
		line = append(line, s.cell[x][y])
		if s.cell[x][y] != colour {
			continue
		}
		for _, sign := range []int{1, -1} {
			if k := s.shapeOf(x, y, sign*step[0], sign*step[1]); k >= 0 {
				best = max(best, weights[pLive2+k])
			}
		}
	}
	if weights[pEvaluator] == bySum {
		return int64(best)
	}
	switch k := slowPattern(line, colour, s.exact); k {
	case noPattern:
		return 0
	case full5:
		return int64(weights[pFive])
	default:
		return int64(weights[pHalf2+int(k)-half2])
	}
}

// slowRow reports a winning row in a line.
func slowRow(line []byte, colour byte, exact bool) bool {
	for i := 0; i < len(line); {
		j := i
		for j < len(line) && line[j] == colour {
			j++
		}
		if n := j - i; n == 5 || n > 5 && !exact {
			return true
		}
		i = max(j, i+1)
	}
	return false
}

// slowPatterns remembers slowPattern.
var slowPatterns = map[string]uint8{}

// slowPattern is the definition of grade, cell by cell.
func slowPattern(line []byte, colour byte, exact bool) uint8 {
	key := fmt.Sprintf("%s %c %v", line, colour, exact)
	k, ok := slowPatterns[key]
	if !ok {
		k = definePattern(line, colour, exact)
		slowPatterns[key] = k
	}
	return k
}

func definePattern(line []byte, colour byte, exact bool) uint8 {
	if slowRow(line, colour, exact) {
		return full5
	}
	// next counts the patterns that one more stone makes.
	next := func() (made [patterns]int) {
		for i, c := range line {
			if c == 0 {
				line[i] = colour
				made[slowPattern(line, colour, exact)]++
				line[i] = 0
			}
		}
		return made
	}
	stones, wins := bytes.Count(line, []byte{colour}), 0
	for i, c := range line {
		if c == 0 {
			line[i] = colour
			if slowRow(line, colour, exact) {
				wins++
			}
			line[i] = 0
		}
	}
	if wins > 0 {
		return [3]uint8{0, half4, open4}[min(wins, 2)]
	}
	if stones < 2 {
		return noPattern
	}
	made := next()
	switch {
	case made[open4] > 0:
		return [3]uint8{0, broken3, open3}[min(made[open4], 2)]
	case made[half4] > 0:
		return half3
	case made[open3] > 0:
		return open2
	case made[broken3] > 0:
		return broken2
	case made[half3] > 0:
		return half2
	}
	return noPattern
}

// board is the board score for colour me.
func (s *slow) board(me byte, mover byte, weights []float64) int64 {
	foe := byte('B' + 'W' - me)
	own, other := float64(s.side(me, weights)), float64(s.side(foe, weights))
	if mover == me {
		own = float64(own * (1 + weights[pTempo]))
	} else {
		other = float64(other * (1 + weights[pTempo]))
	}
	return int64(math.Trunc(own - float64(other*weights[pDefence])))
}

// candidates returns the free cells within distance of a stone, by x, then y.
func (s *slow) candidates(distance int) (list [][2]int) {
	for x := range s.size {
		for y := range s.size {
			if s.cell[x][y] == 0 && s.besideStone(x, y, distance) {
				list = append(list, [2]int{x, y})
			}
		}
	}
	return list
}

func (s *slow) besideStone(x, y, distance int) bool {
	for dx := -distance; dx <= distance; dx++ {
		for dy := -distance; dy <= distance; dy++ {
			if s.on(x+dx, y+dy) && s.cell[x+dx][y+dy] != 0 {
				return true
			}
		}
	}
	return false
}

// line returns the cells of a line from (x, y) on.
func (s *slow) line(x, y, dx, dy int) (line []byte) {
	for ; s.on(x, y); x, y = x+dx, y+dy {
		line = append(line, s.cell[x][y])
	}
	return line
}

// won reports a winning row of colour anywhere.
func (s *slow) won(colour byte) bool {
	for _, d := range directions {
		for x := range s.size {
			for y := range s.size {
				if !s.on(x-d[0], y-d[1]) && slowRow(s.line(x, y, d[0], d[1]), colour, s.exact) {
					return true
				}
			}
		}
	}
	return false
}

// wonAt reports a winning row of colour on a line through (x, y).
func (s *slow) wonAt(x, y int, colour byte) bool {
	for _, d := range directions {
		i, j := x, y
		for s.on(i-d[0], j-d[1]) {
			i, j = i-d[0], j-d[1]
		}
		if slowRow(s.line(i, j, d[0], d[1]), colour, s.exact) {
			return true
		}
	}
	return false
}

// search is the source's search for colour me with mover to move:
// plain alpha-beta that does not look whether the game has ended.
// A full board is a draw.
func (s *slow) search(depth int, me, mover byte, alpha, beta int64, weights []float64) int64 {
	list := s.candidates(1)
	if len(list) == 0 {
		return 0
	}
	if depth == 0 {
		return s.board(me, mover, weights)
	}
	next := byte('B' + 'W' - mover)
	for _, c := range list {
		s.cell[c[0]][c[1]] = mover
		v := s.search(depth-1, me, next, alpha, beta, weights)
		s.cell[c[0]][c[1]] = 0
		if mover == me {
			alpha = max(alpha, v)
		} else {
			beta = min(beta, v)
		}
		if alpha >= beta {
			break
		}
	}
	if mover == me {
		return alpha
	}
	return beta
}

// best is the source's root search: every move with a full window.
// Among equal moves it selects the one with the larger
// board score right after it, else the earlier.
func (s *slow) best(depth int, me byte, weights []float64) (x, y int, score int64) {
	score = math.MinInt64
	static := int64(math.MinInt64)
	foe := byte('B' + 'W' - me)
	for _, c := range s.candidates(1) {
		s.cell[c[0]][c[1]] = me
		v := s.search(depth-1, me, foe, math.MinInt64, math.MaxInt64, weights)
		e := s.board(me, foe, weights)
		s.cell[c[0]][c[1]] = 0
		if v > score || v == score && e > static {
			x, y, score, static = c[0], c[1], v, e
		}
	}
	return x, y, score
}

// randomVector draws a point of the space; labels and switches included.
func randomVector(r *rand.Rand) []float64 {
	v := space.Default()
	for i, p := range space {
		switch {
		case p.Log:
			v[i] = p.Clip(math.Exp(r.Float64() * math.Log(p.Max)))
		default:
			v[i] = p.Clip(p.Min + r.Float64()*(p.Max-p.Min))
		}
	}
	v[pTable] = float64(r.IntN(12))
	return v
}

func colourOf(side engines.Side) byte { return stoneLetters[side] }
