package rating

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"selfplaylab/engines/testmode"
)

// TestLLRMatchesFishtestToOnePercent uses the inputs of fastchess, app/tests/sprt_test.cpp,
// whose tolerance is 1 %, and values computed with fishtest's LLRcalc.py.
func TestLLRMatchesFishtestToOnePercent(t *testing.T) {
	for _, v := range []struct {
		model      Model
		elo0, elo1 float64
		at         func(SPRT) Progress
		llr        float64
	}{
		{Normalized, 0, 2, games(36433, 36027, 68692), 0.923293},
		{Normalized, -1.75, .25, games(10871, 10650, 20431), 2.297500},
		{Logistic, .5, 2.5, games(21404, 21184, 40708), -1.571889},
		{Logistic, 0, 2, games(57433, 57030, 106593), -2.593024},
		{Normalized, 0, 2, pairs(365, 16618, 36229, 16974, 390), 2.250368},
		{Normalized, -1.75, .25, pairs(127, 4883, 10712, 5150, 104), 3.010154},
		{Normalized, 0, 5, pairs(0, 0, 0, 0, 5550), 111.797555},
		{Logistic, .5, 2.5, pairs(223, 9863, 21279, 10037, 246), -3.074126},
		{Logistic, 0, 2, pairs(871, 26175, 55983, 26678, 821), -4.978673},
		{Normalized, 0, 2, pairs(379, 10170, 21828, 10640, 343), 2.945495},
		// One draw, and one pair won twice: fishtest's formulas again.
		{Logistic, 0, 5, games(0, 0, 1), -0.0115001},
		{Logistic, 0, 5, pairs(0, 0, 0, 0, 1), 0.0143158},
	} {
		got := v.at(SPRT{Model: v.model, Elo0: v.elo0, Elo1: v.elo1})
		near(t, fmt.Sprintf("LLR of %v %v", got.Test, got), got.LLR, v.llr, 1e-6)
	}
}

func games(w, l, d int) func(SPRT) Progress {
	return func(s SPRT) Progress { return s.Games(Games{w, d, l}) }
}

func pairs(p ...int) func(SPRT) Progress {
	return func(s SPRT) Progress { return s.Pairs(Pairs(p)) }
}

// TestWaldBoundsMatchOtherTools expects the bounds that fastchess and fishtest print.
func TestWaldBoundsMatchOtherTools(t *testing.T) {
	low, high := SPRT{}.wald()
	near(t, "lower", low, -2.944439, 1e-6)
	near(t, "upper", high, 2.944439, 1e-6)
	low, high = SPRT{Alpha: .01, Beta: .01}.wald()
	near(t, "lower", low, -4.595120, 1e-6)
	near(t, "upper", high, 4.595120, 1e-6)
}

// TestFitIsLikeliestOnGrid uses three classes, where the distributions
// of a given mean or normalized Elo have one free parameter, the draws.
// It finds the likeliest by trying them all on a grid.
func TestFitIsLikeliestOnGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := []int{
			rapid.IntRange(0, 40).Draw(t, "losses"),
			rapid.IntRange(0, 40).Draw(t, "draws"),
			rapid.IntRange(1, 40).Draw(t, "wins"),
		}
		m := newMultinomial(counts)
		s := rapid.Float64Range(.1, .9).Draw(t, "score")
		byMean := scan(&m, func(draws float64) (float64, float64) { return s - draws/2, 1 - s - draws/2 })
		f := m.mean(s)
		if got := m.logLikelihood(f); got-byMean > 0.02 || got < byMean-1e-6 {
			t.Fatalf("%v at mean %v: log-likelihood %v, scan finds %v", counts, s, got, byMean)
		}
		dev := rapid.Float64Range(-1.2, 1.2).Draw(t, "deviations")
		tau := dev / math.Sqrt(1+dev*dev)
		byT := scan(&m, func(draws float64) (float64, float64) {
			d := tau * math.Sqrt(1-draws) // wins - losses
			return (1 - draws + d) / 2, (1 - draws - d) / 2
		})
		f = m.deviations(dev)
		if got := m.logLikelihood(f); got-byT > 0.02 || got < byT-1e-6 {
			t.Fatalf("%v at %v deviations: log-likelihood %v, scan finds %v", counts, dev, got, byT)
		}
	})
}

