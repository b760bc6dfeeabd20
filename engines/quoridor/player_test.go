package quoridor

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
	"selfplaylab/params"
)

func preset(t testing.TB, name string) params.Vector {
	t.Helper()
	p, err := Game().Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return p.Vector
}

func newPlayer(t testing.TB, standard bool, v params.Vector) *player {
	t.Helper()
	p := &player{standard: standard}
	if err := p.Configure(v); err != nil {
		t.Fatal(err)
	}
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGoldenGamesRepeat replays complete games of the specification, made by an
// independent C++ program: every move, and every number of the first decisions.
func TestGoldenGamesRepeat(t *testing.T) {
	data, err := os.ReadFile("testdata/games.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Games []struct {
			Rules, First, Second, Coin, Start, Moves string
			Winner, Plies                            int
			First_decisions                          []struct {
				M, E, M2, E2     int
				Wall             string
				Score_1, Score_2 float64
			}
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Games) < 10 {
		t.Fatalf("only %d games in the file", len(doc.Games))
	}
	for n, g := range doc.Games {
		b := newBoard(g.Rules == "standard")
		if err := b.SetText(g.Start); err != nil {
			t.Fatal(err)
		}
		players := [2]*player{
			newPlayer(t, b.standard, preset(t, g.First)),
			newPlayer(t, b.standard, preset(t, g.Second)),
		}
		moves := strings.Fields(g.Moves)
		for ply, want := range moves {
			d := players[b.turn].decide(&b, g.Coin == "horizontal first")
			if got := b.MoveString(d.move); got != want {
				t.Fatalf("game %d ply %d: %s, want %s\n%s", n, ply, got, want, b.Board(0).Text())
			}
			if ply < len(g.First_decisions) {
				f := g.First_decisions[ply]
				near := func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
				if d.m != f.M || d.e != f.E || d.m2 != f.M2 || d.e2 != f.E2 || b.MoveString(d.wall) != f.Wall ||
					!near(d.s1, f.Score_1) || !near(d.s2, f.Score_2) {
					t.Fatalf("game %d ply %d: %+v, want %+v", n, ply, d, f)
				}
			}
			if !b.Legal(d.move) {
				t.Fatalf("game %d ply %d: %s is not legal", n, ply, want)
			}
			b.Play(d.move)
		}
		if b.Outcome() != engines.Win(engines.Side(g.Winner)) || len(moves) != g.Plies {
			t.Errorf("game %d: %v after %d plies, want winner %d after %d", n, b.Outcome(), len(moves), g.Winner, g.Plies)
		}
	}
}

// TestPlayerMatchesSlowReference plays random and greedy games, and compares
// legal moves and decisions with the slow reference in every position.
func TestPlayerMatchesSlowReference(t *testing.T) {
	games := testmode.Times(4, 8) // in the long form both rules at each degree of chance
	if testing.Short() {
		games = 2
	}
	r := rand.New(rand.NewPCG(1, 2))
	presets := Game().Presets
	for n := range games {
		b := newBoard(n%2 == 1)
		random := []float64{0, 0.1, 0.5, 1}[n/2%4]
		for range 120 {
			if b.Outcome() != engines.Ongoing {
				break
			}
			ref := newRef(&b)
			moves := b.Moves(nil)
			if want := ref.moves(); !slices.Equal(moves, want) {
				t.Fatalf("%s: moves %v, want %v", b.String(), moves, want)
			}
			for _, m := range moves {
				if !b.Legal(m) {
					t.Fatalf("%s: %s listed but not legal", b.String(), b.MoveString(m))
				}
			}
			p := newPlayer(t, b.standard, presets[r.IntN(len(presets))].Vector)
			horizontal := r.IntN(2) == 0
			got, want := p.decide(&b, horizontal), ref.decide(p, horizontal)
			got.floods = 0
			if got != want {
				t.Fatalf("%s (horizontal first %v):\n got %+v\nwant %+v\n%s", b.String(), horizontal, got, want, b.Board(0).Text())
			}
			m := got.move
			if r.Float64() < random {
				// Walls and steps equally often, or boards fill before paths matter.
				m = moves[r.IntN(len(moves))]
				if r.IntN(2) == 0 {
					m = moves[r.IntN(min(3, len(moves)))]
				}
			}
			b.Play(m)
		}
	}
}

// TestTradedWeightsDecideAlike changes weights that only
// trade against each other, and expects the same decisions.
func TestTradedWeightsDecideAlike(t *testing.T) {
	final := preset(t, "final")
	shift := func(edit func(v params.Vector)) params.Vector {
		v := final.Clone()
		edit(v)
		return v
	}
	same := map[string]params.Vector{
		"scale": shift(func(v params.Vector) {
			for i, p := range space {
				if !p.Whole {
					v[i] *= 2
				}
			}
		}),
		"a_E b_gain b_E": shift(func(v params.Vector) { v[aE] += 8; v[bGain] -= 8; v[bE] += 8 }),
		"a_EB b_EB":      shift(func(v params.Vector) { v[aEB] += 4; v[bEB] -= 4 }),
		"selfharm_bonus": shift(func(v params.Vector) { v[selfharmBonus] = 1000 }),
		"rush and panic": shift(func(v params.Vector) { v[rushBonus], v[panicBonus] = 2000, 20000 }),
	}
	changed := shift(func(v params.Vector) { v[aE] = 11 })
	differs := func(v params.Vector) int {
		n := 0
		for seed := range uint64(20) {
			b := newBoard(false)
			p, q := newPlayer(t, false, final), newPlayer(t, false, v)
			for ply := 0; b.Outcome() == engines.Ongoing && ply < 200; ply++ {
				horizontal := engines.Seed(seed, uint64(ply))&1 == 0
				d := p.decide(&b, horizontal)
				if q.decide(&b, horizontal).move != d.move {
					n++
				}
				b.Play(d.move)
			}
		}
		return n
	}
	for name, v := range same {
		if n := differs(v); n != 0 {
			t.Errorf("%s changed %d decisions", name, n)
		}
	}
	if differs(changed) == 0 {
		t.Error("halving a_E changed nothing: this test cannot fail")
	}
}

func TestChooseAllocatesNothing(t *testing.T) {
	p := newPlayer(t, false, preset(t, "final"))
	history := make([]engines.Move, 0, 300)
	b := newBoard(false)
	play := func() {
		if b.Outcome() != engines.Ongoing {
			return
		}
		d, err := p.Choose(t.Context(), history, engines.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		b.Play(d.Move)
		history = append(history, d.Move)
	}
	for range 40 { // grow the follower's buffer once
		play()
	}
	b, history = newBoard(false), history[:0]
	if n := testing.AllocsPerRun(30, play); n != 0 {
		t.Errorf("%v allocations a decision", n)
	}
}

func FuzzSetText(f *testing.F) {
	for _, c := range perftCases {
		f.Add(c.position)
	}
	f.Add("e1 e9 10 10 0 h: v:-")
	f.Fuzz(func(t *testing.T, text string) {
		b := newBoard(false)
		before := b
		if b.SetText(text) != nil {
			if b != before {
				t.Fatal("an error changed the board")
			}
			return
		}
		c := newBoard(false)
		if err := c.SetText(b.String()); err != nil || c != b {
			t.Fatalf("%q reads back differently: %v", b.String(), err)
		}
		for _, m := range b.Moves(nil) {
			if got, err := b.ParseMove(b.MoveString(m)); err != nil || got != m {
				t.Fatalf("move %q reads back as %v, %v", b.MoveString(m), got, err)
			}
		}
		if b.Outcome() == engines.Ongoing {
			p := newPlayer(t, false, space.Default())
			if d := p.decide(&b, true); !b.Legal(d.move) {
				t.Fatalf("%s: player chose %s", b.String(), b.MoveString(d.move))
			}
		}
	})
}

func TestSetTextRefusesBadPositions(t *testing.T) {
	for _, text := range []string{
		"", "e1", "e1 e1 10 10 0 h:- v:-", "e0 e9 10 10 0 h:- v:-", "e1 j9 10 10 0 h:- v:-",
		"e1 e9 11 10 0 h:- v:-", "e1 e9 -1 10 0 h:- v:-", "e1 e9 10 10 2 h:- v:-",
		"e1 e9 10 10 0 h:a1 v:-", "e1 e9 8 10 0 h:a1,b1 v:-", "e1 e9 9 10 0 h:i1 v:-",
		"e1 e9 9 10 0 v:- h:-", "e1 e9 10 10 0 h:- v:- x",
	} {
		b := newBoard(false)
		if err := b.SetText(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
	crossing := "e1 e9 9 9 0 h:d4 v:d4"
	seed, standard := newBoard(false), newBoard(true)
	if err := seed.SetText(crossing); err != nil {
		t.Errorf("crossing walls under seed rules: %v", err)
	}
	if err := standard.SetText(crossing); err == nil {
		t.Error("crossing walls under standard rules were taken")
	}
}

func TestThirdViolationLoses(t *testing.T) {
	ref := engines.NewReferee(newBoard(false), bounds)
	if err := ref.Reset(""); err != nil {
		t.Fatal(err)
	}
	step := func(text string) {
		m, err := ref.ParseMove(text)
		if err != nil || !ref.Legal(m) {
			t.Fatalf("%s: %v", text, err)
		}
		ref.Play(m)
	}
	for n := range 3 {
		if o, _ := ref.Result(); o != engines.Ongoing {
			t.Fatalf("over after %d violations", n)
		}
		if m := ref.Penalty(); ref.MoveString(m) != "pass" {
			t.Fatalf("recorded as %v", m)
		}
		if n < 2 {
			step([]string{"e8", "e7"}[n])
		}
	}
	if o, why := ref.Result(); o != engines.SecondWins || why != reasonViolations {
		t.Errorf("after three violations: %v, %v", o, why)
	}
	strict := engines.NewReferee(newBoard(true), bounds)
	if err := strict.Reset(""); err != nil {
		t.Fatal(err)
	}
	if m := strict.Penalty(); m != 0 {
		t.Errorf("standard rules recorded %v", m)
	}
	if o, why := strict.Result(); o != engines.SecondWins || why != engines.IllegalMove {
		t.Errorf("standard rules after one violation: %v, %v", o, why)
	}
}

func playGame(b *testing.B, players *[2]*player, open *rand.Rand, seed uint64) int {
	board := newBoard(players[0].standard)
	for _, m := range opening(open, board.standard, 4).Moves {
		board.Play(m)
	}
	plies := 4
	for ; board.Outcome() == engines.Ongoing && plies < bounds.MaxPlies; plies++ {
		d := players[board.turn].decide(&board, engines.Seed(seed, uint64(plies))&1 == 0)
		board.Play(d.move)
	}
	return plies
}

// BenchmarkGames plays the seven presets against each
// other, as the figures of the specification were measured.
func BenchmarkGames(b *testing.B) {
	for _, variant := range []string{"seed", "standard"} {
		b.Run(variant, func(b *testing.B) {
			var all []*player
			for _, p := range Game().Presets[:7] {
				all = append(all, newPlayer(b, variant == "standard", p.Vector))
			}
			open := rand.New(rand.NewPCG(7, 7))
			b.ReportAllocs()
			plies := 0
			n := 0
			for b.Loop() {
				plies += playGame(b, &[2]*player{all[n%7], all[n/7%7]}, open, uint64(n))
				n++
			}
			seconds := b.Elapsed().Seconds()
			b.ReportMetric(float64(n)/seconds, "games/s")
			b.ReportMetric(float64(plies)/seconds, "decisions/s")
		})
	}
}

func BenchmarkMoves(b *testing.B) {
	board := newBoard(false)
	if err := board.SetText(perftCases[5].position); err != nil {
		b.Fatal(err)
	}
	var buf [140]engines.Move
	b.ReportAllocs()
	for b.Loop() {
		board.Moves(buf[:0])
	}
}
