package gamestats

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/reports/rating"
)

// treeGames returns pairs with equal openings and
// random play after them, from a few start positions.
func treeGames(pairs int, starts ...string) (list []datasets.GameRow) {
	rng := rand.New(rand.NewPCG(1, 2))
	move := func() string { return []string{"a", "b", "c", "ab"}[rng.IntN(4)] }
	for pair := range pairs {
		opening, start := move()+" "+move(), starts[rng.IntN(len(starts))]
		for game := range 2 {
			moves := opening
			for range 1 + rng.IntN(4) {
				moves += " " + move()
			}
			list = append(list, datasets.GameRow{Pair: int32(pair), Game: int32(game), Position: start, OpeningPlies: 2, Moves: moves,
				Plies: int32(len(strings.Fields(moves))), AScore: float64(rng.IntN(3)) / 2})
		}
	}
	return list
}

func grow(t *Tree, games []datasets.GameRow) *Line {
	for _, g := range games {
		t.Count(g)
	}
	for _, g := range games {
		t.Add(g)
	}
	return t.Lines(0.95, true)
}

// TestTreeCountsEveryLine compares every line with a search through all games.
func TestTreeCountsEveryLine(t *testing.T) {
	for _, test := range []struct {
		starts []string
		drawn  bool
	}{{[]string{""}, false}, {[]string{"one"}, false}, {[]string{"one", "two", ""}, false}, {[]string{"one", "two"}, true}} {
		games := treeGames(300, test.starts...)
		tree := &Tree{Min: 7, Drawn: test.drawn}
		lines := 0
		var check func(l *Line, start, moves string)
		check = func(l *Line, start, moves string) {
			lines++
			follows := func(g datasets.GameRow) bool {
				return (start == anyStart || g.Position == start) && strings.HasPrefix(g.Moves+" ", moves)
			}
			n, next := 0, map[string]int{}
			var first, both rating.Pairs
			for i := 0; i < len(games); i += 2 {
				g, h := games[i], games[i+1]
				for _, g := range games[i : i+2] {
					if follows(g) {
						n++
						if rest := strings.Fields((g.Moves + " ")[len(moves):]); len(rest) > 0 {
							next[rest[0]]++
						}
					}
				}
				switch a, b := g.Half(), 2-h.Half(); {
				case follows(g) && follows(h):
					first.Add(a, b)
					both.Add(a, 2-b)
				case follows(g):
					first.Add(a, a)
				case follows(h):
					first.Add(b, b)
				}
			}
			want := fmt.Sprint(n, first.N(), first.Score(), first.Estimate(0.95).ScoreRange)
			if got := fmt.Sprint(l.Games, l.First.Pairs, l.First.Mean, rating.Interval{Low: l.First.Low, High: l.First.High}); got != want {
				t.Errorf("%q | %q: %s, want %s", start, moves, got, want)
			}
			if d := l.Difference; (d == nil) != (both.N() == 0) || d != nil && (d.Pairs != both.N() || d.Mean != 2*both.Score()-1) {
				t.Errorf("%q | %q: difference %v of %v", start, moves, d, both)
			}
			rest := l.Games
			for _, below := range l.Next {
				rest -= below.Games
				if below.Move != "" {
					delete(next, below.Move)
					check(below, start, moves+below.Move+" ")
				} else {
					check(below, below.Start, "")
				}
			}
			for move, n := range next {
				if n >= tree.Min && (start != anyStart || test.drawn) {
					t.Errorf("%q | %q: %s is missing, played %d times", start, moves, move, n)
				}
			}
			if rest != l.Rest {
				t.Errorf("%q | %q: rest %d, want %d", start, moves, l.Rest, rest)
			}
		}
		start := anyStart
		if len(test.starts) == 1 {
			start = test.starts[0]
		}
		check(grow(tree, games), start, "")
		if lines < 50 {
			t.Errorf("%v: only %d lines", test.starts, lines)
		}
		if notes := strings.Join(tree.Notes(), " "); strings.Contains(notes, "whatever the board") != test.drawn {
			t.Errorf("%v: %s", test.starts, notes)
		}
	}
}

// TestTreeJoinsRareStarts expects that start positions
// with too few games each are counted together.
func TestTreeJoinsRareStarts(t *testing.T) {
	starts := []string{"often", "often", "often"}
	for i := range 30 {
		starts = append(starts, fmt.Sprint("rare", i))
	}
	top := grow(&Tree{Min: 40}, treeGames(400, starts...))
	if len(top.Next) != 2 || top.Next[0].Starts == 0 || top.Next[0].Start != "" || top.Next[1].Start != "often" {
		t.Fatalf("starts: %+v, want rare ones together and the frequent one", top.Next)
	}
	if l := top.Next[0]; l.Games+top.Next[1].Games != top.Games || l.Next[0].Starts != l.Starts || l.Label() != fmt.Sprintf("* (%d start positions)", l.Starts) {
		t.Errorf("the line of rare starts: %+v", l)
	}
}

// TestTreeSeldomMarksChance expects that chance seldom
// marks any line, because all lines are judged together.
func TestTreeSeldomMarksChance(t *testing.T) {
	games := treeGames(300, "")
	for i := range games { // A wins everything after "ab" with either colour
		if strings.HasPrefix(games[i].Moves, "ab") {
			games[i].AScore = 1
		}
	}
	for _, l := range grow(&Tree{}, games).Next {
		if shown := l.Difference.Shown == 1; shown != (l.Move == "ab") || l.First.Shown != 0 {
			t.Errorf("%s: %v, %v", l.Move, l.First, *l.Difference)
		}
	}
}

// TestTreeReadsSingleGames reads records without pairs, and refuses lines too rare to bound.
func TestTreeReadsSingleGames(t *testing.T) {
	games := slices.DeleteFunc(treeGames(20, ""), func(g datasets.GameRow) bool { return g.Game == 1 })
	top := grow(&Tree{Min: 1}, games)
	if top.Games != 20 || top.First.Pairs != 20 || top.Difference != nil {
		t.Errorf("single games: %+v", top)
	}
	tree := &Tree{Min: 2, games: 10_000}
	if err := tree.CheckMin(); err == nil || !strings.Contains(err.Error(), "want at least 5 for 10,000 games") {
		t.Error(err)
	}
	if top := (&Tree{}).Lines(0.95, false); top.Games != 0 || top.First.Mean != 0.5 {
		t.Errorf("an empty tree: %+v", top)
	}
}
