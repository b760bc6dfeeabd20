package quoridor

import (
	"math"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// A player that is given limits of depth or nodes looks ahead: the source's own
// next step, "evaluate two to three steps together, since values may flip".
// Alpha-beta goes over steps and over the walls that can matter, and values what
// it reaches by what the greedy formulas are made of: both paths, walls in hand,
// and whose turn it is.

// lookPlies is how far it looks where no limit is said.
const lookPlies = 2

// looksAhead reports whether a player with these values looks ahead within limits.
func looksAhead(v params.Vector, l engines.Limits) bool {
	return l.Depth > 0 || l.Nodes > 0 || v[look] == 1
}

// tuned names what weighs in a decision: the greedy formulas, or what the
// look-ahead sees.
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

// pathScore is what a step of difference between the paths scores: the other
// weights are told in steps.
const pathScore = 100

// raceScore is added for the side ahead once nobody can set a wall any more.
const raceScore = 50 * pathScore

// farthest bounds the length of a path in the evaluation; without a path it is
// that.
const farthest = 40

// outlook values positions: the weights, ready to use, and memory for floods.
type outlook struct {
	wall, tempo int32
	table       [farthest + 1]int32  // of a path's length, in scores
	threat      [wallsEach + 1]int32 // of a step that the best wall costs, by the number of walls in hand
	flood       layers
	costs       [1 << 14]cost // found by cost, in slots by key
}

// cost is what the best wall against a side costs it.
type cost struct {
	key   uint64
	steps int32
}

// set reads the weights of a vector.
func (o *outlook) set(w params.Vector) {
	o.wall = int32(math.Round(w[lookWall] * pathScore))
	o.tempo = int32(math.Round(w[lookTempo] * pathScore))
	for n := range o.table {
		o.table[n] = int32(math.Round(float64(float64(n)+float64(w[lookNear]*near(n))) * pathScore))
	}
	for n := range o.threat {
		o.threat[n] = int32(math.Round(w[lookThreat] * root(uint8(n)) * pathScore))
	}
}

// root is what a threat counts, by the number of walls in hand: in 91,000 positions of self-play it
// foretold the results better than the number or any bound on it.
func root(walls uint8) float64 { return math.Sqrt(float64(walls)) }

// near is how much closer than it looks a path of n steps is: a step counts for
// more where few are left.
func near(n int) float64 {
	return -8 / float64(n+1)
}

// ahead is a position as the look-ahead sees it.
type ahead struct {
	Board
	*outlook
	// The routes of both sides. Where next is none, only dist is exact: more walls may be
	// named than cut the path, never fewer. Where dist is 0, nothing is known.
	routes [2]route
}

// at returns a position to look ahead from.
func (o *outlook) at(b Board) ahead { return ahead{b, o, [2]route{{next: none}, {next: none}}} }

// Play makes a move and keeps of the routes what it does not change.
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

// distance returns the length of a side's shortest path, the other pawn ignored.
func (a *ahead) distance(side engines.Side) int {
	r := &a.routes[side]
	if r.dist == 0 {
		a.flood[0] = goal[side]
		*r = route{^uint64(0), ^uint64(0), uint8(a.graph.flood(&a.flood, 0, bit[a.pawn[side]])), none}
	}
	return min(int(r.dist), farthest)
}

// cost returns how many steps the best single wall against a side costs it. Walls that
// leave it no path are not allowed.
func (a *ahead) cost(side engines.Side) int32 {
	key := engines.Mix(a.h ^ engines.Mix(a.v^engines.Mix(uint64(side)<<8|uint64(a.pawn[side]))))
	c := &a.costs[key%uint64(len(a.costs))]
	if c.key != key {
		*c = cost{key, int32(a.worst(side))}
	}
	return c.steps
}

// worst finds what cost returns.
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
				worst = max(worst, a.behind(&g, &block[transpose(i)], k, target))
			}
			v &^= vCuts[low]
		} else {
			for m := hCuts[low] & h; m != 0; m &= m - 1 {
				i := popLow(m)
				g := a.withH(i)
				worst = max(worst, a.behind(&g, &block[i], k, target))
			}
			h &^= hCuts[low]
		}
		sq = next
	}
	return worst - dist
}

// behind returns the distance of target behind a wall beside the squares blk, of which
// layer k of the flood without it has one; 0 if the wall cuts it off.
func (a *ahead) behind(g *graph, blk *set, k int, target set) int {
	for k > 0 && a.flood[k-1].has(*blk) {
		k--
	}
	return g.distance(a.flood[k], k, target)
}

// route returns a side's shortest path.
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
	mine, theirs := a.distance(me), a.distance(me^1)
	v := a.table[theirs] - a.table[mine] + a.wall*(int32(a.walls[me])-int32(a.walls[me^1])) + a.tempo
	if t := a.threat[a.walls[me]]; t != 0 {
		v += t * a.cost(me^1)
	}
	if t := a.threat[a.walls[me^1]]; t != 0 {
		v -= t * a.cost(me)
	}
	if a.walls == [2]uint8{} {
		if mine <= theirs {
			return v + raceScore
		}
		return v - raceScore
	}
	return v
}

// Moves lists steps and the walls that can matter: those across the opponent's
// shortest path, for no other wall makes that longer.
func (a *ahead) Moves(buf []engines.Move) []engines.Move {
	if a.Outcome() != engines.Ongoing {
		return buf
	}
	n := len(buf)
	buf = a.pawnMoves(buf)
	mine := a.route(a.turn) // also known to the positions that moves lead to
	if a.walls[a.turn] > 0 {
		theirs := a.route(a.turn ^ 1)
		if a.passes(mine, theirs) {
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

// passes reports whether the board passes the rules' path test as it stands.
func (a *ahead) passes(mine, theirs *route) bool {
	if a.standard {
		return mine.dist < unreachable && theirs.dist < unreachable
	}
	return a.reachesAround(int(a.pawn[a.turn]), goal[a.turn^1], bit[a.pawn[a.turn^1]])
}

// looker is the look-ahead as a player of its own.
type looker = alphabeta.Player[Board, ahead, *Board, *ahead]

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

// stepsFirst ranks steps towards the goal before walls, and walls before steps
// aside and back.
func stepsFirst(a *ahead, moves []engines.Move, ranks []int32) {
	for i, m := range moves {
		if kind(m) == pawnMove && (index(m) > int(a.pawn[a.turn])+1) == (a.turn == engines.First) {
			ranks[i] = alphabeta.KillerRank / 2
		}
	}
}
