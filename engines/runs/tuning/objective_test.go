package tuning

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/external/objective/objectivetest"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/testmode"
	"selfplaylab/params/formats"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

func TestMain(m *testing.M) { objectivetest.Main(m, judgeMock) }

// judgeMock judges by the distance to a = 3, b = 6, and can be told to crash.
func judgeMock(kind string, n int, q objectivetest.Question) string {
	loss := func(v map[string]float64) float64 { return (v["a"]-3)*(v["a"]-3)/4 + (v["b"]-6)*(v["b"]-6)/8 }
	switch kind {
	case "exact": // b has no effect, and no seed any
		return fmt.Sprintf("{\"value\": %g}", (q.X["a"]-3)*(q.X["a"]-3))
	case "plateau": // wide steps of b, whose neighbours are equal
		return fmt.Sprintf("{\"value\": %g}", math.Floor(q.X["b"]/7))
	case "independent": // noise of its own in every call
		return fmt.Sprintf("{\"value\": %g}", -(q.X["a"]-3)*(q.X["a"]-3)/10+float64((q.Seed*7919^math.Float64bits(q.X["a"]))%1000)/500)
	}
	if kind == "crash" && n == 100 {
		fmt.Fprintln(os.Stderr, "the disk is full")
		os.Exit(1)
	}
	chance := float64(q.Seed%1000)/500 - 1
	if q.Than == nil {
		return fmt.Sprintf("{\"value\": %g}", loss(q.X)+chance*(1+q.X["a"]/10))
	}
	points := 0
	for _, c := range []float64{chance, -chance} {
		if loss(q.X) < loss(q.Than)+2*c {
			points++
		}
	}
	return fmt.Sprintf("{\"points\": %d, \"of\": 2}", points)
}

// judgedBy asks for a tuning by this test binary; file is one of parameters.
func judgedBy(t *testing.T, kind, name, file string, table map[string]any) *Config {
	t.Helper()
	command := objectivetest.Command(t, kind)
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	a := New()
	usual := map[string]any{"objective": command, "space": path, "games": int64(1200), "verify_min": int64(60), "verify_pairs": int64(120)}
	for key, value := range table {
		if usual[key] = value; value == nil {
			delete(usual, key)
		}
	}
	if err := config.Table(a, usual); err != nil {
		t.Fatal(err)
	}
	return a
}

// rows of OpenBench: both far from the optimum.
const judgedRows = "a, float, -4, -10, 10, 1, 0.002\nb, int, 16, 0, 20, 2, 0.002\n"

// TestObjective: a program in the place of a game is tuned, by either sense, the
// same at any number of workers and through kills, and the result is written in
// the form of the parameters.
func TestObjective(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	for _, sense := range []string{"pair", "min"} {
		t.Run(sense, func(t *testing.T) {
			a := judgedBy(t, "good", "rows.txt", judgedRows, map[string]any{"sense": sense})
			r := create(t, a)
			want := playRun(t, r, 1)
			whole := r.Head.Dir
			if best := want.Recommend(); math.Abs(best[0]-3) > 1 || math.Abs(best[1]-6) > 2 || want.Outcome() != shownBetter || strings.Contains(want.fileDoc(), "Elo") ||
				strings.Contains(want.fileDoc(), "start: better") {
				t.Errorf("%v: %s; %s", best, want.Verdict(), want.fileDoc())
			}
			r = create(t, a)
			dir := r.Head.Dir
			for _, at := range []struct {
				phase string
				games int64
			}{{phaseTune, 2}, {phaseTune, 400}} {
				stopIn(t, r, at.phase, r.Config.(*Config).calls(at.games))
				page(t, read(t, dir, Methods))
				r = resume(t, dir, Methods)
			}
			playRun(t, r, 4)
			sameRun(t, whole, dir)
			told := read(t, dir, Methods)
			text := page(t, told)
			recorded, err := runs.Open(dir, with(Methods))
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range recorded.Games(datasets.Filter{}) {
				if err == nil || !strings.Contains(err.Error(), "so there is no game to show") {
					t.Errorf("games: %v", err)
				}
			}
			for _, w := range []string{"## The answers", "on fresh seeds", "`tuned-rows.txt`, in the form that the parameters were given in", "| asked for |", "rows.txt`, format openbench"} {
				if !strings.Contains(text, w) {
					t.Errorf("no %q in\n%s", w, text)
				}
			}
			for _, w := range []string{"## The games", "openings"} {
				if strings.Contains(text, w) {
					t.Errorf("%q in\n%s", w, text)
				}
			}
			f, err := formats.ReadFile(filepath.Join(dir, told.Config.spaceFile()))
			if err != nil || f.Form != "openbench" || !slices.Equal(f.Space.Default(), told.Recommend()) {
				t.Errorf("%+v, %v; tuned are %v", f, err, told.Recommend())
			}
			if c := told.Head.Meta.Command; strings.Contains(c, "--game ") || !strings.Contains(c, " --space openbench:") || !strings.Contains(c, " --direction "+sense+" ") || strings.Contains(c, "ask-games") {
				t.Error(c)
			}
		})
	}
}

