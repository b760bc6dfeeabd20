package problem

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplaylab/params"
)

// TestValues: p at the optimum and at 0 as tabulated for an independent
// implementation of CLOP's problems.
func TestValues(t *testing.T) {
	want := map[string][2]float64{
		"LOG": {.619233, .455611}, "FLAT": {.549834, .514806}, "POWER": {.529104, .512497},
		"ANGLE": {.731059, .717273}, "STEP": {.731059, .432238}, "ROSENBROCK": {.731059, .331812},
		"CORRELATED": {.524979, .438459}, "LOG2": {.619233, .455611}, "LOG5": {.619233, .455611}, "LOG12": {.619233, .455611},
	}
	for _, p := range All() {
		best, zero := p.Win(p.Optimum), p.Win(make(params.Vector, len(p.Space)))
		if w := want[p.Name]; math.Abs(best-w[0]) > 6e-7 || math.Abs(zero-w[1]) > 6e-7 {
			t.Errorf("%s: p %.6f at the optimum and %.6f at 0, want %v", p.Name, best, zero, w)
		}
		if err := p.Space.Check(p.Start); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// TestOptimum: no random point is better than what is called the optimum.
func TestOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range All() {
		for range 20000 {
			// LOG's optimum is -.525 exactly: 8/(4x + 4.1) = 4.
			if v := p.Random(r); p.Regret(v) < 0 {
				t.Errorf("%s: %v is %v better than the optimum", p.Name, v, -p.Regret(v))
				break
			}
		}
	}
}

// TestPlay: counts follow the chances that the fields promise.
func TestPlay(t *testing.T) {
	const pairs = 40000
	p := Log()
	trial := params.Trial{A: params.Vector{-.5}, B: params.Vector{.2}, Pairs: pairs}
	win := logistic(p.Strength(trial.A) - p.Strength(trial.B))
	r := rand.New(rand.NewPCG(3, 4))
	s := p.Play(trial, r)
	se := math.Sqrt(win * (1 - win) / 2 / pairs)
	if math.Abs(s.Mean()-win) > 4*se || s.N() != pairs || s.Pairs[1]+s.Pairs[3] != 0 {
		t.Errorf("%v: mean %v, want %v ± %v and no draws", s.Pairs, s.Mean(), win, se)
	}
	independent := s.Variance()
	if ratio := independent / (win * (1 - win) / 2); math.Abs(ratio-1) > .05 {
		t.Errorf("variance of independent games %v times p (1 - p) / 2", ratio)
	}
	p.Spread = 1
	if v := p.Play(trial, r).Variance(); v < 1.1*independent {
		t.Errorf("with openings that decide both games, variance %v; without %v", v, independent)
	}
	p.Spread, p.Draws = 0, 1
	if v := p.Play(trial, r).Variance(); v > .8*independent {
		t.Errorf("with draws variance %v, without %v", v, independent)
	}
}

func TestRead(t *testing.T) {
	p, err := Read("testdata/quadratic.toml")
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "three" || p.Draws != .5 || p.Spread != .2 || len(p.Space) != 3 || p.Start[2] != 100 {
		t.Errorf("%+v", p)
	}
	// Two steps of a, one of n downwards, ln(e) of c.
	got, want := p.Strength(params.Vector{4, 4, math.E}), -.1*4-.02*1-.01+.03*2
	if math.Abs(got-want) > 1e-12 || p.Strength(p.Optimum) != 0 {
		t.Errorf("strength %v, want %v; %v at the optimum", got, want, p.Strength(p.Optimum))
	}
	q, err := decode("five.toml", []byte("function = \"LOG\"\ncopies = 5\nstart = [0.5, 0.5, 0.5, 0.5, 0.5]"))
	if err != nil || q.Name != "LOG5" || q.Start[4] != .5 {
		t.Errorf("%+v, %v", q, err)
	}
}

func TestReadRefusals(t *testing.T) {
	const a = "[[parameter]]\nname=\"a\"\nmin=0\nmax=1\nstep=1\n"
	for text, want := range map[string]string{
		"":                                     "neither a function",
		"function = \"LOG12x\"":                "did you mean LOG12?",
		"function = \"LOG\"\n" + a:             "want one of them",
		"function = \"ROSENBROCK\"\ncopies=2":  "only a function of one parameter",
		"function = \"LOG\"\nstart=[2.0]":      "start: x = 2 is out of range",
		"function = \"LOG\"\ndraws=-1":         "want 0 or more",
		"function = \"LOG\"\nwidth=1":          "unknown key",
		a + a:                                  "a name of its own",
		a + "log = true":                       "min > 0 if log",
		a + "optimum = 3":                      "optimum: a = 3",
		a + "[[cross]]\nof=[\"a\"]":            "want two names",
		a + "[[cross]]\nof=[\"a\",\"b\"]":      "unknown parameter \"b\"",
		"[[parameter]]\nname=\"a\"\nmin=nan\n": "min < max",
	} {
		if _, err := decode("p.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error about %q", text, err, want)
		}
	}
}
