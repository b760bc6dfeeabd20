package tuning

import (
	"encoding/json"
	"html"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
)

// changesOf lists the changes of active parameters, and the values set back.
func changesOf(space params.Space, active []string, start, tuned params.Vector) (names []string, back []params.Vector) {
	c := &Config{Start: player.Config{Values: start}, task: &analysis.Task{Game: &engines.Game{Space: space}, Active: active}}
	for _, change := range c.changes(tuned) {
		names, back = append(names, change.String()), append(back, change.back)
	}
	return names, back
}

// TestChangesAreSetBackOneByOne expects one change of each parameter that left the start, and weights
// of a ratio group set back in the scale of the group's other weights.
func TestChangesAreSetBackOneByOne(t *testing.T) {
	space := params.Space{
		{Name: "p", Min: -100, Max: 100, Step: 1, Ratio: "r"},
		{Name: "q", Min: -100, Max: 100, Step: 1, Ratio: "r"},
		{Name: "s", Min: -100, Max: 100, Step: 1, Ratio: "r"},
		{Name: "x", Min: -10, Max: 10, Step: 1},
		{Name: "kept", Max: 1, Step: 1},
	}
	start, tuned := params.Vector{1, 2, -4, 5, 1}, params.Vector{3, 6, -20, 7, 1}
	names, back := changesOf(space, space.Names(), start, tuned)
	if want := []string{"p", "q", "s", "x", "all 3 ratios"}; !slices.Equal(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	for i, want := range []params.Vector{{4, 6, -20, 7, 1}, {3, 8, -20, 7, 1}, {3, 6, -12, 7, 1}, {3, 6, -20, 5, 1}, {1, 2, -4, 7, 1}} {
		if !slices.Equal(back[i], want) {
			t.Errorf("without %s: %v, want %v", names[i], back[i], want)
		}
	}
	// Another scale of the same ratios is no change. A group that is the whole change is verified.
	if names, _ = changesOf(space, []string{"p", "q", "s"}, start, params.Vector{2, 4, -8, 5, 1}); names != nil {
		t.Errorf("equal ratios: %q changed", names)
	}
	// A part of the group keeps the scale: values are set back.
	_, back = changesOf(space, []string{"p", "q"}, start, params.Vector{3, 6, -4, 5, 1})
	if len(back) != 2 || back[0][0] != 1 || back[1][1] != 2 {
		t.Errorf("a part of the group is set back to %v", back)
	}
	// Two weights: either one alone restores the ratio of the start.
	_, back = changesOf(space[:2], []string{"p", "q"}, start[:2], params.Vector{3, 12})
	if !slices.Equal(back[0], params.Vector{6, 12}) || !slices.Equal(back[1], params.Vector{3, 6}) {
		t.Errorf("two weights are set back to %v", back)
	}
}

// TestLargestKeepsOrder expects the largest changes, the first of equal ones, in their order.
func TestLargestKeepsOrder(t *testing.T) {
	var list []change
	for i, size := range []float64{1, 5, 3, 3, 3, 7} {
		list = append(list, change{names: []string{string(rune('a' + i))}, size: size})
	}
	for most, want := range []string{1: "f", 2: "bf", 3: "bcf", 4: "bcdf", 6: "abcdef"} {
		if most == 0 || want == "" {
			continue
		}
		got := ""
		for _, c := range largest(list, most) {
			got += c.String()
		}
		if got != want {
			t.Errorf("%d largest: %s, want %s", most, got, want)
		}
	}
}

// TestWorthOfChangesIsPlayed expects a match of equal length for each change, the same rows however
// often the run was stopped, and the same worth on the terminal, in the report and as data.
func TestWorthOfChangesIsPlayed(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes twice")
	}
	config := func() *Config {
		return quadOf("bad", map[string]any{"params": "a_E,b_M,b_gain", "games": int64(2000), "verify_min": int64(60),
			"verify_pairs": int64(60)})
	}
	r := create(t, config())
	result := playRun(t, r, 1)
	trials, games := rowsOf(t, r.Head.Dir, phaseWorth)
	each := result.Config.WorthPairs / 3
	if len(trials) != 3 || len(games) != 2*3*each || each < minWorth || 10*len(games) > int(result.played) {
		t.Fatalf("%d trials and %d of %d games", len(trials), len(games), result.played)
	}
	whole := r.Head.Dir
	list := result.Worths()
	for k, w := range list {
		back := result.Recommend().Clone()
		i := result.Config.task.Space().Index(w.Parameters[0])
		back[i] = result.Config.Start.Values[i]
		if !slices.Equal(trials[k].A, result.Recommend()) || !slices.Equal(trials[k].B, back) || w.Pairs != trials[k].PairCounts() {
			t.Errorf("%+v in trial %+v", w, trials[k])
		}
		e, level := w.Estimate, 1-.05/3
		if e.N != each || e.Level != level || (w.MoreGames > 0) != (e.Decided() == 0) {
			t.Errorf("%+v, want an interval of %v", w, level)
		}
	}
	if len(list) != 3 || list[1].Estimate.Decided() <= 0 {
		t.Errorf("%+v; want a gain of b_M", list)
	}
	var printed strings.Builder
	if err := result.Text(&printed, runs.Ended{}); err != nil {
		t.Fatal(err)
	}
	report, object := html.UnescapeString(page(t, result)), asJSON(t, result)
	for _, w := range list {
		for _, c := range []struct{ text, start string }{{printed.String(), w.name + " "}, {report, "| `" + w.name + "`"}} {
			if !slices.ContainsFunc(strings.Split(c.text, "\n"), func(line string) bool {
				return strings.HasPrefix(line, c.start) && strings.Contains(line, w.String())
			}) {
				t.Errorf("no line %q with %q in\n%s", c.start, w, c.text)
			}
		}
	}
	var data struct{ Worth []worth }
	if err := json.Unmarshal([]byte(object), &data); err != nil || len(data.Worth) != 3 || data.Worth[0].Pairs != list[0].Pairs {
		t.Errorf("%v, %+v", err, data)
	}
	measured := result.Measured()
	if n := len(measured); n < 5 || measured[n-1].Games > 2000 || measured[n-1].Pairs < 20 || !strings.Contains(object, `"measured":[{"games":`) {
		t.Errorf("of recommendations against the start it measured %+v", measured)
	}
	if !strings.Contains(report, "## Worth of each change") || !strings.Contains(report, "figures/worth.svg") {
		t.Error(report)
	}
	r = create(t, config())
	dir := r.Head.Dir
	stopIn(t, r, phaseWorth, 20)
	half := read(t, dir, Methods)
	if page(t, half); half.Finished() || half.Worths() != nil {
		t.Errorf("stopped it has the worths %+v", half.Worths())
	}
	playRun(t, resume(t, dir, Methods), 3)
	sameRun(t, whole, dir)
	if again := read(t, whole, Methods); asJSON(t, again) != object {
		t.Errorf("read again it is %s", asJSON(t, again))
	}
}

