package tuning

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/testmode"
)

// several returns tunings of a second from one start.
func several(seeds int, table map[string]any) *Config {
	defaults := map[string]any{
		"method": "quad", "params": "a_E,b_gain,b_M", "games": int64(400), "iters": nil, "pairs": nil, "seeds": int64(seeds),
		"select_pairs": int64(60), "verify_min": int64(100), "verify_pairs": int64(200),
	}
	for key, value := range table {
		defaults[key] = value
	}
	return small("bad", defaults)
}

// TestSeedsTuneIndependently expects several independent tunings that choose one result. The rows
// are the same at any number of workers and after kills in any phase; the first tuning equals a run
// of one.
func TestSeedsTuneIndependently(t *testing.T) {
	if testing.Short() {
		t.Skip("plays whole tunings again")
	}
	r := create(t, several(3, nil))
	want := playRun(t, r, 1)
	whole := r.Head.Dir

	alone := create(t, several(1, map[string]any{"seeds": nil, "select_pairs": nil, "verify_pairs": int64(0), "verify_min": int64(0)}))
	playRun(t, alone, 2)
	first, _ := rowsOf(t, alone.Head.Dir, phaseTune)
	again, _ := rowsOf(t, whole, phaseTune)
	if len(first) == 0 || len(first) != len(again) || !slices.Equal(first[len(first)-1].Best, again[len(again)-1].Best) {
		t.Errorf("the first of three tunings is not that of a run of one: %d and %d trials", len(again), len(first))
	}

	seen := map[string]string{}
	for _, phase := range []string{phaseTune, "tune-2", "tune-3", phaseSelect, phaseVerify} {
		trials, games := rowsOf(t, whole, phase)
		if len(trials) == 0 {
			t.Fatalf("nothing was played to %s", phase)
		}
		for _, g := range games {
			opening := g.Moves
			if other, ok := seen[opening]; ok && other != phase {
				t.Errorf("%s plays a game of %s: %s", phase, other, opening)
			}
			seen[opening] = phase
		}
		for _, row := range trials {
			trial, err := want.Trial(row)
			if err != nil || trial.Phase != phase || !slices.Equal(trial.Seats[0].Values, row.A) || !slices.Equal(trial.Seats[1].Values, row.B) {
				t.Errorf("%s, trial %d was asked as %+v (%v)", phase, row.Trial, trial, err)
			}
		}
	}

	seeds := want.Seeds()
	chosen := slices.IndexFunc(seeds, func(s seedResult) bool { return s.Chosen })
	if len(seeds) != 4 || chosen < 0 || !slices.Equal(seeds[chosen].Tuned, want.Recommend()) {
		t.Fatalf("%+v", seeds)
	}
	for k, s := range seeds {
		if s.Pairs == nil || s.Pairs.N() != 180 || s.Pairs.Score() > seeds[chosen].Pairs.Score() {
			t.Errorf("tuning %d scored %+v, and %d was chosen", k+1, s.Pairs, chosen+1)
		}
		for _, other := range seeds[:k] {
			if slices.Equal(s.Tuned, other.Tuned) {
				t.Errorf("tunings %d and %d are one: %v", other.Number, s.Number, s.Tuned)
			}
		}
	}
	if verify, _ := rowsOf(t, whole, phaseVerify); !slices.Equal(verify[0].A, want.Recommend()) {
		t.Errorf("verified %v, chosen %v", verify[0].A, want.Recommend())
	}
	if !strings.Contains(want.Head.Meta.Command, "--seeds 3 --select-pairs 60 ") {
		t.Error(want.Head.Meta.Command)
	}
	text := page(t, want)
	for _, part := range []string{"## The tunings", "## Agreement of the tunings", "(chosen)", "expected spread (steps)", "biases its score upwards"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	checkSeedsJSON(t, want)

	r = create(t, several(3, nil))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{phaseTune, 150}, {"tune-2", 20}, {"tune-3", 390}, {phaseSelect, 130}, {phaseVerify, 50}} {
		stopIn(t, r, at.phase, at.games)
		page(t, read(t, dir, Methods))
		r = resume(t, dir, Methods)
	}
	playRun(t, r, 4)
	sameRun(t, whole, dir)
	if got := page(t, read(t, dir, Methods)); !strings.Contains(got, "## Agreement of the tunings") {
		t.Error(got)
	}
}