// scan tries draw rates on a grid that is fine at both ends.
// results returns wins and losses at a draw rate.
func scan(m *multinomial, results func(draws float64) (wins, losses float64)) float64 {
	best := math.Inf(-1)
	for i := 1; i < 40000; i++ {
		x := float64(i) / 40000 * math.Pi
		draws := (1 - math.Cos(x)) / 2
		wins, losses := results(draws)
		if wins <= 0 || losses <= 0 {
			continue
		}
		sum := 0.0
		for k, p := range []float64{losses, draws, wins} {
			sum += m.count[k] * math.Log(p*m.total/m.count[k])
		}
		best = max(best, sum)
	}
	return best
}

// TestFitMeetsHypothesis fits pairs: each fit meets its hypothesis,
// and is the likeliest among random distributions that meet it.
func TestFitMeetsHypothesis(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many matches")
	}
	r := rand.New(rand.NewPCG(4, 4))
	for range 150 {
		counts := make([]int, 5)
		for i := range counts {
			counts[i] = r.IntN([]int{1, 3, 100}[r.IntN(3)])
		}
		m := newMultinomial(counts)
		elo := r.Float64()*2*MaxBound - MaxBound
		for _, model := range []Model{Logistic, Normalized} {
			f := m.under(model, elo)
			var p law
			sum := 0.0
			for i := range p {
				p[i] = m.count[i] / m.total / (1 + f.tilt[i])
				sum += p[i]
			}
			near(t, "sum of probabilities", sum, 1, 1e-7)
			near(t, fmt.Sprintf("%v Elo of %v", model, counts), p.elo(model), elo, 1e-3)
			best := m.logLikelihood(f)
			for range 50 {
				var q law
				for i := range q {
					q[i] = math.Pow(r.Float64(), 3) * p[i]
				}
				q = q.at(model, elo)
				other := 0.0
				for i := range q {
					other += m.count[i] * math.Log(q[i]*m.total/m.count[i])
				}
				if math.Abs(q.elo(model)-elo) < 1e-9 && other > best+1e-6 {
					t.Errorf("%v: %v is likelier than %v at %v %v", counts, q, p, elo, model)
				}
			}
		}
	}
}

func (l law) elo(model Model) float64 {
	if model == Normalized {
		return normalizedElo(l.mean(), 2*l.variance())
	}
	return eloOf(l.mean())
}

// at tilts a law exponentially until it has the given Elo, if possible.
func (l law) at(model Model, elo float64) law {
	low, high := -60.0, 60.0
	for range 200 {
		k := (low + high) / 2
		if l.tilted(k).elo(model) < elo {
			low = k
		} else {
			high = k
		}
	}
	return l.tilted(low)
}

func (l law) tilted(k float64) law {
	sum := 0.0
	for i := range l {
		l[i] *= math.Exp(k * (float64(i)/4 - .5))
		sum += l[i]
	}
	for i := range l {
		l[i] /= sum
	}
	return l
}

// TestSPRTKeepsErrorRates looks after every pair in schedule order, with dependent
// games within a pair: a test of 5 % errs in 5 % at most under either hypothesis.
func TestSPRTKeepsErrorRates(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	for _, v := range []struct {
		model      Model
		elo0, elo1 float64
		runs       int
	}{
		{Logistic, 0, 40, 250}, {Logistic, 0, 100, 1500}, {Logistic, -100, 100, 1500},
		{Logistic, 150, 250, 400}, {Normalized, 0, 100, 250}, {Normalized, -400, -200, 120},
	} {
		s := SPRT{Model: v.model, Elo0: v.elo0, Elo1: v.elo1}
		for i, l := range laws {
			runs := testmode.Times(v.runs/5, 5)
			h0, h1 := l.law.at(v.model, v.elo0), l.law.at(v.model, v.elo1)
			if math.Abs(h0.elo(v.model)-v.elo0) > .1 || math.Abs(h1.elo(v.model)-v.elo1) > .1 {
				continue // a law without losses cannot be that weak
			}
			name := fmt.Sprintf("%v, %s", s, l.name)
			atMost(t, name+": H1 accepted under H0", accepted(s, h0, uint64(i), runs, AcceptH1), runs, .05)
			atMost(t, name+": H0 accepted under H1", accepted(s, h1, uint64(i), runs, AcceptH0), runs, .05)
		}
	}
}

