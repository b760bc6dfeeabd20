package quoridor

import (
	"context"
	"fmt"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// player is the greedy player: it compares its step with its best wall.
type player struct {
	game     engines.Follower[Board, *Board]
	standard bool
	w        [parameterCount]float64
	seed     uint64

	// Scratch of one decision.
	mine, theirs, trial, trialMine layers
	my, their                      path

	position string  // where the game began
	ahead    *looker // nil until it looks ahead
}

// Configure sets the weights, a vector of the package's space.
func (p *player) Configure(v []float64) error {
	if len(v) != len(p.w) {
		return fmt.Errorf("quoridor player takes %d parameters, not %d", len(p.w), len(v))
	}
	copy(p.w[:], v)
	if p.ahead != nil {
		return p.ahead.Configure(v)
	}
	return nil
}

// Reset starts a game.
func (p *player) Reset(position string, seed uint64) error {
	b := newBoard(p.standard)
	if err := engines.SetUp[Board](&b, position, nil); err != nil {
		return err
	}
	p.game.Reset(b)
	p.seed, p.position = seed, position
	if p.ahead != nil {
		return p.ahead.Reset(position, seed)
	}
	return nil
}

// Choose returns the greedy decision: its score is s1 or
// s2, whichever was chosen; its nodes are the distances measured. Of forced ends it
// sees its own arrival. Within limits of depth or nodes, or where the parameter look
// says always, it looks ahead instead.
func (p *player) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	if looksAhead(p.w[:], limits) {
		ahead, err := p.looker()
		if err != nil {
			return engines.Decision{}, err
		}
		return ahead.Choose(ctx, history, limits)
	}
	p.game.Follow(history)
	d := p.decide(&p.game.Position, p.horizontalFirst(len(history)))
	mate := 0
	if kind(d.move) == pawnMove && arrives(p.game.Position.turn, d.move) {
		mate = 1
	}
	return engines.Decision{Move: d.move, Score: max(d.s1, d.s2), Nodes: int64(d.floods), Mate: mate}, nil
}

// looker returns the look-ahead, ready for the game.
func (p *player) looker() (*looker, error) {
	if p.ahead != nil {
		return p.ahead, nil
	}
	ahead := newLooker(p.standard)
	if err := ahead.Configure(p.w[:]); err != nil {
		return nil, err
	}
	if err := ahead.Reset(p.position, p.seed); err != nil {
		return nil, err
	}
	p.ahead = ahead
	return ahead, nil
}

// PVs implements engines.MultiPV. Where it does not look ahead, the player weighs one
// step against one wall and tells what it makes of them.
func (p *player) PVs(ctx context.Context, history []engines.Move, limits engines.Limits, most int) (engines.Decision, []engines.PV, error) {
	if looksAhead(p.w[:], limits) {
		ahead, err := p.looker()
		if err != nil {
			return engines.Decision{}, nil, err
		}
		return ahead.PVs(ctx, history, limits, most)
	}
	d, err := p.Choose(ctx, history, limits)
	return d, []engines.PV{{Moves: []engines.Move{d.Move}, Score: d.Score, Mate: d.Mate}}, err
}

// horizontalFirst tosses the coin of one ply. It depends on nothing but seed
// and ply, so a decision can be repeated without its predecessors.
func (p *player) horizontalFirst(ply int) bool {
	switch p.w[coin] {
	case 1:
		return true
	case 2:
		return false
	}
	return engines.Seed(p.seed, uint64(ply))&1 == 0
}

// decision holds everything the player weighed.
type decision struct {
	move   engines.Move
	wall   engines.Move // the best legal wall, 0 if none
	m, e   int          // shortest paths before the wall
	m2, e2 int          // and after it
	s1, s2 float64
	floods int
}

// decide chooses for the side to move, which must have a legal action or pass.
func (p *player) decide(b *Board, horizontalFirst bool) decision {
	s := scan{p: p, b: b, my: &p.my, their: &p.their, me: b.turn, mySq: int(b.pawn[b.turn]), enemySq: int(b.pawn[b.turn^1]),
		horizontalFirst: horizontalFirst}
	d := decision{}
	s.paths()
	d.m, d.e = s.m, s.e
	step := s.step()
	if step == 0 || !arrives(b.turn, step) {
		if b.walls[b.turn] > 0 {
			d.wall, d.m2, d.e2 = s.bestWall()
		}
	}
	d.floods = s.floods
	if d.wall != 0 {
		d.s1, d.s2 = p.scores(d.m, d.e, d.m2, d.e2, int(b.walls[b.turn]), int(b.walls[b.turn^1]))
	}
	switch {
	case d.wall != 0 && (step == 0 || d.s1 < d.s2):
		d.move = d.wall
	case step != 0:
		d.move = step
	default:
		d.move = pass
	}
	return d
}

