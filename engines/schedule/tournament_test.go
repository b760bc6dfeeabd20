package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/quoridor"
	"selfplaylab/engines/schedule"
	"selfplaylab/engines/testmode"
)

// newTournament returns a round robin of Quoridor's presets.
func newTournament(t testing.TB, names ...string) *schedule.Tournament {
	t.Helper()
	tour := &schedule.Tournament{Pairs: 7, Round: 3, Pairings: schedule.RoundRobin(len(names))}
	for _, name := range names {
		p, err := quoridor.Game().Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		tour.Players = append(tour.Players, player.Config{Name: name, Values: p.Vector})
	}
	return tour
}

// kept is a Recorder that keeps everything.
type kept []schedule.Finished

func (k *kept) Append(t datasets.TrialRow, g []datasets.GameRow, _ []datasets.MoveRow) error {
	*k = append(*k, schedule.Finished{Trial: t, Games: g})
	return nil
}

// games returns the games of all trials.
func (k kept) games() (all []datasets.GameRow) {
	for _, f := range k {
		all = append(all, f.Games...)
	}
	return all
}

// newCampaign returns a campaign of Quoridor. wrap, if not nil, replaces each player of the
// game.
func newCampaign(t testing.TB, workers int, wrap func(engines.Player) engines.Player) (*schedule.Runner, *kept) {
	t.Helper()
	v, err := quoridor.Game().Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	if own := v.NewPlayer; wrap != nil {
		v.NewPlayer = func() engines.Player { return wrap(own()) }
	}
	k := &kept{}
	return &schedule.Runner{
		Setup: play.Setup{Game: v.Game.Name, Version: v.Game.Version, Rules: v.Rules, Seed: 5, OpeningPlies: 4},
		Pool:  schedule.Local{Variant: v, Workers: workers}, Record: k,
	}, k
}

// playAll plays a source and returns the recorded trials.
func playAll(t testing.TB, workers int, src schedule.Source) kept {
	t.Helper()
	c, k := newCampaign(t, workers, nil)
	if err := c.Run(t.Context(), src); err != nil {
		t.Fatal(err)
	}
	return *k
}

