package fit

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/mills"
	"selfplaylab/engines/testmode"
	"selfplaylab/params"
	"selfplaylab/params/regression"
)

func open(t *testing.T) (engines.Variant, Options) {
	t.Helper()
	v, err := mills.Game().OpenText("")
	if err != nil {
		t.Fatal(err)
	}
	start, err := v.Game.Preset("paper")
	if err != nil {
		t.Fatal(err)
	}
	return v, Options{Start: start.Vector, Limits: v.Game.Limits, Confidence: .95}
}

// drawn returns games of random moves. The result of each is drawn from the log-odds that known
// weights give one of its positions, which is the last position of its file.
func drawn(t *testing.T, v engines.Variant, truth params.Vector, scale float64, seed uint64, games int) (list []Game) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	linear := v.Linear(truth, v.Game.Limits)
	row := make([]float32, len(linear.Names))
	for n := range games {
		ref := v.NewReferee()
		if err := ref.Reset(""); err != nil {
			t.Fatal(err)
		}
		g := Game{Game: gamefile.Game{Variant: v}, Opening: n}
		end := 8 + r.IntN(40)
		for ply := 0; ply < end; ply++ {
			if o, _ := ref.Result(); o != engines.Ongoing {
				break
			}
			moves := ref.Moves(nil)
			m := moves[r.IntN(len(moves))]
			g.Moves = append(g.Moves, gamefile.Move{Text: ref.MoveString(m), Opening: true})
			ref.Play(m)
		}
		if o, _ := ref.Result(); o != engines.Ongoing {
			continue
		}
		if _, _, err := linear.Row(ref.String(), row); err != nil {
			t.Fatal(err)
		}
		eta := 0.0
		for i, name := range linear.Names {
			eta += scale * float64(row[i]) * truth[v.Game.Space.Index(name)]
		}
		g.Outcome = engines.Win(ref.Turn().Other())
		if r.Float64() < 1/(1+math.Exp(-eta)) {
			g.Outcome = engines.Win(ref.Turn())
		}
		g.Moves[len(g.Moves)-1].Opening = true
		for range 1 + LastPlies { // the position itself, and plies that are left out
			moves := ref.Moves(nil)
			if o, _ := ref.Result(); o != engines.Ongoing || len(moves) == 0 {
				break
			}
			g.Moves = append(g.Moves, gamefile.Move{Text: ref.MoveString(moves[0])})
			ref.Play(moves[0])
		}
		list = append(list, g)
	}
	return list
}

