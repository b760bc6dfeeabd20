package regression

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/engines/testmode"
)

// truth holds the weights that decide simulated games. The term of the second last column never
// occurs; the last column equals the first.
var truth = []float64{10, 4, -3, 7, 0, 2}

// simulate plays games. Positions of a game share most of their terms, and the result, which is
// drawn from a walk of the log-odds. Positions are therefore not independent.
func simulate(seed uint64, clusters int) *Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &Problem{Confidence: .95}
	p.Columns = len(truth)
	for c := range clusters {
		for range 2 {
			base := make([]float64, len(truth))
			for j := range base {
				base[j] = r.NormFloat64()
			}
			// The sum at the start of a game's end decides the game. Later terms only add noise
			// on which the result does not depend.
			eta := 0.0
			for j, w := range truth {
				if j != 4 {
					eta += base[j] * w * .1
				}
			}
			won := r.Float64() < chance(eta)
			for ply := range 12 {
				sign, result := float32(1), float32(0)
				if won {
					result = 1
				}
				if ply%2 == 1 {
					sign, result = -1, 1-result
				}
				row := make([]float32, len(truth))
				for j, x := range base {
					if j != 4 {
						row[j] = sign * float32(x)
					}
				}
				p.Terms = append(p.Terms, row...)
				p.Rest, p.Result, p.Cluster = append(p.Rest, 0), append(p.Result, result), append(p.Cluster, int32(c))
			}
		}
	}
	for _, w := range truth {
		p.Start = append(p.Start, w*.7)
		p.Units, p.Low, p.High = append(p.Units, 40), append(p.Low, -20), append(p.High, 20)
	}
	p.Start[0] = 10
	return p
}

// TestIntervalsCoverTrueWeights holds the true weights in 95 % of intervals, although the positions of a
// game are one observation. Counted alone, positions would give intervals that are too narrow.
func TestIntervalsCoverTrueWeights(t *testing.T) {
	testmode.SkipUnlessLong(t) // a study
	inside, all, width := 0, 0, 0.0
	for seed := range 480 {
		p := simulate(uint64(seed), 400)
		f, err := p.Run()
		if err != nil {
			t.Fatal(err)
		}
		// The results determine only ratios; the scale follows from the start's weights.
		factor := .1 / f.Scale
		for j, w := range f.Weights {
			if j == 4 {
				if w.Identified || w.Value != p.Start[j] {
					t.Errorf("a term that never occurs is fitted: %+v", w)
				}
				continue
			}
			if !w.Identified {
				t.Errorf("seed %d: weight %d is not identified", seed, j)
			}
			all++
			width += (w.High - w.Low) / 2
			if want := truth[j] * factor; w.Low <= want && want <= w.High {
				inside++
			}
		}
	}
	share := float64(inside) / float64(all)
	t.Logf("%.3f of %d intervals cover, mean half width %.2f", share, all, width/float64(all))
	if share < .90 || share > .99 {
		t.Errorf("%.3f of %d intervals hold the truth", share, all)
	}
}

// TestRidgePullsWeightsNotIntervals pulls weights to the start and leaves their intervals where the
// results alone put them.
func TestRidgePullsWeightsNotIntervals(t *testing.T) {
	var fits []*Fit
	p := simulate(7, 100)
	for _, p.Ridge = range []float64{1e-6, 3e4} {
		f, err := p.Run()
		if err != nil {
			t.Fatal(err)
		}
		fits = append(fits, f)
	}
	for j, free := range fits[0].Weights {
		pulled, width := fits[1].Weights[j], free.High-free.Low
		if free.Identified && (math.Abs(pulled.Low-free.Low) > .1*width || math.Abs(pulled.High-free.High) > .1*width) {
			t.Errorf("weight %d: without a ridge %+v, with one %+v", j, free, pulled)
		}
	}
	if w := fits[1].Weights[5]; math.Abs(w.Value-(w.Low+w.High)/2) < .1*(w.High-w.Low) {
		t.Errorf("the ridge pulls nothing: %+v", w)
	}
}

// TestGainShowsWrongStart gains on held-out games from a wrong start; from a right one the interval of
// the gain contains 0.
func TestGainShowsWrongStart(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many fits")
	}
	p := simulate(7, 2000)
	f, err := p.Run()
	if err != nil || f.GainLow <= 0 || f.Fitted >= f.Start || f.Held == 0 {
		t.Errorf("from a wrong start: %+v (%v)", f, err)
	}
	wrong := 0
	for seed := range uint64(10) {
		p := simulate(seed, 400)
		copy(p.Start, truth)
		f, err := p.Run()
		if err != nil {
			t.Fatal(err)
		}
		if f.GainLow > 0 {
			wrong++
		}
	}
	if wrong > 1 {
		t.Errorf("from the right weights %d of 10 fits claim a gain", wrong)
	}
}

