package tournament

import (
	"math"
	"strings"
	"testing"

	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/rating"
)

// standingOf is that of players a, b and c after pairs of a and of c, each with b, and of c with a, by their points:
// "w" is a pair won, "l" lost, "-" one game each, "h" won and drawn, "g" drawn and won, "d" drawn twice.
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

// TestStrongest: in a gauntlet of b, a is ahead of b, but a and c did not meet, and the difference of
// the two, with the errors of both, is not shown: whoever is third may be the strongest.
func TestStrongest(t *testing.T) {
	split := strings.Repeat("-", 20)
	for third, shown := range map[string]bool{strings.Repeat("wl", 10) + "l": false,
		split + strings.Repeat("l", 20): true} {
		s := standingOf(t, split+strings.Repeat("w", 14)+strings.Repeat("l", 4), third)
		lead, half := s.Lead()
		title, order := s.title(), s.Name(0)+s.Name(1)+s.Name(2)
		if lead <= half || order != "abc" || strings.Contains(title, "a is the strongest of 3") != shown {
			t.Errorf("%q with the third's %s, and a %v ± %v ahead of %s", title, third, lead, half, s.Name(1))
		}
	}
}

// TestOneSided: who won everything has no rating, and who won nearly everything, or drew all but won
// games, one that is too sure; three pairs of equals have neither warning.
func TestOneSided(t *testing.T) {
	won := strings.Repeat("w", 30)
	for pairs, want := range map[string]string{won: "lost every game: `a`", won + "---": "hardly any game: `a`", "w-l": "",
		strings.Repeat("h", 40): "hardly any game: `a`", strings.Repeat("d", 40): "hardly any game: `a`"} {
		got := strings.Join(standingOf(t, pairs, "w-l").oneSided(), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", pairs, got, want)
		}
	}
}

// TestStretched: of 100 pairs won and drawn the score is 75 %, +191 Elo; the fit takes it for many draws
// between equals, and has the players closer together.
func TestStretched(t *testing.T) {
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

// TestUnlike: c, even with b and beaten by a as often as b is, fits their ratings; c that loses all to a does
// not, nor does it if there are few pairs.
func TestUnlike(t *testing.T) {
	mixed := strings.Repeat("wl-", 20)
	for ca, want := range map[string]string{strings.Repeat("-l", 30): "", strings.Repeat("l", 60): "`c` scored 0.0 % against `a`, but by their Elo",
		strings.Repeat("l", 5): ""} {
		got := strings.Join(standingOf(t, strings.Repeat("-w", 30), mixed, ca).oneSided(), "")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", ca, got, want)
		}
	}
}

// TestFewPairs: a hundred pairs are not few because both sides won one game of each.
func TestFewPairs(t *testing.T) {
	for n, want := range map[int]bool{20: true, 100: false} {
		r := &Result{Config: &Config{}, Schedule: &schedule.Tournament{}}
		r.Games.First = rating.Pairs{2: n}
		if got := strings.Join(r.Cautions(), ""); strings.Contains(got, "So few pairs") != want {
			t.Errorf("%d pairs: %q", n, got)
		}
	}
}

// TestPlace: players with the same rating share a place, and the next place is left out.
func TestPlace(t *testing.T) {
	for pairs, want := range map[string][3]int{"ww-": {1, 1, 3}, "w--": {1, 2, 3}} {
		s := standingOf(t, "ww-", pairs)
		if got := [3]int{s.Place(0), s.Place(1), s.Place(2)}; got != want {
			t.Errorf("%s: %v, want %v", pairs, got, want)
		}
	}
}

// TestEachPlayed: a cross table says of how many games its scores are.
func TestEachPlayed(t *testing.T) {
	for want, pairs := range map[string][3]string{"4 games": {"wl", "w-"}, "2 to 6 games": {"w", "wl", "w--"}} {
		if got := standingOf(t, pairs[0], pairs[1], pairs[2]).eachPlayed(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
