package gamefile_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/games"
)

// played returns a game between two of a game's own players, with a clock that loses a minute a
// move.
func played(t *testing.T, name, rules string, seed uint64) *gamefile.Game {
	t.Helper()
	game, err := games.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engines.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	v, err := game.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	clock := engines.Clock{Base: 2 * time.Hour}
	g := &gamefile.Game{
		Variant: v, Event: "a test", Round: fmt.Sprint(seed), Date: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), Program: "selfplaylab 1.2",
		Players: [2]string{`the "first" \ one]`, "second"}, Limits: [2]engines.Limits{{Clock: clock}, {Depth: 1}},
	}
	open := v.Opening(rand.New(rand.NewPCG(seed, 0)), 3)
	g.Position = open.Position
	ref, player := v.NewReferee(), v.NewPlayer()
	for _, err := range []error{ref.Reset(open.Position), player.Configure(game.Space.Default()), player.Reset(open.Position, seed)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	limits := game.Limits
	if _, counts := game.Budget(engines.BudgetNodes); counts {
		limits = engines.Limits{Nodes: 50}
	}
	var history []engines.Move
	left := clock.Base
	for {
		if g.Outcome, g.Reason = ref.Result(); g.Outcome != engines.Ongoing {
			return g
		}
		n := len(history)
		m := gamefile.Move{Side: ref.Turn(), Opening: n < len(open.Moves)}
		if m.Opening {
			m.Decision.Move = open.Moves[n]
		} else {
			if m.Decision, err = player.Choose(context.Background(), history, limits); err != nil {
				t.Fatal(err)
			}
			m.Known, m.Took = true, 1500*time.Millisecond
			if m.Side == engines.First {
				left -= time.Minute
				m.Left = new(left)
			}
		}
		m.Text = ref.MoveString(m.Decision.Move)
		g.Moves = append(g.Moves, m)
		history = append(history, m.Decision.Move)
		ref.Play(m.Decision.Move)
	}
}

