package mcts

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"selfplaylab/engines"
)

var ctx = context.Background()

func options() Options { return Options{C: 0.7, Eps: 1e-6, Loop: Standard} }

// begin returns a search of a position.
func begin[T any, P Position[T]](t testing.TB, p T, o Options) *Search[T, P] {
	t.Helper()
	s := New[T, P](1 << 20)
	if err := s.Configure(o); err != nil {
		t.Fatal(err)
	}
	s.Begin(&p)
	return s
}

// middle is a tic-tac-toe game with three men down.
func middle() board { return board{men: [2]uint16{0o400 | 1, 0o20}} }

// TestSearchMatchesPlainVersion compares the tree, node by node, with the tree that the plain
// version of the search builds from the same random numbers.
func TestSearchMatchesPlainVersion(t *testing.T) {
	for _, loop := range []Loop{Source, Standard} {
		for _, playouts := range []int64{1, 9, 100, 3000} {
			for seed := range uint64(5) {
				o := options()
				o.Loop = loop
				t.Run(fmt.Sprint(loop, playouts, seed), func(t *testing.T) {
					likeDescription(t, board{}, o, playouts, seed)
					likeDescription(t, middle(), o, playouts, seed)
					likeDescription(t, newPile(30), o, playouts, seed)
					likeDescription(t, newPile(31), o, playouts, seed)
				})
			}
		}
	}
}

func likeDescription[T any, P Position[T]](t *testing.T, p T, o Options, playouts int64, seed uint64) {
	t.Helper()
	s := begin[T, P](t, p, o)
	r := s.Run(ctx, seed, engines.Limits{Playouts: playouts})
	plain := newSlow[T, P](p, o, seed)
	plain.run(playouts)
	if r.Playouts != plain.playouts {
		t.Fatalf("%d playouts, want %d", r.Playouts, plain.playouts)
	}
	sameTree(t, &s.tree, 0, plain.root)
}

func sameTree[T any](t *testing.T, tree *tree, at uint32, want *slowNode[T]) {
	t.Helper()
	n := tree.nodes[at]
	if int(n.count) != len(want.children) {
		t.Fatalf("node %d has %d children, want %d", at, n.count, len(want.children))
	}
	if float64(n.visits) != want.visits || at != 0 && float64(n.points) != 2*want.wins {
		t.Fatalf("node %d has %d visits and %d points, want %v and %v", at, n.visits, n.points, want.visits, 2*want.wins)
	}
	for i, c := range want.children {
		if tree.moves[n.first+uint32(i)] != c.move {
			t.Fatalf("child %d of node %d is move %d, want %d", i, at, tree.moves[n.first+uint32(i)], c.move)
		}
		sameTree(t, tree, n.first+uint32(i), c)
	}
}

// checkTree checks every node. A node's wins belong to the side that moved to it. Its points are
// the points of its children from that side's view, plus the points of its own random games.
func checkTree[T any, P Position[T]](t *testing.T, s *Search[T, P], descents int64) {
	t.Helper()
	own := int64(0)
	var walk func(at uint32, p T, mover engines.Side)
	walk = func(at uint32, p T, mover engines.Side) {
		n := s.tree.nodes[at]
		turn := P(&p).Turn()
		if n.visits == 0 {
			if n != (node{}) {
				t.Fatalf("node %d has no visits: %+v", at, n)
			}
			return
		}
		if o := P(&p).Outcome(); o != engines.Ongoing {
			if n.result != o || n.first != 0 || int(n.points) != int(n.visits)*o.Points(mover) {
				t.Fatalf("node %d ended %v: result %v, %d children, %d points in %d visits", at, o, n.result, n.count, n.points, n.visits)
			}
			return
		}
		visits, points := int(n.visits), int(n.points)
		for i, c := range s.tree.children(&n) {
			q := p
			P(&q).Play(s.tree.moves[n.first+uint32(i)])
			walk(n.first+uint32(i), q, turn)
			visits -= int(c.visits)
			if turn == mover {
				points -= int(c.points)
			} else {
				points -= int(2*c.visits - c.points)
			}
		}
		if at == 0 {
			return
		}
		if visits < 0 || points < 0 || points > 2*visits {
			t.Fatalf("node %d: %d visits and %d points are not from children", at, visits, points)
		}
		own += int64(max(visits-1, 0))
	}
	walk(0, s.root, P(&s.root).Turn().Other())
	if own > descents {
		t.Fatalf("%d games from nodes beyond their first, but %d descents", own, descents)
	}
}

