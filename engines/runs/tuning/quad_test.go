package tuning

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/quoridor"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/testmode"
)

// quadOf returns a tuning of three parameters by quad.
func quadOf(start string, table map[string]any) *Config {
	defaults := map[string]any{
		"method": "quad", "params": "a_E,b_gain,b_M", "iters": nil, "pairs": nil, "games": int64(1200),
		"verify_min": int64(300), "verify_pairs": int64(600),
	}
	for key, value := range table {
		defaults[key] = value
	}
	return small(start, defaults)
}

// TestQuadFindsLostStrength tunes from a start without its two main weights, and expects most of
// the strength. It plays the same after kills and at any number of workers.
func TestQuadFindsLostStrength(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	r := create(t, quadOf("bad", nil))
	want := playRun(t, r, 1)
	whole := r.Head.Dir
	if e, _ := want.Verified(); e == nil || e.Elo < 150 || want.Outcome() != shownBetter {
		t.Errorf("from bad: %s; %v", want.Conclusion(), want.Recommend())
	}
	trials, games := rowsOf(t, whole, phaseTune)
	if len(games) != 1200 || int64(len(games)) != want.Config.tuneGames() {
		t.Errorf("%d games in %d trials, want the 1200 that were asked", len(games), len(trials))
	}
	if c := want.Head.Meta.Command; !strings.Contains(c, "--method quad ") || !strings.Contains(c, " --params a_E,b_M,b_gain --pairs 1 --games 1200 ") {
		t.Error(c)
	}

	r = create(t, quadOf("bad", nil))
	playRun(t, r, 4)
	sameRun(t, whole, r.Head.Dir)

	r = create(t, quadOf("bad", nil))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{phaseTune, 2}, {phaseTune, 90}, {phaseTune, 700}, {phaseVerify, 100}} {
		stopIn(t, r, at.phase, at.games)
		if text := page(t, read(t, dir, Methods)); !strings.Contains(text, "not finished") {
			t.Errorf("report of an unfinished run:\n%.300s", text)
		}
		r = resume(t, dir, Methods)
	}
	playRun(t, r, 3)
	sameRun(t, whole, dir)
	quadPage(t, want, read(t, dir, Methods))
}

// checkAnalysis expects slices and regions as data, with their uncertainty.
func checkAnalysis(t *testing.T, s *analysis.Analysis) {
	t.Helper()
	if len(s.Slices) != 3 || len(s.Regions) != 3 || s.Scales == nil {
		t.Fatalf("%d slices, %d regions, %v", len(s.Slices), len(s.Regions), s.Scales)
	}
	for _, slice := range s.Slices {
		for i, p := range slice.Points {
			if !(p.Low <= p.Elo && p.Elo <= p.High) || i > 0 && p.Value <= slice.Points[i-1].Value {
				t.Errorf("%s: %+v", slice.Parameter, slice.Points)
			}
		}
	}
	for _, r := range s.Regions {
		if !(r.Deviations[0] >= 0 && r.Correlation >= -1 && r.Correlation <= 1 && r.AtBound >= 0 && r.AtBound <= 1) {
			t.Errorf("%+v", r)
		}
	}
}

