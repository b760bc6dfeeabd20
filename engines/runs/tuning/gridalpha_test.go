package tuning

import (
	"slices"
	"strings"
	"testing"
)

// dropping returns a grid of five values of one parameter, one of them hopeless, with error rate
// alpha.
func dropping(table map[string]any) *Config {
	defaults := map[string]any{
		"method": "grid", "params": nil, "iters": nil, "grid": "a_E=-20,-10,22,30,40", "alpha": 0.1, "pairs": int64(80),
		"verify_min": int64(8), "verify_pairs": int64(8),
	}
	for key, value := range table {
		defaults[key] = value
	}
	return small("final", defaults)
}

// stops expects a tuning by a method that may end before its budget to have the same rows at any
// number of workers and after kills, and to end with its tuner.
func stops(t *testing.T, config func() *Config, at []int64) (*Result, string) {
	t.Helper()
	r := create(t, config())
	want := playRun(t, r, 1)
	whole := r.Head.Dir
	if played, most := want.tunes[0].Games(), want.Config.tuneGames(); played > most || !want.Finished() {
		t.Errorf("%d of at most %d games, finished %v", played, most, want.Finished())
	}
	for _, p := range want.Config.planned() {
		if p.Phase == phaseTune && !p.AtMost {
			t.Error("the planned games of the tuning are not called the most")
		}
	}
	r = create(t, config())
	playRun(t, r, 4)
	sameRun(t, whole, r.Head.Dir)

	r = create(t, config())
	dir := r.Head.Dir
	for _, games := range at {
		stopIn(t, r, phaseTune, games)
		if text := page(t, read(t, dir, Methods)); !strings.Contains(text, "not finished") {
			t.Errorf("report of an unfinished run:\n%.300s", text)
		}
		r = resume(t, dir, Methods)
	}
	playRun(t, r, 3)
	sameRun(t, whole, dir)
	result := read(t, dir, Methods)
	if !result.Finished() {
		t.Error("the record tells of an unfinished run")
	}
	return result, page(t, result)
}

// TestGridDropsHopelessPoints expects a grid to give hopeless points up, to name its error rate,
// and to keep its table of all points.
func TestGridDropsHopelessPoints(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	result, text := stops(t, func() *Config { return dropping(nil) }, []int64{100, 300})
	for _, want := range []string{
		"80 game pairs each on the same openings at most; the risk of dropping the best one early is at most 10.0 %.",
		"at most 10.0 % over the whole grid", "the start itself: exactly even", "figures/response.svg",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if played, most := result.tunes[0].Games(), result.Config.tuneGames(); played > most*3/4 {
		t.Errorf("%d games of at most %d", played, most)
	}
	pairs := map[float64]int{}
	for _, trial := range result.current().Trials {
		pairs[trial.A[result.Config.task.Indices()[0]]] += trial.Pairs.N()
	}
	if pairs[-20] >= 80 || pairs[40] > 80 || pairs[22] != 0 {
		t.Errorf("pairs by value: %v", pairs)
	}
}

// TestGridDropAgainst: the points and the start play an opponent in turn.
func TestGridDropAgainst(t *testing.T) {
	result := playRun(t, create(t, dropping(map[string]any{"against": "bad", "against_pairs": int64(4), "pairs": int64(16), "grid": "rush_dist=2:6:1"})), 2)
	text := page(t, result)
	if !strings.Contains(text, "the start itself, against bad") && !strings.Contains(text, "Every point against bad") || !result.Finished() {
		t.Error(text)
	}
}

// TestGridDropsNames: a grid with alpha chooses among names, and all pairs of a dropped name are counted.
func TestGridDropsNames(t *testing.T) {
	result := playRun(t, create(t, dropping(map[string]any{"grid": []any{"coin=random,h", "rush_dist=2,4"}, "pairs": int64(24)})), 2)
	text := page(t, result)
	for _, want := range []string{"| random |", "| h |", "at most 10.0 % over the whole grid"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !result.Finished() || !slices.Equal(result.Config.Active, []string{"coin", "rush_dist"}) {
		t.Errorf("finished %v, tuned %v", result.Finished(), result.Config.Active)
	}
}

// TestGridDropRefusals: a wrong alpha is refused by its field, and a removed method or setting by its name.
func TestGridDropRefusals(t *testing.T) {
	for _, c := range []struct {
		field, want string
		table       map[string]any
	}{
		{"alpha", "1.5: want a chance above 0", map[string]any{"alpha": 1.5}},
		{"alpha", "cannot be used with method spsa: it is a setting of grid", map[string]any{"method": "spsa", "grid": nil}},
		{"alpha", "cannot be used with method quad", map[string]any{"method": "quad", "grid": nil}},
		{"grid", "two axes for a_E", map[string]any{"grid": []any{"a_E=1,2", "a_E=3,4"}}},
		{"grid", "did you mean rush_dist?", map[string]any{"grid": "rush_dis=1,2"}},
		{"params", "cannot be used with method grid", map[string]any{"params": "a_E"}},
		{"alpha", "0.1: a grid of 1,331 points; want at most 1000 of which", map[string]any{"grid": []any{"a_E=0:10:1", "a_M=0:10:1", "b_M=0:10:1"}}},
		{"method", "racing was removed: grid with --alpha", map[string]any{"method": "racing", "grid": nil, "alpha": nil}},
	} {
		_, err := dropping(c.table).Plan()
		if err == nil || !strings.Contains(err.Error(), c.want) || c.field != "" && !strings.HasPrefix(err.Error(), c.field) {
			t.Errorf("%v: %v; want %s %s", c.table, err, c.field, c.want)
		}
	}
}
