package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLogsOfUnrecordedGamesGoOnResume keeps the logs of recorded games and files of others, and
// names the path of a log that cannot be written. Remove takes the logs with the run.
func TestLogsOfUnrecordedGamesGoOnResume(t *testing.T) {
	dir := newRun(t, 7)
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"0 >a: uci\n", "0 >a: uci\n5 <a: uciok\n"} { // a game that was played again
		for trial := range int64(9) {
			if err := w.Log(GameRow{Trial: trial, Pair: 1}, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(t, dir, logsName+"/notes.txt", nil)
	put(t, dir, logsName+"/.3-1-0.log.7-1.tmp", nil) // left by a kill
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w, _, err = Resume(dir); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range must[[]os.DirEntry](t)(os.ReadDir(filepath.Join(dir, logsName))) {
		names = append(names, e.Name())
	}
	if want := strings.Fields("0-1-0.log 1-1-0.log 2-1-0.log 3-1-0.log 4-1-0.log 5-1-0.log 6-1-0.log notes.txt"); !slices.Equal(names, want) {
		t.Errorf("%v after resuming, want %v", names, want)
	}
	if text, err := os.ReadFile(filepath.Join(dir, logsName, "6-1-0.log")); err != nil || string(text) != "0 >a: uci\n5 <a: uciok\n" {
		t.Errorf("%q, %v", text, err)
	}
	if note := LogNote(dir, "shown", GameRow{Trial: 6, Pair: 1}); !strings.HasSuffix(note, filepath.Join("shown", logsName, "6-1-0.log")) {
		t.Errorf("note %q", note)
	}
	if note := LogNote(dir, "shown", GameRow{Trial: 7, Pair: 1}); note != "" {
		t.Errorf("note %q on a log that is not there", note)
	}
	must[any](t)(nil, os.Mkdir(filepath.Join(dir, logsName, "6-0-0.log"), 0o777))
	if err := w.Log(GameRow{Trial: 6}, "x"); err == nil || !strings.Contains(err.Error(), "6-0-0.log") {
		t.Errorf("a log in the place of a folder: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Log(GameRow{}, "x"); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a log after the end: %v", err)
	}
	if err := Remove(dir); err != nil {
		t.Fatal(err)
	}
}
