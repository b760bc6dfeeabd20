package schedule

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
)

// TestNumberOfWorkersDoesNotShowInRows plays with any number of workers, also with several
// trials in flight: rows and their order are the same.
func TestNumberOfWorkersDoesNotShowInRows(t *testing.T) {
	var want *memory
	for _, workers := range []int{1, 2, 16} {
		c, m := campaign(t, workers)
		playAll(t, c, &Fixed{X: vector(t, "final"), Than: vector(t, "v12.7"), Pairs: 150})
		if want == nil {
			want = m
			if len(m.games) != 300 || len(m.trials) != 3 {
				t.Fatalf("%d games in %d trials", len(m.games), len(m.trials))
			}
		}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("%d workers gave other rows", workers)
		}
		if c.Games() != 300 {
			t.Errorf("counted %d games", c.Games())
		}
	}
}

// TestEqualPlayersAreEven: a player against itself plays the same game twice in each pair, so
// it scores exactly one half.
func TestEqualPlayersAreEven(t *testing.T) {
	c, m := campaign(t, 2)
	playAll(t, c, &Fixed{X: vector(t, "final"), Than: vector(t, "final"), Pairs: 40})
	for i := 0; i < len(m.games); i += 2 {
		if m.games[i].Moves != m.games[i+1].Moves {
			t.Fatalf("pair %d: different games", i/2)
		}
	}
	row := m.trials[0]
	if row.Even != row.Pairs {
		t.Errorf("pairs %+v", row)
	}
	if 2*row.Compared != row.Decisions || row.Differing != 0 {
		t.Errorf("of %d decisions %d compared, %d differ; want half of them compared and none differing", row.Decisions, row.Compared, row.Differing)
	}
	different := map[string]bool{}
	for _, g := range m.games {
		different[g.Moves] = true
	}
	if len(different) < 38 {
		t.Errorf("only %d different games of 40", len(different))
	}
}

// TestRowsAddUp checks every sum against the games, which a referee replays.
func TestRowsAddUp(t *testing.T) {
	c, m := campaign(t, 2)
	playAll(t, c, &Fixed{X: vector(t, "v30.7"), Than: vector(t, "final"), Pairs: 64})
	ref := c.Variant.NewReferee()
	var score float64
	var plies, first, decisions, compared int64
	var differing int32
	var pairs [5]int32
	for i, g := range m.games {
		if g.Pair != int32(i/2) || g.Game != int32(i%2) {
			t.Fatalf("row %d is game %d of pair %d", i, g.Game, g.Pair)
		}
		if i%2 == 1 {
			a, b := strings.Fields(m.games[i-1].Moves), strings.Fields(g.Moves)
			if !slices.Equal(a[:4], b[:4]) {
				t.Errorf("pair %d has two openings", g.Pair)
			}
			pairs[int(2*(g.AScore+m.games[i-1].AScore))]++
			common := 4
			for common < min(len(a), len(b)) && a[common] == b[common] {
				common++
			}
			compared += int64(common - 4)
			if common < min(len(a), len(b)) {
				compared++
				differing++
			}
		}
		if err := ref.Reset(g.Position); err != nil {
			t.Fatal(err)
		}
		moves := strings.Fields(g.Moves)
		for _, text := range moves {
			move, err := ref.ParseMove(text)
			if err != nil || !ref.Legal(move) {
				t.Fatalf("game %d: %s: %v", i, text, err)
			}
			ref.Play(move)
		}
		o, why := ref.Result()
		if o.String() != g.Outcome || string(why) != g.Reason || len(moves) != int(g.Plies) {
			t.Errorf("game %d: %v %v after %d plies, recorded %s %s %d", i, o, why, len(moves), g.Outcome, g.Reason, g.Plies)
		}
		if want := float64(o.Points(engines.Side(g.Game))) / 2; want != g.AScore {
			t.Errorf("game %d: X's score %v, want %v", i, g.AScore, want)
		}
		score += g.AScore
		plies += int64(g.Plies)
		decisions += int64(g.Plies - g.OpeningPlies)
		first += int64(o.Points(engines.First))
	}
	row := m.trials[0]
	if float64(row.Wins)+float64(row.Draws)/2 != score || row.Plies != plies || int64(row.FirstPoints) != first || row.Decisions != decisions ||
		row.Compared != compared || row.Differing != differing || differing == 0 ||
		[5]int32{row.LL, row.LD, row.Even, row.WD, row.WW} != pairs {
		t.Errorf("%+v does not add up", row)
	}
}

