package kinds_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/schedule"
)

// A view of a run under way sees what a view of the finished run sees, without reading
// a trial twice, and before the trials are on disk.
func TestViewGrows(t *testing.T) {
	t.Parallel()
	config := match.New()
	config.Game.Game, config.A, config.B, config.Pairs = "quoridor", player.Ask("final"), player.Ask("bad"), 200
	r := made(t, config)
	live := &runs.Live{Dir: r.Head.Dir, Workers: 1, Stop: func() {}}
	view, err := kinds.All().Open(r.Head.Dir)
	if err != nil {
		t.Fatal(err)
	}
	view.Attach(live)
	trials, games := map[int64]int{}, int64(0)
	view.Observe = func(_ runs.Result, row datasets.TrialRow) { trials[row.Trial]++ }
	options := live.Options()
	seen := options.Observe
	options.Observe = func(f schedule.Finished) {
		seen(f)
		if s, err := view.Summary(); games > 0 && (err != nil || s.Games != games) {
			t.Errorf("trial %d: %d games, though the result is of %d; %v", f.Trial.Trial, s.Games, games, err)
		}
		games += int64(f.Trial.Games)
		if changed, err := view.Refresh(); err != nil || !changed || view.Trials() != f.Trial.Trial+1 {
			t.Errorf("trial %d: %d trials seen, changed %v, %v", f.Trial.Trial, view.Trials(), changed, err)
		}
		if _, err := view.Result(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if err := r.Play(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	live.End(nil)
	grown := summaryOf(t, view)
	fresh, err := kinds.All().Open(r.Head.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := summaryOf(t, fresh); !reflect.DeepEqual(grown, want) {
		t.Errorf("grown %+v\nfresh %+v", grown, want)
	}
	for trial, n := range trials {
		if n != 1 {
			t.Errorf("trial %d was added %d times", trial, n)
		}
	}
	page, err := view.Page(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	again, err := kinds.All().Open(r.Head.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := again.Page(t.Context(), true); err != nil || !reflect.DeepEqual(page, want) {
		t.Errorf("the pages differ, %v", err)
	}
}

func summaryOf(t *testing.T, view *runs.View) runs.Summary {
	t.Helper()
	if _, err := view.Refresh(); err != nil {
		t.Fatal(err)
	}
	s, err := view.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The noted summary of a finished run is what its trials show; it is not used for
// another record.
func TestLookNoted(t *testing.T) {
	t.Parallel()
	config := match.New()
	config.Game.Game, config.A, config.B, config.Pairs = "quoridor", player.Ask("final"), player.Ask("bad"), 8
	r := made(t, config)
	if err := r.Play(t.Context(), runs.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	dir := r.Head.Dir
	noted, view := runs.Look(dir, kinds.All().Find)
	if view != nil || noted.State != runs.Finished || noted.Estimate == nil {
		t.Fatalf("rows were read: %v; %+v", view != nil, noted)
	}
	sessions := filepath.Join(dir, "sessions.jsonl")
	data, err := os.ReadFile(sessions)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(data, []byte(`A scores 8`), []byte(`A scores 9`), 1)
	if bytes.Equal(changed, data) {
		t.Fatalf("no score in %s", data)
	}
	if err := os.WriteFile(sessions, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	if s, view := runs.Look(dir, kinds.All().Find); view == nil || !reflect.DeepEqual(s.Result, noted.Result) {
		t.Errorf("a changed digit is believed: %+v", s)
	}
	if err := os.Remove(sessions); err != nil {
		t.Fatal(err)
	}
	read, view := runs.Look(dir, kinds.All().Find)
	if view == nil {
		t.Error("the rows were not read")
	}
	read.Rate, read.Seconds, read.Bytes = noted.Rate, noted.Seconds, noted.Bytes
	if !reflect.DeepEqual(noted, read) {
		t.Errorf("noted %+v\nread %+v", noted, read)
	}
}
