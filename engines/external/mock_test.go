package external_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

// mockKey is the environment variable that turns the test program into an engine.
const mockKey = "SELFPLAYLAB_MOCK"

func TestMain(m *testing.M) {
	if kind := os.Getenv(mockKey); kind != "" {
		programs[kind](os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// programs are the programs that the test program can act as.
var programs = map[string]func(args []string){
	"any":     mockAny,
	"brain":   mockBrain,
	"ugi":     mockUGI,
	"uci":     mockUCI,
	"sanmill": mockSanmill,
	"fast":    mockFast,
	"serve":   serveProcess,
	"holder":  holder,
	"peer":    mockPeer,
}

// mock is an engine that speaks UGI, plays the first legal move, and has the fault of its only
// argument: NAME or NAME=N, where N counts decisions from 1.
type mock struct {
	ref    engines.Referee
	fault  string
	at     int
	number int // of decisions
	end    string
	in     *bufio.Scanner
}

func mockUGI(args []string) {
	game, rules, fault := args[0], args[1], args[2]
	name, number, found := strings.Cut(fault, "=")
	at := 1
	if found {
		at = must(strconv.Atoi(number))
	}
	g := must(games.Find(game))
	v := must(g.Open(must(engines.ParseRules(rules))))
	m := &mock{ref: v.NewReferee(), fault: name, at: at, end: "\n", in: bufio.NewScanner(os.Stdin)}
	m.in.Buffer(nil, 1<<20)
	switch name {
	case "cr":
		m.end = "\r"
	case "crlf":
		m.end = "\r\n"
	}
	m.run()
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func (m *mock) say(format string, args ...any) {
	fmt.Fprintf(os.Stdout, format+m.end, args...)
}

func (m *mock) run() {
	switch m.fault {
	case "crash-start":
		fmt.Fprintln(os.Stderr, "no such weights")
		os.Exit(3)
	case "hang-start":
		block()
	case "deaf":
		m.greet()
		block()
	case "child":
		startChild()
	case "flood-stderr":
		for i := range 20_000 {
			fmt.Fprintf(os.Stderr, "noise %d, longer than a pipe is deep\n", i)
		}
	}
	for m.in.Scan() {
		word, rest, _ := strings.Cut(m.in.Text(), " ")
		switch word {
		case "ugi":
			m.greet()
		case "isready":
			if m.fault == "hang-isready" {
				block()
			}
			m.say("readyok")
		case "setoption":
			if m.fault == "untunable" && strings.HasPrefix(rest, "name pace") {
				fmt.Fprintln(os.Stderr, "pace cannot be changed")
				os.Exit(6)
			}
		case "position":
			m.position(rest)
		case "query":
			if m.fault == "confused" {
				m.say("response true")
			}
		case "go":
			m.number++
			if m.fault == "untimed" && strings.HasPrefix(rest, "movetime") {
				m.say("bestmove Nf3")
				continue
			}
			m.answer()
		case "quit":
			if m.fault == "hang-quit" {
				block()
			}
			return
		}
	}
}

// block ignores all input and never leaves.
func block() {
	for {
		time.Sleep(time.Hour)
	}
}

func (m *mock) greet() {
	switch m.fault {
	case "chatter":
		for range 50 {
			m.say("Welcome to my engine, version 7! ugiok is near")
		}
		m.say("")
	case "uciok":
		m.say("id name other")
		m.say("uciok")
		return
	case "flood-greeting":
		for {
			m.say("loading...")
		}
	case "many-options":
		for i := range 500 {
			m.say("option name weight%d type spin default %d min 0 max 1000", i, i)
		}
	case "wrong-id":
		m.say("id name Somebody Else 3.1")
		m.say("id author Nobody")
		m.say("ugiok")
		return
	}
	m.say("id name Mock")
	m.say("id author us")
	m.say("option name Depth type spin default 3 min 1 max 9")
	m.say("option name Style type combo default calm var calm var wild")
	m.say("info string param pace real 0.5 0 1 0.05")
	m.say("option name pace type string default 0.5")
	m.say("ugiok")
}

func (m *mock) position(text string) {
	start, moves, _ := strings.Cut(text, " moves ")
	start = strings.TrimPrefix(strings.TrimPrefix(start, "startpos"), "fen ")
	if err := m.ref.Reset(start); err != nil {
		panic(err)
	}
	for _, word := range strings.Fields(moves) {
		m.ref.Play(must(m.ref.ParseMove(word)))
	}
}

func (m *mock) answer() {
	move := m.ref.MoveString(m.ref.Moves(nil)[0])
	if m.number < m.at {
		m.say("bestmove %s", move)
		return
	}
	switch m.fault {
	case "crash":
		fmt.Fprintln(os.Stderr, "assertion failed")
		os.Exit(4)
	case "crash-after":
		m.say("bestmove %s", move)
		os.Exit(5)
	case "hang":
		block()
	case "illegal":
		m.say("bestmove 1") // its column is full by then
	case "empty":
		m.say("bestmove")
	case "foreign":
		m.say("bestmove Nf3")
	case "none":
		m.say("bestmove 0000")
	case "double":
		m.say("bestmove %s", move)
		m.say("bestmove %s", move)
	case "late": // answers only after stop
		for m.in.Scan() && m.in.Text() != "stop" {
		}
		m.say("bestmove %s", move)
	case "endless-line":
		for {
			fmt.Fprint(os.Stdout, strings.Repeat("x", 4096))
		}
	case "flood":
		for {
			m.say("info depth 1 nodes 1")
		}
	case "many-lines": // more than 100,000 in the first answer alone
		out := bufio.NewWriter(os.Stdout)
		for range 110_000 * max(0, 2-m.number) {
			fmt.Fprintln(out, "info depth 1 nodes 1")
		}
		out.Flush()
		m.say("bestmove %s", move)
	case "close-stdout":
		os.Stdout.Close()
		block()
	case "half-line":
		fmt.Fprint(os.Stdout, "bestmove "+move)
		os.Exit(0)
	case "buffered": // all of its output is still in the pipe when it has ended
		m.say("info depth 7 nodes 99 score cp 12")
		m.say("bestmove %s", move)
		os.Exit(0)
	case "memory":
		grow()
	case "moody": // depends on the number of its games
		list := m.ref.Moves(nil)
		m.say("bestmove %s", m.ref.MoveString(list[m.number/4%len(list)]))
	default:
		m.say("info depth 2 nodes %d score cp -5 pv %s", m.number, move)
		m.say("bestmove %s", move)
	}
}

// grow allocates memory until there is none, or 8 GiB.
func grow() {
	var held [][]byte
	for range 512 {
		b := make([]byte, 16<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		held = append(held, b)
	}
	fmt.Fprintln(os.Stderr, "nobody stopped it at", len(held))
	os.Exit(0)
}

// startChild leaves a process behind that holds the pipes.
func startChild() {
	c := exec.Command("sleep", "600")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		panic(err)
	}
}

// mockFast answers every go with the same words at once.
func mockFast([]string) {
	in, out := bufio.NewReaderSize(os.Stdin, 64<<10), bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		switch {
		case slices.Equal(line, []byte("ugi\n")):
			out.WriteString("id name Fast\nugiok\n")
		case slices.Equal(line, []byte("isready\n")):
			out.WriteString("readyok\n")
		case len(line) > 2 && string(line[:3]) == "go ":
			out.WriteString("info depth 1 nodes 1 score cp 0\nbestmove a1\n")
		case slices.Equal(line, []byte("quit\n")):
			return
		}
		if in.Buffered() == 0 {
			out.Flush()
		}
	}
}
