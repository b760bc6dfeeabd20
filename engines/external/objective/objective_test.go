package objective

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/objective/objectivetest"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

func TestMain(m *testing.M) { objectivetest.Main(m, mock) }

// mock judges by the parameter a, or misbehaves as its kind says.
func mock(kind string, n int, q objectivetest.Question) string {
	switch {
	case q.Seed >= 1<<53:
		return `{"error": "a seed that JSON numbers do not hold"}`
	case kind == "share": // of a number of games that no pair has
		return `{"points": 42, "of": 100}`
	case kind == "third crashes" && n == 2:
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
	case kind == "hang" && n == 1:
		for {
			time.Sleep(time.Hour)
		}
	case kind == "slow" && q.X["a"] > 8:
		for {
			time.Sleep(time.Hour)
		}
	case kind == "nan":
		return `{"value": NaN}`
	case kind == "both":
		return `{"value": 1, "points": 1, "of": 2}`
	case kind == "names":
		return `{"score": 1}`
	case kind == "value":
		return `{"value": -10.7}`
	case kind == "refuse":
		return `{"error": "unknown parameter a"}`
	case q.Than != nil:
		return fmt.Sprintf("{\"points\": %g, \"of\": 4}", 2+min(max(q.X["a"]-q.Than["a"], -2), 2))
	}
	// Noise that both vectors have, since they have the seed.
	return fmt.Sprintf("{\"value\": %g}", q.X["a"]+float64(q.Seed%1000))
}

var space = params.Space{{Name: "a", Max: 10, Default: 5, Step: 1}}

// answers has a pool play a trial of so many pairs of a = x against a = than.
func answers(t *testing.T, kind string, p Pool, x, than float64, pairs int) ([5]int, error) {
	t.Helper()
	p.Command, p.Space = objectivetest.Command(t, kind), space
	jobs, results := make(chan play.Job, pairs), make(chan schedule.Result, pairs)
	for i := range pairs {
		seat := func(a float64) player.Config { return player.Config{Values: params.Vector{a}} }
		jobs <- play.Job{Seats: [2]player.Config{seat(x), seat(than)}, Stream: 3, From: i, To: i + 1}
	}
	close(jobs)
	err := p.Play(context.Background(), play.Setup{Seed: 5}, jobs, results)
	close(results)
	var tally [5]int
	for r := range results {
		err = errors.Join(err, r.Err)
		for i := range r.Pairs {
			half := r.Pairs[i].Half()
			tally[half[0]+half[1]]++
			if n := r.Pairs[i].Faulted(); n != [2]int{} || r.Pairs[i].Games[0].Reason != judged {
				t.Errorf("%+v", r.Pairs[i])
			}
		}
	}
	return tally, err
}

// TestSenses: points and values become pairs as their sense says.
func TestSenses(t *testing.T) {
	for _, c := range []struct {
		sense   Direction
		x, than float64
		want    [5]int
	}{
		{Pair, 5, 5, [5]int{2: 40}}, {Pair, 6, 5, [5]int{3: 40}}, {Pair, 1, 9, [5]int{0: 40}}, {Pair, 9, 1, [5]int{4: 40}},
		{Max, 6, 5, [5]int{4: 40}}, {Max, 5, 6, [5]int{0: 40}}, {Max, 5, 5, [5]int{2: 40}}, {Min, 6, 5, [5]int{0: 40}},
	} {
		got, err := answers(t, "good", Pool{Direction: c.sense, Workers: 3}, c.x, c.than, 40)
		if err != nil || got != c.want {
			t.Errorf("%s %v against %v: %v, %v; want %v", c.sense, c.x, c.than, got, err, c.want)
		}
	}
	for _, text := range []string{"", "maximum", "Pair"} {
		var s Direction
		if err := s.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "want pair") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestShares: a share that no pair has is right in the mean, and the same again.
func TestShares(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts programs")
	}
	const pairs = 4000
	tally, err := answers(t, "share", Pool{Direction: Pair, Workers: 1}, 5, 5, pairs)
	if err != nil {
		t.Fatal(err)
	}
	// 1.68 half points: 1 or 2, and nothing else.
	if mean := (params.Score{Pairs: tally}).Mean(); math.Abs(mean-.42) > 4*math.Sqrt(.68*.32/pairs)/4 || tally[1]+tally[2] != pairs {
		t.Errorf("%v: mean %v, want .42", tally, mean)
	}
	again, err := answers(t, "share", Pool{Direction: Pair, Workers: 4}, 5, 5, pairs)
	if err != nil || again != tally {
		t.Errorf("by 4 workers %v, %v; by one %v", again, err, tally)
	}
}

