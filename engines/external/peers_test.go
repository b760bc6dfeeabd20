package external_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
)

// peer is a recorded program; testdata/peers has a file for each. The file's first line has the
// game, the protocol, the rules and the side of the program, the second the limits of a
// decision, the third the moves of the game. A line that begins with "> " is a question, and
// the lines after it are the answer.
type peer struct {
	file, game, protocol, rules string
	side                        engines.Side
	limits                      engines.Limits
	moves                       []string
	exchanges                   []exchange
}

// exchange is a question and its answer, which may be empty.
type exchange struct {
	line             int // of the file
	question, answer string
}

func readPeer(file string) (*peer, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) < 4 {
		return nil, fmt.Errorf("%s: want a head of three lines and a conversation", file)
	}
	head := strings.Fields(lines[0])
	if len(head) != 4 || head[3] != "first" && head[3] != "second" {
		return nil, fmt.Errorf("%s:1: want GAME PROTOCOL RULES first|second", file)
	}
	p := &peer{file: file, game: head[0], protocol: head[1], rules: head[2], moves: strings.Fields(lines[2])}
	if head[3] == "second" {
		p.side = engines.Second
	}
	if p.limits, err = engines.ParseLimits(lines[1]); err != nil {
		return nil, fmt.Errorf("%s:2: %w", file, err)
	}
	for i, line := range lines[3:] {
		if question, ok := strings.CutPrefix(line, "> "); ok {
			p.exchanges = append(p.exchanges, exchange{line: i + 4, question: question})
		} else if n := len(p.exchanges); n == 0 {
			return nil, fmt.Errorf("%s:4: want a question", file)
		} else {
			p.exchanges[n-1].answer += line + "\n"
		}
	}
	return p, nil
}

// mockPeer is the program of a file, given as the first argument.
// It ends with exit status 9 at a question that is not recorded.
// The second argument is its fault.
func mockPeer(args []string) {
	p := must(readPeer(args[0]))
	m := &misbehaving{fault: args[1]}
	m.start()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for _, e := range p.exchanges {
		if !in.Scan() || in.Text() == "quit" {
			break // the client needed no further question
		}
		if in.Text() != e.question {
			fmt.Fprintf(os.Stderr, "%s:%d: got %q, want %q\n", p.file, e.line, in.Text(), e.question)
			os.Exit(9)
		}
		if word, _, _ := strings.Cut(e.question, " "); word == "genmove" || word == "go" {
			m.decide()
		}
		if e.answer != "" {
			must(m.Write([]byte(e.answer)))
		}
	}
	if m.fault == "hang-quit" {
		block()
	}
}

// peerFile is an engine file of mockPeer.
func peerFile(t testing.TB, p *peer) *external.Engine {
	t.Helper()
	path, err := filepath.Abs(p.file)
	if err != nil {
		t.Fatal(err)
	}
	return engineFile(t, `name = "peer"`, `protocol = "`+p.protocol+`"`, `games = ["`+p.game+`"]`,
		`args = ['`+path+`', "good"]`, `env = {`+mockKey+` = "peer"}`, unhurried)
}

// TestPeersPlayRecordedGames expects that the clients ask recorded
// programs exactly the recorded questions, and read the recorded moves.
// The programs of QTP write squares and walls in several dialects, which the handshake game finds.
func TestPeersPlayRecordedGames(t *testing.T) {
	files, err := filepath.Glob("testdata/peers/*.txt")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d recorded programs: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			c, err := readPeer(file)
			if err != nil {
				t.Fatal(err)
			}
			v := variant(t, c.game, c.rules)
			p, err := peerFile(t, c).Open(context.Background(), v, process.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer gone(t, p)
			if s := p.Space(); len(s) > 0 {
				if err := p.Configure(s.Default()); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.Reset("", 1); err != nil {
				t.Fatal(err)
			}
			c.follow(t, p, v.NewReferee())
		})
	}
}

// follow plays the recorded game, with p on the recorded side.
func (c *peer) follow(t *testing.T, p engines.Player, ref engines.Referee) {
	t.Helper()
	if err := ref.Reset(""); err != nil {
		t.Fatal(err)
	}
	var history []engines.Move
	decisions := 0
	for _, text := range c.moves {
		m, err := ref.ParseMove(text)
		if err != nil || !ref.Legal(m) {
			t.Fatalf("%s:3: %s: %v", c.file, text, err)
		}
		if ref.Turn() == c.side {
			d, err := p.Choose(context.Background(), history, c.limits)
			if err != nil {
				t.Fatal(err)
			}
			if d.Move != m {
				t.Fatalf("move %d is read as %s, want %s", len(history)+1, ref.MoveString(d.Move), text)
			}
			decisions++
		}
		ref.Play(m)
		history = append(history, m)
	}
	recorded := slices.IndexFunc(c.exchanges, func(e exchange) bool { return e.question == "quit" })
	if decisions < 10 || recorded != len(c.exchanges)-1 {
		t.Errorf("%d decisions; the conversation of %d exchanges ends with quit at %d", decisions, len(c.exchanges), recorded+1)
	}
}
