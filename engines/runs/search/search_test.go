package search

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
)

func find(name string) (runs.Kind, error) {
	if name != Name {
		return runs.Kind{}, errors.New("another kind")
	}
	return Kind(), nil
}

// asked is a comparison of gobang's searches, fast and with equal scores.
func asked() *Config {
	a, n := New(), 4
	a.Game.Game, a.Positions = "gobang", &n
	a.Player = []string{"full:fixed,search=minimax@depth=1", "fixed@depth=1", "deep:fixed@depth=2"}
	return a
}

func create(t *testing.T, a *Config) *runs.Run {
	t.Helper()
	p, err := a.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := runs.Create(filepath.Join(t.TempDir(), "run"), p, runs.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func play(t *testing.T, r *runs.Run) *Result {
	t.Helper()
	if err := r.Play(context.Background(), runs.Options{}); err != nil {
		t.Fatal(err)
	}
	return r.Result.(*Result)
}

// timeless are searches without what does not repeat.
func timeless(done []Search) []Search {
	var list []Search
	for _, s := range done {
		s.Micros = 0
		list = append(list, s)
	}
	return list
}

// TestSums: searches that prune keep the scores of the one that does not.
func TestSums(t *testing.T) {
	told := play(t, create(t, asked()))
	sums := told.Sums()
	for i, s := range sums {
		if s.Positions != 4 || s.SameScore != 4 || s.Nodes == 0 || s.Seconds <= 0 || s.Depth != []int64{4, 4, 8}[i] {
			t.Errorf("%+v", s)
		}
	}
	if sums[2].Nodes <= sums[1].Nodes {
		t.Errorf("%d nodes, one ply more %d", sums[1].Nodes, sums[2].Nodes)
	}
	summary, err := told.Summary()
	if err != nil || !summary.Finished || summary.What != "full, fixed, deep" || summary.Result != "12 searches" {
		t.Errorf("%+v, %v", summary, err)
	}
	page, err := told.Page()
	if err != nil {
		t.Fatal(err)
	}
	text, err := page.Markdown("figures")
	if err != nil || !strings.Contains(string(text), "| `deep` | depth=2 | 4 |") {
		t.Errorf("%s, %v", text, err)
	}
}

// stopAfter is a context that ends after some searches.
func stopAfter(n int64) (context.Context, runs.Options) {
	ctx, cancel := context.WithCancelCause(context.Background())
	return ctx, runs.Options{Progress: func(p runs.Progress) {
		if p.Games == n {
			cancel(errStopped)
		}
	}}
}

var errStopped = errors.New("stopped")

// TestResume: a run that is stopped, and whose last line a kill cut off, ends
// with the searches of one that was not; nothing is searched twice.
func TestResume(t *testing.T) {
	whole := play(t, create(t, asked()))
	r := create(t, asked())
	ctx, o := stopAfter(5)
	if err := r.Play(ctx, o); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	dir := r.Head.Dir
	path := filepath.Join(dir, FileName)
	data, err := os.ReadFile(path)
	if err != nil || bytes.Count(data, []byte("\n")) != 6 {
		t.Fatalf("%q, %v", data, err)
	}
	if err := os.WriteFile(path, data[:len(data)-7], 0o666); err != nil {
		t.Fatal(err)
	}
	rec, err := runs.Open(dir, find)
	if err != nil {
		t.Fatal(err)
	}
	told, err := rec.Result()
	if err != nil || len(told.(*Result).Done) != 4 {
		t.Fatalf("%+v, %v", told, err)
	}
	if r, err = runs.Resume(dir, find, runs.Origin{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(timeless(whole.Done), timeless(play(t, r).Done)); diff != "" {
		t.Error(diff)
	}
	again, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(again, data[:bytes.LastIndexByte(data[:len(data)-7], '\n')+1]) {
		t.Errorf("searches made before the stop are not as they were (%v)", err)
	}
	// A finished one is left as it is.
	if r, err = runs.Resume(dir, find, runs.Origin{}); err != nil {
		t.Fatal(err)
	}
	play(t, r)
	if last, err := os.ReadFile(path); err != nil || !bytes.Equal(last, again) {
		t.Errorf("resuming a finished run changed it (%v)", err)
	}
}

// TestNotThroughLinks: a link in the place of the record is replaced; where it
// leads nothing changes.
func TestNotThroughLinks(t *testing.T) {
	r := create(t, asked())
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(r.Head.Dir, FileName)
	if err := os.Symlink(victim, path); err != nil {
		t.Skip(err)
	}
	play(t, r)
	if data, err := os.ReadFile(victim); err != nil || string(data) != "mine" {
		t.Errorf("%q, %v", data, err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
	f, err := os.Open(victim)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	if err := sameFile(f, link); err == nil {
		t.Error("took a link for the file")
	}
}

// TestForeignRecord: searches of another question are refused, with the line.
func TestForeignRecord(t *testing.T) {
	r := create(t, asked())
	told := play(t, r)
	path := told.File()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from := told.Done[0].Moves
	for _, c := range []struct{ old, new, want string }{
		{"position,player", "player,position", FileName + ":1: holds other columns"},
		{"0,fixed,depth=1", "0,fixed,depth=3", FileName + ":3: is not a search of this run (position 0 by fixed@depth=3)"},
		{"0,deep,", "1,deep,", FileName + ":4: is not a search of this run"},
		{",depth=1,", ",depth=1,,", FileName + ": record on line 2"},
		{"0,full,depth=1,," + from, "0,full,depth=1,,a1 a2", "search 1 is not of this run: it begins"},
	} {
		changed := strings.Replace(string(data), c.old, c.new, 1)
		if changed == string(data) {
			t.Fatalf("%q is not in the record", c.old)
		}
		if err := os.WriteFile(path, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := runs.Resume(r.Head.Dir, find, runs.Origin{})
		if err == nil {
			err = r.Play(context.Background(), runs.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
}

// TestBook: the positions of a file are searched in its order, and at most those.
func TestBook(t *testing.T) {
	book := filepath.Join(t.TempDir(), "book.txt")
	if err := os.WriteFile(book, []byte("h8 h9\nh8 i9 h7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	a := asked()
	a.Openings = book
	if _, err := a.Plan(); err == nil || !strings.Contains(err.Error(), "positions 4: "+book+" holds 2 openings") {
		t.Errorf("%v", err)
	}
	a.Positions = nil
	told := play(t, create(t, a))
	if len(told.Done) != 6 || told.Done[0].Moves != "h8 h9" || told.Done[3].Moves != "h8 i9 h7" {
		t.Errorf("%+v", told.Done)
	}
	if words := strings.Join(told.Spec.Words(told.Head.Variant), " "); !strings.Contains(words, "--openings sha256:") {
		t.Error(words)
	}
}

func TestPlanErrors(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"game: none is given":                           func(a *Config) { a.Game.Game = "" },
		"positions 0: want at least 1":                  func(a *Config) { *a.Positions = 0 },
		`player: gobang has no preset "nobody"`:         func(a *Config) { a.Player = []string{"nobody"} },
		"player: fixed: there is a player of that name": func(a *Config) { a.Player = []string{"fixed@depth=2", "fixed@depth=2"} },
		"opening_plies 99: want 0 to":                   func(a *Config) { n := 99; a.OpeningPlies = &n },
		"openings: open nowhere.txt: no such file":      func(a *Config) { a.Openings = "nowhere.txt" },
		"positions 6000000000: want at most 5000000000": func(a *Config) { *a.Positions = 6_000_000_000 },
		`player: limits "depth=0"`:                      func(a *Config) { a.Player = []string{"fixed@depth=0"} },
		`player: gobang has no preset ""`:               func(a *Config) { a.Player = []string{"x:"} },
	} {
		a := asked()
		change(a)
		_, err := a.Plan()
		if _, ok := errors.AsType[*config.Error](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestCurves: curves by budget, and none where budgets are not of one kind.
func TestCurves(t *testing.T) {
	sums := []Sum{
		{Player: "a", Limits: "depth=3", Positions: 2, Nodes: 40},
		{Player: "b", Limits: "depth=2", Positions: 2, Nodes: 2},
		{Player: "a", Limits: "depth=1", Positions: 2, Nodes: 4},
	}
	curves, err := Curves(sums, Nodes)
	if err != nil || len(curves) != 2 || curves[0].Points[0].X != 1 || curves[0].Points[1].Y != 20 {
		t.Errorf("%+v, %v", curves, err)
	}
	seconds, err := Curves([]Sum{{Player: "a", Limits: "time=100ms", Positions: 1, Nodes: 1}}, Nodes)
	if err != nil || seconds[0].Points[0].X != 0.1 {
		t.Errorf("%+v, %v", seconds, err)
	}
	for _, limits := range []string{"nodes=3", "depth=3,nodes=4", "", "much"} {
		if _, err := Curves(append(sums, Sum{Player: "c", Limits: limits, Positions: 2}), Nodes); err == nil {
			t.Errorf("a curve over depth and %q", limits)
		}
	}
}
