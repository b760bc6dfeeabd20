package external_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
)

// Patience of the fixtures. Only hanging fixtures have clocks with timers.
const (
	startWait = 11 * time.Second
	readyWait = 61 * time.Second
	stallWait = 599 * time.Second
	graceWait = 6 * time.Second
	quitWait  = 2 * time.Second
	moveTime  = 700 * time.Millisecond
)

var patience = process.Patience{Start: startWait, Ready: readyWait, Stall: stallWait, Grace: graceWait, Quit: quitWait}

// fixture is a fault and its expected outcome.
type fixture struct {
	fault string
	file  []string // further lines of the engine file
	// refused is part of Open's error; "" if the program gets to play.
	refused string
	reason  engines.Reason // of its loss; "" for a game that ends by the rules
	detail  string         // part of the loss's detail
	limits  engines.Limits
	clock   *fakeClock
	bytes   int // bound of an answer, if not the default
}

// standing returns a clock that stands still.
func standing(fire ...time.Duration) *fakeClock {
	c := &fakeClock{fire: map[time.Duration]bool{}}
	for _, d := range fire {
		c.fire[d] = true
	}
	return c
}

func steps(d ...time.Duration) *fakeClock { return &fakeClock{step: d} }

var timed = engines.Limits{Time: moveTime}

const margin = 20 * time.Millisecond

var fixtures = []fixture{
	{fault: "good"},
	{fault: "crash-start", refused: `ended with exit status 3 while greeting it with ugi; on its stderr: "no such weights"`, reason: engines.Crash},
	{fault: "crash=3", reason: engines.Crash, detail: `ended with exit status 4 while thinking over move 5; on its stderr: "assertion failed"`},
	{fault: "crash-after=2", reason: engines.Crash, detail: "while thinking over move 5"},
	{fault: "hang-start", refused: "no answer within 11s while greeting", reason: engines.Stall, clock: standing(startWait)},
	{fault: "hang-start", refused: `no answer within 13s while greeting it with ugi; to give it longer, write startup = "60s"`, reason: engines.Stall,
		file: []string{`startup = "13s"`}, clock: standing(13 * time.Second)},
	{fault: "hang-isready", refused: "no answer within 2m10s while setting options", reason: engines.Stall, file: []string{`ready = "130s"`},
		clock: standing(130 * time.Second)},
	{fault: "hang-isready", refused: "no answer within 1m1s while setting options", reason: engines.Stall, clock: standing(readyWait)},
	{fault: "deaf", refused: "no answer within 1m1s while setting options", reason: engines.Stall, clock: standing(readyWait)},
	{fault: "hang", reason: engines.Stall, detail: "no answer within 9m59s while thinking over move 1", clock: standing(stallWait)},
	{fault: "hang", reason: engines.Stall, detail: "no answer within 6.72s", limits: timed, clock: standing(moveTime+margin, graceWait)},
	{fault: "hang-quit", clock: standing(quitWait)},
	{fault: "illegal=3", reason: engines.IllegalMove},
	{fault: "empty", reason: engines.Garbage, detail: "an answer without a move"},
	{fault: "foreign", reason: engines.Garbage, detail: `"Nf3"`},
	{fault: "none=2", reason: engines.IllegalMove, detail: `says "0000", that it has no move`},
	{fault: "double=2", reason: engines.Garbage, detail: "an answer that nobody asked for"},
	{fault: "late", reason: engines.OutOfTime, detail: "took 800ms of 700ms for move 1", limits: timed,
		clock: &fakeClock{step: []time.Duration{0, 800 * time.Millisecond}, fire: map[time.Duration]bool{moveTime + margin: true}}},
	{fault: "slow", reason: engines.OutOfTime, detail: "took 721ms of 700ms", limits: timed, clock: steps(0, moveTime+margin+time.Millisecond)},
	{fault: "slow", reason: engines.OutOfTime, detail: "took 1m0.7s of 700ms", limits: timed, clock: steps(0, moveTime+time.Minute)},
	{fault: "in-time", limits: timed, clock: steps(0, moveTime+margin)},
	{fault: "no-margin", reason: engines.OutOfTime, detail: "took 701ms of 700ms", limits: timed, file: []string{`timemargin = "0s"`}, clock: steps(0, moveTime+time.Millisecond)},
	{fault: "endless-line", reason: engines.Garbage, detail: "a line without end"},
	{fault: "flood", reason: engines.Stall, detail: "no answer within 6.72s", limits: timed, clock: standing(moveTime+margin, graceWait)},
	{fault: "flood-greeting", refused: "more than 5000 bytes while greeting", reason: engines.Garbage, bytes: 5000},
	{fault: "many-lines"},
	{fault: "flood-stderr"},
	{fault: "close-stdout=2", reason: engines.Crash, detail: "closed its output and ran on"},
	{fault: "half-line", reason: engines.Crash, detail: `; it wrote "bestmove 1" without ending the line`},
	{fault: "buffered=2", reason: engines.Crash, detail: "ended with exit status 0 while thinking over move 5"},
	{fault: "cr"},
	{fault: "crlf"},
	{fault: "chatter"},
	{fault: "many-options"},
	{fault: "wrong-id"},
	{fault: "uciok", refused: "speaks another protocol", reason: engines.Garbage},
	{fault: "child"},
}

