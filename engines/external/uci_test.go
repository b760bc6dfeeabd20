package external_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
)

// mockOptions are options that have been traps in UCI engines.
const mockOptions = `option name Hash type spin default 16 min 1 max 65536
option name Move Overhead type spin default 10 min 0 max 5000
option name Clear Hash type button
option name Style type combo default very solid var very solid var very wild
option name Net Path type string default <empty>
option name Book type string
option name Contempt type spin default -20 min -100 max 100
option name Odd type spin default 500 min 0 max 100
option name Big type spin default 1 min 0 max 18446744073709551615
option name LMR type string default 0.85
option name Ponder type check default false
`

// mockUCI is a chess engine.
// Its first argument has its answers to go, separated by
// |: "wait" waits for stop and "leave" ends the engine.
// It writes its input to the file of its second argument, and leaves if it gets an unknown option.
// The third argument no960 removes the option UCI_Chess960, slow delays the first readyok, and learns
// opens the file BOOK for writing.
func mockUCI(args []string) {
	log := must(os.Create(args[1]))
	if book := os.Getenv("BOOK"); args[2] == "learns" {
		defer must(os.OpenFile(book, os.O_RDWR, 0)).Close()
	}
	ready := 0
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		line := in.Text()
		must(fmt.Fprintln(log, line))
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "uci":
			fmt.Print("id name Mock 1.0\nid author Nobody\n" + mockOptions)
			if args[2] != "no960" {
				fmt.Println("option name UCI_Chess960 type check default false")
			}
			fmt.Println("uciok")
		case "isready":
			if ready++; args[2] == "slow" && ready == 1 {
				time.Sleep(100 * time.Millisecond)
			}
			fmt.Println("readyok")
		case "setoption":
			name, _, _ := strings.Cut(strings.TrimPrefix(rest, "name "), " value ")
			if !strings.Contains(mockOptions+"name UCI_Chess960 ", "name "+name+" ") || strings.HasSuffix(rest, "value 66") {
				os.Exit(6)
			}
		case "go":
			for text := range strings.SplitSeq(args[0], "|") {
				switch text {
				case "wait":
				case "leave":
					os.Exit(7)
				default:
					fmt.Println(text)
					continue
				}
				for in.Scan() && in.Text() != "stop" {
				}
			}
		case "quit":
			return
		}
	}
}

// openUCI opens the mock, and returns its input.
func openUCI(t *testing.T, rules, answer, more string, o process.Options, lines ...string) (*external.Player, func() string, error) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	e := engineFile(t, append([]string{`name = "mock"`, `protocol = "uci"`, `games = ["chess"]`,
		fmt.Sprintf(`args = [%s, %s, %s]`, strconv.Quote(answer), strconv.Quote(log), strconv.Quote(more)), `env = {` + mockKey + ` = "uci"}`}, lines...)...)
	p, err := e.Open(context.Background(), variant(t, "chess", rules), o)
	if err == nil {
		t.Cleanup(func() { p.Close() })
	}
	return p, func() string {
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}, err
}

// begin starts a game of a player, and returns a referee of it.
func begin(t *testing.T, p *external.Player, rules, position string) engines.Referee {
	t.Helper()
	ref := variant(t, "chess", rules).NewReferee()
	if err := errors.Join(p.Reset(position, 1), ref.Reset(position)); err != nil {
		t.Fatal(err)
	}
	return ref
}

// TestUCIWaitsForSlowStart expects a wait for an engine that
// reads its networks as long as isready may take, and no longer.
func TestUCIWaitsForSlowStart(t *testing.T) {
	t.Parallel()
	p, _, err := openUCI(t, "", "bestmove e2e4", "slow", process.Options{Patience: patience, Clock: standing(stallWait, graceWait, quitWait, moveTime)})
	if err != nil {
		t.Fatal(err)
	}
	begin(t, p, "", "")
	if _, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 1, Time: time.Hour}); err != nil {
		t.Error(err)
	}
	_, _, err = openUCI(t, "", "bestmove e2e4", "slow", process.Options{Patience: patience, Clock: standing(readyWait)})
	if fault, ok := errors.AsType[*engines.Fault](err); !ok || fault.Reason != engines.Stall || !strings.Contains(fault.Detail, "while setting options") {
		t.Errorf("it never is ready: %v", err)
	}
}