func TestWinsBelongToMover(t *testing.T) {
	for _, loop := range []Loop{Source, Standard} {
		for _, expand := range []Expand{All, One} {
			for _, solver := range []bool{false, true} {
				t.Run(fmt.Sprint(loop, expand, solver), func(t *testing.T) {
					o := options()
					o.Loop, o.Expand, o.Solver = loop, expand, solver
					a := begin[board](t, board{}, o)
					a.Run(ctx, 1, engines.Limits{Playouts: 2000})
					checkTreeOpenly(t, a, solver)
					b := begin[pile](t, newPile(41), o)
					b.Run(ctx, 1, engines.Limits{Playouts: 2000})
					checkTreeOpenly(t, b, solver)
				})
			}
		}
	}
}

// checkTreeOpenly checks as checkTree does. With the solver a proven node is backed up as its
// result, so it has additional points of its own.
func checkTreeOpenly[T any, P Position[T]](t *testing.T, s *Search[T, P], solver bool) {
	t.Helper()
	idle := s.found.Descents
	if solver {
		idle = s.found.Playouts
	}
	checkTree(t, s, idle)
}

// TestSearchTakesAndBlocksWins fails if a search gives a node's wins to the wrong side: it
// would miss the win and allow the loss.
func TestSearchTakesAndBlocksWins(t *testing.T) {
	win := board{men: [2]uint16{0o003, 0o060}}   // the first side is to move: 3 wins
	block := board{men: [2]uint16{0o003, 0o020}} // the second side is to move and must take 3
	again := pile{left: 3, start: 4, turn: 0}    // taking 3 wins, and so does 1, 1, 1
	for _, loop := range []Loop{Source, Standard} {
		for _, expand := range []Expand{All, One} {
			for _, final := range []Final{WinRate, Visits} {
				o := options()
				o.Loop, o.Expand, o.Final = loop, expand, final
				for seed := range uint64(3) {
					limits := engines.Limits{Playouts: 1000}
					if r := begin[board](t, win, o).Run(ctx, seed, limits); r.Move != 3 || r.WinRate < 0.9 {
						t.Errorf("%+v: %+v, want the win by 3", o, r)
					}
					if r := begin[board](t, block, o).Run(ctx, seed, limits); r.Move != 3 {
						t.Errorf("%+v: %+v, want the block by 3", o, r)
					}
					if r := begin[pile](t, again, o).Run(ctx, seed, limits); r.WinRate < 0.9 {
						t.Errorf("%+v: %+v, want a win", o, r)
					}
				}
			}
		}
	}
}

// TestSolverMatchesBestPlay compares proven results with best play.
func TestSolverMatchesBestPlay(t *testing.T) {
	for _, loop := range []Loop{Source, Standard} {
		for _, expand := range []Expand{All, One} {
			for _, answers := range []float64{0, 0.3} {
				o := options()
				o.Loop, o.Expand, o.Solver, o.Answers = loop, expand, true, answers
				for n := uint8(1); n <= 14; n++ {
					proves(t, newPile(n), o)
				}
				proves(t, middle(), o)
				rng := NewRand(3)
				for range 30 {
					var b board
					for range 4 {
						b.Play(b.Moves(nil)[rng.Below(len(b.Moves(nil)))])
					}
					proves(t, b, o)
				}
			}
		}
	}
}

func proves[T any, P Position[T]](t *testing.T, p T, o Options) {
	t.Helper()
	s := begin[T, P](t, p, o)
	r := s.Run(ctx, 1, engines.Limits{Playouts: 100_000})
	want := solve[T, P](&p)
	if r.Proven != want {
		t.Fatalf("%+v of %+v: proven %v, want %v", o, p, r.Proven, want)
	}
	turn := P(&p).Turn()
	if rate := float64(want.Points(turn)) / 2; r.WinRate != rate {
		t.Errorf("%+v of %+v: win rate %v, want %v", o, p, r.WinRate, rate)
	}
	if sign := want.Points(turn) - 1; r.Mate*sign < 0 || (r.Mate == 0) != (sign == 0) {
		t.Errorf("%+v of %+v: Mate %d, but best play ends %v", o, p, r.Mate, want)
	}
	P(&p).Play(r.Move)
	if r.Mate != 0 && !within[T, P](&p, want, max(r.Mate, -r.Mate)-1) {
		t.Errorf("%+v: after move %d %v does not come about in Mate %d", o, r.Move, want, r.Mate)
	}
	if after := solve[T, P](&p); after != want {
		t.Errorf("%+v: move %d of a position worth %v leads to %v", o, r.Move, want, after)
	}
	for _, c := range s.Children() {
		q := s.root
		P(&q).Play(c.Move)
		if exact := solve[T, P](&q); c.Proven != engines.Ongoing && c.Proven != exact {
			t.Errorf("%+v: move %d proven %v, is %v", o, c.Move, c.Proven, exact)
		}
	}
}

