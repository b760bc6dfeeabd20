package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestFilterChoosesRowsOfAllTables(t *testing.T) {
	testmode.Raced(t, "reads runs in many ways")
	log := must[*Log](t)(Read(newRunWith(t, movesMeta, 23)))
	trials, games, moves := collect(t, log.Trials(Filter{})), collect(t, log.Games(Filter{})), collect(t, log.Moves(Filter{}))
	for _, f := range []Filter{
		{From: 7},
		{To: 7},
		{From: 4, To: 6},
		{From: 5, To: 10},
		{Phase: "verify"},
		{Phase: "tune", From: 9, To: 21},
		{Phase: "none"},
		{From: 23},
		{From: 9, To: 9},
		{From: 9, To: 3},
		{To: 100},
		{Outcome: "1-0"},
		{Outcome: "1/2", From: 3},
		{Reason: "goal", To: 9},
		{Reason: "time"},
		{Outcome: "0-1", Reason: "goal", Phase: "verify"},
	} {
		t.Run(fmt.Sprintf("%+v", f), func(t *testing.T) {
			takes := func(trial int64, phase string) bool {
				return trial >= f.From && (f.To == 0 || trial < f.To) && (f.Phase == "" || phase == f.Phase)
			}
			want := slices.DeleteFunc(slices.Clone(trials), func(r TrialRow) bool { return !takes(r.Trial, r.Phase) })
			if diff := cmp.Diff(want, append([]TrialRow{}, collect(t, log.Trials(f))...)); diff != "" {
				t.Errorf("trials (-want +got):\n%s", diff)
			}
			wantGames := slices.DeleteFunc(slices.Clone(games), func(r GameRow) bool {
				return !takes(r.Trial, r.Phase) || f.Outcome != "" && r.Outcome != f.Outcome || f.Reason != "" && r.Reason != f.Reason
			})
			if diff := cmp.Diff(wantGames, append([]GameRow{}, collect(t, log.Games(f))...)); diff != "" {
				t.Errorf("games (-want +got):\n%s", diff)
			}
			wantMoves := slices.DeleteFunc(slices.Clone(moves), func(r MoveRow) bool {
				return !slices.ContainsFunc(wantGames, func(g GameRow) bool { return r.Trial == g.Trial && r.Pair == g.Pair && r.Game == g.Game })
			})
			if diff := cmp.Diff(wantMoves, append([]MoveRow{}, collect(t, log.Moves(f))...)); diff != "" {
				t.Errorf("moves (-want +got):\n%s", diff)
			}
			var played []GameRow
			var decisions []MoveRow
			for p, err := range log.Played(f) {
				if err != nil {
					t.Fatal(err)
				}
				played, decisions = append(played, p.GameRow), append(decisions, p.Decisions...)
			}
			if !cmp.Equal(played, wantGames, cmpopts.EquateEmpty()) || !slices.Equal(decisions, wantMoves) {
				t.Errorf("%d games and %d decisions played, want %d and %d", len(played), len(decisions), len(wantGames), len(wantMoves))
			}
		})
	}
}

// TestGamesArePlayedWithoutRecordedMoves yields games without decisions if the run records
// none. A damaged table of moves is an error.
func TestGamesArePlayedWithoutRecordedMoves(t *testing.T) {
	log := must[*Log](t)(Read(newRun(t, 7)))
	n := int64(0)
	for p, err := range log.Played(Filter{}) {
		if err != nil || p.Decisions != nil {
			t.Fatalf("%+v, %v", p, err)
		}
		n++
	}
	if n != log.NumGames {
		t.Errorf("%d games of %d", n, log.NumGames)
	}
	dir := newRunWith(t, movesMeta, 12)
	log = must[*Log](t)(Read(dir))
	put(t, dir, moves1, []byte("PAR1"))
	var last error
	n = 0
	for p, err := range log.Played(Filter{}) {
		if last = err; err == nil && p.Trial >= 5 {
			t.Errorf("trial %d of the damaged part", p.Trial)
		}
		n++
	}
	wantError(t, last, moves1, "truncated", "trials from 5 on")
	if n != 14 { // 13 of the 14 games of part 0, and the error: the last game may be incomplete
		t.Errorf("%d steps", n)
	}
}

