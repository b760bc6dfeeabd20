package quoridor

import (
	"slices"

	"selfplaylab/engines"
)

// scan searches both paths and the best wall of one decision.
type scan struct {
	p               *player
	b               *Board
	me              engines.Side
	mySq, enemySq   int
	horizontalFirst bool

	myDist, theirDist int // steps, without a jump
	m, e              int // steps, one less if the path jumps over the other pawn
	my, their         *path
	next              int // first square of my path
	floods            int
}

// path holds the walls that would cut a shortest path: all walls together, and
// the walls by the step that they cut. Steps have the number of the layer they enter.
type path struct {
	h, v  uint64
	steps [squares]struct{ h, v uint64 } // steps[k]: the cuts of the step into layer k
	over  bool                           // it leads over the other pawn
}

// paths finds both shortest paths.
func (s *scan) paths() {
	s.floods += 2
	s.next = -1
	s.myDist = s.walk(&s.p.ours, s.me, s.mySq, s.enemySq, s.my)
	s.theirDist = s.walk(&s.p.theirs, s.me^1, s.enemySq, s.mySq, s.their)
	s.m, s.e = s.myDist, s.theirDist
	if s.my.over {
		s.m--
	}
	if s.their.over {
		s.e--
	}
}

// walk floods from side's goal, follows the path from sq into p, and returns its length.
func (s *scan) walk(l *layers, side engines.Side, sq, other int, p *path) int {
	g := &s.b.graph
	p.h, p.v, p.over = 0, 0, false
	l[0] = goal[side]
	dist := g.flood(l, 0, bit[sq])
	if dist == unreachable {
		return dist
	}
	for k := dist - 1; k >= 0; k-- {
		next := g.step(&l[k], side, sq)
		st := &p.steps[k]
		st.h, st.v = 0, 0
		if low := min(sq, next); next-sq == 1 || next-sq == -1 {
			st.v = vCuts[low]
			p.v |= st.v
		} else {
			st.h = hCuts[low]
			p.h |= st.h
		}
		if next == other {
			p.over = true
		}
		if side == s.me && k == dist-1 {
			s.next = next
		}
		sq = next
	}
	return dist
}

// step returns the pawn move that the player would make, or 0 if there is none.
func (s *scan) step() engines.Move {
	b := s.b
	if s.next >= 0 {
		if to := s.landing(); to >= 0 {
			m := pawnMove | engines.Move(to)
			var buf [5]engines.Move
			if slices.Contains(b.pawnMoves(buf[:0]), m) {
				return m
			}
		}
	}
	return s.nearestMove()
}

// landing returns the first square of the path, after a jump
// or sidestep around the enemy's pawn; -1 if both are blocked.
func (s *scan) landing() int {
	if s.next != s.enemySq {
		return s.next
	}
	g := &s.b.graph
	d := s.enemySq - s.mySq
	if g.open(s.enemySq, d) {
		return s.enemySq + d
	}
	dirs := delta[s.me]
	order := [3]int{dirs[left], dirs[right], -d} // enemy ahead or behind
	if d == 1 || d == -1 {
		order = [3]int{dirs[forward], -d, dirs[back]}
	}
	for _, o := range order {
		if g.open(s.mySq, o) {
			return s.mySq + o
		}
	}
	return -1
}

// nearestMove returns the legal pawn move with the smallest
// remaining distance, the first among equals, or 0.
func (s *scan) nearestMove() engines.Move {
	var buf [5]engines.Move
	best, bestDist := engines.Move(0), unreachable+1
	for _, m := range s.b.pawnMoves(buf[:0]) {
		s.p.trial[0] = goal[s.me]
		s.floods++
		if d := s.b.flood(&s.p.trial, 0, bit[index(m)]); d < bestDist {
			best, bestDist = m, d
		}
	}
	return best
}

