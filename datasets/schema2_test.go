package datasets

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// oldRun copies a run of format version 2 without its rows.
func oldRun(t *testing.T, from string) (dir string) {
	t.Helper()
	dir = newRunFrom(t, map[string]string{runName: string(must[[]byte](t)(os.ReadFile(filepath.Join(from, runName))))})
	for _, table := range must[*Log](t)(Read(from)).Meta.tables() {
		if err := os.MkdirAll(filepath.Join(dir, table), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// appendAll appends the trials of a log from trial from on.
func appendAll(t *testing.T, w *Writer, log *Log, from int64) {
	t.Helper()
	for _, trial := range collect(t, log.Trials(Filter{From: from})) {
		f := Filter{From: trial.Trial, To: trial.Trial + 1}
		var moves []MoveRow
		if log.Meta.RecordMoves != NoMoves {
			moves = collect(t, log.Moves(f))
		}
		if err := w.Append(trial, collect(t, log.Games(f)), moves); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// A run of format version 2 that goes on gets the bytes that the program of that
// version wrote; the rows of a run recorded anew are the same.
func TestOldSchema(t *testing.T) {
	for _, from := range []string{"testdata/v2", "testdata/v2-moves"} {
		t.Run(from, func(t *testing.T) {
			old := must[*Log](t)(Read(from))
			dir := oldRun(t, from)
			w, log, err := Resume(dir)
			if err != nil || log.NumTrials != 0 {
				t.Fatalf("%v, %v", log, err)
			}
			appendAll(t, w, old, 0)
			for _, of := range old.Meta.tables() {
				if got, want := bodyOf(t, dir, of), bodyOf(t, from, of); got != want && from == "testdata/v2-moves" { // the other was compressed by an earlier library
					t.Errorf("%s: checksum of the rows %s, want %s", of, got, want)
				}
			}

			dir = filepath.Join(t.TempDir(), "new")
			w, err = Create(dir, old.Meta, must[map[string]any](t)(specOf(old)))
			if err != nil {
				t.Fatal(err)
			}
			appendAll(t, w, old, 0)
			now := must[*Log](t)(Read(dir))
			if diff := cmp.Diff(collect(t, old.Trials(Filter{})), collect(t, now.Trials(Filter{}))); diff != "" {
				t.Errorf("trials (-old +new):\n%s", diff)
			}
			if diff := cmp.Diff(collect(t, old.Played(Filter{})), collect(t, now.Played(Filter{}))); diff != "" {
				t.Errorf("games and moves (-old +new):\n%s", diff)
			}
			meta := old.Meta
			meta.Schema = Schema
			if diff := cmp.Diff(meta, now.Meta); diff != "" {
				t.Errorf("run.toml (-old +new):\n%s", diff)
			}
		})
	}
}

// bodyOf returns the checksum of a part without its footer, in which the order of
// metadata has changed since.
func bodyOf(t *testing.T, dir, table string) string {
	t.Helper()
	f := must[*os.File](t)(os.Open(filepath.Join(dir, table, partName(0))))
	defer f.Close()
	_, body, err := checkFooter(f, must[os.FileInfo](t)(f.Stat()).Size())
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func specOf(l *Log) (spec map[string]any, err error) { return spec, l.Spec(&spec) }

// All that is written into a run of format version 2 has its names.
func TestOldNames(t *testing.T) {
	dir := oldRun(t, "testdata/v2")
	w, log, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	session := Session{Started: time.Unix(1, 0).UTC(), CommandLine: "tune --resume", Summary: &CachedSummary{Of: "abc", Summary: json.RawMessage(`{"n":1}`)}}
	if err := w.Note(session); err != nil {
		t.Fatal(err)
	}
	if err := w.Extend("tune more", must[map[string]any](t)(specOf(log))); err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, must[*Log](t)(Read("testdata/v2")), 0)
	files := contents(t, dir)
	for name, want := range map[string][]string{
		runName:      {"schema = 2", "typed = 'tune --game quoridor"},
		sessionsName: {`"typed":"tune --resume"`, `"came":{`},
		trials0:      {"faults_than", "than"},
		games0:       {"x_score", "nodes_than"},
	} {
		for _, text := range want {
			if !strings.Contains(files[name], text) {
				t.Errorf("%s lacks %q", name, text)
			}
		}
		for _, text := range []string{"command_line", `"summary":{"of"`, "a_score", "faults_b"} {
			if strings.Contains(files[name], text) {
				t.Errorf("%s holds %q", name, text)
			}
		}
	}
	again := must[*Log](t)(Read(dir))
	if again.NumTrials != 64 || again.Meta.CommandLine != log.Meta.CommandLine {
		t.Errorf("%d trials, command line %q", again.NumTrials, again.Meta.CommandLine)
	}
	if diff := cmp.Diff([]Session{session}, must[[]Session](t)(again.Sessions())); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
}
