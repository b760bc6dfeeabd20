package alphabeta

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
)

// reference is minimax, written independently of the package. It returns the value for the side
// to move.
func reference(t *toy, ply, depth int, contempt int32, root engines.Side, forced func(*toy) bool) int32 {
	draw := -contempt
	if t.turn != root {
		draw = contempt
	}
	switch o := t.Outcome(); o {
	case engines.Ongoing:
	case engines.Draw:
		return draw
	case engines.Win(t.turn):
		return Win - int32(ply)
	default:
		return int32(ply) - Win
	}
	free := forced != nil && ply > 0 && forced(t)
	if depth == 0 && !free {
		return t.Eval()
	}
	if !free {
		depth--
	}
	best := -infinity
	for _, m := range t.Moves(nil) {
		c := *t
		c.Play(m)
		v := reference(&c, ply+1, depth, contempt, root, forced)
		if c.turn != t.turn {
			v = -v
		}
		best = max(best, v)
	}
	return best
}

// variations returns the options that must not change the value.
func variations() []Options {
	var all []Options
	for bits := range 8 {
		all = append(all, Options{Table: []int{0, 64}[bits&1], Unordered: bits&2 != 0, Ties: ties(bits >> 2)})
	}
	return append(all, Options{Table: 1 << 16}, Options{Minimax: true}, Options{Minimax: true, Ties: TieEval})
}

func TestEveryOptionEqualsMinimax(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var searches []*Search[toy, *toy]
	for _, o := range variations() {
		searches = append(searches, New[toy](o, Hooks[toy]{}))
	}
	for trial := range 300 {
		root, depth := newToy(r, trial%2 == 0), 1+trial%5
		if root.Outcome() != engines.Ongoing {
			continue
		}
		want := reference(&root, 0, depth, 0, root.turn, nil)
		for i, s := range searches {
			if trial%7 == 0 {
				s.NewGame()
			}
			// Store entries of other depths, which must not be used.
			s.Think(context.Background(), &root, nil, engines.Limits{Depth: 1 + (depth+trial)%5})
			got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: depth})
			if got.Score != want {
				t.Fatalf("trial %d depth %d options %+v: score %d, want %d", trial, depth, variations()[i], got.Score, want)
			}
			checkLine(t, root, got)
		}
	}
}

// checkLine plays the line of a result.
func checkLine(t *testing.T, p toy, r Result) {
	t.Helper()
	if len(r.Line) == 0 || r.Line[0] != r.Move {
		t.Fatalf("line %v of move %d", r.Line, r.Move)
	}
	for i, m := range r.Line {
		legal := false
		for _, l := range p.Moves(nil) {
			legal = legal || l == m
		}
		if !legal || p.Outcome() != engines.Ongoing {
			t.Fatalf("line %v: move %d cannot be played", r.Line, i)
		}
		p.Play(m)
	}
}

// TestSelectiveProofsAreReal expects that a win or loss proven by a selective search is real,
// although it may come sooner than stated.
func TestSelectiveProofsAreReal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var searches []*Search[toy, *toy]
	for _, o := range []Options{
		{Reduce: true}, {Margin: 2}, {Reduce: true, Margin: 9, Deeper: true, Table: 64}, {Reduce: true, Margin: 30, Deeper: true, Table: 1 << 12},
		{Width: 1}, {Width: 2, Reduce: true, Margin: 9, Deeper: true, Table: 1 << 12},
		{Prune: true}, {Prune: true, Reduce: true, Margin: 9, Deeper: true, Table: 1 << 12},
	} {
		searches = append(searches, New[toy](o, Hooks[toy]{Pass: passToy}))
	}
	proofs, others, differ := 0, 0, 0
	for trial := range 400 {
		root := newToy(r, trial%2 == 0)
		if root.Outcome() != engines.Ongoing {
			continue
		}
		depth := 3 + trial%5
		want := reference(&root, 0, depth, 0, root.turn, nil)
		for _, s := range searches {
			got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: depth})
			checkLine(t, root, got)
			plies, proven := Mate(got.Score)
			if got.Score != want {
				differ++
			}
			if !proven {
				others++
				continue
			}
			proofs++
			sooner, real := Mate(want)
			if !real || (got.Score > 0) != (want > 0) || sooner > plies {
				t.Fatalf("trial %d depth %d options %+v: score %d, by minimax %d", trial, depth, s.options, got.Score, want)
			}
		}
	}
	if proofs < 200 || others < 200 || differ < 20 {
		t.Errorf("%d proofs, %d values, %d unlike minimax: too few of one kind to tell anything", proofs, others, differ)
	}
}