// laterAfter is a clock whose time jumps by an hour when its program has read a word.
type laterAfter struct {
	fakeClock
	word  string
	heard func() string
}

func (l *laterAfter) Now() time.Time {
	if l.heard != nil && strings.Contains(l.heard(), l.word) {
		return l.fakeClock.Now().Add(time.Hour)
	}
	return l.fakeClock.Now()
}

// TestOnlyThinkingCostsTime lets an hour pass before a program is ready in a position, which
// costs it no time, and then while it thinks, by which it loses.
func TestOnlyThinkingCostsTime(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]engines.Reason{"position startpos\nisready\n": "", "go movetime": engines.OutOfTime} {
		clock := &laterAfter{word: word}
		p, heard, err := openUCI(t, "", "bestmove e2e4", "", process.Options{Patience: patience, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		begin(t, p, "", "")
		clock.heard = heard
		_, err = p.Choose(context.Background(), nil, timed)
		fault, lost := errors.AsType[*engines.Fault](err)
		if lost != (want != "") || lost && fault.Reason != want {
			t.Errorf("an hour passes before the answer to %q: %v; want a loss by %q", word, err, want)
		}
	}
}

// TestOptionThatEndsProgramIsNamed expects the values in the fault of a program that ends as
// its options are set, and <empty> for an empty text.
func TestOptionThatEndsProgramIsNamed(t *testing.T) {
	t.Parallel()
	_, _, err := openUCI(t, "", "bestmove e2e4", "", process.Options{}, "[options]\nBook = \"\"\nHash = 7\nContempt = 66")
	if fault, ok := errors.AsType[*engines.Fault](err); !ok || fault.Reason != engines.Crash || !strings.Contains(fault.Detail, "while setting options Book= Contempt=66 Hash=7") {
		t.Errorf("it ends at an option: %v", err)
	}
	_, heard, err := openUCI(t, "", "bestmove e2e4", "", process.Options{}, "[options]\nBook = \"\"")
	if err != nil || !strings.Contains(heard(), "setoption name Book value <empty>\n") {
		t.Errorf("an empty text: %v, sent\n%s", err, heard())
	}
}

// TestUCIReadsEveryOption has names and values with blanks, buttons, texts
// without a default, spins below zero and with bounds beyond every integer.
// Options come before the new game and isready after both, by the names that the engine gave them.
func TestUCIReadsEveryOption(t *testing.T) {
	t.Parallel()
	p, words, err := openUCI(t, "", "bestmove e2e4", "", process.Options{},
		`options = {"MOVE overhead" = 0, "Clear Hash" = "", Style = "very wild", "Net Path" = "/a b/c.nn", Contempt = -35, Odd = 100, Big = 7, LMR = "0.9", Ponder = false}`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, param := range p.Space() {
		names = append(names, param.Name)
	}
	if got := strings.Join(names, " "); got != "Contempt" {
		t.Errorf("it offers %s to tuners; want Contempt alone: Odd's default is out of its range, Big has no bounds", got)
	}
	if err := p.Configure([]float64{-50}); err != nil {
		t.Fatal(err)
	}
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 3}); err != nil {
		t.Fatal(err)
	}
	want := `uci
setoption name UCI_Chess960 value false
setoption name Big value 7
setoption name Clear Hash
setoption name Contempt value -35
setoption name LMR value 0.9
setoption name Move Overhead value 0
setoption name Net Path value /a b/c.nn
setoption name Odd value 100
setoption name Ponder value false
setoption name Style value very wild
isready
setoption name UCI_Chess960 value false
setoption name Contempt value -50
isready
ucinewgame
isready
position startpos
isready
go depth 3
`
	if got := words(); got != want {
		t.Errorf("it got\n%swant\n%s", got, want)
	}
}

