package web

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/schedule"
)

// BenchmarkList reads a folder of a thousand runs for the first time, and again
// where nothing has changed.
func BenchmarkList(b *testing.B) {
	root := b.TempDir()
	dir := playMatch(b, b.TempDir(), "one", 200)
	for i := range 1000 {
		if err := os.CopyFS(filepath.Join(root, fmt.Sprint("run-", i)), os.DirFS(dir)); err != nil {
			b.Fatal(err)
		}
	}
	ids, err := newLibrary(root, kinds.All()).find()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			newLibrary(root, kinds.All()).read(ids)
		}
	})
	b.Run("again", func(b *testing.B) {
		l := newLibrary(root, kinds.All())
		l.read(ids)
		for b.Loop() {
			if _, err := l.find(); err != nil {
				b.Fatal(err)
			}
			l.read(ids)
		}
	})
}

// million forges a run of a million games: the games of one trial, over and over.
func million(tb testing.TB, root string, perTrial int64) {
	tb.Helper()
	a := match.New()
	trials := 500_000 / perTrial
	pairs := int(perTrial * trials)
	a.Game.Game, a.A, a.B, a.Pairs = "quoridor", player.Ask("final"), player.Ask("v12.7"), pairs
	plan, err := a.Plan()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := record.New(plan, record.Origin{})
	if err != nil {
		tb.Fatal(err)
	}
	rec, err := kinds.All().Open(playMatch(tb, tb.TempDir(), "one", int(perTrial)))
	if err != nil {
		tb.Fatal(err)
	}
	w, err := datasets.Create(filepath.Join(root, "million"), r.Head.Meta, plan.Config)
	if err != nil {
		tb.Fatal(err)
	}
	for f, err := range schedule.Recorded(rec.Log, datasets.Filter{}) {
		if err != nil {
			tb.Fatal(err)
		}
		for n := range trials {
			f.Trial.Trial, f.Trial.Openings = n, uint64(n)
			for i := range f.Games {
				f.Games[i].Trial = n
			}
			if err := w.Append(f.Trial, f.Games, nil); err != nil {
				tb.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkMillion opens the page of a run of a million games in trials of 64 and of 8 pairs: first
// the curves, then the report, which reads every game.
func BenchmarkMillion(b *testing.B) {
	for _, perTrial := range []int64{64, 8} {
		root := b.TempDir()
		million(b, root, perTrial)
		b.Run(fmt.Sprint(perTrial), func(b *testing.B) {
			for b.Loop() {
				openPage(b, root)
			}
		})
	}
}

// BenchmarkEvent measures the cost of an open page of a growing run of a million games, a look: one
// event a second, and the charts every third time. The report has a bound of its own, see share.
func BenchmarkEvent(b *testing.B) {
	root := b.TempDir()
	million(b, root, 8)
	s, err := New(Options{Kinds: kinds.All(), Root: root})
	if err != nil {
		b.Fatal(err)
	}
	defer s.listener.Close()
	m, err := s.model("million")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m.refreshed = time.Time{} // as if some time had passed
		if _, _, err := s.runEvent("million"); err != nil {
			b.Fatal(err)
		}
		if w := s.get("/data/charts?id=million"); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}

func openPage(b *testing.B, root string) {
	s, err := New(Options{Kinds: kinds.All(), Root: root})
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range []string{"run", "data/charts", "data/report", "data/games"} {
		start := time.Now()
		w := s.get("/" + path + "?id=million")
		if w.Code != 200 || !json.Valid(w.Body.Bytes()) && path != "run" {
			b.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		b.Logf("%s: %v, %d bytes", path, time.Since(start).Round(time.Millisecond), w.Body.Len())
	}
	if err := s.listener.Close(); err != nil {
		b.Fatal(err)
	}
}