// TestGamesOfOneOpeningAreOneObservation counts an opening once, in any order of its games.
// Unfinished games and games that ended by a fault do not count.
func TestGamesOfOneOpeningAreOneObservation(t *testing.T) {
	v, o := open(t)
	games := drawn(t, v, o.Start, .1, 1, 300)
	fitTo := func(games []Game) *Result {
		set, err := NewSet(v, o)
		if err == nil {
			err = set.Add(games)
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err := set.Fit()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var beside []Game
	for _, g := range games {
		beside = append(beside, g, g)
	}
	faulty := slices.Clone(games)
	for i := range faulty {
		faulty[i].Opening = "faulty"
		if i%2 == 0 {
			faulty[i].Reason = engines.Crash
		} else {
			faulty[i].Outcome = engines.Ongoing
		}
	}
	apart := slices.Concat(games, faulty, games)
	if a, b := fitTo(beside), fitTo(apart); !reflect.DeepEqual(a, b) || a.Clusters > len(games) {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// TestIntervalsHoldTrueWeights simulates games of mills with known weights. The intervals of a
// fit that starts from men alone contain them as often as stated.
func TestIntervalsHoldTrueWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates thousands of games")
	}
	v, o := open(t)
	preset, err := v.Game.Preset("strong")
	if err != nil {
		t.Fatal(err)
	}
	const scale = .01
	inside, all := 0, 0
	for seed := range testmode.Times(4, 20) {
		set, err := NewSet(v, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Add(drawn(t, v, preset.Vector, scale, uint64(seed), 3000)); err != nil {
			t.Fatal(err)
		}
		r, err := set.Fit()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range r.Weights {
			if !w.Identified {
				continue
			}
			all++
			// The same log-odds in points of the start, times the factor.
			want := preset.Vector[v.Game.Space.Index(w.Name)] * scale / r.Scale * r.Factor
			if w.Low <= want && want <= w.High {
				inside++
			}
		}
	}
	if share := float64(inside) / float64(all); all < 40 || share < .93 {
		t.Errorf("%.3f of %d intervals hold the weights", share, all)
	}
}

// TestCoresAndDifferencesGiveSameWeights fits on any number of cores, and by differences of the
// evaluation instead of the game's own terms.
func TestCoresAndDifferencesGiveSameWeights(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	v, o := open(t)
	o.Params = []string{"w", "mob_place", "mob_move", "draw"}
	games := drawn(t, v, mills.Game().Presets[2].Vector, .05, 1, 400)
	slow := v
	slow.Linear = nil
	var first *Result
	for _, c := range []struct {
		v     engines.Variant
		cores int
	}{{v, 1}, {v, 2}, {v, 5}, {slow, 2}} {
		runtime.GOMAXPROCS(c.cores)
		set, err := NewSet(c.v, o)
		if err != nil {
			t.Fatal(err)
		}
		for part := range slices.Chunk(games, 100) {
			if err := set.Add(part); err != nil {
				t.Fatal(err)
			}
		}
		r, err := set.Fit()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Excluded, []string{"draw"}) {
			t.Errorf("excluded are %v, want draw", r.Excluded)
		}
		if c.v.Linear == nil { // differences do not tell that only ratios matter
			r.Factor, r.Values, r.Weights = first.Factor, first.Values, first.Weights
		}
		if first == nil {
			first = r
		}
		r.Fit.Weights, first.Fit.Weights = nil, nil
		if !reflect.DeepEqual(r, first) {
			t.Errorf("%d cores: %+v, want %+v", c.cores, r, first)
		}
	}
}

// TestPlayerWithoutTermsIsRefused rejects a player whose evaluation is not a sum of its
// parameters.
func TestPlayerWithoutTermsIsRefused(t *testing.T) {
	v, o := open(t)
	o.Params = []string{"draw"}
	if _, err := NewSet(v, o); err == nil {
		t.Error("draw is fitted")
	}
}

// TestMixedScoresDoNotDependOnUnit mixes search scores in any unit into the results. A missing
// or infinite score leaves the result.
func TestMixedScoresDoNotDependOnUnit(t *testing.T) {
	mixed := func(unit float64) []float32 {
		r := rand.New(rand.NewPCG(1, 4))
		s, p := Set{options: Options{Score: .5}}, regression.Problem{}
		for row := range 400 {
			score, result := r.NormFloat64(), float32(0)
			if r.Float64() < 1/(1+math.Exp(-score)) {
				result = 1
			}
			s.scores, p.Result, p.Cluster = append(s.scores, float32(score*unit)), append(p.Result, result), append(p.Cluster, int32(row))
		}
		s.scores[0], s.scores[1] = float32(math.NaN()), float32(math.Inf(1))
		if err := s.mix(&p); err != nil {
			t.Fatal(err)
		}
		return p.Result
	}
	pawns, points := mixed(1), mixed(100)
	for row := range pawns {
		if d := pawns[row] - points[row]; d > .001 || d < -.001 || (row < 2) != (pawns[row] == 0 || pawns[row] == 1) {
			t.Fatalf("row %d: %v in pawns, %v in hundredths", row, pawns[row], points[row])
		}
	}
}

// Rows of a million games are gigabytes, so they are copied once, not at each step of a growing
// slice.
func TestGatherAllocatesOnce(t *testing.T) {
	const rows, columns = 10_000, 3
	d := regression.Data{Columns: columns, Terms: make([]float32, rows*columns), Rest: make([]float32, rows), Result: make([]float32, rows)}
	for row := range rows {
		d.Cluster, d.Rest[row] = append(d.Cluster, int32(row%2)), float32(row)
	}
	var s Set
	n := testing.AllocsPerRun(1, func() {
		s.data, s.scores = d, d.Rest
		s.gather()
	})
	if s.data.Rest[1] != 2 || s.scores[rows/2] != 1 || len(s.data.Terms) != len(d.Terms) {
		t.Errorf("rows begin %v, scores of the second cluster %v", s.data.Rest[:3], s.scores[rows/2])
	}
	if n > 10 {
		t.Errorf("%v allocations, want one a column", n)
	}
}
