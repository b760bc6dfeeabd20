package experiment

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

func sampleResults() Results {
	return Results{
		Rows: []Row{
			{
				Run: "m", Game: "quoridor", Players: "ab12", A: "final,a_E=11", B: "final", ALimits: "depth=3", BLimits: "", Repeats: true,
				Cells: [3][3]int{{100, 0, 200}, {0, 5, 0}, {150, 0, 45}}, Plies: 70000, Decisions: 60000, Compared: 900, Differing: 400, NodesA: 12, NodesB: 24,
			},
			{Run: "g", Part: "w=1", Game: "mills", A: "w=1", B: "paper", Repeats: true, Cells: [3][3]int{{0, 0, 30}, {0, 3, 0}, {31, 0, 0}}, Compared: 5},
			{Run: "t", Part: "a v b", Game: "quoridor", A: "a", B: "b", Cells: [3][3]int{{1, 0, 2}, {0, 0, 0}, {60, 0, 40}}},
		},
		Searches: []Search{
			{"s", gamestats.Search{Player: "full", Limits: "depth=3", Positions: 4, Nodes: 4000, Depth: 12, Seconds: 0.5, SameMove: 4, SameScore: 4}},
			{"s", gamestats.Search{Player: "pruned", Limits: "depth=3", Positions: 4, Nodes: 400, Depth: 12, Seconds: 0.125, SameMove: 3, SameScore: 4}},
		},
		Shown: []shownRun{
			{Run: "m", Low: 0, High: 0.5, Decisions: 40, Pairs: 10, Mean: 0.25, Points: 0, Sides: 20, Won: 0},
			{Run: "m", Low: 0.5, High: 1, Decisions: 50, Pairs: 12, Mean: 0.75, Points: 0.7, SE: 0.05, Sides: 22, Won: 18},
		},
	}
}

