package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

const (
	games0  = "games/part-000000.parquet"
	games1  = "games/part-000001.parquet"
	games2  = "games/part-000002.parquet"
	moves0  = "moves/part-000000.parquet"
	moves1  = "moves/part-000001.parquet"
	moves2  = "moves/part-000002.parquet"
	trials0 = "trials/part-000000.parquet"
	trials1 = "trials/part-000001.parquet"
	trials2 = "trials/part-000002.parquet"
)

// put writes a file into a run.
func put(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func remove(t testing.TB, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// foreignPart returns parquet that no run wrote.
func foreignPart(t testing.TB) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[struct{ A int }](&b)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// partWith encodes rows with any metadata.
func partWith[T any](t testing.TB, rows []T, meta Meta, s span) []byte {
	t.Helper()
	data, err := (&encoder[T]{}).encode(rows, meta, s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDamageIsReportedWithRemedy damages a run in many ways. Read and Resume report it, or
// reading the rows does; the error names the file and the remedy.
func TestDamageIsReportedWithRemedy(t *testing.T) {
	testmode.Raced(t, "damages a run in many ways")
	t.Parallel()
	whole := contents(t, newRun(t, 12)) // parts of trials 0-4, 5-9, 10-11
	cut := func(name string, n int) func(string) {
		return func(dir string) { put(t, dir, name, []byte(whole[name][:n])) }
	}
	other := testMeta
	other.Seed = 8
	newer := testMeta
	newer.Schema = newest + 1
	tests := []struct {
		name   string
		damage func(dir string)
		want   []string
	}{
		{"truncated games", cut(games2, 500), []string{games2, "truncated", "move part-000002.parquet and all later parts out", "trials from 10 on are played again"}},
		{"truncated trials", cut(trials2, len(whole[trials2])-1), []string{trials2, "truncated", "trials from 10 on"}},
		{"truncated in the middle", cut(games1, len(whole[games1])/2), []string{games1, "truncated", "trials from 5 on"}},
		{"empty", cut(trials0, 0), []string{trials0, "truncated", "trials from 0 on"}},
		{"text", func(dir string) { put(t, dir, games1, []byte("hello, this is not parquet")) }, []string{games1, "not parquet"}},
		{"foreign parquet", func(dir string) { put(t, dir, trials2, foreignPart(t)) }, []string{trials2, "not of a run"}},
		{"other columns", func(dir string) {
			put(t, dir, games2, partWith(t, []struct {
				Trial int32 `parquet:"trial"`
			}{{10}}, testMeta, span{10, 2, 1}))
		}, []string{games2, "columns are not those of format version 3"}},
		{"another run", func(dir string) {
			trial, _ := testTrial(10)
			put(t, dir, trials2, partWith(t, []TrialRow{trial}, other, span{10, 1, 2}))
		}, []string{trials2, "another run", `selfplay.seed is "8", run.toml says "18446744073709551615"`}},
		{"newer version", func(dir string) {
			put(t, dir, trials2, partWith(t, []TrialRow{}, newer, span{}))
		}, []string{trials2, "format version 5 is newer than this program"}},
		{"metadata without counts", func(dir string) {
			put(t, dir, trials2, partWith(t, []TrialRow{}, testMeta, span{-1, 0, 0}))
		}, []string{trials2, `selfplay.first_trial is "-1"`}},
		{"fewer rows than said", func(dir string) {
			trial, _ := testTrial(10)
			put(t, dir, trials2, partWith(t, []TrialRow{trial}, testMeta, span{10, 2, 6}))
		}, []string{trials2, "holds 1 rows, its metadata says 2"}},
		{"no trials", func(dir string) {
			put(t, dir, trials2, partWith(t, []TrialRow{}, testMeta, span{10, 0, 0}))
		}, []string{trials2, "holds no trials"}},
		{"hole in trials", func(dir string) { remove(t, dir, trials1) }, []string{trials1, "is missing", "part-000002.parquet"}},
		{"hole in games", func(dir string) { remove(t, dir, games0) }, []string{games0, "is missing", "part-000001.parquet"}},
		{"no games", func(dir string) { remove(t, dir, games2) }, []string{games2, "missing", "their games are not", "trials from 10 on"}},
		{"games behind trials", func(dir string) {
			trial, games := testTrial(10)
			put(t, dir, games2, partWith(t, games, testMeta, span{10, 1, int64(trial.Games)}))
		}, []string{games2, "holds 2 games of trials 10 to 10, the trials table has 6 of 10 to 11"}},
		{"parts exchanged", func(dir string) { put(t, dir, trials1, []byte(whole[trials0])) }, []string{trials1, "starts at trial 0, trial 5 is next"}},
		{"trials out of order", func(dir string) {
			a, _ := testTrial(10)
			b, _ := testTrial(11)
			put(t, dir, trials2, partWith(t, []TrialRow{b, a}, testMeta, span{10, 2, 6}))
		}, []string{trials2, "damaged", "trial 11, which cannot follow trial 9"}},
		{"trial twice", func(dir string) {
			a, _ := testTrial(10)
			put(t, dir, trials2, partWith(t, []TrialRow{a, a}, testMeta, span{10, 2, 6}))
		}, []string{trials2, "trial 10, which cannot follow trial 10"}},
		{"foreign name", func(dir string) { put(t, dir, "games/export.parquet", foreignPart(t)) }, []string{"games/export.parquet is not a part of this run", "move it away"}},
		{"no folder", func(dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "games")); err != nil {
				t.Fatal(err)
			}
		}, []string{"games", "is missing; put it back"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(newRunFrom(t, whole))); err != nil {
				t.Fatal(err)
			}
			test.damage(dir)
			before := contents(t, dir)
			_, _, err := Resume(dir)
			wantError(t, err, test.want...)
			wantError(t, readAll(dir), test.want...)
			sameFiles(t, contents(t, dir), before)
			if runs := must[[]Info](t)(list(dir)); len(runs) != 1 {
				t.Errorf("listed as %v", runs)
			}
		})
	}
}

// TestDamagedMovesAreReported damages the moves table as the others.
func TestDamagedMovesAreReported(t *testing.T) {
	t.Parallel()
	whole := contents(t, newRunWith(t, movesMeta, 12))
	_, games10 := testTrial(10)
	_, games11 := testTrial(11)
	rows := testDecisionsOf(append(slices.Clone(games10), games11...))
	timed := movesMeta
	timed.RecordMoves = TimeMoves
	for _, test := range []struct {
		name   string
		damage func(dir string)
		want   []string
	}{
		{"truncated", func(dir string) { put(t, dir, moves1, []byte(whole[moves1][:700])) }, []string{moves1, "truncated", "out of all three folders, moves, games and trials", "trials from 5 on"}},
		{"of games", func(dir string) { put(t, dir, moves2, []byte(whole[games2])) }, []string{moves2, "record_moves"}},
		{"timed", func(dir string) { put(t, dir, moves2, partOf(t, movesTable, rows, timed, span{10, 2, 6})) }, []string{moves2, `selfplay.record_moves is "time", run.toml says "on"`}},
		{"missing", func(dir string) { remove(t, dir, moves2) }, []string{moves2, "is missing", "their moves are not"}},
		{"hole", func(dir string) { remove(t, dir, moves0) }, []string{moves0, "is missing", "part-000001.parquet", "of all tables"}},
		{"behind", func(dir string) {
			put(t, dir, moves2, partOf(t, movesTable, testDecisionsOf(games10), movesMeta, span{10, 1, 2}))
		}, []string{moves2, "holds 2 games of trials 10 to 10"}},
		{"a row short", func(dir string) { put(t, dir, moves2, partOf(t, movesTable, rows[1:], movesMeta, span{10, 2, 6})) }, []string{moves2, fmt.Sprintf("damaged (%d rows of trials 10 to 11, want %d)", len(rows)-1, len(rows))}},
		{"foreign name", func(dir string) { put(t, dir, "moves/x.parquet", foreignPart(t)) }, []string{"moves/x.parquet is not a part"}},
		{"no folder", func(dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "moves")); err != nil {
				t.Fatal(err)
			}
		}, []string{"moves", "is missing; put it back"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := newRunFrom(t, whole)
			test.damage(dir)
			before := contents(t, dir)
			_, _, err := Resume(dir)
			wantError(t, err, test.want...)
			wantError(t, readAll(dir), test.want...)
			sameFiles(t, contents(t, dir), before)
		})
	}
}

