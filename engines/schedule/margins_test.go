package schedule

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/params/quadratic"
)

// pairOf returns a pair of games with A's margins. NaN is a game without a margin that A won.
func pairOf(first, second float64) []datasets.GameRow {
	games := make([]datasets.GameRow, 2)
	for n, x := range []float64{first, second} {
		g := &games[n]
		g.Game, g.AScore = int32(n), 1
		if math.IsNaN(x) {
			continue
		}
		if x < 0 {
			g.AScore = 0
		}
		if n == 1 {
			x = -x // the margin of the side that plays first
		}
		g.Margin = &x
	}
	return games
}

// TestMarginCountsAtMostAGame counts games by their margins, each at most as a whole game.
// Games without a margin count by their result.
func TestMarginCountsAtMostAGame(t *testing.T) {
	for _, c := range []struct {
		first, second  float64
		mean, variance float64
	}{
		{5, -5, 0.5, 0},
		{10, 10, 1, 0},
		{40, 10, 1, 0},          // no game counts more than a game
		{5, 0, 0.625, 0},        // (3/4 + 1/2) / 2
		{-10, -5, 0.125, 0},     // (0 + 1/4) / 2
		{math.NaN(), 0, .75, 0}, // lost by a fault: 1, and 1/2
	} {
		g := MarginScore(pairOf(c.first, c.second), 10)
		if math.Abs(g.Mean-c.mean) > 1e-12 || math.Abs(g.Variance-c.variance) > 1e-12 {
			t.Errorf("margins %v and %v: %+v, want mean %v", c.first, c.second, g, c.mean)
		}
	}
	two := MarginScore(append(pairOf(10, 10), pairOf(-10, -10)...), 10)
	if two.Mean != 0.5 || two.Variance != 0.25 {
		t.Errorf("a pair won and a pair lost outright: %+v, want mean 1/2 and variance 1/4", two)
	}
	if g := MarginScore(nil, 10); g.Mean != 0.5 {
		t.Errorf("of no games %+v", g)
	}
	if g := CombineMargins(&params.MarginScore{Mean: 1, Variance: .2}, &params.MarginScore{Mean: .5, Variance: .04}); g.Mean != .75 || math.Abs(g.Variance-.06) > 1e-12 {
		t.Errorf("beside each other %+v", g)
	}
	if CombineMargins(nil, two) != nil {
		t.Error("a grade of one side alone")
	}
}

// hill returns a game whose margin is the difference of the two points plus noise with this
// standard deviation.
func hill(r *rand.Rand, x, other, noise float64) datasets.GameRow {
	worth := func(v float64) float64 { return -v * v }
	margin := 2*(worth(x)-worth(other)) + noise*r.NormFloat64()
	g := datasets.GameRow{AScore: 1, Margin: &margin}
	if margin < 0 {
		g.AScore = 0
	}
	return g
}

// TestMarginsTuneCloserThanResults tunes with a known optimum and normal margins: the paired
// quadratic ends nearer to it with margins than with results of the same number of games. In
// theory the sign of a normal margin has 2/pi of the information of the margin.
func TestMarginsTuneCloserThanResults(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many tunings")
	}
	const noise, full = 1.5, 1.5 * 1.25
	miss := func(margins bool, seed uint64) float64 {
		r := rand.New(rand.NewPCG(seed, 9))
		space := params.Space{{Name: "a", Min: -3, Max: 3, Default: 2, Step: 1}}
		tuner, err := quadratic.New(quadratic.Settings{Space: space, Start: params.Vector{2}, Active: []int{0}, Seed: seed, Pairs: 400})
		if err != nil {
			t.Fatal(err)
		}
		for trials := tuner.Ask(); len(trials) > 0; trials = tuner.Ask() {
			for _, trial := range trials {
				var score params.Score
				var games []datasets.GameRow
				for range trial.Pairs {
					a, b := hill(r, trial.A[0], trial.B[0], noise), hill(r, trial.A[0], trial.B[0], noise)
					score.Pairs[int(2*a.AScore+2*b.AScore)]++
					turned := -*b.Margin
					b.Game, b.Margin = 1, &turned
					games = append(games, a, b)
				}
				if margins {
					score.Margin = MarginScore(games, full)
				}
				if err := tuner.Tell(trial, score); err != nil {
					t.Fatal(err)
				}
			}
		}
		best := tuner.Recommend()[0]
		return best * best
	}
	const runs = 40
	points, margins := 0.0, 0.0
	for seed := range uint64(runs) {
		points += miss(false, engines.Seed(seed)) / runs
		margins += miss(true, engines.Seed(seed)) / runs
	}
	t.Logf("mean square distance from the optimum after 800 games, %d runs: told who won %.5f, told margins %.5f", runs, points, margins)
	if margins >= points {
		t.Errorf("told margins it ends %.5f from the optimum (mean square), told who won %.5f", margins, points)
	}
}
