package external_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/testmode"
)

// serveProcess is our own engine as a process: GAME PROTOCOL.
func serveProcess(args []string) {
	o := protocol.ServeOptions{Game: must(games.Find(args[0])), Protocol: args[1], Rows: true}
	o.Levels, o.FindLevel = levels.Offer(o.Game)
	if err := protocol.Serve(context.Background(), os.Stdin, os.Stdout, o); err != nil {
		panic(err)
	}
}

// ourFile is an engine file of serveProcess.
func ourFile(t testing.TB, game, protocol string, more ...string) *external.Engine {
	t.Helper()
	return engineFile(t, append([]string{
		`name = "ours"`, `protocol = "` + protocol + `"`, `games = ["` + game + `"]`,
		`args = ["` + game + `", "` + protocol + `"]`, `env = {` + mockKey + ` = "serve"}`,
	}, more...)...)
}

// TestServedGamesEqualDirectOnes compares whole games of served
// engines with games of our players called directly, move by move.
func TestServedGamesEqualDirectOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays every game through processes")
	}
	for _, c := range []struct {
		game, rules, protocol string
		limits                engines.Limits
		more                  []string
	}{
		{game: "quoridor", protocol: "ugi"},
		{game: "quoridor", rules: "variant=standard", protocol: "ugi"},
		{game: "gobang", rules: "size=9,exact_five=yes", protocol: "ugi", limits: engines.Limits{Depth: 2}},
		{game: "connectfour", protocol: "ugi", limits: engines.Limits{Playouts: 300}},
		{game: "connectfour", rules: "rows=6,cols=7,forbidden=none", protocol: "ugi", limits: engines.Limits{Nodes: 500}},
		{game: "mills", protocol: "ugi", limits: engines.Limits{Depth: 2}},
		{game: "mills", rules: "preset=ninechess", protocol: "ugi", limits: engines.Limits{Nodes: 300}},
		{game: "gobang", rules: "size=9", protocol: "gomocup", limits: engines.Limits{Depth: 2}, more: []string{`dialect = "yixin"`}},
		{game: "gobang", rules: "size=10,exact_five=yes", protocol: "gomocup", limits: engines.Limits{Nodes: 400}, more: []string{`dialect = "yixin"`}},
		{game: "quoridor", protocol: "ugi", limits: engines.Limits{Clock: engines.Clock{Base: time.Hour, Inc: time.Second}}}, // its player needs no time
	} {
		t.Run(fmt.Sprintf("%s %s %s %s", c.protocol, c.game, c.rules, c.limits), func(t *testing.T) {
			t.Parallel()
			v := variant(t, c.game, c.rules)
			e := ourFile(t, c.game, c.protocol, c.more...)
			var direct, through [2]engines.Player
			for i := range through {
				p, err := e.Open(context.Background(), v, process.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer gone(t, p)
				if err := p.Configure(p.Space().Default()); err != nil {
					t.Fatal(err)
				}
				through[i], direct[i] = p, ours(t, v)
			}
			for seed := range uint64(2) {
				open := v.Opening(rand.New(rand.NewPCG(7, seed)), 4)
				limits := [2]engines.Limits{c.limits, c.limits}
				want := game(t, v, direct, open, limits, seed)
				got := game(t, v, through, open, limits, seed)
				if want.reason.Fault() {
					t.Fatalf("the direct game is lost by %s: %s", want.reason, want.detail)
				}
				if d := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); d != "" {
					t.Fatalf("game %d (-direct +through):\n%s", seed, d)
				}
			}
		})
	}
}

// TestParametersReachServedPlayer expects that a vector set through a
// process plays as the same vector set directly, and not as the default.
func TestParametersReachServedPlayer(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"quoridor", "gobang", "mills"} {
		v := variant(t, name, "")
		bad, err := v.Game.Preset(v.Game.WeakPreset)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ourFile(t, name, "ugi").Open(context.Background(), v, process.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer gone(t, p)
		if d := cmp.Diff(v.Game.Space.Names(), p.Space().Names()); d != "" {
			t.Fatalf("%s: parameters (-game +offered):\n%s", name, d)
		}
		direct := v.NewPlayer()
		if err := direct.Configure(bad.Vector); err != nil {
			t.Fatal(err)
		}
		if err := p.Configure(bad.Vector); err != nil {
			t.Fatal(err)
		}
		limits := [2]engines.Limits{v.Game.Limits, v.Game.Limits}
		if name == "gobang" {
			limits = [2]engines.Limits{{Depth: 2}, {Depth: 2}}
		}
		open := v.Opening(rand.New(rand.NewPCG(3, 3)), 6)
		want := game(t, v, [2]engines.Player{direct, ours(t, v)}, open, limits, 5)
		got := game(t, v, [2]engines.Player{p, ours(t, v)}, open, limits, 5)
		other := game(t, v, [2]engines.Player{ours(t, v), ours(t, v)}, open, limits, 5)
		if d := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); d != "" {
			t.Errorf("%s (-direct +through):\n%s", name, d)
		}
		if fmt.Sprint(other) == fmt.Sprint(got) {
			t.Errorf("%s: the preset %s plays like the default, so this test shows nothing", name, bad.Name)
		}
	}
}