// partOf encodes rows with the metadata of a table.
func partOf[T any](t testing.TB, of table[T], rows []T, meta Meta, s span) []byte {
	t.Helper()
	return []byte(must[[]byte](t)((&encoder[T]{table: of}).encode(rows, meta, s)))
}

// newRunFrom writes files as a run.
func newRunFrom(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, sub := range []string{"games", "trials"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		put(t, dir, name, []byte(data))
	}
	return dir
}

// readAll reads a run and every row of it.
func readAll(dir string) error {
	log, err := Read(dir)
	if err != nil {
		return err
	}
	for _, err := range log.Trials(Filter{}) {
		if err != nil {
			return err
		}
	}
	for _, err := range log.Games(Filter{}) {
		if err != nil {
			return err
		}
	}
	if log.Meta.RecordMoves == NoMoves {
		return nil
	}
	for _, err := range log.Moves(Filter{}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestRemedyOfErrorWorks follows the advice of each error and gets the same bytes.
func TestRemedyOfErrorWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("short: makes a run for every damage")
	}
	eachKind(t, func(t *testing.T, meta Meta) {
		want := contents(t, newRunWith(t, meta, 12))
		folders := "both folders, games and trials"
		if meta.RecordMoves != NoMoves {
			folders = "all three folders, moves, games and trials"
		}
		for k, from := range []int64{0, 5, 10} {
			for _, table := range meta.tables() {
				t.Run(fmt.Sprintf("%s %d", table, k), func(t *testing.T) { testRemedy(t, want, folders, meta.tables(), table, k, from) })
			}
		}
	})
}