// TestUCIRefusesUnknownOptions expects that options that the program lacks,
// or that the game sets, are refused before the first game and never sent.
func TestUCIRefusesUnknownOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, more, line, want string }{
		{"", "", `options = {Hsah = 4}`, `offers no option "Hsah"; did you mean Hash?`},
		{"", "", `options = {Contempt = 101}`, "out of its range, -100 to 100"},
		{"", "", `options = {Style = "wild"}`, "want very solid | very wild"},
		{"", "", "[[param]]\nname = \"Contempt\"\nmin = -100\nmax = 100\ndefault = 0", "option Contempt takes whole numbers only: add whole = true, or int in rows; fix the [[param]]"},
		{"", "", "[[param]]\nname = \"Contempt\"\nmin = -100\nmax = 400\ndefault = 0\nwhole = true", "option Contempt = 400 is out of its range, -100 to 100"},
		{"", "", `options = {UCI_Chess960 = true}`, "is set by the game that is played"},
		{"variant=chess960", "no960", "", "does not play chess960"},
	} {
		_, _, err := openUCI(t, c.rules, "bestmove e2e4", c.more, process.Options{}, c.line)
		var refusal *external.Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want a refusal with %q", c.line, err, c.want)
		}
	}
}

// TestUCIProbesNodesFirst expects that support of go nodes is tested before the first game.
func TestUCIProbesNodesFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answer, want string
		clock        *fakeClock
	}{
		{"info depth 1 nodes 20|bestmove e2e4", "", standing()},
		{"info depth 9 nodes 4096|bestmove e2e4", "", standing()}, // it looks at the limit every 4096 nodes
		{"info depth 20 nodes 30000000|bestmove e2e4", "it searched 30000000", standing()},
		{"info string ERROR: no network|leave", `ended with exit status 7 while searching one node, to see whether it knows go nodes; the last line it wrote: "info string ERROR: no network"`, standing()},
		{"info depth 1 nodes 20|wait|bestmove e2e4", "does not keep to go nodes",
			&fakeClock{step: []time.Duration{0, 2 * graceWait}, fire: map[time.Duration]bool{2 * graceWait: true}}},
	} {
		p, words, err := openUCI(t, "", c.answer, "", process.Options{Patience: patience, Clock: c.clock})
		if err != nil {
			t.Fatal(err)
		}
		err = p.Admits(engines.Limits{Nodes: 1000})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.answer, err, c.want)
		}
		if err != nil && strings.Count(err.Error(), "engine mock: ") != 1 {
			t.Errorf("%s: the engine is not named once: %v", c.answer, err)
		}
		if again := p.Admits(engines.Limits{Nodes: 5}); (again == nil) != (err == nil) || strings.Count(words(), "go nodes") != 1 {
			t.Errorf("%s: a second probe returned %v after\n%s", c.answer, again, words())
		}
		if err := p.Admits(engines.Limits{Depth: 4}); err != nil {
			t.Errorf("%s: a depth is refused: %v", c.answer, err)
		}
	}
}

