package kinds_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
)

// TestViewReadsTrialsOnce expects the view of a running run to end like a view of the finished run.
// It reads no trial twice, and trials before they are on disk.
func TestViewReadsTrialsOnce(t *testing.T) {
	t.Parallel()
	config := match.New()
	config.Game.Game, config.A, config.B, config.Pairs = "quoridor", player.Ask("final"), player.Ask("bad"), 200
	r := made(t, config)
	live := &view.Live{Dir: r.Head.Dir, Workers: 1, Stop: func() {}}
	v := viewOf(t, r.Head.Dir)
	v.Attach(live)
	trials, games := map[int64]int{}, int64(0)
	v.Observe = func(_ runs.Result, f schedule.Finished, whole bool) {
		if !whole {
			trials[f.Trial.Trial]++
		}
	}
	options := live.Options()
	seen := options.Observe
	options.Observe = func(f schedule.Finished) {
		seen(f)
		if s, err := v.Summary(); games > 0 && (err != nil || s.Games != games) {
			t.Errorf("trial %d: %d games, though the result is of %d; %v", f.Trial.Trial, s.Games, games, err)
		}
		games += int64(f.Trial.Games)
		if changed, err := v.Refresh(); err != nil || !changed || v.Trials() != f.Trial.Trial+1 {
			t.Errorf("trial %d: %d trials seen, changed %v, %v", f.Trial.Trial, v.Trials(), changed, err)
		}
		if _, err := v.Result(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if err := r.Play(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	live.End(nil)
	grown := summaryOf(t, v)
	fresh := viewOf(t, r.Head.Dir)
	if want := summaryOf(t, fresh); !reflect.DeepEqual(grown, want) {
		t.Errorf("grown %+v\nfresh %+v", grown, want)
	}
	for trial, n := range trials {
		if n != 1 {
			t.Errorf("trial %d was added %d times", trial, n)
		}
	}
	page, err := v.Page(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	again := viewOf(t, r.Head.Dir)
	if want, err := again.Page(t.Context(), true); err != nil || !reflect.DeepEqual(page, want) {
		t.Errorf("the pages differ, %v", err)
	}
}

func viewOf(t *testing.T, dir string) *view.View {
	t.Helper()
	recorded, err := kinds.All().Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return view.Of(recorded)
}

func summaryOf(t *testing.T, v *view.View) runs.Summary {
	t.Helper()
	if _, err := v.Refresh(); err != nil {
		t.Fatal(err)
	}
	s, err := v.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNotedSummaryEqualsTrials expects the noted summary of a finished run to equal the summary of
// its trials, and not to be used for another record.
func TestNotedSummaryEqualsTrials(t *testing.T) {
	t.Parallel()
	config := match.New()
	config.Game.Game, config.A, config.B, config.Pairs = "quoridor", player.Ask("final"), player.Ask("bad"), 8
	r := made(t, config)
	if err := r.Play(t.Context(), runs.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	dir := r.Head.Dir
	noted, v := view.Look(dir, kinds.All())
	if v != nil || noted.State != runs.Finished || noted.Estimate == nil {
		t.Fatalf("rows were read: %v; %+v", v != nil, noted)
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
	if s, v := view.Look(dir, kinds.All()); v == nil || !reflect.DeepEqual(s.Result, noted.Result) {
		t.Errorf("a changed digit is believed: %+v", s)
	}
	if err := os.Remove(sessions); err != nil {
		t.Fatal(err)
	}
	read, v := view.Look(dir, kinds.All())
	if v == nil {
		t.Error("the rows were not read")
	}
	read.Rate, read.Seconds, read.Bytes = noted.Rate, noted.Seconds, noted.Bytes
	if !reflect.DeepEqual(noted, read) {
		t.Errorf("noted %+v\nread %+v", noted, read)
	}
}
