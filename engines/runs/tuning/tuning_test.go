package tuning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/quoridor"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/schedule"
	"selfplaylab/engines/testmode"
	"selfplaylab/params"
	"selfplaylab/params/paramfile"
	"selfplaylab/reports/figure"
)

// small returns the config of a tuning of a second from a preset; table holds other settings.
func small(start string, table map[string]any) *Config {
	return configure(newAsked("spsa", Methods), start, table)
}

func configure(a *Config, start string, table map[string]any) *Config {
	defaults := map[string]any{
		"game": "quoridor", "start": start, "params": "a_E,b_gain", "iters": int64(60), "pairs": int64(8),
		"screen_pairs": int64(2), "verify_min": int64(400), "verify_pairs": int64(750), "rate_pairs": int64(0), "seed": "7",
	}
	for key, value := range table {
		if defaults[key] = value; value == nil {
			delete(defaults, key)
		}
	}
	if err := config.Table(a, defaults); err != nil {
		panic(err)
	}
	return a
}

// gridOf returns a grid.
func gridOf(start string, pairs int, axes ...any) *Config {
	return small(start, map[string]any{"method": "grid", "params": nil, "iters": nil, "grid": axes, "pairs": int64(pairs)})
}

func create(t testing.TB, a *Config) *record.Run {
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

// playRun plays a run to its end.
func playRun(t testing.TB, r *record.Run, workers int) *Result {
	t.Helper()
	if err := r.Play(t.Context(), runs.Options{Workers: workers}); err != nil {
		t.Fatal(err)
	}
	return r.Result.(*Result)
}

func with(methods func() []Method) func(string) (runs.Kind, error) {
	return func(name string) (runs.Kind, error) {
		if name != Name {
			return runs.Kind{}, fmt.Errorf("is a run of %q, not of tune", name)
		}
		return kindOf(Name, "spsa", methods), nil
	}
}

// read reads a recorded run.
func read(t testing.TB, dir string, methods func() []Method) *Result {
	t.Helper()
	r, err := runs.Open(dir, with(methods))
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Result()
	if err != nil {
		t.Fatal(err)
	}
	return result.(*Result)
}

// page returns the report as text.
func page(t testing.TB, result *Result) string {
	t.Helper()
	p, err := result.Page()
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Markdown("figures")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// stopIn ends a run when it reports that number of games of a phase.
func stopIn(t testing.TB, r *record.Run, phase string, games int64) {
	t.Helper()
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	err := r.Play(ctx, runs.Options{Workers: 2, Progress: func(p runs.Progress) {
		if p.Phase == phase && p.Games >= games { // also replayed: the session before may have gone on for a while
			cancel(stop)
		}
	}})
	if !errors.Is(err, stop) {
		t.Fatalf("to be stopped in %s, ended with %v", phase, err)
	}
}

func resume(t testing.TB, dir string, methods func() []Method) *record.Run {
	t.Helper()
	r, err := record.Resume(dir, with(methods), record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// parts returns the bytes of all parts of both tables.
func parts(t testing.TB, dir string) []string {
	t.Helper()
	var all []string
	for _, table := range []string{"trials", "games"} {
		names, err := filepath.Glob(filepath.Join(dir, table, "*.parquet"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no parts of %s: %v", table, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, table, filepath.Base(name), string(data))
		}
	}
	return all
}

// sameRun expects equal rows and files of two runs with equal settings.
func sameRun(t testing.TB, a, b string) {
	t.Helper()
	if !slices.Equal(parts(t, a), parts(t, b)) {
		t.Error("rows differ")
	}
	for _, name := range []string{tunedName, startFile} {
		x, err := os.ReadFile(filepath.Join(a, name))
		y, err2 := os.ReadFile(filepath.Join(b, name))
		if err != nil || err2 != nil || string(x) != string(y) {
			t.Errorf("%s differs (%v, %v):\n%s\n%s", name, err, err2, x, y)
		}
	}
}

// rowsOf reads the rows of a phase, "" for all phases.
func rowsOf(t testing.TB, dir, phase string) (trials []datasets.TrialRow, games []datasets.GameRow) {
	t.Helper()
	return datasetstest.Rows(t, dir, datasets.Filter{Phase: phase})
}

// openings counts the different openings of four plies.
func openings(games []datasets.GameRow) int {
	seen := map[string]bool{}
	for _, g := range games {
		seen[strings.Join(strings.Fields(g.Moves)[:4], " ")] = true
	}
	return len(seen)
}

// TestRecoversFromBad tunes from a start without its two main weights, and expects most of the
// strength on fresh games.
func TestRecoversFromBad(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	r := create(t, small("bad", nil))
	result := playRun(t, r, 2)
	e, _ := result.Verified()
	if e == nil || e.Decided() != 1 || e.Elo < 200 || result.Outcome() != shownBetter || result.Outcome().keepStart() || result.remarks() != "" {
		t.Errorf("from bad: %s; %v", result.Conclusion(), result.Recommend())
	}
	path := filepath.Join(r.Head.Dir, tunedName)
	f, err := paramfile.Read(path, "quoridor", quoridor.Game().Space)
	if err != nil || !slices.Equal(f.Vector, result.Recommend()) || !strings.HasPrefix(f.Doc, "Better than the start: +") {
		t.Errorf("%s holds %v (%q): %v", tunedName, f.Vector, f.Doc, err)
	}
	start, err := paramfile.Read(filepath.Join(r.Head.Dir, startFile), "quoridor", quoridor.Game().Space)
	if err != nil || !slices.Equal(start.Vector, result.Config.Start.Values) {
		t.Errorf("%s holds %v: %v", startFile, start.Vector, err)
	}
}

// TestStoppedRunEndsAlike stops a run in any phase, several times. It ends as a run that was never
// stopped, and every output works at every stop.
func TestStoppedRunEndsAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes again and again")
	}
	table := map[string]any{"rate_pairs": int64(6), "params": "a_E,selfharm_bonus"} // one to check again
	r := create(t, small("bad", table))
	want := playRun(t, r, 1)
	whole := r.Head.Dir
	r = create(t, small("bad", table))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{phaseScreen, 2}, {phaseTune, 16}, {phaseTune, 500}, {phaseTune, 960}, {phaseRecheck, 4}, {phaseVerify, 10}, {phaseVerify, 200}, {phaseRate, 60}} {
		stopIn(t, r, at.phase, at.games)
		result := read(t, dir, Methods)
		if text := page(t, result); !strings.Contains(text, "not finished") || !strings.Contains(text, "tune --resume "+dir) {
			t.Errorf("report of an unfinished run:\n%.300s", text)
		}
		s, err := result.Summary()
		if err != nil || s.Finished || result.Outcome() != unverified && result.next().Name() != phaseRate || !strings.HasPrefix(s.Result, "unfinished, ") || s.What != "spsa of a_E, selfharm_bonus from bad" {
			t.Errorf("summary in %s: %+v (%v)", result.next().Name(), s, err)
		}
		if _, err := result.JSON(); err != nil {
			t.Error(err)
		}
		r = resume(t, dir, Methods)
	}
	got := playRun(t, r, 3)
	sameRun(t, whole, dir)
	for _, result := range []*Result{got, read(t, dir, Methods)} {
		if !result.Finished() || !slices.Equal(result.Recommend(), want.Recommend()) || result.Conclusion() != want.Conclusion() || result.Games.N != want.Games.N {
			t.Errorf("resumed: %v %s\nat once: %v %s", result.Recommend(), result.Conclusion(), want.Recommend(), want.Conclusion())
		}
		if text := page(t, result); strings.Contains(text, "not finished") || !strings.Contains(text, want.Conclusion()) {
			t.Errorf("report of the finished run:\n%.300s", text)
		}
	}
	s, err := want.Summary()
	if err != nil || !s.Finished || s.Result != want.Conclusion() || s.Estimate == nil {
		t.Errorf("%+v, %v", s, err)
	}
	// A finished one may be resumed: nothing is played.
	r = resume(t, dir, Methods)
	playRun(t, r, 2)
	sameRun(t, whole, dir)
	if n := len(r.Head.Sessions); r.Head.Sessions[n-1].Games != 0 {
		t.Errorf("a finished run played %+v", r.Head.Sessions[n-1])
	}
}

// TestGridReportsEachDimension expects exactly one half for the reference itself, the same openings
// for all points, and reports of one, two and three dimensions.
func TestGridReportsEachDimension(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays three grids")
	}
	for _, axes := range [][]any{
		{"b_gain=0:60:20"},
		{"b_gain=20,40", "a_E=0:22:11"},
		{"b_gain=20,40", "a_E=11,22", "b_M=5,6"},
	} {
		r := create(t, gridOf("final", 60, axes...))
		result := playRun(t, r, 2)
		trials, games := rowsOf(t, r.Head.Dir, phaseTune)
		if n := openings(games); n > 60 {
			t.Errorf("%v: %d openings, want the same 60 for every point", axes, n)
		}
		even := false
		for _, row := range trials {
			if slices.Equal(row.A, row.B) {
				even = row.Even == row.Pairs
			}
			part, ok := result.Part(row)
			if !ok || part.Seats[1].Name != "final" || part.Name != part.Seats[0].Name || strings.Count(part.Name, "=") != len(axes) {
				t.Errorf("trial %d counts for %+v, %v", row.Trial, part, ok)
			}
			for field := range strings.SplitSeq(part.Name, ",") {
				name, text, _ := strings.Cut(field, "=")
				space := quoridor.Game().Space
				if i := space.Index(name); space[i].Format(row.A[i]) != text {
					t.Errorf("trial %d is %s, but counts for %s", row.Trial, params.FormatValue(row.A[i]), part.Name)
				}
			}
		}
		if !even {
			t.Errorf("%v: the reference against itself is not even", axes)
		}
		text := page(t, result)
		if !strings.Contains(text, "the start itself: exactly even") || !strings.Contains(text, "Every point against the start") {
			t.Errorf("%v:\n%s", axes, text)
		}
	}
}

// TestGridKindIsTuning expects an experiment's grid to be a tuning by that method.
func TestGridKindIsTuning(t *testing.T) {
	k := gridKind()
	a := k.New()
	if err := config.Table(a, map[string]any{"game": "quoridor", "grid": "a_E=20,22"}); err != nil {
		t.Fatal(err)
	}
	p, err := a.Plan()
	if err != nil || p.Kind.Name != "tune" || p.Config.(*Config).Method != "grid" || p.Config.(*Config).Pairs != 500 || k.Name != "grid" {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestNothingFoundKeepsStart expects a grid in which nothing beats the start to verify nothing, and
// to advise to keep the start.
func TestNothingFoundKeepsStart(t *testing.T) {
	r := create(t, gridOf("final", 40, "a_E=-20,22"))
	result := playRun(t, r, 2)
	if e, _ := result.Verified(); e != nil || result.Outcome() != sameAsStart || !result.Outcome().keepStart() || !strings.Contains(result.Conclusion(), "nothing better") {
		t.Errorf("%s: %v", result.Conclusion(), result.Recommend())
	}
	if text := page(t, result); !strings.Contains(text, "Outcome: nothing better than the start was found.") || !strings.Contains(text, "Keep the start") {
		t.Errorf("%s", text)
	}
	data, err := os.ReadFile(filepath.Join(r.Head.Dir, tunedName))
	if err != nil || !strings.HasPrefix(string(data), "# The same as the start: ") {
		t.Errorf("%s (%v)", data, err)
	}
}

// TestLuckyGridIsFoundOut expects the verification to correct a grid that is lucky in two games,
// also in the first line of the file.
func TestLuckyGridIsFoundOut(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes")
	}
	for seed := range 40 { // a seed whose bad point wins both games it plays
		a := small("final", map[string]any{
			"method": "grid", "params": nil, "iters": nil, "grid": []any{"b_gain=-20,-19"}, "pairs": int64(1), "screen_pairs": int64(0),
			"verify_min": int64(64), "verify_pairs": int64(400), "seed": fmt.Sprint(seed),
		})
		r := create(t, a)
		result := playRun(t, r, 2)
		if result.Outcome() == sameAsStart {
			continue
		}
		if result.Outcome() != shownWorse || !result.Outcome().keepStart() || !strings.HasPrefix(result.Conclusion(), "worse: ") || !strings.HasPrefix(result.remarks(), "Keep the start: the tuned values are worse.") {
			t.Fatalf("%s: %s; %s", result.Outcome(), result.Conclusion(), result.remarks())
		}
		if text := page(t, result); !strings.Contains(text, "Keep the start: the tuned values are worse.") {
			t.Errorf("%.600s", text)
		}
		data, err := os.ReadFile(filepath.Join(r.Head.Dir, candidateName))
		if err != nil || !strings.HasPrefix(string(data), "# WORSE THAN THE START: -") || !strings.Contains(string(data), " To see them play, in this folder: selfplay match --game quoridor --rules variant=seed --a candidate.toml --b start.toml") {
			t.Errorf("%s (%v)", data, err)
		}
		keepsStart(t, result)
		return
	}
	t.Fatal("no seed in which the bad point is lucky")
}

// keepsStart expects a run without a gain to leave the start's values for use, and the tuning's own
// under another name.
func keepsStart(t *testing.T, result *Result) {
	t.Helper()
	space := quoridor.Game().Space
	for name, want := range map[string]params.Vector{tunedName: result.Config.Start.Values, candidateName: result.Recommend()} {
		f, err := paramfile.Read(filepath.Join(result.Head.Dir, name), "quoridor", space)
		if err != nil || !slices.Equal(f.Vector, want) || f.Edited {
			t.Errorf("%s holds %v (%q), want %v: %v", name, f.Vector, f.Doc, want, err)
		}
	}
	var out strings.Builder
	if err := result.Text(&out, runs.Ended{Report: "report.html"}); err != nil || !strings.Contains(out.String(), "candidate   "+result.Head.Dir) {
		t.Errorf("%s (%v)", &out, err)
	}
	var o struct{ Start, Tuned, Candidate map[string]float64 }
	if err := json.Unmarshal([]byte(asJSON(t, result)), &o); err != nil || !maps.Equal(o.Tuned, o.Start) || maps.Equal(o.Candidate, o.Start) {
		t.Errorf("start %v, tuned %v, candidate %v: %v", o.Start, o.Tuned, o.Candidate, err)
	}
	if text := page(t, result); !strings.Contains(text, "`tuned.toml` holds the start's values") {
		t.Errorf("%.900s", text)
	}
	if rated, err := pool(result.Head.Variant.Game, player.AskAll(result.Head.Dir), engines.Limits{}); err != nil || !slices.Equal(rated[0].Values, result.Config.Start.Values) {
		t.Errorf("the pool rates %v: %v", rated, err)
	}
}

// TestEdgeOfAxisIsReported expects a note on a best point at the end of its axis, with the side to
// extend.
func TestEdgeOfAxisIsReported(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	result := playRun(t, create(t, gridOf("bad", 60, "a_E=0:10:5")), 2)
	var edge *edgeWarning
	for _, w := range result.warnings() {
		if e, ok := errors.AsType[*edgeWarning](w); ok {
			edge = e
		}
	}
	if edge == nil || edge.Param != "a_E" || edge.Value != "10" || edge.Bound || edge.Side != "above" {
		t.Fatalf("%v: %+v", result.Recommend(), edge)
	}
	if text := page(t, result); !strings.Contains(text, "better ones may lie above. Extend the axis there.") {
		t.Errorf("%.900s", text)
	}
	result = playRun(t, create(t, gridOf("final", 200, "b_gain=-20:100:40")), 2)
	for _, w := range result.warnings() {
		if e, ok := errors.AsType[*edgeWarning](w); ok {
			t.Errorf("%v: %v", result.Recommend(), e)
		}
	}
}

// TestIdleParametersAreNamed names parameters that change no decision, alone and together with
// others that do.
func TestIdleParametersAreNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	for _, c := range []struct{ active, want string }{
		{"selfharm_bonus", "`selfharm_bonus` changed 0 of"},
		{"selfharm_bonus,rush_bonus", "`selfharm_bonus`, `rush_bonus`, moved together, changed 0 of"},
		{"a_E,selfharm_bonus", "`selfharm_bonus` changed 0 of"},
		{"a_E,b_gain", ""},
	} {
		result := playRun(t, create(t, small("final", map[string]any{
			"params": c.active, "iters": int64(10), "verify_min": int64(8), "verify_pairs": int64(8), "screen_pairs": int64(8),
		})), 2)
		got := ""
		for _, w := range result.warnings() {
			if e, ok := errors.AsType[*idleWarning](w); ok {
				got = e.Error()
			}
		}
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.active, got, c.want)
		}
		if !strings.Contains(page(t, result), c.want) {
			t.Errorf("%s: the report does not say so", c.active)
		}
		for _, name := range []string{"selfharm_bonus", "rush_bonus"} { // parameters without effect keep their start values
			if i := result.spec.task.Space().Index(name); result.Recommend()[i] != result.spec.Start.Values[i] {
				t.Errorf("%s: %s = %v is recommended; the start has %v", c.active, name, result.Recommend()[i], result.spec.Start.Values[i])
			}
		}
		if alike := !strings.Contains(c.active, "a_E"); alike != (result.Outcome() == sameAsStart) {
			t.Errorf("%s: %s", c.active, result.Outcome())
		}
		for _, r := range result.recheck.tested { // its start value was compared with the tuned one
			if start := result.spec.Start.Values[r.Param]; r.Down > start || r.Up < start {
				t.Errorf("%s: %v to %v were tested, without the start's %v", c.active, r.Down, r.Up, start)
			}
		}
	}
}

