package protocol

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
)

// This file is shared by the servers of UGI and UCI.

// hearUCI acts on a line: itself on commands that come during a search, by act on others.
// It reports whether the line was the last.
func (s *server) hearUCI(ctx context.Context, line string, act func(context.Context, []string) error) (quit bool) {
	f := strings.Fields(line)
	if len(f) == 0 {
		return false
	}
	switch f[0] {
	case "isready":
		s.say("readyok")
		return false
	case "stop":
		s.stop()
		return false
	case "quit":
		s.endless = true
		return true
	}
	if s.searching() {
		s.complain("%s while searching; only isready, stop and quit are heard then", process.Shorten(f[0]))
		return false
	}
	if err := act(ctx, f); err != nil {
		s.complain("%v", err)
	}
	return false
}

// goWords are the words after go, without and with a number.
type goWords struct {
	alone  map[string]func()
	number map[string]func(n int64)
}

// goWords returns the limits of every dialect, which it reads into l. infinite sets endless.
func (s *server) goWords(l *engines.Limits, endless *bool) goWords {
	return goWords{
		alone: map[string]func(){"infinite": func() { l.Time, *endless = forever, true }},
		number: map[string]func(int64){
			"depth":    func(n int64) { l.Depth = int(min(max(n, 1), 1<<20)) },
			"nodes":    func(n int64) { l.Nodes = max(n, 1) },
			"movetime": func(n int64) { l.Time = s.reserve(time.Duration(n) * time.Millisecond) },
		},
	}
}

// read reads the words f. want lists the known words, for errors. Only a clock may be negative.
func (g goWords) read(f []string, want string) error {
	for len(f) > 0 {
		key := f[0]
		f = f[1:]
		if act, ok := g.alone[key]; ok {
			act()
			continue
		}
		act, ok := g.number[key]
		if !ok {
			return fmt.Errorf("go %s: want %s", process.Shorten(key), want)
		}
		if len(f) == 0 {
			return fmt.Errorf("go %s: want a number after it", process.Shorten(key))
		}
		n, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil || n < 0 && !strings.HasSuffix(key, "time") || n > math.MaxInt64/int64(time.Millisecond)/2 {
			return fmt.Errorf("go %s %q: want a whole number", process.Shorten(key), process.Shorten(f[0]))
		}
		act(n)
		f = f[1:]
	}
	return nil
}

// setoption sets an option by "name N value V".
func setoption(s *server, f []string) error {
	if len(f) < 2 || f[0] != "name" {
		return fmt.Errorf("want setoption name NAME value VALUE")
	}
	name, value, _ := strings.Cut(strings.Join(f[1:], " "), " value ")
	if value == "<empty>" {
		value = ""
	}
	return s.set(strings.TrimSpace(name), strings.TrimSpace(value))
}

// infoLine returns the info line of a decision.
// Scores of UGI are whole numbers.
// A player that scores from 0 to 1, as searches by playouts do, is reported in hundredths.
func (s *server) infoLine(d engines.Decision, elapsed time.Duration) string {
	var b strings.Builder
	ms := elapsed.Milliseconds()
	fmt.Fprintf(&b, "info depth %d time %d nodes %d", d.Depth, ms, d.Nodes)
	if ms > 0 {
		fmt.Fprintf(&b, " nps %d", d.Nodes*1000/ms)
	}
	if d.Mate != 0 {
		fmt.Fprintf(&b, " score mate %d", d.Mate)
	} else {
		score := min(max(d.Score, -1e15), 1e15)
		if s.game.Limits.Playouts > 0 {
			score *= 100
		}
		fmt.Fprintf(&b, " score cp %d", int64(math.Round(score)))
	}
	return b.String()
}