// TestEveryMistakeHasOneOutcome expects one outcome of every mistake, on either side. The
// innocent side never loses by a fault, no game becomes a draw silently, and no process
// remains.
func TestEveryMistakeHasOneOutcome(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tries every fault of an engine")
	}
	for _, f := range fixtures {
		t.Run(f.fault, func(t *testing.T) {
			t.Parallel()
			f.try(t)
		})
	}
}

func (f *fixture) options() process.Options {
	o := process.Options{Patience: patience}
	if f.clock != nil {
		o.Clock = f.clock
	}
	o.MaxAnswer = f.bytes
	return o
}

func (f *fixture) try(t *testing.T) {
	v := variant(t, "connectfour", small)
	e := mockFile(t, f.fault, f.file...)
	p, err := e.Open(context.Background(), v, f.options())
	if f.refused != "" {
		var fault *engines.Fault
		if !errors.As(err, &fault) || fault.Reason != f.reason || !strings.Contains(err.Error(), f.refused) {
			t.Fatalf("Open: %v; want a fault %q with %q", err, f.reason, f.refused)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer gone(t, p)
	innocent := openMock(t, "good", v)
	o := game(t, v, [2]engines.Player{p, innocent}, engines.Opening{}, [2]engines.Limits{f.limits, {}}, 1)
	if f.reason == "" {
		if o.reason.Fault() || o.reason == "" || o.result == engines.Ongoing {
			t.Fatalf("ended %v by %q: %s; want an end by the rules", o.result, o.reason, o.detail)
		}
		return
	}
	if o.result != engines.SecondWins || o.reason != f.reason || !strings.Contains(o.detail, f.detail) {
		t.Errorf("ended %v by %q: %s; want 0-1 by %q with %q", o.result, o.reason, o.detail, f.reason, f.detail)
	}
}

// openMock opens a mock that is closed with the test.
func openMock(t testing.TB, fault string, v engines.Variant, more ...string) *external.Player {
	t.Helper()
	p, err := mockFile(t, fault, more...).Open(context.Background(), v, process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// gone closes a player and checks that its process has ended.
func gone(t testing.TB, p *external.Player) {
	t.Helper()
	pid := p.PID()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, member := range group(t, pid) {
		if !ends(t, member) {
			t.Errorf("process %d is left of group %d", member, pid)
		}
	}
	if err := p.Reset("", 0); err == nil {
		t.Error("a closed player starts a game")
	}
}

// TestFaultStartsNewProcessIfNeeded expects a new process for the game after
// a fault that ended the program, and the same one after other faults.
func TestFaultStartsNewProcessIfNeeded(t *testing.T) {
	v := variant(t, "connectfour", small)
	for _, c := range []struct {
		fault  string
		starts int // after two games
	}{{"crash=2", 2}, {"foreign=2", 2}, {"none=2", 1}, {"good", 1}} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			p := openMock(t, c.fault, v)
			q := openMock(t, "good", v)
			for range 2 {
				game(t, v, [2]engines.Player{p, q}, engines.Opening{}, [2]engines.Limits{}, 1)
			}
			if p.Starts() != c.starts || q.Starts() != 1 {
				t.Errorf("%d and %d processes for two games; want %d and 1", p.Starts(), q.Starts(), c.starts)
			}
		})
	}
}

// lateStarts is a clock that makes some starts of a program late.
type lateStarts struct {
	fakeClock
	late   []bool // by the number of the start
	starts int
}

func (l *lateStarts) After(d time.Duration) time.Time {
	if d != startWait {
		return l.fakeClock.After(d)
	}
	if l.starts++; l.late[l.starts-1] {
		return time.Now()
	}
	return time.Time{}
}

// TestLateStartLosesNoGame starts a process for every game, some of them late. The late ones
// are started again, and three late starts in a row stop the run.
func TestLateStartLosesNoGame(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	clock := &lateStarts{late: []bool{false, true, true, false, true, true, true}}
	p, err := mockFile(t, "good", "restart = true").Open(context.Background(), v, process.Options{Patience: patience, Clock: clock, Starts: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for range 2 {
		if o := game(t, v, [2]engines.Player{p, p2(t, v)}, engines.Opening{}, [2]engines.Limits{}, 1); o.reason.Fault() {
			t.Errorf("%v by %s: %s", o.result, o.reason, o.detail)
		}
	}
	if clock.starts != 4 {
		t.Errorf("%d starts for two games; want two late ones", clock.starts)
	}
	var refusal *external.Refusal
	if err := p.Reset("", 1); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "late 3 times in a row: engine mock: no answer within 11s") || !strings.Contains(err.Error(), `write startup = "60s"`) {
		t.Errorf("three late starts in a row: %v", err)
	}
}

// TestRestartStartsProcessForEveryGame sets restart = true.
func TestRestartStartsProcessForEveryGame(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	p := openMock(t, "good", v, "restart = true")
	for range 3 {
		game(t, v, [2]engines.Player{p, p2(t, v)}, engines.Opening{}, [2]engines.Limits{}, 1)
	}
	if p.Starts() != 3 {
		t.Errorf("%d processes for three games; want 3", p.Starts())
	}
}

func p2(t testing.TB, v engines.Variant) engines.Player {
	t.Helper()
	return openMock(t, "good", v)
}

// TestCanceledContextEndsProgram expects that a context that ends during a
// decision ends the program, and that the error is the context's and no fault.
func TestCanceledContextEndsProgram(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	why := errors.New("enough")
	for _, owner := range []string{"the question's", "the player's"} {
		life, end := context.WithCancelCause(context.Background())
		p, err := mockFile(t, "hang").Open(life, v, process.Options{Patience: patience, Clock: standing()})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Reset("", 1); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		if owner == "the player's" {
			end(why)
		} else {
			cancel(why)
		}
		_, err = p.Choose(ctx, nil, engines.Limits{})
		var fault *engines.Fault
		if !errors.Is(err, why) || errors.As(err, &fault) {
			t.Errorf("%s context: %v; want %v", owner, err, why)
		}
		gone(t, p)
		cancel(nil)
		end(nil)
	}
}

// TestIdentityHasNameHashAndOptions expects the
// program's name, its hash and the options it was given.
func TestIdentityHasNameHashAndOptions(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	p := openMock(t, "wrong-id", v)
	if id := p.Identity(); id.Name != "Somebody Else 3.1" || id.Author != "Nobody" {
		t.Errorf("identity %+v; want the program's own words", id)
	}
	p = openMock(t, "good", v, `options = {Depth = 5, Style = "wild"}`)
	id := p.Identity()
	if id.Name != "Mock" || len(id.SHA256) != 64 || strings.Join(id.Options, " ") != "Depth=5 Style=wild pace=0.5" {
		t.Errorf("identity %+v", id)
	}
	if s := p.Space(); len(s) != 1 || s[0].Name != "pace" || s[0].Max != 1 || s[0].Step != 0.05 {
		t.Errorf("space %+v; want pace alone", s)
	}
	if err := p.Configure([]float64{0.25}); err != nil {
		t.Fatal(err)
	}
	if p.Identity().Key() == id.Key() || len(id.Key()) != 64 {
		t.Errorf("another vector has the key %s too", id.Key())
	}
	if id := p.Identity(); id.Options[2] != "pace=0.25" {
		t.Errorf("after Configure: %v", id.Options)
	}
	if err := p.Configure([]float64{7}); err == nil || !strings.Contains(err.Error(), "0 to 1") {
		t.Errorf("Configure out of range: %v", err)
	}
}

// TestRefusalsComeBeforeFirstGame expects every refusal, by name, before the first game.
func TestRefusalsComeBeforeFirstGame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		line  string
		want  string
	}{
		{small, `options = {Dept = 4}`, `offers no option "Dept"; did you mean Depth?`},
		{small, `options = {Depth = 10}`, "option Depth = 10 is out of its range, 1 to 9"},
		{small, `options = {Depth = "deep"}`, `option Depth = "deep": want a whole number, 1 to 9`},
		{small, `options = {Style = "mild"}`, "want calm | wild"},
		{small, "[[param]]\nname = \"speed\"\nmin = 0\nmax = 1\ndefault = 0.5", `offers no option "speed"`},
		{"rows=4,cols=5,forbidden=none", "", "it has cols=4, the game here cols=5"},
	} {
		e := mockFile(t, "good", c.line)
		p, err := e.Open(context.Background(), variant(t, "connectfour", c.rules), process.Options{})
		var refusal *external.Refusal
		if err == nil {
			p.Close()
			t.Errorf("%s: opened; want an error with %q", c.line, c.want)
		} else if !errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want a refusal with %q in it", c.line, err, c.want)
		}
	}
	random := engineFile(t, `protocol = "ugi"`, `games = ["connectfour"]`, `dialect = "columns0"`, `args = ["connectfour", "", "good"]`, `env = {`+mockKey+` = "ugi"}`)
	if _, err := random.Open(context.Background(), variant(t, "connectfour", ""), process.Options{}); err == nil || !strings.Contains(err.Error(), "it does not accept positions, but openings of connectfour") {
		t.Errorf("random boards for a program without positions: %v", err)
	}
	p := openMock(t, "good", variant(t, "connectfour", small))
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	var refusal *external.Refusal
	if _, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 1, Nodes: 5}); !errors.As(err, &refusal) {
		t.Errorf("two limits at once: %v; want a refusal", err)
	}
	if _, err := mockFile(t, "good").Open(context.Background(), variant(t, "gobang", ""), process.Options{}); err == nil || !strings.Contains(err.Error(), "does not play gobang") {
		t.Errorf("another game: %v", err)
	}
}

