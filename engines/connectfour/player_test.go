package connectfour

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
	"selfplaylab/engines/testmode"
)

const classic = "rows=6,cols=7,forbidden=none"

// chooser returns a player in a position.
func chooser(t testing.TB, rules, position string, seed uint64, preset string, changes ...string) engines.Player {
	t.Helper()
	p := open(t, rules).NewPlayer()
	if err := p.Configure(vector(t, preset, changes...)); err != nil {
		t.Fatal(err)
	}
	if err := p.Reset(position, seed); err != nil {
		t.Fatal(err)
	}
	return p
}

func choose(t testing.TB, p engines.Player, limits engines.Limits, history ...engines.Move) engines.Decision {
	t.Helper()
	d, err := p.Choose(context.Background(), history, limits)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGameDescribesItself(t *testing.T) {
	g := Game()
	for _, name := range []string{g.DefaultPreset, g.WeakPreset, "source"} {
		if _, err := g.Preset(name); err != nil {
			t.Error(err)
		}
	}
	if d, _ := g.Preset(g.DefaultPreset); !slices.Equal(d.Vector, g.Space.Default()) {
		t.Errorf("preset %s is %v, the defaults are %v", g.DefaultPreset, d.Vector, g.Space.Default())
	}
	source, err := settings(vector(t, "source"))
	want := mcts.Settings{Options: mcts.Options{C: 2, Eps: 1e-6, Loop: mcts.Source, Expand: mcts.All, Final: mcts.WinRate}, Threads: 1}
	if err != nil || source != want {
		t.Errorf("source: %+v, %v; want %+v", source, err, want)
	}
	standard, err := settings(vector(t, "default"))
	want.C, want.Loop = 0.5, mcts.Standard
	if err != nil || standard != want {
		t.Errorf("default: %+v, %v; want %+v", standard, err, want)
	}
	all, err := settings(vector(t, "source", "loop=standard", "expand=one", "final=visits", "decisive=on", "solver=on", "reuse=on"))
	want = mcts.Settings{Options: mcts.Options{C: 2, Eps: 1e-6, Loop: mcts.Standard, Expand: mcts.One, Final: mcts.Visits, Rollouts: mcts.Decisive, Solver: true}, Reuse: true, Threads: 1}
	if err != nil || all != want {
		t.Errorf("all switched: %+v, %v; want %+v", all, err, want)
	}
}

func TestConfigureRefusesBadValues(t *testing.T) {
	good := vector(t, "default")
	for i, x := range map[int]float64{paramC: math.NaN(), paramEps: math.Inf(1), paramLoop: 2, paramExpand: 0.5, paramSolver: -1} {
		bad := good.Clone()
		bad[i] = x
		if err := open(t, "").NewPlayer().Configure(bad); err == nil {
			t.Errorf("%s = %v is taken", space()[i].Name, x)
		}
	}
	fails(t, "C = 0", open(t, "").NewPlayer().Configure(append([]float64{0}, good[1:]...)), "allowed: 0.05 to 4")
	fails(t, "a short vector", open(t, "").NewPlayer().Configure(good[:3]), "3 values")
}

// TestStrongSettingsOpenInCentre: perfect play on the classic board
// wins from the centre column and from no other (Allis 1988).
func TestStrongSettingsOpenInCentre(t *testing.T) {
	if testing.Short() {
		t.Skip("short: searches for long")
	}
	for _, preset := range []string{"default", "ucb1", "strong"} {
		for seed := range uint64(3) {
			d := choose(t, chooser(t, classic, "", seed, preset), engines.Limits{Playouts: 100_000})
			if d.Move != 4 || d.Score < 0.5 {
				t.Errorf("%s, seed %d: column %d with %.3f, want column 4", preset, seed, d.Move, d.Score)
			}
		}
	}
}

// TestPlayerFindsForcedWins has positions won by force, and the columns that win.
func TestPlayerFindsForcedWins(t *testing.T) {
	for _, c := range []struct {
		name, text string
		wins       []engines.Move
	}{
		{"four in a column", "......./......./......./1....../12...../122.... 1", []engines.Move{1}},
		{"four in a row with a gap", "......./......./......./......./22...../11.1.2. 1", []engines.Move{3}},
		{"an open three", "......./......./......./......./..22.../..11... 1", []engines.Move{2, 5}},
		{"an open three beside the forbidden cell", "......./......./......./......./..22.../.x11... 1", nil},
		{"seven plies ahead", "......./......./......./...2.../...1.../...12.. 1", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := chooser(t, "forbidden=random", c.text, 1, "default", "solver=on")
			d := choose(t, p, engines.Limits{Playouts: 20_000})
			if c.wins == nil {
				if d.Score == 1 {
					t.Errorf("column %d wins with %v, want nothing forced so soon", d.Move, d.Score)
				}
				return
			}
			if !slices.Contains(c.wins, d.Move) || d.Score != 1 {
				t.Errorf("column %d with %v, want one of %v with 1", d.Move, d.Score, c.wins)
			}
		})
	}
}