// TestFilesKeepResults expects results to be read back from their CSV files.
func TestFilesKeepResults(t *testing.T) {
	want := sampleResults()
	files, err := want.files()
	if err != nil {
		t.Fatal(err)
	}
	got, err := readResults("x", func(name string) ([]byte, error) {
		if files[name] == nil {
			return nil, nil
		}
		return append([]byte("\ufeff"), files[name]...), nil // a byte order mark is no part of it
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back\n%+v\nwant\n%+v", got, want)
	}
	for name, change := range map[string][2]string{
		RowsName:     {"70000", "many"},
		searchesName: {"4000", "-1"},
		shownName:    {"0.75", "x"},
	} {
		broken := strings.Replace(string(files[name]), change[0], change[1], 1)
		_, err := readResults("x", func(n string) ([]byte, error) {
			if n == name {
				return []byte(broken), nil
			}
			return files[n], nil
		})
		if err == nil || !strings.Contains(err.Error(), "x/"+name+":") {
			t.Errorf("%s with %s: %v", name, change[1], err)
		}
	}
	if _, err := datasets.DecodeCSV[Row]("y.csv", []byte("a,b\n")); err == nil || !strings.Contains(err.Error(), "y.csv:1: want the columns run,part") {
		t.Errorf("other columns: %v", err)
	}
}

// TestTalliesByFirstPlayer checks the counts by A's points, by the first player's points and by
// games.
func TestTalliesByFirstPlayer(t *testing.T) {
	r := sampleResults().Rows[0]
	if got, want := r.Pairs(), (rating.Pairs{100, 0, 355, 0, 45}); got != want {
		t.Errorf("pairs %v, want %v", got, want)
	}
	// A first and lost, A second and lost: the first player made 0 + 2 half points.
	if got, want := r.first(), (rating.Pairs{200, 0, 150, 0, 150}); got != want {
		t.Errorf("first %v, want %v", got, want)
	}
	if got, want := r.games(), (rating.Games{Wins: 150 + 200 + 90, Draws: 10, Losses: 550}); got != want {
		t.Errorf("games %v, want %v", got, want)
	}
}

func TestFillWritesResults(t *testing.T) {
	r := Result{Results: sampleResults()}
	for text, want := range map[string]string{
		`{{score "m"}}`:                                           "44.5 % (42.2 to 46.8, 500 pairs)",
		`{{same "g/w=1"}}, {{split "g/w=1"}}`:                     "0 of 5 decisions differed, 100.0 % (94.3 to 100.0, 64 pairs)",
		`{{ratio "s/full@depth=3" "s/pruned@depth=3"}}`:           "10",
		`{{nodes "s/full@depth=3"}} {{seconds "s/full@depth=3"}}`: "1,000 0.125",
		`{{agree "s/pruned@depth=3"}} {{cost "m"}}`:               "4 of 4 0.5 times the nodes",
		`{{won "m/0.5-1"}}`:                                       "81.8 % (61.5 to 92.7, 22 games of a player)",
		`{{points "m/0-0.5"}}`:                                    "0.0 % (0.0 to 27.8, 40 decisions in 10 pairs)",
		`{{plies "m"}}`:                                           "70.0",
	} {
		if got, err := r.Fill("t", text); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		`{{score "x"}}`:                  `{{score "x"}}: no result "x"; there is no run "x" with one`,
		`{{score "t/a"}}`:                "run t has t/a v b",
		`{{nodes "s/full"}}`:             "run s has s/full@depth=3",
		`{{won "m/0-1"}}`:                "run m has m/0-0.5, m/0.5-1",
		`{{best "t"}}`:                   "t is no grid over one number",
		`{{rating "t" "c" "a"}}`:         `no player "c" in t; there are a, b`,
		`{{unknown}}`:                    "unknown",
		`{{ratio "s/full@depth=3" "q"}}`: `no search "q"`,
	} {
		if got, err := r.Fill("t", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want the error %q", text, got, err, want)
		}
		quick := Result{Results: r.Results, Quick: true}
		got, err := quick.Fill("t", text)
		if absent := err == nil && strings.Contains(got, missing); absent == (text == `{{unknown}}` || text == `{{best "t"}}`) {
			t.Errorf("%s of a quick run: %q, %v", text, got, err)
		}
	}
}

// TestQuickRunLeavesUnmeasuredClaimsOpen expects the verdict of the checks where a quick run measured
// everything, and an open one otherwise.
func TestQuickRunLeavesUnmeasuredClaimsOpen(t *testing.T) {
	for _, c := range []struct {
		claim          claim
		measured, want string
	}{
		{claim{Measured: `{{games "m"}}`, Verdict: "held", Checks: []string{"m worse"}}, "1,000", "held"},
		{claim{Measured: `{{games "m"}}`, Verdict: "held", Checks: []string{"m better", "g/w=1 better"}}, "1,000", "contradicted by this run (published: held)"},
		{claim{Measured: `{{games "m"}}`, Verdict: "held", Checks: []string{"m worse", "absent worse"}}, "1,000", "open (published: held)"},
		{claim{Measured: `{{games "m"}}`, Verdict: "held"}, "1,000", "open (published: held)"},
		{claim{Measured: `{{games "m"}} of {{games "x"}}, {{elo "x"}}`, Verdict: "held", Checks: []string{"m worse"}},
			"1,000 of –, – (–: not in the quick run)", "open (published: held)"},
		{claim{Measured: `{{games "x"}} and {{elo "x"}}`, Verdict: "held in form"}, "not in the quick run", "open (published: held in form)"},
	} {
		r := Result{Results: sampleResults(), Quick: true, Experiment: Experiment{Claims: []claim{c.claim}}}
		got, err := r.Answers()
		if err != nil || got[0].Measured != c.measured || got[0].Verdict != c.want {
			t.Errorf("%+v: %v, %v; want %q, %q", c.claim, got, err, c.measured, c.want)
		}
	}
}

func TestJudgeFollowsInterval(t *testing.T) {
	r := sampleResults()
	for text, want := range map[string]finding{
		"m worse": supported, "m better": contradicted, "m even": contradicted, "m identical": contradicted,
		"g/w=1 identical": supported, "g/w=1 even": supported, "g/w=1 better": undecided, "t/a v b identical": undecided,
		"m second": supported, "m first": contradicted, "t/a v b better": supported, "t/a v b first": supported,
		"s/pruned@depth=3 same-scores": supported,
	} {
		c, err := parseCheck(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.judge(c); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	if _, err := r.judge(rowCheck{"nowhere", "better"}); err == nil {
		t.Error("a check of nothing passed")
	}
}

// TestSameFindsOneCount finds one different count, and compares no row that a clock decided.
func TestSameFindsOneCount(t *testing.T) {
	want := sampleResults()
	if n, d := same(sampleResults(), want); n != 4 || len(d) != 0 { // t has a clock
		t.Errorf("equal results: %d compared, %v", n, d)
	}
	got := sampleResults()
	got.Rows[0].NodesA++
	got.Rows[2].Cells[0][0]++
	got.Searches[1].Nodes++
	got.Searches[0].Seconds *= 9
	if _, d := same(got, want); len(d) != 2 || d[0].ID != "m" || d[1].ID != "s/pruned@depth=3" {
		t.Errorf("differences %v", d)
	}
	got.Rows = got.Rows[:1]
	if _, d := same(got, want); len(d) != 4 {
		t.Errorf("missing rows: %v", d)
	}
}

// TestWithinAllowsForChance expects results of another budget to agree unless chance cannot explain
// the difference.
func TestWithinAllowsForChance(t *testing.T) {
	want := sampleResults()
	got := sampleResults()
	got.Rows[0].Cells = [3][3]int{{12, 0, 21}, {0, 0, 0}, {14, 0, 5}}
	if n, d := within(got, want); n != 2 || len(d) != 0 { // g's pairs are all alike
		t.Errorf("%d compared, %v", n, d)
	}
	got.Rows[0].Cells = [3][3]int{{0, 0, 5}, {0, 0, 0}, {5, 0, 50}}
	if _, d := within(got, want); len(d) != 1 || d[0].ID != "m" {
		t.Errorf("a reversed result: %v", d)
	}
	got.Rows[0].Players = "another"
	if n, _ := within(got, want); n != 1 {
		t.Errorf("compared another player: %d", n)
	}
}

// TestOtherBuildsAreNamed expects a warning where several builds played, also one run each.
func TestOtherBuildsAreNamed(t *testing.T) {
	for second, want := range map[string]int{"r1": 0, "r2": 1} {
		result := Result{heads: []*runs.Head{{Meta: datasets.Meta{Revision: "r1"}}, {Meta: datasets.Meta{Revision: second}}}}
		if p, err := result.page(); err != nil || len(p.Warnings) != want {
			t.Errorf("r1 and %s: %q, %v", second, p.Warnings, err)
		}
	}
}

// TestGatherAddsUpParts adds up a run of two parts, with trials of no part.
func TestGatherAddsUpParts(t *testing.T) {
	log := recorded(t, nil)
	part := func(t datasets.TrialRow) (runs.Part, bool) { return runs.Part{Name: t.Phase}, t.Phase != "screen" }
	rows, err := gather(log, nil, part, func(p runs.Part) Row { return Row{Run: "r", Part: p.Name} })
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{Run: "r", Part: "one", Players: hash(nil, nil), Cells: [3][3]int{{0, 0, 0}, {0, 0, 0}, {2, 0, 0}}, Plies: 8, NodesA: 4, NodesB: 8},
		{Run: "r", Part: "two", Players: hash(nil, nil), Cells: [3][3]int{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, Plies: 4, NodesA: 2, NodesB: 4},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("rows %+v, want %+v", rows, want)
	}
}

// recorded makes a run of four trials of one pair; the side that plays first wins
// every game. moves, if not nil, gives the scores shown in the games by who plays.
func recorded(t *testing.T, scores func(trial int64, side int32) float64) *datasets.Log {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	meta := datasets.Meta{
		Kind: "match", Game: "toy", GameVersion: 1, Seed: 1, Command: "c", Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Revision: "r", Program: "p", Go: "g",
	}
	if scores != nil {
		meta.RecordMoves = datasets.KeepMoves
	}
	w, err := datasets.Create(dir, meta, struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	for k, phase := range []string{"one", "screen", "two", "one"} {
		trial := int64(k)
		row := datasets.TrialRow{Trial: trial, Phase: phase, Pairs: 1, Even: 1, Games: 2, Wins: 1, Losses: 1, FirstPoints: 4, Plies: 4, Nodes: 6}
		var games []datasets.GameRow
		var moves []datasets.MoveRow
		for g := range int32(2) {
			games = append(games, datasets.GameRow{
				Trial: trial, Phase: phase, Game: g, Moves: "a b", Plies: 2, Outcome: "1-0", AScore: 1 - float64(g), Reason: "won", NodesA: 1, NodesB: 2,
			})
			for side := range int32(2) {
				if scores != nil {
					moves = append(moves, datasets.MoveRow{
						Trial: trial, Phase: phase, Game: g, Ply: side, Side: side, Player: []string{datasets.PlayerA, datasets.PlayerB}[(side+g)%2], Nodes: 1 + int64(side+g)%2, Move: []string{"a", "b"}[side], Score: scores(trial, side),
					})
					row.Decisions++
				}
			}
		}
		if err := w.Append(row, games, moves); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func TestCalibrateCountsByBin(t *testing.T) {
	// The first player, who wins, shows 0.7; the other 0.3, but 0.8 in trial 2 and no score in trial 3.
	log := recorded(t, func(trial int64, side int32) float64 {
		switch {
		case side == 0:
			return 0.7
		case trial == 2:
			return 0.8
		case trial == 3:
			return math.NaN()
		}
		return 0.3
	})
	got, err := calibrate("r", log, []float64{0, 0.5, 0.75, 1}, shownByBoth)
	if err != nil {
		t.Fatal(err)
	}
	// 8 games: 4 decisions of 0.3, all lost; 8 of 0.7, all won; 2 of 0.8, lost.
	want := []shownRun{
		{Run: "r", Low: 0, High: 0.5, Decisions: 4, Pairs: 2, Mean: 0.3, Points: 0, Sides: 4, Won: 0},
		{Run: "r", Low: 0.5, High: 0.75, Decisions: 8, Pairs: 4, Mean: 0.7, Points: 1, Sides: 10, Won: 8},
		{Run: "r", Low: 0.75, High: 1, Decisions: 2, Pairs: 1, Mean: 0.8, Points: 0, Sides: 2, Won: 0},
	}
	for i, s := range got {
		if !(math.Abs(s.Mean-want[i].Mean) <= 1e-12) {
			t.Errorf("bin %d: mean %v", i, s.Mean)
		}
		s.Mean = want[i].Mean
		if s != want[i] {
			t.Errorf("bin %d: %+v, want %+v", i, s, want[i])
		}
	}
}

// TestCalibrateOnePlayer counts the scores of one player. A plays first in one game of each pair,
// and second in the other.
func TestCalibrateOnePlayer(t *testing.T) {
	log := recorded(t, func(_ int64, side int32) float64 { return []float64{0.7, 0.3}[side] })
	for by, want := range map[showing][2]int{shownByBoth: {8, 8}, shownByA: {4, 4}, shownByB: {4, 4}} {
		got, err := calibrate("r", log, []float64{0, 0.5, 1}, by)
		if err != nil || got[0].Decisions != want[0] || got[1].Decisions != want[1] || got[1].Points != 1 || got[0].Sides != want[0] {
			t.Errorf("%q: %+v, %v; want %d decisions", by, got, err, want)
		}
	}
	if shownByA.has(datasets.GameRow{Game: 1}, 0) || !shownByA.has(datasets.GameRow{Game: 1}, 1) || !shownByB.has(datasets.GameRow{Game: 1}, 0) {
		t.Error("X plays second in game 1")
	}
}

// TestStandardErrorOfRatio computes the standard error of a ratio over pairs by hand: pairs of
// (decisions, points) (2, 1), (4, 4), (2, 0) have ratio 5/8 and residuals -1/4, 3/2, -5/4, so the
// variance is 3/2 * (1/16 + 9/4 + 25/16) / 64.
func TestStandardErrorOfRatio(t *testing.T) {
	b := bin{}
	for _, p := range [][2]float64{{2, 1}, {4, 4}, {2, 0}} {
		b.decisions += int(p[0])
		b.points += p[1]
		b.pair = p
		b.endPair()
	}
	if got, want := b.se(3), math.Sqrt(1.5*3.875/64); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTextsOnlyCallFunctions refuses all other actions of templates: the check before playing would
// not see a call in a branch, and a loop might not end.
func TestTextsOnlyCallFunctions(t *testing.T) {
	result := Result{Results: sampleResults()}
	for text, want := range map[string]string{
		`{{range 100000000000}}{{end}}`: `t: {{range 100000000000}}{{end}}: want text and calls such as {{elo "ROW"}}`,
		`{{if games "m"}}x{{end}}`:      `want text and calls`,
		`{{games "m" | elo}}`:           `want text and calls`,
		`{{$x := games "m"}}`:           `want text and calls`,
		`{{define "x"}}{{end}}`:         `t: define: want text and calls`,
		`{{printf "%999999d" 1}}`:       `want text and calls`,
		`{{score}}`:                     `want {{score "ROW"}}`,
		`{{score "m" "m"}}`:             `want {{score "ROW"}}`,
		`{{score m}}`:                   `t:1: function "m" not defined; selfplay help run lists the functions`,
		"\n{{score `m` 1}}":             `t: {{score ` + "`m`" + ` 1}}: want text and calls`,
		`{{score "m"`:                   `t:1: unclosed action`,
		`{{}}`:                          `t:1: missing value for command`,
	} {
		if got, err := result.Fill("t", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
		if err := (Experiment{}).checkCalls("t", text); err == nil {
			t.Errorf("%s: accepted before anything is played", text)
		}
	}
	if got, err := result.Fill("t", "{ {a}} {{ games \"m\" }}"); err != nil || got != "{ {a}} 1,000" {
		t.Errorf("%q, %v", got, err)
	}
}
