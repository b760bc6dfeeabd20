package selfplay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/testmode"
)

// call runs the command in this process and decodes the object it prints.
func call(t *testing.T, into any, args ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if err := root(context.Background(), append(args, "--json"), &stdout, &stderr); err != nil {
		t.Fatalf("selfplay %q: %v", args, err)
	}
	if stderr.Len() > 0 {
		t.Errorf("selfplay %q: stderr %s", args, &stderr)
	}
	d := json.NewDecoder(&stdout)
	if err := d.Decode(into); err != nil {
		t.Fatalf("selfplay %q: %v", args, err)
	}
	if d.More() {
		t.Errorf("selfplay %q: more than one object", args)
	}
}

type perftJSON struct {
	Depth  int               `json:"depth"`
	Nodes  uint64            `json:"nodes"`
	Divide map[string]uint64 `json:"divide"`
}

// The numbers are those of engines/quoridor, where their origin is told: the
// project's rule specification, the standard ones confirmed against OpenSpiel.
func TestPerftGolden(t *testing.T) {
	clitest.SkipUnderRace(t)
	t.Parallel()
	for _, c := range []struct {
		rules, position string
		nodes           []uint64 // at depth 1, 2, ...
	}{
		{"variant=seed", "", []uint64{131, 16805, 2110468}},
		{"variant=standard", "", []uint64{131, 16677, 2062264}},
		{"variant=seed", "e5 e6 9 9 1 h:a1,e4 v:-", []uint64{126, 15533}},
		{"variant=standard", "e5 e6 9 9 1 h:a1,e4 v:-", []uint64{126, 15176}},
		{"variant=seed", "b6 a6 2 3 1 h:c4,d5,d7,e1,f4,f8,h6 v:b5,c6,d1,d4,d8,e7,f7,h1", []uint64{89, 7354, 615850}},
		{"variant=standard", "b6 a6 2 3 1 h:c4,d5,d7,e1,f4,f8,h6 v:b5,c6,d1,d4,d8,e7,f7,h1", []uint64{80, 6135, 450521}},
		{"variant=seed", "f2 f9 0 0 1 h:b4,b6,d1,d2,d4,d7,e8,f2,f6,g1,h7 v:b2,c8,d5,e5,f1,f7,g6,h2,h8", []uint64{2, 4, 10, 20, 44, 88, 200, 425, 969}},
		{"variant=seed", "c4 c3 0 1 1 h:b4,c2,c7,e3,e8,g2,h5 v:a1,b4,b7,c3,c5,d3,e6,f2,f5,f8,g3,h7", []uint64{1, 1, 75}},
	} {
		for i, want := range c.nodes {
			depth := i + 1
			args := []string{"perft", "--game", "quoridor", "--rules", c.rules, "--position", c.position, "--depth", fmt.Sprint(depth)}
			var whole, parts perftJSON
			call(t, &whole, args...)
			call(t, &parts, append(args, "--divide")...)
			if diff := cmp.Diff(perftJSON{Depth: depth, Nodes: want}, whole); diff != "" {
				t.Errorf("%q (-want +got):\n%s", args, diff)
			}
			sum := uint64(0)
			for _, n := range parts.Divide {
				sum += n
			}
			if sum != want || parts.Nodes != want || uint64(len(parts.Divide)) != c.nodes[0] {
				t.Errorf("%q: %d moves add up to %d of %d, want %d of %d", args, len(parts.Divide), sum, parts.Nodes, c.nodes[0], want)
			}
		}
	}
}

// A count too large to be done at once is the sum of its parts.
func TestPerftInParts(t *testing.T) {
	clitest.SkipUnderRace(t)
	testmode.SkipUnlessLong(t) // hundreds of millions of positions
	t.Parallel()
	if small(131, 4) {
		t.Fatal("a perft of 259,360,832 is counted at once: it could not be interrupted")
	}
	var p perftJSON
	call(t, &p, "perft", "--game", "quoridor", "--depth", "4")
	if p.Nodes != 259360832 {
		t.Errorf("perft 4 = %d, want 259360832", p.Nodes)
	}
}

// What divide says of a move is what perft says after it, by --moves too.
func TestPerftAfterMoves(t *testing.T) {
	t.Parallel()
	var parts perftJSON
	call(t, &parts, "perft", "--game", "quoridor", "--moves", "e2 e8", "--depth", "2", "--divide")
	for _, move := range []string{"e3", "d2", "a1h", "h8v"} {
		var after perftJSON
		call(t, &after, "perft", "--game", "quoridor", "--moves", "e2 e8 "+move, "--depth", "1")
		if n, ok := parts.Divide[move]; !ok || n != after.Nodes {
			t.Errorf("after %s: %d, divide says %d", move, after.Nodes, n)
		}
	}
	var none perftJSON
	call(t, &none, "perft", "--game", "quoridor", "--depth", "0")
	if none.Nodes != 1 {
		t.Errorf("perft 0 = %d, want 1", none.Nodes)
	}
}

// goldenGame is a game of engines/quoridor/testdata/games.json, whose note tells
// where it comes from.
type goldenGame struct {
	Rules     string            `json:"rules"`
	First     string            `json:"first"`
	Second    string            `json:"second"`
	Coin      string            `json:"coin"`
	Start     string            `json:"start"`
	Winner    int               `json:"winner"`
	Moves     string            `json:"moves"`
	Decisions []json.RawMessage `json:"first_decisions"`
}