// TestPruneIsEqualInPlace compares searches with passes on copies and in place, which also
// restore the position.
func TestPruneIsEqualInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	passed := 0
	for trial := range 200 {
		root := newToy(r, true)
		if root.Outcome() != engines.Ongoing {
			continue
		}
		o := Options{Prune: true, Reduce: true, Margin: 9, Deeper: true, Table: 256, Repetition: trial%2 == 0}
		copied := New[toy](o, Hooks[toy]{Pass: passToy})
		within := New[inPlace](o, Hooks[inPlace]{Undo: undoInPlace, Pass: func(p *inPlace) bool {
			if !passToy(&p.toy) {
				return false
			}
			before := p.toy
			before.turn, before.trail = before.turn.Other(), nil
			p.trail = append(p.trail, before)
			passed++
			return true
		}})
		limits := engines.Limits{Depth: 6}
		want := copied.Think(context.Background(), &root, nil, limits)
		at := inPlace{root}
		got := within.Think(context.Background(), &at, nil, limits)
		if got.Score != want.Score || got.Nodes != want.Nodes || got.Move != want.Move || at.Key() != root.Key() {
			t.Fatalf("trial %d: %+v, on copies %+v", trial, got, want)
		}
	}
	if passed < 1000 {
		t.Errorf("%d passes: too few to tell", passed)
	}
}

// solveToy finds ends within two plies, as a game's own solver does.
func solveToy(p *toy, _ int) (plies int, visited int64) {
	if score := reference(p, 0, 2, 0, p.turn, nil); score != 0 {
		if n, proven := Mate(score); proven && score > 0 {
			return n, 5
		} else if proven {
			return -n, 5
		}
	}
	return 0, 5
}

// TestSolvedNodesEqualSearch expects that a solver's results equal those of plies searched.
func TestSolvedNodesEqualSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	solved := int64(0)
	s := New[toy](Options{}, Hooks[toy]{Solve: func(p *toy, depth int) (int, int64) {
		solved++
		return solveToy(p, depth)
	}})
	quiet := New[toy](Options{}, Hooks[toy]{Solve: func(p *toy, depth int) (int, int64) {
		plies, _ := solveToy(p, depth)
		return plies, 0
	}})
	proofs := 0
	for trial := range 300 {
		root := newToy(r, false)
		if root.Outcome() != engines.Ongoing {
			continue
		}
		depth := 1 + trial%3
		solved = 0
		got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: depth})
		want := reference(&root, 0, depth+2, 0, root.turn, nil)
		plies, proven := Mate(got.Score)
		sooner, real := Mate(want)
		if proven && (!real || (got.Score > 0) != (want > 0) || sooner > plies) {
			t.Fatalf("trial %d: score %d, by minimax %d", trial, got.Score, want)
		}
		if real && !proven {
			t.Fatalf("trial %d: score %d, and %d is proven", trial, got.Score, want)
		}
		if proven {
			proofs++
		}
		without := quiet.Think(context.Background(), &root, nil, engines.Limits{Depth: depth})
		if without.Score != got.Score || without.Nodes != got.Nodes-5*solved {
			t.Fatalf("trial %d: %d nodes, of which %d times 5 are the solver's; without those %d", trial, got.Nodes, solved, without.Nodes)
		}
	}
	if proofs < 30 {
		t.Errorf("%d proofs only", proofs)
	}
}

