package grid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/reports/rating"
)

func TestFitRecoversParabola(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	inside := 0
	const repeats = 200
	for range repeats {
		var samples []Sample
		for x := -4.0; x <= 4; x++ {
			samples = append(samples, Sample{X: x, Y: 10 - 3*(x-1)*(x-1) + 5*r.NormFloat64(), SE: 5})
		}
		p, err := Fit(samples)
		if err != nil {
			t.Fatal(err)
		}
		_, low, high, ok := p.Peak(.95, -4, 4)
		if !ok {
			t.Fatalf("no peak: %+v", p)
		}
		if low <= 1 && 1 <= high {
			inside++
		}
	}
	// 95 % of 200: fewer than 178 has a chance below 1e-3.
	if inside < 178 {
		t.Errorf("%d of %d intervals hold the peak", inside, repeats)
	}
}

// TestScatterWidensPeakInterval widens the interval of the peak for points off any parabola.
func TestScatterWidensPeakInterval(t *testing.T) {
	width := func(bump float64) float64 {
		var samples []Sample
		for x := -4.0; x <= 4; x++ {
			samples = append(samples, Sample{X: x, Y: -3*x*x + bump*math.Sin(5*x), SE: 1})
		}
		p, err := Fit(samples)
		if err != nil {
			t.Fatal(err)
		}
		_, low, high, ok := p.Peak(.95, -4, 4)
		if !ok {
			t.Fatal("no peak")
		}
		return high - low
	}
	if straight, bent := width(0), width(6); bent < 2*straight {
		t.Errorf("interval of %v on the curve, %v off it", straight, bent)
	}
}

// TestFitIgnoresUnitAndPlace fits the same curve to values in any unit and around any centre.
func TestFitIgnoresUnitAndPlace(t *testing.T) {
	for _, scale := range []float64{1e-4, 1, 1e4} {
		for _, far := range []float64{0, 1e3, -1e5, 1e8} {
			var samples []Sample
			for x := -4.0; x <= 4; x++ {
				samples = append(samples, Sample{X: scale * (far + x), Y: 10 - 3*(x-1)*(x-1), SE: 5})
			}
			p, err := Fit(samples)
			if err != nil {
				t.Errorf("%v times %v away: %v", scale, far, err)
				continue
			}
			x, low, high, ok := p.Peak(.95, samples[0].X, samples[8].X)
			got := [3]float64{x/scale - far, low/scale - far, high/scale - far}
			y, se := p.At(x)
			for i, want := range [3]float64{1, .74739, 1.32439} {
				if !ok || math.Abs(got[i]-want) > 1e-3 || math.Abs(y-10) > 1e-3 || math.Abs(se-2.4085) > 1e-3 {
					t.Errorf("%v times %v away: %v, %v ± %v, want %v", scale, far, got, y, se, want)
				}
			}
		}
	}
}

