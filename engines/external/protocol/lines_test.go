package protocol

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/params/formats"
)

// TestReadInfoReadsDecisions reads the data of a decision from lines of programs.
func TestReadInfoReadsDecisions(t *testing.T) {
	for _, c := range []struct {
		line string
		want engines.Decision
	}{
		{"depth 7 seldepth 12 time 8 nodes 4500 nps 9 score cp -31 pv depth 3", engines.Decision{Depth: 7, Nodes: 4500, Score: -31}},
		{"depth 3 score mate -4 nodes 9", engines.Decision{Depth: 3, Nodes: 9, Mate: -4, Score: -1e6 + 4}},
		{"score cp 3 score mate 0", engines.Decision{Score: 3}},
		{"score mate -9223372036854775808", engines.Decision{Mate: -maxMate, Score: -1e6 + maxMate}},
		{"depth x nodes score cp", engines.Decision{}}, {"string depth 9", engines.Decision{}}, {"string score 0.625", engines.Decision{Score: 0.625}}, {"", engines.Decision{}},
	} {
		var got engines.Decision
		readInfo(c.line, &got)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, d)
		}
	}
}

// TestParseOptionReadsPrintedLines reads lines as engines print them.
func TestParseOptionReadsPrintedLines(t *testing.T) {
	for _, c := range []struct {
		line string
		want Option
	}{
		{"name Move Overhead type spin default 10 min 0 max 5000", Option{Name: "Move Overhead", Type: "spin", Default: "10", Ranged: true, Max: 5000}},
		{"name Style type combo default very calm var very calm var wild", Option{Name: "Style", Type: "combo", Default: "very calm", Values: []string{"very calm", "wild"}}},
		{"name p type combo default default var source var default var bad", Option{Name: "p", Type: "combo", Default: "default", Values: []string{"source", "default", "bad"}}},
		{"name p type combo default var a var default", Option{Name: "p", Type: "combo", Values: []string{"a", "default"}}},
		{"name Style type combo default safe min var safe min var max power", Option{Name: "Style", Type: "combo", Default: "safe min", Values: []string{"safe min", "max power"}}},
		{"name Clear Hash type button", Option{Name: "Clear Hash", Type: "button"}}, {"name File type string default", Option{Name: "File", Type: "string"}},
		{"name use max depth type check default true", Option{Name: "use max depth", Type: "check", Default: "true"}},
		{"name Book type string default my max book", Option{Name: "Book", Type: "string", Default: "my max book"}},
		{"name D type spin default 3 min 1", Option{Name: "D", Type: "spin", Default: "3"}},
	} {
		got, err := parseOption(strings.Fields(c.line))
		if err != nil {
			t.Errorf("%q: %v", c.line, err)
		} else if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, d)
		}
	}
	for _, line := range []string{"", "type spin", "nome X type spin", "name X type spin min low", "name"} {
		if o, err := parseOption(strings.Fields(line)); err == nil {
			t.Errorf("%q is read as %+v", line, o)
		}
	}
}

// FuzzLines expects that no line of a program makes a reader
// panic, and that options read and write without change.
func FuzzLines(f *testing.F) {
	f.Add("name Move Overhead type spin default 10 min 0 max 5000")
	f.Add("name Style type combo min 1 max 3 var max")
	f.Add("depth 3 score mate -4 nodes 9 string score 1")
	f.Add("param C real 0.5 0.05 4 0.3 log")
	f.Add("e3 horizontal\r\n= black e3h")
	f.Add(`name="x", version="1" depth 12 ev -3 n 45k`)
	f.Fuzz(func(t *testing.T, line string) {
		var d engines.Decision
		readInfo(line, &d)
		readMessage(line, &d)
		readAbout(line)
		isCell(line)
		for _, dialect := range qtpDialects() {
			if text, err := dialect.parseMove(line); err == nil {
				if _, err := dialect.command(engines.First, text); err != nil {
					t.Errorf("%s: %q is read as %q, which cannot be said: %v", dialect.name, line, text, err)
				}
			}
		}
		if p, err := formats.ParseRow(line); err == nil && p.Check(p.Default) != nil {
			t.Errorf("%q is read as %+v", line, p)
		}
		o, err := parseOption(strings.Fields(line))
		if err == nil && o.Type != "" && o.Type != "button" {
			again, err := parseOption(strings.Fields(o.String())[1:])
			if d := cmp.Diff(o, again); err != nil || d != "" {
				t.Errorf("%q is written %q (-first +again), %v:\n%s", line, o, err, d)
			}
		}
	})
}

// TestMachineryIsNotTuned expects that options that
// set up the machine or look up endings are not tuned.
func TestMachineryIsNotTuned(t *testing.T) {
	for _, name := range []string{"Hash", "Number of Threads", "SyzygyProbeDepth", "Bitbases Cache Size", "Move Overhead", "multipv"} {
		if !Machinery(name) {
			t.Errorf("%s would be tuned", name)
		}
	}
	for _, name := range []string{"Mate Threat Bonus", "HashMoveBonus", "Search Depth", "Mobility"} {
		if Machinery(name) {
			t.Errorf("%s would not be tuned", name)
		}
	}
}

// cards is a game in which every word is a move.
type cards struct{ engines.Referee }

func (cards) ParseMove(string) (engines.Move, error) { return 7, nil }
func (cards) Legal(engines.Move) bool                { return true }

// TestMovesMayBeNamedLikeNoMove has a legal move with a name by which programs say that they
// have none.
func TestMovesMayBeNamedLikeNoMove(t *testing.T) {
	for _, name := range []string{"draw", "none", "Resign", "0000"} {
		if m, err := (&Session{ref: cards{}}).moveOf(nil, name); m != 7 || err != nil {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}
