package schedule

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// odd is a player whose preset bad behaves oddly from its third decision on.
type odd struct {
	engines.Player
	bad    bool
	chosen int
	reset  func(*odd)
	choose func(ctx context.Context, d engines.Decision) (engines.Decision, error)
}

func (o *odd) Configure(v []float64) error {
	o.bad = v[0] == 0 // a_E of preset bad
	return o.Player.Configure(v)
}

func (o *odd) Reset(position string, seed uint64) error {
	if o.chosen = 0; o.bad && o.reset != nil {
		o.reset(o)
	}
	return o.Player.Reset(position, seed)
}

func (o *odd) Choose(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
	d, err := o.Player.Choose(ctx, h, l)
	if o.chosen++; err != nil || !o.bad || o.chosen < 3 || o.choose == nil {
		return d, err
	}
	return o.choose(ctx, d)
}

// oddCampaign seats odd players. In oddMatch, A has preset bad.
func oddCampaign(t *testing.T, workers int, fixture odd) (*rig, *memory) {
	c, m := campaign(t, workers)
	c.Variant = open(t, engines.Rules{"variant": "standard"}) // the first illegal move loses
	sound := c.Variant.NewPlayer
	c.Variant.NewPlayer = func() engines.Player { o := fixture; o.Player = sound(); return &o }
	return c, m
}

func oddMatch(t *testing.T, pairs int) *Fixed {
	return &Fixed{X: vector(t, "bad"), Than: vector(t, "final"), Pairs: pairs}
}

// TestStalledPlayerLosesAlone has a player that never returns, returns after the runner gave it
// up, or never starts a game. It loses by stall; the other games of the match are unchanged.
func TestStalledPlayerLosesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := make(chan struct{}) // abandoned players end with the test
		t.Cleanup(func() { close(block) })
		var want *memory
		for name, fixture := range map[string]odd{
			"never": {choose: func(_ context.Context, d engines.Decision) (engines.Decision, error) { <-block; return d, nil }},
			"late": {choose: func(_ context.Context, d engines.Decision) (engines.Decision, error) {
				time.Sleep(300 * time.Millisecond)
				return d, nil
			}},
			"polite": {choose: func(ctx context.Context, _ engines.Decision) (engines.Decision, error) {
				<-ctx.Done()
				return engines.Decision{}, ctx.Err()
			}},
		} {
			c, m := oddCampaign(t, 2, fixture)
			c.Setup.Stall = 200 * time.Millisecond
			var details []string
			c.Noted = noteDetails(&details)
			playAll(t, c, oddMatch(t, 2))
			for _, g := range m.games {
				if g.AScore != 0 || g.Reason != "stall" {
					t.Errorf("%s: X scored %v by %s, want 0 by stall", name, g.AScore, g.Reason)
				}
			}
			if m.trials[0].FaultsA != 4 || len(details) != 4 || !strings.Contains(details[0], "no answer within 200ms") {
				t.Errorf("%s: %d faults, %q", name, m.trials[0].FaultsA, details)
			}
			if want == nil {
				want = m
			}
			if !reflect.DeepEqual(m, want) {
				t.Errorf("%s: other games than of another player that stalls at the same move", name)
			}
		}
		c, m := oddCampaign(t, 1, odd{reset: func(*odd) { <-block }})
		c.Setup.Stall = 50 * time.Millisecond
		playAll(t, c, oddMatch(t, 1))
		for _, g := range m.games {
			if g.AScore != 0 || g.Reason != "stall" || g.Plies != g.OpeningPlies {
				t.Errorf("no start: X scored %v by %s after %d plies", g.AScore, g.Reason, g.Plies)
			}
		}
	})
}

// TestCancelDoesNotWaitForStalledPlayers ends a run at a stalled player's deadline at the
// latest.
func TestCancelDoesNotWaitForStalledPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := make(chan struct{})
		t.Cleanup(func() { close(block) })
		c, _ := oddCampaign(t, 1, odd{choose: func(_ context.Context, d engines.Decision) (engines.Decision, error) { <-block; return d, nil }})
		c.Setup.Stall = time.Hour
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
		if err := c.Run(ctx, oddMatch(t, 3)); !errors.Is(err, cause) {
			t.Errorf("ended with %v", err)
		}
	})
}

