package rating

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Tournament holds results among many players: game
// pairs with colours swapped, single games, or both.
// Players are known by their index in the names of NewTournament.
// It is not safe for concurrent use.
type Tournament struct {
	names []string
	cells map[[2]int]*cell // by the indices of the two players, the lower one first
	// shared holds the pairs of each opening that several players had; places holds the index
	// of each opening in it.
	shared [][]sharedPair
	places map[any]int
}

// sharedPair is a pair of games of a cell. first and
// second are x's half points when moving first and second.
type sharedPair struct {
	cell          *cell
	first, second int
}

// cell holds the results of two players x < y against each other.
type cell struct {
	x, y int
	// pairs counts pairs by x's half points when moving first and second.
	pairs PairMatrix
	// first and second count single games in which x moved first or second, by x's results.
	first, second Games
}

// NewTournament returns an empty tournament. Names are for errors and tables. It panics if two
// are equal.
func NewTournament(names ...string) *Tournament {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			panic(fmt.Sprintf("rating: two players are named %q", name))
		}
	}
	return &Tournament{names: slices.Clone(names), cells: map[[2]int]*cell{}, places: map[any]int{}}
}

// AddPair counts one pair of games between players x and y by x's half points (0 lost, 1 drawn,
// 2 won): first in the game in which x moved first, second in the other. It panics on other
// points and if the players are unknown or equal.
func (t *Tournament) AddPair(x, y, first, second int) {
	var pair PairMatrix
	pair[first][second] = 1
	t.AddPairs(x, y, pair)
}

// AddShared counts a pair as AddPair does, for an opening on which other pairs are played too,
// of the same or other players, because an opening may suit a player against all opponents.
// opening is any comparable key.
func (t *Tournament) AddShared(opening any, x, y, first, second int) {
	t.AddPair(x, y, first, second)
	if x > y {
		x, y, first, second = y, x, 2-second, 2-first
	}
	k, known := t.places[opening]
	if !known {
		k = len(t.shared)
		t.places[opening], t.shared = k, append(t.shared, nil)
	}
	t.shared[k] = append(t.shared[k], sharedPair{t.cell(x, y), first, second})
}

// Openings returns the number of openings given to AddShared.
func (t *Tournament) Openings() int { return len(t.shared) }

// AddPairs counts many pairs of games between players x and y, by x's half points as AddPair
// does. It panics if the players are unknown or equal.
func (t *Tournament) AddPairs(x, y int, pairs PairMatrix) {
	if pairs.N() == 0 {
		return
	}
	c := t.cell(min(x, y), max(x, y))
	for first, row := range pairs {
		for second, n := range row {
			if x < y {
				c.pairs[first][second] += n
			} else { // for the other side games and points swap
				c.pairs[2-second][2-first] += n
			}
		}
	}
}

// cell returns the cell of x and y, which it creates if necessary.
func (t *Tournament) cell(x, y int) *cell {
	if x < 0 || y >= len(t.names) || x == y {
		panic(fmt.Sprintf("rating: players %d and %d of %d", x, y, len(t.names)))
	}
	key := [2]int{x, y}
	c := t.cells[key]
	if c == nil {
		c = &cell{x: x, y: y}
		t.cells[key] = c
	}
	return c
}

// Games returns the tally of all games of x and y, in pairs or not, by x's results.
func (t *Tournament) Games(x, y int) Games {
	c, ok := t.cells[[2]int{min(x, y), max(x, y)}]
	if !ok {
		return Games{}
	}
	first, second := c.games()
	g := first.Plus(second)
	if x > y {
		return g.reversed()
	}
	return g
}

// games returns x's results over all games in which x moved first, and over the others.
func (c *cell) games() (first, second Games) {
	first, second = c.pairs.Games()
	return first.Plus(c.first), second.Plus(c.second)
}

// sorted returns the cells in the order of their players, so that sums over them are reproducible.
func (t *Tournament) sorted() []*cell {
	return slices.SortedFunc(maps.Values(t.cells), func(a, b *cell) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
}

// split returns two groups of players such that no point went from the
// second to the first, or nil when the results connect all players.
// Only connected players can be rated on one scale.
// (Ford, "Solution of a ranking problem from binary
// comparisons", American Mathematical Monthly 64, 1957.)
func (t *Tournament) split() (ahead, behind []int) {
	scored := make([][]int, len(t.names)) // scored[i] holds the players from whom i took a point
	yielded := make([][]int, len(t.names))
	for _, c := range t.sorted() {
		g := t.Games(c.x, c.y)
		if g.Wins+g.Draws > 0 {
			scored[c.x] = append(scored[c.x], c.y)
			yielded[c.y] = append(yielded[c.y], c.x)
		}
		if g.Losses+g.Draws > 0 {
			scored[c.y] = append(scored[c.y], c.x)
			yielded[c.x] = append(yielded[c.x], c.y)
		}
	}
	if in, out := reach(scored); len(out) > 0 {
		return out, in
	}
	if in, out := reach(yielded); len(out) > 0 {
		return in, out
	}
	return nil, nil
}

// reach returns the nodes of a graph that can be reached from node 0, and the others.
func reach(edges [][]int) (in, out []int) {
	if len(edges) == 0 {
		return nil, nil
	}
	seen := make([]bool, len(edges))
	seen[0] = true
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, j := range edges[queue[0]] {
			if !seen[j] {
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}
	for i, s := range seen {
		if s {
			in = append(in, i)
		} else {
			out = append(out, i)
		}
	}
	return in, out
}

// list returns the names of some players, at most 8; nil means all players.
func (t *Tournament) list(players []int) string {
	names := t.names
	if players != nil {
		names = make([]string, len(players))
		for k, i := range players {
			names[k] = t.names[i]
		}
	}
	if len(names) > 8 {
		return strings.Join(names[:7], ", ") + fmt.Sprintf(" and %d more", len(names)-7)
	}
	return strings.Join(names, ", ")
}
