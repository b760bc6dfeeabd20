package problem

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/params"
)

// TestOthersMatchPublishedValues compares problems of other projects with the values that their
// authors publish or their formulas give. Start and optimum are inside the space, and no point
// is better.
func TestOthersMatchPublishedValues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	list := Others()
	if len(list) != 13 {
		t.Errorf("%d problems", len(list))
	}
	for i := range list {
		p := &list[i]
		for _, v := range []params.Vector{p.Start, p.Optimum} {
			if err := p.Space.Check(v); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
		if again, err := Named(p.Name); err != nil || again.Strength(p.Start) != p.Strength(p.Start) || !(p.Regret(p.Start) > 0) {
			t.Errorf("%s: %v, start %v then %v", p.Name, err, p.Strength(p.Start), again.Strength(p.Start))
		}
		for k := range 2000 {
			v := p.Random(r)
			if k%2 > 0 { // near the optimum
				for j, x := range v {
					v[j] = p.Space[j].Clip(p.Optimum[j] + x/1000)
				}
			}
			if p.Regret(v) < -1e-12 {
				t.Errorf("%s: %v is %v better than the optimum", p.Name, v, -p.Regret(v))
				break
			}
		}
	}
	// The peaks in the names of QRS-Tune's landscapes: .82, .62, .55, .52.
	for i, want := range []float64{.817574, .622459, .549834, .519989} {
		if got := list[i].win(list[i].Optimum); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: peak %v, want %v", list[i].Name, got, want)
		}
	}
	for i, want := range []float64{5, 100, 4000001, 9.550633} { // at (1, 2)
		if got := noisy[i].of([]float64{1, 2}); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v at (1, 2), want %v", noisy[i].name, got, want)
		}
	}
	for _, p := range list[4:12] {
		if got := p.Elo(p.Optimum, p.Start); math.Abs(got-400/math.Ln10) > 1e-6 {
			t.Errorf("%s: the start is %v Elo below the optimum", p.Name, got)
		}
	}
}

// TestFishtestLabMatchesItsSource checks Elo, steps and ranges against the simulator's default
// configuration, and the shares of its pentamodel.py (LL, LD, even, WD, WW) for a side that is
// 100 Elo stronger.
func TestFishtestLabMatchesItsSource(t *testing.T) {
	p := fishtestLab()
	if got := p.Elo(p.Start, p.Optimum); math.Abs(got+.5) > 1e-6 {
		t.Errorf("start %v Elo", got)
	}
	if q := p.Space[0]; math.Abs(q.Step-748.331477) > 1e-6 || math.Abs(q.Min+6583.314774) > 1e-6 || math.Abs(q.Max-8383.314774) > 1e-6 {
		t.Errorf("%+v", q)
	}
	worse := p.Start.Clone()
	for i := range worse { // 100 Elo below the optimum, at equal distances
		worse[i] = 1000 + math.Sqrt(100/(.5/14e4)/14)
	}
	const pairs = 400000
	s := p.Play(params.Trial{A: p.Optimum, B: worse, Pairs: pairs}, rand.New(rand.NewPCG(7, 8)))
	for i, want := range []float64{.000007, .048441, .343148, .608093, .000311} {
		if got := float64(s.Pairs[i]) / pairs; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/pairs)+1e-6 {
			t.Errorf("share %d: %v, want %v", i, got, want)
		}
	}
}
