package selfplay

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/engines/games"
	"selfplaylab/engines/testmode"
)

func TestParseTrials(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int64
	}{
		{"0", 0, 1},
		{"7", 7, 8},
		{"3-9", 3, 10},
		{"4-4", 4, 5},
		{"3-", 3, 0},
		{"-9", 0, 10},
		{"0-", 0, 0},
	} {
		if from, to, err := parseTrials(c.text); err != nil || from != c.from || to != c.to {
			t.Errorf("%q: %d to %d, %v; want %d to %d", c.text, from, to, err, c.from, c.to)
		}
	}
	for _, text := range []string{"", "-", "x", "1-x", "9-3", "1-2-3", "1.5", "+1", " 1", "--1", "99999999999999999999"} {
		if from, to, err := parseTrials(text); err == nil || !strings.Contains(err.Error(), "want N, N-M, N- or -M") {
			t.Errorf("%q: %d to %d, %v", text, from, to, err)
		}
	}
}

// Two exports to one file at a time: each is whole, and the last to end stays.
func TestWriteWholeTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.csv")
	err := writeWhole("out", path, func(first io.Writer) error {
		err := writeWhole("out", path, func(second io.Writer) error {
			_, err := io.WriteString(second, "second")
			return err
		})
		if data, _ := os.ReadFile(path); err != nil || string(data) != "second" {
			t.Errorf("%q, %v; want all of the second", data, err)
		}
		_, err = io.WriteString(first, "first")
		return err
	})
	if data, _ := os.ReadFile(path); err != nil || string(data) != "first" {
		t.Errorf("%q, %v; want all of the first", data, err)
	}
}

func FuzzParseTrials(f *testing.F) {
	for _, text := range []string{"7", "3-9", "3-", "-9", "4611686018427387903"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		from, to, err := parseTrials(text)
		if err == nil && (from < 0 || to < 0 || to > 0 && to <= from) {
			t.Errorf("%q: %d to %d", text, from, to)
		}
	})
}

// smallRuns are short matches of games; of another game, its default preset against
// its weak one, see smallRun.
var smallRuns = map[string]string{
	"quoridor":    "--a final --b bad",
	"gobang":      "--a fixed --b patterns --limits depth=1",
	"connectfour": "--a source --b source,C=1 --limits playouts=40",
	"mills":       "--a strong --b paper --limits depth=1",
}

func smallRun(t *testing.T, game string, more ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	g, err := games.Find(game)
	if err != nil {
		t.Fatal(err)
	}
	players := cmp.Or(smallRuns[game], "--a "+g.DefaultPreset+" --b "+cmp.Or(g.WeakPreset, g.DefaultPreset))
	args := append([]string{"match", "--game", game, "--seed", "9", "--out", dir}, strings.Fields(players)...)
	clitest.OK(t, ".", "selfplay", append(args, more...)...)
	return dir
}

// Every game's positions are labelled with what the record says, and a new
// referee reads them as the same positions.
func TestPositions(t *testing.T) {
	if testing.Short() {
		t.Skip("short: replays games of every game")
	}
	t.Parallel()
	for _, name := range games.Names() {
		t.Run(name, func(t *testing.T) {
			if name == "chess" {
				testmode.SkipUnlessLong(t) // as long as the others together
			}
			t.Parallel()
			testPositions(t, smallRun(t, name, "--pairs", "4", "--record-moves", "on"))
		})
	}
}