// TestUCIAnswersGiveMoveOrFault has answers of programs to go.
func TestUCIAnswersGiveMoveOrFault(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts many programs")
	}
	t.Parallel()
	const promotion, castling = "8/4P1k1/8/8/8/8/8/4K3 w - - 5 60", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	const free = "variant=chess960"
	for _, c := range []struct {
		rules, position, answer string
		want                    string // the move, score (NaN for none), mate and depth, or ! and a fault
	}{
		{"", "", "bestmove e2e4", "e2e4 NaN 0 0"},
		{"", "", "bestmove e2e4 ponder e7e5", "e2e4 NaN 0 0"},
		{"", "", "\tinfo\tdepth\t7\tpv e2e4|info depth 8|info depth 8 currmove d2d4|bestmove \t e2e4\tponder", "e2e4 NaN 0 7"},
		{"", "", "info depth 7 seldepth 9 score cp -31 nodes 5 wdl 10 20 970 hashfull 3 pv e2e4|bestmove e2e4", "e2e4 -31 0 7"},
		{"", "", "info depth 7 score cp 20 pv e2e4|info depth 8 score cp 90 lowerbound pv d2d4|bestmove e2e4", "e2e4 20 0 7"},
		{"", "", "info depth 7 score cp 20 pv e2e4|info depth 8 score upperbound cp -90|bestmove e2e4", "e2e4 20 0 7"},
		{"", "", "info depth 9 score mate 3 pv e2e4|bestmove e2e4", "e2e4 999995 5 9"},
		{"", "", "info depth 9 score mate -2|bestmove e2e4", "e2e4 -999996 -4 9"},
		{"", "", "info depth 8|info score cp 20|info depth 9 currmove d2d4|bestmove e2e4", "e2e4 20 0 8"},
		{"", "", "info depth 8|info score cp 20 lowerbound|info depth 7 score cp 3|info score cp 4|bestmove e2e4", "e2e4 4 0 7"},
		{"", "", "info score cp 20|info depth 8|info score cp 25|info depth 9|bestmove e2e4", "e2e4 25 0 8"},
		{"", "", "info depth 5 score cp 11|info depth 0 score mate 0|bestmove e2e4", "e2e4 11 0 0"},
		{"", "", "info depth 5 score mate 4|info depth 6 score cp 11|bestmove e2e4", "e2e4 11 0 6"},
		{"", "", "info depth 5 multipv 1 score cp 11|info depth 5 multipv 2 score cp -7|bestmove e2e4", "e2e4 11 0 5"},
		{"", "", "info currmove e2e4 currmovenumber 1|info string score cp 50 depth 4|bestmove e2e4", "e2e4 NaN 0 0"},
		{"", "", "info depth 3 score cp 4 pv g1f3 g8f6 f3g1 f6g8 g1f3 cp 9|bestmove g1f3", "g1f3 4 0 3"}, // past a repetition
		{"", "", strings.Repeat("info string noise|", 3000) + "bestmove e2e4", "e2e4 NaN 0 0"},
		{"", promotion, "bestmove e7e8Q", "e7e8q NaN 0 0"},
		{"", promotion, "bestmove e7e8n", "e7e8n NaN 0 0"},
		{"", castling, "bestmove e1g1", "e1g1 NaN 0 0"},
		{"", castling, "bestmove e1h1", "e1g1 NaN 0 0"},
		{free, castling, "bestmove e1g1", "e1h1 NaN 0 0"},
		{free, castling, "bestmove e1h1", "e1h1 NaN 0 0"},
		{"", "", "bestmove e2e5", `!illegal: engine mock: answered "e2e5", which is not legal`},
		{"", "", "bestmove (none)", `!illegal: says "(none)"`},
		{"", "", "bestmove 0000", `!illegal: says "0000"`},
		{"", "", "bestmove NULL", `!illegal: says "NULL"`},
		{"", "", "bestmove", "!garbage: an answer without a move"},
		{"", "", "bestmove Nf3", "!garbage: no move of UCI"},
		{"", "", "bestmove e7-e5", "!garbage: no move of UCI"},
	} {
		p, _, err := openUCI(t, c.rules, c.answer, "", process.Options{Patience: patience})
		if err != nil {
			t.Fatal(err)
		}
		ref := begin(t, p, c.rules, c.position)
		d, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 3})
		got := fmt.Sprintf("%s %g %d %d", ref.MoveString(d.Move), d.Score, d.Mate, d.Depth)
		if fault, ok := errors.AsType[*engines.Fault](err); ok {
			got = "!" + string(fault.Reason) + ": " + fault.Detail
		} else if err != nil {
			t.Fatal(err)
		}
		reason, detail, faulty := strings.Cut(c.want, ": ")
		if !faulty && got != c.want || faulty && !(strings.HasPrefix(got, reason) && strings.Contains(got, detail)) {
			t.Errorf("%.60q in %q: %s; want %s", c.answer, c.position, got, c.want)
		}
	}
}

