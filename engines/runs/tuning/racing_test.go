package tuning

import (
	"fmt"
	"strings"
	"testing"
)

// raceOf asks for a race among four values of one parameter, one of them hopeless.
func raceOf(table map[string]any) *Config {
	usual := map[string]any{
		"method": "racing", "params": nil, "iters": nil, "choice": "a_E=-20,-10,22,30,40", "pairs": int64(80),
		"verify_min": int64(8), "verify_pairs": int64(8),
	}
	for key, value := range table {
		usual[key] = value
	}
	return small("final", usual)
}

// stops: a tuning by a method that may end before its budget is one run at any
// number of workers and through kills, and is over when its tuner says so.
func stops(t *testing.T, asked func() *Config, at []int64) (*Result, string) {
	t.Helper()
	r := create(t, asked())
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
	r = create(t, asked())
	playRun(t, r, 4)
	sameRun(t, whole, r.Head.Dir)

	r = create(t, asked())
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
	told := read(t, dir, Methods)
	if !told.Finished() {
		t.Error("the record tells of an unfinished run")
	}
	return told, page(t, told)
}

// TestRacingUndecided: a race that its budget ends names all that it could not tell apart.
func TestRacingUndecided(t *testing.T) {
	told := playRun(t, create(t, raceOf(map[string]any{"choice": "a_E=15,19,26", "pairs": int64(16)})), 2)
	warnings := fmt.Sprint(told.warnings())
	if want := "These games do not separate: a_E=15; a_E=19; a_E=26; the start."; !strings.Contains(warnings, want) {
		t.Errorf("no %q in %s", want, warnings)
	}
}

func TestRacing(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays a tuning three times")
	}
	told, text := stops(t, func() *Config { return raceOf(nil) }, []int64{8, 200})
	for _, want := range []string{
		"Asked: race 4 choices of a_E of Quoridor 步步为营 against the start, at most 320 game pairs; the risk of dropping the best one is at most 5.0 %.",
		"## The race", "| a_E=-20 |", "dropped out", "figures/choices.svg",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if c := told.Head.Meta.Command; !strings.Contains(c, "--method racing ") || !strings.Contains(c, " --choice a_E=-20,-10,22,30,40 --alpha 0.05 ") {
		t.Error(c)
	}
}

// TestGridDrop: a grid gives hopeless points up, says so with its error rate, and
// keeps its table of all points.
func TestGridDrop(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	asked := func() *Config {
		return raceOf(map[string]any{"method": "grid", "choice": nil, "grid": "a_E=-20,-10,22,30,40", "drop": 0.1})
	}
	told, text := stops(t, asked, []int64{100, 300})
	for _, want := range []string{
		"80 game pairs each on the same openings at most; the risk of dropping the best one early is at most 10.0 %.",
		"at most 10.0 % over the whole grid", "the start itself: exactly even", "figures/response.svg",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if played, most := told.tunes[0].Games(), told.Config.tuneGames(); played > most*3/4 {
		t.Errorf("%d games of at most %d", played, most)
	}
	pairs := map[float64]int{}
	for _, trial := range told.current().Trials {
		pairs[trial.A[told.Config.task.Indices()[0]]] += trial.Pairs.N()
	}
	if pairs[-20] >= 80 || pairs[40] > 80 || pairs[22] != 0 {
		t.Errorf("pairs by value: %v", pairs)
	}
}

// TestRacingAgainst: the choices and the start play an opponent in turn.
func TestRacingAgainst(t *testing.T) {
	told := playRun(t, create(t, raceOf(map[string]any{"against": "bad", "against_pairs": int64(4), "pairs": int64(16), "choice": "rush_dist=2:6:1"})), 2)
	text := page(t, told)
	if !strings.Contains(text, "Elo above the start, against bad") || !told.Finished() {
		t.Error(text)
	}
}

func TestRacingRefusals(t *testing.T) {
	for _, c := range []struct {
		field, want string
		table       map[string]any
	}{
		{"choice", "want at least one", map[string]any{"choice": nil}},
		{"choice", "a_E has no short list of values (-20 to 100)", map[string]any{"choice": "a_E"}},
		{"choice", "did you mean rush_dist?", map[string]any{"choice": "rush_dis"}},
		{"choice", "two axes for a_E", map[string]any{"choice": []any{"a_E=1,2", "a_E=3,4"}}},
		{"choice", "has 1,331 combinations: want at most 1000", map[string]any{"choice": []any{"a_E=0:10:1", "a_M=0:10:1", "b_M=0:10:1"}}},
		{"alpha", "1.5: want a chance above 0", map[string]any{"drop": 1.5}},
		{"alpha", "cannot be used with method spsa: it is a setting of grid and racing", map[string]any{"method": "spsa", "choice": nil, "drop": 0.1}},
		{"params", "cannot be used with method racing", map[string]any{"params": "a_E"}},
		{"", "pairs: racing: pairs in all, 12: want 16 at least, a round of each", map[string]any{"pairs": int64(3)}},
		{"alpha", "0.1: a grid of 1,331 points; want at most 1000 of which", map[string]any{"method": "grid", "choice": nil, "grid": []any{"a_E=0:10:1", "a_M=0:10:1", "b_M=0:10:1"}, "drop": .1}},
	} {
		_, err := raceOf(c.table).Plan()
		if err == nil || !strings.Contains(err.Error(), c.want) || c.field != "" && !strings.HasPrefix(err.Error(), c.field) {
			t.Errorf("%v: %v; want %s %s", c.table, err, c.field, c.want)
		}
	}
	// A name alone is a choice among all its values.
	m := &racingMethod{raceConfig: raceConfig{Choice: []string{"rush_dist", "coin"}}}
	game := raceOf(nil)
	v, err := game.Variant()
	if err != nil {
		t.Fatal(err)
	}
	names, err := m.tuned(v.Game.Space)
	if err != nil || len(names) != 2 || len(m.axes[0].Values) != 13 {
		t.Errorf("%v, %v, %+v", names, err, m.axes)
	}
}