// TestCoresDoNotChangeFit gives the same result on any number of cores.
func TestCoresDoNotChangeFit(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many fits")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first *Fit
	for _, cores := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(cores)
		f, err := simulate(3, 1500).Run()
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = f
		}
		if !reflect.DeepEqual(f, first) {
			t.Errorf("%d cores: %+v, one: %+v", cores, f, first)
		}
	}
}

// TestCollinearColumnIsHeld holds one of several collinear columns at the start and fits the others as
// without the copies.
func TestCollinearColumnIsHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many fits")
	}
	p := simulate(9, 1500)
	alone, err := p.Run()
	if err != nil {
		t.Fatal(err)
	}
	// The first column is the sum of two others, as a piece stands on one square or another.
	const columns = 2
	for row := range p.Rows() {
		at := row * (p.Columns + columns)
		x := p.Terms[at]
		split := []float32{x, 0}
		if row%3 == 0 {
			split = []float32{0, x}
		}
		p.Terms = slices.Insert(p.Terms, at+p.Columns, split...)
	}
	p.Columns += columns
	for range columns {
		p.Start, p.Units, p.Low, p.High = append(p.Start, 0), append(p.Units, 40), append(p.Low, -20), append(p.High, 20)
	}
	f, err := p.Run()
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, j := range []int{0, 6, 7} {
		if !f.Weights[j].Identified {
			held++
		}
	}
	if held != 1 {
		t.Errorf("%d of three columns are held: %+v", held, f.Weights)
	}
	for _, split := range f.Weights[6:] {
		if sum := f.Weights[0].Value + split.Value; math.Abs(sum-alone.Weights[0].Value) > 1.5 {
			t.Errorf("the two weights of a row sum to %.2f, want %.2f as without the copies", sum, alone.Weights[0].Value)
		}
	}
	for j := 1; j < 6; j++ {
		if d := f.Weights[j].Value - alone.Weights[j].Value; math.Abs(d) > .5 {
			t.Errorf("weight %d is %.2f, want %.2f as without the copies", j, f.Weights[j].Value, alone.Weights[j].Value)
		}
	}
}

// lossOf returns the loss of a row at z, by the formula.
func (m *model) lossOf(row int, z []float64) float64 {
	d, points := m.data, float64(m.data.Rest[row])
	for j, w := range m.start {
		if k := slices.Index(m.active, j); k >= 0 {
			w += z[k] * m.units[j]
		}
		points += w * float64(d.Terms[row*d.Columns+j])
	}
	q, r := chance(m.scale*points+m.tempo+z[len(m.active)]), float64(d.Result[row])
	return -r*math.Log(q) - (1-r)*math.Log(1-q)
}

// modelOf returns a small problem and its model; some positions are draws.
func modelOf(t *testing.T) (*Problem, *model) {
	t.Helper()
	p := simulate(7, 100)
	p.Start[3], p.Start[5] = 2, -4
	for row := range p.Result {
		p.Rest[row] = float32(row%5) - 2
		if row%7 == 0 {
			p.Result[row] = .5
		}
	}
	m, err := p.model()
	if err != nil {
		t.Fatal(err)
	}
	m.active = []int{0, 1, 2, 3, 5}
	return p, m
}

// TestHeldOutLossMatchesFormula compares held-out losses with the formula, and the interval of the gain
// with leaving out one cluster at a time.
func TestHeldOutLossMatchesFormula(t *testing.T) {
	_, m := modelOf(t)
	f, zero := Fit{Ridge: 5}, make([]float64, m.size())
	m.test(&f, .95)
	z := m.newton(m.ridges(f.Ridge), zero, func(row int) bool { return m.data.Cluster[row]%folds != 0 })
	start, fitted, rows := map[int32]float64{}, map[int32]float64{}, map[int32]float64{}
	var starts, all, n float64
	for row, c := range m.data.Cluster {
		if c%folds == 0 {
			a, b := m.lossOf(row, zero), m.lossOf(row, z)
			start[c], fitted[c], rows[c] = start[c]+a, fitted[c]+b, rows[c]+1
			starts, all, n = starts+a, all+b, n+1
		}
	}
	gain, square := (starts-all)/n, 0.0
	for c, k := range rows {
		without := (starts - start[c] - all + fitted[c]) / (n - k)
		square += math.Pow(without-gain, 2)
	}
	half := 2.093024 * math.Sqrt(square) // Student's, of 20 clusters
	for what, x := range map[string][2]float64{
		"positions": {float64(f.Held), n}, "start": {f.Start, starts / n}, "fitted": {f.Fitted, all / n}, "gain": {f.Gain, gain},
		"clusters": {float64(f.Apart), 20}, "of 50 clusters": {student(.95, 50), 2.0299775392552104}, "upper arm": {f.GainHi - f.Gain, half}, "lower arm": {f.Gain - f.GainLow, half},
	} {
		within := 1e-9
		if what == "upper arm" || what == "lower arm" {
			within = .06 * half // leaving out one cluster of 20 changes this much
		}
		if math.Abs(x[0]-x[1]) > within {
			t.Errorf("%s: %v, want %v", what, x[0], x[1])
		}
	}
}

