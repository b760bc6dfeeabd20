package tuning

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/quoridor"
	"selfplaylab/engines/runs/ask"
)

// quadOf asks for a tuning of three parameters by quad.
func quadOf(start string, table map[string]any) *Asked {
	usual := map[string]any{
		"method": "quad", "params": "a_E,b_gain,b_M", "iters": nil, "pairs": nil, "games": int64(1200),
		"verify_min": int64(300), "verify_pairs": int64(600),
	}
	for key, value := range table {
		usual[key] = value
	}
	return small(start, usual)
}

// TestQuad: from a start without its two main weights it finds most of the
// strength; killed and resumed, and by any number of workers, it plays the same.
func TestQuad(t *testing.T) {
	r := create(t, quadOf("bad", nil))
	want := play(t, r, 1)
	whole := r.Head.Dir
	if e, _ := want.Verified(); e == nil || e.Elo < 150 || want.Outcome() != Better {
		t.Errorf("from bad: %s; %v", want.Verdict(), want.Best())
	}
	trials, games := rowsOf(t, whole, PhaseTune)
	if len(games) != 1200 || int64(len(games)) != want.planned(PhaseTune) {
		t.Errorf("%d games in %d trials, want the 1200 that were asked", len(games), len(trials))
	}
	if c := want.Head.Meta.Command; !strings.Contains(c, "--method quad ") || !strings.Contains(c, " --params a_E,b_M,b_gain --pairs 1 --games 1200 ") {
		t.Error(c)
	}

	r = create(t, quadOf("bad", nil))
	play(t, r, 4)
	sameRun(t, whole, r.Head.Dir)

	r = create(t, quadOf("bad", nil))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{PhaseTune, 2}, {PhaseTune, 90}, {PhaseTune, 700}, {PhaseVerify, 100}} {
		stopIn(t, r, at.phase, at.games)
		if text := page(t, read(t, dir, Methods)); !strings.Contains(text, "not finished") {
			t.Errorf("report of an unfinished run:\n%.300s", text)
		}
		r = resume(t, dir, Methods)
	}
	play(t, r, 3)
	sameRun(t, whole, dir)
	quadPage(t, want, read(t, dir, Methods))
}

// quadPage: the report is made of rows alone, and tells all that the fit knows.
func quadPage(t *testing.T, played, read *Told) {
	t.Helper()
	text := page(t, read)
	ofFit := func(text string) string {
		_, text, _ = strings.Cut(text, "## What each parameter is worth")
		text, _, _ = strings.Cut(text, "## What one step changes")
		return text
	}
	if a, b := ofFit(page(t, played)), ofFit(text); a == "" || a != b {
		t.Errorf("the record tells another fit than the run:\n%s\n%s", b, a)
	}
	for _, want := range []string{
		"Asked: tune 3 parameters of Quoridor 步步为营 by a quadratic fitted to 1,200 games.",
		"| best by its games (95 %) |", "## What each parameter is worth", "## The fitted surface", "## How parameters act together",
		"## What the next games would buy", "| 1,200 | +", "figures/effects.svg", "figures/surface.svg", "figures/outlook.svg",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "would recommend other values") {
		t.Errorf("the tuner told again disagrees with itself:\n%s", text)
	}
	shown, err := read.shown()
	if err != nil || len(shown.Optima) != 3 {
		t.Fatalf("%+v, %v", shown.Optima, err)
	}
	for _, o := range shown.Optima {
		p := quoridor.Game().Space[o.Param]
		if !(o.Low >= p.Min-1e-9 && o.Low < o.High && o.High <= p.Max+1e-9) || o.Value != read.Best()[o.Param] {
			t.Errorf("%s: %+v, recommended %v", p.Name, o, read.Best()[o.Param])
		}
	}
	// The tuner that is told the rows recommends what was recorded, bit for bit.
	tuner, err := read.Spec.method.(*Quad).retell(&read.Course)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(tuner.Best(), read.Best()) {
		t.Errorf("told again it recommends %v, recorded are %v", tuner.Best(), read.Best())
	}
}

// TestQuadAgainst: compared against an opponent, each of the two plays as many
// games as were asked, and a fit of one parameter has no cross terms.
func TestQuadAgainst(t *testing.T) {
	r := create(t, quadOf("bad", map[string]any{"against": "final", "against_pairs": int64(20), "games": int64(400), "params": "a_E"}))
	told := play(t, r, 2)
	if trials, games := rowsOf(t, r.Head.Dir, PhaseTune); len(games) != 800 || len(trials) != 2*len(told.Course.Trials) {
		t.Errorf("%d games, %d trials, %d of the tuner", len(games), len(trials), len(told.Course.Trials))
	}
	text := page(t, told)
	if !strings.Contains(text, "against `final` by a quadratic fitted to 400 games") || strings.Contains(text, "## How parameters act together") ||
		strings.Contains(text, "figures/surface.svg") || !strings.Contains(text, "figures/curve-a_E.svg") {
		t.Error(text)
	}
}

// TestQuadLeavesOut: what no quadratic can tune stays as it is, and is named.
func TestQuadLeavesOut(t *testing.T) {
	told := play(t, create(t, quadOf("final", map[string]any{"params": "a_E,coin", "games": int64(20), "verify_min": nil, "verify_pairs": int64(0)})), 2)
	var said []string
	for _, w := range told.Warnings() {
		said = append(said, w.Error())
	}
	if !slices.ContainsFunc(said, func(w string) bool { return strings.HasPrefix(w, "From the fit: coin chooses among names") }) {
		t.Errorf("%q", said)
	}
	if _, err := quadOf("final", map[string]any{"params": "coin"}).Plan(); err == nil || !strings.Contains(err.Error(), "no parameter to tune: coin chooses among names") {
		t.Errorf("%v", err)
	}
}

// TestQuadGames: the default budget follows the game and the parameters.
func TestQuadGames(t *testing.T) {
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
		if err := ask.Table(a, table); err != nil {
			t.Fatal(err)
		}
		p, err := a.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Spec.(*Spec); fmt.Sprint(s.Settings["games"]) != fmt.Sprint(c.want) || s.tuneGames() != int64(c.want) {
			t.Errorf("%s %s: %v games, want %d", c.game, c.params, s.Settings["games"], c.want)
		}
	}
}

func TestQuadRefusals(t *testing.T) {
	for _, c := range []struct {
		field, want string
		table       map[string]any
	}{
		{"games", "0: want an even number from 2", map[string]any{"games": int64(0)}},
		{"games", "7: want an even number", map[string]any{"games": int64(7)}},
		{"games", "want an even number from 2 to 10000000000", map[string]any{"games": int64(1e12)}},
		{"pairs", "8: without iterations it means nothing to method quad", map[string]any{"pairs": int64(8)}},
		{"iters", "8: games says how long the tuning is, too", map[string]any{"iters": int64(8)}},
		{"iters", "0: want at least 1", map[string]any{"iters": int64(0), "games": nil}},
		{"games", "want an even number from 2", map[string]any{"iters": int64(1 << 30), "games": nil}},
		{"games", "means nothing to method spsa: it is a setting of quad", map[string]any{"method": "spsa"}},
	} {
		_, err := quadOf("final", c.table).Plan()
		if e, ok := errors.AsType[*ask.Error](err); !ok || e.Field != c.field || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error of %s with %q", c.table, err, c.field, c.want)
		}
	}
}
