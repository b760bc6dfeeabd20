package external_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/params"
)

// mockBrain is a Gomocup brain on a board of 9.
// It plays the first free cell in the way of its argument, and writes its input to stderr.
func mockBrain(args []string) {
	kind, end := args[0], "\n"
	switch kind {
	case "cr":
		end = "\r"
	case "crlf":
		end = "\r\n"
	}
	say := func(format string, a ...any) { fmt.Printf(format+end, a...) }
	var taken map[string]bool
	board, games, requests, deafened := false, 0, 0, 0
	answer := func() {
		requests++
		if kind == "error" {
			say("ERROR I do not feel like it")
			return
		}
		if kind == "words" {
			say("my move: 3,3")
			return
		}
		for y := range 9 {
			for x := range 9 {
				xy := fmt.Sprintf("%d,%d", x, y)
				if kind == "taken" && requests == 2 {
					xy = "0,0"
				} else if taken[xy] {
					continue
				}
				taken[xy] = true
				say("MESSAGE depth 3 nodes 12k eval -4")
				say("DEBUG 1,1 looks good")
				if kind == "suggests" {
					say("SUGGEST %s", xy)
				} else {
					say("%s", xy)
				}
				return
			}
		}
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, "\n")
		fmt.Fprintln(os.Stderr, strings.TrimSuffix(line, "\r")+"|")
		if !strings.HasSuffix(line, "\r") {
			panic("a line without CR: " + line)
		}
		f := strings.Fields(line)
		switch {
		case board && f[0] == "DONE":
			board = false
			answer()
		case board:
			taken[line[:strings.LastIndex(line, ",")]] = true
		case f[0] == "ABOUT" && kind == "deaf" && requests > deafened: // dropped after every answer
			deafened = requests
		case f[0] == "ABOUT" && kind == "deafer" && requests <= 2 && deafened < 4*requests: // four times
			deafened++
		case f[0] == "INFO" && kind == "info-error":
			say("ERROR unknown key %s", f[1])
		case f[0] == "PLAY" && kind == "suggests":
			say("%s", f[1])
		case f[0] == "ABOUT" && kind == "about-error":
			say("ERROR unknown command")
		case f[0] == "ABOUT" && kind == "twice" && requests == 1:
			say("8,8")
			say(`name="Brain", version="1.2"`)
		case f[0] == "ABOUT" && kind != "silent":
			say(`name="Brain", version="1.2", author="us", country="none"`)
		case f[0] == "START":
			taken = map[string]bool{}
			if f[1] != "9" {
				say("ERROR only boards of nine")
				continue
			}
			if kind == "rows" {
				say("MESSAGE A,5,0,10,1,0.002")
				say("MESSAGE B,0.5,0,1,0.05,0.002")
				say("MESSAGE this is no row, 1")
			}
			say("")
			say("OK - everything is good")
		case f[0] == "RESTART":
			games++
			taken = map[string]bool{}
			switch kind {
			case "no-restart":
				say("UNKNOWN")
			case "deaf-restart":
			default:
				say("OK")
			}
		case f[0] == "BEGIN":
			answer()
		case f[0] == "TURN":
			taken[f[1]] = true
			answer()
		case f[0] == "BOARD":
			board = true
		case f[0] == "END":
			return
		}
	}
}

func brain(t testing.TB, kind string, more ...string) *external.Engine {
	t.Helper()
	return engineFile(t, append([]string{`name = "brain"`, `protocol = "gomocup"`, `games = ["gobang"]`, `limits = "time=30s"`,
		`args = ["` + kind + `"]`, `env = {` + mockKey + ` = "brain"}`}, more...)...)
}

// TestDeafBrainLosesWithRemedy expects that a brain that does not answer
// RESTART loses by a fault that names the remedy, and that the remedy works.
func TestDeafBrainLosesWithRemedy(t *testing.T) {
	t.Parallel()
	v := variant(t, "gobang", "size=9")
	for want, more := range map[string][]string{"": {"restart = true"}, "waiting for OK to RESTART (restart = true in its file avoids it)": nil} {
		p, err := brain(t, "deaf-restart", more...).Open(context.Background(), v, process.Options{Patience: patience, Clock: standing(readyWait)})
		if err != nil {
			t.Fatal(err)
		}
		var last outcome
		for range 2 {
			last = game(t, v, [2]engines.Player{p, ours(t, v)}, engines.Opening{}, [2]engines.Limits{{}, {Depth: 1}}, 1)
		}
		if !strings.Contains(last.detail, want) || last.reason.Fault() != (want != "") {
			t.Errorf("%v: %s: %s", more, last.reason, last.detail)
		}
		gone(t, p)
	}
}