// TestMovesOfRunWithoutThemIsError expects exactly one error.
func TestMovesOfRunWithoutThemIsError(t *testing.T) {
	log := must[*Log](t)(Read(newRun(t, 3)))
	n := 0
	for row, err := range log.Moves(Filter{}) {
		n++
		wantError(t, err, log.Dir, "keeps no rows of moves", "--record-moves")
		if !errors.Is(err, ErrNoMoves) || row != (MoveRow{}) {
			t.Errorf("%v, %v", row, err)
		}
	}
	if n != 1 {
		t.Errorf("said %d times", n)
	}
}

func TestParseRecordMoves(t *testing.T) {
	for text, want := range map[string]RecordMoves{"off": NoMoves, "on": KeepMoves, "time": TimeMoves} {
		if got, err := ParseRecordMoves(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "On", "1"} {
		_, err := ParseRecordMoves(text)
		wantError(t, err, text, "off, on or time")
	}
}

// TestEarlyBreakClosesFiles ends loops early; the files that were read are closed.
func TestEarlyBreakClosesFiles(t *testing.T) {
	dir := newRun(t, 12)
	log := must[*Log](t)(Read(dir))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a garbage collection would close the files too
	before, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("cannot count open files here")
	}
	for range 20 {
		for g, err := range log.Games(Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			if g.Trial == 6 {
				break
			}
		}
		for range log.Trials(Filter{From: 5}) {
			break
		}
	}
	if after := must[[]os.DirEntry](t)(os.ReadDir("/proc/self/fd")); len(after) > len(before)+5 {
		t.Errorf("%d files are open, %d were", len(after), len(before))
	}
}

