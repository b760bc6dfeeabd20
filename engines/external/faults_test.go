package external_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/games"
)

// spoken describes the mock of each protocol: the rules if they are
// not the game's defaults, and the server if it is another protocol's.
// The mocks of protocols without a server are recorded
// peers: the first and the second side of a game.
var spoken = map[string]struct {
	rules, server string
	recorded      [2]string
}{
	"getpoint": {rules: small, server: "ugi"},
	"gomocup":  {rules: "size=9"},
	"qtp":      {recorded: [2]string{"qtp-first", "qtp-second"}},
	"uci-mill": {recorded: [2]string{"uci-mill-first", "uci-mill-second"}},
}

// gameOf returns the game and rules of a protocol's mock.
func gameOf(p *protocol.Protocol) (game, rules string) {
	if p.Games == nil {
		return "connectfour", small
	}
	return p.Games[0], spoken[p.Name].rules
}

// mockAny is an engine of any protocol that is served, by this program's server. It plays the
// first legal move. Its second argument is its fault: in its process, at its third decision, or
// in the text of this answer.
func mockAny(args []string) {
	p := must(protocol.Find(args[0]))
	m := &misbehaving{fault: args[1]}
	m.start()
	game, rules := gameOf(&p)
	own := *must(games.Find(game))
	makeGame := own.New
	own.New = func(rules engines.Rules) (engines.Variant, error) {
		v, err := makeGame(rules)
		v.NewPlayer = func() engines.Player { return &firstMove{m: m, ref: v.NewReferee()} }
		return v, err
	}
	name := p.Name
	if s := spoken[p.Name].server; s != "" {
		name = s
	}
	o := protocol.ServeOptions{Game: &own, Protocol: name, Rules: must(engines.ParseRules(rules))}
	if err := protocol.Serve(context.Background(), os.Stdin, m, o); err != nil {
		panic(err)
	}
	if m.fault == "hang-quit" {
		block()
	}
}

// misbehaving is the output of a mock with a fault.
type misbehaving struct {
	fault     string
	decisions int
	spoil     bool // the next text is the answer with the fault
}

func (m *misbehaving) start() {
	switch m.fault {
	case "crash-start":
		fmt.Fprintln(os.Stderr, "no such weights")
		os.Exit(3)
	case "hang-start":
		block()
	case "child":
		startChild()
	case "flood-stderr":
		for i := range 20_000 {
			fmt.Fprintf(os.Stderr, "noise %d, longer than a pipe is deep\n", i)
		}
	}
}

// firstMove is a player that plays the first legal move, up to its fault.
type firstMove struct {
	m        *misbehaving
	ref      engines.Referee
	position string
}

func (f *firstMove) Configure([]float64) error { return nil }

func (f *firstMove) Reset(position string, _ uint64) error {
	f.position = position
	return nil
}

func (f *firstMove) Choose(_ context.Context, history []engines.Move, l engines.Limits) (engines.Decision, error) {
	if err := f.ref.Reset(f.position); err != nil {
		return engines.Decision{}, err
	}
	for _, m := range history {
		f.ref.Play(m)
	}
	d := engines.Decision{Move: f.ref.Moves(nil)[0]}
	f.m.decide()
	switch f.m.fault {
	case "delay": // the server reserves 20 ms of a time
		if l.Time > 0 {
			time.Sleep(l.Time + 60*time.Millisecond)
		}
	case "restless":
		d.Nodes = int64(f.m.decisions)
	case "endless":
		d.Nodes = 1_000_000
	case "shallow":
		d.Nodes = 4
	}
	return d, nil
}

// decide counts a decision, and commits the fault of the third.
func (m *misbehaving) decide() {
	m.decisions++
	if m.decisions != 3 {
		return
	}
	switch m.spoil = true; m.fault {
	case "crash":
		fmt.Fprintln(os.Stderr, "assertion failed")
		os.Exit(4)
	case "hang":
		block()
	}
}

