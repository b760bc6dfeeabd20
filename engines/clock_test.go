package engines_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"selfplaylab/engines"
)

func TestParseLimits(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		text, canonical string
		want            engines.Limits
	}{
		{"", "", engines.Limits{}},
		{"depth=3, nodes=5", "depth=3,nodes=5", engines.Limits{Depth: 3, Nodes: 5}},
		{"overlook=0.25,depth=1", "depth=1,overlook=0.25", engines.Limits{Depth: 1, Overlook: .25}},
		{"time=100ms+20ms", "time=100ms+20ms", engines.Limits{Time: 100 * ms, Margin: 20 * ms}},
		{"time=100ms,margin=20ms", "time=100ms+20ms", engines.Limits{Time: 100 * ms, Margin: 20 * ms}},
		{"time=1s+0s", "time=1s+0s", engines.Limits{Time: time.Second, Margin: engines.NoMargin}},
		{"st=0.1", "time=100ms", engines.Limits{Time: 100 * ms}},
		{"movetime=250", "time=250ms", engines.Limits{Time: 250 * ms}},
		{"tc=8+0.08", "tc=8+0.08", engines.Limits{Clock: engines.Clock{Base: 8 * time.Second, Inc: 80 * ms}}},
		{"tc=40/60", "tc=40/60", engines.Limits{Clock: engines.Clock{Base: time.Minute, Moves: 40}}},
		{"tc=0+5", "tc=0+5", engines.Limits{Clock: engines.Clock{Inc: 5 * time.Second}}},
		{"tc=40/1:30+0.6", "tc=40/90+0.6", engines.Limits{Clock: engines.Clock{Base: 90 * time.Second, Inc: 600 * ms, Moves: 40}}},
		{"tc=2m+500ms,depth=9", "depth=9,tc=120+0.5", engines.Limits{Depth: 9, Clock: engines.Clock{Base: 2 * time.Minute, Inc: 500 * ms}}},
		{"tc=8,margin=50ms", "tc=8,margin=50ms", engines.Limits{Clock: engines.Clock{Base: 8 * time.Second}, Margin: 50 * ms}},
		{"p1time=8000,p1inc=80", "tc=8+0.08", engines.Limits{Clock: engines.Clock{Base: 8 * time.Second, Inc: 80 * ms}}},
		{"p1time=8000,p2time=8000,p2inc=80", "tc=8+0.08", engines.Limits{Clock: engines.Clock{Base: 8 * time.Second, Inc: 80 * ms}}},
	} {
		l, err := engines.ParseLimits(c.text)
		if err != nil || l != c.want || l.String() != c.canonical {
			t.Errorf("%q: %+v, %q, %v; want %q", c.text, l, l, err, c.canonical)
		}
		if l.Repeatable() != (c.want.Time == 0 && c.want.Clock.IsZero()) {
			t.Errorf("%q repeats: %v", c.text, l.Repeatable())
		}
	}
	for text, want := range map[string]string{
		"overlook=0.3":                "overlook requires another limit",
		"depth=1,overlook=1":          "at most 0.99",
		"depth=1,overlook=0":          "above 0",
		"depth=1,overlook=NaN":        "above 0",
		"time=5":                      "want a unit, such as time=5s or time=5ms",
		"time=0.5":                    "such as time=0.5s or time=0.5ms",
		"time=0s":                     "want a positive time with its unit",
		"time=1s,time=2s":             "time is set twice",
		"time=1s+20":                  "want one margin",
		"time=1s+20ms,margin=20ms":    "want one margin with its unit",
		"time=1s,tc=8":                "cannot be combined",
		"margin=20ms":                 "a margin requires a time or a clock",
		"depth=3,margin=20ms":         "a margin requires a time or a clock",
		"tc=":                         "want [MOVES/]TIME[+INCREMENT]",
		"tc=0":                        "want [MOVES/]TIME[+INCREMENT]",
		"tc=-8":                       "want [MOVES/]TIME[+INCREMENT]",
		"tc=8+":                       "want [MOVES/]TIME[+INCREMENT]",
		"tc=8+-1":                     "want [MOVES/]TIME[+INCREMENT]",
		"tc=0/8":                      "want [MOVES/]TIME[+INCREMENT]",
		"tc=inf":                      "want [MOVES/]TIME[+INCREMENT]",
		"tc=NaN":                      "want [MOVES/]TIME[+INCREMENT]",
		"tc=1e300":                    "want [MOVES/]TIME[+INCREMENT]",
		"st=0":                        "want seconds per move",
		"movetime=1.5":                "want milliseconds above 0, such as movetime",
		"movetime=999999999999999999": "want milliseconds above 0, such as movetime",
		"p1time=8000,p2time=9000":     "a player takes either side",
		"speed=3":                     "want depth=N",
	} {
		if l, err := engines.ParseLimits(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, error %v; want %q", text, l, err, want)
		}
	}
}

