package match

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
)

func tournament(t testing.TB, names ...string) *Tournament {
	tour := &Tournament{Pairs: 7, Round: 3}
	for _, name := range names {
		tour.Entrants = append(tour.Entrants, Entrant{Name: name, Vector: vector(t, name)})
	}
	tour.Pairings = RoundRobin(len(names))
	return tour
}

func TestPairings(t *testing.T) {
	for _, c := range []struct {
		got, want []Pairing
	}{
		{RoundRobin(4), []Pairing{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
		{Gauntlet(4, 2), []Pairing{{2, 0}, {2, 1}, {2, 3}}},
		{Neighbours(4, 1), []Pairing{{0, 1}, {1, 2}, {2, 3}}},
		{Neighbours(4, 2), []Pairing{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// TestTournament: rounds cover every pairing, workers and resuming do not show
// in the rows, and no two trials of a pairing share openings.
func TestTournament(t *testing.T) {
	tour := tournament(t, "final", "v12.7", "bad")
	c, want := campaign(t, 1)
	if err := tour.Run(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	if len(want.trials) != 9 || int64(len(want.games)) != tour.Games() || tour.Rounds() != 3 {
		t.Fatalf("%d trials, %d games, %d rounds", len(want.trials), len(want.games), tour.Rounds())
	}
	openings := map[string]bool{}
	for i, row := range want.trials {
		p := tour.Of(row.Trial)
		if p != tour.Pairings[i%3] || row.Phase != tour.Phase(p) || row.Openings != uint64(i/3) ||
			!slices.Equal(row.X, tour.Entrants[p.X].Vector) || !slices.Equal(row.Than, tour.Entrants[p.Than].Vector) {
			t.Errorf("trial %d is %s of stream %d", i, row.Phase, row.Openings)
		}
		if pairs := []int32{3, 3, 1}[i/3]; row.Pairs != pairs {
			t.Errorf("trial %d of %d pairs, want %d", i, row.Pairs, pairs)
		}
	}
	for _, g := range want.games {
		if g.Game == 0 {
			openings[strings.Join(strings.Fields(g.Moves)[:4], " ")] = true
		}
	}
	if len(openings) < 19 {
		t.Errorf("%d openings in 21 pairs", len(openings))
	}
	for n := range len(want.trials) + 1 {
		c, m := campaign(t, 2)
		m.trials, m.games = slices.Clone(want.trials[:n]), nil
		for _, g := range want.games {
			if g.Trial < int64(n) {
				m.games = append(m.games, g)
			}
		}
		c.Replayed = rows(want.trials[:n])
		observed := 0
		if err := tour.Run(t.Context(), c, func(datasets.TrialRow) { observed++ }); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(m, want) || observed != 9 || c.Replays() != int64(n) {
			t.Errorf("resumed after %d trials: other rows, %d observed, %d replayed", n, observed, c.Replays())
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestEqualEntrantsAreEven: one player under two names scores exactly one half
// against itself.
func TestEqualEntrantsAreEven(t *testing.T) {
	tour := tournament(t, "final", "final")
	tour.Entrants[1].Name = "again"
	c, m := campaign(t, 2)
	if err := tour.Run(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	for _, row := range m.trials {
		if row.Even != row.Pairs {
			t.Errorf("trial %d: %+v", row.Trial, row)
		}
	}
}

func TestTournamentCheck(t *testing.T) {
	for _, c := range []struct {
		change func(*Tournament)
		want   string
	}{
		{func(t *Tournament) { t.Entrants = t.Entrants[:1] }, "a tournament of 1"},
		{func(t *Tournament) { t.Entrants[1].Name = "final" }, `two players are named "final"`},
		{func(t *Tournament) { t.Entrants[1].Name = " " }, "player 2 has no name"},
		{func(t *Tournament) { t.Pairings = nil }, "without pairings"},
		{func(t *Tournament) { t.Pairings = []Pairing{{0, 0}} }, "pairing of players 1 and 1 of 2"},
		{func(t *Tournament) { t.Pairings = []Pairing{{0, 2}} }, "pairing of players 1 and 3 of 2"},
		{func(t *Tournament) { t.Pairs = 0 }, "0 pairs"},
		{func(t *Tournament) { t.Round = 0 }, "rounds of 0"},
	} {
		tour := tournament(t, "final", "bad")
		c.change(tour)
		cam, m := campaign(t, 1)
		err := tour.Run(t.Context(), cam, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(m.trials) != 0 {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// TestOwnLimits: each entrant plays within its own limits, whoever it meets.
func TestOwnLimits(t *testing.T) {
	tour := tournament(t, "final", "v12.7", "bad")
	for i := range tour.Entrants {
		tour.Entrants[i].Limits = engines.Limits{Nodes: int64(i + 1)}
	}
	c, _ := campaign(t, 1)
	if err := tour.Run(t.Context(), c, func(row datasets.TrialRow) {
		p := tour.Of(row.Trial)
		if c.Limits != [2]engines.Limits{{Nodes: int64(p.X + 1)}, {Nodes: int64(p.Than + 1)}} {
			t.Errorf("%s with limits %v", row.Phase, c.Limits)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// TestFaultsOfPairings: a player that always faults ends the tournament, and the
// pairing and the player are named; the others' games do not hide it.
func TestFaultsOfPairings(t *testing.T) {
	for _, limit := range []FaultLimit{{}, {Games: 4, Share: 0.5}} {
		c, m := faultyCampaign(t, "panic", nil, engines.Limits{})
		c.FaultLimit = limit
		tour := tournament(t, "final", "v12.7", "bad")
		err := tour.Run(t.Context(), c, nil)
		if limit.IsZero() {
			if err != nil || len(m.trials) != 9 {
				t.Errorf("without a limit: %v after %d trials", err, len(m.trials))
			}
			continue
		}
		fault, ok := errors.AsType[*FaultError](err)
		if !ok || !strings.Contains(err.Error(), "final v bad, round 1") || fault.Who != 1 || fault.Faults != 6 || fault.Games != 6 {
			t.Errorf("with a limit: %v", err)
		}
	}
}