// Write is given whole answers.
func (m *misbehaving) Write(text []byte) (int, error) {
	n := len(text)
	switch m.fault {
	case "cr":
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r"))
	case "crlf":
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	if !m.spoil {
		return n, print(text)
	}
	m.spoil = false
	move := strings.TrimRight(string(text), "\n") // the move is its last word
	switch m.fault {
	case "foreign":
		text = append([]byte(move[:1+strings.LastIndexAny(move, " \n")]), "Nf3\n\n"...)
	case "half-line":
		text = []byte(move)
	case "endless-line":
		for {
			must(os.Stdout.WriteString(strings.Repeat("x", 4096)))
		}
	case "flood":
		for {
			must(os.Stdout.WriteString("info depth 1 nodes 1\n"))
		}
	case "close-stdout":
		os.Stdout.Close()
		block()
	}
	err := print(text)
	switch m.fault {
	case "crash-after", "half-line", "buffered":
		os.Exit(5)
	}
	return n, err
}

func print(text []byte) error {
	_, err := os.Stdout.Write(text)
	return err
}

// TestFaultsAreAlikeInAllProtocols expects the same outcome of a mistake in every protocol.
// The innocent side never loses by it, and no process is left.
func TestFaultsAreAlikeInAllProtocols(t *testing.T) {
	list := protocol.All()
	if testing.Short() {
		list = list[:1] // faults of processes are handled in one place
	}
	for _, p := range list {
		for _, c := range []struct {
			fault   string
			refused bool           // refused by Open
			reason  engines.Reason // "" for a game that ends by the rules
			clock   *fakeClock
		}{
			{fault: "good"}, {fault: "cr"}, {fault: "crlf"}, {fault: "child"}, {fault: "flood-stderr"},
			{fault: "hang-quit", clock: standing(quitWait)},
			{fault: "crash-start", refused: true, reason: engines.Crash},
			{fault: "hang-start", refused: true, reason: engines.Stall, clock: standing(startWait)},
			{fault: "crash", reason: engines.Crash}, {fault: "crash-after", reason: engines.Crash},
			{fault: "half-line", reason: engines.Crash}, {fault: "close-stdout", reason: engines.Crash},
			{fault: "hang", reason: engines.Stall, clock: standing(moveTime+margin, graceWait, moveTime+margin+graceWait)},
			{fault: "foreign", reason: engines.Garbage}, {fault: "endless-line", reason: engines.Garbage}, {fault: "flood", reason: engines.Stall, clock: standing(moveTime+margin, graceWait, moveTime+margin+graceWait)},
			{fault: "in-time", clock: steps(0, moveTime+margin)},
			{fault: "slow", reason: engines.OutOfTime, clock: steps(0, moveTime+margin+time.Millisecond)},
		} {
			t.Run(p.Name+" "+c.fault, func(t *testing.T) {
				t.Parallel()
				game, rules := gameOf(&p)
				v := variant(t, game, rules)
				clock := c.clock
				if clock == nil {
					clock = standing()
				}
				tryFault(t, &p, v, c.fault, c.refused, c.reason, clock)
			})
		}
	}
}

func tryFault(t *testing.T, p *protocol.Protocol, v engines.Variant, fault string, refused bool, reason engines.Reason, clock *fakeClock) {
	open := func(side engines.Side, fault string, clock *fakeClock) (engines.Player, func(), error) {
		kind, program := "any", p.Name
		if file := spoken[p.Name].recorded[side]; file != "" {
			kind, program = "peer", must(filepath.Abs(filepath.Join("testdata", "peers", file+".txt")))
		}
		e := engineFile(t, `name = "mock"`, `protocol = "`+p.Name+`"`, `games = ["`+v.Game.Name+":"+v.Rules+`"]`, `args = ['`+program+`', "`+fault+`"]`, `env = {`+mockKey+` = "`+kind+`"}`)
		one, err := e.Open(context.Background(), v, process.Options{Patience: patience, Clock: clock})
		return one, func() { gone(t, one) }, err
	}
	guilty, end, err := open(engines.First, fault, clock)
	if refused {
		if f, ok := errors.AsType[*engines.Fault](err); !ok || f.Reason != reason {
			t.Fatalf("Open: %v; want a fault %q", err, reason)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	innocent, endInnocent, err := open(engines.Second, "good", standing())
	if err != nil {
		t.Fatal(err)
	}
	defer endInnocent()
	o := game(t, v, [2]engines.Player{guilty, innocent}, engines.Opening{}, [2]engines.Limits{timed, timed}, 1)
	switch {
	case reason == "" && (o.reason.Fault() || o.result == engines.Ongoing):
		t.Errorf("ended %v by %q: %s; want an end by the rules", o.result, o.reason, o.detail)
	case reason != "" && (o.result != engines.SecondWins || o.reason != reason):
		t.Errorf("ended %v by %q: %s; want 0-1 by %q", o.result, o.reason, o.detail, reason)
	}
}