func testRemedy(t *testing.T, want map[string]string, folders string, tables []string, table string, k int, from int64) {
	dir := newRunFrom(t, want)
	put(t, dir, filepath.Join(table, partName(k)), []byte("PAR1"))
	_, _, err := Resume(dir)
	wantError(t, err, "move "+partName(k)+" and all later parts out of "+folders, fmt.Sprintf("trials from %d on", from))
	for later := k; later < 3; later++ {
		for _, table := range tables {
			remove(t, dir, filepath.Join(table, partName(later)))
		}
	}
	if n := must[*Log](t)(Read(dir)).NumTrials; n != from {
		t.Fatalf("%d trials left, want %d", n, from)
	}
	if !playOn(t, dir, 12, osDisk, func(int64) bool { return true }) {
		t.Fatal("crashed without being asked")
	}
	sameFiles(t, contents(t, dir), want)
}

// A games part without trials is removed only if it belongs to this run and one crash explains
// it.
func TestUnrecordedGamesPart(t *testing.T) {
	whole := contents(t, newRun(t, 12))
	dir := newRunFrom(t, whole)
	remove(t, dir, trials2)
	put(t, dir, games2, foreignPart(t))
	_, _, err := Resume(dir)
	wantError(t, err, games2, "not of a run")

	put(t, dir, games2, []byte(whole[games2]))
	remove(t, dir, trials1)
	checkLog(t, must[*Log](t)(Read(dir)), 5) // the run stays readable
	_, _, err = Resume(dir)
	wantError(t, err, games1, "has no", trials1, "no interruption leaves that")
}

// A part of trials that the last session recorded is reported as lost, not taken for one that a
// kill left unwritten. After a drop nothing is reported.
func TestLostTrialsPart(t *testing.T) {
	dir := newRun(t, 9)
	w, _, err := Resume(dir)
	if err := errors.Join(err, w.Note(Session{}), w.Close()); err != nil {
		t.Fatal(err)
	}
	whole := contents(t, dir)
	remove(t, dir, trials1)
	_, err = Read(dir)
	wantError(t, err, trials1, "is missing", "put it back")
	_, _, err = Resume(dir)
	wantError(t, err, trials1, "is missing")
	remove(t, dir, games1) // the error's advice
	checkLog(t, must[*Log](t)(Read(dir)), 5)

	dir = newRunFrom(t, whole)
	if w, _, err = Resume(dir); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Drop(5), w.Note(Session{}), w.Close()); err != nil {
		t.Fatal(err)
	}
	put(t, dir, games1, []byte(whole[games1])) // as after a kill between the two tables
	checkLog(t, must[*Log](t)(Read(dir)), 5)
}

// TestFlippedByteIsFound changes each byte of a part in turn; reading reports it.
func TestFlippedByteIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a run 450 times")
	}
	t.Parallel()
	whole := contents(t, newRunWith(t, movesMeta, 5))
	dir := newRunFrom(t, whole)
	r := rand.New(rand.NewPCG(1, 1))
	for range 450 {
		name := []string{games0, trials0, moves0}[r.IntN(3)]
		data := []byte(whole[name])
		at, change := r.IntN(len(data)), byte(1)<<r.IntN(8)
		data[at] ^= change
		put(t, dir, name, data)
		if err := readAll(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: byte %d of %d changed by %#x: %v", name, at, len(data), change, err)
		}
		put(t, dir, name, []byte(whole[name]))
	}
}

// Resume compares the part that it continues with its trials, down to the last sum.
func TestResumeChecksItsPart(t *testing.T) {
	whole := contents(t, newRun(t, 12))
	_, a := testTrial(10)
	_, b := testTrial(11)
	tests := []struct {
		name string
		rows []GameRow
		want string
	}{
		{"a game short", append(slices.Clone(a[:1]), append(b, b[3])...), "trial 10: says 2 games, has 1"},
		{"another game", append(slices.Clone(a), b[0], b[1], b[2], b[2]), "trial 11: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := newRunFrom(t, whole)
			put(t, dir, games2, partWith(t, test.rows, testMeta, span{10, 2, 6}))
			_, _, err := Resume(dir)
			wantError(t, err, games2, trials2, "disagree", test.want, "trials from 10 on")
		})
	}
}