// accepted counts the simulated tests that end in a state.
func accepted(s SPRT, l law, seed uint64, runs int, end State) int {
	r := rand.New(rand.NewPCG(5, seed))
	hits := 0
	for range runs {
		if runTest(s, l, r).State == end {
			hits++
		}
	}
	return hits
}

func runTest(s SPRT, l law, r *rand.Rand) Progress {
	var p Pairs
	for {
		l.draw(r, &p, 1)
		if at := s.Pairs(p); at.State != Continue {
			return at
		}
	}
}

// expected returns the mean number of pairs of a test and the chance that it passes.
// Simulated tests must agree with it.
func expected(s SPRT, elo, variance float64) (pairs, pass float64) {
	l := s.Length(elo, variance)
	return l.Mean, l.Pass
}

func TestSPRTTakesPlannedPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many matches")
	}
	l := law{.1, .15, .4, .2, .15}
	const runs = 600
	for _, v := range []struct{ elo0, elo1, elo float64 }{
		{0, 40, 0}, {0, 40, 20}, {0, 40, 40}, {0, 40, 60}, {-10, 30, -20}, {50, 90, 75},
	} {
		s := SPRT{Elo0: v.elo0, Elo1: v.elo1}
		truth := l.at(Logistic, v.elo)
		r := rand.New(rand.NewPCG(6, 1))
		pairs, passed := 0, 0
		for range runs {
			at := runTest(s, truth, r)
			pairs += at.N
			if at.State == AcceptH1 {
				passed++
			}
		}
		wantPairs, wantPass := expected(s, v.elo, truth.variance())
		near(t, fmt.Sprintf("%v at %v: mean of pairs", s, v.elo), float64(pairs)/runs, wantPairs, .1*wantPairs)
		near(t, fmt.Sprintf("%v at %v: share passed", s, v.elo), float64(passed)/runs, wantPass, .05)
	}
	// Bounds around 0, next to it, and far away.
	s := SPRT{Elo0: -10, Elo1: 10}
	middle, pass := expected(s, 0, .06)
	near(t, "chance in the middle", pass, .5, 1e-12)
	beside, _ := expected(s, 1e-7, .06)
	near(t, "pairs beside the middle", beside, middle, 1e-3*middle)
	for _, elo := range []float64{-5000, -400, 400, 5000} {
		n, pass := expected(s, elo, .06)
		if !(n > 0 && n < middle) || !(pass >= 0 && pass <= 1) || (pass > .5) != (elo > 0) {
			t.Errorf("at %v Elo: %v pairs, chance %v", elo, n, pass)
		}
	}
	normalized := SPRT{Model: Normalized, Elo0: 0, Elo1: 5}
	low, _ := expected(normalized, 0, .01)
	high, _ := expected(normalized, 0, .2)
	near(t, "pairs of a normalized test at another variance", low, high, 1e-6*high)
	for _, v := range []float64{0, -1, .3, math.NaN()} {
		if !panics(func() { expected(s, 0, v) }) {
			t.Errorf("variance %v was accepted", v)
		}
	}
}

func TestSPRTRefusesBadInput(t *testing.T) {
	for _, v := range []struct {
		s    SPRT
		want string
	}{
		{SPRT{Elo0: 5, Elo1: 5}, "equal"},
		{SPRT{Elo0: 5, Elo1: 0}, "reversed"},
		{SPRT{Elo0: -1500, Elo1: -500}, "between -400 and 400"},
		{SPRT{Elo0: math.NaN(), Elo1: 5}, "between -400 and 400"},
		{SPRT{Elo0: 0, Elo1: math.Inf(1)}, "between -400 and 400"},
		{SPRT{Elo0: -150, Elo1: 150}, "too far apart"},
		{SPRT{Elo0: 0, Elo1: 1e-9}, "hardly ever end"},
		{SPRT{Elo1: 5, Alpha: .5}, "alpha"},
		{SPRT{Elo1: 5, Alpha: -.1}, "alpha"},
		{SPRT{Elo1: 5, Beta: 1}, "beta"},
		{SPRT{Elo1: 5, Beta: math.NaN()}, "beta"},
		{SPRT{Elo1: 5, Model: 7}, "model"},
	} {
		err := v.s.check()
		if err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%+v: error %v, want one about %q", v.s, err, v.want)
		}
		if !panics(func() { v.s.Pairs(Pairs{1, 1, 1, 1, 1}) }) || !panics(func() { expected(v.s, 0, .1) }) {
			t.Errorf("%+v ran", v.s)
		}
	}
	if at := (SPRT{Elo1: 5}).Pairs(Pairs{}); at.State != Continue || at.LLR != 0 {
		t.Errorf("nothing played: %+v", at)
	}
}