// TestLimitsText: written limits are read back unchanged.
func TestLimitsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		duration := func(name string) time.Duration {
			return time.Duration(rapid.Int64Range(1, int64(engines.MaxTime)).Draw(t, name))
		}
		var l engines.Limits
		if rapid.Bool().Draw(t, "timed") {
			l.Time = duration("time")
		} else {
			l.Clock = engines.Clock{Base: duration("base"), Moves: rapid.IntRange(0, 100).Draw(t, "moves")}
			if rapid.Bool().Draw(t, "increment") {
				l.Clock.Inc = duration("inc")
			}
		}
		l.Depth = rapid.IntRange(0, 9).Draw(t, "depth")
		l.Margin = rapid.SampledFrom([]time.Duration{0, engines.NoMargin, duration("margin")}).Draw(t, "which")
		if got, err := engines.ParseLimits(l.String()); err != nil || got != l {
			t.Fatalf("%q was read as %+v (%v), is %+v", l, got, err, l)
		}
	})
}

func TestCheckClock(t *testing.T) {
	clock := &engines.Game{Name: "draughts", Budgets: []engines.Budget{{Kind: engines.BudgetTime}}}
	greedy := &engines.Game{Name: "halma", Budgets: []engines.Budget{{Kind: engines.BudgetDepth}}}
	for _, c := range []struct {
		game       *engines.Game
		text, want string
	}{
		{clock, "tc=40/60+0.6", ""},
		{clock, "tc=0.0001", "tc=0.0001: want a time of 1ms to 24h0m0s"},
		{clock, "tc=90000", "tc=90000: want a time of 1ms to 24h0m0s"},
		{clock, "tc=1+90000", "want an increment of at most 24h0m0s"},
		{clock, "tc=2000/60", "want at most 1000 moves before the slash"},
		{greedy, "tc=60", "the player of halma does not support a clock; it supports depth, such as depth=3"},
	} {
		l, err := engines.ParseLimits(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.game.CheckLimits(l); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s under %s: got %v, want %q", c.game.Name, c.text, err, c.want)
		}
	}
}

// TestShare: a share of the clock lets every clock last, and is never all of it.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		clock engines.Clock
		want  time.Duration
	}{
		{engines.Clock{Base: 30*time.Second + 20*time.Millisecond}, time.Second},
		{engines.Clock{Base: 30*time.Second + 20*time.Millisecond, Inc: 4 * time.Second}, 4 * time.Second},
		{engines.Clock{Base: 10*time.Second + 20*time.Millisecond, Moves: 10}, time.Second},
		{engines.Clock{Base: time.Second, Moves: 1}, 980 * time.Millisecond},
		{engines.Clock{Base: 10 * time.Millisecond, Inc: time.Second}, 5 * time.Millisecond},
		{engines.Clock{Base: 1}, 1},
	} {
		if got := c.clock.Share(); got != c.want {
			t.Errorf("of %v: %v, want %v", c.clock, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := engines.Clock{
			Base: time.Duration(rapid.Int64Range(1, int64(engines.MaxTime)).Draw(t, "base")), Inc: time.Duration(rapid.Int64Range(0, int64(engines.MaxTime)).Draw(t, "inc")),
			Moves: rapid.IntRange(0, 1000).Draw(t, "moves"),
		}
		if s := c.Share(); s < 1 || s > c.Base || c.Base > 1 && s == c.Base {
			t.Fatalf("%v of %v", s, c)
		}
	})
}
