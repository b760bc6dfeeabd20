package gobang

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/engines/testmode"
	"selfplaylab/params"
)

// configured returns a player with a preset's parameters.
func configured(t testing.TB, game engines.Variant, vector params.Vector) engines.Player {
	t.Helper()
	p := game.NewPlayer()
	if err := p.Configure(vector); err != nil {
		t.Fatal(err)
	}
	return p
}

func choose(t testing.TB, p engines.Player, position string, history []engines.Move, limits engines.Limits) engines.Decision {
	t.Helper()
	if err := p.Reset(position, 0); err != nil {
		t.Fatal(err)
	}
	d, err := p.Choose(context.Background(), history, limits)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const (
	// White can win at once, and black threatens to; the source's engine blocks.
	bothFours = "........./........./.WBBBB.../........./........./........./.BWWWW.../........./......... W"
	openFour  = "........./........./........./..WWWW.../........./.BBB...../........./........./......... B"
	openThree = "........./........./........./...BBB.../........./....W..../........./.WW....../......... B"
)

func TestFixedSeesFives(t *testing.T) {
	game := open(t, "size=9")
	for _, name := range []string{"fixed", "patterns"} {
		p := configured(t, game, preset(t, name))
		for depth := 1; depth <= 5; depth++ {
			limits := engines.Limits{Depth: depth}
			// An immediate win comes first, at every depth.
			d := choose(t, p, bothFours, nil, limits)
			if move := cellString(cellOf(d.Move), 9); move != "g3" || d.Score != float64(alphabeta.Win-1) {
				t.Errorf("%s depth %d: %s score %v, want g3 and a win in one", name, depth, move, d.Score)
			}
			// An open four cannot be stopped, but one end must be tried.
			d = choose(t, p, openFour, nil, limits)
			if move := cellString(cellOf(d.Move), 9); move != "b6" && move != "g6" {
				t.Errorf("%s depth %d: %s does not answer the four", name, depth, move)
			}
			if depth >= 2 && d.Score != float64(2-alphabeta.Win) {
				t.Errorf("%s depth %d: score %v, want a loss in two", name, depth, d.Score)
			}
			if depth >= 3 {
				if d = choose(t, p, openThree, nil, limits); d.Score != float64(alphabeta.Win-3) {
					t.Errorf("%s depth %d: score %v, want a win in three", name, depth, d.Score)
				}
			}
		}
	}
	// The source's engine blocks instead.
	p := configured(t, game, preset(t, "source"))
	if d := choose(t, p, bothFours, nil, engines.Limits{Depth: 3}); cellString(cellOf(d.Move), 9) != "g7" {
		t.Errorf("preset source plays %s, want g7", cellString(cellOf(d.Move), 9))
	}
}

// TestExtendSeesFurther: a search in which fours use no depth sees further, and finds
// everything that it found before.
func TestExtendSeesFurther(t *testing.T) {
	game := open(t, "size=9")
	v := preset(t, "fixed")
	v[pExtend] = 1
	plain, extended := configured(t, game, preset(t, "fixed")), configured(t, game, v)
	deeper := 0
	r := rand.New(rand.NewPCG(8, 1))
	for range 60 {
		s := newState(variant{size: 9})
		b := newBoard(s.rules)
		b.load(&s)
		for range 14 {
			m := randomMove(r, b, &s)
			if next := s; next.outcome == engines.Ongoing {
				if next.Play(m); next.outcome != engines.Ongoing {
					break
				}
				s = next
				b.Play(m)
			}
		}
		limits := engines.Limits{Depth: 2}
		a, c := choose(t, plain, s.String(), nil, limits), choose(t, extended, s.String(), nil, limits)
		// The extended search proves everything that the plain search proves.
		if plies, proven := alphabeta.Mate(int32(a.Score)); proven {
			if more, still := alphabeta.Mate(int32(c.Score)); !still || more > plies || (a.Score > 0) != (c.Score > 0) {
				t.Errorf("score %v with extension, %v without:\n%s", c.Score, a.Score, s.Board(0).Text())
			}
		} else if _, proven := alphabeta.Mate(int32(c.Score)); proven {
			deeper++
		}
	}
	if deeper == 0 {
		t.Error("the extension never saw further")
	}
}

func TestFirstMoveByRules(t *testing.T) {
	for rules, want := range map[string]string{"": "h8", "opening_ring=yes": "b8", "size=6": "d3", "size=22": "l11", "size=5,opening_ring=yes": "b3"} {
		game := open(t, rules)
		for _, name := range []string{"source", "fixed", "patterns"} {
			d := choose(t, configured(t, game, preset(t, name)), "", nil, engines.Limits{})
			r := game.NewReferee()
			if err := r.Reset(""); err != nil {
				t.Fatal(err)
			}
			if got := r.MoveString(d.Move); got != want || !r.Legal(d.Move) {
				t.Errorf("%q %s opens with %s, want %s", rules, name, got, want)
			}
		}
	}
}

// TestRingBindsBlackOnly: the ring restricts black's first stone, also if white already has
// stones out of reach.
func TestRingBindsBlackOnly(t *testing.T) {
	game := open(t, "size=9,opening_ring=yes")
	position := "........./........./........./........./....W..../........./........./........./......... B"
	for _, name := range []string{"source", "fixed"} {
		d := choose(t, configured(t, game, preset(t, name)), position, nil, engines.Limits{Depth: 2})
		r := game.NewReferee()
		if err := r.Reset(position); err != nil {
			t.Fatal(err)
		}
		if !r.Legal(d.Move) {
			t.Errorf("%s plays %s, which is not in the ring", name, r.MoveString(d.Move))
		}
	}
}

// TestPresetsFinishGames plays every preset on every size, legally to the end.
func TestPresetsFinishGames(t *testing.T) {
	for size := minSize; size <= maxSize; size++ {
		rules := variant{size: size, exactFive: size%2 == 0, ring: size%3 == 0}
		game := open(t, rules.text())
		vectors := [2]params.Vector{preset(t, []string{"source", "fixed"}[size%2]), preset(t, "patterns")}
		players := [2]engines.Player{configured(t, game, vectors[0]), configured(t, game, vectors[1])}
		referee := game.NewReferee()
		o := game.Opening(rand.New(rand.NewPCG(uint64(size), 2)), 4)
		plies, _, err := playOut(referee, players, o, engines.Limits{Depth: 1 + size%2})
		if err != nil {
			t.Fatalf("size %d: %v", size, err)
		}
		if plies > size*size {
			t.Errorf("size %d: %d plies", size, plies)
		}
	}
}

// decisions plays a game and returns all its decisions.
func decisions(t testing.TB, game engines.Variant, players [2]engines.Player, o engines.Opening, limits engines.Limits) (list []engines.Decision) {
	t.Helper()
	referee := game.NewReferee()
	if err := referee.Reset(o.Position); err != nil {
		t.Fatal(err)
	}
	for i, p := range players {
		if err := p.Reset(o.Position, uint64(i)); err != nil {
			t.Fatal(err)
		}
	}
	history := slices.Clone(o.Moves)
	for _, m := range history {
		referee.Play(m)
	}
	for {
		if outcome, _ := referee.Result(); outcome != engines.Ongoing {
			return list
		}
		d, err := players[referee.Turn()].Choose(context.Background(), history, limits)
		if err != nil {
			t.Fatal(err)
		}
		if !referee.Legal(d.Move) {
			t.Fatalf("%s is not legal", referee.MoveString(d.Move))
		}
		referee.Play(d.Move)
		history, list = append(history, d.Move), append(list, d)
	}
}

// TestConfiguredPlayerPlaysLikeNew expects the moves of
// new players from used players that are configured again.
func TestConfiguredPlayerPlaysLikeNew(t *testing.T) {
	testmode.SkipUnlessLong(t) // gametest asks the same of default values
	game := open(t, "size=11")
	used := [2]engines.Player{game.NewPlayer(), game.NewPlayer()}
	r := rand.New(rand.NewPCG(9, 1))
	for i := range 30 {
		vectors := [2]params.Vector{randomVector(r), randomVector(r)}
		limits := []engines.Limits{{Depth: 2}, {Nodes: 300}, {Depth: 3, Nodes: 1000}}[i%3]
		o := game.Opening(rand.New(rand.NewPCG(uint64(i), 3)), 6)
		for side, p := range used {
			if err := p.Configure(vectors[side]); err != nil {
				t.Fatal(err)
			}
		}
		fresh := [2]engines.Player{configured(t, game, vectors[0]), configured(t, game, vectors[1])}
		want := decisions(t, game, fresh, o, limits)
		if d := cmp.Diff(want, decisions(t, game, used, o, limits)); d != "" {
			t.Fatalf("game %d (-new +used):\n%s", i, d)
		}
		// The same once more, without Configure.
		if d := cmp.Diff(want, decisions(t, game, used, o, limits)); d != "" {
			t.Fatalf("game %d repeated (-new +used):\n%s", i, d)
		}
	}
}

// TestSwitchesOnlySaveWork expects the same moves with the same
// scores from minimax, without ordering, and with any table.
func TestSwitchesOnlySaveWork(t *testing.T) {
	game := open(t, "size=7")
	for _, name := range []string{"source", "fixed", "patterns"} {
		reference := preset(t, name)
		reference[pSearch] = 1
		minimax := configured(t, game, reference)
		o := game.Opening(rand.New(rand.NewPCG(6, 6)), 4)
		want := decisions(t, game, [2]engines.Player{minimax, minimax}, o, engines.Limits{Depth: 2})
		for _, change := range []string{"table=0", "table=4", "table=18", "ordering=off", "search=alphabeta"} {
			v, err := space.Set(preset(t, name), []string{change})
			if err != nil {
				t.Fatal(err)
			}
			p := configured(t, game, v)
			got := decisions(t, game, [2]engines.Player{p, p}, o, engines.Limits{Depth: 2})
			var nodes, less int64
			for i := range want {
				nodes, less = nodes+want[i].Nodes, less+got[i].Nodes
				if got[i].Move != want[i].Move || got[i].Score != want[i].Score {
					t.Fatalf("%s %s, decision %d: %+v, by minimax %+v", name, change, i, got[i], want[i])
				}
			}
			if less >= nodes {
				t.Errorf("%s %s: %d nodes, minimax %d", name, change, less, nodes)
			}
		}
	}
}

// TestPlayerAcceptsAnyHistory expects that earlier questions do not change the answer to a history.
func TestPlayerAcceptsAnyHistory(t *testing.T) {
	game := open(t, "size=9")
	p := configured(t, game, preset(t, "fixed"))
	referee := game.NewReferee()
	moves := func(text string) (list []engines.Move) {
		if err := referee.Reset(""); err != nil {
			t.Fatal(err)
		}
		for _, field := range strings.Fields(text) {
			m, err := referee.ParseMove(field)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, m)
		}
		return list
	}
	limits := engines.Limits{Nodes: 400}
	for _, text := range []string{"e5 e6 d5", "e5", "", "e5 e6 c5 d6", "e5 e6 d5", "a1 b2 c3"} {
		want := choose(t, configured(t, game, preset(t, "fixed")), "", moves(text), limits)
		got, err := p.Choose(context.Background(), moves(text), limits)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q: %+v, of a new player %+v", text, got, want)
		}
		if _, err := p.Choose(context.Background(), moves("e5 e6 d5 f5 e4"), limits); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReuseRepeatsGames expects that a player that
// keeps its table searches less where the game goes on.
// After Reset, or a jump in the history, it plays as if for the first time, so a game repeats.
func TestReuseRepeatsGames(t *testing.T) {
	game := open(t, "size=15")
	vector := preset(t, "champion")
	vector[pReuse] = 1
	kept := configured(t, game, vector)
	vector[pReuse] = 0
	fresh := configured(t, game, vector)
	limits := engines.Limits{Depth: 6}
	history := game.Opening(rand.New(rand.NewPCG(3, 1)), 8).Moves
	ask := func(p engines.Player, history []engines.Move) engines.Decision {
		d, err := p.Choose(context.Background(), history, limits)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := choose(t, kept, "", history, limits)
	if want := choose(t, fresh, "", history, limits); first != want {
		t.Errorf("first %+v, without a table to keep %+v", first, want)
	}
	reply := ask(fresh, append(slices.Clone(history), first.Move)).Move
	longer := append(slices.Clone(history), first.Move, reply)
	second, alone := ask(kept, longer), ask(fresh, longer)
	if second.Nodes >= alone.Nodes {
		t.Errorf("%d positions after two more moves, %d without the table", second.Nodes, alone.Nodes)
	}
	if d := ask(kept, history); d != first {
		t.Errorf("after a jump back %+v, at first %+v", d, first)
	}
	if d := ask(kept, longer); d != second {
		t.Errorf("in the same game again %+v, at first %+v", d, second)
	}
	if d := choose(t, kept, "", longer, limits); d != alone {
		t.Errorf("after Reset %+v, without a table to keep %+v", d, alone)
	}
}

func TestChooseRefusesBadHistories(t *testing.T) {
	game := open(t, "size=9")
	p := configured(t, game, preset(t, "fixed"))
	reset := func(position string) {
		t.Helper()
		if err := p.Reset(position, 0); err != nil {
			t.Fatal(err)
		}
	}
	wants := func(want string, history []engines.Move, limits engines.Limits) {
		t.Helper()
		if d, err := p.Choose(context.Background(), history, limits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, error %v; want %q in it", d, err, want)
		}
	}
	e5 := at(4, 4).move()
	reset("")
	wants("playouts", nil, engines.Limits{Playouts: 100})
	wants("move 2, e5, is not legal", []engines.Move{e5, e5}, engines.Limits{})
	reset("")
	wants("move 1", []engines.Move{0}, engines.Limits{})
	reset("")
	wants("move 1", []engines.Move{at(9, 0).move()}, engines.Limits{})
	reset("BBBBB..../........./........./........./........./........./........./........./......... W")
	wants("the game has ended, 1-0 by five", nil, engines.Limits{})
	reset(openFour)
	wants("is not legal", []engines.Move{at(0, 0).move(), at(1, 3).move(), at(2, 0).move()}, engines.Limits{})
	if err := p.Reset("nonsense", 0); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("error %v", err)
	}
	for _, change := range []func(params.Vector) params.Vector{
		func(v params.Vector) params.Vector { return v[:3] },
		func(v params.Vector) params.Vector { v[pLive3] = math.NaN(); return v },
		func(v params.Vector) params.Vector { v[pDefence] = math.Inf(1); return v },
		func(v params.Vector) params.Vector { v[pLive2] = 0; return v },
		func(v params.Vector) params.Vector { v[pLive2] = 60.5; return v },
		func(v params.Vector) params.Vector { v[pFive] = 1e12; return v },
		func(v params.Vector) params.Vector { v[pDistance] = 3; return v },
	} {
		v := change(preset(t, "fixed"))
		if err := p.Configure(v); err == nil {
			t.Errorf("%v was accepted", v)
		}
		if _, err := game.Evaluate("", nil, v); err == nil {
			t.Errorf("%v was evaluated", v)
		}
	}
}

func TestSearchStopsAtLimits(t *testing.T) {
	game := open(t, "")
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	s := setUp(t, openFourLarge())
	for _, name := range []string{"source", "fixed"} {
		p := configured(t, game, preset(t, name))
		for _, limits := range []engines.Limits{{Time: 1}, {Nodes: 1}, {Depth: 9, Time: time.Millisecond}} {
			if d := choose(t, p, s.String(), nil, limits); !s.Legal(d.Move) {
				t.Errorf("%s %s: move %d", name, limits, d.Move)
			}
		}
		d, err := p.Choose(gone, nil, engines.Limits{Depth: 3})
		if err != nil || !s.Legal(d.Move) {
			t.Errorf("%s canceled: %+v, %v", name, d, err)
		}
		if d := choose(t, p, s.String(), nil, engines.Limits{Nodes: 777}); d.Nodes > 777 {
			t.Errorf("%s: %d nodes of 777", name, d.Nodes)
		}
	}
}

// openFourLarge is openFour in the corner of a board of 15.
func openFourLarge() string {
	board, turn, _ := strings.Cut(openFour, " ")
	rows := strings.Split(board, "/")
	for i := range rows {
		rows[i] += "......"
	}
	for len(rows) < 15 {
		rows = append(rows, strings.Repeat(".", 15))
	}
	return strings.Join(rows, "/") + " " + turn
}

func TestSearchAllocatesNothing(t *testing.T) {
	game := open(t, "")
	for _, name := range []string{"source", "fixed", "patterns", "master", "grandmaster", "champion"} {
		p := configured(t, game, preset(t, name))
		o := game.Opening(rand.New(rand.NewPCG(4, 4)), 8)
		v := preset(t, name)
		play := func() {
			if err := p.Configure(v); err != nil {
				t.Fatal(err)
			}
			if err := p.Reset("", 0); err != nil {
				t.Fatal(err)
			}
			for n := range len(o.Moves) + 1 {
				if _, err := p.Choose(context.Background(), o.Moves[:n], engines.Limits{Depth: 3}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n := testing.AllocsPerRun(3, play); n != 0 {
			t.Errorf("%s: %v allocations for %d decisions", name, n, len(o.Moves)+1)
		}
	}
}

func TestEvaluateNamesTerms(t *testing.T) {
	game := open(t, "size=9")
	h := []engines.Move{at(2, 5).move(), at(0, 0).move()}
	list, err := game.Evaluate("........./........./........./........./........./...BB..../........./.W......./......... B", h[:1], preset(t, "source"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if list[i].Doc == "" {
			t.Errorf("%s has no meaning", list[i].Name)
		}
		list[i].Doc = ""
	}
	want := []engines.Term{
		{Name: "black", Value: int64(1250)},
		{Name: "white", Value: int64(0)},
		{Name: "score", Value: int64(-1500)},
		{Name: "stones", Value: [][]any{{1, 7, "W", int64(0)}, {2, 5, "B", int64(1250)}, {3, 5, "B", int64(60)}, {4, 5, "B", int64(1250)}}},
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if _, err := game.Evaluate("", []engines.Move{h[0], h[0]}, preset(t, "source")); err == nil {
		t.Error("an illegal move was evaluated")
	}
	if _, err := game.Evaluate("what", nil, preset(t, "source")); err == nil {
		t.Error("nonsense was evaluated")
	}
}

func TestPresetsAreValid(t *testing.T) {
	g := Game()
	names := map[string]bool{}
	for _, p := range g.Presets {
		names[p.Name] = true
		if err := g.Space.Check(p.Vector); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	for _, want := range []string{"source", "fixed", "before", "bad", "patterns", g.DefaultPreset, g.WeakPreset} {
		if !names[want] {
			t.Errorf("no preset %q", want)
		}
	}
	if d := cmp.Diff(g.Space.Default(), preset(t, "fixed")); d != "" {
		t.Errorf("fixed is not the default: %s", d)
	}
	source := preset(t, "source")
	if got := source[:pTempo+1]; !slices.Equal(got, []float64{60, 70, 1250, 1300, 5000, 1e7, 1.2, 0}) {
		t.Errorf("source: %v", got)
	}
	if before := preset(t, "before"); before[pLive3] != 100 || before[pTerminal] != 1 {
		t.Errorf("before: %v", before)
	}
	if p := preset(t, "patterns"); p[pEvaluator] != byPattern || p[pTerminal] != 0 {
		t.Errorf("patterns: %v", p)
	}
	if source[pEvaluator] != byLargest || source[pExtend] != 0 || source[pDistance] != 1 {
		t.Error("preset source uses parameters that the source lacks")
	}
}

// TestBadLosesToFixed: a tuner needs something to recover.
func TestBadLosesToFixed(t *testing.T) {
	game := open(t, "")
	players := [2]engines.Player{configured(t, game, preset(t, "bad")), configured(t, game, preset(t, "fixed"))}
	points := 0
	for pair := range 8 {
		o := game.Opening(rand.New(rand.NewPCG(uint64(pair), 5)), 8)
		for side := range 2 {
			seats := [2]engines.Player{players[side], players[1-side]}
			referee := game.NewReferee()
			if _, _, err := playOut(referee, seats, o, engines.Limits{Depth: 2}); err != nil {
				t.Fatal(err)
			}
			outcome, _ := referee.Result()
			points += outcome.Points(engines.Side(side))
		}
	}
	if points > 8 {
		t.Errorf("preset bad makes %d of 32 half points against fixed", points)
	}
}