// TestAgainstSharesOpenings expects both candidates to play the opponent in turn on the same
// openings, within their own limits. The verdict is tuned against start; both results against the
// opponent are reported.
func TestAgainstSharesOpenings(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	table := map[string]any{
		"against": "strong:final@time=50s", "against_pairs": int64(60), "rate_pairs": int64(4), "iters": int64(40),
	}
	r := create(t, small("bad", table))
	want := playRun(t, r, 1)
	whole := r.Head.Dir
	trials, _ := rowsOf(t, whole, phaseTune)
	final, err := quoridor.Game().Preset("final")
	if err != nil {
		t.Fatal(err)
	}
	if len(trials) != 80 || len(want.current().Trials) != 40 {
		t.Fatalf("%d trials for %d of the tuner", len(trials), len(want.current().Trials))
	}
	for i, row := range trials {
		if !slices.Equal(row.B, final.Vector) || row.Openings != uint64(i/2) {
			t.Errorf("trial %d plays %v on openings %d", i, row.B, row.Openings)
		}
		trial, err := want.Trial(row)
		if err != nil || trial.Seats[1].Name != "strong" || trial.Seats[1].Limits.Time != 50*time.Second || trial.Seats[0].Limits.Time != 0 {
			t.Errorf("trial %d was asked as %+v (%v)", i, trial, err)
		}
	}
	opposed := want.Opposed()
	if len(opposed) != 2 || opposed[0].Pairs.N() != 60 || opposed[1].Pairs.N() != 60 || opposed[1].Estimate.Elo <= opposed[0].Estimate.Elo {
		t.Errorf("%+v", opposed)
	}
	if want.Outcome() != shownBetter {
		t.Errorf("%s", want.Conclusion())
	}
	text := page(t, want)
	for _, part := range []string{"## Against the opponent", "against `strong`", "verification and against the opponents are included", "| opponent strong |", "that play the opponent in turn"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if !strings.Contains(want.Head.Meta.Command, "--against a_E=22,") || !strings.Contains(want.Head.Meta.Command, "@time=50s --against-pairs 60 ") {
		t.Error(want.Head.Meta.Command)
	}
	// Stopped between both halves of a trial, and among the games of the opponent.
	r = create(t, small("bad", table))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{phaseTune, 11 * 16}, {phaseAgainst, 100}, {phaseRate, 8}} {
		stopIn(t, r, at.phase, at.games)
		page(t, read(t, dir, Methods))
		r = resume(t, dir, Methods)
	}
	playRun(t, r, 3)
	sameRun(t, whole, dir)
}