func TestSearchKeepsLimits(t *testing.T) {
	const children = 9
	for _, loop := range []Loop{Source, Standard} {
		for _, expand := range []Expand{All, One} {
			o := options()
			o.Loop, o.Expand = loop, expand
			t.Run(fmt.Sprint(loop, expand), func(t *testing.T) {
				for _, n := range []int64{1, 2, 10, 500} {
					s := begin[board](t, board{}, o)
					if r := s.Run(ctx, 1, engines.Limits{Playouts: n}); r.Playouts < n || r.Playouts >= n+children || r.Move == 0 {
						t.Errorf("playouts=%d: %+v", n, r)
					}
					s = begin[board](t, board{}, o)
					if r := s.Run(ctx, 1, engines.Limits{Nodes: n}); r.Nodes < n || r.Nodes >= n+children || r.Move == 0 {
						t.Errorf("nodes=%d: %+v", n, r)
					}
				}
				s := begin[board](t, board{}, o)
				if r := s.Run(ctx, 1, engines.Limits{Depth: 2, Playouts: 5000}); r.Depth != 2 || r.Nodes != 9+72 || r.Playouts < 5000 {
					t.Errorf("depth=2: %+v", r)
				}
				checkTree(t, s, s.found.Descents)
				if r := begin[board](t, board{}, o).Run(ctx, 1, engines.Limits{Depth: 3}); r.Playouts < defaultPlayouts {
					t.Errorf("depth=3: %+v, want %d playouts", r, defaultPlayouts)
				}
				if r := begin[board](t, board{}, o).Run(ctx, 1, engines.Limits{Time: time.Nanosecond}); r.Move == 0 || r.Playouts > children {
					t.Errorf("expired clock: %+v", r)
				}
				// Near the end of a game there are fewer nodes than the limit.
				if r := begin[board](t, middle(), o).Run(ctx, 1, engines.Limits{Nodes: 50_000}); r.Move == 0 {
					t.Errorf("more nodes than there are: %+v", r)
				}
				gone, cancel := context.WithCancel(ctx)
				cancel()
				if r := begin[board](t, board{}, o).Run(gone, 1, engines.Limits{Playouts: 1 << 40}); r.Move == 0 || !r.Stopped {
					t.Errorf("cancelled: %+v", r)
				}
			})
		}
	}
}

// TestSmallMemoryStillSearchesRoot searches with hardly any memory: the root gets its children,
// and nodes without room stay leaves.
func TestSmallMemoryStillSearchesRoot(t *testing.T) {
	for _, capacity := range []int{1, 5, 10, 11, 60, 300} {
		for _, expand := range []Expand{All, One} {
			for _, loop := range []Loop{Source, Standard} {
				o := options()
				o.Expand, o.Loop = expand, loop
				s := New[board](capacity)
				if err := s.Configure(o); err != nil {
					t.Fatal(err)
				}
				s.Begin(&board{})
				r := s.Run(ctx, 1, engines.Limits{Playouts: 3000})
				if r.Move == 0 || r.Playouts < 3000 || len(s.tree.nodes) > max(capacity, 10) {
					t.Errorf("capacity %d: %+v with %d nodes", capacity, r, len(s.tree.nodes))
				}
				checkTree(t, s, s.found.Playouts) // the games of forgotten nodes still count for the node above
				again := s.Run(ctx, 2, engines.Limits{Nodes: 1000})
				if again.Move == 0 {
					t.Errorf("capacity %d: %+v with memory full", capacity, again)
				}
			}
		}
	}
}

// TestFullMemoryForgetsLeastVisited has a tree that does not fit. The search forgets the least
// visited nodes, reproducibly, and has the same result as with enough memory.
func TestFullMemoryForgetsLeastVisited(t *testing.T) {
	if testing.Short() {
		t.Skip("short: fills a tree")
	}
	const capacity = 1500
	fork := board{men: [2]uint16{0o3, 0o14}} // won, but not by the next move
	for _, loop := range []Loop{Source, Standard} {
		var results [2]Result
		for i := range results {
			o := options()
			o.Loop = loop
			s := New[board](capacity)
			if err := s.Configure(o); err != nil {
				t.Fatal(err)
			}
			s.Begin(&fork)
			results[i] = s.Run(ctx, 1, engines.Limits{Playouts: 20_000})
			if len(s.tree.nodes) > capacity {
				t.Errorf("%d nodes, want at most %d", len(s.tree.nodes), capacity)
			}
			s.Begin(&board{})
			if r := s.Run(ctx, 1, engines.Limits{Playouts: 100_000}); r.Cut < 2 || r.Nodes < 3*capacity || r.Move != 5 {
				t.Errorf("loop %d: %+v; want the centre, and a tree cut back again and again", loop, r)
			}
		}
		full := begin[board](t, fork, func() Options { o := options(); o.Loop = loop; return o }()).Run(ctx, 1, engines.Limits{Playouts: 20_000})
		if results[0] != results[1] || results[0].Move != full.Move {
			t.Errorf("loop %d: %+v, then %+v; with all memory %+v", loop, results[0], results[1], full)
		}
	}
}

