package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	linkForm = regexp.MustCompile(`(?:href|src)="([^"#:]*)(?:#([^"]*))?"`)
	idForm   = regexp.MustCompile(`\bid="([^"]*)"`)
)

// TestSite: every page of the documentation is there and found by the search, and every
// link of the manual leads to something.
func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("short: makes the whole site")
	}
	out := t.TempDir()
	s := &site{root: os.DirFS("../../.."), out: out}
	if err := s.write(); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(out, "search.js"))
	if err != nil {
		t.Fatal(err)
	}
	var index []page
	line, _, _ := strings.Cut(strings.TrimPrefix(string(script), "const pages = "), ";\n")
	if err := json.Unmarshal([]byte(line), &index); err != nil {
		t.Fatal(err)
	}
	found := map[string]page{}
	for _, p := range index {
		found[p.URL] = p
	}
	if p := found["docs/tune.html"]; !strings.Contains(p.Text, "tune --game") || p.Title == "" {
		t.Errorf("docs/tune.md in the search: %q, %.80q", p.Title, p.Text)
	}
	for i, file := range []string{"README.md", "docs/README.md", "docs/tune.md"} { // as the manual lists them
		if s.pages[i].File != file {
			t.Errorf("page %d is %s, want %s", i, s.pages[i].File, file)
		}
	}
	texts := map[string]string{}
	for _, p := range s.pages {
		data, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(p.URL)))
		if err != nil || found[p.URL].Title == "" && !strings.HasPrefix(p.URL, "reports/") {
			t.Errorf("%s: %q, %v", p.URL, found[p.URL].Title, err)
		}
		texts[p.URL] = string(data)
	}
	if !strings.Contains(texts["README.zh.html"], `<html lang="zh">`) || !strings.Contains(texts["docs/tune.html"], `<html lang="en">`) {
		t.Error("the page in Chinese or one in English says another language")
	}
	for url, text := range texts {
		if dir := path.Dir(url); dir != "." && dir != "docs" {
			continue
		}
		for _, m := range linkForm.FindAllStringSubmatch(text, -1) {
			to := path.Join(path.Dir(url), m[1])
			if m[1] == "" {
				to = url
			}
			if _, err := fs.Stat(os.DirFS(out), to); err != nil {
				t.Errorf("%s links to %s: %v", url, m[1], err)
			}
			if page, is := texts[to]; is && m[2] != "" && !hasID(page, m[2]) {
				t.Errorf("%s links to %s, which has no heading %s", url, to, m[2])
			}
		}
	}
}

func hasID(page, id string) bool {
	for _, m := range idForm.FindAllStringSubmatch(page, -1) {
		if m[1] == id {
			return true
		}
	}
	return false
}
