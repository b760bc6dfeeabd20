package connectfour

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

// lostGame is a game that was lost although a better move is known; see testdata/lost.json.
type lostGame struct {
	Rows, Cols int
	Forbidden  []int
	First      bool // the side that moves first lost
	Moves      string
	Shown      []float64
}

// TestCarefulGamesSeeZugzwang has a game decided by who runs out of harmless moves.
// Random games with care show the loss; decisive ones show a win until the end.
func TestCarefulGamesSeeZugzwang(t *testing.T) {
	if testing.Short() {
		t.Skip("short: thousands of playouts")
	}
	g := lostGames(t)[2]
	var positions []position // late positions with the loser to move
	p := boardOf(g.Rows, g.Cols, g.Forbidden)
	for n, text := range strings.Fields(g.Moves) {
		m, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		if own := n / 2; (n%2 == 0) == g.First && own >= 20 && g.Shown[own] > 0 && own%4 == 0 {
			positions = append(positions, p)
		}
		p.Play(engines.Move(m))
	}
	if len(positions) < 4 {
		t.Fatalf("%d positions", len(positions))
	}
	for _, p := range positions {
		decisive, careful := shows(t, &p, "decisive=on"), shows(t, &p, "decisive=careful")
		if decisive < 0.6 || careful > 0.4 {
			t.Errorf("%s: decisive games show %v, careful ones %v", &p, decisive, careful)
		}
	}
}

// TestAnswersShowRefutation has a game lost against one of the course's programs, by a column
// that one answer refutes in 18 plies. Searches that give every answer its share avoid the
// column.
func TestAnswersShowRefutation(t *testing.T) {
	testmode.SkipUnlessLong(t) // millions of playouts
	const refuted = 8
	p := boardOf(11, 11, []int{3, 1})
	for _, c := range []engines.Move{4, 4, 8, 4, 8, 4, 4, 8, 9, 7, 9, 11, 7, 5, 7, 7, 8, 2, 2, 4, 8, 3, 11} {
		p.Play(c)
	}
	played := map[string]int{}
	for _, answers := range []string{"answers=0", "answers=0.02"} {
		for seed := range uint64(8) {
			player := newPlayer(rules{cell: anyCell})
			if err := player.Configure(vector(t, "grandmaster", answers)); err != nil {
				t.Fatal(err)
			}
			if err := player.Reset(p.String(), seed); err != nil {
				t.Fatal(err)
			}
			if d := choose(t, player, engines.Limits{Playouts: 600_000}); d.Move == refuted {
				played[answers]++
			}
		}
	}
	if played["answers=0"] < 2 || played["answers=0.02"] > 1 {
		t.Errorf("searches of 8 that played the refuted column: %v", played)
	}
}

func lostGames(t testing.TB) []lostGame {
	t.Helper()
	data, err := os.ReadFile("testdata/lost.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Games []lostGame }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Games
}

// shows returns the expert's win rate with random games of a kind.
func shows(t *testing.T, p *position, care string) float64 {
	t.Helper()
	player := newPlayer(rules{cell: anyCell})
	if err := player.Configure(vector(t, "expert", care, "reuse=off")); err != nil {
		t.Fatal(err)
	}
	if err := player.Reset(p.String(), 1); err != nil {
		t.Fatal(err)
	}
	return choose(t, player, engines.Limits{Playouts: 20_000}).Score
}