// session is a server fed line by line.
type session struct {
	in   *io.PipeWriter
	out  chan string // buffered, so that the server never waits for the test
	done chan error
}

func serve(t testing.TB, o protocol.ServeOptions) *session {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	s := &session{in: inWrite, out: make(chan string, 10_000), done: make(chan error, 1)}
	go func() {
		defer close(s.out)
		lines := bufio.NewScanner(outRead)
		for lines.Scan() {
			s.out <- lines.Text()
		}
	}()
	go func() {
		err := protocol.Serve(context.Background(), inRead, outWrite, o)
		outWrite.Close()
		inRead.Close()
		s.done <- err
	}()
	return s
}

// tell sends a line.
func (s *session) tell(t testing.TB, line string) {
	t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		t.Fatalf("sending %q: %v", line, err)
	}
}

// until returns lines up to and including the first for which f holds.
func (s *session) until(t testing.TB, f func(string) bool) (lines []string) {
	t.Helper()
	for line := range s.out {
		lines = append(lines, line)
		if f(line) {
			return lines
		}
	}
	t.Fatalf("the server ended after %q", lines)
	return nil
}

func starts(with string) func(string) bool {
	return func(line string) bool { return strings.HasPrefix(line, with) }
}

// TestServersAnswerTranscripts sends the lines marked > of testdata/serve and compares the answers.
// The first line names game, protocol and rules, or rows for Gomocup's rows.
func TestServersAnswerTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/serve/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d transcripts: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			testmode.Golden(t, file, []byte(transcript(t, string(data))))
		})
	}
}

// transcript plays a transcript's questions and returns it with the answers.
func transcript(t *testing.T, text string) string {
	head, rest, _ := strings.Cut(text, "\n")
	f := strings.Fields(head)
	g, err := games.Find(f[0])
	if err != nil {
		t.Fatal(err)
	}
	o := protocol.ServeOptions{Game: g, Protocol: f[1], Clock: standing()}
	if o.Rows = slices.Contains(f[2:], "rows"); len(f) > 2 && !o.Rows {
		o.Rules = must(engines.ParseRules(f[2]))
	}
	o.Levels, o.FindLevel = levels.Offer(g)
	s := serve(t, o)
	got := head + "\n"
	for line := range strings.Lines(rest) {
		question, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "> ")
		if !ok {
			continue
		}
		got += "> " + question + "\n"
		s.tell(t, question)
		for _, answer := range s.answers(t, f[1], question) {
			got += answer + "\n"
		}
	}
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Fatal(err)
	}
	return got
}

// answers returns the output after a question, by asking
// another question afterwards whose answer is known.
func (s *session) answers(t *testing.T, protocol, question string) []string {
	word, _, _ := strings.Cut(strings.ReplaceAll(question, "\t", " "), " ")
	drop := func(lines []string) []string { return lines[:len(lines)-1] }
	thinks := false
	switch protocol {
	case "ugi":
		if word == "quit" {
			return nil
		}
		if word == "go" {
			return s.until(t, func(line string) bool {
				return strings.Contains(line, "bestmove")
			})
		}
		s.tell(t, "isready")
		return drop(s.until(t, func(line string) bool { return line == "readyok" }))
	case "gomocup":
		thinks = word == "BEGIN" || word == "TURN" || word == "DONE"
		if thinks {
			return s.until(t, func(line string) bool { return strings.HasPrefix(line, "ERROR") || line[0] >= '0' && line[0] <= '9' })
		}
		if word == "BOARD" || strings.Count(question, ",") == 2 || word == "END" {
			return nil
		}
		s.tell(t, "ABOUT")
		return drop(s.until(t, starts("name=")))
	}
	return s.until(t, func(line string) bool { return line == "" })
}

// TestStopEndsEndlessSearch expects a move after stop, and an answer to isready during the search.
func TestStopEndsEndlessSearch(t *testing.T) {
	for _, name := range []string{"gobang", "connectfour", "mills"} {
		g, err := games.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		s := serve(t, protocol.ServeOptions{Game: g, Protocol: "ugi"})
		s.tell(t, "\ufeffgo infinite") // as programs of .NET begin
		s.tell(t, "isready")
		s.until(t, starts("readyok"))
		s.tell(t, "position startpos")
		s.until(t, starts("info string error: position while searching"))
		s.tell(t, "stop")
		lines := s.until(t, starts("bestmove"))
		if move := lines[len(lines)-1]; move == "bestmove 0000" {
			t.Errorf("%s: %q", name, lines)
		}
		s.tell(t, "go infinite")
		s.tell(t, "quit")
		s.until(t, starts("bestmove"))
		if err := <-s.done; err != nil {
			t.Error(err)
		}
	}
}