func TestSPRTReadsAsText(t *testing.T) {
	s := SPRT{Elo1: 10}
	for _, v := range []struct {
		p    Pairs
		want string
	}{
		{Pairs{400, 100, 900, 120, 440}, "undecided between 0.0 Elo or less and +10.0 Elo or more (LLR 1.37 in -2.97..2.97, 1,960 pairs)"},
		{Pairs{400, 100, 900, 120, 580}, "passed: +10.0 Elo or more accepted against 0.0 Elo or less, wrong in 5 % at most (LLR 9.35 in -2.97..2.98, 2,100 pairs)"},
		{Pairs{580, 100, 900, 120, 400}, "failed: 0.0 Elo or less accepted against +10.0 Elo or more, wrong in 5 % at most (LLR -11.69 in -2.98..2.97, 2,100 pairs)"},
	} {
		if got := s.Pairs(v.p).Verdict(); got != v.want {
			t.Errorf("got  %s\nwant %s", got, v.want)
		}
	}
}

func TestProgressHasNamesInJSON(t *testing.T) {
	got, err := json.Marshal(SPRT{Elo1: 5, Model: Normalized}.Pairs(Pairs{}))
	want := `{"test":{"model":"normalized","elo0":0,"elo1":5,"alpha":0.05,"beta":0.05},` +
		`"n":0,"unit":"pair","llr":0,"lower":-2.995732273553991,"upper":2.995732273553991,"state":"continue"}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

// TestLooksAllocateNothing, because a caller may look after every pair.
func TestLooksAllocateNothing(t *testing.T) {
	p := Pairs{223, 9863, 21279, 10037, 246}
	for _, f := range []func(){
		func() { SPRT{Elo1: 5}.Pairs(p) },
		func() { SPRT{Elo1: 5, Model: Normalized}.Pairs(p) },
		func() { Sequence{}.interval(p) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

func TestParseSPRTReadsAndRefuses(t *testing.T) {
	for text, want := range map[string]SPRT{
		"elo0=0,elo1=5": {Elo0: 0, Elo1: 5, Alpha: .05, Beta: .05},
		" elo1=2.5, elo0=-3, beta=0.1, alpha=0.01, model=normalized": {Model: Normalized, Elo0: -3, Elo1: 2.5, Alpha: .01, Beta: .1},
	} {
		if got, err := ParseSPRT(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                            "not name=value",
		"elo0=0":                      "missing",
		"elo0=0,elo1":                 "not name=value",
		"elo0=0,elo1=x":               `elo1="x" is not a number`,
		"elo0=0,elo0=1,elo1=5":        "twice",
		"elo0=0,elo1=5,gamma=1":       `unknown setting "gamma"`,
		"elo0=0,elo1=5,model=bayes":   `unknown model "bayes"`,
		"elo0=0,elo1=5,alpha=0":       "never decide",
		"elo0=0,elo1=5,beta=0":        "never decide",
		"elo0=5,elo1=0":               "reversed",
		"elo0=0,elo1=5,alpha=0.7":     "between 0 and 0.5",
		"elo0=NaN,elo1=5":             "between -400 and 400",
		"elo0=0,elo1=5,beta=-Inf":     "between 0 and 0.5",
		"elo0=0,elo1=5,model=,beta=1": "unknown model",
	} {
		if _, err := ParseSPRT(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one about %q", text, err, want)
		}
	}
}

func FuzzParseSPRT(f *testing.F) {
	f.Add("elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSPRT(text)
		if err != nil {
			return
		}
		if again, err := ParseSPRT(s.String()); err != nil || again != s {
			t.Errorf("%q reads as %+v, written %q, read again %+v, %v", text, s, s, again, err)
		}
	})
}

func FuzzSPRT(f *testing.F) {
	f.Add(uint32(0), uint32(0), uint32(0), uint32(0), uint32(5550), 0., 5., .05, .05)
	f.Add(uint32(1e9), uint32(0), uint32(0), uint32(0), uint32(1e9), -400., -399.99, 1e-9, .49)
	f.Add(uint32(1e9), uint32(0), uint32(0), uint32(1), uint32(0), 200., 400., 1e-9, .49)
	f.Add(uint32(999999906), uint32(34), uint32(0), uint32(106), uint32(1e9), -99.3, -58.5, 1e-9, .49) // was NaN once
	f.Fuzz(func(t *testing.T, a, b, c, d, e uint32, elo0, elo1, alpha, beta float64) {
		p := Pairs{int(a), int(b), int(c), int(d), int(e)}
		for _, model := range []Model{Logistic, Normalized} {
			s := SPRT{Model: model, Elo0: elo0, Elo1: elo1, Alpha: alpha, Beta: beta}
			if s.check() != nil {
				return
			}
			sound(t, p, s.Pairs(p))
			sound(t, p, s.Games(Games{int(a), int(b), int(c)}))
		}
	})
}

// sound fails unless the numbers are finite and fit the state.
func sound(t interface{ Fatalf(string, ...any) }, label any, at Progress) {
	for _, x := range []float64{at.LLR, at.Lower, at.Upper} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%v: %+v", label, at)
		}
	}
	if !(at.Lower < 0 && at.Upper > 0) || (at.State == AcceptH1) != (at.LLR >= at.Upper && at.N > 0) || (at.State == AcceptH0) != (at.LLR <= at.Lower && at.N > 0) {
		t.Fatalf("%v: %+v", label, at)
	}
}

// TestSPRTIsFiniteForAllTallies tries every tally with counts 0, 1, 2
// and a large one in any class, against narrow, wide and remote bounds.
// The opponent's view is the mirrored test.
func TestSPRTIsFiniteForAllTallies(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many matches")
	}
	counts := []int{0, 1, 2, 1e8}
	for _, s := range []SPRT{
		{Elo0: 0, Elo1: 5}, {Elo0: -100, Elo1: 100}, {Elo0: 399, Elo1: 400},
		{Model: Normalized, Elo0: 0, Elo1: 5}, {Model: Normalized, Elo0: -100, Elo1: 100}, {Model: Normalized, Elo0: 200, Elo1: 400},
	} {
		mirror := s
		mirror.Elo0, mirror.Elo1 = -s.Elo1, -s.Elo0
		for code := range 1 << 10 {
			var p Pairs
			for i := range p {
				p[i] = counts[code>>(2*i)&3]
			}
			at, back := s.Pairs(p), mirror.Pairs(p.Reversed())
			sound(t, p, at)
			if d := math.Abs(at.LLR + back.LLR); d > 1e-6*(1+math.Abs(at.LLR)) {
				t.Fatalf("%v: %v, but mirrored %v", p, at, back)
			}
			sound(t, p, s.Games(Games{p[0], p[1], p[2]}))
		}
	}
}

func ExampleSPRT() {
	test := SPRT{Elo0: 0, Elo1: 20}
	var match Pairs
	for _, halfPoints := range []int{4, 2, 2, 3, 2, 1, 4, 2, 4, 2, 2, 3, 2, 2, 2} { // in schedule order
		match[halfPoints]++
		if at := test.Pairs(match); at.State != Continue {
			fmt.Println("stop:", at.Verdict())
			return
		}
	}
	fmt.Println(test.Pairs(match).Verdict())
	fmt.Println(test.Pairs(Pairs{10, 40, 120, 60, 40}).Verdict())
	// Output:
	// undecided between 0.0 Elo or less and +20.0 Elo or more (LLR 0.84 in -3.19..3.40, 15 pairs)
	// passed: +20.0 Elo or more accepted against 0.0 Elo or less, wrong in 5 % at most (LLR 6.96 in -2.93..2.98, 270 pairs)
}

func BenchmarkLLR(b *testing.B) {
	p := Pairs{223, 9863, 21279, 10037, 246}
	for _, m := range []Model{Logistic, Normalized} {
		s := SPRT{Model: m, Elo0: 0, Elo1: 5}
		b.Run(m.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Pairs(p)
			}
		})
	}
}
