package external_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/games"
)

// mockSanmill speaks like Sanmill (docs/UCI_CLI_BRIDGE.md of
// calcitem/Sanmill, and the program's output in November 2026).
// It plays the first legal turn, and its go logical has no budget for turns with captures.
// With the argument "strange" it allows no step of its first man.
func mockSanmill(args []string) {
	v := must(must(games.Find("mills")).Open(engines.Rules{"preset": "dasanqi"}))
	ref := v.NewReferee()
	var part string // of a turn, that the position ends with
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		f := strings.Fields(in.Text())
		switch f[0] {
		case "uci":
			fmt.Println("id name TGF Mill Rust\nid author " + os.Getenv("TGF_EVAL_WEIGHTS"))
			for _, name := range []string{"HasDiagonalLines", "IsDefenderMoveFirst", "MayRemoveFromMillsAlways", "MayRemoveMultiple", "MayFly", "RestrictRepeatedMillsFormation", "ThreefoldRepetitionRule", "Shuffling"} {
				fmt.Println("option name " + name + " type check default false")
			}
			fmt.Println("option name PiecesCount type spin default 9 min 9 max 12\noption name SearchShuffleSeed type string default auto")
			for _, name := range []string{"MillFormationActionInPlacingPhase", "BoardFullAction", "StalemateAction"} {
				fmt.Println("option name " + name + " type spin default 0 min 0 max 5")
			}
			fmt.Println("option name NMoveRule type spin default 100 min 10 max 200\noption name EndgameNMoveRule type spin default 100 min 5 max 200\nuciok")
		case "isready":
			fmt.Println("readyok")
		case "setoption":
			if f[2] == "Mood" {
				fmt.Println("info string unsupported setoption:", in.Text())
			}
		case "position":
			part = sanmillPosition(ref, f)
		case "statejson":
			fmt.Println("info string sanmill_state", sanmillState(ref, args[0]))
		case "go":
			sanmillGo(ref, part, f)
		case "quit":
			return
		}
	}
}

// sanmillPosition plays the tokens and returns a turn's first part, if they end with one.
func sanmillPosition(ref engines.Referee, f []string) (part string) {
	must(0, ref.Reset(""))
	if len(f) < 3 {
		return ""
	}
	for _, token := range f[3:] {
		part += token
		if m, err := ref.ParseMove(part); err == nil && ref.Legal(m) {
			ref.Play(m)
			part = ""
		}
	}
	return part
}

func sanmillState(ref engines.Referee, kind string) string {
	var legal []string
	for _, m := range ref.Moves(nil) {
		first, _, _ := strings.Cut(ref.MoveString(m), "x")
		legal = append(legal, first)
	}
	slices.Sort(legal)
	legal = slices.Compact(legal)
	if kind == "strange" && len(legal) > 0 {
		legal = legal[1:]
	}
	o, _ := ref.Result()
	data := must(json.Marshal(map[string]any{"status": "ok", "side_to_move": [...]string{"white", "black"}[ref.Turn()], "legal_actions": legal, "terminal": o != engines.Ongoing}))
	return string(data)
}

func sanmillGo(ref engines.Referee, part string, f []string) {
	for _, m := range ref.Moves(nil) {
		text := ref.MoveString(m)
		rest, ok := strings.CutPrefix(text, part)
		if !ok {
			continue
		}
		turn := strings.ReplaceAll(rest, "x", " x")
		tokens := strings.Fields(turn)
		switch {
		case f[1] != "logical":
			fmt.Printf("info depth 3 score cp 7 nodes 50 bestmove %s\n", tokens[0])
		case len(tokens) > 1:
			fmt.Println(`info string sanmill_error {"protocol_version":1,"status":"error","code":"logical_turn_budget_exhausted","command":"go logical"}`)
		default:
			side := ref.Turn()
			ref.Play(m)
			if next := ref.Moves(nil); ref.Turn() == side && len(next) > 0 {
				tokens = append(tokens, strings.Fields(strings.ReplaceAll(ref.MoveString(next[0]), "x", " x"))...)
			}
			fmt.Printf("info string sanmill_logical_turn {\"status\":\"ok\",\"full_turn_actions\":%s,\"completed_depth\":4,\"score_kind\":\"cp\",\"score\":7,\"score_perspective\":\"white\",\"total_nodes\":90}\n", must(json.Marshal(tokens)))
		}
		return
	}
}

