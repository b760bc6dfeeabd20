package connectfour

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// vectors are perft counts, complete games, and perft counts
// after given moves, from another implementation of the rules.
type vectors struct {
	Cases []struct {
		Rows, Cols int
		Forbidden  []int
		Perft      []uint64
		WinsAt     []uint64 `json:"wins_at"`
		TiesAt     []uint64 `json:"ties_at"`
	}
	Traces []struct {
		Rows, Cols, Plies, Winner int
		Forbidden, Moves          []int
		Tie                       bool
		Board                     []string
	}
	PrefixPerft []struct {
		Rows, Cols              int
		Forbidden, Moves, Legal []int
		Perft                   []uint64
	} `json:"prefix_perft"`
}

func loadVectors(t *testing.T) vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases) != 25 || len(v.Traces) != 30 || len(v.PrefixPerft) != 20 {
		t.Fatalf("%d cases, %d traces, %d prefixes; want 25, 30, 20", len(v.Cases), len(v.Traces), len(v.PrefixPerft))
	}
	return v
}

// boardOf returns an empty board; forbidden is row and column from the top left, or empty.
func boardOf(rows, cols int, forbidden []int) position {
	cell := uint8(noCell)
	if len(forbidden) == 2 {
		cell = uint8(forbidden[0]<<4 | forbidden[1])
	}
	return rules{cell: anyCell}.board(rows, cols, cell)
}

// count adds the games that end at each ply, and the sequences of each length.
func count(p *position, ply, depth int, perft, wins, ties []uint64) {
	for _, m := range p.Moves(nil) {
		q := *p
		q.Play(m)
		perft[ply]++
		switch q.Outcome() {
		case engines.Draw:
			ties[ply]++
		case engines.Ongoing:
			if ply+1 < depth {
				count(&q, ply+1, depth, perft, wins, ties)
			}
		default:
			wins[ply]++
		}
	}
}

// affordable returns the largest depth whose count stays below a budget.
func affordable(perft []uint64, budget uint64) int {
	if testing.Short() {
		budget /= 10
	}
	for d, n := range perft {
		if n > budget {
			return d
		}
	}
	return len(perft)
}

func TestPerftMatchesKnownCounts(t *testing.T) {
	for _, c := range loadVectors(t).Cases {
		t.Run(fmt.Sprintf("%dx%d %v", c.Rows, c.Cols, c.Forbidden), func(t *testing.T) {
			p := boardOf(c.Rows, c.Cols, c.Forbidden)
			for d := 1; d <= affordable(c.Perft, 6_000_000); d++ {
				if got := engines.Perft(&p, d); got != c.Perft[d-1] {
					t.Errorf("perft(%d) = %d, want %d", d, got, c.Perft[d-1])
				}
			}
		})
	}
}