// waited is a clock that notes what it is asked to wait for.
type waited []time.Duration

func (w *waited) Now() time.Time { return process.Wall{}.Now() }

func (w *waited) After(d time.Duration) time.Time {
	*w = append(*w, d)
	return process.Wall{}.After(d)
}

// TestValues: the answers stand in the games, and one that does not come in time is
// none, which is worse than any.
func TestValues(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts programs")
	}
	var waits waited
	ask := func(kind string, p Pool, x, than float64) play.Pair {
		t.Helper()
		p.Command, p.Space = objectivetest.Command(t, kind), space
		o, err := OpenProgram(t.Context(), p.Command, space, process.Options{Patience: process.Patience{Stall: p.Stall}, Clock: &waits})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		pairs, err := (&evaluator{o, p, play.Setup{}}).Play(t.Context(), play.Job{Seats: [2]player.Config{{Values: params.Vector{x}}, {Values: params.Vector{than}}}, To: 1})
		if err != nil {
			t.Fatal(err)
		}
		return pairs[0]
	}
	for _, g := range ask("good", Pool{Direction: Min}, 7, 4).Games {
		if g.ValueA == nil || g.ValueB == nil || *g.ValueA-*g.ValueB != 3 {
			t.Errorf("values %v and %v; want 3 more", g.ValueA, g.ValueB)
		}
	}
	if g := ask("good", Pool{Direction: Pair}, 6, 5).Games[1]; *g.ValueA != 3 || *g.ValueB != 1 {
		t.Errorf("points %v and %v; want 3 and 1", *g.ValueA, *g.ValueB)
	}
	waits = nil
	slow := ask("slow", Pool{Direction: Min, Stall: 100 * time.Millisecond}, 4, 9) // both are asked of a process, which then ends
	if g := slow.Games[0]; slow.Half() != [2]int{2, 2} || g.ValueA == nil || g.ValueB != nil || g.Reason != timedOut {
		t.Errorf("a vector without a value: %+v", slow)
	}
	for n, want := range []time.Duration{10100 * time.Millisecond, 100 * time.Millisecond} { // the first has to start
		if !slices.Contains(waits, want) {
			t.Errorf("question %d: waits of %v, want %v", n, waits, want)
		}
	}
}

// TestFaults: what a program does wrong has its name, and no pair is made of it.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts programs")
	}
	for _, c := range []struct {
		kind   string
		sense  Direction
		reason engines.Reason
		want   string
	}{
		{"third crashes", Pair, engines.Crash, "out of luck"},
		{"hang", Pair, engines.Stall, "while judging"},
		{"nan", Max, engines.Garbage, "JSON has no NaN and no Infinity; want one line of JSON"},
		{"both", Max, engines.Garbage, "not the value of one vector but points of a comparison, for --direction pair"},
		{"value", Pair, engines.Garbage, "not points of a comparison but the value of one vector, for --direction maximize or minimize"},
		{"names", Pair, engines.Garbage, `{\"score\": 1}": unknown field "score"; want`},
		{"good", Direction("none"), "", ""}, // asked for values, as any sense but pair
		{"refuse", Min, engines.Crash, "cannot score: unknown parameter a"},
	} {
		p := Pool{Direction: c.sense, Workers: 1}
		if c.reason == engines.Stall { // no other program may be given up, however slow the machine is
			p.Stall = 200 * time.Millisecond
		}
		_, err := answers(t, c.kind, p, 5, 6, 3)
		var fault *engines.Fault
		if c.reason == "" {
			if err != nil {
				t.Errorf("%s: %v", c.kind, err)
			}
			continue
		}
		if !errors.As(err, &fault) || fault.Reason != c.reason || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "trial 0, pair ") {
			t.Errorf("%s: %v; want %q with %q", c.kind, err, c.reason, c.want)
		}
	}
	jobs, results := make(chan play.Job), make(chan schedule.Result)
	if err := (Pool{Command: "no-such-program-here"}).Play(context.Background(), play.Setup{}, jobs, results); err == nil || !strings.Contains(err.Error(), "no-such-program-here") {
		t.Errorf("a program that is not there: %v", err)
	}
}