// bestWall returns the legal wall that maximises E' - M', the first
// in the scan among equals, with M' and E'; 0 if no wall is legal.
//
// Only walls across one of the two paths change a path, so only those are measured.
// The first of all other walls stands for the rest.
// The rules' path test is needed for the winner alone.
func (s *scan) bestWall() (m engines.Move, m2, e2 int) {
	if s.m >= unreachable || s.e >= unreachable {
		return 0, 0, 0 // every wall would leave a pawn without a path
	}
	b := s.b
	if !b.standard && s.their.over && !b.reachesAround(s.mySq, goal[s.me^1], bit[s.enemySq]) {
		return 0, 0, 0 // the mover is on the enemy's only path
	}
	h, v := b.hFree, b.vFree
	for {
		c := s.search(h, v)
		if !c.hasPaths {
			return 0, 0, 0
		}
		if s.allowed(c.m) {
			return c.m, c.m2, c.e2
		}
		if kind(c.m) == hWall {
			h &^= 1 << index(c.m)
		} else {
			v &^= 1 << index(c.m)
		}
	}
}

// allowed reports whether a wall that leaves both pawns a path passes the rules' path test.
func (s *scan) allowed(m engines.Move) bool {
	if s.b.standard {
		return true
	}
	cuts := s.their.h
	if kind(m) == vWall {
		cuts = s.their.v
	}
	if !s.their.over && cuts>>index(m)&1 == 0 {
		return true
	}
	return s.b.keepsPaths(m)
}

// search returns the best of the walls in h and v.
func (s *scan) search(h, v uint64) candidate {
	best := s.firstOther(h, v)
	s.tryTheirs(h, v, &best)
	s.tryOwn(h&s.my.h&^s.their.h, v&s.my.v&^s.their.v, &best)
	return best
}

// firstOther returns the first wall in scan order that cuts neither path.
func (s *scan) firstOther(h, v uint64) candidate {
	h &^= s.my.h | s.their.h
	v &^= s.my.v | s.their.v
	c := candidate{value: s.e - s.m, m2: s.m, e2: s.e, hasPaths: true}
	switch {
	case h != 0 && (s.horizontalFirst || v == 0):
		c.m = hWall | engines.Move(popLow(h))
	case v != 0:
		c.m = vWall | engines.Move(popLow(v))
	default:
		return candidate{}
	}
	c.order = s.order(c.m)
	return c
}

// order returns m's place in the scan of this decision.
func (s *scan) order(m engines.Move) int {
	if (kind(m) == hWall) == s.horizontalFirst {
		return index(m)
	}
	return 64 + index(m)
}

// tryTheirs measures the walls that cut the enemy's path.
func (s *scan) tryTheirs(h, v uint64, best *candidate) {
	for k := range s.theirDist {
		st := &s.their.steps[k]
		for m := st.h & h; m != 0; m &= m - 1 {
			i := popLow(m)
			s.measure(hWall|engines.Move(i), s.b.withH(i), &block[i], k, true, s.my.h>>i&1 != 0, best)
		}
		for m := st.v & v; m != 0; m &= m - 1 {
			i := popLow(m)
			s.measure(vWall|engines.Move(i), s.b.withV(i), &block[transpose(i)], k, true, s.my.v>>i&1 != 0, best)
		}
		h &^= st.h // a wall may cut two steps: measured once, nearest the goal
		v &^= st.v
	}
}

// tryOwn measures the walls that cut only the own path.
// They cannot raise E', and can lower M' by one at most, if the new path jumps.
// So few of them can win.
func (s *scan) tryOwn(h, v uint64, best *candidate) {
	bound := s.e - s.m
	if s.mayJump() {
		bound++
	}
	for k := range s.myDist {
		if best.hasPaths && best.value > bound {
			return
		}
		st := &s.my.steps[k]
		for m := st.h & h; m != 0; m &= m - 1 {
			i := popLow(m)
			s.tryOneOwn(hWall|engines.Move(i), s.b.withH(i), &block[i], k, bound, best)
		}
		for m := st.v & v; m != 0; m &= m - 1 {
			i := popLow(m)
			s.tryOneOwn(vWall|engines.Move(i), s.b.withV(i), &block[transpose(i)], k, bound, best)
		}
		h &^= st.h
		v &^= st.v
	}
}