// TestValues: an objective by value has its results in its own unit, in text, page and
// JSON alike; a parameter without effect keeps its start value; and nothing is said in
// Elo.
func TestValues(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	for _, c := range []struct {
		kind, direction string
		has, lacks      []string
	}{
		{"exact", "minimize", []string{"The program is deterministic", "No effect: `b`", "f(start) = 49, f(tuned) = ", "Measured again: "}, []string{"cancels"}},
		{"independent", "maximize", []string{"f(start) = ", " ± ", "it is better under", "instead of"}, []string{"deterministic", "cancels"}},
		{"good", "minimize", []string{"f(start) = ", "Best value of a single call: "}, []string{"deterministic"}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			objectivetest.Be(t, c.kind)
			r := create(t, judgedBy(t, c.kind, "rows.txt", judgedRows, map[string]any{"direction": c.direction, "games": int64(600)}))
			played := playRun(t, r, 2)
			told := read(t, r.Head.Dir, Methods)
			shown := page(t, told)
			var terminal strings.Builder
			if err := told.Text(&terminal, runs.Ended{}); err != nil {
				t.Fatal(err)
			}
			for _, w := range c.has {
				if !strings.Contains(shown, w) {
					t.Errorf("no %q in\n%s", w, shown)
				}
			}
			for _, w := range append(c.lacks, "Elo", "both colours") {
				if strings.Contains(shown, w) || strings.Contains(terminal.String(), w) {
					t.Errorf("%q in\n%s\n%s", w, shown, terminal.String())
				}
			}
			v := told.Values()
			for _, line := range v.lines() {
				if !strings.Contains(shown, line) || !strings.Contains(terminal.String(), text.Unmarked(line)) {
					t.Errorf("%q is not in page and text alike", line)
				}
			}
			if o, err := told.JSON(); err != nil || !strings.Contains(fmt.Sprint(o), "best_seen") && v.BestSeen == nil {
				t.Errorf("%v, %v", o, err)
			}
			if v.Start == nil || v.Tuned == nil || v.Change == nil || v.BestSeen.Measured == nil || v.Calls != 2*told.Played() || told.Outcome() != shownBetter {
				t.Errorf("%s: %+v", told.Verdict(), v)
			}
			view, err := runs.Kinds{kindOf(Name, "spsa", Methods)}.Open(r.Head.Dir) // as pages see it at first, before its report
			if err == nil {
				_, err = view.Refresh()
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := (&runs.Replay{Run: view.Recorded}).Recorded(nil); err == nil || !strings.Contains(err.Error(), "no game to show") {
				t.Errorf("a game to show: %v", err)
			}
			if s, err := view.Summary(); err != nil || s.Result != told.Verdict() || s.Calls != v.Calls {
				t.Errorf("%q, %d calls, %v; the report says %q, %d", s.Result, s.Calls, err, told.Verdict(), v.Calls)
			}
			if c.kind == "exact" && (told.Recommend()[1] != 16 || !slices.Equal(v.NoEffect, []string{"b"})) {
				t.Errorf("b = %v; want its start, 16", told.Recommend()[1])
			}
			if !slices.Equal(played.Recommend(), told.Recommend()) {
				t.Errorf("played %v, read %v", played.Recommend(), told.Recommend())
			}
		})
	}
}

// TestPlateau: a parameter that moved from one plateau to a better one has an effect, though
// a step changes no value on either.
func TestPlateau(t *testing.T) {
	told := playRun(t, create(t, judgedBy(t, "plateau", "rows.txt", judgedRows, map[string]any{"direction": "minimize", "games": int64(200)})), 2)
	if b, none := told.Recommend()[1], told.Values().NoEffect; b >= 7 || !slices.Equal(none, []string{"a"}) || told.Outcome() != shownBetter {
		t.Errorf("b = %v, no effect: %v, %s", b, none, told.Outcome())
	}
}

