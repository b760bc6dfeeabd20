package referee

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"selfplaylab/engines/testmode"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/gametest"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
)

// faultVariable makes the test binary a referee of Nim with a fault.
const faultVariable = "SELFPLAYLAB_TEST_REFEREE"

func TestMain(m *testing.M) {
	if fault := os.Getenv(faultVariable); fault != "" {
		serve(fault)
		return
	}
	os.Exit(m.Run())
}

// serve keeps the rules of Nim: the side that takes the last stick wins.
// A position has sticks, side to move and seed.
func serve(fault string) {
	in := bufio.NewScanner(os.Stdin)
	for n := 1; in.Scan(); n++ {
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			fmt.Println(`{"error": "no JSON"}`)
			continue
		}
		sticks, turn, seed := 9, 1, int64(0)
		if size := q.Rules["sticks"]; size != "" {
			fmt.Sscan(size, &sticks)
		}
		if q.Seed != nil && fault == "chance" {
			seed = *q.Seed
			sticks -= int(seed % 3)
		}
		switch {
		case fault == "over":
			sticks = 0
		case fault == "forgetful" && q.Position != "" && q.Move == "":
			os.Exit(3)
		}
		if q.Position != "" {
			if _, err := fmt.Sscan(q.Position, &sticks, &turn, &seed); err != nil {
				fmt.Println(`{"error": "want sticks, side and seed"}`)
				continue
			}
		}
		if q.Move != "" {
			taken := 0
			fmt.Sscan(q.Move, &taken)
			sticks, turn = sticks-taken, 3-turn
		}
		a := map[string]any{"position": fmt.Sprint(sticks, turn, seed), "turn": turn, "board": strings.Repeat("|", sticks) + strings.Repeat(".", 21-sticks)}
		var moves []string
		for i := range min(3, sticks) {
			moves = append(moves, fmt.Sprint(i+1))
		}
		if a["moves"] = moves; sticks == 0 {
			a["result"], a["reason"] = engines.Win(engines.Side(2-turn)).String(), "last"
		}
		if q.Move != "" && sticks < 5 && !misbehave(fault, n, a) {
			continue
		}
		line, _ := json.Marshal(a)
		fmt.Println(string(line))
	}
}

// misbehave changes an answer by a fault. It reports whether there is an answer.
func misbehave(fault string, n int, a map[string]any) bool {
	switch fault {
	case "crash":
		fmt.Fprintln(os.Stderr, "no such stick")
		os.Exit(3)
	case "refuse":
		fmt.Println(`{"error": "this move is against the rules"}`)
		return false
	case "stuck":
		a["moves"] = []string{}
	case "outcome":
		a["result"] = []string{"1-0", "0-1"}[n%2]
	case "moody":
		a["turn"] = 1 + (n+os.Getpid())%2
	case "twice":
		a["moves"] = []string{"1", "1"}
	case "talk":
		fmt.Println("Thinking")
	case "typo":
		a["move"] = a["moves"]
	case "alias":
		a["position"] = a["position"].(string) + " again"
	case "nobody":
		a["turn"] = 0
	case "tie":
		a["result"] = "draw"
	}
	return true
}

// nim is the game of the test binary.
func nim(t *testing.T, fault string) *engines.Game {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nim.toml")
	text := fmt.Sprintf("cmd = %q\nsides = [\"Ann\", \"Bob\"]\ntimeout = %q\nenv.%s = %q\nrules.sticks = [\"9\", \"12\"]\n", os.Args[0], map[bool]string{true: "1ns", false: "60s"}[fault == "late"], faultVariable, fault)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	g, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func open(t *testing.T, fault string) engines.Variant {
	t.Helper()
	v, err := nim(t, fault).Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRefereesGameKeepsContract runs the conformance tests of games.
func TestRefereesGameKeepsContract(t *testing.T) {
	testmode.SkipUnlessLong(t) // holds a game to the contract
	gametest.Run(t, nim(t, "chance"))
}

// TestRefereesMistakesEndJob expects that every mistake of a referee ends
// the job by an error that names the referee, its command and the question.
// No player loses a game.
func TestRefereesMistakesEndJob(t *testing.T) {
	for fault, want := range map[string]string{
		"crash":   `ended with exit status 3 while answering; on its stderr: "no such stick"`,
		"late":    "no answer within 1ns while answering",
		"refuse":  "which it listed as legal: this move is against the rules",
		"stuck":   "no legal move and no result",
		"outcome": "it contradicts itself",
		"moody":   "it contradicts itself",
		"twice":   `move "1" is listed twice`,
		"talk":    "its answer is not what docs/game.md describes",
		"typo":    `unknown field "move"`,
		"nobody":  "turn 0: want 1 or 2",
		"tie":     `result "draw": want 1-0, 0-1 or 1/2`,
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			v := open(t, fault)
			random, err := player.Parse(v.Game, "random", v.Game.Limits)
			if err != nil {
				t.Fatal(err)
			}
			w := play.NewWorker(v, play.Setup{Game: v.Game.ID(), Version: v.Game.Version, Rules: v.Rules, Seed: 1, OpeningPlies: 1})
			defer w.Close()
			_, err = w.Play(context.Background(), play.Job{Seats: [2]player.Config{random, random}, To: 60})
			if _, fault := err.(*engines.RefereeFault); !fault {
				t.Fatalf("%T: %v", err, err)
			}
			parts := []string{want, "referee nim (", "nim.toml)", `it was asked {"position":"`, `"move":"`}
			if fault == "late" { // with its first answer
				parts = append(parts[:3], `it was asked {"seed":`)
			}
			for _, part := range parts {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%v; want %s in it", err, part)
				}
			}
		})
	}
}

