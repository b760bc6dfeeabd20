package kinds_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
)

// one lists a folder with one run.
func one(t *testing.T, dir string) runs.Summary {
	t.Helper()
	list, err := view.List(kinds.All(), dir)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d runs, %v", len(list), err)
	}
	return list[0]
}

// made creates the run directory of a config.
func made(t *testing.T, cfg runs.Config) *record.Run {
	t.Helper()
	plan, err := cfg.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Create(filepath.Join(t.TempDir(), "run"), plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTuningInList expects progress of an unfinished tuning, and the result of a finished one.
func TestTuningInList(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes")
	}
	t.Parallel()
	cfg := tuning.New()
	cfg.Game.Game, cfg.Start, cfg.Active = "quoridor", player.Ask("bad"), config.Names{"a_E", "a_M", "b_E", "b_gain"}
	cfg.Pairs, cfg.ScreenPairs, cfg.VerifyMin, cfg.VerifyPairs, cfg.RatePairs = 8, 0, 64, 640, 0
	for _, f := range config.Fields(cfg) {
		if f.Name == "iters" {
			if err := f.Set("60"); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := made(t, cfg)
	dir := r.Head.Dir
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	err := r.Play(ctx, runs.Options{Workers: 1, Progress: func(at runs.Progress) {
		if at.Games >= 300 {
			cancel(stop)
		}
	}})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	l := one(t, dir)
	if l.What != "quad of 4 parameters from bad" || l.Finished || l.Fault != "" || l.Estimate != nil || !strings.HasPrefix(l.Result, "unfinished, ") || !strings.HasSuffix(l.Result, " of 960 tuning games") {
		t.Errorf("stopped: %+v", l)
	}
	if r, err = record.Resume(dir, kinds.All().Find, record.Origin{}); err != nil {
		t.Fatal(err)
	}
	if err := r.Play(t.Context(), runs.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	result := r.Result.(*tuning.Result)
	l = one(t, dir)
	if !l.Finished || l.Result != result.Conclusion() || !strings.HasPrefix(l.Result, "better: +") || l.Estimate == nil || l.Estimate.N == 0 {
		t.Errorf("finished: %+v", l)
	}
}

// TestUnfinishedMatchInList expects the progress of a match that was stopped.
func TestUnfinishedMatchInList(t *testing.T) {
	t.Parallel()
	cfg := match.New()
	cfg.Game.Game, cfg.A, cfg.B, cfg.Pairs = "quoridor", player.Ask("final"), player.Ask("bad"), 70
	r := made(t, cfg)
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if err := r.Play(ctx, runs.Options{Workers: 1}); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if l := one(t, r.Head.Dir); l.Finished || l.Fault != "" || l.Estimate != nil || l.Result != runs.NothingYet {
		t.Errorf("%+v", l)
	}
	r, err := record.Resume(r.Head.Dir, kinds.All().Find, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	// A process of another revision than the run's has noted itself, should it be killed.
	r.Head.Meta.Revision = "another"
	warned := ""
	err = r.Play(t.Context(), runs.Options{Workers: 2, Observe: func(schedule.Finished) {
		head := runs.Head{Meta: r.Head.Meta}
		head.Sessions, err = datasets.Sessions(r.Head.Dir)
		warned = runs.OtherBuilds(&head)
	}})
	if err != nil || !strings.HasPrefix(warned, "Builds of several revisions played: another, ") {
		t.Fatal(err, warned)
	}
	if s, err := datasets.Sessions(r.Head.Dir); len(s) != 2 || s[1].Games != 140 {
		t.Errorf("%+v, %v", s, err)
	}
	if l := one(t, r.Head.Dir); !l.Finished || l.What != "final v bad" || l.Games != 140 {
		t.Errorf("%+v", l)
	}
}

// TestInterruptedReplayClosesFiles interrupts a run while it reads its record; no file stays open.
func TestInterruptedReplayClosesFiles(t *testing.T) {
	t.Parallel()
	cfg := match.New()
	cfg.Game.Game, cfg.A, cfg.B, cfg.Pairs = "quoridor", player.Ask("final"), player.Ask("bad"), 70
	r := made(t, cfg)
	if err := r.Play(t.Context(), runs.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	before := opened(r.Head.Dir)
	r, err := record.Resume(r.Head.Dir, kinds.All().Find, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	stop, seen := errors.New("stop"), 0
	ctx, cancel := context.WithCancelCause(t.Context())
	err = r.Play(ctx, runs.Options{Workers: 1, Observe: func(schedule.Finished) { seen++; cancel(stop) }})
	if !errors.Is(err, stop) || seen != 1 {
		t.Errorf("ended with %v after %d trials", err, seen)
	}
	if files := opened(r.Head.Dir); len(files) > len(before) {
		t.Errorf("still open: %q", files)
	}
}

// opened returns the files of a folder that this process has open, where the system lists them.
func opened(dir string) (names []string) {
	links, _ := filepath.Glob("/proc/self/fd/*")
	for _, link := range links {
		if name, err := os.Readlink(link); err == nil && strings.HasPrefix(name, dir) {
			names = append(names, name)
		}
	}
	return names
}

// TestInterruptedReportIsNone expects no report of an interrupted call, and the interruption's
// cause as its error.
func TestInterruptedReportIsNone(t *testing.T) {
	t.Parallel()
	cfg := match.New()
	cfg.Game.Game, cfg.A, cfg.B, cfg.Pairs = "quoridor", player.Ask("final"), player.Ask("bad"), 2
	r := made(t, cfg)
	if err := r.Play(t.Context(), runs.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if err := view.Report(ctx, kinds.All(), r.Head.Dir); !errors.Is(err, stop) {
		t.Errorf("ended with %v", err)
	}
	page := filepath.Join(r.Head.Dir, "report.html")
	if _, err := os.Stat(page); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there: %v", page, err)
	}
	if err := view.Report(t.Context(), kinds.All(), r.Head.Dir); err != nil {
		t.Error(err)
	}
}
