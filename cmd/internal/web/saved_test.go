package web

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/engines/runs/match"
)

// pageOf is all that the page of a run shows, by a server of its own.
func pageOf(t *testing.T, root, cache, id string) (text map[string]string, fromCache bool) {
	t.Helper()
	s, err := New(Options{Root: root, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer s.listener.Close()
	text = map[string]string{}
	for _, path := range []string{"/run?id=", "/data/charts?id=", "/data/report?id=", "/data/compare?run=", "/data/games?id="} {
		w := s.get(path + id)
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		text[path] = w.Body.String()
	}
	m, err := s.model(id)
	if err != nil {
		t.Fatal(err)
	}
	_, st, err := s.runEvent(id)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(st)
	if err != nil {
		t.Fatal(err)
	}
	text["event"] = string(data)
	fromCache = m.saved != nil
	text["figure"] = s.get("/data/figure?id=" + id + "&name=" + m.figures()[0]).Body.String()
	if !strings.HasPrefix(text["figure"], "<svg") {
		t.Errorf("a figure is %.200s", text["figure"])
	}
	return text, fromCache
}

// A page that was kept is the page that the rows make, whatever of it is asked; and
// it is used only for the rows that it was made of.
func TestSavedPage(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	dir := playMatch(t, root, "one", 40)
	fresh, was := pageOf(t, root, cache, "one")
	again, is := pageOf(t, root, cache, "one")
	if was || !is {
		t.Fatalf("from the cache: %v at first and %v again, want only the second", was, is)
	}
	for what, text := range fresh {
		if again[what] != text {
			t.Errorf("%s is %d bytes from the rows and %d as it was kept:\n%.300s\n%.300s", what, len(text), len(again[what]), text, again[what])
		}
	}
	// Another run in its place, of the same shape and with the same file times.
	other := playMatch(t, t.TempDir(), "one", 40, func(a *match.Config) { a.Seed = 77 })
	times := map[string]os.FileInfo{}
	for _, name := range []string{"run.toml", "trials/part-000000.parquet", "games/part-000000.parquet", "sessions.jsonl"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		times[name] = info
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(other)); err != nil {
		t.Fatal(err)
	}
	for name, info := range times {
		if err := os.Chtimes(filepath.Join(dir, name), info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	changed, from := pageOf(t, root, cache, "one")
	plain, _ := pageOf(t, root, "", "one")
	if from || changed["/data/report?id="] != plain["/data/report?id="] || changed["/data/report?id="] == fresh["/data/report?id="] {
		t.Error("another run's page was shown")
	}
}

// What is kept is bounded, and what cannot be read counts as nothing.
func TestSavedBounds(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	playMatch(t, root, "one", 40)
	for i := range maxSaved + 5 {
		if err := os.WriteFile(filepath.Join(cache, "page-old"+string(rune('a'+i%26))+string(rune('a'+i/26))+".json"), []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pageOf(t, root, cache, "one")
	files, err := filepath.Glob(filepath.Join(cache, "page-*.json"))
	if err != nil || len(files) != maxSaved {
		t.Errorf("%d pages are kept, %v: want %d", len(files), err, maxSaved)
	}
	for _, name := range files {
		if err := os.WriteFile(name, []byte("{broken"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, from := pageOf(t, root, cache, "one"); from {
		t.Error("a broken page was used")
	}
}