// TestTreeIsCutOnlyInTime cuts a full tree if there is time, and not if the decision would be
// late.
func TestTreeIsCutOnlyInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("short: fills a tree")
	}
	const capacity = 1 << 18
	s := New[quickPile](capacity)
	if err := s.Configure(options()); err != nil {
		t.Fatal(err)
	}
	s.Begin(&quickPile{newPile(250)})
	s.Run(ctx, 1, engines.Limits{Nodes: capacity - most})
	if r := s.Run(ctx, 2, engines.Limits{Time: capacity * defaultCopy / 2}); r.Cut > 0 || r.Playouts == 0 {
		t.Errorf("with little time: %+v", r)
	}
	if r := s.Run(ctx, 3, engines.Limits{Playouts: 1000}); r.Cut == 0 {
		t.Errorf("with all the time: %+v", r)
	}
}

func TestFinishedGameHasNoMove(t *testing.T) {
	over := board{men: [2]uint16{0o007, 0o050}}
	s := begin[board](t, over, options())
	if r := s.Run(ctx, 1, engines.Limits{Playouts: 10}); r != (Result{}) || s.Children() != nil {
		t.Errorf("search of a finished game: %+v", r)
	}
}

func TestTiesGoToEarlierMove(t *testing.T) {
	for _, c := range []struct {
		name            string
		a, b            standing
		winRate, visits bool // a beats b by this measure
	}{
		{"rate against visits", standing{class: 1, points: 8, visits: 5}, standing{class: 1, points: 12, visits: 10}, true, false},
		{"equal rate, more visits", standing{class: 1, points: 20, visits: 10}, standing{class: 1, points: 2, visits: 1}, true, true},
		{"equal visits, better rate", standing{class: 1, points: 3, visits: 5}, standing{class: 1, points: 2, visits: 5}, true, true},
		{"equal", standing{class: 1, points: 3, visits: 5}, standing{class: 1, points: 3, visits: 5}, false, false},
		{"proven win", standing{class: 2, points: 2, visits: 1}, standing{class: 1, points: 198, visits: 100}, true, true},
		{"proven loss", standing{class: 0, visits: 100}, standing{class: 1, visits: 1}, false, false},
		{"never visited", standing{class: -1}, standing{class: 0, visits: 1}, false, false},
	} {
		if got := c.a.beats(c.b, WinRate); got != c.winRate {
			t.Errorf("%s by win rate: %v", c.name, got)
		}
		if got := c.a.beats(c.b, Visits); got != c.visits {
			t.Errorf("%s by visits: %v", c.name, got)
		}
	}
}

// TestAdvanceKeepsSubtree expects that Advance keeps the nodes below the move played.
func TestAdvanceKeepsSubtree(t *testing.T) {
	for _, expand := range []Expand{All, One} {
		o := options()
		o.Expand = expand
		s := begin[pile](t, newPile(40), o)
		s.Run(ctx, 1, engines.Limits{Playouts: 5000})
		root := s.tree.nodes[0]
		kept := s.tree.nodes[root.first+1]
		below := slices.Clone(s.tree.children(&kept))
		s.Advance(2)
		now := s.tree.nodes[0]
		if now.visits != kept.visits || now.count != kept.count {
			t.Fatalf("root %+v, want %+v", now, kept)
		}
		for i, c := range s.tree.children(&now) {
			if c.visits != below[i].visits || c.points != below[i].points {
				t.Fatalf("child %d %+v, want %+v", i, c, below[i])
			}
		}
		checkTree(t, s, 0)
		s.Run(ctx, 2, engines.Limits{Playouts: 500})
		checkTree(t, s, s.found.Descents)
		s.Advance(3)
		s.Advance(3)
		s.Run(ctx, 3, engines.Limits{Playouts: 500})
		checkTree(t, s, s.found.Descents)
	}
	fresh := begin[pile](t, newPile(40), options())
	fresh.Advance(3)
	if len(fresh.tree.nodes) != 1 || fresh.root.left != 37 {
		t.Errorf("advance of an empty tree: %d nodes, %d left", len(fresh.tree.nodes), fresh.root.left)
	}
}

