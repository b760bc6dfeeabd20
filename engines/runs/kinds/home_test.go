package kinds_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
)

// played plays a small match that records its moves.
func played(t *testing.T, dir string) {
	t.Helper()
	asked := match.New()
	asked.Game.Game, asked.A, asked.B, asked.Pairs = "quoridor", "final", "bad", ptr(12)
	if err := asked.RecordMoves.UnmarshalText([]byte("on")); err != nil {
		t.Fatal(err)
	}
	plan, err := asked.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := runs.Create(dir, plan, runs.Origin{Created: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Play(t.Context(), runs.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
}

// A home page links to the runs' pages, and they to it and to each other.
func TestHome(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		played(t, filepath.Join(dir, "runs", name))
	}
	list, err := kinds.List(filepath.Join(dir, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(dir, "site")
	file, err := kinds.WriteHome(t.Context(), list, site)
	if err != nil || file != filepath.Join(site, "index.html") {
		t.Fatal(file, err)
	}
	has := func(file string, want ...string) {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(data), w) {
				t.Errorf("%s has no %q", file, w)
			}
		}
	}
	has(file, "<title>2 runs, 48 games", "Made on 4 March 2026.", `<a href="one.html">one</a>`, `<a href="two.html">two</a>`, "match: final v bad")
	has(filepath.Join(site, "one.html"), `<a href="index.html">all runs</a>`, `<a href="two.html">the run`, "against bad", "4 March 2026, run <code>one</code>",
		"Move by move", "Nodes by ply", "The last position.")

	// In place: reports that are there are linked to, and find the page above them.
	home := filepath.Join(dir, "runs", "index.html")
	if err := kinds.Report(t.Context(), filepath.Join(dir, "runs", "one")); err != nil {
		t.Fatal(err)
	}
	if _, err := kinds.WriteHome(t.Context(), list, home); err != nil {
		t.Fatal(err)
	}
	has(home, `<a href="one/report.html">one</a>`, "<div>two</div>")
	if err := kinds.Report(t.Context(), filepath.Join(dir, "runs", "two")); err != nil {
		t.Fatal(err)
	}
	has(filepath.Join(dir, "runs", "two", "report.html"), `<a href="../index.html">all runs</a>`)
}

func TestHomeOfNothing(t *testing.T) {
	page := kinds.Home(nil, nil)
	if page.Title != "0 runs, 0 games" || len(page.Lead) != 1 {
		t.Errorf("%+v", page)
	}
	if _, err := page.HTML(); err != nil {
		t.Error(err)
	}
	page = kinds.Home([]runs.Summary{{Run: "a b/c d", Fault: "a b/c d: gone\nmore"}, {Run: "x", Game: "hex", Kind: "match", What: "a v b", Result: "nothing"}}, func(l runs.Summary) string { return l.Run })
	text, err := page.Markdown("f")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A run cannot be read: a b/c d: gone.", "## hex", "| [x](x) | nothing | match: a v b | 0 | - |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
