package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/catalog"
	"selfplaylab/params/tuning"
	"selfplaylab/reports/pagetest"
)

// strainedMatch is a match that strains a page: names without a place to break, all
// parameters different, openings from long positions, every warning.
func strainedMatch() *recorded {
	r := newRecorded()
	long := strings.Repeat("a_very_long_name/", 12)
	r.spec.A, r.spec.B = long+"tuned.toml,a=1,b=2", long+"other.toml"
	r.spec.ALimits, r.spec.BLimits = "depth=12,nodes=123456789,time=1h30m", "playouts=123456789,time=2s"
	r.spec.SPRT, r.spec.Pairs = "elo0=-1.5,elo1=3.25,alpha=0.01,beta=0.02,model=normalized", 123456
	r.meta.Parameters, r.spec.AValues, r.spec.BValues = nil, nil, nil
	for i := range 60 {
		r.meta.Parameters = append(r.meta.Parameters, fmt.Sprintf("bonus_of_the_%dth_line_when_far_behind", i))
		r.spec.AValues, r.spec.BValues = append(r.spec.AValues, float64(i)/7), append(r.spec.BValues, -1e6*float64(i+1)/3)
	}
	r.meta.Command = "selfplay match --a " + strings.Repeat("x=123456789,", 300)
	r.meta.Typed = "selfplay match " + strings.Repeat("y", 900)
	for range 20 {
		r.pairs = append(r.pairs, r.pairs[:40]...)
	}
	reasons := []engines.Reason{"goal", engines.Crash, engines.Adjudicated, engines.PlyBound, engines.OutOfTime, "a_reason_with_a_long_name_of_its_own"}
	r.change = func(g *datasets.GameRow) {
		g.Position = strings.Repeat("...............", 15) + strings.Repeat("x", int(g.Pair)%30) + " W"
		if g.Outcome != "1/2" {
			g.Reason = string(reasons[int(g.Pair)%len(reasons)])
		}
	}
	return r
}

// tunedRun is a finished tuning run of all of Quoridor's parameters.
func tunedRun(t *testing.T, spec tuning.Spec) (dir string) {
	t.Helper()
	game, err := catalog.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	start, err := game.Preset(game.Default)
	if err != nil {
		t.Fatal(err)
	}
	spec.Start, spec.Values, spec.OpeningPlies, spec.Level = start.Name, start.Vector, game.OpeningPlies, 0.95
	dir = filepath.Join(t.TempDir(), "run")
	run, err := tuning.Create(dir, tuning.Request{Game: game, Seed: 7, Revision: "test", Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Execute(t.Context(), tuning.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestPagesInBrowser shows a page of every kind to a real browser, at a desktop's
// and at a phone's width.
func TestPagesInBrowser(t *testing.T) {
	clitest.SkipUnderRace(t)
	if testing.Short() {
		t.Skip("plays, and starts a browser")
	}
	t.Parallel()
	game, err := catalog.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tournament := []string{"tournament", "--game", "quoridor", "--pairs", "2", "--out", filepath.Join(dir, "tournament")}
	for i, preset := range []string{"final", "v12.7", "bad"} {
		for k := range 4 {
			tournament = append(tournament, "--player", fmt.Sprintf("%s with a name that is far too long for a column %d:%s,a_E=%d", preset, k, preset, 10+i+4*k))
		}
	}
	mustCommand(t, tournament...)
	mustCommand(t, "ladder", "--game", "quoridor", "--player", "final", "--rounds", "4", "--out", filepath.Join(dir, "ladder"))
	var all []string // but those that choose among names
	for _, p := range game.Space {
		if len(p.Labels) == 0 {
			all = append(all, p.Name)
		}
	}
	runs := []struct {
		name    string
		dir     string
		figures int
	}{
		{"match", newRecorded().write(t), 5},
		{"long match", strainedMatch().write(t), 6},
		{"tournament", filepath.Join(dir, "tournament"), 6},
		{"ladder", filepath.Join(dir, "ladder"), 4},
		{"tuning", tunedRun(t, tuning.Spec{Method: "spsa", Active: all, Iterations: 200, Pairs: 2, Gains: "budget", Screen: 1, VerifyMin: 64, VerifyMax: 64, RatePairs: 1}), 8},
		{"grid", tunedRun(t, tuning.Spec{Method: "grid", Active: []string{"a_E", "b_gain"}, Grid: []string{"a_E=0:40:10", "b_gain=0:100:20"}, Pairs: 4}), 3},
		{"line", tunedRun(t, tuning.Spec{Method: "grid", Active: []string{"b_gain"}, Grid: []string{"b_gain=0:100:10"}, Pairs: 20}), 3},
	}
	var pages []pagetest.Page
	figures := map[string]int{}
	for _, r := range runs {
		mustCommand(t, "report", r.dir)
		html, err := os.ReadFile(filepath.Join(r.dir, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		figures[r.name] = r.figures
		for _, width := range []int{1280, 390} {
			pages = append(pages, pagetest.Page{Name: r.name, HTML: html, Width: width})
		}
	}
	pagetest.Check(t, figures, pages...)
}