func testPositions(t *testing.T, dir string) {
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := log.Meta
	v, err := games.Recorded{Game: m.Game, Rules: m.Rules, Parameters: m.Parameters}.Rule()
	if err != nil {
		t.Fatal(err)
	}
	ref := v.NewReferee()
	rows := csvRows(t, clitest.OK(t, ".", "selfplay", "export", dir, "--table", "positions").Stdout)
	for g, err := range log.Played(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		moves := strings.Fields(g.Moves)
		for i, ply := 0, int(g.OpeningPlies); ply < len(moves); i, ply = i+1, ply+1 {
			row, d := rows[0], g.Decisions[i]
			rows = rows[1:]
			outcome := g.AScore
			if d.Player == datasets.PlayerB {
				outcome = 1 - outcome
			}
			for column, want := range map[string]string{
				"seed": "9", "trial": fmt.Sprint(g.Trial), "phase": "match", "pair": fmt.Sprint(g.Pair), "game": fmt.Sprint(g.Game), "ply": fmt.Sprint(ply),
				"move": moves[ply], "side": fmt.Sprint(d.Side), "player": d.Player, "key": fmt.Sprint(d.Key), "outcome": fmt.Sprint(outcome),
				"plies_left": fmt.Sprint(len(moves) - ply), "reason": g.Reason, "nodes": fmt.Sprint(d.Nodes), "mate": fmt.Sprint(d.Mate), "score": plainNumber(d.Score), "penalty": "false",
			} {
				if row[column] != want {
					t.Fatalf("game %d:%d, ply %d: %s is %q, want %q", g.Pair, g.Game, ply, column, row[column], want)
				}
			}
			if err := ref.Reset(row["position"]); err != nil {
				t.Fatal(err)
			}
			if m, err := ref.ParseMove(row["move"]); err != nil || !ref.Legal(m) || fmt.Sprint(ref.Turn()) != row["side"] || ref.String() != row["position"] {
				t.Fatalf("%v: %s cannot be played by %s in %q", err, row["move"], row["side"], row["position"])
			}
		}
	}
	if len(rows) > 0 {
		t.Errorf("%d rows of no game, the first %v", len(rows), rows[0])
	}
}

// csvRows reads CSV as rows by the names of their columns.
func csvRows(t *testing.T, text string) []map[string]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// Games that start alike are in one split, whichever run, pair or colour; and
// the split of an opening never changes.
func TestSplits(t *testing.T) {
	if testing.Short() {
		t.Skip("exports every game twice")
	}
	t.Parallel()
	starts := map[string]string{} // splits by the position after the opening
	games := map[string]string{}
	count := map[string]int{}
	for _, seed := range []string{"1", "2"} {
		dir := filepath.Join(t.TempDir(), "run")
		clitest.OK(t, ".", "selfplay", "match", "--game", "quoridor", "--a", "final", "--b", "bad", "--pairs", "150", "--opening-plies", "1", "--seed", seed, "--out", dir)
		for _, row := range csvRows(t, clitest.OK(t, ".", "selfplay", "export", dir, "--table", "positions").Stdout) {
			game := strings.Join([]string{seed, row["trial"], row["pair"], row["game"]}, ":")
			if row["ply"] == "1" {
				if was, met := starts[row["position"]]; met && was != row["split"] {
					t.Errorf("%s is in %s and %s", row["position"], was, row["split"])
				}
				starts[row["position"]], games[game] = row["split"], row["split"]
				count[row["split"]]++
			}
			if games[game] != row["split"] {
				t.Fatalf("game %s is in %s and %s", game, games[game], row["split"])
			}
		}
	}
	if len(games) != 600 || len(starts) < 20 || len(starts) > 200 || len(count) != 3 {
		t.Errorf("%d games of %d openings, %v", len(games), len(starts), count)
	}
}

// A reader that has seen enough ends the export without a word.
func TestExportIntoHead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no head")
	}
	t.Parallel()
	dir := smallRun(t, "quoridor", "--pairs", "400")
	for _, table := range []string{"games", "positions"} {
		p := start(t, ".", "sh", "-c", "selfplay export "+dir+" --table "+table+" | head -n 1")
		if res := p.Wait(t); res.Code != 0 || strings.Count(res.Stdout, "\n") != 1 || res.Stderr != "" {
			t.Errorf("%s: exit code %d, %q, %q", table, res.Code, res.Stdout, res.Stderr)
		}
	}
}

