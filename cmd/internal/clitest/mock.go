package clitest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/games"
)

// mockName is the name of an engine on the PATH of all that tests start: ours
// behind UGI, with a fault. Its arguments are a game and the fault: good, moody
// (other values in every game), or crash, hang, illegal or garbage with =N, the
// move of the process, from 1. With MockLog it notes every start of it.
const mockName = "mock-engine"

// MockLog names the file to which every mock engine adds a line when it starts.
const MockLog = "SELFPLAYLAB_TEST_STARTS"

func mockEngine() {
	if err := runMock(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runMock(name, fault string) error {
	game, err := games.Find(name)
	if err != nil {
		return err
	}
	if log := os.Getenv(MockLog); log != "" {
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		fmt.Fprintf(f, "%s %s\n", name, fault)
		if err := f.Close(); err != nil {
			return err
		}
	}
	kind, number, _ := strings.Cut(fault, "=")
	at, err := strconv.Atoi(number)
	if err != nil {
		at = 1
	}
	in := io.Reader(os.Stdin)
	if kind == "moody" {
		in = moody(in)
	}
	return protocol.Serve(context.Background(), in, &faulty{kind: kind, at: at}, protocol.ServeOptions{Game: game, Protocol: "ugi"})
}

// moody has every game played with other values.
func moody(in io.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		games := 0
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			fmt.Fprintln(w, lines.Text())
			if lines.Text() == "uginewgame" {
				games++
				fmt.Fprintf(w, "setoption name a_E value %d\n", games%20)
			}
		}
		w.CloseWithError(io.EOF)
	}()
	return r
}

// faulty passes on what our engine says, up to its fault.
type faulty struct {
	kind string
	at   int
	seen int
}

// Write is called with whole lines.
func (f *faulty) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "bestmove ") {
			if f.seen++; f.seen == f.at {
				line = f.spoil(line)
			}
		}
		if _, err := os.Stdout.WriteString(line); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}

func (f *faulty) spoil(line string) string {
	switch f.kind {
	case "crash":
		fmt.Fprintln(os.Stderr, "assertion failed")
		os.Exit(7)
	case "hang":
		select {}
	case "illegal":
		return "bestmove a5\n"
	case "resign":
		return "bestmove resign\n"
	case "garbage":
		return "bestmove Nf3\n"
	}
	return line
}