// TestGridShowsScoresAgainstOpponent expects the points of a grid with their scores against the
// opponent, next to the start.
func TestGridShowsScoresAgainstOpponent(t *testing.T) {
	testmode.SkipUnlessLong(t) // TestAgainstSharesOpenings for a grid
	a := gridOf("bad", 60, "b_gain=0:40:20")
	a.Against = player.AskAll("final")
	r := create(t, a)
	result := playRun(t, r, 2)
	text := page(t, result)
	if !strings.Contains(text, "Every point against final") || strings.Contains(text, "the start itself") {
		t.Error(text)
	}
	trials, _ := rowsOf(t, r.Head.Dir, phaseTune)
	points := map[string]int32{}
	for _, row := range trials {
		if part, ok := result.Part(row); ok {
			points[part.Name+" v "+part.Seats[1].Name] += row.Pairs
		}
	}
	if len(points) != 3 || points["b_gain=20 v final"] != 60 {
		t.Errorf("%v", points)
	}
}

// TestConductHoldsInEveryPhase expects openings of a file, adjudication and limits of the start in
// every phase, and in a run that was stopped.
func TestConductHoldsInEveryPhase(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays a tuning twice")
	}
	book := filepath.Join(t.TempDir(), "book.txt")
	if err := os.WriteFile(book, []byte("e2 e8\ne2 e8 e3\ne2 d9 e3 d8\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	table := map[string]any{
		"openings": book, "max_plies": int64(60), "start": "bad@time=30s", "iters": int64(10), "verify_min": int64(64), "verify_pairs": int64(64), "rate_pairs": int64(2),
	}
	r := create(t, small("bad", table))
	result := playRun(t, r, 1)
	whole := r.Head.Dir
	_, games := rowsOf(t, whole, "")
	for _, g := range games {
		if g.OpeningPlies < 2 || g.OpeningPlies > 4 || g.Plies > 60 {
			t.Fatalf("%+v", g)
		}
	}
	text := page(t, result)
	var printed strings.Builder
	if err := result.Text(&printed, runs.Ended{}); err != nil || !strings.Contains(printed.String(), " pairs on openings drawn anew from the file") {
		t.Errorf("%v:\n%s", err, &printed)
	}
	for _, part := range []string{"openings drawn anew from the file", "adjudicated", "`" + book + "`, 3 openings"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if result.Head.Meta.Limits != "time=30s" || !strings.Contains(result.Head.Meta.Command, "@time=30s --params") || !strings.Contains(result.Head.Meta.Command, "--openings sha256:") {
		t.Error(result.Head.Meta.Limits, result.Head.Meta.Command)
	}
	r = create(t, small("bad", table))
	dir := r.Head.Dir
	stopIn(t, r, phaseVerify, 20)
	playRun(t, resume(t, dir, Methods), 3)
	sameRun(t, whole, dir)
	data, err := os.ReadFile(filepath.Join(dir, tunedName))
	if err != nil || result.Outcome() == shownBetter && !strings.Contains(string(data), "--a tuned.toml@time=30s --b start.toml@time=30s") {
		t.Errorf("%s (%v)", data, err)
	}
}

// TestTunedValuesArePlayer expects the tuned values to play like any player, with the verified
// strength.
func TestTunedValuesArePlayer(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	r := create(t, small("bad", nil))
	playRun(t, r, 2)
	m := match.New()
	if err := config.Table(m, map[string]any{
		"game": "quoridor", "a": filepath.Join(r.Head.Dir, tunedName), "b": filepath.Join(r.Head.Dir, startFile), "pairs": int64(200),
	}); err != nil {
		t.Fatal(err)
	}
	p, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	m2, err := record.New(p, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m2.Play(t.Context(), runs.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	if e := m2.Result.(*match.Result).Estimate(); e.Decided() != 1 {
		t.Errorf("tuned against start: %v", e)
	}
}

// TestPanelsFollowRows expects the path of each parameter to be made of rows, from the start to the
// recommendation, with a bounded number of points, and its range.
func TestPanelsFollowRows(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	r := create(t, small("bad", map[string]any{"iters": int64(maxPath + 7), "pairs": int64(2), "screen_pairs": int64(0), "verify_pairs": int64(0), "verify_min": nil}))
	result := playRun(t, r, 2)
	panels, err := result.panels()
	if err != nil || len(panels.List) != 2 {
		t.Fatalf("%d panels, %v", len(panels.List), err)
	}
	for _, panel := range panels.List {
		i := quoridor.Game().Space.Index(panel.Name)
		p, points := quoridor.Game().Space[i], panel.Paths[0]
		if len(panel.Paths) != 1 || panel.Min != p.Min || panel.Max != p.Max || panel.Starts[0] != result.Config.Start.Values[i] {
			t.Errorf("%+v", panel)
		}
		end := points[len(points)-1]
		if points[0] != (figure.Point{Y: panel.Starts[0]}) || end.X != 4*(maxPath+7) || end.Y != result.Recommend()[i] || len(points) > maxPath+1 {
			t.Errorf("%s: %d points from %v to %v", panel.Name, len(points), points[0], end)
		}
		for k, at := range points[1:] {
			if row := result.current().Trials[int(at.X)/4-1]; at.X <= points[k].X || at.Y != row.Best[i] {
				t.Fatalf("%s at %v: %v, want %v", panel.Name, at.X, at.Y, row.Best[i])
			}
		}
	}
	if text := page(t, result); strings.Contains(text, "chance alone") || !strings.Contains(text, "figures/values.svg") {
		t.Errorf("%s", text)
	}
}

// TestVerificationFollowsTuning expects the length of the verification to follow the tuning within
// bounds, and given lengths to be kept.
func TestVerificationFollowsTuning(t *testing.T) {
	for _, c := range []struct {
		table       map[string]any
		most, least int
	}{
		{map[string]any{"iters": int64(1000)}, 9600, 1920},                      // a third would be 10,666: 300 times 32
		{map[string]any{"iters": int64(400)}, 4266, 1920},                       // a third of 12,800
		{map[string]any{"iters": int64(10)}, 1920, 1920},                        // at least 60 times 32
		{map[string]any{"iters": int64(10), "verify_pairs": int64(50)}, 50, 50}, // the least gives way
		{map[string]any{"iters": int64(10), "verify_min": int64(500)}, 1920, 500},
		{map[string]any{"iters": int64(400), "against": "bad"}, 8533, 1920}, // twice the games
		{map[string]any{"verify_sprt": "elo0=0,elo1=5"}, 2560, 0},           // a third of 7,680
		{map[string]any{"verify_pairs": int64(0)}, 0, 0},
	} {
		a := New()
		if err := config.Table(a, c.table); err != nil {
			t.Fatal(err)
		}
		a.Game.Game = "quoridor"
		p, err := a.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Config.(*Config); s.VerifyPairs != c.most || s.VerifyMin != c.least {
			t.Errorf("%v: %d to %d pairs, want %d to %d", c.table, s.VerifyMin, s.VerifyPairs, c.least, c.most)
		}
	}
}

// TestRefusalsNameField expects the field in each error, and nothing made.
func TestRefusalsNameField(t *testing.T) {
	for _, c := range []struct {
		field, want string
		table       map[string]any
	}{
		{"method", `unknown method; did you mean spsa?`, map[string]any{"method": "spsaa"}},
		{"c_end", "want more than 0", map[string]any{"c_end": -1.}},
		{"c_end", "0: want more than 0", map[string]any{"c_end": 0.}},
		{"iters", "0: want at least 1", map[string]any{"iters": int64(0)}},
		{"pairs", "0: want at least 1", map[string]any{"pairs": int64(0)}},
		{"pairs", "want at most 20000 of an iteration", map[string]any{"pairs": int64(1e12)}},
		{"start", "no preset", map[string]any{"start": "v99"}},
		{"set", "unknown parameter", map[string]any{"set": "a_X=1"}},
		{"params", "unknown parameter", map[string]any{"params": "a_X"}},
		{"freeze", "unknown parameter", map[string]any{"freeze": "a_X"}},
		{"verify_min", "5 is more than the 4 pairs", map[string]any{"verify_min": int64(5), "verify_pairs": int64(4)}},
		{"verify_min", "want at least 1", map[string]any{"verify_min": int64(0)}},
		{"verify_min", "cannot be used with --verify-sprt", map[string]any{"verify_sprt": "elo0=0,elo1=5"}},
		{"verify_sprt", "requires a verification", map[string]any{"verify_sprt": "elo0=0,elo1=5", "verify_min": nil, "verify_pairs": int64(0)}},
		{"screen_pairs", "-1: want at least 1, or 0 for none", map[string]any{"screen_pairs": int64(-1)}},
		{"rate_pairs", "-1: want at least 1, or 0 for none", map[string]any{"rate_pairs": int64(-1)}},
		{"verify_pairs", "or 0 for no verification", map[string]any{"verify_pairs": int64(-1), "verify_min": nil}},
		{"against_pairs", "requires an opponent", map[string]any{"against_pairs": int64(5)}},
		{"against", "no preset", map[string]any{"against": "v99"}},
		{"confidence", "want above 0.5", map[string]any{"confidence": 1.0}},
		{"opening_plies", "want 0 to", map[string]any{"opening_plies": int64(1000)}},
		{"rules", "variant", map[string]any{"rules": "variant=house"}},
		{"grid", "cannot be used with method spsa: it is a setting of grid", map[string]any{"grid": "a_E=1,2"}},
		{"iters", "cannot be used with method grid: it is a setting of quad and spsa", map[string]any{"method": "grid", "params": nil, "grid": "a_E=1,2"}},
		{"c_end", "cannot be used with method grid", map[string]any{"method": "grid", "params": nil, "iters": nil, "c_end": 1., "grid": "a_E=1,2"}},
		{"params", "cannot be used with method grid", map[string]any{"method": "grid", "iters": nil, "grid": "a_E=1,2"}},
		{"grid", "that is one value", map[string]any{"method": "grid", "params": nil, "iters": nil, "grid": "a_E=1"}},
		{"grid", "want at least one axis", map[string]any{"method": "grid", "params": nil, "iters": nil}},
		{"grid", "two axes for a_E", map[string]any{"method": "grid", "params": nil, "iters": nil, "grid": []any{"a_E=1,2", "a_E=3,4"}}},
	} {
		_, err := small("final", c.table).Plan()
		if e, ok := errors.AsType[*config.Error](err); !ok || e.Field != c.field || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error of %s with %q", c.table, err, c.field, c.want)
		}
	}
	if _, err := small("final", map[string]any{"freeze": "a_E,b_gain"}).Plan(); err == nil || !strings.Contains(err.Error(), "nothing left to tune") {
		t.Error(err)
	}
	if _, err := small("final", map[string]any{"params": "coin"}).Plan(); err == nil || !strings.Contains(err.Error(), "use grid search") {
		t.Error(err)
	}
}

// TestImpossibleSpecsNameKey refuses a [spec] that no program would write by the name of its key.
func TestImpossibleSpecsNameKey(t *testing.T) {
	r := create(t, small("final", map[string]any{"verify_pairs": int64(0), "verify_min": nil, "iters": int64(2)}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing recorded: parts of another run have errors of their own
	if err := r.Play(ctx, runs.Options{Workers: 1}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	set := func(value any, keys ...string) func(*datasets.Meta, map[string]any) {
		return func(_ *datasets.Meta, spec map[string]any) { datasetstest.Set(spec, value, keys...) }
	}
	rename := func(name string, keys ...string) func(*datasets.Meta, map[string]any) {
		return func(_ *datasets.Meta, spec map[string]any) { datasetstest.Rename(spec, name, keys...) }
	}
	for _, c := range []struct {
		name, want string
		change     func(*datasets.Meta, map[string]any)
	}{
		{"kind", "not of tune", func(m *datasets.Meta, _ map[string]any) { m.Kind = "match" }},
		{"method", "unknown method", set("spas", "method")},
		{"itres", "did you mean iters?", rename("itres", "settings", "iters")},
		{"piars", `unknown key "spec.piars"`, rename("piars", "pairs")},
		{"screen_pairs", "screen_pairs -2: want at least 1", set(int64(-2), "screen_pairs")},
		{"unknown active", `unknown parameter "a_X"`, set([]any{"a_X", "b_gain"}, "active")},
		{"level", "confidence", set(math.NaN(), "level")},
		{"values", "out of range", func(_ *datasets.Meta, spec map[string]any) {
			spec["start"].(map[string]any)["values"].([]any)[0] = 2200.0
		}},
		{"c_end", "want more than 0", set(-1., "settings", "c_end")},
	} {
		dir := filepath.Join(t.TempDir(), "forged")
		if err := datasetstest.Forge(r.Head.Dir, dir, c.change); err != nil {
			t.Fatal(err)
		}
		if _, err := runs.Open(dir, with(Methods)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestTrialsReplayAsRecorded expects the planned form of every recorded trial.
func TestTrialsReplayAsRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes")
	}
	r := create(t, small("bad", map[string]any{"iters": int64(3), "verify_min": int64(16), "verify_pairs": int64(16), "rate_pairs": int64(1), "params": "a_E,selfharm_bonus", "against": "final", "against_pairs": int64(3)}))
	result := playRun(t, r, 2)
	again, err := small("bad", map[string]any{"iters": int64(3), "verify_min": int64(16), "verify_pairs": int64(16), "rate_pairs": int64(1), "params": "a_E,selfharm_bonus", "against": "final", "against_pairs": int64(3)}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	copied, err := record.New(again, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	phases := map[string]bool{}
	for f, err := range schedule.Recorded(mustRead(t, r.Head.Dir), datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		trial, err := result.Trial(f.Trial)
		if err != nil {
			t.Fatal(err)
		}
		c := schedule.Runner{Setup: mustOpen(t, r.Head.Dir).PlaySetup(), Pool: schedule.Local{Variant: copied.Head.Variant, Workers: 1}}
		var got []datasets.GameRow
		c.Observe = func(f schedule.Finished) error { got = f.Games; return nil }
		if err := c.Run(t.Context(), &schedule.Listed{Trials: []schedule.Trial{trial}}); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i].Trial = f.Trial.Trial
		}
		if !reflect.DeepEqual(got, f.Games) {
			t.Errorf("trial %d of %s plays other games", f.Trial.Trial, f.Trial.Phase)
		}
		phases[f.Trial.Phase] = true
	}
	if len(phases) != 6 {
		t.Errorf("only phases %v", phases)
	}
}

func mustRead(t testing.TB, dir string) *datasets.Log {
	t.Helper()
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func mustOpen(t testing.TB, dir string) *runs.Recorded {
	t.Helper()
	r, err := runs.Open(dir, with(Methods))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestJSONHasReliableParts expects one object with the parts that other programs read.
func TestJSONHasReliableParts(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes")
	}
	result := playRun(t, create(t, small("bad", map[string]any{"rate_pairs": int64(2)})), 2)
	data := []byte(asJSON(t, result))
	var got struct {
		Outcome, Verdict string
		Start, Tuned     map[string]float64
		Estimate         struct{ Elo float64 }
		Ratings          []struct {
			Name string
			Elo  float64
		}
		Phases   map[string]int64
		Games    int64
		Finished bool
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	var games int64
	for _, n := range got.Phases {
		games += n
	}
	if got.Outcome != "better" || got.Verdict != result.Conclusion() || got.Tuned["a_E"] != result.Recommend()[0] || got.Start["a_E"] != 0 || !got.Finished || got.Games != games ||
		got.Games != int64(result.Games.N) || len(got.Ratings) < 3 || got.Ratings[1].Name != "tuned" {
		t.Errorf("%s", data)
	}
	// Both estimates of one thing agree: each is of the verification's games, and
	// the ratings have four more.
	if d := got.Ratings[1].Elo - got.Estimate.Elo; d > 30 || d < -30 {
		t.Errorf("rated %v above the start, verified %v", got.Ratings[1].Elo, got.Estimate.Elo)
	}
}