// TestProvenWinIsPlayed expects that a win proven before the search is played without a search.
func TestProvenWinIsPlayed(t *testing.T) {
	root := newToy(rand.New(rand.NewPCG(8, 6)), false)
	line := []engines.Move{}
	s := New[toy](Options{}, Hooks[toy]{Prove: func(*toy) ([]engines.Move, int, int64) { return line, 7, 11 }})
	if got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: 2}); got.Depth != 2 || got.Nodes <= 11 {
		t.Errorf("nothing proven: depth %d, %d nodes", got.Depth, got.Nodes)
	}
	line = root.Moves(nil)[:1]
	got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: 2})
	if got.Move != line[0] || got.Score != Win-7 || got.Nodes != 11 {
		t.Errorf("proven: move %d, score %d, %d nodes", got.Move, got.Score, got.Nodes)
	}
}

func TestEqualsMinimaxInPlaceAndRanked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	hooks := Hooks[inPlace]{
		Undo: undoInPlace,
		Rank: func(p *inPlace, moves []engines.Move, ranks []int32) {
			for i, m := range moves {
				if ranks[i] != 0 {
					t.Fatal("rank does not come in as 0")
				}
				ranks[i] = int32(engines.Mix(p.Key()^uint64(m)) % 1000 << 8)
			}
		},
	}
	var searches []*Search[inPlace, *inPlace]
	for _, o := range variations() {
		searches = append(searches, New[inPlace](o, hooks))
	}
	for trial := range 200 {
		root := inPlace{newToy(r, trial%2 == 0)}
		if root.Outcome() != engines.Ongoing {
			continue
		}
		depth, before := 1+trial%5, root.toy
		want := reference(&before, 0, depth, 0, root.turn, nil)
		for i, s := range searches {
			if got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: depth}); got.Score != want {
				t.Fatalf("trial %d options %+v: score %d, want %d", trial, variations()[i], got.Score, want)
			}
			if root.cells != before.cells || root.turn != before.turn || len(root.trail) != 0 {
				t.Fatal("the root was not restored")
			}
		}
	}
}

func TestForcedMovesUseNoDepth(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 100 {
		root := newToy(r, false)
		if root.Outcome() != engines.Ongoing {
			continue
		}
		depth := 1 + trial%3
		want := reference(&root, 0, depth, 0, root.turn, forcedToy)
		for _, o := range variations() {
			s := New[toy](o, Hooks[toy]{Forced: forcedToy})
			if got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: depth}); got.Score != want {
				t.Fatalf("trial %d options %+v: score %d, want %d", trial, o, got.Score, want)
			}
		}
	}
}

func TestContemptChangesDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	s := New[toy](Options{Table: 1 << 10, Contempt: 7}, Hooks[toy]{})
	for trial := range 300 {
		root := newToy(r, false)
		if root.Outcome() != engines.Ongoing {
			continue
		}
		// Both sides use the same table.
		for range 2 {
			want := reference(&root, 0, 4, 7, root.turn, nil)
			if got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: 4}); got.Score != want {
				t.Fatalf("trial %d: score %d, want %d", trial, got.Score, want)
			}
			root.turn = root.turn.Other()
			if root.Outcome() != engines.Ongoing {
				break
			}
		}
	}
}

