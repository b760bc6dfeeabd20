package gamestats

import (
	"math"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
)

// game returns a recorded game of plies decisions, A's first if number is
// 0. nodes and score return the values of a ply for the deciding player.
func game(number int32, xScore float64, plies int, nodes func(ply int) int64, score func(ply int, x bool) float64) datasets.Played {
	p := datasets.Played{GameRow: datasets.GameRow{Trial: 2, Pair: 7, Game: number, AScore: xScore, Reason: "goal", Plies: int32(plies), OpeningPlies: 2}}
	for ply := 2; ply < plies; ply++ {
		side := int32(ply % 2)
		d := datasets.MoveRow{Ply: int32(ply), Side: side, Player: datasets.PlayerA, Nodes: nodes(ply)}
		if side != number {
			d.Player = datasets.PlayerB
		}
		d.Score = score(ply, d.Player == datasets.PlayerA)
		p.Decisions = append(p.Decisions, d)
	}
	return p
}

func TestMovesHaveMediansByPly(t *testing.T) {
	var m Moves
	if len(m.Plots()) != 0 || len(m.Turns()) != 0 {
		t.Error("nothing recorded, and yet something to show")
	}
	for i := range 200 {
		m.Add(game(int32(i%2), 0.5, 12, func(ply int) int64 { return int64(100 * ply * (1 + i%3)) }, func(int, bool) float64 { return 0 }), [2]string{"a", "b"})
	}
	m.Add(game(0, 0.5, 40, func(int) int64 { return 5 }, func(int, bool) float64 { return 0 }), [2]string{"a", "b"})
	plots := m.Plots()
	if len(plots) != 1 || plots[0].Name != "nodes-by-ply" { // no times were recorded
		t.Fatalf("%d plots", len(plots))
	}
	fig := plots[0].Figure.(figure.Lines)
	if len(fig.Series) != 2 || fig.Series[0].Name != "a" || fig.Series[1].Name != "b" {
		t.Fatalf("series %+v", fig.Series)
	}
	points := fig.Series[0].Points
	if last := points[len(points)-1]; len(points) != 5 || points[0].X != 2 || last.X != 10 {
		t.Errorf("from %v to %v: a ply that one game reached is no median", points[0], points[len(points)-1])
	}
	// At plies 4 and 5 there are 400 to 1,500 nodes, evenly in six heaps.
	if p := points[1]; math.Abs(p.Y/900-1) > 0.15 || math.Abs(p.Lo/400-1) > 0.04 || math.Abs(p.Hi/1500-1) > 0.04 {
		t.Errorf("ply 4: %+v", p)
	}
}

func TestTurnIsLossWithHighestScore(t *testing.T) {
	var m Moves
	one := func(int) int64 { return 1 }
	quiet := game(0, 0, 30, one, func(int, bool) float64 { return 10 })
	turned := game(1, 0, 30, one, func(ply int, x bool) float64 {
		if x && ply > 10 && ply < 20 {
			return 30
		}
		return 5
	})
	spiked := game(0, 0, 30, one, func(ply int, x bool) float64 {
		if x && ply > 10 && ply < 20 {
			return 10_000 // a bonus
		}
		return 5
	})
	won := game(0, 1, 30, one, func(int, bool) float64 { return 99 })
	for _, g := range []datasets.Played{quiet, turned, spiked, won} {
		m.Add(g, [2]string{"a", "b"})
	}
	list := m.Turns()
	if len(list) != 2 || list[0].Loser() != "a" || list[0].winner() != "b" || list[0].Game.Game != 1 || list[0].Score != 30 || list[1].Loser() != "b" || list[1].Score != 99 {
		t.Fatalf("turns: %+v, want the best score of each loser", list)
	}
	fig, ok := list[0].Graph()
	if !ok || fig.Series[0].Name != "b, first" || fig.Series[1].Name != "a, second" {
		t.Fatalf("%v, %+v", ok, fig.Series)
	}
	// The second player's scores are from the first's point of view.
	for _, p := range fig.Series[1].Points {
		if want := map[bool]float64{true: -30, false: -5}[p.X > 10 && p.X < 20]; p.Y != want {
			t.Errorf("ply %v: %v, want %v", p.X, p.Y, want)
		}
	}
	m.Add(quiet, [2]string{"c", "d"})
	if len(m.Turns()) != 0 {
		t.Error("scores of four players are set against each other")
	}
}

func TestScoreGraphIsFirstSidesView(t *testing.T) {
	fig, ok := ScoreGraph("t", "", [2]string{"a", "b"}, 0, []Scored{{0, true, 0.5, 0}, {1, false, 0.75, 0}, {2, true, 0.1, -3}, {3, false, math.NaN(), 0}})
	if first, second := fig.Series[0].Points, fig.Series[1].Points; !ok || first[0].Y != 0 || second[0].Y != -0.5 || first[1].Y != -0.5 || !strings.HasPrefix(fig.YLabel, "chance") {
		t.Errorf("chances: %v, %+v", ok, fig)
	}
	if _, ok := ScoreGraph("t", "", [2]string{"a", "b"}, 0, []Scored{{0, true, math.NaN(), 0}}); ok {
		t.Error("a graph of no score")
	}
	fig, _ = ScoreGraph("t", "", [2]string{"a", "b"}, 4, []Scored{{4, true, 1, 0}, {5, false, 2, 0}, {6, true, 3, 0}, {7, false, 2, 0}, {8, true, 10_000, 0}, {9, false, 2, 0}, {10, true, 2, 0}, {11, false, 1e300, 0}})
	if cut := fig.Series[0].Points[2].Y; cut <= 0 || cut > 10 || !strings.Contains(fig.Subtitle, "the opening has 4 plies") {
		t.Errorf("cut at %v, subtitle %q", cut, fig.Subtitle)
	}
	if _, err := (reports.Page{Title: "t", Sections: []reports.Section{{Title: "s", Blocks: []reports.Block{reports.Plot{Name: "p", Figure: fig}}}}}).HTML(); err != nil {
		t.Error(err)
	}
}
