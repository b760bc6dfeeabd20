package play

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/quoridor"
)

// thinker takes a given time for each of its moves.
type thinker struct {
	engines.Player
	takes []time.Duration // the last one applies to all later moves
	seen  []engines.Limits
}

func (t *thinker) Choose(ctx context.Context, history []engines.Move, l engines.Limits) (engines.Decision, error) {
	time.Sleep(t.takes[min(len(t.seen), len(t.takes)-1)])
	t.seen = append(t.seen, l)
	return t.Player.Choose(ctx, history, l)
}

// sitDown returns a table of two thinkers with limits, and 8 plies to play.
func sitDown(t *testing.T, margin time.Duration, limits [2]string, takes [2][]time.Duration) (*table, [2]*thinker) {
	t.Helper()
	v := open(t, nil)
	preset, err := quoridor.Game().Preset("final")
	if err != nil {
		t.Fatal(err)
	}
	at := &table{ref: v.NewReferee(), adjudication: Adjudication{MaxPlies: 8}, margin: margin, notes: true}
	var players [2]*thinker
	for side := range at.seats {
		p := v.NewPlayer()
		if err := p.Configure(preset.Vector); err != nil {
			t.Fatal(err)
		}
		l, err := engines.ParseLimits(limits[side])
		if err != nil {
			t.Fatal(err)
		}
		players[side] = &thinker{Player: p, takes: takes[side]}
		at.seats[side] = seat{player: players[side], limits: l, timed: true}
	}
	return at, players
}

// TestClockAddsIncrementsAndTime runs a side's clock while it thinks. The increment is added
// before the first move and after every move, the time after every second move; players see it.
func TestClockAddsIncrementsAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at, players := sitDown(t, 0, [2]string{"tc=2/10+1", "tc=60"}, [2][]time.Duration{{3 * time.Second, 4 * time.Second, time.Second}, {5 * time.Second}})
		r, err := at.play(t.Context(), engines.Opening{}, nil, nil)
		if err != nil || r.reason != engines.Adjudicated {
			t.Fatalf("%v by %v, %v", r.outcome, r.reason, err)
		}
		second := func(s int) time.Duration { return time.Duration(s) * time.Second }
		for i, want := range []struct{ left, moves, other int }{{11, 2, 60}, {9, 1, 55}, {16, 2, 50}, {16, 1, 45}} { // 10+1, -3+1, -4+1+10, -1+1
			l := players[0].seen[i]
			if l.Clock != (engines.Clock{Base: second(want.left), Inc: second(1), Moves: want.moves}) || l.Other != (engines.Clock{Base: second(want.other)}) || l.Margin != engines.DefaultMargin {
				t.Errorf("move %d of the first: told %+v, want %+v", i+1, l, want)
			}
		}
		for i, want := range []int{60, 55, 50, 45} {
			if l := players[1].seen[i]; l.Clock != (engines.Clock{Base: second(want)}) {
				t.Errorf("move %d of the second: told %+v, want %d s", i+1, l, want)
			}
		}
		if r.notes[2].Elapsed != second(4) {
			t.Errorf("noted %v", r.notes[2].Elapsed)
		}
	})
}

// TestLateMoveLosesByItsClock applies the margin in force and gives the reason of the clock
// that ran out.
func TestLateMoveLosesByItsClock(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		what   string
		limits string
		margin time.Duration // margin of the match
		own    bool          // the player is a program, which applies its own margin
		takes  time.Duration
		late   engines.Reason
		detail string
	}{
		{"within the usual margin", "time=100ms", 0, false, 120 * ms, "", ""},
		{"beyond it", "time=100ms", 0, false, 121 * ms, engines.OutOfTime, "took 121ms of 100ms"},
		{"the match's margin", "time=100ms", 50 * ms, false, 150 * ms, "", ""},
		{"beyond the match's", "time=100ms", 50 * ms, false, 151 * ms, engines.OutOfTime, "took 151ms of 100ms"},
		{"no margin", "time=100ms", engines.NoMargin, false, 100*ms + 1, engines.OutOfTime, "took 100ms of 100ms"},
		{"the limits' own", "time=100ms+200ms", 50 * ms, false, 300 * ms, "", ""},
		{"the limits' own none", "time=100ms+0s", 50 * ms, false, 101 * ms, engines.OutOfTime, "took 101ms of 100ms"},
		{"a program's", "time=100ms", 0, true, 400 * ms, "", ""},
		{"a clock, within", "tc=1", 0, false, 255 * ms, "", ""},
		{"a clock that ran out", "tc=1", 0, false, 400 * ms, engines.OutOfClock, "took 400ms of 200ms"},
		{"a clock's own margin", "tc=1,margin=200ms", 0, false, 400 * ms, engines.OutOfClock, "took 400ms of 0s"},
	} {
		t.Run(c.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				at, players := sitDown(t, c.margin, [2]string{c.limits, "tc=60"}, [2][]time.Duration{{c.takes}, {0}})
				at.seats[0].program = c.own
				r, err := at.play(t.Context(), engines.Opening{}, nil, nil)
				want := engines.Adjudicated
				if c.late != "" {
					want = c.late
				}
				if margin := players[0].seen[0].Margin; c.own != (margin == 0) {
					t.Errorf("told a margin of %v", margin)
				}
				if err != nil || r.reason != want || c.late != "" && r.outcome != engines.SecondWins || !strings.Contains(r.detail, c.detail) {
					t.Errorf("%v by %v (%s), %v; want %v", r.outcome, r.reason, r.detail, err, want)
				}
			})
		})
	}
}

// TestClockIsAnew: a game does not begin with the time left of the game before.
func TestClockIsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at, players := sitDown(t, 0, [2]string{"tc=60", "tc=60"}, [2][]time.Duration{{time.Second}, {time.Second}})
		for range 2 {
			if _, err := at.play(t.Context(), engines.Opening{}, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		if n := slices.IndexFunc(players[0].seen[1:], func(l engines.Limits) bool { return l.Clock.Base == time.Minute }); n != 3 {
			t.Errorf("%+v", players[0].seen)
		}
	})
}
