package tournament

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
)

// standingOf returns the standing of players a, b and c after pairs of a with b, of c with b, and
// of c with a, by their points: "w" is a pair won, "l" lost, "-" one game each, "h" won and drawn,
// "g" drawn and won, "d" drawn twice.
func standingOf(t *testing.T, ab, cb string, ca ...string) *standing {
	t.Helper()
	c := &Config{Anchor: "b"}
	c.Level, c.Players = 0.95, []player.Config{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	r := &Result{Config: c, results: rating.NewTournament("a", "b", "c"), tallies: [][]rating.Pairs{make([]rating.Pairs, 3), nil, make([]rating.Pairs, 3)},
		Schedule: &schedule.Tournament{Players: c.Players, Pairings: []schedule.Pairing{{A: 0, B: 1}, {A: 2, B: 1}, {A: 2, B: 0}}}}
	for i, pairs := range append([]string{ab, cb}, ca...) {
		met := r.Schedule.Pairings[i]
		for _, p := range pairs {
			points := map[rune][2]int{'w': {2, 2}, '-': {2, 0}, 'l': {0, 0}, 'h': {2, 1}, 'g': {1, 2}, 'd': {1, 1}}[p]
			r.results.AddPair(met.A, met.B, points[0], points[1])
			r.tallies[met.A][met.B][points[0]+points[1]]++
		}
	}
	s, err := r.Standing()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStrongestNeedsShownDifference plays a gauntlet of b: a is ahead of b, but a and c did not
// meet, and their difference, with the errors of both, is not shown. The third player may be the
// strongest.
func TestStrongestNeedsShownDifference(t *testing.T) {
	split := strings.Repeat("-", 20)
	for third, shown := range map[string]bool{strings.Repeat("wl", 10) + "l": false,
		split + strings.Repeat("l", 20): true} {
		s := standingOf(t, split+strings.Repeat("w", 14)+strings.Repeat("l", 4), third)
		lead, half := s.Lead()
		if order := s.Name(0) + s.Name(1) + s.Name(2); lead <= half || order != "abc" || s.strongest() != shown {
			t.Errorf("%v with the third's %s, and a %v ± %v ahead of %s", s.strongest(), third, lead, half, s.Name(1))
		}
	}
}

// TestOneSidedPlayersAreMarked expects no rating of a player that won everything, and a warning of
// a too narrow interval for a player that won nearly everything, or drew all but won games. Three
// pairs of equals have neither.
func TestOneSidedPlayersAreMarked(t *testing.T) {
	won := strings.Repeat("w", 30)
	for pairs, want := range map[string]string{won: "lost every game: `a`", won + "---": "hardly any game: `a`", "w-l": "",
		strings.Repeat("h", 40): "hardly any game: `a`", strings.Repeat("d", 40): "hardly any game: `a`"} {
		got := strings.Join(standingOf(t, pairs, "w-l").oneSided(), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", pairs, got, want)
		}
	}
}

// TestDrawsStretchScale expects a warning after 100 pairs won and drawn: the score is 75 %, +191
// Elo, but the fit attributes it to many draws between equals and puts the players closer together.
func TestDrawsStretchScale(t *testing.T) {
	s := standingOf(t, strings.Repeat("gh", 50), "w-l")
	ahead, _ := s.Ratings.Difference(0, 1)
	score, elo := s.Ratings.Expected(0, 1)
	if math.Abs(score-0.75) > 0.01 || math.Abs(elo-190.8) > 8 || ahead > elo-20 {
		t.Errorf("rated %v, expected %v, %v Elo", ahead, score, elo)
	}
	for pairs, want := range map[string]string{strings.Repeat("gh", 50): "`a` is rated +", strings.Repeat("w-l-", 25): ""} {
		if got := strings.Join(standingOf(t, pairs, "w-l").warnWorstFit(), ""); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", pairs, got, want)
		}
	}
}

// TestUnlikeResultsAreNamed expects no warning for c, which is even with b and loses to a as often
// as b does. It expects one if c loses all games to a, unless there are few pairs.
func TestUnlikeResultsAreNamed(t *testing.T) {
	mixed := strings.Repeat("wl-", 20)
	for ca, want := range map[string]string{strings.Repeat("-l", 30): "", strings.Repeat("l", 60): "`c` scored 0.0 % against `a`, but by their Elo",
		strings.Repeat("l", 5): ""} {
		got := strings.Join(standingOf(t, strings.Repeat("-w", 30), mixed, ca).oneSided(), "")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", ca, got, want)
		}
	}
}