// TestEffectsShown: of many values that are equally good, none is called better, though some
// intervals leave out 0; of many that are better, the best are named and the others counted.
func TestEffectsShown(t *testing.T) {
	run := create(t, judgedBy(t, "exact", "rows.txt", judgedRows, map[string]any{"direction": "minimize"}))
	p := newEffects(read(t, run.Head.Dir, Methods).selectPhase)
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ gain, alone, shown, lines int }{{0, 2, 0, 0}, {100, 60, 60, namedGains + 1}} {
		p.tests = nil
		for i := range 60 {
			m := effectTest{param: i % 2, value: float64(i)}
			for range 8 {
				x, y := r.NormFloat64()-float64(c.gain+i), r.NormFloat64()-float64(i)
				m.values.add([]datasets.GameRow{{ValueA: &x, ValueB: &y}})
			}
			p.tests = append(p.tests, m)
		}
		v := &objectiveValues{Direction: minimizing, Level: .95, Effects: p.list()}
		alone, shown := 0, 0
		for _, e := range v.Effects {
			if e.Change.Low > 0 || e.Change.High < 0 {
				alone++
			}
			if e.Shown {
				shown++
			}
		}
		if lines := v.lines(); alone != c.alone || shown != c.shown || len(lines) != c.lines ||
			c.lines > 0 && lines[namedGains] != "Not at an optimum: the report's table of other values has 55 more" {
			t.Errorf("%d alone, %d shown: %q; want %+v", alone, shown, lines, c)
		}
	}
}

// TestCancels: noise that two calls with one seed share is noticed.
func TestCancels(t *testing.T) {
	var shared, own paired
	for i := range 40 {
		noise, other := float64(i*i%7), float64(i*i%11)
		x, y, z := 2+noise, 1+noise, 1+other
		shared.add([]datasets.GameRow{{ValueA: &x, ValueB: &y}})
		own.add([]datasets.GameRow{{ValueA: &x, ValueB: &z}})
	}
	if !shared.cancels(.95) || own.cancels(.95) {
		t.Errorf("shared %v, own %v", shared.cancels(.95), own.cancels(.95))
	}
}

// TestShareOfSeeds: the verdict says by which interval it is: that of the share of the seeds, which is
// wider than that of the change.
func TestShareOfSeeds(t *testing.T) {
	v := objectiveValues{Direction: minimizing, Level: .95, Change: &measured{-.12, -.23, -.01, 200}}
	e := rating.Sequence{Alpha: .05, Tightest: 100}.Estimate(rating.Pairs{1: 20, 2: 50, 3: 30})
	want := "not shown to be better: the value changes by -0.12 ± 0.11 (95 %, 200 comparisons under equal seeds); it is better under " +
		"52.5 % of the seeds, from 45.1 % to 59.9 % (95 % at any time)"
	if got := v.verdict(notShown, e); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := v.verdict(notShown, rating.Sequence{Alpha: .05, Tightest: 100}.Estimate(rating.Pairs{1: 2, 3: 2})); strings.Contains(got, "any time") {
		t.Error(got)
	}
	few := rating.Sequence{Alpha: .05, Tightest: 100}.Estimate(rating.Pairs{2: 40})
	if got := inShort(&analysis.Task{Game: &engines.Game{Name: analysis.ObjectiveName}}, few); got != "too few comparisons yet" {
		t.Error(got)
	}
}