// TestRepetitionMatchesReference compares with a reference that
// scores by the path, without a table: see the package's document.
func TestRepetitionMatchesReference(t *testing.T) {
	var ref func(p *toy, ply, depth int, seen []uint64) int32
	ref = func(p *toy, ply, depth int, seen []uint64) int32 {
		switch o := p.Outcome(); {
		case o == engines.Draw:
			return 0
		case o == engines.Win(p.turn):
			return Win - int32(ply)
		case o != engines.Ongoing:
			return int32(ply) - Win
		}
		for _, k := range seen {
			if ply > 0 && k == p.Key() {
				return 0
			}
		}
		if depth == 0 {
			return p.Eval()
		}
		best := -infinity
		for _, m := range p.Moves(nil) {
			c := *p
			c.Play(m)
			v := ref(&c, ply+1, depth-1, append(seen[:len(seen):len(seen)], p.Key()))
			if c.turn != p.turn {
				v = -v
			}
			best = max(best, v)
		}
		return best
	}
	r := rand.New(rand.NewPCG(9, 10))
	differs := 0
	for range 200 {
		start := newToy(r, true)
		root, past := start, []uint64(nil)
		for range 4 { // moves of a game before the root
			if root.Outcome() != engines.Ongoing {
				break
			}
			past = append(past, root.Key())
			root.Play(1)
		}
		if root.Outcome() != engines.Ongoing {
			continue
		}
		want := ref(&root, 0, 5, past)
		if want != reference(&root, 0, 5, 0, root.turn, nil) {
			differs++
		}
		for _, o := range variations() {
			o.Repetition, o.Table = true, 0
			got := New[toy](o, Hooks[toy]{}).Think(context.Background(), &root, past, engines.Limits{Depth: 5})
			if got.Score != want {
				t.Fatalf("options %+v: score %d, want %d", o, got.Score, want)
			}
		}
	}
	if differs == 0 {
		t.Fatal("no position in which repetition matters")
	}
}

// cycle is a game of four positions: 0 leads to 1, 1
// to 2, and 2 back to 1 or to 3, which leads around.
type cycle struct {
	at   uint64
	turn engines.Side
}

func (c *cycle) Key() uint64              { return engines.Seed(c.at, uint64(c.turn)) }
func (c *cycle) Turn() engines.Side       { return c.turn }
func (c *cycle) Outcome() engines.Outcome { return engines.Ongoing }
func (c *cycle) Eval() int32              { return 1 + int32(c.at) }
func (c *cycle) Play(m engines.Move)      { c.at = uint64(m) - 1 }
func (c *cycle) Moves(buf []engines.Move) []engines.Move {
	next := [][]engines.Move{{2}, {3}, {2, 4}, {4}}
	return append(buf, next[c.at]...)
}

// TestPathDependentValuesAreNotStored has position 2, whose value depends on the repetition of
// position 1 above it; the value of 1 does not.
func TestPathDependentValuesAreNotStored(t *testing.T) {
	s := New[cycle](Options{Repetition: true, Table: 64, Unordered: true}, Hooks[cycle]{})
	search := func(past ...uint64) { // to depth 3 at once, without entries of a shallower search
		s.begin(t.Context(), &cycle{}, past, engines.Limits{})
		s.table.newSearch()
		if s.listRoot() {
			s.searchRoot(3)
		}
	}
	search()
	if e := s.table.find((&cycle{at: 2}).Key()); e != nil {
		t.Errorf("2 is stored: %+v", *e)
	}
	if s.table.find((&cycle{at: 1}).Key()) == nil {
		t.Error("1 is not stored")
	}
	// A repetition of the past makes every value depend on the path.
	s.NewGame()
	search((&cycle{at: 3}).Key())
	if e := s.table.find((&cycle{at: 1}).Key()); e != nil {
		t.Errorf("1 is stored: %+v", *e)
	}
}

// TestTieEvalIgnoresSavings compares the choice among equal moves with the definition. Options
// that only save work must not change it.
func TestTieEvalIgnoresSavings(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many positions")
	}
	r := rand.New(rand.NewPCG(11, 12))
	ties := 0
	for range 200 {
		root := newToy(r, false)
		if root.Outcome() != engines.Ongoing {
			continue
		}
		const depth = 3
		best, static, move, count := -infinity, int32(0), engines.Move(0), 0
		for _, m := range root.Moves(nil) {
			c := root
			c.Play(m)
			v, e := reference(&c, 1, depth-1, 0, root.turn, nil), c.Eval()
			if c.turn != root.turn {
				v, e = -v, -e
			}
			if v == best {
				count++
			}
			if v > best || v == best && e > static {
				best, static, move = v, e, m
			}
		}
		if count > 0 {
			ties++
		}
		for _, o := range variations() {
			o.Ties = TieEval
			if got := New[toy](o, Hooks[toy]{}).Think(context.Background(), &root, nil, engines.Limits{Depth: depth}); got.Move != move {
				t.Fatalf("options %+v: move %d, want %d", o, got.Move, move)
			}
		}
	}
	if ties == 0 {
		t.Fatal("no position with a tie")
	}
}