func TestGamesEndAtKnownPlies(t *testing.T) {
	if testing.Short() {
		t.Skip("short: counts long trees")
	}
	for _, c := range loadVectors(t).Cases {
		t.Run(fmt.Sprintf("%dx%d %v", c.Rows, c.Cols, c.Forbidden), func(t *testing.T) {
			p := boardOf(c.Rows, c.Cols, c.Forbidden)
			depth := affordable(c.Perft, 400_000)
			perft, wins, ties := make([]uint64, depth), make([]uint64, depth), make([]uint64, depth)
			count(&p, 0, depth, perft, wins, ties)
			if diff := cmp.Diff([][]uint64{c.Perft[:depth], c.WinsAt[:depth], c.TiesAt[:depth]}, [][]uint64{perft, wins, ties}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTracesReplayExactly(t *testing.T) {
	for i, c := range loadVectors(t).Traces {
		p := boardOf(c.Rows, c.Cols, c.Forbidden)
		for n, m := range c.Moves {
			if p.Outcome() != engines.Ongoing || !p.Legal(engines.Move(m)+1) {
				t.Fatalf("game %d: move %d is not legal in %s", i, n, &p)
			}
			p.Play(engines.Move(m) + 1)
		}
		want := engines.Draw
		if !c.Tie {
			want = engines.Win(engines.Side(c.Winner - 1))
		}
		if p.Outcome() != want || len(c.Moves) != c.Plies {
			t.Errorf("game %d: outcome %v after %d plies, want %v after %d", i, p.Outcome(), len(c.Moves), want, c.Plies)
		}
		if board, _, _ := strings.Cut(strings.ReplaceAll(p.String(), "x", "."), " "); board != strings.Join(c.Board, "/") {
			t.Errorf("game %d: final board %s, want %s", i, board, strings.Join(c.Board, "/"))
		}
		if len(p.Moves(nil)) != 0 {
			t.Errorf("game %d: moves after the end", i)
		}
	}
}

func TestPerftAfterMovesMatches(t *testing.T) {
	for i, c := range loadVectors(t).PrefixPerft {
		p := boardOf(c.Rows, c.Cols, c.Forbidden)
		for _, m := range c.Moves {
			p.Play(engines.Move(m) + 1)
		}
		var legal []int
		for _, m := range p.Moves(nil) {
			legal = append(legal, int(m)-1)
		}
		if !slices.Equal(legal, c.Legal) {
			t.Errorf("prefix %d: legal %v, want %v", i, legal, c.Legal)
		}
		for d, want := range c.Perft {
			if got := engines.Perft(&p, d+1); got != want {
				t.Errorf("prefix %d: perft(%d) = %d, want %d", i, d+1, got, want)
			}
		}
	}
}

// randomBoards calls f with random boards of every size, with
// and without a forbidden cell, in both implementations.
func randomBoards(t *testing.T, n int, f func(r *rand.Rand, p *position, s *slow)) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 4))
	for range n {
		rows, cols := 4+r.IntN(9), 4+r.IntN(9)
		row, col := -1, -1
		var forbidden []int
		if r.IntN(3) > 0 {
			row, col = r.IntN(rows), r.IntN(cols)
			forbidden = []int{row, col}
		}
		p := boardOf(rows, cols, forbidden)
		f(r, &p, newSlow(rows, cols, row, col))
	}
}

// TestRulesMatchSlowRules plays random games on both implementations.
// Moves, legality, outcome, text and threats agree at
// every ply, and the text reads back as the same position.
func TestRulesMatchSlowRules(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 150
	}
	ends := map[engines.Outcome]int{}
	randomBoards(t, n, func(r *rand.Rand, p *position, s *slow) {
		for {
			compare(t, p, s)
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[r.IntN(len(moves))]
			p.Play(m)
			s.play(int(m) - 1)
		}
		ends[p.Outcome()]++
	})
	for _, o := range []engines.Outcome{engines.FirstWins, engines.SecondWins, engines.Draw} {
		if ends[o] == 0 {
			t.Errorf("no game ended %v", o)
		}
	}
}

func compare(t *testing.T, p *position, s *slow) {
	t.Helper()
	var moves []int
	for _, m := range p.Moves(nil) {
		moves = append(moves, int(m)-1)
	}
	if want := s.moves(); !slices.Equal(moves, want) {
		t.Fatalf("%s: moves %v, want %v", p, moves, want)
	}
	for m := range engines.Move(15) {
		if got, want := p.Legal(m), slices.Contains(moves, int(m)-1); got != want {
			t.Fatalf("%s: Legal(%d) = %v, want %v", p, m, got, want)
		}
	}
	if p.Outcome() != s.outcome() || int(p.Turn()) != s.turn || p.String() != s.text() {
		t.Fatalf("%s, %v; want %s, %v", p, p.Outcome(), s.text(), s.outcome())
	}
	if got, want := p.Reason(), map[engines.Outcome]engines.Reason{engines.FirstWins: four, engines.SecondWins: four, engines.Draw: full}[s.outcome()]; got != want {
		t.Fatalf("%s: reason %q, want %q", p, got, want)
	}
	q := position{rules: p.rules}
	if err := q.SetText(p.String()); err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	if q != *p || q.Key() != p.Key() {
		t.Fatalf("%s reads back as another position", p)
	}
}

// TestSensibleMatchesSlowRules compares the columns of Sensible with the slow rules.
func TestSensibleMatchesSlowRules(t *testing.T) {
	kinds := map[string]int{}
	randomBoards(t, 150, func(r *rand.Rand, p *position, s *slow) {
		for {
			moves := p.Moves(nil)
			var got []int
			for _, m := range p.Sensible(nil) {
				got = append(got, int(m)-1)
			}
			if want := s.sensible(); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", p, got, want)
			}
			switch {
			case len(moves) == 0:
				return
			case len(got) == 1:
				kinds["one"]++
			case len(got) < len(moves):
				kinds["fewer"]++
			default:
				kinds["all"]++
			}
			m := moves[r.IntN(len(moves))]
			p.Play(m)
			s.play(int(m) - 1)
		}
	})
	if kinds["one"] == 0 || kinds["fewer"] == 0 || kinds["all"] == 0 {
		t.Errorf("not every kind was met: %v", kinds)
	}
}