// TestIdleParameterKeepsStart expects no best value of a parameter that changes nothing.
func TestIdleParameterKeepsStart(t *testing.T) {
	result := playRun(t, create(t, quadOf("bad", map[string]any{
		"params": "a_E,selfharm_bonus", "games": int64(60), "screen_pairs": int64(8), "verify_pairs": int64(0), "verify_min": nil,
	})), 1)
	text := page(t, result)
	if want := "| `selfharm_bonus` | 50 | 50 | - |"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// quadPage expects a report made of rows alone, with everything that the fit estimates.
func quadPage(t *testing.T, played, read *Result) {
	t.Helper()
	text := page(t, read)
	ofFit := func(text string) string {
		_, text, _ = strings.Cut(text, "## Importance")
		text, _, _ = strings.Cut(text, "## Sensitivity")
		return text
	}
	if a, b := ofFit(page(t, played)), ofFit(text); a == "" || a != b {
		t.Errorf("the record tells another fit than the run:\n%s\n%s", b, a)
	}
	for _, want := range []string{
		"Asked: tune 3 parameters of Quoridor 步步为营 by a quadratic fitted to 1,200 games.",
		"| best by its games (95 %) |", "## Importance", "## Interactions",
		"figures/effects.svg", "figures/pairs.svg",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "would recommend other values") {
		t.Errorf("the tuner told again disagrees with itself:\n%s", text)
	}
	shown, err := read.report()
	if s := shown.Analysis; s == nil || len(s.Importance) != 3 || len(s.Interactions) != 3 ||
		s.Importance[0].Loss.Elo < s.Importance[2].Loss.Elo || !(s.Games > 0 && s.Games <= 1200) {
		t.Errorf("%+v", s)
	}
	if s := shown.Analysis; s != nil {
		checkAnalysis(t, s)
	}
	if err != nil || len(shown.Optima) != 3 {
		t.Fatalf("%+v, %v", shown.Optima, err)
	}
	for _, o := range shown.Optima {
		p := quoridor.Game().Space[o.Param]
		if !(o.Low >= p.Min-1e-9 && o.Low < o.High && o.High <= p.Max+1e-9) || o.Value != read.Recommend()[o.Param] {
			t.Errorf("%s: %+v, recommended %v", p.Name, o, read.Recommend()[o.Param])
		}
	}
	// A tuner that learns the rows recommends the recorded values, bit for bit.
	tuner, err := read.current().tuner()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(tuner.Recommend(), read.Recommend()) {
		t.Errorf("told again it recommends %v, recorded are %v", tuner.Recommend(), read.Recommend())
	}
}

// TestQuadAgainstOpponent expects each of the two players to have the games of the budget, and no
// cross terms in a fit of one parameter.
func TestQuadAgainstOpponent(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes")
	}
	r := create(t, quadOf("bad", map[string]any{"against": "final", "against_pairs": int64(20), "games": int64(400), "params": "a_E"}))
	result := playRun(t, r, 2)
	if trials, games := rowsOf(t, r.Head.Dir, phaseTune); len(games) != 800 || len(trials) != 2*len(result.current().Trials) {
		t.Errorf("%d games, %d trials, %d of the tuner", len(games), len(trials), len(result.current().Trials))
	}
	text := page(t, result)
	if !strings.Contains(text, "against `final` by a quadratic fitted to 400 games") || strings.Contains(text, "## Interactions") ||
		strings.Contains(text, "figures/pairs.svg") || !strings.Contains(text, "figures/curve.svg") {
		t.Error(text)
	}
}

// TestQuadLeavesOut expects parameters that no quadratic can tune to keep their values, and to be
// named.
func TestQuadLeavesOut(t *testing.T) {
	result := playRun(t, create(t, quadOf("final", map[string]any{"params": "a_E,coin", "games": int64(20), "verify_min": nil,
		"verify_pairs": int64(0)})), 2)
	var list []string
	for _, w := range result.warnings() {
		list = append(list, w.Error())
	}
	if !slices.ContainsFunc(list, func(w string) bool {
		return strings.HasPrefix(w, "From the fit: coin chooses among names") && strings.Contains(w, "--method grid")
	}) {
		t.Errorf("%q", list)
	}
	if text := page(t, result); !strings.Contains(text, "| `coin` | random | random | - |") {
		t.Errorf("a name moved by steps:\n%s", text)
	}
	if _, err := quadOf("final", map[string]any{"params": "coin"}).Plan(); err == nil || !strings.Contains(err.Error(), "no parameter to tune: coin chooses among names") {
		t.Errorf("%v", err)
	}
}

// TestQuadBudgetFollowsGame expects a default budget by the game and the number of parameters.
func TestQuadBudgetFollowsGame(t *testing.T) {
	for _, c := range []struct {
		game, params string
		want         int
	}{
		{"quoridor", "", 15360}, // 40 times 32 for each of 12
		{"quoridor", "a_E", 1280},
		{"connectfour", "", 1000},  // at least
		{"quoridor", "iters", 640}, // 10 of 32 pairs
		{"connectfour", "iters", 160},
		{"quoridor", "iters,pairs", 40},
	} {
		a := New()
		table := map[string]any{"game": c.game, "method": "quad"}
		switch c.params {
		case "":
		case "iters,pairs":
			table["pairs"] = int64(2)
			fallthrough
		case "iters":
			table["iters"] = int64(10)
		default:
			table["params"] = c.params
		}
		if err := config.Table(a, table); err != nil {
			t.Fatal(err)
		}
		p, err := a.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Config.(*Config); fmt.Sprint(s.Settings["games"]) != fmt.Sprint(c.want) || s.tuneGames() != int64(c.want) {
			t.Errorf("%s %s: %v games, want %d", c.game, c.params, s.Settings["games"], c.want)
		}
	}
}