// faulty is a player that misbehaves from its third decision on.
type faulty struct {
	engines.Player
	how    string
	chosen int
}

func (f *faulty) Reset(position string, seed uint64) error {
	f.chosen = 0
	if f.how == "reset" {
		return errors.New("no license")
	}
	return f.Player.Reset(position, seed)
}

func (f *faulty) Choose(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
	if f.chosen++; f.chosen < 3 {
		return f.Player.Choose(ctx, h, l)
	}
	switch f.how {
	case "error":
		return engines.Decision{}, errors.New("lost my mind")
	case "panic":
		panic("boom")
	case "illegal":
		return engines.Decision{Move: 0xffff}, nil
	case "slow":
		time.Sleep(l.Time + 3*20*time.Millisecond)
	case "hang":
		<-ctx.Done()
		return engines.Decision{}, ctx.Err()
	}
	return f.Player.Choose(ctx, h, l)
}

// faultyCampaign seats a faulty player as A. The vectors tell the seats apart.
func faultyCampaign(t *testing.T, how string, rules engines.Rules, l engines.Limits) (*rig, *memory) {
	c, m := campaign(t, 2)
	c.Variant = open(t, rules)
	make := c.Variant.NewPlayer
	c.Variant.NewPlayer = func() engines.Player { return &seated{faulty{Player: make(), how: how}} }
	c.Limits = [2]engines.Limits{l, l}
	return c, m
}

// seated is faulty only if it is configured with preset bad.
type seated struct{ faulty }

func (s *seated) Configure(v []float64) error {
	if v[0] != 0 { // a_E of preset bad is 0
		s.how = ""
	}
	return s.Player.Configure(v)
}

func TestFaultsLoseAndHaveNames(t *testing.T) {
	for _, c := range []struct {
		how    string
		rules  engines.Rules
		limits engines.Limits
		reason string
		detail string
	}{
		{how: "reset", reason: "crash", detail: "no license"},
		{how: "error", reason: "crash", detail: "lost my mind"},
		{how: "panic", reason: "crash", detail: "panic: boom"},
		{how: "illegal", reason: "violations"},
		{how: "illegal", rules: engines.Rules{"variant": "standard"}, reason: "illegal"},
		{how: "slow", limits: engines.Limits{Time: 50 * time.Millisecond}, reason: "time", detail: "of 50ms"},
	} {
		t.Run(c.how+c.rules["variant"], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				campaign, m := faultyCampaign(t, c.how, c.rules, c.limits)
				var details []string
				campaign.Noted = noteDetails(&details)
				playAll(t, campaign, &Fixed{X: vector(t, "bad"), Than: vector(t, "final"), Pairs: 3})
				for _, g := range m.games {
					if g.AScore != 0 || g.Reason != c.reason {
						t.Errorf("X scored %v by %s, want 0 by %s", g.AScore, g.Reason, c.reason)
					}
					if illegal := g.IllegalFirst + g.IllegalSecond; (c.how == "illegal") != (illegal > 0) {
						t.Errorf("%d illegal actions", illegal)
					}
				}
				wantFaults := int32(6)
				if c.reason == "violations" { // the game's own penalty, an end by its rules
					wantFaults = 0
				}
				if m.trials[0].FaultsA != wantFaults || m.trials[0].FaultsB != 0 {
					t.Errorf("faults %d and %d, want %d and 0", m.trials[0].FaultsA, m.trials[0].FaultsB, wantFaults)
				}
				if c.detail != "" && (len(details) != 6 || !strings.Contains(details[0], c.detail)) {
					t.Errorf("details %q, want 6 with %q", details, c.detail)
				}
			})
		})
	}
}

// TestCancelEndsRunWithItsCause ends a run with the context's cause although players hang. No
// worker remains, or the test would not return.
func TestCancelEndsRunWithItsCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, m := faultyCampaign(t, "hang", nil, engines.Limits{})
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
		err := c.Run(ctx, &Fixed{X: vector(t, "bad"), Than: vector(t, "final"), Pairs: 10})
		if !errors.Is(err, cause) {
			t.Errorf("ended with %v", err)
		}
		if len(m.trials) != 0 {
			t.Errorf("recorded %d unfinished trials", len(m.trials))
		}
	})
}

