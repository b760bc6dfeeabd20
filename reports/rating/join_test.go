package rating

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A round robin of three and a verification of the same start against the tuned
// player, known there by other names, give the ratings of one tournament in which
// all was played.
func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(50, 1))
	truth := league{strength: []float64{0, .5, 1}, first: .3, logDraw: -.5}
	robin := truth.play(r, 40)
	verification, whole := NewTournament("tuned", "start"), NewTournament("P0", "P1", "P2")
	for _, pair := range [][2]int{{0, 1}, {0, 2}, {2, 1}} {
		whole.AddTwins(pair[0], pair[1], twinsOf(robin, pair[0], pair[1]))
	}
	for range 100 {
		first, second := r.IntN(3), r.IntN(3)
		verification.AddPair(0, 1, first, second)
		whole.AddPair(2, 0, first, second)
	}
	verification.AddGames(1, 0, Games{Wins: 3, Losses: 1})
	whole.AddGames(0, 2, Games{Wins: 3, Losses: 1})
	same := map[string]string{"tuned": "P2", "start": "P0"}
	all, alone := join(func(phase int, name string) string {
		if phase == 1 {
			return same[name]
		}
		return name
	}, robin, verification)
	if alone != 0 || !slices.Equal(all.Names(), whole.Names()) {
		t.Fatalf("players %v, %d games alone", all.Names(), alone)
	}
	got, err := BradleyTerry{}.Fit(all)
	if err != nil {
		t.Fatal(err)
	}
	want, err := BradleyTerry{}.Fit(whole)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Players, got.Players); diff != "" {
		t.Error(diff)
	}
}

// twinsOf returns what x and y did in pairs, as x's half points.
func twinsOf(m *Tournament, x, y int) PairMatrix {
	if x < y {
		return m.cells[[2]int{x, y}].pairs
	}
	var w PairMatrix
	for a, row := range m.cells[[2]int{y, x}].pairs {
		for b, n := range row {
			w[2-b][2-a] += n
		}
	}
	return w
}

func TestJoinAlone(t *testing.T) {
	first, second := NewTournament("a", "b"), NewTournament("b", "c")
	first.AddTwins(1, 0, PairMatrix{{}, {}, {0, 3, 5}})
	second.AddPair(0, 1, 2, 1)
	if all, alone := join(nil, first, second); alone != 0 || !slices.Equal(all.Names(), []string{"a", "b", "c"}) || all.Pairs(1, 0) != (Pairs{0, 0, 0, 3, 5}) || all.Pairs(1, 2) != (Pairs{3: 1}) {
		t.Errorf("by name: %v, %d alone", all.Names(), alone)
	}
	// b and c are one and the same; the second b is another than the first.
	identity := func(phase int, name string) string {
		if phase == 0 {
			return name
		}
		return "new"
	}
	all, alone := join(identity, first, second)
	if alone != 2 || !slices.Equal(all.Names(), []string{"a", "b", "b (new)"}) || all.Pairs(1, 2).N() != 0 {
		t.Errorf("%v, %d alone", all.Names(), alone)
	}
	if all, alone := join(nil); alone != 0 || len(all.Names()) != 0 {
		t.Errorf("nothing joined: %v, %d", all.Names(), alone)
	}
}

// Equal ratings are in the order of names, whatever the order of players.
func TestRankingTies(t *testing.T) {
	for _, names := range [][]string{{"c", "a", "b", "d"}, {"b", "d", "c", "a"}} {
		m := NewTournament(names...)
		for i := range names {
			for j := range i {
				m.AddTwins(i, j, PairMatrix{{3, 1, 4}, {1, 5, 1}, {4, 1, 3}})
			}
		}
		top := slices.Index(names, "d")
		m.AddPair(top, (top+1)%4, 2, 2)
		m.AddPair(top, (top+2)%4, 2, 2)
		m.AddPair(top, (top+3)%4, 2, 2)
		r, err := BradleyTerry{Prior: 1}.Fit(m)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, i := range r.Ranking() {
			order = append(order, names[i])
		}
		if !slices.Equal(order, []string{"d", "a", "b", "c"}) {
			t.Errorf("players %v rank %v: %v", names, order, r.Players)
		}
	}
}

// A rating that hangs on few points says so.
func TestRatingWarnings(t *testing.T) {
	m := NewTournament("strong", "weak", "even")
	m.AddTwins(0, 1, PairMatrix{{}, {}, {4, 0, 56}})
	m.AddTwins(0, 2, PairMatrix{{20, 0, 20}, {}, {20, 0, 20}})
	r, err := BradleyTerry{}.Fit(m)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Warnings{0, Warnings(0).With(fewPointsWarning), 0} {
		if got := r.Players[i].Warnings; got != want {
			t.Errorf("%v: warnings %v, want %v", r.Players[i], got, want)
		}
	}
}