func TestFitRejectsBadSamples(t *testing.T) {
	if _, err := Fit(make([]Sample, 3)); err == nil {
		t.Error("three points")
	}
	if _, err := Fit([]Sample{{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 0}}); err == nil {
		t.Error("a point without error")
	}
	if _, err := Fit([]Sample{{1, 0, 1}, {1, 1, 1}, {2, 0, 1}, {2, 5, 1}}); err == nil {
		t.Error("two places for three unknowns")
	}
	p, err := Fit([]Sample{{0, 0, 1}, {1, 1, 1}, {2, 4, 1}, {3, 9, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, ok := p.Peak(.95, 0, 3); ok {
		t.Error("a valley has no peak")
	}
	if y, _ := p.At(2); math.Abs(y-4) > 1e-9 {
		t.Errorf("fit at 2: %v", y)
	}
}

// TestRefusedTellsLopsidedFromNoise rejects a lopsided response as a parabola, and accepts noise on a parabola.
func TestRefusedTellsLopsidedFromNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	refused := [2]int{}
	const repeats = 400
	for range repeats {
		var samples [2][]Sample
		for x := -2.0; x <= 7; x++ {
			u := math.Exp(-0.5 * x)
			noise := 8 * r.NormFloat64()
			samples[0] = append(samples[0], Sample{X: x, Y: -3*x*x + noise, SE: 8})
			samples[1] = append(samples[1], Sample{X: x, Y: 200*(2*u-u*u) + noise, SE: 8})
		}
		for i := range samples {
			p, err := Fit(samples[i])
			if err != nil {
				t.Fatal(err)
			}
			if p.Refused() {
				refused[i]++
			}
		}
	}
	// 5 % of 400: more than 36 has a chance below 1e-3.
	if refused[0] > 36 || refused[1] != repeats {
		t.Errorf("refused %d of %d parabolas and %d of %d others", refused[0], repeats, refused[1], repeats)
	}
}

// TestBestHoldsTheBest finds the truly best candidate in the set in 95 % of cases, also among
// nearly equal ones. It leaves out candidates that are far worse.
func TestBestHoldsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const repeats = 2000
	inside, far := 0, 0
	for range repeats {
		var samples []Candidate
		z := distuv.UnitNormal.Quantile((1 + Alone(.95, 9)) / 2)
		for x := range 9 {
			y := 0.0 // candidate 0 is best by a small difference
			if x > 0 {
				y = -0.1
			}
			if x == 8 {
				y = -100
			}
			y += 10 * r.NormFloat64()
			samples = append(samples, Candidate{X: float64(x), Y: y, Low: y - 10*z, High: y + 10*z})
		}
		for _, s := range Best(samples) {
			if s.X == 0 {
				inside++
			}
			if s.X == 8 {
				far++
			}
		}
	}
	// 95 % of 2,000: fewer than 1,870 has a chance below 1e-3.
	if inside < 1870 || far > 0 {
		t.Errorf("the best was in %d of %d sets, one far worse in %d", inside, repeats, far)
	}
	if got := Best([]Candidate{{X: 1}}); len(got) != 1 {
		t.Errorf("of one sample: %v", got)
	}
}

// TestBestHoldsTheBestOfFewPairs leaves out the best of equal candidates in at most 5 % of
// cases, with a few pairs each whose opening decides both games.
func TestBestHoldsTheBestOfFewPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	const repeats = 400
	for _, n := range []int{1, 2, 3, 10} {
		missed := 0
		for range repeats {
			var list []Candidate
			for x := range 20 {
				var pairs rating.Pairs
				for range n {
					pairs[4*r.IntN(2)]++
				}
				e := pairs.Estimate(Alone(.95, 20))
				list = append(list, Candidate{float64(x), e.Score, e.ScoreRange.Low, e.ScoreRange.High})
			}
			if Best(list)[0].X != 0 {
				missed++
			}
		}
		if missed > 33 { // a chance below 1e-3 if 5 % are missed
			t.Errorf("%d pairs each: missed in %d of %d", n, missed, repeats)
		}
	}
}

// TestPeakIntervalCoversFlatPeaks covers a barely curved peak as often as others.
func TestPeakIntervalCoversFlatPeaks(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	shown, inside := 0, 0
	for range 1000 {
		var samples []Sample
		for i := range 9 {
			x := float64(i)/4 - 1
			samples = append(samples, Sample{X: x, Y: -50*(x-.9)*(x-.9) + 15*r.NormFloat64(), SE: 15})
		}
		p, err := Fit(samples)
		if err != nil {
			t.Fatal(err)
		}
		if _, low, high, ok := p.Peak(.95, -1, 1); ok && !p.Refused() {
			shown++
			if low <= .9 && .9 <= high {
				inside++
			}
		}
	}
	if shown < 500 || float64(inside) < .93*float64(shown) {
		t.Errorf("%d of %d intervals hold the peak", inside, shown)
	}
}