// TestFurtherOfValues: a larger share of the seeds is no gain where the mean is worse, by a test neither.
func TestFurtherOfValues(t *testing.T) {
	p, err := judgedBy(t, "good", "rows.txt", judgedRows, map[string]any{"direction": "minimize", "verify_sprt": "elo0=0,elo1=10", "verify_min": nil}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	g := newStages(p.Config.(*Config), 1)[0]
	g.tallies = []rating.Pairs{{40, 0, 110, 0, 50}}
	for start, want := range map[float64]string{1: "The verification suggests no gain", 3: "If the gain is what was measured"} {
		tuned := 2.
		g.verifyPhase.values = paired{}
		g.verifyPhase.values.add(slices.Repeat([]datasets.GameRow{{ValueA: &tuned, ValueB: &start}}, 2))
		if says := g.further(); !strings.HasPrefix(says, want) {
			t.Errorf("start %v: %s", start, says)
		}
		if says := g.Verdict(); !strings.HasPrefix(says, "undecided between 0.0 Elo or less and ") || !strings.Contains(says, ": the value changes by ") {
			t.Errorf("the verdict is without the test: %s", says)
		}
	}
}

// TestNoGoingOn: where the start is kept, to go on from it would be the same run again.
func TestNoGoingOn(t *testing.T) {
	told := playRun(t, create(t, judgedBy(t, "good", "rows.txt", judgedRows,
		map[string]any{"games": int64(8), "verify_min": nil, "verify_pairs": int64(0)})), 2)
	var out strings.Builder
	if err := told.Text(&out, runs.Ended{Report: "report.html"}); err != nil || !told.candidateOnly() || strings.Contains(out.String(), "go on ") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// TestObjectiveFault: a crash ends the run with its name, and once it is mended
// the run ends as one that was never stopped.
func TestObjectiveFault(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts programs")
	}
	a := judgedBy(t, "good", "space.toml", "[[param]]\nname = \"a\"\nmin = -10\nmax = 10\ndefault = -4\n[[param]]\nname = \"b\"\nmin = 0\nmax = 20\ndefault = 16\n", nil)
	r := create(t, a)
	playRun(t, r, 2)
	whole := r.Head.Dir
	objectivetest.Be(t, "crash")
	r = create(t, a)
	dir := r.Head.Dir
	err := r.Play(t.Context(), runs.Options{Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "the disk is full") || !strings.Contains(err.Error(), "trial ") {
		t.Fatalf("%v", err)
	}
	objectivetest.Be(t, "good")
	playRun(t, resume(t, dir, Methods), 3)
	sameRun(t, whole, dir)
}

func TestObjectiveRefusals(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
		table            map[string]any
	}{
		{"a.txt", judgedRows, "game cannot be used with an objective", map[string]any{"game": "quoridor"}},
		{"a.txt", judgedRows, "against cannot be used with an objective", map[string]any{"against": "final"}},
		{"a.txt", judgedRows, "screen_pairs cannot be used with an objective", map[string]any{"screen_pairs": int64(4)}},
		{"a.txt", judgedRows, "fault_limit cannot be used with an objective", map[string]any{"fault_limit": "off"}},
		{"a.txt", judgedRows, "timemargin cannot be used with an objective", map[string]any{"timemargin": "5ms"}},
		{"a.txt", judgedRows, "resign cannot be used with an objective", map[string]any{"resign": "score=9,moves=3"}},
		{"a.txt", judgedRows, "space: an objective requires a file", map[string]any{"space": nil}},
		{"a.txt", judgedRows, "file of parameters: open", map[string]any{"space": "nowhere.txt"}},
		{"a.txt", judgedRows, `objective "no-such-program-here"`, map[string]any{"objective": "no-such-program-here"}},
		{"a.txt", judgedRows, `"larger": want pair`, map[string]any{"sense": "larger"}},
		{"a.txt", judgedRows, "belongs to an objective, and none is given", map[string]any{"objective": nil, "game": "quoridor"}},
		{"a.txt", "a, float, -4, -10, 10, 1, 0.002\na, float, 1, 0, 2, 1, 0.002\n", `a.txt: openbench parameters: line 2: parameter "a" stands twice`, nil},
		{"a.txt", "hello\n", "its form is none that is known", nil},
		{"a.toml", "[[param]]\nname = \"a\"\nmin = 3\nmax = 1\ndefault = 2\n", "line 1: param \"a\": min 3, max 1", nil},
		{"a.toml", "[[param]]\nname = \"a\"\ncolour = 3\n", `line 3: unknown key "param.colour"`, nil},
		{"a.json", "{\n \"a\": {\"value\": 1}\n}", "line 2: a: want value", nil},
	} {
		err := func() error {
			a := New()
			table := map[string]any{}
			for key, value := range c.table {
				table[key] = value
			}
			if sense, ok := table["sense"]; ok { // refused where it is read
				return config.Table(a, map[string]any{"sense": sense})
			}
			_, err := judgedBy(t, "good", c.name, c.file, table).Plan()
			return err
		}()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %q: %v; want %q", c.table, c.file, err, c.want)
		}
	}
}