// tryOneOwn measures a wall unless its bound cannot beat the best.
func (s *scan) tryOneOwn(m engines.Move, g graph, blk *set, k, bound int, best *candidate) {
	c := candidate{value: bound, order: s.order(m), hasPaths: true}
	if c.beats(best) {
		s.measure(m, g, blk, k, false, true, best)
	}
}

// mayJump reports whether another path of the same length might lead over the enemy's pawn.
func (s *scan) mayJump() bool {
	near := s.myDist - manhattan(s.mySq, s.enemySq)
	return !s.my.over && near >= 0 && s.p.ours[near].has(bit[s.enemySq])
}

// measure finds M' and E' after a wall that gives graph
// g, and keeps the wall if it is the best so far.
// k is a layer of a path that the wall cuts; blk are the squares at the wall.
// A path must be walked to see whether it jumps, so this
// is done only for walls that would win with a jump.
func (s *scan) measure(m engines.Move, g graph, blk *set, k int, cutsTheirs, cutsMine bool, best *candidate) {
	c := candidate{m: m, m2: s.m, e2: s.e, order: s.order(m)}
	kTheirs, kMine := 0, 0
	if cutsTheirs {
		c.e2, kTheirs = s.remeasure(&g, &s.p.theirs, &s.p.trial, s.enemySq, blk, k)
	}
	if cutsMine {
		c.m2, kMine = s.remeasure(&g, &s.p.ours, &s.p.trialMine, s.mySq, blk, s.myDist)
	}
	c.hasPaths = c.e2 < unreachable && c.m2 < unreachable
	c.value = c.e2 - c.m2
	if cutsMine {
		c.value++
	}
	if !c.beats(best) {
		return
	}
	if cutsTheirs && s.runsOver(&g, &s.p.theirs, &s.p.trial, kTheirs, c.e2, s.me^1, s.enemySq, s.mySq) {
		c.e2--
	}
	if cutsMine && s.runsOver(&g, &s.p.ours, &s.p.trialMine, kMine, c.m2, s.me, s.mySq, s.enemySq) {
		c.m2--
	}
	if c.value = c.e2 - c.m2; c.beats(best) {
		*best = c
	}
}

// remeasure returns the length of the shortest path from sq in g, which differs
// from the board by one wall, and the layer at which its flood started.
// base is the flood without the wall.
// It stays valid below the first layer with a square
// at the wall; layer k is one with such a square.
func (s *scan) remeasure(g *graph, base, trial *layers, sq int, blk *set, k int) (dist, from int) {
	s.floods++
	for k > 0 && base[k-1].has(*blk) {
		k--
	}
	trial[k] = base[k]
	return g.flood(trial, k, bit[sq]), k
}

// runsOver reports whether the path from sq, dist steps long, passes the other pawn.
// Its flood is in base below layer k, and in trial from k on.
func (s *scan) runsOver(g *graph, base, trial *layers, k, dist int, side engines.Side, sq, other int) bool {
	at := func(i int) *set {
		if i < k {
			return &base[i]
		}
		return &trial[i]
	}
	near := dist - manhattan(sq, other)
	if near < 0 || !at(near).has(bit[other]) {
		return false
	}
	for i := dist - 1; i >= 0 && at(i).has(bit[other]); i-- {
		if sq = g.step(at(i), side, sq); sq == other {
			return true
		}
	}
	return false
}

// candidate is a wall with its value E' - M' and its place in the order of the scan.
type candidate struct {
	m        engines.Move
	value    int
	order    int
	m2, e2   int
	hasPaths bool
}

// beats reports whether c is better than o. Among equals the earlier in the scan is better.
func (c *candidate) beats(o *candidate) bool {
	return c.hasPaths && (!o.hasPaths || c.value > o.value || c.value == o.value && c.order < o.order)
}

// manhattan returns the number of steps between two squares without walls.
func manhattan(a, b int) int {
	dx, dy := a%size-b%size, a/size-b/size
	return max(dx, -dx) + max(dy, -dy)
}