// TestMoveOfAnotherGameLosesAndIsNamed: a number that is no move, or a move of another game,
// loses, and the detail names it.
func TestMoveOfAnotherGameLosesAndIsNamed(t *testing.T) {
	for _, foreign := range []engines.Move{0, 1 << 31, 0xffffffff, 112 /* gobang's centre */, 1<<20 + 5} {
		c, m := oddCampaign(t, 2, odd{choose: func(_ context.Context, d engines.Decision) (engines.Decision, error) {
			d.Move = foreign
			return d, nil
		}})
		var details []string
		c.Noted = noteDetails(&details)
		if c.Variant.NewReferee().Legal(foreign) {
			t.Fatalf("%#x is legal at the start", foreign)
		}
		playAll(t, c, oddMatch(t, 2))
		for _, g := range m.games {
			if g.AScore != 0 || g.Reason != "illegal" {
				t.Errorf("%#x: X scored %v by %s", foreign, g.AScore, g.Reason)
			}
		}
		if len(details) != 4 || !strings.Contains(details[0], "answered 0x") {
			t.Errorf("%#x: details %q", foreign, details)
		}
	}
}

// doubtful is a pool that doubts its results after its context has ended.
type doubtful struct {
	Local
	doubt error
}

func (d doubtful) Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- Result) error {
	err := d.Local.Play(ctx, s, jobs, results)
	if ctx.Err() != nil {
		return d.doubt
	}
	return err
}

// TestWrongAnswersAreReportedHoweverTheRunEnds expects the error of a pool that finds wrong
// answers, whether faults, the user or a failed record end the run.
func TestWrongAnswersAreReportedHoweverTheRunEnds(t *testing.T) {
	interrupted, full := errors.New("interrupted"), errors.New("no space")
	for _, cause := range []error{nil, interrupted, full} {
		c, _ := oddCampaign(t, 1, odd{choose: func(context.Context, engines.Decision) (engines.Decision, error) { panic("boom") }})
		c.FaultLimit = FaultLimit{Games: 2}
		ctx, cancel := context.WithCancelCause(t.Context())
		switch cause {
		case interrupted:
			c.Arrived = func(string, int64, bool) { cancel(cause) }
		case full:
			c.Observe = func(Finished) error { return cause }
		}
		doubt := &TaintedError{}
		c.Pool = doubtful{Local{Variant: c.Variant, Workers: 1}, doubt}
		if err := c.Runner.Run(ctx, oddMatch(t, 20).source(c)); !errors.Is(err, doubt) || cause != nil && !errors.Is(err, cause) {
			t.Errorf("%v: ended with %v", cause, err)
		}
		cancel(nil)
	}
}

// TestFaultLimitStopsAtSamePair stops the match at the same pair for any number of workers. It
// is recorded up to this pair, and stops again when resumed.
func TestFaultLimitStopsAtSamePair(t *testing.T) {
	crash := odd{choose: func(context.Context, engines.Decision) (engines.Decision, error) { panic("boom") }}
	limit := FaultLimit{Games: 10, Share: 0.1}
	var want *memory
	for _, workers := range []int{1, 2, 8} {
		c, m := oddCampaign(t, workers, crash)
		c.FaultLimit = limit
		err := c.Run(t.Context(), oddMatch(t, 500))
		fault, ok := errors.AsType[*FaultError](err)
		if !ok {
			t.Fatalf("ended with %v", err)
		}
		if fault.Who != 0 || fault.Faults != 12 || fault.Games != 12 || fault.Pair != 5 || fault.Seed != play.PairSeed(c.Setup.Seed, play.Stream(phase), 0, 5) || !strings.Contains(fault.Error(), "boom") {
			t.Errorf("%+v", fault)
		}
		if len(m.trials) != 1 || m.trials[0].Pairs != 6 || m.trials[0].FaultsA != 12 || len(m.games) != 12 {
			t.Fatalf("recorded %+v and %d games, want 6 pairs", m.trials, len(m.games))
		}
		if want == nil {
			want = m
		}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("%d workers gave other rows", workers)
		}
	}
	c, _ := oddCampaign(t, 1, crash)
	c.FaultLimit, c.Replayed = limit, rows(want.trials)
	err := c.Run(t.Context(), oddMatch(t, 500))
	fault, ok := errors.AsType[*FaultError](err)
	if !ok || fault.Faults != 12 || fault.Pair != 5 || fault.Seed != play.PairSeed(c.Setup.Seed, play.Stream(phase), 0, 5) || c.Games() != 0 {
		t.Errorf("resumed: %+v (%v), %d games played", fault, err, c.Games())
	}

	// Few faults, or many among far more games, do not stop a match.
	for _, l := range []FaultLimit{{Games: 40}, {Games: 10, Share: 1}, {}} {
		c, m := oddCampaign(t, 2, crash)
		c.FaultLimit = l
		playAll(t, c, oddMatch(t, 20))
		if len(m.games) != 40 {
			t.Errorf("%+v: %d games", l, len(m.games))
		}
	}
}

// noteDetails returns a Runner.Noted that collects the details of games.
func noteDetails(details *[]string) func(datasets.GameRow, *play.Game) error {
	return func(_ datasets.GameRow, g *play.Game) error {
		*details = append(*details, g.Detail)
		return nil
	}
}