// TestEvenPairsAreNotFew expects no warning of few games for a hundred pairs in which both sides
// won one game each.
func TestEvenPairsAreNotFew(t *testing.T) {
	for n, want := range map[int]bool{20: true, 100: false} {
		r := &Result{Config: &Config{}, Schedule: &schedule.Tournament{}}
		r.Games.First = rating.Pairs{2: n}
		if got := strings.Join(r.Cautions(), ""); strings.Contains(got, "So few pairs") != want {
			t.Errorf("%d pairs: %q", n, got)
		}
	}
}

// TestEqualRatingsSharePlace expects players with the same rating to share a place; the next place
// is left out.
func TestEqualRatingsSharePlace(t *testing.T) {
	for pairs, want := range map[string][3]int{"ww-": {1, 1, 3}, "w--": {1, 2, 3}} {
		s := standingOf(t, "ww-", pairs)
		if got := [3]int{s.Place(0), s.Place(1), s.Place(2)}; got != want {
			t.Errorf("%s: %v, want %v", pairs, got, want)
		}
	}
}

// TestCrossTableCountsGames expects the number of games beside the scores.
func TestCrossTableCountsGames(t *testing.T) {
	for want, pairs := range map[string][3]string{"4 games": {"wl", "w-"}, "2 to 6 games": {"w", "wl", "w--"}} {
		if got := standingOf(t, pairs[0], pairs[1], pairs[2]).eachPlayed(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestManyPlayersHaveReport rates more players than a figure has room for. The matrix is a table,
// and the bars show the first players alone.
func TestManyPlayersHaveReport(t *testing.T) {
	const n = figure.MaxRows + 1
	c, names := &Config{Anchor: "p0"}, make([]string, n)
	c.Level, c.Players = 0.95, make([]player.Config, n)
	for i := range names {
		names[i] = fmt.Sprint("p", i)
		c.Players[i].Name = names[i]
	}
	r := &Result{Config: c, Head: &runs.Head{}, results: rating.NewTournament(names...), tallies: make([][]rating.Pairs, n), Schedule: &schedule.Tournament{Players: c.Players}}
	for i := range r.tallies {
		r.tallies[i] = make([]rating.Pairs, n)
	}
	for i := 1; i < n; i++ {
		r.Schedule.Pairings = append(r.Schedule.Pairings, schedule.Pairing{A: i, B: i - 1})
		r.results.AddPair(i, i-1, 2, 1)
		r.tallies[i][i-1][3]++
		cpu := datasets.PhaseCPU{Phase: r.Schedule.Phase(r.Schedule.Pairings[i-1]), A: datasets.CPUTime{Seconds: 1, Decisions: 2}, B: datasets.CPUTime{Seconds: 3, Decisions: 4}}
		r.Head.Sessions = append(r.Head.Sessions, datasets.Session{CPUTime: []datasets.PhaseCPU{cpu}})
	}
	s, err := r.Standing()
	if err != nil {
		t.Fatal(err)
	}
	if bars := s.bars(true); len(bars.Bars) != figure.MaxRows || bars.Title != "Ratings of the first 200 players" {
		t.Errorf("%d bars, %q", len(bars.Bars), bars.Title)
	}
	if section := s.either("x", reports.Plot{Caption: "c"}, s.Scores()); len(section.Blocks) != 2 {
		t.Errorf("%d blocks; want a caption and the table", len(section.Blocks))
	}
	players, pairings := r.cpuTimes()
	if players[0].Decisions != 4 || players[1] != (datasets.CPUTime{Seconds: 4, Decisions: 6}) || len(pairings) != n-1 || pairings[7][1].Decisions != 4 {
		t.Errorf("processor times %v", players[:3])
	}
}