// TestObjectiveSeeds: several tunings of a program are independent and agree about
// the optimum, and a match among their results on fresh seeds chooses one; the rows
// are the same at any number of workers and through kills.
func TestObjectiveSeeds(t *testing.T) {
	testmode.SkipUnlessLong(t) // TestSeeds for an objective
	for _, sense := range []string{"pair", "min"} {
		t.Run(sense, func(t *testing.T) {
			a := judgedBy(t, "good", "rows.txt", judgedRows, map[string]any{"sense": sense, "games": int64(600), "seeds": int64(3), "select_pairs": int64(60)})
			r := create(t, a)
			want := playRun(t, r, 1)
			whole := r.Head.Dir
			checkChosen(t, want)
			checkStreams(t, want)
			text := page(t, want)
			for _, part := range []string{"## The tunings", "(chosen)", "## Agreement of the tunings", "## The answers", "on seeds that none of them had seen", "on seeds that took no part"} {
				if !strings.Contains(text, part) {
					t.Errorf("no %q in\n%s", part, text)
				}
			}
			if c := want.Head.Meta.Command; !strings.Contains(c, " --seeds 3 --select-pairs 60 ") || !strings.Contains(c, " --objective ") {
				t.Error(c)
			}

			r = create(t, a)
			dir := r.Head.Dir
			for _, at := range []struct {
				phase string
				games int64
			}{{phaseTune, 150}, {"tune-2", 20}, {"tune-3", 590}, {phaseSelect, 30}} {
				stopIn(t, r, at.phase, r.Config.(*Config).calls(at.games))
				page(t, read(t, dir, Methods))
				r = resume(t, dir, Methods)
			}
			playRun(t, r, 4)
			sameRun(t, whole, dir)
		})
	}
}

// checkChosen: each of three tunings found the optimum by itself, none is another,
// and the best of the match among them is recommended and verified.
func checkChosen(t *testing.T, told *Result) {
	t.Helper()
	seeds := told.Seeds()
	chosen := slices.IndexFunc(seeds, func(s seedResult) bool { return s.Chosen })
	if len(seeds) != 3 || chosen < 0 || !slices.Equal(seeds[chosen].Tuned, told.Recommend()) || told.Outcome() != shownBetter {
		t.Fatalf("%+v: %s", seeds, told.Verdict())
	}
	for k, s := range seeds {
		if math.Abs(s.Tuned[0]-3) > 1.5 || math.Abs(s.Tuned[1]-6) > 3 {
			t.Errorf("tuning %d ended at %v", s.Number, s.Tuned)
		}
		if s.Pairs == nil || s.Pairs.N() != 120 || s.Pairs.Score() > seeds[chosen].Pairs.Score() {
			t.Errorf("tuning %d scored %+v, and %d was chosen", s.Number, s.Pairs, chosen+1)
		}
		if slices.ContainsFunc(seeds[:k], func(other seedResult) bool { return slices.Equal(s.Tuned, other.Tuned) }) {
			t.Errorf("tuning %d found what an earlier one did: %v", s.Number, s.Tuned)
		}
	}
	agreements, err := told.Agreements()
	if err != nil || len(agreements) != 2 || agreements[0].Parameter != "a" || len(agreements[1].Places) != 3 {
		t.Errorf("%+v, %v", agreements, err)
	}
	for _, a := range agreements {
		if a.Promised == nil || a.Disagree {
			t.Errorf("about one optimum: %+v", a)
		}
	}
	if verify, _ := rowsOf(t, told.Head.Dir, phaseVerify); !slices.Equal(verify[0].A, told.Recommend()) {
		t.Errorf("verified %v, chosen %v", verify[0].A, told.Recommend())
	}
}

// checkStreams: no two phases ask about the same seeds.
func checkStreams(t *testing.T, told *Result) {
	t.Helper()
	streams := map[uint64]string{}
	for _, phase := range []string{phaseTune, "tune-2", "tune-3", phaseSelect, phaseVerify} {
		trials, _ := rowsOf(t, told.Head.Dir, phase)
		if len(trials) == 0 {
			t.Fatalf("nothing was asked to %s", phase)
		}
		for _, row := range trials {
			trial, err := told.Trial(row)
			if err != nil || trial.Phase != phase {
				t.Fatalf("%s, trial %d was asked as %+v (%v)", phase, row.Trial, trial, err)
			}
			if other, is := streams[trial.Stream]; is && other != phase {
				t.Errorf("%s has the seeds of %s", phase, other)
			}
			streams[trial.Stream] = phase
		}
	}
}