func TestQuadRefusesByField(t *testing.T) {
	for _, c := range []struct {
		field, want string
		table       map[string]any
	}{
		{"games", "0: want an even number from 2", map[string]any{"games": int64(0)}},
		{"games", "7: want an even number", map[string]any{"games": int64(7)}},
		{"games", "want an even number from 2 to 10000000000", map[string]any{"games": int64(1e12)}},
		{"pairs", "8: requires --iters with method quad", map[string]any{"pairs": int64(8)}},
		{"iters", "8: games says how long the tuning is, too", map[string]any{"iters": int64(8)}},
		{"iters", "0: want at least 1", map[string]any{"iters": int64(0), "games": nil}},
		{"games", "want an even number from 2", map[string]any{"iters": int64(1 << 30), "games": nil}},
		{"games", "cannot be used with method spsa: it is a setting of quad; spsa has iters, c-end", map[string]any{"method": "spsa"}},
	} {
		_, err := quadOf("final", c.table).Plan()
		if e, ok := errors.AsType[*config.Error](err); !ok || e.Field != c.field || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error of %s with %q", c.table, err, c.field, c.want)
		}
	}
}

// TestExtendedRunEqualsLonger expects an extended run to continue as if its budget had been larger
// from the start, after any kill. Its values are verified again on new openings; recorded rows
// stay.
func TestExtendedRunEqualsLonger(t *testing.T) {
	testmode.SkipUnlessLong(t) // tunes again and again
	// Config at once, with a stop where the other will have ended.
	r := create(t, quadOf("bad", map[string]any{"games": int64(1500), "stop": []any{"600"}, "against": "final", "against_pairs": int64(30), "rate_pairs": int64(2)}))
	want := playRun(t, r, 2)
	whole := r.Head.Dir

	short := quadOf("bad", map[string]any{"games": int64(600), "against": "final", "against_pairs": int64(30), "rate_pairs": int64(2)})
	r = create(t, short)
	first := playRun(t, r, 3)
	dir := r.Head.Dir
	longer := func() *record.Run {
		t.Helper()
		r, err := record.Extend(dir, with(Methods), record.Origin{CommandLine: "again"}, extend(1500))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r = longer()
	stopIn(t, r, phaseTune, 2000) // between 1,200 and 3,000: two of each compared
	if text := page(t, read(t, dir, Methods)); !strings.Contains(text, "not finished") {
		t.Errorf("report of an extended run that was stopped:\n%.300s", text)
	}
	stopIn(t, longer(), phaseVerify, 100) // once more changes nothing
	result := playRun(t, resume(t, dir, Methods), 1)
	for _, phase := range []string{phaseScreen, phaseTune, phaseRecheck, phaseVerify, phaseAgainst, phaseRate, phaseWorth} {
		trials, games := rowsOf(t, whole, phase)
		again, gamesAgain := rowsOf(t, dir, phase)
		if !reflect.DeepEqual(trials, again) || !reflect.DeepEqual(games, gamesAgain) {
			t.Errorf("rows of %s differ: %d and %d games", phase, len(games), len(gamesAgain))
		}
	}

	if e, _ := result.Verified(); e == nil || result.Outcome() != shownBetter || !slices.Equal(result.Recommend(), want.Recommend()) {
		t.Errorf("%v, want %v; %s", result.Recommend(), want.Recommend(), result.Conclusion())
	}
	meta := read(t, dir, Methods).Head.Meta
	if meta.Command != want.Head.Meta.Command || !strings.Contains(meta.Command, " --games 1500 --stop 600 ") ||
		len(meta.Extended) != 1 || meta.Extended[0].Command != first.Head.Meta.Command {
		t.Errorf("%q, %+v; want %q", meta.Command, meta.Extended, want.Head.Meta.Command)
	}
	// The first verification is in the record, on other openings than the second.
	rows, _ := rowsOf(t, dir, phaseVerify)
	openings := map[uint64]bool{}
	parts := map[string]int{}
	for _, row := range rows {
		if openings[row.Openings] {
			t.Errorf("openings %d are played twice", row.Openings)
		}
		openings[row.Openings] = true
		part, _ := result.Part(row)
		parts[part.Name]++
	}
	if len(parts) != 2 || parts[verifyPart] == 0 || parts["tuned by 600 games v start"] == 0 {
		t.Errorf("parts %v", parts)
	}
	// Games of every phase of both stages can be played again.
	rec, err := runs.Open(dir, with(Methods))
	if err != nil {
		t.Fatal(err)
	}
	for _, phase := range []string{phaseVerify, phaseAgainst, phaseRate} {
		rows, _ := rowsOf(t, dir, phase)
		for _, row := range []datasets.TrialRow{rows[0], rows[len(rows)-1]} {
			replay, err := replay.Find(rec, fmt.Sprintf("%d:0:0", row.Trial))
			if err != nil || replay.Trial.Phase != phase || !slices.Equal(replay.Trial.Seats[0].Values, row.A) || !slices.Equal(replay.Trial.Seats[1].Values, row.B) {
				t.Errorf("trial %d of %s: %+v, %v", row.Trial, phase, replay, err)
			}
		}
	}
	for games, want := range map[int]string{1000: "the run has a budget of 1,500 games; want more", 1501: "want an even number"} {
		if _, err := record.Extend(dir, with(Methods), record.Origin{}, extend(games)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("extended to %d games: %v", games, err)
		}
	}
	r = create(t, small("bad", map[string]any{"iters": int64(2), "pairs": int64(1)}))
	playRun(t, r, 1)
	if _, err := record.Extend(r.Head.Dir, with(Methods), record.Origin{}, extend(3000)); err == nil || !strings.Contains(err.Error(), "a tuning by spsa cannot be extended") {
		t.Error(err)
	}
}

// TestReportKeepsEarlierStops expects the earlier evidence in the report of an extended run, also
// before its end.
func TestReportKeepsEarlierStops(t *testing.T) {
	r := create(t, quadOf("bad", map[string]any{"games": int64(200), "verify_min": nil, "verify_pairs": int64(100)}))
	before := playRun(t, r, 2)
	dir := r.Head.Dir
	want := "## At earlier stops\n\nThe values tuned by an earlier stop were verified there in the same way, on openings of their own.\n\n" +
		"| tuning games | tuned against start |\n|---:|---|\n| 200 | " + strings.ReplaceAll(before.Conclusion(), ">", "&gt;") + " |\n"
	if e, _ := before.Verified(); e == nil || strings.Contains(page(t, before), "At earlier stops") {
		t.Errorf("%v\n%s", e, page(t, before))
	}
	r, err := record.Extend(dir, with(Methods), record.Origin{}, extend(400))
	if err != nil {
		t.Fatal(err)
	}
	stopIn(t, r, phaseTune, 300)
	if text := page(t, read(t, dir, Methods)); !strings.Contains(text, want) {
		t.Errorf("while it goes on: no %q in\n%s", want, text)
	}
	result := playRun(t, resume(t, dir, Methods), 2)
	if text := page(t, result); !strings.Contains(text, want) || result.Conclusion() == before.Conclusion() {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// TestExtendBeforeEndHasNoStop extends a run before its end, which leaves no stop there.
func TestExtendBeforeEndHasNoStop(t *testing.T) {
	testmode.SkipUnlessLong(t) // tunes again and again
	r := create(t, quadOf("bad", map[string]any{"verify_pairs": int64(0), "verify_min": nil}))
	dir := r.Head.Dir
	stopIn(t, r, phaseTune, 500)
	r, err := record.Extend(dir, with(Methods), record.Origin{}, extend(1400))
	if err != nil {
		t.Fatal(err)
	}
	result := playRun(t, r, 2)
	if _, games := rowsOf(t, dir, phaseTune); len(games) != 1400 || len(result.Config.Stops) != 0 {
		t.Errorf("%d games, stops %v", len(games), result.Config.Stops)
	}
	// A run without a phase after the tuning continues all the same.
	if r, err = record.Extend(dir, with(Methods), record.Origin{}, extend(2000)); err != nil {
		t.Fatal(err)
	}
	playRun(t, r, 2)
	playRun(t, resume(t, dir, Methods), 1)
	if _, games := rowsOf(t, dir, phaseTune); len(games) != 2000 {
		t.Errorf("%d games, want 2,000", len(games))
	}
}

func TestStopsAreRefusedByField(t *testing.T) {
	for _, c := range []struct {
		want  string
		table map[string]any
	}{
		{"increasing", map[string]any{"stop": []any{"400", "200"}}},
		{"below the 1,200 games", map[string]any{"stop": "1200"}},
		{"want even numbers", map[string]any{"stop": "13"}},
		{"cannot be used with method spsa", map[string]any{"method": "spsa", "games": nil, "iters": int64(9), "stop": "8"}},
	} {
		_, err := quadOf("final", c.table).Plan()
		if e, ok := errors.AsType[*config.Error](err); !ok || e.Field != "stop" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error of stop with %q", c.table, err, c.want)
		}
	}
}

// TestScaleByChance expects a note that the scale moved by chance where only ratios matter.
func TestScaleByChance(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes")
	}
	result := playRun(t, create(t, small("final", map[string]any{"method": "quad", "params": nil, "iters": nil, "pairs": nil,
		"games": int64(600), "screen_pairs": int64(0), "verify_pairs": int64(0), "verify_min": nil})), 2)
	if text := page(t, result); !strings.Contains(text, "matter, so their common scale moved by chance") {
		t.Error(text)
	}
}