// TestFitIsOptimalWithinBounds finds no smaller loss by changing a weight within its bounds.
func TestFitIsOptimalWithinBounds(t *testing.T) {
	p, m := modelOf(t)
	const ridge, h = 5, 1e-5
	low, high := slices.Clone(p.Low), slices.Clone(p.High)
	low[2], high[3] = p.Start[2]-.1, p.Start[3]+.1 // both would move farther without bounds
	z, bounded := m.solve(ridge, func(int) bool { return true }, low, high)
	if want := []bool{false, false, true, true, false, false}; !slices.Equal(bounded, want) {
		t.Fatalf("at bounds %v, want %v: %v", bounded, want, z)
	}
	objective := func(k int, by float64) (sum float64) {
		at := slices.Clone(z)
		at[k] += by
		for row := range m.data.Rows() {
			sum += m.lossOf(row, at)
		}
		for _, x := range at[:len(m.active)] {
			sum += ridge * x * x / 2
		}
		return sum
	}
	for k := range z {
		slope := (objective(k, h) - objective(k, -h)) / (2 * h)
		switch {
		case !bounded[k]:
			if math.Abs(slope) > .01 {
				t.Errorf("coordinate %d: slope %v", k, slope)
			}
		case k == 2 && (slope < 1 || math.Abs(z[2]*m.units[2]+.1) > 1e-9), k == 3 && (slope > -1 || math.Abs(z[3]*m.units[3]-.1) > 1e-9):
			t.Errorf("coordinate %d at its bound: slope %v at %v", k, slope, z[k])
		}
	}
}

// TestChosenRidgeHasLeastHeldOutLoss compares the chosen ridge with fits that leave folds out.
func TestChosenRidgeHasLeastHeldOutLoss(t *testing.T) {
	_, m := modelOf(t)
	train, zero := func(row int) bool { return m.data.Cluster[row]%folds != 0 }, make([]float64, m.size())
	mean := 0.0
	for i := range m.active {
		mean += total(m.sum(m.newton(m.ridges(0), zero, train), train)).curvature(zero).At(i, i) / float64(len(m.active))
	}
	var losses []float64
	for k, share := range ridgeLadder {
		losses = append(losses, 0)
		for out := 1; out < folds; out++ {
			z := m.newton(m.ridges(share*mean), zero, func(row int) bool { return train(row) && int(m.data.Cluster[row])%folds != out })
			for row := range m.data.Rows() {
				if int(m.data.Cluster[row])%folds == out {
					losses[k] += m.lossOf(row, z)
				}
			}
		}
	}
	best := slices.Index(losses, slices.Min(losses))
	if got := m.chooseRidge() / mean; math.Abs(got/ridgeLadder[best]-1) > 1e-9 {
		t.Errorf("%v of the mean curvature, want %v of %v: %v", got, ridgeLadder[best], ridgeLadder, losses)
	}
	if best == 0 || best == len(ridgeLadder)-1 {
		t.Errorf("the best is the %d. of the ladder, which shows little", best)
	}
}

// TestWeightStopsAtBound holds a weight at its bound and fits the others with it there.
func TestWeightStopsAtBound(t *testing.T) {
	p := simulate(5, 1500)
	p.High[3] = 5.5
	p.Start[3] = 5
	f, err := p.Run()
	if err != nil || f.Weights[3].Value > 5.5 || f.Weights[3].Value < 5.4 {
		t.Errorf("%+v (%v)", f, err)
	}
	if factor := .1 / f.Scale; math.Abs(f.Weights[1].Value-truth[1]*factor) > 1 {
		t.Errorf("the others are %+v at a factor of %.2f", f.Weights, factor)
	}
}

// TestRunRejectsTooLittle rejects too few games, and an evaluation that predicts nothing.
func TestRunRejectsTooLittle(t *testing.T) {
	if _, err := simulate(1, 20).Run(); err != ErrFew {
		t.Error(err)
	}
	p := simulate(1, 100)
	clear(p.Start)
	if _, err := p.Run(); err != ErrFlat {
		t.Error(err)
	}
	p = simulate(1, 100)
	for j := range p.Start {
		p.Start[j] *= -1
	}
	if _, err := p.Run(); err != ErrFlat {
		t.Error(err)
	}
}

// TestBadlyConditionedWeightsHaveErrors gives errors to weights of very different sizes.
func TestBadlyConditionedWeightsHaveErrors(t *testing.T) {
	curvature, scatter := mat.NewSymDense(2, []float64{1e12, 0, 0, 1e-6}), mat.NewSymDense(2, []float64{1e12, 0, 0, 1e-6})
	cov := sandwich(curvature, scatter)
	if x, y := cov.At(0, 0)*1e12, cov.At(1, 1)*1e-6; math.Abs(x-1) > 1e-9 || math.Abs(y-1) > 1e-9 {
		t.Errorf("%v", mat.Formatted(cov))
	}
}