// TestObjectiveGridSaturated: nor can a grid, with or without dropping points; the values of its
// points can.
func TestObjectiveGridSaturated(t *testing.T) {
	for want, table := range map[string]map[string]any{
		"b=0, b=6, b=12 won every pair against the start, so the grid could not separate them: the nearest to it stands": nil,
		"b=0, b=6, b=12 won every pair against the start, so the grid could not separate them: the first stands":         {"alpha": .05},
	} {
		c := judgedBy(t, "good", "rows.txt", judgedRows, map[string]any{"sense": "min", "method": "grid", "games": nil, "grid": []any{"b=0,6,12"},
			"pairs": int64(8), "verify_min": int64(0), "verify_pairs": int64(0)})
		if err := config.Table(c, table); err != nil {
			t.Fatal(err)
		}
		told := playRun(t, create(t, c), 2)
		if w := fmt.Sprint(told.warnings()); !strings.Contains(w, want) {
			t.Errorf("%s, want %q", w, want)
		}
		lines, shown := strings.Join(told.Values().lines(), "\n"), page(t, told)
		if p := told.Values().Points; len(p) != 3 || p[0].Point != "b=6" || p[0].Change.Calls != 16 || p[0].Change.Value >= p[1].Change.Value ||
			!strings.Contains(lines, "`b=6` is the best of 3 points, not the recommended `b=") || !strings.Contains(shown, "\n| b=6 | ") {
			t.Errorf("%+v\n%s\n%s", p, lines, shown)
		}
	}
}

// TestObjectiveUnits: quadratics, races, grids, walks and several tunings of an objective say
// nothing in Elo; where points are compared, all strengths are shares of comparisons, also
// among the data.
func TestObjectiveUnits(t *testing.T) {
	testmode.SkipUnlessLong(t) // tunes by every method
	for name, table := range map[string]map[string]any{
		"quad":  {"games": int64(1000), "verify_min": int64(64), "verify_pairs": int64(64)}, // the first with an interval
		"spsa":  {"method": "spsa", "iters": int64(300), "pairs": int64(1)},
		"grid":  {"method": "grid", "grid": []any{"b=4:16:4"}, "pairs": int64(20)},
		"heat":  {"method": "grid", "grid": []any{"a=-4,3", "b=6,16"}, "pairs": int64(10)},
		"seeds": {"seeds": int64(2), "games": int64(200), "select_pairs": int64(10)},
	} {
		for _, direction := range []string{"minimize", "pair"} {
			t.Run(name+" "+direction, func(t *testing.T) {
				all := map[string]any{"direction": direction, "games": nil, "verify_min": int64(20), "verify_pairs": int64(20)}
				maps.Copy(all, table)
				r := create(t, judgedBy(t, "good", "rows.txt", judgedRows, all))
				told := playRun(t, r, 2)
				var terminal strings.Builder
				if err := told.Text(&terminal, runs.Ended{}); err != nil {
					t.Fatal(err)
				}
				for _, p := range told.phases {
					if p.Games() > 0 {
						fmt.Fprintln(&terminal, p.Note(rating.Pairs{})) // on the line of progress
					}
				}
				text := page(t, told)
				if strings.Contains(text+terminal.String()+told.Verdict(), "Elo") || strings.Contains(text, "both colours") || strings.Contains(text, "by its games") ||
					strings.Contains(text, "openings") {
					t.Errorf("%s\n%s", text, terminal.String())
				}
				_, verified, _ := strings.Cut(text, "## Verification")
				verified, _, _ = strings.Cut(verified, "\n## ")
				if direction == "pair" && !strings.Contains(verified, "| tuned against start |") {
					t.Errorf("the verification has no share:\n%s", verified)
				}
				if name != "spsa" && strings.Contains(text, "percentage points") == (name == "quad" && direction == "minimize") {
					t.Error(text)
				}
				if a, err := told.analysis(); err != nil || direction == "pair" && a != nil && a.Unit != "percentage points" {
					t.Error(a, err)
				}
			})
		}
	}
}

// TestHugeValues: values by which programs mark bad vectors are told in few digits, and cost
// no report its chart.
func TestHugeValues(t *testing.T) {
	if got, want := (&measured{1.7e300, -1e300, 4.4e300, 9}).String(), "1.7e+300 ± 2.7e+300"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	a := &answers{minimize: true, tuned: []float64{1.7e308, 1e300, 3, 1.7e308, 1.7e308, 2}}
	plot, ok := a.plot("minimize")
	if !ok {
		t.Fatal("no chart")
	}
	if _, err := figure.File(plot.Figure, "svg"); err != nil {
		t.Error(err)
	}
	a.tuned = slices.Repeat([]float64{1e300}, 9)
	if _, ok := a.plot("minimize"); ok {
		t.Error("a chart of nothing")
	}
}