func arrives(side engines.Side, m engines.Move) bool {
	return goal[side].has(bit[index(m)])
}

// scores computes s1 and s2. Every product is converted explicitly: Go may
// otherwise fuse it into the sum on some processors, which flips ties.
func (p *player) scores(m, e, m2, e2, mb, eb int) (s1, s2 float64) {
	w := &p.w
	s1 = float64(w[aE]*float64(e)) + float64(w[aEB]*float64(eb)) - float64(w[aM]*float64(m)) - float64(w[aMB]*float64(mb))
	s2 = float64(w[bE]*float64(e2)) - float64(w[bEB]*float64(eb)) - float64(w[bM]*float64(m2)) +
		float64(w[bMB]*float64(mb-1)) + float64(w[bGain]*float64(e2-e))
	dM, dE, behind := m2-m, e2-e, float64(m-e)
	if dM > dE {
		s1 += w[selfharmBonus]
	}
	if float64(m) < w[rushDist] && m < e {
		s1 += w[rushBonus]
	}
	if float64(e) < w[panicDist] && m >= e {
		s2 += w[panicBonus]
	}
	if behind > w[behind2Margin] {
		s2 += w[behind2Bonus]
	} else if behind > w[behind1Margin] {
		s2 += w[behind1Bonus]
	}
	if behind > w[behind4Margin] && dM <= dE {
		s2 += w[behind4Bonus]
	}
	if float64(dM)+w[gainMargin] < float64(dE) {
		s2 += w[gainBonus]
	}
	if dM <= dE && behind > w[behind3Margin] {
		s2 += w[behind3Bonus]
	}
	return s1, s2
}

// scan finds both paths and the best wall of one decision.
type scan struct {
	p               *player
	b               *Board
	me              engines.Side
	mySq, enemySq   int
	horizontalFirst bool

	myDist, theirDist int // steps, jumps not counted
	m, e              int // steps, a jump over the other pawn counted
	my, their         *path
	next              int // first square of my path
	floods            int
}

// path is what walls would cut of a shortest path: by walls, and by the layer
// nearest the goal that each step enters.
type path struct {
	h, v  uint64
	steps [squares]struct{ h, v uint64 } // steps[k]: the cuts of the step into layer k
	over  bool                           // runs over the other pawn
}

// paths finds both shortest paths on the board as it stands.
func (s *scan) paths() {
	s.floods += 2
	s.next = -1
	s.myDist = s.walk(&s.p.mine, s.me, s.mySq, s.enemySq, s.my)
	s.theirDist = s.walk(&s.p.theirs, s.me^1, s.enemySq, s.mySq, s.their)
	s.m, s.e = s.myDist, s.theirDist
	if s.my.over {
		s.m--
	}
	if s.their.over {
		s.e--
	}
}

// walk floods from side's goal and follows the path from sq.
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

// step returns the pawn move the player would make, or 0 if there is none.
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

// landing follows the first step of the path, jumping or sidestepping the
// enemy's pawn; -1 if that is stuck.
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

// nearestMove returns the legal pawn move with the smallest remaining distance,
// the first in order among equals, or 0.
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

// candidate is a wall with its value E' - M' and its place in the scan.
type candidate struct {
	m        engines.Move
	value    int
	order    int
	m2, e2   int
	hasPaths bool
}

func (c *candidate) beats(o *candidate) bool {
	return c.hasPaths && (!o.hasPaths || c.value > o.value || c.value == o.value && c.order < o.order)
}

// bestWall returns the legal wall that maximises E' - M', the first in scan
// order among equals, with M' and E'; 0 if no wall is legal.
//
// Only walls across one of the two paths change anything, so those are
// measured; of all the others the first in scan order stands for all. The rules'
// own path test is needed for the winner alone.
func (s *scan) bestWall() (m engines.Move, m2, e2 int) {
	if s.m >= unreachable || s.e >= unreachable {
		return 0, 0, 0 // every wall would leave a pawn without a path
	}
	b := s.b
	if !b.standard && s.their.over && !b.reachesAround(s.mySq, goal[s.me^1], bit[s.enemySq]) {
		return 0, 0, 0 // I stand on the enemy's only path
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

// allowed applies the rules' path test to a wall that leaves both pawns a path.
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
	s.tryMine(h&s.my.h&^s.their.h, v&s.my.v&^s.their.v, &best)
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

// order is m's place in this decision's scan.
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

// tryMine measures the walls that cut only my path. They cannot raise E', and
// can lower M' by one at most, if the new path jumps: so few can win.
func (s *scan) tryMine(h, v uint64, best *candidate) {
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
			s.tryOneOfMine(hWall|engines.Move(i), s.b.withH(i), &block[i], k, bound, best)
		}
		for m := st.v & v; m != 0; m &= m - 1 {
			i := popLow(m)
			s.tryOneOfMine(vWall|engines.Move(i), s.b.withV(i), &block[transpose(i)], k, bound, best)
		}
		h &^= st.h
		v &^= st.v
	}
}