// TestResumeGivesSameRows resumes a run with a part of its trials recorded: it plays the rest
// and ends with the same rows. A record with other trials is an error.
func TestResumeGivesSameRows(t *testing.T) {
	fixed := func() *Fixed { return &Fixed{X: vector(t, "final"), Than: vector(t, "v16.7"), Pairs: 5 * chunk} }
	c, want := campaign(t, 2)
	playAll(t, c, fixed())
	for _, n := range []int{0, 1, 3, 5} {
		c, m := campaign(t, 2)
		m.trials, m.games = slices.Clone(want.trials[:n]), slices.Clone(want.games[:2*chunk*n])
		c.Replayed = rows(want.trials[:n])
		playAll(t, c, fixed())
		if !reflect.DeepEqual(m, want) || c.replays != n || c.Games() != int64(2*chunk*(5-n)) {
			t.Errorf("resumed after %d trials: other rows, %d replayed, %d played", n, c.replays, c.Games())
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	other := slices.Clone(want.trials)
	other[2].A = vector(t, "v12.7")
	c, _ = campaign(t, 1)
	c.Replayed = rows(other)
	if err := c.Run(t.Context(), fixed()); !errors.Is(err, ErrDiverged) {
		t.Errorf("other players on record: %v", err)
	}
	c, _ = campaign(t, 1)
	c.Replayed = rows(want.trials)
	short := fixed()
	short.Pairs = 2 * chunk
	playAll(t, c, short)
	if err := c.Close(); !errors.Is(err, ErrDiverged) {
		t.Errorf("more on record than asked for: %v", err)
	}

	c, _ = campaign(t, 1)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	c.Replayed = func(yield func(Finished, error) bool) {
		for f := range rows(want.trials) {
			if f.Trial.Trial == 2 {
				cancel(cause)
			}
			if !yield(f, nil) {
				return
			}
		}
	}
	if err := c.Run(ctx, fixed()); !errors.Is(err, cause) || c.replays != 3 || c.Games() > 0 {
		t.Errorf("stopped while replaying: %v, %d replayed", err, c.replays)
	}
}

func TestRecordFailureEndsTheRun(t *testing.T) {
	c, _ := campaign(t, 2)
	c.Record = failing{}
	err := c.Run(t.Context(), &Fixed{X: vector(t, "final"), Than: vector(t, "bad"), Pairs: 2})
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("ended with %v", err)
	}
}

type failing struct{}

func (failing) Append(datasets.TrialRow, []datasets.GameRow, []datasets.MoveRow) error {
	return errors.New("disk full")
}

// below is a verdict that is decided when A has lost n pairs.
type below int

func (b below) Decided(pairs [5]int) bool { return pairs[0] >= int(b) }

// instant plays the first legal move at once.
type instant struct{ ref engines.Referee }

func (i *instant) Configure([]float64) error { return nil }
func (i *instant) Reset(position string, _ uint64) error {
	return i.ref.Reset(position)
}

func (i *instant) Choose(context.Context, []engines.Move, engines.Limits) (engines.Decision, error) {
	return engines.Decision{}, nil // illegal: three illegal answers end the game
}

// BenchmarkRunner measures the cost of the runner itself: games end after six illegal actions
// of players that answer at once.
func BenchmarkRunner(b *testing.B) {
	for _, s := range []struct {
		workers int
		moves   datasets.RecordMoves
	}{{1, datasets.NoMoves}, {2, datasets.NoMoves}, {1, datasets.KeepMoves}} {
		b.Run(fmt.Sprintf("workers=%d,moves=%s", s.workers, s.moves), func(b *testing.B) {
			v := open(b, nil)
			v.NewPlayer = func() engines.Player { return &instant{ref: v.NewReferee()} }
			v.Opening = func(*rand.Rand, int) engines.Opening { return engines.Opening{} }
			c := &rig{Runner: &Runner{}, Variant: v, Workers: s.workers, Moves: s.moves}
			n := max(b.N/2, 1)
			b.ReportAllocs()
			b.ResetTimer()
			if err := c.Run(b.Context(), &Fixed{X: vector(b, "final"), Than: vector(b, "bad"), Pairs: n}); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(c.Games())/b.Elapsed().Seconds(), "games/s")
		})
	}
}