// TestIterationHoldsOnePart bounds the memory of iterating over a long run.
func TestIterationHoldsOnePart(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 40,000 games")
	}
	dir := filepath.Join(t.TempDir(), "run")
	w := must[*Writer](t)(Create(dir, testMeta, nil))
	const n = 1250 // trials of 32 games, each of 1,000 bytes: 40 MB of moves
	for i := range int64(n) {
		trial := TrialRow{Trial: i, Phase: "match", Pairs: 16, Even: 16}
		var games []GameRow
		for k := range int32(32) {
			g := GameRow{
				Trial: i, Phase: "match", Pair: k / 2, Game: k % 2, Outcome: "1/2", AScore: 0.5,
				Moves: strings.Repeat(fmt.Sprintf("%c%d ", 'a'+k%8, i), 1000)[:1000],
			}
			games = append(games, g)
			trial.add(g)
		}
		if err := w.Append(trial, games, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = nil
	log := must[*Log](t)(Read(dir))
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // pools keep their memory for one collection
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most, rows := heap(), uint64(0), int64(0)
	for _, err := range log.Games(Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if rows++; rows%8000 == 0 {
			most = max(most, heap())
		}
	}
	if rows != log.NumGames || rows != 32*n {
		t.Fatalf("%d rows of %d", rows, log.NumGames)
	}
	if grown := int64(most) - int64(before); grown > 10<<20 {
		t.Errorf("iterating over 40 MB of moves held %d MB", grown>>20)
	}
}

func TestFindAndDescribeListRuns(t *testing.T) {
	root := t.TempDir()
	for name, n := range map[string]int64{"b": 7, "a/deep/one": 3, "a/deep/two": 0} {
		w := must[*Writer](t)(Create(filepath.Join(root, name), testMeta, spec))
		appendTrials(t, w, 0, n)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		"broken/run.toml": "schema = 3\nkind = 7\n", "notes/x.txt": "x", "b/plots/p.svg": "12345",
		"lost/games/x": "", "lost/trials/x": "", // run.toml is lost, or was never written
		"other/games/x": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o777); err != nil {
			t.Fatal(err)
		}
		put(t, root, path, []byte(text))
	}
	runs := must[[]Info](t)(list(root))
	var got []string
	for _, r := range runs {
		var size int64
		for _, data := range contents(t, r.Dir) {
			size += int64(len(data))
		}
		if size != r.Size {
			t.Errorf("%s: size %d, want %d", r.Dir, r.Size, size)
		}
		dir, err := filepath.Rel(root, r.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if (r.Log == nil) != (r.Err != nil) {
			t.Errorf("%s: log %v, %v", dir, r.Log, r.Err)
		}
		got = append(got, fmt.Sprint(filepath.ToSlash(dir), " ", r.Meta.Game, " ", r.Trials, " ", r.Games, " ", r.Err != nil))
	}
	want := []string{"a/deep/one quoridor 3 8 false", "a/deep/two quoridor 0 0 false", "b quoridor 7 20 false", "broken  0 0 true", "lost  0 0 true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wantError(t, runs[3].Err, "broken", "run.toml:2")
	wantError(t, runs[4].Err, "lost", "holds no run.toml")
	link := filepath.Join(t.TempDir(), "link")
	must[any](t)(nil, os.Symlink(root, link))
	must[any](t)(nil, os.Symlink(filepath.Join(root, "b"), link+"b"))
	for _, dir := range []string{filepath.Join(root, "b"), link + "b"} {
		if self := must[[]Info](t)(list(dir)); len(self) != 1 || self[0].Dir != dir || self[0].Trials != 7 || self[0].Size != runs[2].Size {
			t.Errorf("%s lists itself as %+v", dir, self)
		}
	}
	if linked := must[[]Info](t)(list(link)); len(linked) != len(runs) || linked[2].Dir != filepath.Join(link, "b") {
		t.Errorf("a link to a folder lists %+v", linked)
	}
	if _, err := list(filepath.Join(root, "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}

// TestVersion3StaysReadable reads testdata/v3, which version 3 wrote and nobody writes again.
// It holds 1,024 real games of Quoridor.
func TestVersion3StaysReadable(t *testing.T) {
	log := must[*Log](t)(Read("testdata/v3"))
	h := crc32.NewIEEE()
	enc := json.NewEncoder(h)
	for row, err := range log.Trials(Filter{}) {
		if err := errors.Join(err, enc.Encode(row)); err != nil {
			t.Fatal(err)
		}
	}
	plies := int64(0)
	for row, err := range log.Games(Filter{}) {
		if err := errors.Join(err, enc.Encode(row)); err != nil {
			t.Fatal(err)
		}
		plies += int64(row.Plies)
		if n := int32(len(strings.Fields(row.Moves))); n != row.Plies {
			t.Fatalf("%d moves in a game of %d plies", n, row.Plies)
		}
	}
	got := fmt.Sprintf("%s seed %d: %d trials, %d games, %d plies, rows %08x", log.Meta.Game, log.Meta.Seed, log.NumTrials, log.NumGames, plies, h.Sum32())
	if want := "quoridor seed 1: 64 trials, 1024 games, 74794 plies, rows 71073c4b"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestVersion3MovesStayReadable reads testdata/v3-moves, 24 real games with their moves.
func TestVersion3MovesStayReadable(t *testing.T) {
	log := must[*Log](t)(Read("testdata/v3-moves"))
	h := crc32.NewIEEE()
	enc := json.NewEncoder(h)
	games, rows := 0, 0
	for p, err := range log.Played(Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		games++
		moves := strings.Fields(p.Moves)
		for _, m := range p.Decisions {
			rows++
			if moves[m.Ply] != m.Move || m.Micros != 0 {
				t.Errorf("%+v in %s", m, p.Moves)
			}
			if err := enc.Encode(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := fmt.Sprintf("%s seed %d, moves %s: %d games, %d decisions, rows %08x", log.Meta.Game, log.Meta.Seed, log.Meta.RecordMoves, games, rows, h.Sum32())
	if want := "quoridor seed 1, moves on: 24 games, 1627 decisions, rows f2e11d26"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestFingerprintFollowsRows: a copy of a run has its fingerprint, a run with other rows has
// another.
func TestFingerprintFollowsRows(t *testing.T) {
	of := func(dir string) string {
		t.Helper()
		size := must[int64](t)(sizeWithout(dir, func(string) bool { return false }))
		print, bytes, err := Fingerprint(dir)
		if err != nil || bytes != size {
			t.Errorf("%s of %d bytes, %v; want %d bytes", print, bytes, err, size)
		}
		return print
	}
	dir, moved := newRun(t, 20), filepath.Join(t.TempDir(), "moved")
	if err := os.CopyFS(moved, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if of(dir) != of(moved) {
		t.Error("a copy has another fingerprint")
	}
	if of(dir) == of(newRun(t, 21)) {
		t.Error("other rows have the same fingerprint")
	}
}
