package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/runs/experiment"
)

const someSeconds = `schema = 1
title = "Some seconds"

[[run]]
name = "first"
kind = "match"
game = "quoridor"
a = "final"
b = "v12.7"
pairs = 1500

[[run]]
name = "tuned"
kind = "tune"
game = "quoridor"
iters = 60
pairs = 8
verify-min = 200
verify-pairs = 200

[[run]]
name = "look"
kind = "search"
game = "gobang"
player = ["fixed@depth=3", "fixed,ordering=off@depth=3"]
positions = 60

[[run]]
name = "last"
kind = "tournament"
game = "quoridor"
player = ["final", "v12.7", "mine:{runs}/tuned/tuned.toml"]
pairs = 300
`

// An experiment that was killed again and again ends with the results of one that
// was not.
func TestExperimentKilled(t *testing.T) {
	clitest.SkipUnderRace(t)
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.toml"), []byte(someSeconds), 0o666); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	clitest.OK(t, dir, "selfplay", "run", "x.toml", "--out", "whole", "--workers", "2")
	took := time.Since(started)
	r := rand.New(rand.NewPCG(20261121, 7))
	kills := 0
	for i := range 6 {
		p := clitest.Start(t, dir, "selfplay", again(dir, []string{"1", "2", "3"}[i%3])...)
		time.Sleep(time.Duration(r.Float64() * 0.2 * float64(took))) // far from the end, however busy the machine was at first
		if p.Kill(t) {
			kills++
		}
	}
	if kills < 2 {
		t.Errorf("only %d of 6 kills met the process alive", kills)
	}
	clitest.OK(t, dir, "selfplay", again(dir, "2")...)
	for _, name := range []string{experiment.RowsName, "tuned/tuned.toml", "last/games/part-000000.parquet"} {
		want, err := os.ReadFile(filepath.Join(dir, "whole", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "killed", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs after kills (%v)", name, err)
		}
	}
}

// again returns the arguments that begin the experiment or go on with it.
func again(dir, workers string) []string {
	if _, err := os.Stat(filepath.Join(dir, "killed", "asked.toml")); err != nil {
		return []string{"run", "x.toml", "--out", "killed", "--workers", workers}
	}
	return []string{"run", "--resume", "killed", "--workers", workers}
}
