package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
)

func find(name string) (runs.Kind, error) {
	if name != kindName {
		return runs.Kind{}, errors.New("another kind")
	}
	return Kind(), nil
}

// small returns a comparison of gobang's searches, fast and with equal scores.
func small() *searchConfig {
	a, n := newConfig(), 4
	a.Game.Game, a.Positions = "gobang", n
	a.Players = player.AskAll("full:fixed,search=minimax@depth=1", "fixed@depth=1", "deep:fixed@depth=2")
	return a
}

func create(t *testing.T, a *searchConfig) *record.Run {
	t.Helper()
	p, err := a.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Create(filepath.Join(t.TempDir(), "run"), p, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func play(t *testing.T, r *record.Run) *result {
	t.Helper()
	if err := r.Play(context.Background(), runs.Options{}); err != nil {
		t.Fatal(err)
	}
	return r.Result.(*result)
}

// timeless returns searches without their times, which do not repeat.
func timeless(t *result) []datasets.MoveRow {
	list := slices.Clone(t.moves)
	for i := range list {
		list[i].Micros = 0
	}
	return list
}

// TestPruningKeepsScores expects searches that prune to have the scores of the search that does
// not.
func TestPruningKeepsScores(t *testing.T) {
	r := play(t, create(t, small()))
	sums := r.sums()
	for i, s := range sums {
		if s.Positions != 4 || s.SameScore != 4 || s.Nodes == 0 || s.Seconds <= 0 || s.Depth != []int64{4, 4, 8}[i] {
			t.Errorf("%+v", s)
		}
	}
	if sums[2].Nodes <= sums[1].Nodes {
		t.Errorf("%d nodes, one ply more %d", sums[1].Nodes, sums[2].Nodes)
	}
	summary, err := r.Summary()
	if err != nil || !summary.Finished || summary.What != "full, fixed, deep" || summary.Result != "12 searches" {
		t.Errorf("%+v, %v", summary, err)
	}
	page, err := r.Page()
	if err != nil {
		t.Fatal(err)
	}
	text, err := page.Markdown("figures")
	if err != nil || !strings.Contains(string(text), "| `deep` | depth=2 | 4 |") {
		t.Errorf("%s, %v", text, err)
	}
	for nodes, want := range map[int64]string{4000: "As many nodes", 3999: "As many nodes", 8000: "2 times more nodes"} {
		sums[0].Nodes, sums[1].Nodes = 4000, nodes
		if got, detail := compare(sums); got != want || !strings.Contains(detail, "`fixed` against `full` at depth=1, same move in ") {
			t.Errorf("%d nodes: %s, %s", nodes, got, detail)
		}
	}
}

// stopAfter returns a context that ends after some searches.
func stopAfter(n int64) (context.Context, runs.Options) {
	ctx, cancel := context.WithCancelCause(context.Background())
	return ctx, runs.Options{Progress: func(p runs.Progress) {
		if p.Games == n {
			cancel(errStopped)
		}
	}}
}

var errStopped = errors.New("stopped")

// TestResumeSearchesNothingTwice expects a stopped run to end with the searches of a run that was
// not stopped.
func TestResumeSearchesNothingTwice(t *testing.T) {
	whole := play(t, create(t, small()))
	r := create(t, small())
	ctx, o := stopAfter(5)
	if err := r.Play(ctx, o); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	dir := r.Head.Dir
	recorded := func() *result {
		t.Helper()
		rec, err := runs.Open(dir, find)
		if err != nil {
			t.Fatal(err)
		}
		read, err := rec.Result()
		if err != nil {
			t.Fatal(err)
		}
		return read.(*result)
	}
	first := recorded()
	if first.done != 5 || len(first.moves) != 5 {
		t.Fatalf("%+v", first)
	}
	for range 2 { // a finished run stays unchanged
		r, err := record.Resume(dir, find, record.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(timeless(whole), timeless(play(t, r))); diff != "" {
			t.Error(diff)
		}
	}
	last := recorded()
	if diff := cmp.Diff(first.moves, last.moves[:5]); diff != "" {
		t.Errorf("searches made before the stop are not as they were:\n%s", diff)
	}
	if err := last.log(t).Verify(); err != nil {
		t.Error(err)
	}
	for i, m := range last.moves {
		if m.Micros <= 0 || m.Trial != int64(i) || m.Move == "" {
			t.Errorf("search %d: %+v", i, m)
		}
	}
}

// log reads the run's record.
func (r *result) log(test *testing.T) *datasets.Log {
	test.Helper()
	log, err := datasets.Read(r.Head.Dir)
	if err != nil {
		test.Fatal(err)
	}
	return log
}

// TestOtherPositionsAreRefused refuses searches of other positions than the run's.
func TestOtherPositionsAreRefused(t *testing.T) {
	a := small()
	a.Seed = 7
	read := play(t, create(t, a))
	dir := filepath.Join(t.TempDir(), "forged")
	log := read.log(t)
	spec := map[string]any{}
	if err := log.Spec(&spec); err != nil {
		t.Fatal(err)
	}
	w, err := datasets.Create(dir, log.Meta, spec)
	if err != nil {
		t.Fatal(err)
	}
	row := datasets.TrialRow{Phase: kindName, Decisions: 1}
	if err := errors.Join(w.Append(row, nil, []datasets.MoveRow{{Phase: kindName, Key: 1}}), w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := record.Resume(dir, find, record.Origin{})
	if err == nil {
		err = r.Play(context.Background(), runs.Options{})
	}
	if err == nil || !strings.Contains(err.Error(), "search 0 is not of this run: its position has the key 1") {
		t.Error(err)
	}
}

// TestBookGivesPositionsInOrder searches the positions of a file in its order, and no others.
func TestBookGivesPositionsInOrder(t *testing.T) {
	book := filepath.Join(t.TempDir(), "book.txt")
	if err := os.WriteFile(book, []byte("h8 h9\nh8 i9 h7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	a := small()
	a.Openings = book
	if _, err := a.Plan(); err == nil || !strings.Contains(err.Error(), "positions 4: "+book+" holds 2 openings") {
		t.Errorf("%v", err)
	}
	a.Positions = config.Unset
	r := play(t, create(t, a))
	if len(r.moves) != 6 || r.moves[0].Ply != 2 || r.moves[3].Ply != 3 {
		t.Errorf("%+v", r.moves)
	}
	if words := r.Head.Meta.Command; !strings.Contains(words, "--openings sha256:") {
		t.Error(words)
	}
}

func TestPlanErrorsNameField(t *testing.T) {
	for want, change := range map[string]func(*searchConfig){
		"game: none is given":                           func(a *searchConfig) { a.Game.Game = "" },
		"positions 0: want at least 1":                  func(a *searchConfig) { a.Positions = 0 },
		`player: gobang has no preset "nobody"`:         func(a *searchConfig) { a.Players = player.AskAll("nobody") },
		"player: fixed: there is a player of that name": func(a *searchConfig) { a.Players = player.AskAll("fixed@depth=2", "fixed@depth=2") },
		"opening_plies 99: want 0 to":                   func(a *searchConfig) { a.OpeningPlies = 99 },
		"openings: open nowhere.txt: no such file":      func(a *searchConfig) { a.Openings = "nowhere.txt" },
		fmt.Sprintf("want at most %d", runs.MaxPairs):   func(a *searchConfig) { a.Positions = runs.MaxPairs + 1 },
		`player: limits "depth=0"`:                      func(a *searchConfig) { a.Players = player.AskAll("fixed@depth=0") },
		`player: gobang has no preset ""`:               func(a *searchConfig) { a.Players = player.AskAll("x:") },
	} {
		a := small()
		change(a)
		_, err := a.Plan()
		if _, ok := errors.AsType[*config.Error](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