// Resume compares the moves of this part, too.
func TestResumeChecksMoves(t *testing.T) {
	whole := contents(t, newRunWith(t, movesMeta, 12))
	_, a := testTrial(10)
	_, b := testTrial(11)
	rows := testDecisionsOf(append(slices.Clone(a), b...))
	rows[1].Nodes++
	dir := newRunFrom(t, whole)
	put(t, dir, moves2, partOf(t, movesTable, rows, movesMeta, span{10, 2, 6}))
	_, _, err := Resume(dir)
	wantError(t, err, moves2, games2, trials2, "disagree", "trial 10: pair 0, game 0: its moves took", "trials from 10 on")
}

func TestBadRunFile(t *testing.T) {
	good := contents(t, newRun(t, 0))[runName]
	change := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("run.toml lacks %q:\n%s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"run.toml", "format version 0"}},
		{"not TOML", "schema = \n", []string{"run.toml:1:"}},
		{"newer", change("schema = 3", "schema = 5\nfuture = true"), []string{"format version 5 is newer", "later one"}},
		{"older", change("schema = 3", "schema = 2"), []string{"format version 2 is older", "play the run again, or use selfplaylab 0.2 or 0.3, which wrote it"}},
		{"oldest", change("schema = 3", "schema = 1"), []string{"format version 1 is older", "play the run again, or use selfplaylab 0.1, which wrote it"}},
		{"unknown key", change("kind = 'tune'", "kind = 'tune'\nkinds = 1"), []string{"run.toml:4", `unknown key "kinds"`}},
		{"wrong type", change("game_version = 2", "game_version = 'two'"), []string{"run.toml:5:"}},
		{"seed", change("'18446744073709551615'", "'-1'"), []string{"run.toml", `seed "-1" is not a whole number from 0`}},
		{"moves", change("kind = 'tune'", "kind = 'tune'\nrecord_moves = 'some'"), []string{"run.toml", `record_moves "some" is neither "on" nor "time"`}},
		{"no game", change("game = 'quoridor'\n", ""), []string{"run.toml", "game"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := newRunFrom(t, map[string]string{runName: test.text})
			_, err := Read(dir)
			wantError(t, err, test.want...)
			_, _, err = Resume(dir)
			wantError(t, err, test.want...)
			if runs := must[[]Info](t)(list(filepath.Dir(dir))); len(runs) == 0 || !slices.ContainsFunc(runs, func(i Info) bool { return i.Dir == dir && i.Err != nil }) {
				t.Errorf("listed as %+v", runs)
			}
		})
	}
}

func TestSpecReportsUnknownKeyWithLine(t *testing.T) {
	log := must[*Log](t)(Read(newRun(t, 0)))
	var wrong struct {
		Method string `toml:"method"`
	}
	line := strings.Count(string(log.data[:bytes.Index(log.data, []byte("step ="))]), "\n") + 1
	wantError(t, log.Spec(&wrong), fmt.Sprintf("run.toml:%d", line), `unknown key "spec.step"`)
	var typed struct {
		Method int     `toml:"method"`
		Step   float64 `toml:"step"`
	}
	wantError(t, log.Spec(&typed), "run.toml:", "method")
	wantError(t, log.Spec(testSpec{}), "pointer")
	wantError(t, log.Spec((*testSpec)(nil)), "pointer")
	if typed.Step != 0 {
		t.Error("a failed decode changed its target")
	}
	var m map[string]any
	if err := log.Spec(&m); err != nil || m["method"] != "spsa" {
		t.Errorf("as a map: %v, %v", m, err)
	}
}

func FuzzRunFile(f *testing.F) {
	data, err := encodeRun(testMeta, spec)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("schema = 3\nkind='a'\ngame='b'\nseed='1'\ncommand_line='c'\n"))
	f.Add([]byte("schema = 2\nkind='a'\ngame='b'\nseed='1'\n[spec]\nx = [1, {y = nan}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		meta, err := decodeRun("run.toml", data)
		if err != nil {
			return
		}
		again, err := encodeRun(meta, nil)
		if err != nil {
			t.Fatal(err)
		}
		same, err := decodeRun("run.toml", again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		if !meta.Created.Equal(same.Created) {
			t.Fatalf("created %v became %v", meta.Created, same.Created)
		}
		meta.Created = same.Created
		if diff := cmp.Diff(meta, same, cmp.Transformer("nonNil", func(v []string) []string { return append([]string{}, v...) })); diff != "" {
			t.Fatal(diff)
		}
	})
}
