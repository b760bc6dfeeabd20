package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/quoridor"
	"selfplaylab/params/tuning"
)

// A tuning run tells how far it has come, and in the end what it found.
func TestTuningInList(t *testing.T) {
	t.Parallel()
	game := quoridor.Game()
	bad, err := game.Preset("bad")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	r, err := tuning.Create(dir, tuning.Request{Game: game, Seed: 1, Revision: "test", Spec: tuning.Spec{
		Method: "spsa", Start: "bad", Values: bad.Vector, Active: []string{"a_E", "a_M", "b_E", "b_gain"}, Iterations: 60, Pairs: 8,
		OpeningPlies: 4, VerifyMin: 64, VerifyMax: 640, Level: 0.95,
	}})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	steps := 0
	_, err = r.Execute(ctx, tuning.Options{Workers: 1, Progress: func(tuning.Progress) {
		if steps++; steps == 20 {
			cancel(stop)
		}
	}})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	l := one(t, dir)
	if l.What != "spsa of 4 parameters from bad" || l.Finished || l.Fault != "" || l.Estimate != nil || !strings.HasPrefix(l.Result, "unfinished, ") || !strings.HasSuffix(l.Result, " of 960 tuning games") {
		t.Errorf("stopped: %+v", l)
	}
	if r, err = tuning.Resume(dir); err != nil {
		t.Fatal(err)
	}
	res, err := r.Execute(t.Context(), tuning.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	l = one(t, dir)
	if !l.Finished || l.Result != res.Verdict() || !strings.HasPrefix(l.Result, "better: +") || l.Estimate == nil || l.Estimate.N != res.Verified.N || l.Games != res.Games {
		t.Errorf("finished: %+v", l)
	}
}

// one lists a folder with one run.
func one(t *testing.T, dir string) listed {
	t.Helper()
	infos, err := datasets.List(dir)
	if err != nil || len(infos) != 1 {
		t.Fatalf("%d runs, %v", len(infos), err)
	}
	return judge(infos[0])
}

// A match that was stopped tells how far it has come.
func TestUnfinishedMatchInList(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	whole := smallRun(t, "quoridor", "--pairs", "2")
	log, err := datasets.Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	var spec map[string]any
	if err := log.Spec(&spec); err != nil {
		t.Fatal(err)
	}
	w, err := datasets.Create(dir, log.Meta, spec)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if l := one(t, dir); l.Finished || l.Fault != "" || l.Estimate != nil || l.Result != nothingYet {
		t.Errorf("%+v", l)
	}
	if l := one(t, whole); !l.Finished || l.What != "final v bad" || l.Games != 4 {
		t.Errorf("%+v", l)
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 9950: "10 kB", 999_499: "999 kB", 999_500: "1.0 MB", 12_345_678: "12 MB", 3_400_000_000: "3.4 GB", 5e15: "5,000 TB"} {
		if got := size(bytes); got != want {
			t.Errorf("%d: %q, want %q", bytes, got, want)
		}
	}
}
