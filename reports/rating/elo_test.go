package rating

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, label string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.9g, want %.9g", label, got, want)
	}
}

// TestEloMatchesFastchess uses fastchess, app/tests/elo_test.cpp, whose tolerance is 1 %.
// More digits were computed by its formulas.
// The error bars of fastchess are halves of the 95 % interval.
func TestEloMatchesFastchess(t *testing.T) {
	for _, v := range []struct {
		e                                          Estimate
		score, elo, eloError, nelo, neloError, los float64
	}{
		{Games{Wins: 76, Losses: 89, Draws: 123}.Estimate(.95), .477431, -15.693521, 30.458001, -20.75645, 40.126026, .1553},
		{Games{Wins: 136, Losses: 96, Draws: 111}.Estimate(.95), .558309, 40.702458, 30.427218, 49.768415, 36.768451, .9960},
		{Pairs{34, 54, 31 + 32, 64, 75}.Estimate(.95), .57931, 55.57978, 27.65343, 57.9356, 28.275376, .99997},
		{Pairs{332, 433, 457 + 41, 333, 334}.Estimate(.95), .487565, -8.642667, 10.334194, -9.172914, 10.960459, .05047},
		{Pairs{7895, 8757, 5485 + 200, 568, 9999}.Estimate(.95), .469753, -21.043521, 2.945281, -19.012834, 2.654502, math.NaN()},
	} {
		near(t, "score", v.e.Score, v.score, 1e-6)
		near(t, "Elo", v.e.Elo, v.elo, 1e-4)
		near(t, "Elo error", v.e.Normal().Elo().Half(), v.eloError, 1e-4)
		near(t, "nElo", v.e.NElo, v.nelo, 1e-4)
		near(t, "nElo error", normalError(v.e), v.neloError, 1e-4)
		if !math.IsNaN(v.los) {
			near(t, "LOS", v.e.LOS, v.los, 1e-4)
		}
		if v.e.Few {
			t.Errorf("%v counts as few", v.e)
		}
	}
	// EloWDL 3 of the same file, to its two digits: no draws on one side of the scale, far from
	// even.
	e := Games{Wins: 34, Losses: 356}.Estimate(.95)
	near(t, "nElo", e.NElo, -508.44, .01)
	near(t, "nElo error", normalError(e), 34.48, .01)
}

// normalError is half the width of the normal interval in normalized Elo.
func normalError(e Estimate) float64 {
	games := float64(e.N)
	if e.Unit == "pair" {
		games *= 2
	}
	return normalizedUnit * quantile(e.Level) / math.Sqrt(games)
}

func TestEloInvertsScore(t *testing.T) {
	for _, v := range []struct{ elo, score float64 }{
		{0, .5}, {400, 10. / 11}, {-400, 1. / 11}, {800, 100. / 101}, {MaxElo, .999}, {-MaxElo, .001},
	} {
		near(t, fmt.Sprint("score of ", v.elo), Score(v.elo), v.score, 1e-12)
		near(t, fmt.Sprint("Elo of ", v.score), eloOf(v.score), v.elo, 1e-9)
	}
	for _, v := range []struct{ score, elo float64 }{{0, -MaxElo}, {1, MaxElo}, {1e-9, -MaxElo}, {1 - 1e-9, MaxElo}} {
		if got := eloOf(v.score); got != v.elo {
			t.Errorf("Elo of %v is %v, want %v", v.score, got, v.elo)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		elo := rapid.Float64Range(-1190, 1190).Draw(t, "elo")
		if got := eloOf(Score(elo)); math.Abs(got-elo) > 1e-6 {
			t.Fatalf("%v Elo comes back as %v", elo, got)
		}
		v := rapid.Float64Range(1e-3, .25).Draw(t, "variance")
		if got := normalizedElo(.5+elo/normalizedUnit*math.Sqrt(v), v); math.Abs(got-elo) > 1e-6 {
			t.Fatalf("%v normalized Elo comes back as %v", elo, got)
		}
	})
}

// finite fails unless every number of e is finite and in order.
func finite(t interface{ Fatalf(string, ...any) }, label any, e Estimate) {
	if _, err := json.Marshal(e); err != nil { // rejects NaN and infinities
		t.Fatalf("%v: %v", label, err)
	}
	for _, r := range []struct {
		name string
		x    float64
		in   Interval
	}{
		{"score", e.Score, e.ScoreRange}, {"Elo", e.Elo, e.EloRange}, {"nElo", e.NElo, e.NEloRange},
		{"score range", e.ScoreRange.Low, Interval{0, 1}}, {"score range", e.ScoreRange.High, Interval{0, 1}},
		{"LOS", e.LOS, Interval{0, 1}}, {"standard error", e.SE, Interval{1e-12, 1}},
	} {
		if !r.in.Contains(r.x) {
			t.Fatalf("%v: %s %v is not in %v", label, r.name, r.x, r.in)
		}
	}
}

func FuzzEstimate(f *testing.F) {
	f.Add(uint32(0), uint32(0), uint32(0), uint32(0), uint32(1), .95)
	f.Fuzz(func(t *testing.T, a, b, c, d, e uint32, level float64) {
		if !(level > 0 && level < 1) {
			level = .95
		}
		p := Pairs{int(a), int(b), int(c), int(d), int(e)}
		finite(t, p, p.Estimate(level))
		finite(t, p, Games{int(a), int(b), int(c)}.Estimate(level))
		finite(t, p, Sequence{}.Estimate(p))
	})
}

// sigmas is the largest distance of a simulated
// frequency from the claimed one: its 99.9 % interval.
// All simulations are seeded, so a failure repeats.
const sigmas = 3.3

// atMost fails when k of n cases show a probability above p.
func atMost(t *testing.T, label string, k, n int, p float64) {
	t.Helper()
	if float64(k) > float64(n)*p+sigmas*math.Sqrt(float64(n)*p*(1-p)) {
		t.Errorf("%s: %d of %d, want a share of %.3g at most", label, k, n, p)
	}
}

func ExamplePairs_Estimate() {
	match := Pairs{34, 54, 63, 64, 75} // LL, LD, even, WD, WW
	e := match.Estimate(0.95)
	fmt.Println(e)
	fmt.Printf("score %.3f, %+.1f normalized Elo, LOS %.4f\n", e.Score, e.NElo, e.LOS)
	fmt.Println(e.Verdict())
	fmt.Println(Pairs{4: 3}.Estimate(0.95))
	// Output:
	// +55.6 ± 27.6 Elo (95 %, 290 pairs)
	// score 0.579, +57.9 normalized Elo, LOS 1.0000
	// better: +55.6 ± 27.6 Elo (95 %, 290 pairs)
	// > +1200 Elo, from -153.5 to > +1200 (95 %, only 3 pairs)
}

// TestStudentMatchesTables uses printed tables of the
// t distribution for 9 and 29 degrees of freedom.
// Fewer than two values count as one degree.
func TestStudentMatchesTables(t *testing.T) {
	near(t, "of 10", Student(10, .95), 2.262, .0005)
	near(t, "of 30, 99 %", Student(30, .99), 2.756, .0005)
	near(t, "of one", Student(1, .95), 12.706, .0005)
}