// TestInfiniteWaitsForStop expects that the answer to an endless
// search waits for stop also if there is nothing left to search.
func TestInfiniteWaitsForStop(t *testing.T) {
	g, err := games.Find("chess")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, protocol.ServeOptions{Game: g, Protocol: "uci"})
	// The only legal move mates, so the search soon ends, and its move does not depend on when it is stopped.
	s.tell(t, "position fen 3q2k1/5ppp/6p1/7p/7K/6PP/8/3R4 w - - 0 1")
	s.tell(t, "go infinite")
	for range 2000 {
		s.tell(t, "isready")
		if lines := s.until(t, starts("readyok")); len(lines) > 1 {
			t.Fatalf("before stop: %q", lines)
		}
	}
	s.tell(t, "stop")
	s.until(t, starts("bestmove d1d8"))
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// TestServeEndsWithInputAndContext ends the input, and the context, during a search.
func TestServeEndsWithInputAndContext(t *testing.T) {
	g, err := games.Find("mills")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, protocol.ServeOptions{Game: g, Protocol: "ugi"})
	s.tell(t, "go infinite")
	s.in.Close()
	s.until(t, starts("bestmove"))
	if err := <-s.done; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	in, feed := io.Pipe()
	defer feed.Close()
	done := make(chan error, 1)
	go func() {
		done <- protocol.Serve(ctx, in, io.Discard, protocol.ServeOptions{Game: g, Protocol: "ugi"})
	}()
	if _, err := io.WriteString(feed, "go infinite\nisready\n"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != context.Canceled {
		t.Errorf("Serve: %v; want the context's error", err)
	}
}

// TestServeRefusesBadOptions tries options that cannot be served.
func TestServeRefusesBadOptions(t *testing.T) {
	g, err := games.Find("mills")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    protocol.ServeOptions
		want string
	}{
		{protocol.ServeOptions{Protocol: "ugi"}, "no game"},
		{protocol.ServeOptions{Game: g, Protocol: "gomocup"}, "carries gobang, not mills"},
		{protocol.ServeOptions{Game: g, Protocol: "uci-mill"}, "our players are not offered in uci-mill"},
		{protocol.ServeOptions{Game: g, Protocol: "xboard"}, "unknown protocol"},
		{protocol.ServeOptions{Game: g, Protocol: "ugi", Preset: "papr"}, "did you mean paper"},
		{protocol.ServeOptions{Game: g, Protocol: "ugi", Rules: engines.Rules{"men": "13"}}, "men=13"},
	} {
		err := protocol.Serve(context.Background(), strings.NewReader(""), io.Discard, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q in it", err, c.want)
		}
	}
}

// FuzzServe expects that a server survives any input and answers the next question.
func FuzzServe(f *testing.F) {
	f.Add(uint8(0), "position startpos moves e2 e8\ngo movetime 5\nsetoption name a_E value x\nquery p1turn\ngo p1time -3\nstop\n")
	f.Add(uint8(1), "START 7\nBEGIN\nINFO max_depth 1\nTURN 1,1\nBOARD\n1,1,2\n2,2,1\nDONE\nTAKEBACK 3,3\nPLAY 0,0\nRESTART\n")
	f.Add(uint8(2), "position startpos moves e2e4 e7e5\ngo depth 1 nodes 5\nucinewgame\nposition fen 8/8/8/8/8/8/8/8 w\nstop\n")
	kinds := []struct{ game, protocol, sync, answer string }{
		{"connectfour", "ugi", "stop\nisready\n", "readyok"}, {"gobang", "gomocup", "STOP\nDONE\nABOUT\n", `name="selfplaylab gobang"`},
		{"chess", "uci", "stop\nisready\n", "readyok"},
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		k := kinds[int(kind)%len(kinds)]
		if len(text) > 300 || strings.Contains(strings.ToLower(text), "bench") || strings.Contains(text, "parameters") {
			return // bench takes long; files are not for fuzzing
		}
		for _, word := range []string{"quit", "end"} {
			text = strings.ReplaceAll(strings.ToLower(text), word, "")
		}
		o := protocol.ServeOptions{Game: must(games.Find(k.game)), Protocol: k.protocol, Limits: engines.Limits{Nodes: 50}}
		var out bytes.Buffer
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := protocol.Serve(ctx, strings.NewReader(text+"\n"+k.sync), &out, o); err != nil {
			t.Fatalf("%s %q: %v", k.protocol, text, err)
		}
		if !strings.Contains(out.String(), k.answer) && !strings.Contains(out.String(), "while thinking") {
			t.Fatalf("%s %q: no %q in %q", k.protocol, text, k.answer, out.String())
		}
	})
}