// TestPlayoutMatchesSlowRules plays random games from random positions,
// game for game as the slow rules play them with the same random numbers.
func TestPlayoutMatchesSlowRules(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 50
	}
	randomBoards(t, n, func(r *rand.Rand, p *position, _ *slow) {
		for range r.IntN(int(p.rows) * int(p.cols)) {
			q := *p
			moves := q.Moves(nil)
			q.Play(moves[r.IntN(len(moves))])
			if q.Outcome() != engines.Ongoing {
				break
			}
			*p = q
		}
		for care := range mcts.Careful + 1 {
			seed := r.Uint64()
			fast, plain := mcts.NewRand(seed), mcts.NewRand(seed)
			for range 5 {
				q := *p
				got := q.Playout(&fast, care)
				if want := slowOf(p.String()).playout(&plain, care); got != want {
					t.Fatalf("%s, care %v: %v, want %v", p, care, got, want)
				}
			}
			if fast.Uint64() != plain.Uint64() {
				t.Fatalf("%s, care %v: another number of random numbers was drawn", p, care)
			}
		}
	})
}

// TestPlayoutsHaveFairOutcomes compares random games with games by another
// generator and another way to draw moves: the shares of outcomes must agree.
func TestPlayoutsHaveFairOutcomes(t *testing.T) {
	const games = 4000
	for _, text := range []string{
		"..../..../..../.... 1",
		"....../....../....../....../...x../.121.. 2",
		"....x./1.2.../2.1.2./1.2.1./211211/121222 1",
	} {
		var start position
		start.rules = rules{cell: anyCell}
		if err := start.SetText(text); err != nil {
			t.Fatal(err)
		}
		r, generator := mcts.NewRand(5), rand.New(rand.NewPCG(1, 2))
		var fast, plain [4]float64
		for range games {
			p := start
			fast[p.Playout(&r, mcts.Careless)]++
			s := slowOf(text)
			for s.outcome() == engines.Ongoing {
				moves := s.moves()
				s.play(moves[generator.IntN(len(moves))])
			}
			plain[s.outcome()]++
		}
		for o := range fast {
			// Five standard deviations of a difference of two shares.
			if d := (fast[o] - plain[o]) / games; d > 0.056 || d < -0.056 {
				t.Errorf("%s: outcome %v in %v of %d games, want about %v", text, engines.Outcome(o), fast[o], games, plain[o])
			}
		}
	}
}

func TestPlayoutOfFinishedGame(t *testing.T) {
	p := boardOf(6, 7, nil)
	for _, m := range []engines.Move{1, 2, 1, 2, 1, 2, 1} {
		p.Play(m)
	}
	r := mcts.NewRand(1)
	for care := range mcts.Careful + 1 {
		q := p
		if got := q.Playout(&r, care); got != engines.FirstWins {
			t.Errorf("random game from a won position: %v", got)
		}
	}
}

// TestKeysTellPositionsApart finds equal keys for equal positions and no others.
func TestKeysTellPositionsApart(t *testing.T) {
	texts := map[uint64]string{}
	n := 0
	randomBoards(t, 300, func(r *rand.Rand, p *position, _ *slow) {
		for {
			if text, ok := texts[p.Key()]; ok && text != p.String() {
				t.Fatalf("%s and %s have one key", p, text)
			}
			texts[p.Key()] = p.String()
			n++
			moves := p.Moves(nil)
			if len(moves) == 0 {
				return
			}
			p.Play(moves[r.IntN(len(moves))])
		}
	})
	if len(texts) < 5000 {
		t.Errorf("only %d positions of %d compared", len(texts), n)
	}
	a, b := boardOf(6, 7, nil), boardOf(6, 7, nil)
	for _, m := range []engines.Move{4, 3, 2} {
		a.Play(m)
	}
	for _, m := range []engines.Move{2, 3, 4} {
		b.Play(m)
	}
	if a.Key() != b.Key() || a != b {
		t.Errorf("%s and %s differ", &a, &b)
	}
}