// TestForcedLinesAreFollowed has a win by threats, each with a single answer. The search needs
// fewer random games if the tree knows forced moves.
func TestForcedLinesAreFollowed(t *testing.T) {
	if testing.Short() {
		t.Skip("short: thousands of playouts")
	}
	// From a game that preset strong lost at 600,000 random games a move. Its value was 0.487 one
	// move before it saw the proven loss.
	history := []engines.Move{4, 8, 7, 7, 4, 8, 5, 6, 6, 7}
	proven := func(forced string) (playouts int64) {
		for budget := int64(1 << 9); budget <= 1<<18; budget *= 2 {
			p := chooser(t, "rows=11,cols=11,forbidden=2:4", "", 1, "strong", "forced="+forced)
			if d := choose(t, p, engines.Limits{Playouts: budget}, history...); d.Mate > 0 {
				return budget
			}
		}
		return 1 << 19
	}
	with, without := proven("on"), proven("off")
	t.Logf("proven within %d random games, without %d", with, without)
	if with*8 > without {
		t.Errorf("proven within %d random games, without the knowledge %d: want at most an eighth", with, without)
	}
}

// solve returns the outcome of best play by plain search.
func solve(p *position) engines.Outcome {
	if p.Outcome() != engines.Ongoing {
		return p.Outcome()
	}
	best := engines.Win(p.Turn().Other())
	for _, m := range p.Moves(nil) {
		q := *p
		q.Play(m)
		o := solve(&q)
		if o.Points(p.Turn()) > best.Points(p.Turn()) {
			best = o
		}
		if best == engines.Win(p.Turn()) {
			break
		}
	}
	return best
}

// TestSolverProvesEndings proves endings on small boards, with and
// without a forbidden cell, and compares them with plain search.
func TestSolverProvesEndings(t *testing.T) {
	if testing.Short() {
		t.Skip("solves whole boards")
	}
	r := rand.New(rand.NewPCG(2, 2))
	proven := map[engines.Outcome]int{}
	for n := 0; n < testmode.Times(10, 10); n++ {
		rows, cols := 4+r.IntN(2), 4+r.IntN(2)
		p := boardOf(rows, cols, []int{r.IntN(rows), r.IntN(cols)})
		for p.left > 9 && p.Outcome() == engines.Ongoing {
			moves := p.Moves(nil)
			p.Play(moves[r.IntN(len(moves))])
		}
		if p.Outcome() != engines.Ongoing {
			n--
			continue
		}
		for _, change := range [][]string{{"loop=standard"}, {"expand=one"}, {"decisive=on"}, {"decisive=careful"}, {"final=visits"}, {"forced=on"}, {"forced=on", "expand=one"}, {"forced=on", "loop=source"}, {"fours=on"}, {"fours=on", "forced=on", "expand=one"}, {"fours=on", "loop=source"}, {"answers=0.1"}, {"answers=0.1", "fours=on", "forced=on", "expand=one"}} {
			player := newPlayer(rules{cell: anyCell})
			if err := player.Configure(vector(t, "default", append([]string{"solver=on", "C=2"}, change...)...)); err != nil {
				t.Fatal(err)
			}
			if err := player.Reset(p.String(), 1); err != nil {
				t.Fatal(err)
			}
			want := solve(&p)
			d := choose(t, player, engines.Limits{Playouts: 20_000})
			// A draw is proven only when every other move is.
			if rate := float64(want.Points(p.Turn())) / 2; want != engines.Draw && d.Score != rate {
				t.Fatalf("%s, %v: win rate %v, but best play ends %v", &p, change, d.Score, want)
			}
			q := p
			q.Play(d.Move)
			if after := solve(&q); after != want {
				t.Fatalf("%s, %v: column %d leads to %v from %v", &p, change, d.Move, after, want)
			}
			proven[want]++
		}
	}
	if len(proven) != 3 {
		t.Errorf("outcomes proven: %v", proven)
	}
}

