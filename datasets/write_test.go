package datasets

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrittenRunReadsBack(t *testing.T) { eachKind(t, testRoundTrip) }

func testRoundTrip(t *testing.T, meta Meta) {
	dir := newRunWith(t, meta, 23)
	log := must[*Log](t)(Read(dir))
	checkLog(t, log, 23)
	if diff := cmp.Diff(meta, log.Meta); diff != "" {
		t.Errorf("meta (-want +got):\n%s", diff)
	}
	var got testSpec
	if err := log.Spec(&got); err != nil || got != spec {
		t.Errorf("spec %+v, %v", got, err)
	}
}

// TestPartsCloseAtTheirBounds checks both bounds, of nodes and of games.
func TestPartsCloseAtTheirBounds(t *testing.T) {
	log := must[*Log](t)(Read(newRun(t, 12)))
	want := []span{{0, 5, 14}, {5, 5, 16}, {10, 2, 6}}
	if diff := cmp.Diff(want, log.spans, cmp.AllowUnexported(span{})); diff != "" {
		t.Errorf("by nodes (-want +got):\n%s", diff)
	}

	dir := filepath.Join(t.TempDir(), "run")
	w := must[*Writer](t)(Create(dir, testMeta, nil))
	trial, games := testTrial(0)
	for i := range int64(2100) { // few nodes, 2 games each
		trial.Trial, trial.Nodes = i, 0
		for k := range games {
			games[k].Trial, games[k].NodesA, games[k].NodesB = i, 0, 0
		}
		if err := w.Append(trial, games, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want = []span{{0, 2048, 4096}, {2048, 52, 104}}
	if diff := cmp.Diff(want, must[*Log](t)(Read(dir)).spans, cmp.AllowUnexported(span{})); diff != "" {
		t.Errorf("by games (-want +got):\n%s", diff)
	}
}

func TestEmptyRunCanBeResumed(t *testing.T) {
	dir := newRun(t, 0)
	checkLog(t, must[*Log](t)(Read(dir)), 0)
	w, log, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkLog(t, log, 0)
	appendTrials(t, w, 0, 3)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, contents(t, dir), contents(t, newRun(t, 3)))
}

// A log does not change when the run grows.
func TestLogIsASnapshot(t *testing.T) { eachKind(t, testLogIsASnapshot) }

func testLogIsASnapshot(t *testing.T, meta Meta) {
	t.Parallel()
	dir := newRunWith(t, meta, 7)
	w, log, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	appendTrials(t, w, 7, 9)
	if err := w.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	checkLog(t, log, 7)
	appendTrials(t, w, 9, 31)
	checkLog(t, log, 7)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkLog(t, log, 7)
}

// A run can be read at any moment while it is written.
func TestReadWhileWriting(t *testing.T) { eachKind(t, testReadWhileWriting) }

func testReadWhileWriting(t *testing.T, meta Meta) {
	if testing.Short() {
		t.Skip("writes runs again and again")
	}
	t.Parallel()
	dir := newRunWith(t, meta, 0)
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		for i := range int64(20) {
			if err := appendTrial(w, i); err != nil {
				done <- err
				return
			}
			if err := w.Checkpoint(); err != nil {
				done <- err
				return
			}
		}
		done <- w.Close()
	}()
	for last := int64(0); last < 20; {
		log := must[*Log](t)(Read(dir))
		if log.NumTrials < last {
			t.Fatalf("%d trials, after %d were seen", log.NumTrials, last)
		}
		last = log.NumTrials
		checkLog(t, log, last)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestAppendRefusesContradictingRows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w := must[*Writer](t)(Create(dir, testMeta, nil))
	tests := []struct {
		name   string
		change func(*TrialRow, []GameRow)
		want   string
	}{
		{"order", func(r *TrialRow, _ []GameRow) { r.Trial = 1 }, "trial 0 is next"},
		{"phase", func(r *TrialRow, _ []GameRow) { r.Phase = "" }, "no phase"},
		{"vector", func(r *TrialRow, _ []GameRow) { r.B = []float64{1} }, "vector of 1 values in a run of 2 parameters"},
		{"best", func(r *TrialRow, _ []GameRow) { r.Best = []float64{1, 2, 3} }, "vector of 3 values in a run of 2 parameters"},
		{"margin", func(_ *TrialRow, g []GameRow) { nan := math.NaN(); g[1].Margin = &nan }, "game row 1: margin NaN is not a finite number"},
		{"games", func(r *TrialRow, _ []GameRow) { r.Games++ }, "says 3 games, has 2"},
		{"pairs", func(r *TrialRow, _ []GameRow) { r.LL = 9 }, "are not 1 pairs"},
		{"other trial", func(_ *TrialRow, g []GameRow) { g[1].Trial = 5 }, "game row 1 belongs to trial 5"},
		{"other phase", func(_ *TrialRow, g []GameRow) { g[0].Phase = "x" }, `phase "x"`},
		{"game twice", func(_ *TrialRow, g []GameRow) { g[1].Game = 0 }, "pair 0, game 0 is out of order"},
		{"game order", func(_ *TrialRow, g []GameRow) { g[0], g[1] = g[1], g[0] }, "pair 0, game 0 is out of order"},
		{"score", func(_ *TrialRow, g []GameRow) { g[0].AScore = 2 }, "a_score 2"},
		{"outcome", func(_ *TrialRow, g []GameRow) { g[0].Outcome = "*" }, `outcome "*"`},
		{"wins", func(r *TrialRow, _ []GameRow) { r.Wins++ }, "wins is"},
		{"plies", func(r *TrialRow, _ []GameRow) { r.Plies++ }, "plies is 81, its games add up to 80"},
		{"nodes", func(_ *TrialRow, g []GameRow) { g[1].NodesB++ }, "nodes is"},
		{"first points", func(r *TrialRow, _ []GameRow) { r.FirstPoints-- }, "first_points is"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			trial, games := testTrial(0)
			test.change(&trial, games)
			wantError(t, w.Append(trial, games, nil), dir, "trial", test.want)
		})
	}
	// No row was added.
	appendTrials(t, w, 0, 2)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkLog(t, must[*Log](t)(Read(dir)), 2)
}