func checkSeedsJSON(t *testing.T, result *Result) {
	t.Helper()
	var back struct {
		Seeds struct {
			Tunings   []seedResult
			Agreement []analysis.Agreement
		}
		Phases map[string]int64
	}
	if err := json.Unmarshal([]byte(asJSON(t, result)), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Seeds.Tunings) != 4 || len(back.Seeds.Agreement) != 3 || len(back.Seeds.Agreement[0].Places) != 3 || back.Seeds.Agreement[0].Promised == nil {
		t.Errorf("%+v", back.Seeds)
	}
	if back.Phases["tune"] != 400 || back.Phases["tune-3"] != 400 || back.Phases["select"] != 720 {
		t.Errorf("%v", back.Phases)
	}
}

// TestSeedsExtendTogether expects all tunings to continue, to be compared again and verified again.
func TestSeedsExtendTogether(t *testing.T) {
	testmode.SkipUnlessLong(t) // TestExtend for several tunings
	r := create(t, several(2, nil))
	playRun(t, r, 2)
	dir := r.Head.Dir
	longer, err := record.Extend(dir, with(Methods), record.Origin{}, extend(600))
	if err != nil {
		t.Fatal(err)
	}
	result := playRun(t, longer, 3)
	if !result.Finished() || result.tunes[1].Games() != 600 || result.selectPhase.Games() != 3*120 { // both results and their mean
		t.Errorf("%v", result.Played())
	}
	sum := int64(0)
	for _, phase := range result.playedPhases() {
		sum += phase.Value.(int64)
	}
	if sum != result.Played() {
		t.Errorf("phases of %d games, of %d: %v", sum, result.Played(), result.playedPhases())
	}
	config := several(2, map[string]any{"games": int64(600), "stop": []any{"400"}})
	// The verification keeps the length of the shorter run.
	again := create(t, config)
	playRun(t, again, 1)
	sameRun(t, again.Head.Dir, dir)
}

// TestAlikeSeedsNeedNoMatch expects no match of tunings that find nothing.
func TestAlikeSeedsNeedNoMatch(t *testing.T) {
	result := playRun(t, create(t, several(2, map[string]any{"params": "rush_dist", "method": "spsa", "games": nil, "iters": int64(1), "pairs": int64(1)})), 2)
	if len(result.finalists()) < 2 {
		if result.selectPhase.Games() != 0 || !strings.Contains(page(t, result), "ended with the same values") {
			t.Errorf("%v", result.Played())
		}
	}
	if !result.Finished() {
		t.Errorf("left to play: %s", result.next())
	}
}

// TestSeedsCompareAgainstOpponents compares the results by their scores against the opponents.
func TestSeedsCompareAgainstOpponents(t *testing.T) {
	testmode.SkipUnlessLong(t) // TestAgainst for several tunings
	result := playRun(t, create(t, several(2, map[string]any{"against": []any{"final", "v12.7"}, "against_pairs": int64(20), "games": int64(200)})), 3)
	trials, games := rowsOf(t, result.Head.Dir, phaseSelect)
	if len(games) != 3*2*2*60 { // both results and their mean
		t.Errorf("%d games to select", len(games))
	}
	for _, row := range trials {
		if trial, err := result.Trial(row); err != nil || !strings.HasPrefix(trial.Seats[0].Name, "tuned ") || strings.HasPrefix(trial.Seats[1].Name, "tuned") {
			t.Errorf("%+v (%v)", trial.Seats, err)
		}
	}
	if !result.Finished() {
		t.Errorf("left to play: %s", result.next())
	}
}

// TestSeedsAreRefusedByField refuses senseless settings by name.
func TestSeedsAreRefusedByField(t *testing.T) {
	for _, c := range []struct {
		table map[string]any
		want  string
	}{
		{map[string]any{"seeds": int64(0)}, "seeds 0: want 1 to 20"},
		{map[string]any{"seeds": int64(21)}, "seeds 21: want 1 to 20"},
		{map[string]any{"select_pairs": int64(0)}, "select_pairs 0: want at least 1"},
		{map[string]any{"seeds": int64(1)}, "select_pairs 60: chooses among several tunings"},
		{map[string]any{"seeds": nil}, "select_pairs 60: chooses among several tunings"},
		{map[string]any{"method": "grid", "grid": []any{"b_gain=0:10:5"}, "games": nil, "params": nil}, "method grid draws nothing"},
	} {
		if _, err := several(2, c.table).Plan(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.table, err, c.want)
		}
	}
}
