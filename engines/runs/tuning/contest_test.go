package tuning

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/reports/rating"
)

// fitted returns a small tuning of mills, whose evaluation has linear terms.
func fitted(table map[string]any) *Config {
	defaults := map[string]any{"game": "mills", "params": nil, "limits": "depth=1", "iters": int64(25), "screen_pairs": int64(0),
		"verify_min": int64(60), "verify_pairs": int64(120)}
	for key, value := range table {
		defaults[key] = value
	}
	return small("paper", defaults)
}

// TestContestEndsAlikeAfterStops plays tuned, fitted and midpoint values against each other and
// verifies the best. The rows are the same after any number of stops, with any number of workers.
func TestContestEndsAlikeAfterStops(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	whole := create(t, fitted(nil))
	result := playRun(t, whole, 1)
	trials, games := rowsOf(t, whole.Head.Dir, phaseFit)
	if len(trials) != 3 || len(games) != 60 {
		t.Fatalf("%d trials, %d games of the contest, want 3 pairings of 10 pairs", len(trials), len(games))
	}
	values := [][]float64{trials[0].A, trials[0].B, trials[1].B}
	if !slices.Equal(trials[0].A, result.current().Best) || slices.Equal(values[0], values[1]) || slices.Equal(values[1], values[2]) {
		t.Errorf("contestants are %v; the tuner found %v", values, result.current().Best)
	}
	best := 0
	for k, c := range result.contest.Contest() {
		if c.Estimate.Score > result.contest.Contest()[best].Estimate.Score {
			best = k
		}
	}
	if verified, _ := rowsOf(t, whole.Head.Dir, phaseVerify); !slices.Equal(result.Recommend(), values[best]) || !slices.Equal(verified[0].A, values[best]) {
		t.Errorf("%v is recommended and %v verified, want %s", result.Recommend(), verified[0].A, contestants[best])
	}
	want := page(t, result)
	if !strings.Contains(want, "## The tuner's values, fitted ones and the midpoint") ||
		!strings.Contains(want, contestantName(contestants[best], false)+" (chosen)") {
		t.Errorf("%s", want)
	}
	r := create(t, fitted(nil))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{phaseTune, 30}, {phaseTune, 400}, {phaseFit, 2}, {phaseVerify, 20}} {
		stopIn(t, r, at.phase, at.games)
		half := read(t, dir, Methods)
		if page(t, half); half.Finished() {
			t.Errorf("stopped in %s it is called finished", at.phase)
		}
		r = resume(t, dir, Methods)
	}
	playRun(t, r, 3)
	sameRun(t, whole.Head.Dir, dir)
	again := read(t, whole.Head.Dir, Methods)
	if got := page(t, again); got != want {
		t.Errorf("read again the page is\n%s\nwant\n%s", got, want)
	}
	if a, b := asJSON(t, result), asJSON(t, again); a != b || !strings.Contains(a, `"fit":{"chosen":"`+contestants[best]) {
		t.Errorf("read again it is\n%s\nwant\n%s", b, a)
	}
	// A note says that the evidence is about the tuner's values where others were chosen.
	if note := result.aside(&analysis.Analysis{}); (note != "") != (best > 0) {
		t.Errorf("%s was chosen, and %q is said", contestants[best], note)
	}
	if result.contest.winner = 1; result.aside(&analysis.Analysis{}) == "" || result.aside(nil) != "" {
		t.Error("fitted values were chosen, and nothing is said")
	}
}