// TestAppendRefusesMoves rejects rows of moves that do not fit their trial or run.
func TestAppendRefusesMoves(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w := must[*Writer](t)(Create(dir, movesMeta, nil))
	for _, test := range []struct {
		name   string
		change func(m []MoveRow) []MoveRow
		want   string
	}{
		{"none", func([]MoveRow) []MoveRow { return nil }, "says 5 decisions, has 0 rows of moves"},
		{"trial", func(m []MoveRow) []MoveRow { m[0].Trial = 1; return m }, "a move belongs to trial 1"},
		{"phase", func(m []MoveRow) []MoveRow { m[0].Phase = "x"; return m }, `phase "x"`},
		{"pair", func(m []MoveRow) []MoveRow { m[0].Pair = 1; return m }, "its moves took 0 and 0 nodes"},
		{"game order", func(m []MoveRow) []MoveRow { return append(m[3:], m[:3]...) }, "its moves took 0 and 0 nodes"},
		{"last game", func(m []MoveRow) []MoveRow { m[2].Game = 3; return []MoveRow{m[0], m[1], m[3], m[4], m[2]} }, "pair 0, game 3 is out of order"},
		{"ply order", func(m []MoveRow) []MoveRow { m[0], m[1] = m[1], m[0]; return m }, "at ply 4 is out of order"},
		{"opening", func(m []MoveRow) []MoveRow { m[0].Ply = 3; return m }, "at ply 3 is out of order"},
		{"beyond", func(m []MoveRow) []MoveRow { m[1].Ply = 41; return m }, "at ply 41 is out of order in a game of 40 plies"},
		{"no move", func(m []MoveRow) []MoveRow { m[1].Move = ""; return m }, `move "" at ply 11`},
		{"side", func(m []MoveRow) []MoveRow { m[0].Side = 1; return m }, `side 1 is not player "a"`},
		{"no side", func(m []MoveRow) []MoveRow { m[0].Side = 2; return m }, "side 2"},
		{"player", func(m []MoveRow) []MoveRow { m[0].Player = "x"; return m }, `player "x"`},
		{"time", func(m []MoveRow) []MoveRow { m[0].Micros = 1; return m }, "1 microseconds in a run that does not time moves"},
		{"nodes", func(m []MoveRow) []MoveRow { m[0].Nodes--; return m }, "its moves took"},
	} {
		t.Run(test.name, func(t *testing.T) {
			trial, games := testTrial(0)
			wantError(t, w.Append(trial, games, test.change(testDecisionsOf(games))), dir, "trial 0", test.want)
		})
	}
	appendTrials(t, w, 0, 2) // no row was added
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkLog(t, must[*Log](t)(Read(dir)), 2)

	two := must[*Writer](t)(Create(filepath.Join(t.TempDir(), "run"), testMeta, nil))
	trial, games := testTrial(0)
	wantError(t, two.Append(trial, games, testDecisionsOf(games)), "5 rows of moves in a run that keeps none")
	if err := two.Close(); err != nil {
		t.Fatal(err)
	}

	timed := testMeta
	timed.RecordMoves = TimeMoves
	dir = filepath.Join(t.TempDir(), "run")
	three := must[*Writer](t)(Create(dir, timed, nil))
	moves := testDecisionsOf(games)
	moves[1].Micros = 12
	if err := errors.Join(three.Append(trial, games, moves), three.Close()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(moves, collect(t, must[*Log](t)(Read(dir)).Moves(Filter{}))); diff != "" {
		t.Errorf("timed moves (-want +got):\n%s", diff)
	}
}

// Recording moves changes neither bytes nor boundaries of the other tables.
func TestMovesLeaveTheRestAlone(t *testing.T) {
	with, without := contents(t, newRunWith(t, movesMeta, 12)), contents(t, newRun(t, 12))
	for _, name := range []string{moves0, moves1, moves2} {
		if with[name] == "" || without[name] != "" {
			t.Errorf("%s: %d bytes with moves, %d without", name, len(with[name]), len(without[name]))
		}
		delete(with, name)
	}
	if want := strings.Replace(without[runName], "[spec]", "", 1); !strings.Contains(with[runName], "record_moves = 'on'") || strings.Contains(want, "record_moves") {
		t.Errorf("run.toml with moves:\n%s\nwithout:\n%s", with[runName], without[runName])
	}
	delete(with, runName)
	delete(without, runName)
	sameFiles(t, with, without)
}

func TestClosedWriterRefusesRows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w := must[*Writer](t)(Create(dir, testMeta, nil))
	for range 2 {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	trial, games := testTrial(0)
	wantError(t, w.Append(trial, games, nil), dir, "closed")
	wantError(t, w.Checkpoint(), dir, "closed")
}

func TestCreateKeepsExistingContent(t *testing.T) {
	base := t.TempDir()
	write := func(path, text string) string {
		path = filepath.Join(base, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	finished := newRun(t, 3)
	before := contents(t, finished)
	tests := []struct {
		name, dir string
		want      []string
	}{
		{"a run", finished, []string{"already holds a run", "--resume", "--out"}},
		{"other files", filepath.Dir(write("other/notes.txt", "x")), []string{"not empty", "notes.txt", "--out"}},
		{"rows without run.toml", filepath.Dir(filepath.Dir(write("rows/games/part-000000.parquet", "x"))), []string{"not empty", "part-000000.parquet"}},
		{"a file", write("file", "x"), []string{"cannot make", "--out"}},
		{"below a file", filepath.Join(write("file2", "x"), "run"), []string{"cannot make", "--out"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Create(test.dir, testMeta, spec)
			wantError(t, err, append(test.want, test.dir)...)
		})
	}
	sameFiles(t, contents(t, finished), before)

	_, err := Create(filepath.Join(base, "x"), Meta{Kind: "tune"}, nil)
	wantError(t, err, "game")
	_, err = Create(filepath.Join(base, "x"), testMeta, map[string]any{"f": func() {}})
	wantError(t, err, "run.toml")
	if _, err := os.Stat(filepath.Join(base, "x")); !os.IsNotExist(err) {
		t.Errorf("a refused run left its folder: %v", err)
	}
}

// A Create killed before it wrote run.toml does not block the next.
func TestCreateAfterKilledCreate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	for _, path := range []string{"trials", "games", "moves"} {
		if err := os.MkdirAll(filepath.Join(dir, path), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"run.lock", ".run.toml.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, path), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := Resume(dir)
	wantError(t, err, dir, "holds no run.toml")
	w := must[*Writer](t)(Create(dir, movesMeta, spec))
	appendTrials(t, w, 0, 8)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, contents(t, dir), contents(t, newRunWith(t, movesMeta, 8)))
}

func TestResumeLeavesOtherFoldersAlone(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ dir, want string }{
		{filepath.Join(base, "absent"), "no such folder"},
		{file, "it is a file"},
		{base, "holds no run.toml"},
	} {
		_, _, err := Resume(test.dir)
		wantError(t, err, test.dir, test.want)
		_, err = Read(test.dir)
		wantError(t, err, test.dir, test.want)
	}
	if _, err := os.Stat(filepath.Join(base, lockName)); !os.IsNotExist(err) {
		t.Errorf("Resume left a lock file in a folder that is no run: %v", err)
	}
}

// TestBusyWhileWriterIsOpen also checks that Busy does not block a writer.
func TestBusyWhileWriterIsOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if Busy(dir) {
		t.Error("a run that is not there is busy")
	}
	w := must[*Writer](t)(Create(dir, testMeta, nil))
	if !Busy(dir) {
		t.Error("a run with an open writer is not busy")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if Busy(dir) {
		t.Error("a closed run is busy")
	}
	again, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestExtendKeepsRecordedTrials extends a run: it keeps its trials, records the new and the
// former command, and accepts parts of either command but of no other.
func TestExtendKeepsRecordedTrials(t *testing.T) {
	dir := newRun(t, 12)
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	longer := spec
	longer.Step = 3
	if err := w.Extend("tune --longer", longer); err != nil {
		t.Fatal(err)
	}
	appendTrials(t, w, 12, 20)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantError(t, w.Extend("tune --late", longer), "closed")
	log := must[*Log](t)(Read(dir))
	checkLog(t, log, 20)
	var got testSpec
	if err := log.Spec(&got); err != nil || got != longer || log.Meta.Command != "tune --longer" ||
		!cmp.Equal(log.Meta.Extended, []Extended{{Command: testMeta.Command, Trials: 12}}) {
		t.Errorf("spec %+v, %v; %q, %+v", got, err, log.Meta.Command, log.Meta.Extended)
	}
	other := testMeta
	other.Command = "tune --other"
	put(t, dir, games1, []byte(contents(t, newRunWith(t, other, 12))[games1]))
	put(t, dir, trials1, []byte(contents(t, newRunWith(t, other, 12))[trials1]))
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "selfplay.command") {
		t.Errorf("took parts of another command: %v", err)
	}
}

// TestDropRemovesLateTrials drops wrong trials at the end of a run, which then continues before
// them.
func TestDropRemovesLateTrials(t *testing.T) {
	for _, c := range []struct{ from, left int64 }{{0, 0}, {3, 0}, {5, 5}, {99, 5}} {
		dir := newRun(t, 5)
		w, _, err := Resume(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.SetPending([]json.RawMessage{[]byte("1")}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Drop(c.from), w.Close()); err != nil {
			t.Fatal(err)
		}
		w, log, err := Resume(dir)
		if err != nil {
			t.Fatal(err)
		}
		if kept, err := w.Pending(); err != nil || len(kept) > 0 || log.NumTrials != c.left {
			t.Errorf("dropped from %d: %d trials and %d pending pairs are left, %v; want %d", c.from, log.NumTrials, len(kept), err, c.left)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}
