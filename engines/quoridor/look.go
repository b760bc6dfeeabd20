package quoridor

import (
	"math"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// A player with limits of depth or nodes looks ahead.
// Alpha-beta searches steps and the walls that can matter, and evaluates positions by the
// quantities of the greedy formulas: both paths, walls in hand, and the side to move.

// lookPlies is the depth of the look-ahead without a limit.
const lookPlies = 2

// looksAhead reports whether a player with vector v looks ahead within limits l.
func looksAhead(v params.Vector, l engines.Limits) bool {
	return l.Depth > 0 || l.Nodes > 0 || v[look] == 1
}

// tuned returns the parameters that a tuning changes by default: nil, which means all
// not frozen, for the greedy formulas, and the weights of the look-ahead otherwise.
func tuned(v params.Vector, l engines.Limits) []string {
	if !looksAhead(v, l) {
		return nil
	}
	names := []string{space[lookWall].Name, space[lookTempo].Name, space[lookNear].Name}
	if v[lookThreat] != 0 {
		names = append(names, space[lookThreat].Name)
	}
	return names
}

// pathScore is the score of one step of difference between the paths.
// The other weights are in steps.
const pathScore = 100

// raceScore is added for the side that is ahead once both sides have no walls.
const raceScore = 50 * pathScore

// farthest bounds the length of a path in the evaluation. It is also the length of a missing path.
const farthest = 40

// outlook evaluates positions: the weights in the form it uses, and memory for floods.
// It serves one search at a time.
type outlook struct {
	wall, tempo int32
	table       [farthest + 1]int32  // of a path's length, in scores
	threat      [wallsEach + 1]int32 // score of a step that the best wall costs, by the number of walls in hand
	flood       layers
	costs       [1 << 14]cost // a cache of the method cost, in slots by key
}

// cost is the number of steps that the best wall against a side costs it.
type cost struct {
	key   uint64
	steps int32
}

// set fills in the weights from a vector.
func (o *outlook) set(w params.Vector) {
	o.wall = int32(math.Round(w[lookWall] * pathScore))
	o.tempo = int32(math.Round(w[lookTempo] * pathScore))
	for n := range o.table {
		o.table[n] = int32(math.Round(float64(float64(n)+float64(w[lookNear]*nearness(n))) * pathScore))
	}
	for n := range o.threat {
		o.threat[n] = int32(math.Round(w[lookThreat] * root(uint8(n)) * pathScore))
	}
}

// root returns the factor of a threat by the number of walls in hand.
// It predicts results better than the number itself.
func root(walls uint8) float64 { return math.Sqrt(float64(walls)) }

// nearness returns the correction of a path of n steps: each step counts more if few are left.
func nearness(n int) float64 {
	return -8 / float64(n+1)
}

// ahead is a position in the look-ahead.
type ahead struct {
	Board
	*outlook
	// routes are the shortest paths of both sides.
	// Where next is none, only dist is exact: h and v may
	// name more walls than cut the path, never fewer.
	// Where dist is 0, the route is unknown.
	routes [2]route
}

// at returns a position of the look-ahead with unknown routes.
func (o *outlook) at(b Board) ahead { return ahead{b, o, [2]route{{next: none}, {next: none}}} }

// Play makes a move and keeps the routes that it does not change.
func (a *ahead) Play(m engines.Move) {
	i := index(m)
	h, v := uint64(0), uint64(0)
	switch kind(m) {
	case pawnMove:
		r := &a.routes[a.turn]
		if r.dist > 0 && int(r.next) == i {
			r.dist--
		} else {
			r.dist = 0
		}
		r.next = none
	case hWall:
		h = 1 << i
	case vWall:
		v = 1 << i
	}
	for side := range a.routes {
		if r := &a.routes[side]; r.h&h|r.v&v != 0 {
			r.dist, r.next = 0, none
		}
	}
	a.Board.Play(m)
}

// distance returns the length of a side's shortest path,
// at most farthest, without regard to the other pawn.
func (a *ahead) distance(side engines.Side) int {
	r := &a.routes[side]
	if r.dist == 0 {
		a.flood[0] = goal[side]
		*r = route{^uint64(0), ^uint64(0), uint8(a.graph.flood(&a.flood, 0, bit[a.pawn[side]])), none}
	}
	return min(int(r.dist), farthest)
}

// cost returns the number of steps that the best single wall against a side costs it.
// Walls that leave no path are not allowed.
func (a *ahead) cost(side engines.Side) int32 {
	key := engines.Mix(a.h ^ engines.Mix(a.v^engines.Mix(uint64(side)<<8|uint64(a.pawn[side]))))
	c := &a.costs[key%uint64(len(a.costs))]
	if c.key != key {
		*c = cost{key, int32(a.worst(side))}
	}
	return c.steps
}

// worst computes cost.
func (a *ahead) worst(side engines.Side) int {
	l, sq := &a.flood, int(a.pawn[side])
	target := bit[sq]
	l[0] = goal[side]
	dist := a.graph.flood(l, 0, target)
	if dist == unreachable {
		return 0
	}
	worst := dist
	h, v := a.hFree, a.vFree
	for k := dist; k > 0; k-- {
		next := a.graph.step(&l[k-1], side, sq)
		if low := min(sq, next); next-sq == 1 || next-sq == -1 {
			for m := vCuts[low] & v; m != 0; m &= m - 1 {
				i := popLow(m)
				g := a.withV(i)
				worst = max(worst, a.distanceBehind(&g, &block[transpose(i)], k, target))
			}
			v &^= vCuts[low]
		} else {
			for m := hCuts[low] & h; m != 0; m &= m - 1 {
				i := popLow(m)
				g := a.withH(i)
				worst = max(worst, a.distanceBehind(&g, &block[i], k, target))
			}
			h &^= hCuts[low]
		}
		sq = next
	}
	return worst - dist
}

// distanceBehind returns the distance of target behind a wall; 0 if the wall cuts it off.
// blk are the squares at the wall.
// Layer k of the flood without the wall has one of them.
func (a *ahead) distanceBehind(g *graph, blk *set, k int, target set) int {
	for k > 0 && a.flood[k-1].has(*blk) {
		k--
	}
	return g.distance(a.flood[k], k, target)
}

// route returns a side's shortest path, which it remembers.
func (a *ahead) route(side engines.Side) *route {
	r := &a.routes[side]
	if r.next == none {
		*r = a.graph.shortest(&a.flood, side, int(a.pawn[side]))
	}
	return r
}

// Eval returns the static value for the side to move.
func (a *ahead) Eval() int32 {
	me := a.turn
	ours, theirs := a.distance(me), a.distance(me^1)
	v := a.table[theirs] - a.table[ours] + a.wall*(int32(a.walls[me])-int32(a.walls[me^1])) + a.tempo
	if t := a.threat[a.walls[me]]; t != 0 {
		v += t * a.cost(me^1)
	}
	if t := a.threat[a.walls[me^1]]; t != 0 {
		v -= t * a.cost(me)
	}
	if a.walls == [2]uint8{} {
		if ours <= theirs {
			return v + raceScore
		}
		return v - raceScore
	}
	return v
}

// Moves appends the steps and the walls across the opponent's shortest path.
// No other wall lengthens this path.
func (a *ahead) Moves(buf []engines.Move) []engines.Move {
	if a.Outcome() != engines.Ongoing {
		return buf
	}
	n := len(buf)
	buf = a.pawnMoves(buf)
	ours := a.route(a.turn) // the positions after a step share it
	if a.walls[a.turn] > 0 {
		theirs := a.route(a.turn ^ 1)
		if a.passes(ours, theirs) {
			h, v := theirs.h&a.hFree, theirs.v&a.vFree
			badH, badV := a.breaking(h, v)
			buf = appendWalls(buf, h&^badH, v&^badV)
		}
	}
	if len(buf) == n {
		return a.Board.Moves(buf)
	}
	return buf
}

// passes reports whether the board passes the rules' path test.
func (a *ahead) passes(ours, theirs *route) bool {
	if a.standard {
		return ours.dist < unreachable && theirs.dist < unreachable
	}
	return a.reachesAround(int(a.pawn[a.turn]), goal[a.turn^1], bit[a.pawn[a.turn^1]])
}

// looker is the look-ahead as a player.
type looker = alphabeta.Player[Board, ahead, *Board, *ahead]

// newLooker returns a look-ahead with the default parameters.
func newLooker(standard bool) *looker {
	o := &outlook{}
	return alphabeta.NewPlayer[Board, ahead, *Board, *ahead](alphabeta.Engine[Board, ahead]{
		Name: "quoridor", Space: space, Limits: engines.Limits{Depth: lookPlies}, Start: newBoard(standard), Node: &ahead{},
		Weigh: func(v params.Vector) alphabeta.Options {
			o.set(v)
			return alphabeta.Options{Repetition: true}
		},
		Load:  func(a *ahead, b *Board) { *a = o.at(*b) },
		Hooks: alphabeta.Hooks[ahead]{Rank: stepsFirst},
	})
}

// stepsFirst ranks steps towards the goal before walls, and walls before other steps.
func stepsFirst(a *ahead, moves []engines.Move, ranks []int32) {
	for i, m := range moves {
		if kind(m) == pawnMove && (index(m) > int(a.pawn[a.turn])+1) == (a.turn == engines.First) {
			ranks[i] = alphabeta.KillerRank / 2
		}
	}
}