// asJSON returns the output of --json.
func asJSON(t *testing.T, result *Result) string {
	t.Helper()
	o, err := result.JSON()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestContestTakesVerificationGames expects the contest's games to come out of the verification by
// default, no contest where nothing can be fitted, and the reason where one is requested.
func TestContestTakesVerificationGames(t *testing.T) {
	spec := func(a *Config) *Config {
		t.Helper()
		p, err := a.Plan()
		if err != nil {
			t.Fatal(err)
		}
		return p.Config.(*Config)
	}
	free := map[string]any{"verify_min": nil, "verify_pairs": nil}
	with := spec(fitted(free))
	free["fit_pairs"] = int64(0)
	if without := spec(fitted(free)); with.FitPairs < 1 || with.VerifyPairs+3*with.FitPairs != without.VerifyPairs || without.FitPairs != 0 {
		t.Errorf("%d pairs verify and %d a pairing choose; without a fit %d verify", with.VerifyPairs, with.FitPairs, without.VerifyPairs)
	}
	if s := spec(small("bad", nil)); s.FitPairs != 0 {
		t.Errorf("greedy Quoridor has a contest of %d pairs", s.FitPairs)
	}
	for _, c := range []struct {
		a    *Config
		want string
	}{
		{small("bad", map[string]any{"fit_pairs": int64(5)}), "fit_pairs 5: the player's evaluation has no linear terms"},
		{fitted(map[string]any{"fit_pairs": int64(5), "seeds": int64(2)}), "cannot be used with --seeds"},
		{fitted(map[string]any{"fit_pairs": int64(5), "against": []any{"strong"}}), "cannot be used with --against"},
		{fitted(map[string]any{"fit_pairs": int64(5), "params": "draw"}), "none of the tuned parameters is a weight"},
		{fitted(map[string]any{"fit_pairs": int64(5), "verify_min": nil, "verify_pairs": int64(0)}), "requires a verification"},
	} {
		if _, err := c.a.Plan(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestTransferNamesAlikeDecisions expects a note on values that change no decision at other limits.
// The players of these games are known without the phases before.
func TestTransferNamesAlikeDecisions(t *testing.T) {
	result := playRun(t, create(t, small("bad", map[string]any{"params": "a_E", "iters": int64(8), "verify_limits": "depth=2", "verify_min": int64(64),
		"verify_pairs": int64(64)})), 2)
	warnings := result.transfer.Warnings()
	if len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "`tuned@depth=2` and `start@depth=2` decided alike in all of ") {
		t.Errorf("values that are not used at depth=2: %v", warnings)
	}
	games := 0
	for g, err := range replay.Games(mustOpen(t, result.Head.Dir), datasets.Filter{Phase: phaseTransfer}) {
		if names := g.Game.Players; err != nil || !slices.Contains(names[:], "start") || !slices.Contains(names[:], "tuned") {
			t.Fatalf("%v, %v", names, err)
		}
		games++
	}
	if games != 2*result.transfer.results[0].N() {
		t.Errorf("%d games", games)
	}
}

// TestTransferWarnsOfLostGain plays the chosen and the fitted values against the start at other
// limits. A gain that is lost there is pointed out, an uncertain one is not.
func TestTransferWarnsOfLostGain(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	table := map[string]any{"verify_limits": "depth=2,nodes=50", "iters": int64(15)}
	whole := create(t, fitted(table))
	result := playRun(t, whole, 2)
	found := result.transfer.Transferred()
	names := []string{}
	for _, f := range found {
		names = append(names, f.Name+"@"+f.Limits)
	}
	if len(names) < 4 || !slices.Contains(names, "tuned@depth=2") || !slices.Contains(names, "fitted@nodes=50") {
		t.Errorf("played are %v", names)
	}
	r := create(t, fitted(table))
	dir := r.Head.Dir
	stopIn(t, r, phaseTransfer, 60)
	playRun(t, resume(t, dir, Methods), 3)
	sameRun(t, whole.Head.Dir, dir)
	want := page(t, result)
	if got := page(t, read(t, dir, Methods)); !strings.Contains(got, "## At other limits") || !strings.Contains(want, "## At other limits") {
		t.Errorf("%s", got)
	}
	chosen := contestants[result.contest.winner]
	if !strings.Contains(want, "| depth=2 | "+contestantName(chosen, true)+" |") {
		t.Errorf("the page does not call %s the tuned values:\n%s", chosen, want)
	}
	for k, c := range []struct{ chosen, other string }{{"tuned", "the tuner's"}, {"tuned (fitted)", "fitted"}, {"tuned (midpoint)", "midpoint"}} {
		if got, other := contestantName(contestants[k], true), contestantName(contestants[k], false); got != c.chosen || other != c.other {
			t.Errorf("%s is called %q if chosen and %q if not", contestants[k], got, other)
		}
	}
	result.verifyPhase.tallies = []rating.Pairs{{0, 0, 100, 100, 100}}
	for _, none := range []rating.Pairs{{0, 50, 100, 50, 0}, {2: 200}} { // also where they play alike
		for k := range result.transfer.results {
			result.transfer.results[k] = none
		}
		if warnings := result.transfer.Warnings(); len(warnings) != 2 || !strings.Contains(warnings[0].Error(), "disappears at depth=2: ") {
			t.Errorf("a gain that disappears is told as %v", warnings)
		}
	}
	for k := range result.transfer.results {
		result.transfer.results[k] = rating.Pairs{1, 2, 4, 3, 3}
	}
	if warnings := result.transfer.Warnings(); len(warnings) != 0 {
		t.Errorf("a few games: %v", warnings)
	}
	for text, want := range map[string]string{"depth=x": "depth=x", "playouts=7": "does not support", "depth=2,depth=02": "depth=02: given twice",
		result.Config.Start.Limits.String(): "the verification plays at these limits already"} {
		if _, err := fitted(map[string]any{"verify_limits": text}).Plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