func goldenGames(t *testing.T) []goldenGame {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "engines", "quoridor", "testdata", "games.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Games []goldenGame `json:"games"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Games) < 10 {
		t.Fatalf("only %d games", len(file.Games))
	}
	return file.Games
}

// rounded compares scores as the golden games give them: rounded to a decimal.
var rounded = cmpopts.EquateApprox(0, 1e-9)

// eval gives every number of some decisions of every golden game, and best their
// moves. (The engine's own tests take them all.)
func TestEvalAndBestGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("short: searches in every game")
	}
	t.Parallel()
	for i, g := range goldenGames(t) {
		coin, _, _ := strings.Cut(g.Coin, " ")
		moves := strings.Fields(g.Moves)
		for _, ply := range []int{0, 1, 2, 7, 11} {
			preset := []string{g.First, g.Second}[ply%2]
			args := []string{
				"--game", "quoridor", "--rules", "variant=" + g.Rules, "--position", g.Start,
				"--moves", strings.Join(moves[:ply], " "), "--preset", preset, "--set", "coin=" + coin[:1],
			}
			var want map[string]any
			if err := json.Unmarshal(g.Decisions[ply], &want); err != nil {
				t.Fatal(err)
			}
			want["move"], want["coin"] = moves[ply], coin[:1]
			var got map[string]any
			call(t, &got, append([]string{"eval"}, args...)...)
			if terms, ok := got["terms"].([]any); !ok || len(terms) != len(want) || got["position"] == "" {
				t.Errorf("game %d, ply %d: position %v, terms %v", i, ply, got["position"], got["terms"])
			}
			delete(got, "terms")
			delete(got, "position")
			if diff := cmp.Diff(want, got, rounded); diff != "" {
				t.Errorf("game %d, ply %d (-want +got):\n%s", i, ply, diff)
			}
			if ply < 7 {
				continue
			}
			var best struct {
				Move  string
				Score float64
				Nodes int64
			}
			call(t, &best, append([]string{"best"}, args...)...)
			score := max(want["score_1"].(float64), want["score_2"].(float64))
			if best.Move != moves[ply] || !cmp.Equal(best.Score, score, rounded) || best.Nodes < 1 {
				t.Errorf("game %d, ply %d: best is %+v, want %s with score %v", i, ply, best, moves[ply], score)
			}
		}
	}
}

type showJSON struct {
	Position string   `json:"position"`
	Turn     int      `json:"turn"`
	Outcome  string   `json:"outcome"`
	Reason   string   `json:"reason"`
	Moves    []string `json:"moves"`
	Board    string   `json:"board"`
}

// show plays every golden game to its end; what it prints of the last position
// can be read back.
func TestShowGolden(t *testing.T) {
	t.Parallel()
	for i, g := range goldenGames(t) {
		rules := []string{"show", "--game", "quoridor", "--rules", "variant=" + g.Rules}
		var end, again, before showJSON
		call(t, &end, append(rules, "--position", g.Start, "--moves", g.Moves)...)
		if want := []string{"1-0", "0-1"}[g.Winner]; end.Outcome != want || end.Reason != "goal" || len(end.Moves) != 0 {
			t.Errorf("game %d ended %s by %s with %d moves to go, want %s by goal", i, end.Outcome, end.Reason, len(end.Moves), want)
		}
		call(t, &again, append(rules, "--position", end.Position)...)
		if diff := cmp.Diff(end, again); diff != "" {
			t.Errorf("game %d: its last position read back (-moves +position):\n%s", i, diff)
		}
		last := strings.LastIndexByte(g.Moves, ' ')
		call(t, &before, append(rules, "--position", g.Start, "--moves", g.Moves[:last])...)
		if !strings.Contains(" "+strings.Join(before.Moves, " ")+" ", g.Moves[last:]+" ") || before.Outcome != "*" {
			t.Errorf("game %d: the last move %s is not among %q", i, g.Moves[last:], before.Moves)
		}
	}
}

// A vector can be given as preset, as file and by overrides, and all mean it.
func TestEvalVectors(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte("game = \"quoridor\"\n[values]\na_E = 12.5\ncoin = \"v\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	eval := func(args ...string) (terms map[string]any) {
		t.Helper()
		call(t, &terms, append([]string{"eval", "--game", "quoridor", "--moves", "e2"}, args...)...)
		return terms
	}
	byFile, bySet := eval("--params", file), eval("--set", "a_E=12.5", "--set", "coin=v")
	if diff := cmp.Diff(byFile, bySet); diff != "" {
		t.Errorf("the same values by file and by --set (-file +set):\n%s", diff)
	}
	// s1 = a_E E + ...: one more for each step of E.
	one := eval("--set", "a_E=13.5", "--set", "coin=v")
	if got, want := one["score_1"].(float64)-bySet["score_1"].(float64), bySet["E"].(float64); got != want {
		t.Errorf("a_E + 1 adds %v to score_1, want E = %v", got, want)
	}
	if over := eval("--params", file, "--set", "a_E=13.5"); over["score_1"] != one["score_1"] {
		t.Errorf("--set does not override --params: %v, want %v", over["score_1"], one["score_1"])
	}
}
