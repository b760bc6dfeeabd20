package view_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
)

// TestListIsCachedUntilChanged expects a cached list until a run, the program or the folder
// changes.
func TestListIsCachedUntilChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("short: lists many runs")
	}
	cache := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, cache)
	}
	folder := t.TempDir()
	config := match.New()
	config.Game.Game, config.A, config.B, config.Pairs = "quoridor", player.Ask("final"), player.Ask("bad"), 4
	plan, err := config.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Create(filepath.Join(folder, "run"), plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Play(t.Context(), runs.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	for i := range view.WorthKeeping - 1 {
		if err := os.CopyFS(filepath.Join(folder, fmt.Sprint("copy-", i)), os.DirFS(r.Head.Dir)); err != nil {
			t.Fatal(err)
		}
	}
	list := func() []runs.Summary {
		t.Helper()
		all, err := view.List(kinds.All(), folder)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	files := func() []string {
		found, err := filepath.Glob(filepath.Join(cache, "*", "lists", "*"))
		if deeper, _ := filepath.Glob(filepath.Join(cache, "*", "*", "lists", "*")); len(deeper) > 0 {
			found = deeper // on macOS
		}
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	// Files written a moment ago may still change unnoticed.
	first := list()
	if len(first) != view.WorthKeeping || first[0].State != runs.Finished {
		t.Fatalf("%d runs, the first %+v", len(first), first[0])
	}
	for _, file := range files() {
		if data, err := os.ReadFile(file); err != nil || bytes.Count(data, []byte("\n")) != 1 {
			t.Errorf("remembered too early: %v\n%.500s", err, data)
		}
	}
	then := time.Now().Add(-time.Minute)
	if err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, then, then))
	}); err != nil {
		t.Fatal(err)
	}
	list()
	found := files()
	if len(found) != 1 {
		t.Fatalf("files of the index: %q", found)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	// A changed word shows whether the next list uses the cache.
	marked := bytes.ReplaceAll(data, []byte("A scores"), []byte("B scores"))
	mark := func() {
		t.Helper()
		if err := os.WriteFile(found[0], marked, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	remembered := func(want int) {
		t.Helper()
		n := 0
		for _, s := range list() {
			if bytes.HasPrefix([]byte(s.Result), []byte("B scores")) {
				n++
			}
		}
		if n != want {
			t.Errorf("%d runs are remembered, want %d", n, want)
		}
	}
	mark()
	remembered(view.WorthKeeping)
	second := list()
	for i := range second {
		second[i].Result = first[i].Result
	}
	if !reflect.DeepEqual(first, second) {
		t.Errorf("remembered %+v\nread %+v", second[0], first[0])
	}
	if err := datasets.SetLabels(filepath.Join(folder, "copy-1"), datasets.Labels{Name: "new"}); err != nil {
		t.Fatal(err)
	}
	remembered(view.WorthKeeping - 1)
	// A report's figures count by their folder, which a new one changes.
	if err := errors.Join(os.MkdirAll(filepath.Join(folder, "copy-3", "figures"), 0o755),
		os.WriteFile(filepath.Join(folder, "copy-3", "figures", "new.svg"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	remembered(view.WorthKeeping - 2)
	part := filepath.Join(folder, "copy-2", "trials", "part-000000.parquet")
	if err := os.Truncate(part, 100); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(list(), func(s runs.Summary) bool { return s.Fault != "" }) {
		t.Error("a part that was cut off is not seen")
	}
	marked = bytes.Replace(marked, []byte(" "), []byte(" 1"), 1) // another program
	mark()
	remembered(0)
	for _, cut := range []int{0, 1, len(data) / 2, len(data) - 3} {
		if err := os.WriteFile(found[0], data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		remembered(0)
	}
}
