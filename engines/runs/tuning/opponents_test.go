package tuning

import (
	"math"
	"selfplaylab/engines/testmode"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// TestPlayerListSplitsAtNames expects a part without NAME=VALUE to begin the next player.
func TestPlayerListSplitsAtNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"final", "final"},
		{"final,v12.7", "final|v12.7"},
		{"final,a_E=3,b_gain=4,v12.7@depth=3,my.toml", "final,a_E=3,b_gain=4|v12.7@depth=3|my.toml"},
		{"engine:x.toml,hash=64@nodes=500,engine:y.toml", "engine:x.toml,hash=64@nodes=500|engine:y.toml"},
		{"final@depth=3,nodes=9,x:a_E=1,b_M=2", "final@depth=3,nodes=9|x:a_E=1,b_M=2"},
		{"a_E=1,b=2@time=50s", "a_E=1,b=2@time=50s"},
	} {
		if got := strings.Join(player.Asked(playerList(player.AskAll(c.text))), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestOpponentsShareOpenings expects the numbers of openings of the opponents to differ by at most
// one at any time, and another order in the next block and for another seed.
func TestOpponentsShareOpenings(t *testing.T) {
	o := schedule.Opponents{Players: make([]player.Config, 5), Seed: 3}
	other := schedule.Opponents{Players: o.Players, Seed: 4}
	met := make([]int, 5)
	orders, differ := map[string]bool{}, 0
	order := ""
	for k := range uint64(500) {
		i := o.Index(k)
		met[i]++
		if slices.Max(met)-slices.Min(met) > 1 {
			t.Fatalf("after %d openings: %v", k+1, met)
		}
		if order += string(rune('0' + i)); k%5 == 4 {
			orders[order], order = true, ""
		}
		if other.Index(k) != i {
			differ++
		}
	}
	if len(orders) < 50 || differ < 300 {
		t.Errorf("%d orders of 100 blocks, %d of 500 differ by seed", len(orders), differ)
	}
}

func pooled(table map[string]any) *Config {
	defaults := map[string]any{
		"method": "quad", "against": []any{"final,v12.7", "fast:bad@time=50s"}, "against_pairs": int64(60), "rate_pairs": int64(2),
		"games": int64(300), "iters": nil, "pairs": nil, "verify_pairs": int64(100), "verify_min": int64(100),
	}
	for key, value := range table {
		defaults[key] = value
	}
	return small("bad", defaults)
}

// TestPoolTuningRepeats expects a tuning against a pool to repeat at any number of workers and
// after kills. Each opponent has its share; the verdict is by the mean over them.
func TestPoolTuningRepeats(t *testing.T) {
	if testing.Short() {
		t.Skip("plays whole tunings again")
	}
	r := create(t, pooled(nil))
	want := playRun(t, r, 1)
	whole := r.Head.Dir
	trials, _ := rowsOf(t, whole, phaseTune)
	met, before := map[string]int{}, ""
	for i, row := range trials {
		trial, err := want.Trial(row)
		if err != nil || !slices.Equal(trial.Seats[1].Values, row.B) {
			t.Fatalf("trial %d was asked as %+v (%v)", i, trial, err)
		}
		name := trial.Seats[1].Name
		if i%2 == 1 && name != before {
			t.Errorf("trial %d: X met %s and Than %s", i, before, name)
		}
		before = name
		met[name]++
	}
	for _, name := range []string{"final", "v12.7", "fast"} {
		if n := met[name]; n < len(trials)/3-2 || n > len(trials)/3+2 {
			t.Errorf("%s met %d of %d", name, n, len(trials))
		}
	}
	opposed, g := want.Opposed(), want.OverPool()
	if len(opposed) != 6 || opposed[3].Opponent != "v12.7" || opposed[3].Name != "tuned" || opposed[3].Pairs.N() != 60 {
		t.Fatalf("%+v", opposed)
	}
	mean := (opposed[1].Pairs.Score() + opposed[3].Pairs.Score() + opposed[5].Pairs.Score()) / 3
	if g == nil || math.Abs(g.Tuned.Value-mean) > 1e-12 || !(g.Gain.Low < g.Gain.Value && g.Gain.Value < g.Gain.High) {
		t.Errorf("%+v, want a mean of %v", g, mean)
	}
	if want.Outcome() != shownBetter || !strings.Contains(want.Conclusion(), "(95 %; score over 3 opponents") {
		t.Errorf("%s", want.Conclusion())
	}
	text := page(t, want)
	for _, part := range []string{"## Against the pool", "| opponent v12.7 |", "over 3 opponents", "| gain |"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if c := want.Head.Meta.Command; strings.Count(c, " --against ") != 3 || !strings.Contains(c, "@time=50s --against-pairs 60 ") {
		t.Error(c)
	}

	r = create(t, pooled(nil))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{phaseTune, 101}, {phaseAgainst, 100}, {phaseRate, 8}} {
		stopIn(t, r, at.phase, at.games)
		page(t, read(t, dir, Methods))
		r = resume(t, dir, Methods)
	}
	playRun(t, r, 4)
	sameRun(t, whole, dir)
}

// TestAgainstPoolMethods: every method tunes against a pool, and the points of a
// grid or a race meet the same opponents.
func TestAgainstPoolMethods(t *testing.T) {
	testmode.SkipUnlessLong(t) // TestPoolTuningRepeats stands for all methods
	for _, c := range []struct {
		table map[string]any
		whole int32 // pairs of a point against one opponent, half of its pairs; 0 for no points
	}{
		{map[string]any{"method": "spsa", "games": nil, "iters": int64(20), "pairs": int64(4)}, 0},
		{map[string]any{"method": "grid", "games": nil, "params": nil, "grid": []any{"b_gain=0:40:20"}, "pairs": int64(200)}, 100},
		{map[string]any{"method": "grid", "alpha": 0.05, "games": nil, "params": nil, "grid": []any{"b_gain=5,40"}, "pairs": int64(100)}, 0},
	} {
		c.table["against"] = []any{"final", "v12.7"}
		result := playRun(t, create(t, pooled(c.table)), 2)
		if !result.Finished() || (result.OverPool() == nil) != result.same() {
			t.Errorf("%v: left to play: %s", c.table, result.next())
		}
		page(t, result)
		points := map[string]int32{}
		trials, _ := rowsOf(t, result.Head.Dir, phaseTune)
		for _, row := range trials {
			if part, ok := result.Part(row); ok {
				points[part.Name+" v "+part.Seats[1].Name] += row.Pairs
			}
		}
		for name, pairs := range points {
			if c.whole > 0 && pairs != c.whole {
				t.Errorf("%s: %d pairs, want %d", name, pairs, c.whole)
			}
		}
	}
}

// TestAgainstPoolRefusals refuses senseless settings by name.
func TestAgainstPoolRefusals(t *testing.T) {
	for _, c := range []struct {
		table map[string]any
		want  string
	}{
		{map[string]any{"against": []any{"final", "final"}}, "against: final: given twice"},
		{map[string]any{"against": []any{"a:final,b:final"}}, "given twice"},
		{map[string]any{"against": []any{"a:final", "a:v12.7"}}, "two opponents have the same name"},
		{map[string]any{"against": []any{"final", "vv"}}, "against"},
		{map[string]any{"method": "grid", "games": nil, "params": nil, "grid": []any{"b_gain=0:40:20"}, "pairs": int64(60)}, "pairs 60: "},
	} {
		_, err := pooled(c.table).Plan()
		if err == nil || !strings.Contains(strings.Replace(err.Error(), "against final", "against: final", 1), c.want) {
			t.Errorf("%v: %v, want %q", c.table, err, c.want)
		}
	}
}

// TestOverPoolMeansByHand compares the mean over opponents and its interval with a computation by
// hand.
func TestOverPoolMeansByHand(t *testing.T) {
	s := &Config{Against: []player.Config{{Name: "a"}, {Name: "b"}}}
	s.Level = .95
	s.Start.Values = []float64{0}
	chosen := newStages(s, 0)[0].selectPhase
	chosen.chosen, chosen.results = chosen.tunings[0].tuning, []params.Vector{{1}}
	over := func(start, tuned []float64) *poolGain { // points in each opening, summed over both opponents
		s.AgainstPairs = len(start)
		phase := newAgainstPhase(&jointRating{tuned: chosen})
		phase.byOpening, phase.games = map[int][]float64{0: start, 1: tuned}, int64(8*len(start))
		return phase.OverPool()
	}
	half := func(t, square float64, n int) float64 { // Student's 97.5 % quantile, sum of squares, openings
		return t * math.Sqrt(square/float64(n+1)/float64(n-1))
	}
	even := slices.Repeat([]float64{1, 1}, 50)
	for _, c := range []struct {
		start, tuned      []float64
		value, low, least float64 // of the gain, and the lowest score of the tuned values
	}{
		// An opening suits the tuned values against both opponents or none: the 200 pairs are 100 observations.
		{even, slices.Repeat([]float64{2, 0}, 50), 0, -half(1.9842, 25.125, 100), .5 - half(1.9842, 25.0625, 100)},
		// It also suits the start: it makes no difference.
		{slices.Repeat([]float64{1, 0}, 50), slices.Repeat([]float64{2, 1}, 50), .5, .5 - half(1.9842, .125, 100), .75 - half(1.9842, 6.3125, 100)},
		{[]float64{0, 0}, []float64{2, 2}, 1, 1 - half(12.7062, .125, 2), 0},
		{[]float64{0}, []float64{2}, 1, -1, 0}, // one opening has no interval, whatever came out
	} {
		g := over(c.start, c.tuned)
		if g.Gain.Value != c.value || math.Abs(g.Gain.Low-max(c.low, -1)) > 1e-4 || math.Abs(g.Tuned.Low-c.least) > 1e-4 {
			t.Errorf("%d openings: %+v, want a gain of %v from %v, and tuned values from %v", len(c.start), g, c.value, c.low, c.least)
		}
	}
	// If the start is recommended, it alone plays, and there is no share of tuned values.
	chosen.results = []params.Vector{{0}}
	if g := over([]float64{2}, []float64{0}); g != nil {
		t.Errorf("of the start alone: %+v", g)
	}
}
