package tuning

import (
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/quoridor"
	"selfplaylab/engines/testmode"
)

// besides asks for numbers together with choices.
func besides(table map[string]any) *Config {
	usual := map[string]any{
		"method": "quad", "params": "a_E,b_gain", "choice": []any{"coin", "rush_dist=2,4"}, "games": int64(2400), "iters": nil, "pairs": nil,
		"verify_pairs": int64(200), "verify_min": int64(200),
	}
	for key, value := range table {
		if usual[key] = value; value == nil {
			delete(usual, key)
		}
	}
	return small("bad", usual)
}

// TestBeside: names race together with numbers, in one run that is the same at any number of
// workers and after kills; the report tells of both.
func TestBeside(t *testing.T) {
	testmode.SkipUnlessLong(t) // tunes again and again
	r := create(t, besides(nil))
	want := playRun(t, r, 1)
	whole := r.Head.Dir
	space := quoridor.Game().Space
	coin, rush, gain := space.Index("coin"), space.Index("rush_dist"), space.Index("b_gain")
	trials, games := rowsOf(t, whole, phaseTune)
	if len(games) != 2400 {
		t.Errorf("%d games", len(games))
	}
	raced, numbers := 0, 0
	for i, row := range trials {
		choice := row.A[coin] != row.B[coin] || row.A[rush] != row.B[rush]
		switch {
		case choice && row.A[gain] != row.B[gain]:
			t.Errorf("trial %d compares choices at different numbers", i)
		case choice:
			raced += int(row.Games)
		default:
			numbers += int(row.Games)
		}
	}
	if raced == 0 || raced > 600 || numbers < 1800 {
		t.Errorf("%d games of the race, %d of the numbers", raced, numbers)
	}
	text := page(t, want)
	for _, part := range []string{"## The race", "## Importance", "Choices raced in the same run as the numbers", "rush_dist=2", "by a race among"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if !slices.Equal(want.Config.Active, []string{"a_E", "b_gain", "rush_dist", "coin"}) || want.Outcome() != shownBetter {
		t.Errorf("%v: %s", want.Config.Active, want.Verdict())
	}
	if c := want.Head.Meta.Command; !strings.Contains(c, "--choice coin --choice rush_dist=2,4") || strings.Contains(c, "--alpha") {
		t.Error(c)
	}

	r = create(t, besides(nil))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{phaseTune, 30}, {phaseTune, 300}, {phaseTune, 1500}, {phaseVerify, 20}} {
		stopIn(t, r, at.phase, at.games)
		page(t, read(t, dir, Methods))
		r = resume(t, dir, Methods)
	}
	playRun(t, r, 4)
	sameRun(t, whole, dir)
}

func TestBesideRefusals(t *testing.T) {
	for _, c := range []struct {
		table map[string]any
		want  string
	}{
		{map[string]any{"params": "rush_dist", "choice": []any{"rush_dist=2,4"}}, "all that is tuned has choices (rush_dist): want racing"},
		{map[string]any{"choice": []any{"a_E"}}, "a_E has no short list of values"},
		{map[string]any{"choice": []any{"cion"}}, "did you mean coin?"},
		{map[string]any{"drop": 2.0}, "alpha cannot be used with method quad"},
		{map[string]any{"games": int64(20)}, "one pair in 4 of 10"},
		{map[string]any{"stop": []any{"1200"}}, "cannot be stopped or extended"},
		{map[string]any{"method": "spsa", "games": nil, "iters": int64(3)}, "choice cannot be used with method spsa: it is a setting of quad and racing"},
	} {
		if _, err := besides(c.table).Plan(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.table, err, c.want)
		}
	}
	r := create(t, besides(map[string]any{"games": int64(400), "choice": []any{"coin"}, "verify_pairs": int64(0), "verify_min": int64(0)}))
	told := playRun(t, r, 2)
	if _, err := extend(800)(told.Config, told); err == nil || !strings.Contains(err.Error(), "start a new one with --start tuned.toml") {
		t.Errorf("extended: %v", err)
	}
}
