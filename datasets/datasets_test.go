package datasets

import (
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// list describes the runs in and below a folder.
func list(root string) ([]Info, error) {
	dirs, err := Find(root)
	var runs []Info
	for _, dir := range dirs {
		runs = append(runs, Describe(dir))
	}
	return runs, err
}

var testMeta = Meta{
	Schema: Schema, Kind: "tune", Game: "quoridor", GameVersion: 2, Rules: "variant=seed", Seed: 1<<64 - 1,
	Limits: "nodes=1000", Revision: "abc", Program: "1.2.3", Go: "go1.26",
	Command: `tune --game quoridor --seed 7 --set "a=1"`, CommandLine: "tune -g quoridor",
	Created: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Parameters: []string{"a", "b,c"},
}

// movesMeta is testMeta of a run that keeps moves.
var movesMeta = func() Meta {
	m := testMeta
	m.RecordMoves = KeepMoves
	return m
}()

// eachKind runs a test with runs of two tables and of three.
func eachKind(t *testing.T, test func(t *testing.T, meta Meta)) {
	t.Parallel()
	for name, meta := range map[string]Meta{"two tables": testMeta, "three tables": movesMeta} {
		t.Run(name, func(t *testing.T) { test(t, meta) })
	}
}

type testSpec struct {
	Method string  `toml:"method"`
	Step   float64 `toml:"step"`
}

var spec = testSpec{Method: "spsa", Step: 0.1}

// testTrial makes trial i with 2 or 4 games of about 22,500,000 nodes together, so that five
// trials fill a part.
func testTrial(i int64) (TrialRow, []GameRow) {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	t := TrialRow{
		Trial: i, Phase: "tune", A: []float64{r.NormFloat64(), float64(i)}, B: []float64{r.NormFloat64(), math.Copysign(0, -1)},
		Openings: r.Uint64(), Pairs: 1 + int32(i)%2,
	}
	if i%7 == 6 {
		t.Phase, t.A, t.B = "verify", nil, []float64{}
	}
	if t.Phase == "tune" && i%3 != 0 {
		t.Best = []float64{-0.5, 1 / float64(i)}
	}
	var games []GameRow
	for k := range 2 * t.Pairs {
		g := testGame(r, t, k)
		games = append(games, g)
		t.add(g)
		t.Decisions += int64(len(testDecisions(g)))
	}
	t.countPairs(games)
	return t, games
}

// testDecisions makes the decisions of a game: two, or three if the last lost the game at once.
func testDecisions(g GameRow) []MoveRow {
	r := rand.New(rand.NewPCG(uint64(g.Trial), uint64(g.Pair*2+g.Game+1)))
	moves := strings.Fields(g.Moves)
	row := func(ply, side int32, nodes int64) MoveRow {
		m := MoveRow{
			Trial: g.Trial, Phase: g.Phase, Pair: g.Pair, Game: g.Game, Ply: ply, Side: side, Player: PlayerA,
			Key: r.Uint64(), Score: r.NormFloat64(), Nodes: nodes, Depth: r.Int32N(4), Mate: int32(nodes%5) - 2,
		}
		if side != g.Game {
			m.Player = PlayerB
		}
		if int(ply) < len(moves) {
			m.Move = moves[ply]
		}
		return m
	}
	rows := []MoveRow{row(g.OpeningPlies, g.Game, g.NodesA), row(g.OpeningPlies+7, 1-g.Game, g.NodesB)}
	rows[0].Score = math.Inf(1)
	if g.IllegalFirst > 0 {
		rows = append(rows, row(g.Plies, 0, 0))
	}
	return rows
}

func testDecisionsOf(games []GameRow) []MoveRow {
	var rows []MoveRow
	for _, g := range games {
		rows = append(rows, testDecisions(g)...)
	}
	return rows
}

func testGame(r *rand.Rand, t TrialRow, k int32) GameRow {
	outcome := r.IntN(3)
	g := GameRow{
		Trial: t.Trial, Phase: t.Phase, Pair: k / 2, Game: k % 2, OpeningPlies: 4,
		Outcome: []string{"0-1", "1/2", "1-0"}[outcome], AScore: float64(outcome) / 2, Reason: "goal",
		IllegalFirst: r.Int32N(2), NodesA: 22_500_000 / int64(2*t.Pairs), NodesB: r.Int64N(1000),
	}
	if g.Game == 1 {
		g.AScore = 1 - g.AScore
	}
	if r.IntN(2) == 0 {
		g.Position = fmt.Sprintf("e%d e9 10 10 0 h:- v:-", 1+r.IntN(8))
	}
	g.Moves, g.Plies = testMoves(r), 40
	if g.NodesB%3 != 0 {
		margin := float64(outcome-1) * float64(g.NodesB) / 2
		g.Margin = &margin
	}
	return g
}

func testMoves(r *rand.Rand) string {
	var moves []string
	for range 40 {
		moves = append(moves, fmt.Sprintf("%c%d%s", 'a'+rune(r.IntN(8)), 1+r.IntN(8), []string{"", "", "h", "v"}[r.IntN(4)]))
	}
	return strings.Join(moves, " ")
}

// countPairs counts the pairs by A's points.
func (t *TrialRow) countPairs(games []GameRow) {
	for i := 0; i < len(games); i += 2 {
		*[]*int32{&t.LL, &t.LD, &t.Even, &t.WD, &t.WW}[games[i].Half()+games[i+1].Half()]++
	}
}

// add counts a game.
func (t *TrialRow) add(g GameRow) {
	t.Games++
	switch g.AScore {
	case 1:
		t.Wins++
	case 0.5:
		t.Draws++
	case 0:
		t.Losses++
	}
	points, _ := firstPoints(g.Outcome)
	t.FirstPoints += points
	t.Plies += int64(g.Plies)
	t.Nodes += g.NodesA + g.NodesB
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// appendTrials appends trials from to to-1.
func appendTrials(t testing.TB, w *Writer, from, to int64) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := appendTrial(w, i); err != nil {
			t.Fatal(err)
		}
	}
}