func TestPlayerKeepsLimits(t *testing.T) {
	p := chooser(t, "", "", 1, "default")
	for _, limits := range []engines.Limits{{Nodes: 1}, {Playouts: 1}, {Time: 1}, {Time: time.Millisecond}, {Depth: 1}, {}} {
		if d := choose(t, p, limits); d.Move < 1 || d.Move > 10 || d.Nodes < 10 {
			t.Errorf("limits %q: %+v", limits, d)
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if d, err := p.Choose(gone, nil, engines.Limits{Playouts: 1 << 40}); err != nil || d.Move == 0 {
		t.Errorf("cancelled: %+v, %v", d, err)
	}
	// One column left.
	last := chooser(t, "rows=4,cols=4,forbidden=none", ".221/2112/1121/2112 2", 1, "default")
	if d := choose(t, last, engines.Limits{Nodes: 1000}); d.Move != 1 || d.Score != 0.5 {
		t.Errorf("the last column: %+v", d)
	}
	full := chooser(t, "rows=4,cols=4,forbidden=none", "2221/2112/1121/2112 1", 1, "default")
	_, err := full.Choose(context.Background(), nil, engines.Limits{Nodes: 10})
	fails(t, "a finished game", err, "the game has ended")
}

// known returns the recorded form of a decision.
func known(d engines.Decision) string {
	return fmt.Sprintf("{%d %v %d %d}", d.Move, d.Score, d.Nodes, d.Depth)
}

// TestDecisionsAreKnown compares decisions with recorded ones: they must be the same on every
// machine. If a change alters them, raise Game.Version and write the golden file again.
func TestDecisionsAreKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("short: thousands of playouts")
	}
	const board = ".........../.........../.........../.........../....x....../.........../.........../...2......./..11...1.2. 2"
	var b strings.Builder
	for _, preset := range Game().Presets {
		for _, changes := range [][]string{nil, {"expand=one"}, {"final=visits"}} {
			p := chooser(t, "", board, 3, preset.Name, changes...)
			first := choose(t, p, engines.Limits{Playouts: 5000})
			second := choose(t, p, engines.Limits{Nodes: 5000}, first.Move, 6)
			fmt.Fprintln(&b, preset.Name, changes, known(first), known(second))
		}
	}
	const late = "..1.221../..2.112../..1.222../1.2.111../211.121../122.11221/222.22212/111.21221/221.22112/212.11221/122.21112/112.x2111 1"
	for _, changes := range [][]string{{"threads=1"}, {"threads=2"}, {"threads=5"}, {"threads=2", "fours=on"}, {"fours=on"}} {
		p := chooser(t, "", board, 3, "master", changes...)
		first := choose(t, p, engines.Limits{Playouts: 5000})
		second := choose(t, chooser(t, "", late, 3, "master", changes...), engines.Limits{Nodes: 5000})
		fmt.Fprintln(&b, "master", changes, known(first), known(second), second.Mate)
	}
	testmode.Golden(t, "testdata/decisions.txt", []byte(b.String()))
}

func TestDecisionAllocatesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("short: thousands of playouts")
	}
	for _, preset := range Game().Presets {
		p := chooser(t, "", "", 1, preset.Name)
		history := []engines.Move{5, 5, 6}
		turn := func() {
			choose(t, p, engines.Limits{Playouts: 2000}, history[:1]...)
			choose(t, p, engines.Limits{Playouts: 2000}, history...)
		}
		turn()
		turn()
		if n := testing.AllocsPerRun(10, turn); n != 0 {
			t.Errorf("%s: %v allocations in 4000 playouts", preset.Name, n)
		}
	}
	p := boardOf(12, 12, []int{3, 3})
	q := new(position)
	r := mcts.NewRand(1)
	if n := testing.AllocsPerRun(100, func() {
		for care := range mcts.Careful + 1 {
			*q = p
			q.Playout(&r, care)
		}
	}); n != 0 {
		t.Errorf("%v allocations a random game", n)
	}
}

func TestOpeningsFollowRules(t *testing.T) {
	if testing.Short() {
		t.Skip("short: draws many openings")
	}
	for _, rules := range []string{"", classic, "rows=4,cols=4", "rows=9,cols=11,forbidden=7:1"} {
		for _, plies := range []int{0, 1, 6, 12} {
			v := open(t, rules)
			ref := v.NewReferee()
			drawn := map[string]int{}
			for i := range uint64(30) {
				o := v.Opening(rand.New(rand.NewPCG(1, i)), plies)
				if again := v.Opening(rand.New(rand.NewPCG(1, i)), plies); !cmp.Equal(o, again) {
					t.Fatalf("%s: opening %d is drawn differently", rules, i)
				}
				checkOpening(t, ref, o)
				if rules != "rows=4,cols=4" && len(o.Moves) != plies {
					t.Errorf("%s: opening of %d plies, want %d", rules, len(o.Moves), plies)
				}
				drawn[fmt.Sprint(o)]++
			}
			if plies == 6 && len(drawn) < 25 {
				t.Errorf("%s: %d openings of 30 differ", rules, len(drawn))
			}
		}
	}
	if o := open(t, "rows=4,cols=4").Opening(rand.New(rand.NewPCG(1, 1)), 40); len(o.Moves) > 15 {
		t.Errorf("opening of %d plies on 4x4", len(o.Moves))
	}
}

