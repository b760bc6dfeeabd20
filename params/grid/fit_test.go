package grid

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestFit(t *testing.T) {
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
		x, se, ok := p.Peak()
		if !ok {
			t.Fatalf("no peak: %+v", p)
		}
		if math.Abs(x-1) < 1.96*se {
			inside++
		}
	}
	// 95 % of 200: fewer than 178 has a chance below 1e-3.
	if inside < 178 {
		t.Errorf("%d of %d intervals hold the peak", inside, repeats)
	}
}

// TestFitWidens: points off any parabola widen the interval of the peak.
func TestFitWidens(t *testing.T) {
	width := func(bump float64) float64 {
		var samples []Sample
		for x := -4.0; x <= 4; x++ {
			samples = append(samples, Sample{X: x, Y: -3*x*x + bump*math.Sin(5*x), SE: 1})
		}
		p, err := Fit(samples)
		if err != nil {
			t.Fatal(err)
		}
		_, se, ok := p.Peak()
		if !ok {
			t.Fatal("no peak")
		}
		return se
	}
	if straight, bent := width(0), width(6); bent < 2*straight {
		t.Errorf("standard error %v on the curve, %v off it", straight, bent)
	}
}

func TestFitRefusals(t *testing.T) {
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
	if _, _, ok := p.Peak(); ok {
		t.Error("a valley has no peak")
	}
	if y, _ := p.At(2); math.Abs(y-4) > 1e-9 {
		t.Errorf("fit at 2: %v", y)
	}
}

// TestRefused: a lopsided response is no parabola, noise on one is.
func TestRefused(t *testing.T) {
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

// TestBestHoldsTheBest: the set holds the truly best in 95 % of all cases, also
// where the others are nearly as good, and leaves out those that are far worse.
func TestBestHoldsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const repeats = 2000
	inside, far := 0, 0
	for range repeats {
		var samples []Sample
		for x := range 9 {
			y := 0.0 // 0 is truly best by a hair
			if x > 0 {
				y = -0.1
			}
			if x == 8 {
				y = -100
			}
			samples = append(samples, Sample{X: float64(x), Y: y + 10*r.NormFloat64(), SE: 10})
		}
		for _, s := range Best(samples, 0.95) {
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
	if got := Best([]Sample{{1, 2, 3}}, 0.95); len(got) != 1 {
		t.Errorf("of one sample: %v", got)
	}
}