func TestMateCountsPlies(t *testing.T) {
	for _, c := range []struct {
		score  int32
		plies  int
		proven bool
	}{{Win - 3, 3, true}, {5 - Win, 5, true}, {MaxEval, 0, false}, {-MaxEval, 0, false}, {0, 0, false}} {
		plies, proven := Mate(c.score)
		if proven != c.proven || proven && plies != c.plies {
			t.Errorf("Mate(%d) = %d, %v", c.score, plies, proven)
		}
	}
}

// play plays a game of searches and returns their results without lines.
func play(s *Search[toy, *toy], root toy, limits engines.Limits) []Result {
	var found []Result
	for range 12 {
		r := s.Think(context.Background(), &root, nil, limits)
		if r.Move == 0 {
			break
		}
		r.Line = nil
		found = append(found, r)
		root.Play(r.Move)
	}
	return found
}

// TestNewGameForgets plays games with one search and with new ones. The results are equal,
// whatever was searched before, also after the last generation.
func TestNewGameForgets(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	o := Options{Table: 256, Deeper: true}
	used := New[toy](o, Hooks[toy]{})
	for game := range 60 {
		root := newToy(r, game%2 == 0)
		used.NewGame()
		limits := engines.Limits{Nodes: 50 + int64(r.IntN(400))}
		if game == 30 {
			used.table.last = maxGeneration - 2 // as after thousands of games
			used.NewGame()
		}
		got, want := play(used, root, limits), play(New[toy](o, Hooks[toy]{}), root, limits)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("game %d (-new +used):\n%s", game, d)
		}
	}
}

func TestLongGameRunsOutOfGenerations(t *testing.T) {
	var tb table
	tb.resize(16)
	tb.newGame()
	for range 3 * gameGenerations {
		tb.newSearch()
		tb.store(42, 1, 1, 1, boundExact)
		if tb.find(42) == nil {
			t.Fatal("an entry of this game is lost")
		}
	}
	if tb.last > maxGeneration {
		t.Fatalf("generation %d", tb.last)
	}
	for range 10 {
		tb.newGame()
		if tb.find(42) != nil {
			t.Fatal("an entry of another game is found")
		}
		for range gameGenerations {
			tb.newSearch()
		}
		tb.store(42, 1, 1, 1, boundExact)
	}
}

func TestSearchKeepsLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for range 50 {
		root := newToy(r, true)
		if root.Outcome() != engines.Ongoing {
			continue
		}
		for _, o := range variations() {
			s := New[toy](o, Hooks[toy]{})
			for _, c := range []struct {
				name   string
				ctx    context.Context
				limits engines.Limits
			}{
				{"no nodes", context.Background(), engines.Limits{Nodes: 1}},
				{"no time", context.Background(), engines.Limits{Time: time.Nanosecond}},
				{"canceled", gone, engines.Limits{Depth: 4}},
				{"canceled, no limit", gone, engines.Limits{}},
			} {
				got := s.Think(c.ctx, &root, nil, c.limits)
				if got.Move == 0 || int(got.Move) > len(root.Moves(nil)) {
					t.Fatalf("%s, options %+v: move %d", c.name, o, got.Move)
				}
				if got.Stopped != (c.ctx == gone) {
					t.Fatalf("%s: Stopped = %v", c.name, got.Stopped)
				}
			}
			if got := s.Think(context.Background(), &root, nil, engines.Limits{Nodes: 500}); got.Nodes > 500 {
				t.Fatalf("%d nodes under a limit of 500", got.Nodes)
			}
		}
	}
}