// TestUCIRejectsLateAnswer expects that a late answer
// is not taken for the answer to the next question.
func TestUCIRejectsLateAnswer(t *testing.T) {
	t.Parallel()
	p, _, err := openUCI(t, "", "bestmove e2e4|bestmove d2d4", "", process.Options{Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 1}); err != nil {
		t.Fatal(err)
	}
	_, err = p.Choose(context.Background(), nil, engines.Limits{Depth: 1})
	if fault, ok := errors.AsType[*engines.Fault](err); !ok || fault.Reason != engines.Garbage || !strings.Contains(fault.Detail, "bestmove d2d4") {
		t.Errorf("after two answers: %v", err)
	}
}

// TestUCISendsPositionsAndLimits compares positions and limits with the sent lines.
func TestUCISendsPositionsAndLimits(t *testing.T) {
	t.Parallel()
	second := func(base, inc time.Duration, moves int) engines.Clock {
		return engines.Clock{Base: base * time.Second, Inc: inc * time.Millisecond, Moves: moves}
	}
	const start960 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
	for _, c := range []struct {
		rules, position string
		moves           string
		limits          engines.Limits
		want            string // "" for a refusal
	}{
		{"", "", "e2e4 e7e5", engines.Limits{Depth: 5, Time: time.Second}, "position startpos moves e2e4 e7e5\nisready\ngo depth 5 movetime 1000\n"},
		{"", "4k3/8/8/8/8/8/4P3/4K3 b - - 7 33", "e8d8", engines.Limits{Depth: 5},
			"position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 7 33 moves e8d8\nisready\ngo depth 5\n"},
		{"", "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 7; fmvn 33;", "", engines.Limits{Depth: 5}, "position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 7 33\nisready\ngo depth 5\n"},
		{"", "4k3/8/8/8/8/8/4P3/4K3 b - - 7 33; c0 \"x\";", "", engines.Limits{Depth: 5}, "position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 7 33\nisready\ngo depth 5\n"},
		{"", "4k3/8/8/8/8/8/4P3/4K3 b - - 4 9; c0 \"hmvc 60 it says\";hmvc 7;fmvn 33;", "", engines.Limits{Depth: 5},
			"position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 7 33\nisready\ngo depth 5\n"},
		{"", "4k3/8/8/8/8/8/4P3/4K3 b - -", "", engines.Limits{Depth: 5}, "position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\nisready\ngo depth 5\n"},
		{"variant=chess960", start960, "", engines.Limits{Depth: 5},
			"position fen bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\nisready\ngo depth 5\n"},
		{"", "", "", engines.Limits{Clock: second(8, 80, 0), Other: second(7, 90, 0)}, "position startpos\nisready\ngo wtime 8000 btime 7000 winc 80 binc 90\n"},
		{"", "", "e2e4", engines.Limits{Clock: second(8, 0, 40)}, "position startpos moves e2e4\nisready\ngo wtime 8000 btime 8000 movestogo 40\n"},
		{"", "", "", engines.Limits{Playouts: 5}, ""},
		{"", "", "", engines.Limits{}, ""},
	} {
		p, words, err := openUCI(t, c.rules, "bestmove e2e4", "", process.Options{Patience: patience})
		if err != nil {
			t.Fatal(err)
		}
		ref := begin(t, p, c.rules, c.position)
		var history []engines.Move
		for word := range strings.FieldsSeq(c.moves) {
			m := must(ref.ParseMove(word))
			history = append(history, m)
			ref.Play(m)
		}
		_, err = p.Choose(context.Background(), history, c.limits)
		if _, ok := errors.AsType[*external.Refusal](err); ok != (c.want == "") {
			t.Errorf("%+v: error %v", c.limits, err)
		}
		if got := words(); !strings.HasSuffix(got, c.want) {
			t.Errorf("%+v: got\n%s\nwant\n%s", c.limits, got, c.want)
		}
	}
}