func TestPairingsMeetAsNamed(t *testing.T) {
	for _, c := range []struct {
		got, want []schedule.Pairing
	}{
		{schedule.RoundRobin(4), []schedule.Pairing{{A: 0, B: 1}, {A: 0, B: 2}, {A: 0, B: 3}, {A: 1, B: 2}, {A: 1, B: 3}, {A: 2, B: 3}}},
		{schedule.Gauntlet(4, 2), []schedule.Pairing{{A: 2, B: 0}, {A: 2, B: 1}, {A: 2, B: 3}}},
		{schedule.Neighbours(4, 1), []schedule.Pairing{{A: 0, B: 1}, {A: 1, B: 2}, {A: 2, B: 3}}},
		{schedule.Neighbours(4, 2), []schedule.Pairing{{A: 0, B: 1}, {A: 0, B: 2}, {A: 1, B: 2}, {A: 1, B: 3}, {A: 2, B: 3}}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// TestTournamentCoversEveryPairing plays rounds that cover every pairing. The number of workers
// and resuming do not show in the rows, and no two trials of a pairing share openings.
func TestTournamentCoversEveryPairing(t *testing.T) {
	names := []string{"final", "v12.7", "bad"}
	tour := newTournament(t, names...)
	want := playAll(t, 1, tour)
	if len(want) != 9 || int64(len(want.games())) != tour.Games() || tour.Rounds() != 3 {
		t.Fatalf("%d trials, %d games, %d rounds", len(want), len(want.games()), tour.Rounds())
	}
	for i, f := range want {
		row, p := f.Trial, tour.Pairings[tour.Of(f.Trial.Trial)]
		if p != tour.Pairings[i%3] || row.Phase != tour.Phase(p) || row.Openings != uint64(i/3) ||
			!slices.Equal(row.A, tour.Players[p.A].Values) || !slices.Equal(row.B, tour.Players[p.B].Values) {
			t.Errorf("trial %d is %s of stream %d", i, row.Phase, row.Openings)
		}
		if pairs := []int32{3, 3, 1}[i/3]; row.Pairs != pairs {
			t.Errorf("trial %d of %d pairs, want %d", i, row.Pairs, pairs)
		}
	}
	openings := map[string]bool{}
	for _, g := range want.games() {
		if g.Game == 0 {
			openings[strings.Join(strings.Fields(g.Moves)[:4], " ")] = true
		}
	}
	if len(openings) < 19 {
		t.Errorf("%d openings in 21 pairs", len(openings))
	}
	for n := range len(want) + 1 {
		c, k := newCampaign(t, 2, nil)
		c.Replayed = func(yield func(schedule.Finished, error) bool) {
			for _, f := range want[:n] {
				if f.Replayed = true; !yield(f, nil) {
					return
				}
			}
		}
		observed, replayed := 0, 0
		c.Observe = func(f schedule.Finished) error {
			if observed++; f.Replayed {
				replayed++
			}
			return nil
		}
		if err := c.Run(t.Context(), newTournament(t, names...)); err != nil {
			t.Fatal(err)
		}
		if whole := append(slices.Clone(want[:n]), *k...); !reflect.DeepEqual(whole, want) || observed != 9 || replayed != n {
			t.Errorf("resumed after %d trials: other rows, %d observed, %d replayed", n, observed, replayed)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNamesChangeNoGame: names of players and other players of the tournament change no game;
// another player, other limits or another seed do.
func TestNamesChangeNoGame(t *testing.T) {
	tour := newTournament(t, "final", "v12.7", "bad")
	moves := func(k kept, phase string) (list []string) {
		for _, g := range k.games() {
			if g.Phase == phase {
				list = append(list, g.Moves)
			}
		}
		return list
	}
	want := moves(playAll(t, 2, tour), "v12.7 v bad")
	if len(want) != 14 {
		t.Fatalf("%d games, want 14", len(want))
	}
	renamed := newTournament(t, "final", "v12.7", "bad")
	for i := range renamed.Players {
		renamed.Players[i].Name = fmt.Sprintf("somebody %d", i)
	}
	if got := moves(playAll(t, 2, renamed), "somebody 1 v somebody 2"); !slices.Equal(got, want) {
		t.Error("other games under other names")
	}
	if got := moves(playAll(t, 2, newTournament(t, "v12.7", "bad")), "v12.7 v bad"); !slices.Equal(got, want) {
		t.Error("other games without a third player")
	}
	posing := newTournament(t, "final", "v12.7", "v16.7")
	posing.Players[2].Name = "bad"
	limited := newTournament(t, "final", "v12.7", "bad")
	limited.Players[1].Limits = engines.Limits{Nodes: 1}
	for what, other := range map[string]*schedule.Tournament{"another player under the name": posing, "other limits": limited} {
		got := moves(playAll(t, 2, other), "v12.7 v bad")
		if len(got) != 14 || openingsOf(got) == openingsOf(want) {
			t.Errorf("%s: %d games from the same openings", what, len(got))
		}
	}
}

// openingsOf joins the first four plies of games.
func openingsOf(moves []string) string {
	var all []string
	for _, m := range moves {
		all = append(all, strings.Join(strings.Fields(m)[:4], " "))
	}
	return strings.Join(all, ", ")
}

// TestEqualPlayersAreEven has one player under two names, which scores exactly one half against
// itself.
func TestEqualPlayersAreEven(t *testing.T) {
	tour := newTournament(t, "final", "final")
	tour.Players[1].Name = "again"
	for _, f := range playAll(t, 2, tour) {
		if f.Trial.Even != f.Trial.Pairs {
			t.Errorf("trial %d: %+v", f.Trial.Trial, f.Trial)
		}
	}
}

func TestTournamentCheckNamesTheFault(t *testing.T) {
	if err := newTournament(t, "final", "bad").Check(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		change func(*schedule.Tournament)
		want   string
	}{
		{func(t *schedule.Tournament) { t.Players = t.Players[:1] }, "a tournament of 1"},
		{func(t *schedule.Tournament) { t.Players[1].Name = "final" }, `two players are named "final"`},
		{func(t *schedule.Tournament) { t.Players[1].Name = " " }, "player 2 has no name"},
		{func(t *schedule.Tournament) { t.Pairings = nil }, "without pairings"},
		{func(t *schedule.Tournament) { t.Pairings = []schedule.Pairing{{A: 0, B: 0}} }, "pairing of players 1 and 1 of 2"},
		{func(t *schedule.Tournament) { t.Pairings = []schedule.Pairing{{A: 0, B: 2}} }, "pairing of players 1 and 3 of 2"},
		{func(t *schedule.Tournament) { t.Pairs = 0 }, "0 pairs"},
		{func(t *schedule.Tournament) { t.Round = 0 }, "rounds of 0"},
	} {
		tour := newTournament(t, "final", "bad")
		c.change(tour)
		if err := tour.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// watched is a player that reports every decision with its limits.
type watched struct {
	engines.Player
	values []float64
	chose  func(values []float64, l engines.Limits)
}

func (w *watched) Configure(v []float64) error {
	w.values = slices.Clone(v)
	return w.Player.Configure(v)
}

func (w *watched) Choose(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
	w.chose(w.values, l)
	return w.Player.Choose(ctx, h, l)
}

// TestEachPlayerHasItsOwnLimits plays each player within its own limits, whatever the limits of
// its opponent.
func TestEachPlayerHasItsOwnLimits(t *testing.T) {
	tour := newTournament(t, "final", "v12.7", "bad")
	for i := range tour.Players {
		tour.Players[i].Limits = engines.Limits{Nodes: int64(i + 1)}
	}
	var decisions [3]atomic.Int64
	c, _ := newCampaign(t, 3, func(p engines.Player) engines.Player {
		return &watched{Player: p, chose: func(values []float64, l engines.Limits) {
			i := slices.IndexFunc(tour.Players, func(e player.Config) bool { return slices.Equal(e.Values, values) })
			if decisions[i].Add(1); l != tour.Players[i].Limits {
				t.Errorf("%s with limits %v", tour.Players[i].Name, l)
			}
		}}
	})
	if err := c.Run(t.Context(), tour); err != nil {
		t.Fatal(err)
	}
	for i := range decisions {
		if decisions[i].Load() == 0 {
			t.Errorf("%s never chose", tour.Players[i].Name)
		}
	}
}

// TestFaultsAreJudgedByPairing has a player that always faults: it ends the tournament, and the
// error names the pairing and the player. Games of others do not hide the faults.
func TestFaultsAreJudgedByPairing(t *testing.T) {
	bad := newTournament(t, "bad").Players[0].Values
	for _, limit := range []schedule.FaultLimit{{}, {Games: 4, Share: 0.5}} {
		for _, workers := range []int{1, 8} {
			c, k := newCampaign(t, workers, func(p engines.Player) engines.Player {
				return &watched{Player: p, chose: func(values []float64, _ engines.Limits) {
					if slices.Equal(values, bad) {
						panic("boom")
					}
				}}
			})
			c.FaultLimit = limit
			err := c.Run(t.Context(), newTournament(t, "final", "v12.7", "bad"))
			if limit.IsZero() {
				if err != nil || len(*k) != 9 {
					t.Errorf("without a limit: %v after %d trials", err, len(*k))
				}
				continue
			}
			fault, ok := errors.AsType[*schedule.FaultError](err)
			if !ok || fault.Phase != "final v bad" || fault.Name != "bad" || fault.Who != 1 || fault.Faults != 6 || fault.Games != 6 || fault.Trial != 1 || len(*k) != 2 {
				t.Errorf("with a limit: %v after %d trials", err, len(*k))
			}
		}
	}
}

// TestTournamentTakesBookInOrder plays the openings of a book one after the other in each
// pairing, across rounds.
func TestTournamentTakesBookInOrder(t *testing.T) {
	c, k := newCampaign(t, 4, nil)
	v := c.Pool.(schedule.Local).Variant
	r := rand.New(rand.NewPCG(1, 2))
	for range 7 {
		c.Setup.Book = append(c.Setup.Book, v.Opening(r, 3))
	}
	tour := newTournament(t, "final", "v12.7", "bad")
	tour.InOrder = true
	if err := c.Run(t.Context(), tour); err != nil {
		t.Fatal(err)
	}
	ref := v.NewReferee()
	seen := map[string]int{}
	for _, g := range k.games() {
		n := seen[g.Phase] / 2
		seen[g.Phase]++
		var want []string
		for _, m := range c.Setup.Book[n].Moves {
			want = append(want, ref.MoveString(m))
		}
		if got := strings.Fields(g.Moves)[:3]; !slices.Equal(got, want) {
			t.Errorf("%s, game %d begins %v, want opening %d, %v", g.Phase, seen[g.Phase]-1, got, n, want)
		}
	}
}

// slow is a player that needs a millisecond a move.
type slow struct {
	engines.Player
	moves *atomic.Int64
}

const thinking = time.Millisecond

func (s *slow) Choose(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
	time.Sleep(thinking)
	s.moves.Add(1)
	return s.Player.Choose(ctx, h, l)
}

// oneByOne proposes a trial when the previous one is told: a barrier after every pairing and
// round.
type oneByOne struct {
	*schedule.Tournament
	proposed int
}

func (o *oneByOne) Ask(int) []schedule.Trial {
	if o.proposed == o.Rounds()*len(o.Pairings) {
		return nil
	}
	o.Tournament.Ask(0) // so that it accepts Tell
	o.proposed++
	return []schedule.Trial{o.Trial(o.proposed - 1)}
}

// long returns a tournament of many short rounds: 6 of 6 pairings.
func long(t testing.TB) *schedule.Tournament {
	tour := newTournament(t, "final", "v12.7", "v16.7", "bad")
	tour.Pairs, tour.Round = 48, 8
	return tour
}

// idle plays a source with players that need time. It returns the total time, the time of all
// moves and of the longest pair, and the rows.
func idle(t testing.TB, workers int, src schedule.Source) (took, all, longest time.Duration, rows kept) {
	var moves atomic.Int64
	c, k := newCampaign(t, workers, func(p engines.Player) engines.Player { return &slow{p, &moves} })
	start := time.Now()
	if err := c.Run(t.Context(), src); err != nil {
		t.Fatal(err)
	}
	took = time.Since(start)
	pair := time.Duration(0)
	for _, g := range k.games() {
		if g.Game == 0 {
			pair = 0
		}
		pair += time.Duration(g.Plies-g.OpeningPlies) * thinking
		longest = max(longest, pair)
	}
	return took, time.Duration(moves.Load()) * thinking, longest, *k
}

// TestTournamentKeepsAllWorkersBusy bounds the time of a tournament with any number of workers,
// in a synctest bubble, where only the players' thinking takes time. If no worker is idle while
// a pair is left, the last pair begins at all/workers at the latest (Graham 1966), so the total
// time is at most all/workers plus the longest pair.
func TestTournamentKeepsAllWorkersBusy(t *testing.T) {
	testmode.Raced(t, "plays a tournament several times")
	var want kept
	list := []int{1, 64}
	if testmode.Long() {
		list = append(list, 2, 16)
	}
	for _, workers := range list {
		synctest.Test(t, func(t *testing.T) {
			took, all, longest, rows := idle(t, workers, long(t))
			bound := all/time.Duration(workers) + longest
			t.Logf("%d workers: %v of thinking in %v, at most %v without waiting", workers, all, took, bound)
			if took > bound {
				t.Errorf("%d workers took %v, want at most %v", workers, took, bound)
			}
			if want == nil {
				want = rows
			} else if !reflect.DeepEqual(rows, want) {
				t.Errorf("%d workers gave other rows", workers)
			}
		})
	}
	// A source with barriers exceeds the bound.
	synctest.Test(t, func(t *testing.T) {
		took, all, longest, rows := idle(t, 64, &oneByOne{Tournament: long(t)})
		if took <= all/64+longest {
			t.Errorf("with barriers 64 workers took %v of %v: this test sees no waiting", took, all)
		}
		t.Logf("with barriers: %v", took)
		if !reflect.DeepEqual(rows, want) {
			t.Error("barriers gave other rows")
		}
	})
}

// BenchmarkTournament measures the wall time of the same tournament with barriers after each
// pairing and round, and without.
func BenchmarkTournament(b *testing.B) {
	for _, workers := range []int{1, 2, 16, 64} {
		b.Run(fmt.Sprintf("barriers/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				idle(b, workers, &oneByOne{Tournament: long(b)})
			}
		})
		b.Run(fmt.Sprintf("none/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				idle(b, workers, long(b))
			}
		})
	}
}