func checkOpening(t *testing.T, ref engines.Referee, o engines.Opening) {
	t.Helper()
	if err := ref.Reset(o.Position); err != nil {
		t.Fatal(err)
	}
	for _, m := range o.Moves {
		if !ref.Legal(m) {
			t.Fatalf("opening move %d is not legal in %s", m, ref)
		}
		ref.Play(m)
	}
	if outcome, _ := ref.Result(); outcome != engines.Ongoing {
		t.Fatalf("opening %v has ended", o)
	}
	s := slowOf(ref.String())
	for side := range 2 {
		if len(o.Moves) > 0 && len(s.completes(side)) > 0 {
			t.Fatalf("%s: side %d completes four at once", ref, side+1)
		}
	}
}

// TestOpeningsDrawEveryBoard finds every size and, at either end and between, every forbidden cell.
func TestOpeningsDrawEveryBoard(t *testing.T) {
	sizes, rows, cols := map[[2]int]int{}, map[int]int{}, map[int]int{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 4000 {
		p := rules{cell: anyCell}.draw(r.IntN)
		sizes[[2]int{int(p.rows), int(p.cols)}]++
		rows[int(p.rows)-1-int(p.forbidden>>4)]++
		cols[int(p.forbidden&15)]++
	}
	if len(sizes) != 16 || len(rows) != 12 || len(cols) != 12 {
		t.Errorf("%d sizes, forbidden cells in %d rows and %d columns; want 16, 12, 12", len(sizes), len(rows), len(cols))
	}
	for size, n := range sizes {
		if n < 180 || n > 330 {
			t.Errorf("size %v came %d times of 4000", size, n)
		}
	}
}

func TestEvaluateNamesTerms(t *testing.T) {
	v := open(t, "rows=6,cols=7,forbidden=none")
	terms, err := v.Evaluate("", []engines.Move{4, 4}, vector(t, "default"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	values := map[string]any{}
	for _, term := range terms {
		names = append(names, term.Name)
		values[term.Name] = term.Value
	}
	want := []string{"turn", "moves", "visits", "win_rate", "best", "score", "playouts", "nodes", "depth"}
	if !slices.Equal(names, want) {
		t.Errorf("terms %v, want %v", names, want)
	}
	if values["turn"] != 1 || !cmp.Equal(values["moves"], []int{1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("turn %v, moves %v", values["turn"], values["moves"])
	}
	visits := int64(0)
	for _, n := range values["visits"].([]int64) {
		visits += n
	}
	if visits != values["playouts"] {
		t.Errorf("%d visits in %v playouts", visits, values["playouts"])
	}
	if best := values["best"].(int); values["win_rate"].([]any)[best-1] != values["score"] {
		t.Errorf("score %v of column %d in %v", values["score"], best, values["win_rate"])
	}
	if _, err := json.Marshal(terms); err != nil {
		t.Error(err)
	}
	_, err = v.Evaluate("", []engines.Move{1, 2, 1, 2, 1, 2, 1}, vector(t, "default"))
	fails(t, "a finished game", err, "the game is over: 1-0, four")
	_, err = v.Evaluate("", []engines.Move{8}, vector(t, "default"))
	fails(t, "an illegal move", err, "move 1, 8, is not legal")
	_, err = v.Evaluate("..../..../..../.... 1", nil, vector(t, "default"))
	fails(t, "another board", err, "board of 4 rows")
	_, err = v.Evaluate("", nil, vector(t, "default")[:2])
	fails(t, "a short vector", err, "2 values")
}

// TestPlayoutsEqualPlayAndPlayout compares the games after all moves
// of a position with Play and Playout by the same random numbers.
func TestPlayoutsEqualPlayAndPlayout(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	ended := 0
	for n := range 400 {
		p := boardOf(4+r.IntN(9), 4+r.IntN(9), []int{r.IntN(4), r.IntN(4)})
		for range r.IntN(int(p.left)) {
			if moves := p.Sensible(nil); len(moves) > 0 {
				p.Play(moves[r.IntN(len(moves))])
			}
		}
		moves := p.Moves(nil)
		for _, care := range []mcts.RolloutPolicy{mcts.Decisive, mcts.Careful} {
			together, alone := mcts.NewRand(uint64(n)), mcts.NewRand(uint64(n))
			games := make([]mcts.Game, len(moves))
			p.Playouts(moves, &together, care, games)
			for i, m := range moves {
				q := p
				q.Play(m)
				want := mcts.Game{Outcome: q.Outcome(), Ended: q.Outcome() != engines.Ongoing}
				if want.Ended {
					ended++
				} else {
					want.Outcome = q.Playout(&alone, care)
				}
				if games[i] != want {
					t.Fatalf("%s, care %d, column %d: %+v, want %+v", &p, care, m, games[i], want)
				}
			}
			if together != alone {
				t.Fatalf("%s, care %d: other random numbers", &p, care)
			}
		}
	}
	if ended == 0 {
		t.Error("no move ended a game")
	}
}