func sanmillFile(t testing.TB, kind string, more ...string) *external.Engine {
	t.Helper()
	return engineFile(t, append([]string{`name = "sanmill"`, `protocol = "uci-mill"`, `games = ["mills"]`, `limits = "nodes=100"`,
		`args = ["` + kind + `"]`, `env = {` + mockKey + ` = "sanmill"}`}, more...)...)
}

// TestSanmillPlaysWholeGames plays by nodes and by depth,
// with scores from White's view and captures in two parts.
func TestSanmillPlaysWholeGames(t *testing.T) {
	t.Parallel()
	v := variant(t, "mills", "preset=dasanqi")
	for _, limits := range []engines.Limits{{Nodes: 100}, {Depth: 3}} {
		p, err := sanmillFile(t, "good").Open(context.Background(), v, process.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer gone(t, p)
		captures := 0
		for _, seats := range [][2]engines.Player{{p, ours(t, v)}, {ours(t, v), p}} {
			o := game(t, v, seats, engines.Opening{}, [2]engines.Limits{limits, limits}, 1)
			if o.reason.Fault() {
				t.Errorf("%v: lost by %s: %s", limits, o.reason, o.detail)
			}
			captures += strings.Count(strings.Join(o.moves, " "), "x")
		}
		if captures == 0 {
			t.Errorf("%v: nothing was captured, so this test shows little", limits)
		}
		if err := p.Reset("", 1); err != nil {
			t.Fatal(err)
		}
		ref := v.NewReferee()
		if err := ref.Reset(""); err != nil {
			t.Fatal(err)
		}
		d, err := p.Choose(context.Background(), ref.Moves(nil)[:1], limits)
		if err != nil || d.Score != -7 || d.Depth == 0 || d.Nodes == 0 {
			t.Errorf("%v: the second side gets %+v, %v; want White's 7 negated", limits, d, err)
		}
	}
}

// TestSanmillWeightsComeByEnvironment expects the weights in the
// environment of a new process, and no rules among the parameters.
func TestSanmillWeightsComeByEnvironment(t *testing.T) {
	t.Parallel()
	v := variant(t, "mills", "preset=dasanqi")
	p, err := sanmillFile(t, "good").Open(context.Background(), v, process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer gone(t, p)
	if s := p.Space(); len(s) != 24 || s[0].Name != "placing_piece" || s.Index("PiecesCount") >= 0 {
		t.Fatalf("space %v; want the 24 weights", s.Names())
	}
	x := p.Space().Default()
	x[1] = 6
	if err := p.Configure(x); err != nil {
		t.Fatal(err)
	}
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	if got, want := p.Identity().Author, "5,6,1,0,0,0,5,2,1,0,0,0,5,1,1,0,0,0,5,0,1,0,0,0"; got != want {
		t.Errorf("weights %s; want %s", got, want)
	}
}

// TestSanmillRefusesWhatItLacks tries rules and options that Sanmill lacks.
func TestSanmillRefusesWhatItLacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, line, want string }{
		{"preset=paper", "", "full_board=stm_loses"},
		{"preset=dasanqi,capture=may", "", "capture=may"},
		{"preset=dasanqi,repetition=5", "", "repetition=5"},
		{"preset=dasanqi,no_capture=300", "", "option NMoveRule = 300 is out of its range, 10 to 200: so it does not accept the rules"},
		{"preset=dasanqi", "options = {PiecesCount = 9}", "option PiecesCount is set by the game that is played"},
		{"preset=dasanqi", "options = {Mood = 1}", `offers no option "Mood"`},
	} {
		p, err := sanmillFile(t, "good", c.line).Open(context.Background(), variant(t, "mills", c.rules), process.Options{})
		if err == nil {
			p.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v; want %q in it", c.rules, c.line, err, c.want)
		}
	}
}

// TestCheckFindsOtherRules has a program that plays by other rules.
func TestCheckFindsOtherRules(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts many programs")
	}
	t.Parallel()
	v := variant(t, "mills", "preset=dasanqi")
	if r := external.Check(context.Background(), sanmillFile(t, "good", "repeatable = true", unhurried), v); len(r.Problems) > 0 {
		t.Errorf("a good one: %q", r.Problems)
	}
	r := external.Check(context.Background(), sanmillFile(t, "strange"), v)
	if text := strings.Join(r.Problems, "\n"); !strings.Contains(text, "It sees the game otherwise than the referee") {
		t.Errorf("a strange one: %q", text)
	}
}