func (s *scan) tryOneOfMine(m engines.Move, g graph, blk *set, k, bound int, best *candidate) {
	c := candidate{value: bound, order: s.order(m), hasPaths: true}
	if c.beats(best) {
		s.measure(m, g, blk, k, false, true, best)
	}
}

// mayJump reports whether a path of my present length might run over the enemy
// though the present one does not.
func (s *scan) mayJump() bool {
	near := s.myDist - manhattan(s.mySq, s.enemySq)
	return !s.my.over && near >= 0 && s.p.mine[near].has(bit[s.enemySq])
}

func manhattan(a, b int) int {
	dx, dy := a%size-b%size, a/size-b/size
	return max(dx, -dx) + max(dy, -dy)
}

// measure finds M' and E' after a wall that gives graph g and keeps it if it is
// the best so far. k is a layer of a path it cuts; blk are the squares beside
// it. Whether a path jumps costs a walk along it, so that is asked only of walls
// that would win if it turned out well.
func (s *scan) measure(m engines.Move, g graph, blk *set, k int, cutsTheirs, cutsMine bool, best *candidate) {
	c := candidate{m: m, m2: s.m, e2: s.e, order: s.order(m)}
	kTheirs, kMine := 0, 0
	if cutsTheirs {
		c.e2, kTheirs = s.remeasure(&g, &s.p.theirs, &s.p.trial, s.enemySq, blk, k)
	}
	if cutsMine {
		c.m2, kMine = s.remeasure(&g, &s.p.mine, &s.p.trialMine, s.mySq, blk, s.myDist)
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
	if cutsMine && s.runsOver(&g, &s.p.mine, &s.p.trialMine, kMine, c.m2, s.me, s.mySq, s.enemySq) {
		c.m2--
	}
	if c.value = c.e2 - c.m2; c.beats(best) {
		*best = c
	}
}

// remeasure returns the steps of the shortest path from sq in g, which differs
// from the board by one wall, and the layer its flood started from. base holds
// the flood without the wall; it stays valid up to the first layer that holds a
// square beside the wall, and k is a layer that does.
//
// Many of these floods only find the old distance, where the wall leaves another
// shortest path. To know so beforehand takes the steps of all shortest paths, and to
// find those took more time than the floods it saved: decisions were 3 % slower.
func (s *scan) remeasure(g *graph, base, trial *layers, sq int, blk *set, k int) (dist, from int) {
	s.floods++
	for k > 0 && base[k-1].has(*blk) {
		k--
	}
	trial[k] = base[k]
	return g.flood(trial, k, bit[sq]), k
}

// runsOver reports whether the path from sq, dist steps long, passes the other
// pawn. Its flood is in base below layer k and in trial from k on.
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

// Game describes Quoridor to the rest of the toolkit.
func Game() *engines.Game {
	return &engines.Game{
		Name:  "quoridor",
		Title: "Quoridor 步步为营",
		Doc: "Two pawns race across a 9 x 9 board; a turn is a step or a wall.\n" +
			"Whoever reaches the far side first wins; walls must leave both a way there.\n\n" +
			"The greedy player steps along its shortest path or sets the wall that gains most,\n" +
			"as two weighted sums score_1 and score_2 decide. Tuned: their weights and bonuses.\n" +
			"With --limits depth=N or nodes=N, or look=always, it looks ahead instead, by alpha-beta over\n" +
			"steps and the walls that lengthen a path; look_wall, look_near and look_tempo weigh what it sees.",
		Version: 1,
		Options: []engines.Option{{
			Name: "variant", Default: "seed", Values: []string{"seed", "standard"},
			Doc: "seed: the rules of the course program 步步为营 (no diagonal jump, walls 木板 may cross, three violations 违规操作 lose); standard: the " +
				"published rules",
		}},
		Space:         space,
		Presets:       params.MustPresets("quoridor/presets.toml", presetsTOML, space),
		DefaultPreset: "final",
		WeakPreset:    "bad",
		Tuned:         tuned,
		Budgets:       alphabeta.Budgets(),
		Proves:        1,
		Unit:          "points",
		Margins:       engines.Margins{Unit: "steps", Cap: 10},
		Strict:        engines.Strict{Doc: "strict: one second a move, three illegal actions lose", Seconds: 1, Actions: 3},
		OpeningPlies:  4,
		Pairs:         32,
		New:           newVariant,
	}
}
