package tuning

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/quoridor"
	"selfplaylab/params"
	"selfplaylab/params/spsa"
)

// request asks for a small run from a preset.
func request(t testing.TB, start string) Request {
	t.Helper()
	g := quoridor.Game()
	p, err := g.Preset(start)
	if err != nil {
		t.Fatal(err)
	}
	return Request{Game: g, Seed: 7, Revision: "test", Spec: Spec{
		Method: "spsa", Start: start, Values: p.Vector, Active: []string{"a_E", "b_gain"}, Iterations: 60, Pairs: 8, Gains: "budget",
		OpeningPlies: 4, Screen: 2, VerifyMin: 400, VerifyMax: 750, Level: 0.95,
	}}
}

func execute(t testing.TB, r *Run, workers int) Result {
	t.Helper()
	res, err := r.Execute(t.Context(), Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func create(t testing.TB, q Request) *Run {
	t.Helper()
	r, err := Create(filepath.Join(t.TempDir(), "run"), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRecoversFromBad is the tuner's acid test in small: from a start without
// its two main weights it must find most of the strength, shown on fresh games.
func TestRecoversFromBad(t *testing.T) {
	res := execute(t, create(t, request(t, "bad")), 2)
	if res.Verified == nil || res.Verified.Decided() != 1 || res.Verified.Elo < 200 {
		t.Errorf("from bad: %s; %v", res.Verdict(), res.Best)
	}
	f, err := params.ReadFile(filepath.Join(res.Dir, TunedName), "quoridor", quoridor.Game().Space)
	if err != nil || !slices.Equal(f.Vector, res.Best) || !strings.Contains(f.Doc, "better") {
		t.Errorf("%s holds %v (%q): %v", TunedName, f.Vector, f.Doc, err)
	}
}

// stopAfter ends a run after n trials.
func stopAfter(t testing.TB, r *Run, n int) {
	t.Helper()
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := r.Execute(ctx, Options{Workers: 2, Progress: func(Progress) {
		if n--; n == 0 {
			cancel(stop)
		}
	}})
	if !errors.Is(err, stop) {
		t.Fatalf("ended with %v", err)
	}
}

// TestResume: a run stopped in either phase, several times, ends as one that was
// never stopped; its report can be written at every stop.
func TestResume(t *testing.T) {
	want := execute(t, create(t, request(t, "bad")), 1)
	r := create(t, request(t, "bad"))
	dir := r.Dir()
	for _, n := range []int{10, 25, 40, 61} {
		stopAfter(t, r, n)
		if err := WriteReport(dir); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(dir, "report.md"))
		if err != nil || !strings.Contains(string(page), "not finished") {
			t.Errorf("report of an unfinished run (%v):\n%.300s", err, page)
		}
		s := summary(t, dir)
		if s.Finished || s.Planned != 960 || s.Tuned > s.Planned || s.Spec.Start != "bad" || s.Verified != nil && s.Tuned < s.Planned {
			t.Errorf("summary after %d trials more: %+v", n, s)
		}
		if r, err = Resume(dir); err != nil {
			t.Fatal(err)
		}
	}
	got := execute(t, r, 3)
	if !slices.Equal(got.Best, want.Best) || got.Verdict() != want.Verdict() || got.Games != want.Games {
		t.Errorf("resumed: %v %s\nat once: %v %s", got.Best, got.Verdict(), want.Best, want.Verdict())
	}
	if s := summary(t, dir); !s.Finished || s.Tuned != 960 || s.Verdict() != want.Verdict() || !slices.Equal(s.Best, want.Best) || s.Games != want.Games {
		t.Errorf("summary: %+v", s)
	}
	for _, table := range []string{"trials", "games"} {
		if a, b := parts(t, want.Dir, table), parts(t, dir, table); !slices.Equal(a, b) {
			t.Errorf("%s parts differ", table)
		}
	}
	if err := WriteReport(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil || strings.Contains(string(page), "not finished") || !strings.Contains(string(page), want.Verdict()) {
		t.Errorf("report of the finished run (%v):\n%.300s", err, page)
	}
}

// parts returns the bytes of all parts of a table.
func summary(t testing.TB, dir string) Summary {
	t.Helper()
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Summarize(log)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parts(t testing.TB, dir, table string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, table, "*.parquet"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no parts of %s: %v", table, err)
	}
	var all []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, filepath.Base(name), string(data))
	}
	return all
}

// TestGrid: the reference itself scores exactly one half, all points play the
// same openings, and one-, two- and three-dimensional reports come out.
func TestGrid(t *testing.T) {
	for _, axes := range [][]string{
		{"b_gain=0:60:20"},
		{"b_gain=20,40", "a_E=0:22:11"},
		{"b_gain=20,40", "a_E=11,22", "b_M=5,6"},
	} {
		q := request(t, "final")
		q.Spec.Method, q.Spec.Grid, q.Spec.Pairs, q.Spec.Active, q.Spec.Iterations = "grid", axes, 60, nil, 0
		for _, a := range axes {
			name, _, _ := strings.Cut(a, "=")
			q.Spec.Active = append(q.Spec.Active, name)
		}
		res := execute(t, create(t, q), 2)
		log, err := datasets.Read(res.Dir)
		if err != nil {
			t.Fatal(err)
		}
		openings := map[string]bool{}
		for g, err := range log.Games(datasets.Filter{Phase: PhaseTune}) {
			if err != nil {
				t.Fatal(err)
			}
			opening := strings.Join(strings.Fields(g.Moves)[:4], " ")
			openings[opening] = true
		}
		if len(openings) > 60 {
			t.Errorf("%v: %d openings, want the same 60 for every point", axes, len(openings))
		}
		even := false
		for row, err := range log.Trials(datasets.Filter{Phase: PhaseTune}) {
			if err != nil {
				t.Fatal(err)
			}
			if slices.Equal(row.X, row.Than) {
				even = row.Even == row.Pairs
			}
		}
		if !even {
			t.Errorf("%v: the reference against itself is not even", axes)
		}
		if err := WriteReport(res.Dir); err != nil {
			t.Errorf("%v: %v", axes, err)
		}
	}
}

// TestNothingFound: a grid in which nothing beats the start says so and verifies
// nothing.
func TestNothingFound(t *testing.T) {
	q := request(t, "final")
	q.Spec.Method, q.Spec.Grid, q.Spec.Pairs, q.Spec.Active, q.Spec.Iterations = "grid", []string{"a_E=-20,22"}, 40, []string{"a_E"}, 0
	res := execute(t, create(t, q), 2)
	if res.Verified != nil || !slices.Equal(res.Best, res.Start) || !strings.Contains(res.Verdict(), "nothing better") {
		t.Errorf("%s: %v", res.Verdict(), res.Best)
	}
	if err := WriteReport(res.Dir); err != nil {
		t.Error(err)
	}
}

// TestIdleParameters: parameters that change no decision are named, alone and
// beside others that do.
func TestIdleParameters(t *testing.T) {
	for _, c := range []struct {
		active []string
		want   string
	}{
		{[]string{"selfharm_bonus"}, "`selfharm_bonus` changed 0 of"},
		{[]string{"selfharm_bonus", "rush_bonus"}, "`selfharm_bonus`, `rush_bonus`, moved together, changed 0 of"},
		{[]string{"a_E", "selfharm_bonus"}, "`selfharm_bonus` changed 0 of"},
		{[]string{"a_E", "b_gain"}, ""},
	} {
		q := request(t, "final")
		q.Spec.Active, q.Spec.Iterations, q.Spec.VerifyMin, q.Spec.VerifyMax = c.active, 10, 8, 8
		q.Spec.Screen = 8
		res := execute(t, create(t, q), 2)
		got := strings.Join(res.Warnings, "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.active, got, c.want)
		}
		if err := WriteReport(res.Dir); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(res.Dir, "report.md"))
		if err != nil || !strings.Contains(string(page), c.want) {
			t.Errorf("%v: the report does not say so (%v)", c.active, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, edit := range map[string]func(*Request){
		"unknown method":  func(q *Request) { q.Spec.Method = "spsaa" },
		"unknown gains":   func(q *Request) { q.Spec.Gains = "folklore" },
		"no iterations":   func(q *Request) { q.Spec.Iterations = 0 },
		"bad start":       func(q *Request) { q.Spec.Values = q.Spec.Values[:3] },
		"unknown name":    func(q *Request) { q.Spec.Active = []string{"a_X"} },
		"verification":    func(q *Request) { q.Spec.VerifyMin, q.Spec.VerifyMax = 5, 4 },
		"confidence":      func(q *Request) { q.Spec.Level = 1 },
		"opening plies":   func(q *Request) { q.Spec.OpeningPlies = 1000 },
		"rules":           func(q *Request) { q.Rules = map[string]string{"variant": "house"} },
		"unusable grid":   func(q *Request) { q.Spec.Method, q.Spec.Grid = "grid", []string{"a_E=1"} },
		"grid of nothing": func(q *Request) { q.Spec.Method = "grid" },
	} {
		q := request(t, "final")
		edit(&q)
		dir := filepath.Join(t.TempDir(), "run")
		if _, err := Create(dir, q); err == nil {
			t.Errorf("%s: taken", name)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: left a directory behind", name)
		}
	}
}

// TestForeignRuns: a run of another kind, game, version or space is refused with
// its name, and left as it was.
func TestForeignRuns(t *testing.T) {
	r := create(t, request(t, "final"))
	dir := r.Dir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing recorded: parts of another run have errors of their own
	if _, err := r.Execute(ctx, Options{Workers: 1}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "run.toml")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for edit, want := range map[[2]string]string{
		{"kind = 'tune'", "kind = 'match'"}:            "not of tune",
		{"game = 'quoridor'", "game = 'quoridoo'"}:     "unknown game",
		{"game_version = 1", "game_version = 99"}:      "version 99 of quoridor",
		{"parameters = ['a_E'", "parameters = ['a_F'"}: "other parameters",
		{"method = 'spsa'", "method = 'spas'"}:         "unknown method",
		{"variant=seed", "variant=sead"}:               "variant",
		{"iterations = 60", "iteration = 60"}:          "run.toml",
	} {
		if !strings.Contains(string(good), edit[0]) {
			t.Fatalf("no %q in run.toml", edit[0])
		}
		bad := strings.ReplaceAll(string(good), edit[0], edit[1])
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", edit[1], err, want)
		}
	}
	if err := os.WriteFile(path, good, 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	execute(t, again, 2)
}

// TestReportOfPaths: figures of paths end with what is recommended, however long
// the run, and hold bands; the sentence below names what left its start.
func TestReportOfPaths(t *testing.T) {
	q := request(t, "bad")
	q.Spec.Iterations, q.Spec.Pairs, q.Spec.Screen, q.Spec.VerifyMax, q.Spec.VerifyMin = maxPathPoints+7, 2, 0, 0, 0
	res := execute(t, create(t, q), 2)
	s, err := read(res.Dir)
	if err != nil {
		t.Fatal(err)
	}
	tuner, ok := s.tuner.(*spsa.Tuner)
	if !ok {
		t.Fatalf("tuned by %T", s.tuner)
	}
	for _, path := range s.pathFigure(tuner).Paths {
		last := len(path.X) - 1
		if i := s.game.Space.Index(path.Name); path.X[last] != maxPathPoints+7 || path.Mean[last] != res.Best[i] || last > maxPathPoints {
			t.Errorf("%s ends with %v at %v, want %v", path.Name, path.Mean[last], path.X[last], res.Best[i])
		}
		for k := range path.X {
			if !(path.Lo[k] <= path.Mean[k] && path.Mean[k] <= path.Hi[k]) || k > 0 && path.X[k] <= path.X[k-1] {
				t.Fatalf("%s at %v: %v in %v to %v", path.Name, path.X[k], path.Mean[k], path.Lo[k], path.Hi[k])
			}
		}
	}
	if got := s.driven(tuner); !strings.HasPrefix(got, "Moved further than chance alone would carry them (95 % each): ") || !strings.Contains(got, "`b_gain`") && !strings.Contains(got, "`a_E`") {
		t.Errorf("a bad start was left: %s", got)
	}
}