// TestWorthNeedsSeveralChanges expects no games for a single change, which the verification measures,
// and in runs whose games are too few.
func TestWorthNeedsSeveralChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes")
	}
	for _, c := range []struct {
		params string
		games  int64
		pairs  bool
	}{{"a_E", 2000, true}, {"a_E,b_gain", 200, false}} {
		result := playRun(t, create(t, quadOf("bad", map[string]any{"params": c.params, "games": c.games, "verify_min": int64(60),
			"verify_pairs": int64(60)})), 1)
		if (result.Config.WorthPairs > 0) != c.pairs || result.Worths() != nil || result.worthPhase.games > 0 || !result.Finished() {
			t.Errorf("%s: %d pairs, %+v", c.params, result.Config.WorthPairs, result.Worths())
		}
	}
}

// TestWorthOfStagesIsOfTheirGames expects at a stop as many pairs as in a run that ends there, whatever
// follows, and for the end a tenth of the games after the stop.
func TestWorthOfStagesIsOfTheirGames(t *testing.T) {
	planned := func(table map[string]any) *Config {
		table["params"], table["screen_pairs"], table["rate_pairs"] = "a_E,b_M,b_gain", int64(8), int64(2)
		table["verify_min"], table["verify_pairs"], table["fit_pairs"] = int64(60), int64(60), int64(0)
		plan, err := quadOf("bad", table).Plan()
		if err != nil {
			t.Fatal(err)
		}
		return plan.Config.(*Config)
	}
	short := planned(map[string]any{"games": int64(2000)})
	stopped := planned(map[string]any{"games": int64(9000), "stop": []any{"2000", "5000"}})
	if len(short.WorthStops) != 0 || len(stopped.WorthStops) != 2 || stopped.WorthStops[0] != short.WorthPairs {
		t.Fatalf("%d pairs at the end of the short run, %v at the stops", short.WorthPairs, stopped.WorthStops)
	}
	// 3,000 tuning games before a stop, and 4,000 before the end.
	if added := stopped.WorthPairs - stopped.WorthStops[1]; added != 50 {
		t.Errorf("%d pairs at the last stop, %d at the end", stopped.WorthStops[1], stopped.WorthPairs)
	}
	games, others := int64(0), int64(0)
	for _, p := range stopped.planned() {
		if p.Phase == phaseWorth {
			games = p.Games
		} else {
			others += p.Games
		}
	}
	pairs := short.WorthPairs + stopped.WorthStops[1] + stopped.WorthPairs
	if games != 2*int64(pairs) || worthShare*games > others {
		t.Errorf("%d games planned for %d pairs, beside %d other games", games, pairs, others)
	}
	stopped.WorthStops = nil // as in a run of an earlier version
	for n, g := range newStages(stopped, 0) {
		if g.worthPhase.pairs != stopped.WorthPairs {
			t.Errorf("%d pairs in stage %d, want %d", g.worthPhase.pairs, n, stopped.WorthPairs)
		}
	}
}