// TestGomocupAcceptsAllForms plays brains that speak in every way that the protocol allows.
func TestGomocupAcceptsAllForms(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts programs")
	}
	t.Parallel()
	v := variant(t, "gobang", "size=9,exact_five=yes")
	for _, c := range []struct {
		kind   string
		starts int // processes for three games
		reason engines.Reason
	}{
		{kind: "good", starts: 1}, {kind: "cr", starts: 1}, {kind: "crlf", starts: 1}, {kind: "silent", starts: 1}, {kind: "rows", starts: 1},
		{kind: "no-restart", starts: 3}, {kind: "deaf", starts: 1}, {kind: "deafer", starts: 1}, {kind: "twice", starts: 3, reason: engines.Garbage},
		{kind: "suggests", starts: 1}, {kind: "info-error", starts: 1}, {kind: "about-error", starts: 1},
		{kind: "error", starts: 3, reason: engines.Garbage}, {kind: "words", starts: 3, reason: engines.Garbage},
		{kind: "taken", starts: 1, reason: engines.IllegalMove},
	} {
		p, err := brain(t, c.kind).Open(context.Background(), v, process.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.kind, err)
			continue
		}
		illegal := ""
		for i, open := range []engines.Opening{{}, v.Opening(newRand(1), 3), {Position: "........./........./........./...B...../....W..../.....B.../........./........./......... W"}} {
			seats, limits := [2]engines.Player{p, ours(t, v)}, [2]engines.Limits{{}, {Depth: 1}}
			if i == 2 {
				seats, limits = [2]engines.Player{seats[1], p}, [2]engines.Limits{{Depth: 1}, {}}
			}
			o := game(t, v, seats, open, limits, 1)
			if i == 0 {
				illegal = o.detail
			}
			if c.reason == "" && o.reason.Fault() || c.reason != "" && i == 0 && (o.reason != c.reason || o.result != engines.SecondWins) {
				t.Errorf("%s, game %d: %v by %q: %s", c.kind, i, o.result, o.reason, o.detail)
			}
		}
		if c.kind == "taken" && !strings.Contains(illegal, `engine brain: answered "0,0" (a9 here), which is not legal in `) {
			t.Errorf("its own notation: %q", illegal)
		}
		if c.reason == "" && p.Starts() != c.starts {
			t.Errorf("%s: %d processes; want %d", c.kind, p.Starts(), c.starts)
		}
		name := "Brain 1.2"
		if c.kind == "silent" || c.kind == "about-error" {
			name = ""
		}
		if p.Identity().Name != name {
			t.Errorf("%s calls itself %q", c.kind, p.Identity().Name)
		}
		gone(t, p)
	}
}