// TestStoppedSearchIsNoWorse stops a search within an iteration. In this iteration its move is
// no worse than the best move of the iteration before, even if that move is late in the list.
func TestStoppedSearchIsNoWorse(t *testing.T) {
	if testing.Short() {
		t.Skip("short: searches many positions")
	}
	r := rand.New(rand.NewPCG(31, 32))
	stopped := 0
	for range 40 {
		root := newToy(r, true)
		if root.Outcome() != engines.Ongoing {
			continue
		}
		value := func(m engines.Move, depth int) int32 {
			c := root
			c.Play(m)
			v := reference(&c, 1, depth-1, 0, root.turn, nil)
			if c.turn != root.turn {
				v = -v
			}
			return v
		}
		for _, o := range variations() {
			if o.Minimax {
				continue // no previous iteration
			}
			for nodes := int64(20); nodes < 400; nodes += 45 {
				got := New[toy](o, Hooks[toy]{}).Think(context.Background(), &root, nil, engines.Limits{Nodes: nodes})
				if got.Depth == 0 || got.Depth > 4 {
					continue
				}
				before := New[toy](o, Hooks[toy]{}).Think(context.Background(), &root, nil, engines.Limits{Depth: got.Depth})
				if got.Move != before.Move {
					stopped++
				}
				if next := got.Depth + 1; value(got.Move, next) < value(before.Move, next) {
					t.Fatalf("%d nodes, options %+v: move %d, worth %d at depth %d, instead of %d, worth %d", nodes, o,
						got.Move, value(got.Move, next), next, before.Move, value(before.Move, next))
				}
			}
		}
	}
	if stopped < 50 {
		t.Errorf("only %d searches changed their mind when stopped", stopped)
	}
}

func TestCancelStopsThinking(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	root := toy{seed: 1, loops: true}
	for root.Outcome() != engines.Ongoing {
		root.seed++
	}
	got := New[toy](Options{Minimax: true}, Hooks[toy]{}).Think(ctx, &root, nil, engines.Limits{Depth: 60})
	if !got.Stopped || got.Move == 0 {
		t.Fatalf("a stopped search has no move: %+v", got)
	}
}

func TestFinishedGameHasNoMove(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for {
		root := newToy(r, false)
		if root.Outcome() == engines.Ongoing {
			continue
		}
		got := New[toy](Options{}, Hooks[toy]{}).Think(context.Background(), &root, nil, engines.Limits{Depth: 3})
		if got.Move != 0 || got.Nodes != 0 {
			t.Fatalf("a move in a finished game: %+v", got)
		}
		return
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	root := toy{seed: 5}
	for root.Outcome() != engines.Ongoing {
		root.seed++
	}
	for _, o := range append(variations(), Options{Repetition: true, Table: 1 << 10}) {
		s := New[toy](o, Hooks[toy]{})
		allocs := testing.AllocsPerRun(5, func() {
			s.NewGame()
			s.Think(context.Background(), &root, nil, engines.Limits{Depth: 5})
		})
		if allocs != 0 {
			t.Errorf("options %+v: %v allocations a search", o, allocs)
		}
	}
}

func BenchmarkThink(b *testing.B) {
	root := toy{seed: 5}
	for root.Outcome() != engines.Ongoing {
		root.seed++
	}
	for _, o := range []Options{{Minimax: true}, {}, {Table: 1 << 16}} {
		b.Run(fmt.Sprintf("minimax=%v,table=%d", o.Minimax, o.Table), func(b *testing.B) {
			s := New[toy](o, Hooks[toy]{})
			var nodes int64
			for b.Loop() {
				s.NewGame()
				nodes += s.Think(context.Background(), &root, nil, engines.Limits{Depth: 8}).Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/search")
		})
	}
}

// TestConfigureForgetsRanks expects that a search without order uses no ranks of earlier
// searches.
func TestConfigureForgetsRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	ordered, unordered := Options{Table: 64}, Options{Unordered: true, Margin: 3, Reduce: true}
	used := New[toy](ordered, Hooks[toy]{})
	for range 40 {
		root, limits := newToy(r, false), engines.Limits{Nodes: 400}
		used.Configure(ordered)
		play(used, root, limits)
		used.Configure(unordered)
		got, want := play(used, root, limits), play(New[toy](unordered, Hooks[toy]{}), root, limits)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("-new +used:\n%s", d)
		}
	}
}
