package gobang

import "sync"

// Largest numbers of lines and of cells.
const (
	maxLines = 6*maxSize - 2 // rows, columns and both diagonals
	maxCells = stride * maxSize
)

// lineAt is the place of a cell in a line.
type lineAt struct {
	line, pos uint8
}

// geometry holds the lines of a board. It is never changed after geometryOf returns it.
type geometry struct {
	size    int
	lines   int
	empty   [maxLines]line // each line without a stone
	through [maxCells][4]lineAt
	cells   [maxLines][maxSize]cell // of each line, in order
}

// geometries are the geometries by size, built on first use.
var geometries [maxSize + 1]struct {
	once sync.Once
	geometry
}

// geometryOf returns the lines of a board, shared by all players.
func geometryOf(size int) *geometry {
	g := &geometries[size]
	g.once.Do(func() { g.geometry.build(size) })
	return &g.geometry
}

// build fills in all lines of a board of size n.
func (g *geometry) build(n int) {
	g.size = n
	for d, step := range directions {
		for x := range n {
			for y := range n {
				if px, py := x-step[0], y-step[1]; px < 0 || py < 0 || px >= n || py >= n {
					g.add(d, x, y)
				}
			}
		}
	}
}

// add adds the line that starts at (x, y) in direction d.
func (g *geometry) add(d, x, y int) {
	line, length := g.lines, 0
	for x >= 0 && y >= 0 && x < g.size && y < g.size {
		c := at(x, y)
		g.through[c][d] = lineAt{uint8(line), uint8(length)}
		g.cells[line][length] = c
		length++
		x, y = x+directions[d][0], y+directions[d][1]
	}
	g.empty[line] = emptyLine(length)
	g.lines++
}