// A run whose games do not fit the rules, or its own table of moves, is no source
// of labels.
func TestExportRefusesForeignMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays runs")
	}
	t.Parallel()
	good := smallRun(t, "quoridor", "--pairs", "2", "--record-moves", "on")
	for name, c := range map[string]struct {
		change func(*datasets.GameRow, []datasets.MoveRow)
		want   string
	}{
		"key": {func(_ *datasets.GameRow, m []datasets.MoveRow) { m[0].Key++ }, "trial 0, pair 0, game 0: ply 4: the table of moves is of another position"},
		"end": {func(g *datasets.GameRow, _ []datasets.MoveRow) { g.Reason = "plies" }, "by goal by these rules; recorded is"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			rewrite(t, good, dir, c.change)
			out := filepath.Join(t.TempDir(), "positions.csv")
			res := clitest.Run(t, ".", "selfplay", "export", dir, "--table", "positions", "--out", out)
			if res.Code != 1 || !strings.Contains(res.Stderr, c.want) {
				t.Errorf("exit code %d, want 1 and %q\n%s", res.Code, c.want, res.Stderr)
			}
			left, err := os.ReadDir(filepath.Dir(out))
			if err != nil || len(left) > 0 {
				t.Errorf("left %v, %v", left, err)
			}
		})
	}
}

// rewrite copies a run of one trial with another first game.
func rewrite(t *testing.T, from, to string, change func(*datasets.GameRow, []datasets.MoveRow)) {
	t.Helper()
	log, err := datasets.Read(from)
	if err != nil {
		t.Fatal(err)
	}
	var spec map[string]any
	if err := log.Spec(&spec); err != nil {
		t.Fatal(err)
	}
	var trial datasets.TrialRow
	for row, err := range log.Trials(datasets.Filter{}) {
		if trial = row; err != nil {
			t.Fatal(err)
		}
	}
	var games []datasets.GameRow
	var moves []datasets.MoveRow
	for p, err := range log.Played(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		games, moves = append(games, p.GameRow), append(moves, p.Decisions...)
	}
	change(&games[0], moves)
	w, err := datasets.Create(to, log.Meta, spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(trial, games, moves); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Ctrl-C ends an export, and leaves nothing that looks whole.
func TestExportInterrupted(t *testing.T) {
	t.Parallel()
	dir := smallRun(t, "quoridor", "--pairs", "1")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cli.ErrInterrupted)
	out := filepath.Join(t.TempDir(), "games.csv")
	err := root(ctx, []string{"export", dir, "--out", out}, io.Discard, io.Discard)
	if !cli.Interrupted(err) {
		t.Errorf("ended with %v", err)
	}
	left, err := os.ReadDir(filepath.Dir(out))
	if err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// runOfRow matches the first value of a row, which depends on the time of the run.
var runOfRow = regexp.MustCompile(`(?m)^[0-9a-f]{16},`)

// The first rows of every game's positions, as they are. A new game has no golden file
// until one is written.
func TestPositionsGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays in every game")
	}
	t.Parallel()
	for _, name := range games.Names() {
		t.Run(name, func(t *testing.T) {
			dir := smallRun(t, name, "--pairs", "1", "--record-moves", "on")
			text := clitest.OK(t, ".", "selfplay", "export", dir, "--table", "positions", "--every", "5", "--opening").Stdout
			lines := strings.SplitAfter(text, "\n")
			got := runOfRow.ReplaceAllString(strings.Join(lines[:min(4, len(lines))], ""), "RUN,")
			golden := filepath.Join("testdata", "positions-"+name+".txt")
			if _, err := os.Stat(golden); errors.Is(err, fs.ErrNotExist) && !testmode.Update() {
				t.Skipf("%s has no golden file yet", name)
			}
			testmode.Golden(t, golden, []byte(got))
		})
	}
}

// plainNumber writes a score as an export does: without an exponent if it is large.
func plainNumber(x float64) string {
	if math.Abs(x) >= 1e6 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