// TestAssignRefusesUnknownNames assigns options and
// parameters, and expects an error for other names.
func TestAssignRefusesUnknownNames(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	p := openMock(t, "good", v, "restart = true")
	x, err := p.Assign([]string{"pace=0.75", "Depth=4"})
	if err != nil || len(x) != 1 || x[0] != 0.75 {
		t.Fatalf("%v, %v; want the vector 0.75", x, err)
	}
	if err := p.Configure(x); err != nil {
		t.Fatal(err)
	}
	game(t, v, [2]engines.Player{p, p2(t, v)}, engines.Opening{}, [2]engines.Limits{}, 1)
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Identity().Options, " "); got != "Depth=4 pace=0.75" {
		t.Errorf("options %q after a restart", got)
	}
	for assignment, want := range map[string]string{"Depth=77": "out of its range, 1 to 9", "pace=7": "0 to 1", "mood=1": `has no option or parameter "mood"; known: pace, Depth, Style`, "pace": "not of the form name=value"} {
		if _, err := p.Assign([]string{assignment}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q in it", assignment, err, want)
		}
	}
}

// TestLateByMoreThanMargin allows the margin, and not one unit more.
func TestLateByMoreThanMargin(t *testing.T) {
	for _, c := range []struct {
		elapsed, limit, margin time.Duration
		want                   bool
	}{
		{time.Second, 0, 0, false}, {time.Second, time.Second, 0, false}, {time.Second + 1, time.Second, 0, true},
		{time.Second + 5, time.Second, 5, false}, {time.Second + 6, time.Second, 5, true},
	} {
		if got := external.Late(c.elapsed, c.limit, c.margin); got != c.want {
			t.Errorf("late(%v, %v, %v) = %v", c.elapsed, c.limit, c.margin, got)
		}
	}
}

// TestStderrKeepsEndOfFlood expects that a flood does
// not block the program, and that its end is kept.
func TestStderrKeepsEndOfFlood(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	p := openMock(t, "flood-stderr", v)
	kept := p.Stderr()
	p.Close()
	if s := kept(); len(s) != 64<<10 || !strings.HasSuffix(s, "noise 19999, longer than a pipe is deep\n") {
		t.Errorf("%d bytes are kept, ending %q", len(s), s[max(0, len(s)-60):])
	}
	p = openMock(t, "good", v)
	kept = p.Stderr()
	p.Close()
	if s := kept(); s != "" {
		t.Errorf("a quiet program wrote %q", s)
	}
}