// within reports whether a side can force an outcome, its win, within n plies.
func within[T any, P Position[T]](p *T, win engines.Outcome, n int) bool {
	if o := P(p).Outcome(); o != engines.Ongoing || n == 0 {
		return o == win
	}
	own := win == engines.Win(P(p).Turn())
	for _, m := range P(p).Moves(nil) {
		q := *p
		P(&q).Play(m)
		if within[T, P](&q, win, n-1) == own {
			return own
		}
	}
	return !own
}

// TestWinAtOnceIsProven proves a win by the next move without the solver, and nothing else.
func TestWinAtOnceIsProven(t *testing.T) {
	for _, c := range []struct {
		men    [2]uint16
		solver bool
		want   int
	}{
		{[2]uint16{0o3, 0o30}, false, 1}, // two in a row and the third free
		{[2]uint16{0o3, 0o30}, true, 1},
		{[2]uint16{0o3, 0o14}, false, 0}, // won by a fork, but not by the next move
		{[2]uint16{0o3, 0o14}, true, 3},
	} {
		o := options()
		o.Solver = c.solver
		s := begin[board](t, board{c.men}, o)
		if r := s.Run(ctx, 1, engines.Limits{Playouts: 3000}); r.Mate != c.want {
			t.Errorf("%o, solver %v: Mate %d, want %d", c.men, c.solver, r.Mate, c.want)
		}
	}
}

func TestSearchAllocatesLittle(t *testing.T) {
	for _, expand := range []Expand{All, One} {
		o := options()
		o.Expand, o.Answers = expand, 0.02
		p := &quickPile{newPile(60)}
		s := begin[quickPile](t, *p, o)
		run := func() {
			s.Begin(p)
			s.Run(ctx, 1, engines.Limits{Playouts: 2000})
			s.Advance(2)
			s.Run(ctx, 1, engines.Limits{Playouts: 2000})
		}
		run()
		run() // the tree and its copy swap
		if n := testing.AllocsPerRun(20, run); n != 0 {
			t.Errorf("%v allocations in 4000 playouts", n)
		}
	}
}

// quickPile is a pile whose random games need no memory.
type quickPile struct{ pile }

func (q *quickPile) Playout(r *Rand, _ RolloutPolicy) engines.Outcome {
	for q.left > 0 {
		q.Play(engines.Move(1 + r.Below(int(min(3, q.left)))))
	}
	return q.Outcome()
}

func TestOptionsRefuseBadValues(t *testing.T) {
	good := options()
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Options){
		func(o *Options) { o.C = -1 },
		func(o *Options) { o.C = math.NaN() },
		func(o *Options) { o.C = math.Inf(1) },
		func(o *Options) { o.Eps = 0 },
		func(o *Options) { o.Eps = math.NaN() },
		func(o *Options) { o.Loop = 2 },
		func(o *Options) { o.Expand = 2 },
		func(o *Options) { o.Final = 2 },
		func(o *Options) { o.Answers = -0.1 },
		func(o *Options) { o.Answers = 1.1 },
		func(o *Options) { o.Answers = math.NaN() },
	} {
		bad := options()
		change(&bad)
		if New[board](10).Configure(bad) == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// TestLnMatchesMathLogAndRecordedBits compares ln with math.Log, and
// its bits with recorded ones, so that games repeat on every machine.
func TestLnMatchesMathLogAndRecordedBits(t *testing.T) {
	h := uint64(0)
	check := func(n uint32) {
		got, want := ln(n), math.Log(float64(n))
		if math.Abs(got-want) > 4e-16*want {
			t.Fatalf("ln(%d) = %v, want %v", n, got, want)
		}
		h = engines.Mix(h ^ math.Float64bits(got))
	}
	for n := range uint32(20_000) {
		check(n + 1)
	}
	r := NewRand(1)
	for range 20_000 {
		check(uint32(r.Uint64()>>33) + 1)
	}
	if want := uint64(0xca0525b246a39a8a); h != want {
		t.Errorf("hash of the bits %#x, want %#x", h, want)
	}
}

func TestRandMatchesSplitmix(t *testing.T) {
	// The first numbers of splitmix64 from seed 1234567, by its author's C code.
	r := NewRand(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := r.Uint64(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
	var seen [7]int
	for range 7000 {
		seen[r.Below(7)]++
	}
	for i, n := range seen {
		if n < 850 || n > 1150 {
			t.Errorf("%d came %d times of 7000", i, n)
		}
	}
}