// appendTrial appends trial i, with its moves if the run keeps them.
func appendTrial(w *Writer, i int64) error {
	trial, games := testTrial(i)
	if w.meta.RecordMoves == NoMoves {
		return w.Append(trial, games, nil)
	}
	return w.Append(trial, games, testDecisionsOf(games))
}

// newRun writes a finished run of n trials.
func newRun(t testing.TB, n int64) (dir string) { return newRunWith(t, testMeta, n) }

func newRunWith(t testing.TB, meta Meta, n int64) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	w := must[*Writer](t)(Create(dir, meta, spec))
	appendTrials(t, w, 0, n)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// abandon leaves a run as a killed process would: the kernel releases the lock, and nothing
// else happens.
func (w *Writer) abandon(t testing.TB) {
	t.Helper()
	if err := w.lock.Close(); err != nil {
		t.Fatal(err)
	}
}

// contents returns every file of a run except the lock.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path == lockName {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sameFiles compares two runs byte by byte.
func sameFiles(t testing.TB, got, want map[string]string) {
	t.Helper()
	names := map[string]bool{}
	for name := range got {
		names[name] = true
	}
	for name := range want {
		names[name] = true
	}
	for name := range names {
		g, inGot := got[name]
		w, inWant := want[name]
		if inGot != inWant {
			t.Errorf("%s: present %v, want %v", name, inGot, inWant)
		} else if g != w {
			t.Errorf("%s: %d bytes differ from the %d wanted", name, len(g), len(w))
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

// checkLog compares a log with trials 0 to n-1.
func checkLog(t testing.TB, log *Log, n int64) {
	t.Helper()
	if log.NumTrials != n {
		t.Fatalf("%d trials, want %d", log.NumTrials, n)
	}
	var wantTrials []TrialRow
	var wantGames []GameRow
	for i := range n {
		trial, games := testTrial(i)
		wantTrials = append(wantTrials, trial)
		wantGames = append(wantGames, games...)
	}
	if diff := cmp.Diff(wantTrials, collect(t, log.Trials(Filter{})), equalEmpty); diff != "" {
		t.Fatalf("trials (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantGames, collect(t, log.Games(Filter{}))); diff != "" {
		t.Fatalf("games (-want +got):\n%s", diff)
	}
	if log.Meta.RecordMoves != NoMoves {
		if diff := cmp.Diff(testDecisionsOf(wantGames), collect(t, log.Moves(Filter{}))); diff != "" {
			t.Fatalf("moves (-want +got):\n%s", diff)
		}
	}
	if int(log.NumGames) != len(wantGames) {
		t.Fatalf("%d games, want %d", log.NumGames, len(wantGames))
	}
}

// equalEmpty treats nil and empty lists as equal, because a table cannot tell them apart.
var equalEmpty = cmp.Transformer("nonNil", func(v []float64) []float64 { return append([]float64{}, v...) })

func collect[T any](t testing.TB, rows func(func(T, error) bool)) []T {
	t.Helper()
	var all []T
	for row, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

// wantError checks that err contains all parts.
func wantError(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one about %q", parts)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}