func written(t *testing.T, form string, g *gamefile.Game) string {
	t.Helper()
	f, err := gamefile.Find(form, g.Variant.Game.Name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// replays checks that the moves, played by the rules from a position, are the game's and have
// its end.
func replays(t *testing.T, g *gamefile.Game, position string, moves []string) {
	t.Helper()
	ref := g.Variant.NewReferee()
	if err := ref.Reset(position); err != nil {
		t.Fatal(err)
	}
	for i, text := range moves {
		m, err := ref.ParseMove(text)
		if err != nil || !ref.Legal(m) {
			t.Fatalf("move %d, %s: %v", i+1, text, err)
		}
		if i >= len(g.Moves) || ref.MoveString(m) != g.Moves[i].Text {
			t.Fatalf("move %d is %s", i+1, text)
		}
		ref.Play(m)
	}
	if o, why := ref.Result(); o != g.Outcome || why != g.Reason || len(moves) != len(g.Moves) {
		t.Errorf("%d moves end %v by %v; want %d and %v by %v", len(moves), o, why, len(g.Moves), g.Outcome, g.Reason)
	}
}

var (
	pgnTag     = regexp.MustCompile(`(?m)^\[(\w+) "((?:[^"\\]|\\.)*)"\]$`)
	pgnComment = regexp.MustCompile(`\{[^}]*\}`)
	pgnNumber  = regexp.MustCompile(`^\d+\.+$`)
)

// TestPGNHoldsTagsAndMoves reads a written file as another reader of PGN would.
func TestPGNHoldsTagsAndMoves(t *testing.T) {
	for _, name := range games.Names() {
		for seed := range uint64(3) {
			g := played(t, name, "", seed)
			text := written(t, "pgn", g)
			head, body, ok := strings.Cut(text, "\n\n")
			if !ok || !strings.HasSuffix(body, "\n\n") {
				t.Fatalf("no two parts:\n%s", text)
			}
			tags := map[string]string{}
			unquote := strings.NewReplacer(`\\`, `\`, `\"`, `"`)
			for _, m := range pgnTag.FindAllStringSubmatch(head, -1) {
				tags[m[1]] = unquote.Replace(m[2])
			}
			result := map[engines.Outcome]string{engines.FirstWins: "1-0", engines.SecondWins: "0-1", engines.Draw: "1/2-1/2"}[g.Outcome]
			for tag, want := range map[string]string{
				"Event": "a test", "Site": "?", "Date": "2026.11.22", "Round": fmt.Sprint(seed), "White": g.Players[0], "Black": "second", "Result": result,
				"Game": name, "Rules": g.Variant.Rules, "WhiteLimits": "tc=7200", "BlackLimits": "depth=1",
				"WhiteTimeControl": "7200", "BlackTimeControl": "-", "Termination": "normal", "Reason": string(g.Reason), "PlyCount": fmt.Sprint(len(g.Moves)),
			} {
				if tags[tag] != want {
					t.Errorf("%s: tag %s is %q, want %q", name, tag, tags[tag], want)
				}
			}
			for line := range strings.Lines(body) {
				if len(line) > 80 {
					t.Errorf("a line of %d: %s", len(line), line)
				}
			}
			if comments := pgnComment.FindAllString(body, -1); len(comments) != len(g.Moves) || !strings.Contains(strings.Join(strings.Fields(body), " "), "[%clk 1:59:00.000]") {
				t.Errorf("%s: %d comments of %d moves", name, len(comments), len(g.Moves))
			}
			var moves []string
			words := strings.Fields(pgnComment.ReplaceAllString(body, " "))
			for _, word := range words[:len(words)-1] {
				if !pgnNumber.MatchString(word) {
					moves = append(moves, word)
				}
			}
			if words[len(words)-1] != result {
				t.Errorf("%s ends with %s", name, words[len(words)-1])
			}
			replays(t, g, tags["FEN"], moves)
		}
	}
}

// TestTagsUseFastchessWords writes time controls and ends of games in the words of fastchess.
func TestTagsUseFastchessWords(t *testing.T) {
	g := played(t, "quoridor", "", 3)
	for limits, want := range map[string]string{"tc=40/60+0.5": "40/60+0.5", "time=250ms": "0.25/move", "nodes=5": "-"} {
		l, err := engines.ParseLimits(limits)
		if err != nil {
			t.Fatal(err)
		}
		if g.Limits = [2]engines.Limits{l, l}; !strings.Contains(written(t, "pgn", g), `[TimeControl "`+want+`"]`) {
			t.Errorf("no %s in\n%s", want, written(t, "pgn", g))
		}
	}
	for reason, want := range map[engines.Reason]string{engines.OutOfClock: "time forfeit", engines.IllegalMove: "illegal move",
		engines.Crash: "abandoned", engines.Adjudicated: "adjudication", engines.NoReason: "unterminated"} {
		if g.Reason = reason; !strings.Contains(written(t, "pgn", g), `[Termination "`+want+`"]`) {
			t.Errorf("%s: no %s in\n%s", reason, want, written(t, "pgn", g))
		}
	}
}

// TestChessPGNReadsAsOthersWriteIt has SAN, the start of chess960, and scores in pawns as
// fastchess writes them.
func TestChessPGNReadsAsOthersWriteIt(t *testing.T) {
	v, err := games.Open("chess", "variant=chess960")
	if err != nil {
		t.Fatal(err)
	}
	g := &gamefile.Game{Variant: v, Position: "4k3/8/8/8/8/8/5PPP/5KR1 w G - 7 33", Outcome: engines.Draw, Reason: engines.Agreed, Moves: []gamefile.Move{
		{Text: "f1g1", Opening: true}, {Text: "e8d7", Side: engines.Second, Known: true, Decision: engines.Decision{Score: -35, Depth: 12}, Took: 1234 * time.Millisecond},
		{Text: "f1d1", Known: true, Decision: engines.Decision{Score: 1e6, Mate: 5, Depth: 9}},
		{Text: "d7c6", Side: engines.Second, Known: true, Decision: engines.Decision{Score: -1e6, Mate: -4, Depth: 8}},
		{Text: "d1d8", Known: true, Decision: engines.Decision{Depth: 7}},
		{Text: "c6b5", Side: engines.Second, Known: true, Decision: engines.Decision{Score: math.NaN()}},
	}}
	_, rest, _ := strings.Cut(written(t, "pgn", g), `[Variant "Chess960"]`)
	const want = `
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/5PPP/5KR1 w G - 7 33"]
[TimeControl "-"]
[Termination "normal"]
[Reason "agreed"]
[GameDuration "00:00:01"]
[PlyCount "6"]

33. O-O {book} Kd7 {-0.35/12 1.234s} 34. Rd1+ {+M5/9} Kc6 {-M4/8} 35. Rd8
{0.00/7} Kb5 1/2-1/2

`
	if d := cmp.Diff(want, rest); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

var sgfProp = regexp.MustCompile(`([A-Z]+)((?:\[(?:[^\]\\]|\\.)*\])+)`)

// sgf reads properties in their order and removes escapes from values.
func sgf(node string) (names []string, values map[string][]string) {
	values = map[string][]string{}
	for _, m := range sgfProp.FindAllStringSubmatch(node, -1) {
		names = append(names, m[1])
		for _, v := range regexp.MustCompile(`\[((?:[^\]\\]|\\.)*)\]`).FindAllStringSubmatch(m[2], -1) {
			values[m[1]] = append(values[m[1]], regexp.MustCompile(`\\(.)`).ReplaceAllString(v[1], "$1"))
		}
	}
	return names, values
}

func TestWrittenSGFHoldsTheGame(t *testing.T) {
	for _, rules := range []string{"size=9", "size=15,exact_five=yes"} {
		g := played(t, "gobang", rules, 5)
		text := written(t, "sgf", g)
		nodes := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "(;"), ")"), ";")
		_, root := sgf(nodes[0])
		size, err := strconv.Atoi(root["SZ"][0])
		if err != nil {
			t.Fatal(err)
		}
		want := map[engines.Outcome]string{engines.FirstWins: "B+", engines.SecondWins: "W+", engines.Draw: "0"}[g.Outcome]
		if root["FF"][0] != "4" || root["GM"][0] != "4" || root["AP"][0] != "selfplaylab:1.2" || root["PB"][0] != g.Players[0] || root["RE"][0] != want || root["DT"][0] != "2026-11-22" {
			t.Errorf("%v", root)
		}
		var moves []string
		for i, node := range nodes[1:] {
			names, node := sgf(node)
			if names[0] != [2]string{"B", "W"}[i%2] || (node["BL"] != nil) != (g.Moves[i].Left != nil) {
				t.Fatalf("move %d: %v", i+1, node)
			}
			p := node[names[0]][0]
			moves = append(moves, fmt.Sprintf("%c%d", p[0], size-int(p[1]-'a')))
		}
		replays(t, g, "", moves)
	}
}

// TestSGFHoldsSetupAndFault has stones before the first move, and ends by a fault.
func TestSGFHoldsSetupAndFault(t *testing.T) {
	g := played(t, "gobang", "size=5", 1)
	g.Position, g.Moves = "B..../.W.../...../...../B.... W", []gamefile.Move{{Text: "c3", Side: engines.Second}}
	g.Outcome, g.Reason = engines.FirstWins, engines.OutOfClock
	text := written(t, "sgf", g)
	for _, want := range []string{"AB[aa][ae]AW[bb]PL[W]", "\n;W[cc]", "RE[B+T]", "GC[ended by clock]"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	g.Reason = engines.Crash
	if text := written(t, "sgf", g); !strings.Contains(text, "RE[B+F]") {
		t.Errorf("%s", text)
	}
	f, err := gamefile.Find("psq", "gobang")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(&bytes.Buffer{}, g); err == nil || !strings.Contains(err.Error(), "from the empty board") {
		t.Errorf("a set-up position as psq: %v", err)
	}
}

func TestWrittenPSQHoldsTheGame(t *testing.T) {
	g := played(t, "gobang", "size=9", 4)
	lines := strings.Split(strings.TrimSuffix(written(t, "psq", g), "\r\n"), "\r\n")
	if lines[0] != "Piskvorky 9x9, 11:11, 0" {
		t.Errorf("%q", lines[0])
	}
	var moves []string
	n := len(g.Moves)
	for i, line := range lines[1 : 1+n] {
		var x, y, ms int
		if _, err := fmt.Sscanf(line, "%d,%d,%d", &x, &y, &ms); err != nil {
			t.Fatal(err)
		}
		if want := g.Moves[i].Took.Milliseconds(); int64(ms) != want {
			t.Errorf("move %d took %d, want %d", i+1, ms, want)
		}
		moves = append(moves, fmt.Sprintf("%d,%d", x-1, y-1)) // counted from 0, as in Gomocup
	}
	replays(t, g, "", moves)
	winner := map[engines.Outcome]string{engines.FirstWins: "1", engines.SecondWins: "2", engines.Draw: "0"}[g.Outcome]
	if d := cmp.Diff([]string{g.Players[0], "second", "-1", winner + ",Freestyle"}, lines[1+n:]); d != "" {
		t.Errorf("the end: %s", d)
	}
}

func TestFindNamesSupportedFormats(t *testing.T) {
	for form, want := range map[string]string{"psq": "psq has games of gobang only, not of mills", "xml": `"xml": want pgn`} {
		if _, err := gamefile.Find(form, "mills"); err == nil || err.Error() != want {
			t.Errorf("%s: %v", form, err)
		}
	}
}
