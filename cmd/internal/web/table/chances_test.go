package table

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/testmode"
)

// decision is a score of the player to move and the points that its side got.
type decision struct{ score, points float64 }

// selfGame plays a game of the reviewer against itself from a random opening, and returns its
// decisions without proven results: the fit does not need them.
func selfGame(t *testing.T, g *engines.Game, preset string, seed uint64) (list []decision) {
	t.Helper()
	v, err := g.OpenText("")
	if err != nil {
		t.Fatal(err)
	}
	q := Question{Game: g.Name, Preset: preset, Seed: seed}
	o, err := opening(v, q)
	if err != nil {
		t.Fatal(err)
	}
	q.Position, q.Moves = o.Position, o.Moves
	var sides []engines.Side
	for {
		s, err := q.sit(v)
		if err != nil {
			t.Fatal(err)
		}
		if end, _ := s.ref.Result(); end != engines.Ongoing {
			kept := list[:0]
			for i, d := range list {
				if !math.IsNaN(d.score) {
					kept = append(kept, decision{d.score, float64(end.Points(sides[i])) / 2})
				}
			}
			return kept
		}
		b, err := s.best(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		x, known := b.Score.(float64)
		if g.Unit == engines.UnitChance {
			x = math.Log(x / (1 - x))
		}
		if !known || b.Mate != 0 || math.IsInf(x, 0) {
			x = math.NaN()
		}
		list, sides = append(list, decision{x, 0}), append(sides, s.ref.Turn())
		q.Moves += " " + b.Move
	}
}

// fitSlope fits points to scores: a logistic regression without a constant, by Newton's
// method, and its standard error with games as clusters.
func fitSlope(list [][]decision) (slope, se float64) {
	var meat, bread float64
	for range 60 {
		meat, bread = 0, 0
		var gradient float64
		for _, game := range list {
			var sum float64
			for _, d := range game {
				p := 1 / (1 + math.Exp(-slope*d.score))
				sum += (d.points - p) * d.score
				bread += p * (1 - p) * d.score * d.score
			}
			gradient += sum
			meat += sum * sum
		}
		if bread == 0 {
			return 0, 0
		}
		slope += gradient / bread
	}
	return slope, math.Sqrt(meat) / bread
}

// TestChancesAgreeWithGames plays some games of the reviewer against itself, whose slope must agree
// with the table within its error. Where golden files are updated it plays all of them and writes
// the table, but it keeps the line of a level that has the same player; delete a line to renew it.
func TestChancesAgreeWithGames(t *testing.T) {
	testmode.Raced(t, "plays many games")
	var text strings.Builder
	for _, g := range games.Games() {
		list, err := levels.Of(g)
		if err != nil || len(list) < reviewLevel {
			continue
		}
		review := reviewerOf(g, list)
		n := testmode.Times(4, 2)
		if testmode.Update() {
			if n = leastGames; review.Fitted == review.Name && precise(review) {
				fmt.Fprintf(&text, "%s %.4g %.2g %d %s\n", g.Name, review.Slope, review.SE, review.Games, review.Fitted)
				continue
			}
		}
		if g.Name == "chess" && !testmode.Long() && !testmode.Update() {
			continue // its games are long
		}
		var played [][]decision
		var slope, se float64
		for len(played) < n || testmode.Update() && se > slope/4 && len(played) < 5*leastGames {
			for range min(n, 100) {
				played = append(played, selfGame(t, g, review.Preset, uint64(len(played)+1)))
			}
			slope, se = fitSlope(played)
		}
		fmt.Fprintf(&text, "%s %.4g %.2g %d %s\n", g.Name, slope, se, len(played), review.Name)
		t.Logf("%s: a position's loss is %.3f nats by the fit, %.3f without scores", g.Name, loss(played, slope), math.Ln2)
		if testmode.Update() {
			continue
		}
		if !precise(review) || review.Fitted != review.Name {
			t.Errorf("%s: %+v", g.Name, review)
		}
		if lost := loss(played, review.Slope) - loss(played, slope); lost > 0.5 || math.IsNaN(lost) {
			t.Errorf("%s: the table's slope %g loses %.2f nats a position to that of %d games, %g", g.Name, review.Slope, lost, n, slope)
		}
	}
	if testmode.Update() {
		if err := os.WriteFile("chances.txt", []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// leastGames is the least number of games behind a line of the table. More are played in hundreds,
// until the slope's standard error is at most a quarter of it.
const leastGames = 300

// precise reports whether a reviewer's slope has enough games and a small enough error.
func precise(r reviewer) bool {
	return r.Games >= leastGames && r.Slope > 0 && r.SE > 0 && r.SE <= r.Slope/4
}

// loss returns the mean loss of a slope, in nats a position.
func loss(list [][]decision, slope float64) (sum float64) {
	n := 0
	for _, game := range list {
		for _, d := range game {
			x := slope * d.score
			sum += max(-x, 0) + math.Log1p(math.Exp(-math.Abs(x))) + (1-d.points)*x // finite even where the chance is 0 or 1
			n++
		}
	}
	return sum / float64(n)
}