// TestVerifyFindsChangedPositions expects an error for positions that the
// referee does not read as it wrote them, and for games without a move.
func TestVerifyFindsChangedPositions(t *testing.T) {
	if err := open(t, "none").Verify(); err != nil {
		t.Error(err)
	}
	for fault, want := range map[string]string{
		"alias":     `nim.toml): it calls a position of its own "`,
		"over":      `nim.toml): the game is over before its first move: result "0-1"; it was asked {"seed":`,
		"forgetful": `nim.toml): ended with exit status 3 while answering; it was asked {"position":"`,
	} {
		if err := open(t, fault).Verify(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

// TestOpeningsDependOnDraws expects that the start depends on the draws alone, chance included.
func TestOpeningsDependOnDraws(t *testing.T) {
	seen := map[string]bool{}
	for _, fault := range []string{"chance", "chance", "none"} {
		v := open(t, fault)
		var all []string
		for seed := range uint64(20) {
			o := v.Opening(rand.New(rand.NewPCG(seed, 1)), 3)
			ref := v.NewReferee()
			if err := ref.Reset(o.Position); err != nil {
				t.Fatal(err)
			}
			for _, m := range o.Moves {
				if !ref.Legal(m) {
					t.Fatal(o)
				}
				ref.Play(m)
			}
			if end, _ := ref.Result(); end != engines.Ongoing || (o.Position != "") != (fault == "chance") {
				t.Errorf("%s: %+v ends", fault, o)
			}
			all = append(all, o.Position+" | "+ref.String())
		}
		seen[fmt.Sprint(fault, all)] = true
	}
	if len(seen) != 2 {
		t.Errorf("openings do not repeat: %v", seen)
	}
}

func TestRefereePlaysAndRefuses(t *testing.T) {
	ref := open(t, "none").NewReferee()
	if err := ref.Reset("4 2 0"); err != nil {
		t.Fatal(err)
	}
	b := ref.Board()
	if text := b.Text(); !strings.HasPrefix(text, " 1 | | | | . .") || !strings.HasSuffix(text, "\nBob to move\n") {
		t.Errorf("%q", text)
	}
	if err := ref.Reset("nonsense"); err == nil || !strings.Contains(err.Error(), `position "nonsense": the referee says: want sticks, side and seed`) {
		t.Error(err)
	}
	if err := ref.Reset("4 2 0"); err != nil {
		t.Fatal(err)
	}
	if _, err := ref.ParseMove("two words"); err == nil {
		t.Error("two words are a move")
	}
	m, err := ref.ParseMove("7")
	if err != nil || ref.Legal(m) || ref.MoveString(m) != "7" || ref.MoveString(m+1) != fmt.Sprintf("move-%d", m+1) {
		t.Errorf("%v %v %s", m, err, ref.MoveString(m+1))
	}
	for _, text := range []string{"3", "1"} {
		if m, err = ref.ParseMove(text); err != nil || !ref.Legal(m) {
			t.Fatalf("%s: %v", text, err)
		}
		ref.Play(m)
	}
	if o, why := ref.Result(); o != engines.FirstWins || why != "last" {
		t.Errorf("%v by %v", o, why)
	}
}

// TestWordsWithEqualHashDiffer expects different numbers for words that share a hash.
func TestWordsWithEqualHashDiffer(t *testing.T) {
	w := words{texts: map[engines.Move]string{}, numbers: map[string]engines.Move{}}
	m := w.number("a")
	delete(w.numbers, "a")
	w.texts[m] = "b"
	if n := w.number("a"); n != m+1 || w.text(n) != "a" || w.number("a") != n {
		t.Errorf("two words with one hash have the numbers %v and %v", m, n)
	}
}

func TestSourcesAreFilesAndCommands(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"nocmd.toml": "", "sides.toml": "cmd = \"x\"\nsides = [\"one\"]", "Big Name.toml": "cmd = \"x\"", "letters.toml": "cmd = \"x\"\nletters = \"X\"",
		"rules.toml": "cmd = \"x\"\nrules.size = []", "timeout.toml": "cmd = \"x\"\ntimeout = \"soon\"", "limits.toml": "cmd = \"x\"\nlimits = \"moves=3\"",
		"key.toml": "cmd = \"x\"\nargz = []", "negative.toml": "cmd = \"x\"\nversion = -1", "othello.py": "pass",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for source, want := range map[string]string{
		"nocmd.toml": "no cmd", "sides.toml": "sides: want two names", "Big Name.toml": `name "big name"`, "letters.toml": `letters "X"`,
		"rules.toml": "rules: size", "timeout.toml": `timeout "soon"`, "limits.toml": "limits: ", "key.toml": "key.toml:2", "negative.toml": "not negative",
		"missing.toml": "no such file",
	} {
		if _, err := Open(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", source, err, want)
		}
	}
	g, err := Open("python3 othello.py")
	if err != nil {
		t.Fatal(err)
	}
	if want := "python3 " + filepath.Join(dir, "othello.py"); g.Name != "othello" || g.Source != want || Label(g.Source) != "othello" || g.ID() != want {
		t.Errorf("%s, %s", g.Name, g.Source)
	}
	before := g.Version
	if err := os.WriteFile("othello.py", []byte("other rules"), 0o666); err != nil {
		t.Fatal(err)
	}
	if g, err = Open(g.Source); err != nil || g.Version == before {
		t.Errorf("a changed referee has the same version %d: %v", before, err)
	}
	for source, want := range map[string]string{
		"python3 othello.py 8": "othello", "python3 -u othello.py --size 8": "othello", "./othello.py 8": "othello", "python3 -m hexgame": "hexgame",
	} {
		if g, err := Open(source); err != nil || g.Name != want || Label(g.Source) != want {
			t.Errorf("%s: %v, %v; want %s", source, g, err, want)
		}
	}
	if g, err := Open("'python3' \"othello.py\" 8"); err != nil || g.Source != "python3 "+filepath.Join(dir, "othello.py")+" 8" {
		t.Errorf("a quoted command gives %v, %v", g, err)
	}
	for source, want := range map[string]string{`'my dir/othello.py'`: "has blanks", `python3 "othello.py`: "not closed"} {
		if _, err := Open(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", source, err, want)
		}
	}
	if IsSource("quoridor") || Label("quoridor") != "quoridor" || Label(" ") != " " { // of a file written elsewhere
		t.Error("a game's name is a source")
	}
}

// TestMissingProgramNamesRemedy expects a fault of the referee with a remedy.
func TestMissingProgramNamesRemedy(t *testing.T) {
	g, err := Open("./no-such-program x")
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Verify(); err == nil || !strings.Contains(err.Error(), "correct the command of the game") {
		t.Error(err)
	}
}

// TestBuiltinPlayerRepeats expects the same move again
// from both presets; one draws it, the other searches.
func TestBuiltinPlayerRepeats(t *testing.T) {
	v := open(t, "none")
	var moves []string
	for _, preset := range append(slices.Clone(v.Game.Presets), v.Game.Presets...) {
		p := v.NewPlayer()
		if err := p.Configure(preset.Vector); err != nil {
			t.Fatal(err)
		}
		if err := p.Reset("3 1 0", 5); err != nil {
			t.Fatal(err)
		}
		d, err := p.Choose(context.Background(), nil, v.Game.Limits)
		if err != nil {
			t.Fatal(err)
		}
		ref := v.NewReferee()
		moves = append(moves, ref.MoveString(d.Move))
	}
	if moves[0] != "3" || moves[0] != moves[2] || moves[1] != moves[3] {
		t.Error(moves)
	}
}

// TestPageShowsExampleFiles expects the example's files on the page for authors, unchanged.
func TestPageShowsExampleFiles(t *testing.T) {
	page, err := os.ReadFile("../../../docs/game.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"nim.py", "nim_player.py", "nim_player.toml"} {
		text, err := os.ReadFile(filepath.Join("../examples/referee", name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "\n"+string(text)+"```\n") {
			t.Errorf("docs/game.md does not show %s as it is", name)
		}
	}
}