// TestGomocupSendsExactWords compares the brain's input word by word.
func TestGomocupSendsExactWords(t *testing.T) {
	t.Parallel()
	v := variant(t, "gobang", "size=9,exact_five=yes")
	p, err := brain(t, "rows", `dialect = "yixin"`, `options = {thread_num = 1}`).Open(context.Background(), v, process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if s := p.Space(); len(s) != 2 || !s[0].Whole || s[1].Whole || s[1].Step != 0.05 {
		t.Errorf("space %+v; want the two rows", s)
	}
	if err := p.Configure(params.Vector{7, 0.25}); err != nil {
		t.Fatal(err)
	}
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	ref := v.NewReferee()
	if err := ref.Reset(""); err != nil {
		t.Fatal(err)
	}
	ctx, limits := context.Background(), engines.Limits{Nodes: 500}
	d, err := p.Choose(ctx, nil, limits)
	if err != nil || ref.MoveString(d.Move) != "a9" || d.Depth != 3 || d.Nodes != 12000 || d.Score != -4 {
		t.Fatalf("the first answer reads as %+v, %v", d, err)
	}
	m, err := ref.ParseMove("e5")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Choose(ctx, []engines.Move{d.Move, m}, limits); err != nil {
		t.Fatal(err)
	}
	other, err := ref.ParseMove("c3")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Choose(ctx, []engines.Move{d.Move, other}, limits); err != nil { // another line, so the board is sent again
		t.Fatal(err)
	}
	sent := p.Stderr()
	if err = p.Reset("", 2); err != nil {
		t.Fatal(err)
	}
	p.Close()
	const want = "ABOUT START 9 INFO game_type 1 INFO rule 1 INFO thread_num 1 INFO A 7 INFO B 0.25 YXHASHCLEAR " +
		"INFO timeout_match 0 INFO timeout_turn 600000 INFO MAX_NODE 500 INFO time_left 2147483647 ABOUT BEGIN " +
		"ABOUT INFO time_left 2147483647 TURN 4,4 ABOUT INFO time_left 2147483647 BOARD 0,0,1 2,6,2 DONE ABOUT YXHASHCLEAR RESTART END"
	got := sentWords(sent())
	// INFO game_type and rule are sent again with every vector.
	got = strings.Replace(got, "thread_num 1 INFO game_type 1 INFO rule 1 INFO A", "thread_num 1 INFO A", 1)
	if got != want {
		t.Errorf("sent:\n%s\nwant:\n%s", got, want)
	}
}

// sentWords returns the words on a brain's stderr, without repetitions
// of ABOUT, which is sent again while its answer has not come.
func sentWords(stderr string) string {
	words := strings.Fields(strings.ReplaceAll(stderr, "|", " "))
	again := 0
	return strings.Join(slices.DeleteFunc(words, func(w string) bool {
		if again++; w != "ABOUT" {
			again = 0
		}
		return again > 1
	}), " ")
}

// TestGomocupSendsClock expects the clock of the game and its rest in the brain's input.
func TestGomocupSendsClock(t *testing.T) {
	t.Parallel()
	v := variant(t, "gobang", "size=9")
	p, err := brain(t, "plain").Open(context.Background(), v, process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	sent := p.Stderr()
	var history []engines.Move
	ref := v.NewReferee()
	for _, left := range []int{60, 58} {
		if left == 60 {
			if err := p.Reset("", 1); err != nil {
				t.Fatal(err)
			}
		}
		d, err := p.Choose(context.Background(), history, engines.Limits{Clock: engines.Clock{Base: time.Duration(left) * time.Second, Inc: time.Second}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := ref.ParseMove("e5")
		if err != nil {
			t.Fatal(err)
		}
		history = []engines.Move{d.Move, m}
	}
	p.Close()
	const want = "INFO timeout_match 60000 INFO timeout_turn 60000 INFO time_left 60000 ABOUT BEGIN ABOUT INFO time_left 58000 TURN 4,4 ABOUT END"
	if got := sentWords(sent()); !strings.HasSuffix(got, want) {
		t.Errorf("sent:\n%s\nwant it to end:\n%s", got, want)
	}
}

// TestGomocupRefusesWhatItLacks tries rules, sizes and limits that the protocol or the brain lacks.
func TestGomocupRefusesWhatItLacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, line, want string }{
		{"size=10", "", "refuses a board of size 10: only boards of nine"},
		{"size=9,opening_ring=yes", "", "does not know the rule opening_ring=yes"},
		{"size=9", "options = {sparkle = 1}", `offers no option "sparkle"`},
	} {
		p, err := brain(t, "good", c.line).Open(context.Background(), variant(t, "gobang", c.rules), process.Options{})
		var fault *engines.Fault
		if err == nil {
			p.Close()
		}
		if err == nil || errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v; want a refusal with %q", c.rules, c.line, err, c.want)
		}
	}
	p, err := brain(t, "good").Open(context.Background(), variant(t, "gobang", "size=9"), process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, l := range []engines.Limits{{Depth: 3}, {Playouts: 9}, {}} {
		if err := p.Admits(l); err == nil {
			t.Errorf("limits %q are taken in the plain dialect", l)
		}
	}
}
