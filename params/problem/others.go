package problem

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/params"
)

// Others returns problems that other projects wrote to try tuners on, played by games between
// two points. The comment of each names its source.
func Others() []Problem {
	list := []Problem{
		peakOf("QRS-STEEP", 1.5, 3), peakOf("QRS-MEDIUM", .5, 1), peakOf("QRS-FLAT", .2, .4), peakOf("QRS-VERY-FLAT", .08, .15),
	}
	for _, d := range []int{2, 20} {
		for i := range noisy {
			list = append(list, noisy[i].problem(d))
		}
	}
	return append(list, fishtestLab())
}

// peakOf is a landscape on which QRS-Tune was measured: the log-odds against a fixed
// reference are peak - curvature (x - 1/4)^2 (github.com/ChinChangYang/KataGo,
// cpp/command/analyzeqrs.cpp). QRS-Tune's prior is centred at 0, which is the start here.
func peakOf(name string, peak, curvature float64) Problem {
	const best = .25
	return one(name, "a parabola of QRS-Tune's author", best, func(x float64) float64 { return peak - float64(curvature*(x-best)*(x-best)) })
}

// function is a test function to be minimised. Its minimum is 0, at the point whose coordinates
// are all equal to best.
type function struct {
	name string
	best float64
	of   func(y []float64) float64
}

// noisy holds the functions of Nevergrad's benchmark "noisy"
// (github.com/facebookresearch/nevergrad, nevergrad/benchmark/experiments.py,
// nevergrad/functions/corefuncs.py), which has them with 2, 20, 200 and 2,000 parameters.
var noisy = []function{
	{"SPHERE", 0, func(y []float64) float64 { return squares(y) }},
	{"ROSENBROCK", 1, func(y []float64) (sum float64) {
		for i := range len(y) - 1 {
			a, b := float64(y[i]*y[i])-y[i+1], y[i]-1
			sum += float64(100*a*a) + float64(b*b)
		}
		return sum
	}},
	{"CIGAR", 0, func(y []float64) float64 { return float64(y[0]*y[0]) + float64(1e6*squares(y[1:])) }},
	{"HM", 0, func(y []float64) (sum float64) { // highly multimodal
		for _, x := range y {
			if x != 0 {
				sum += float64(x * x * (1.1 + math.Cos(1/x)))
			}
		}
		return sum
	}},
}

// squares returns the sum of the squares of y.
func squares(y []float64) (sum float64) {
	for _, x := range y {
		sum += float64(x * x)
	}
	return sum
}

// noisyRange is the range of a parameter to both sides of the start. Nevergrad has none: it
// draws first points and optima from a normal distribution of deviation 1.
const noisyRange = 5

// problem is the function of R (x - t) as Nevergrad transforms it: t is normal, R the
// orthogonal factor of a matrix of normal numbers (nevergrad/functions/utils.py). Both are
// drawn once, so the problem is always the same.
//
// Two points play a game. Its log-odds are the difference of their values, divided by the
// difference between start and optimum: the optimum beats the start with probability 73 %.
// Nevergrad's own noise is left out, because games add enough.
func (f *function) problem(d int) Problem {
	r := rand.New(rand.NewPCG(uint64(d), uint64(len(f.name))))
	shift, normal := make([]float64, d), mat.NewDense(d, d, nil)
	for i := range shift {
		shift[i] = r.NormFloat64()
		for j := range d {
			normal.Set(i, j, r.NormFloat64())
		}
	}
	var qr mat.QR
	var turn mat.Dense
	qr.Factorize(normal)
	qr.QTo(&turn)
	at := func(v params.Vector) float64 {
		y := make([]float64, d)
		for i := range y {
			for j, x := range v {
				y[i] += float64(turn.At(i, j) * (x - shift[j]))
			}
		}
		return f.of(y)
	}
	p := Problem{Name: fmt.Sprintf("NG-%s%d", f.name, d), Doc: "a test function of Nevergrad, turned and moved", Start: make(params.Vector, d)}
	for i := range d {
		best := shift[i]
		for j := range d {
			best += float64(turn.At(j, i) * f.best)
		}
		p.Optimum = append(p.Optimum, best)
		p.Space = append(p.Space, params.Param{Name: fmt.Sprint("x", i+1), Min: -noisyRange, Max: noisyRange, Step: 1})
	}
	scale := at(p.Start)
	p.Strength = func(v params.Vector) float64 { return -at(v) / scale }
	return p
}

// fishtestLab is the problem of fishtest-spsa-lab with its own settings
// (github.com/ppigazzini/fishtest-spsa-lab, simulator/config.py and vendor/pentamodel): a bowl
// of Elo in 22 parameters, two of each weight on each side of the optimum and ten without
// effect, with half an Elo to gain.
//
// Its developer estimates that a step costs 2 Elo; ranges are 20 steps. Openings give one side
// 100 centipawns, which win half of the games between equals; the logistic is 22 centipawns
// wide.
func fishtestLab() Problem {
	const toGain, stepCost, stepShare = .5, 2., .05
	p := Problem{Name: "FISHTEST-LAB", Doc: "half an Elo to gain, ten of 22 parameters without effect", Draws: 100. / 22, Lead: 100. / 22, Scored: true}
	var weights []float64
	add := func(n int, start, weight float64) {
		for range n {
			p.Start, weights = append(p.Start, start), append(weights, weight)
		}
	}
	for _, w := range []float64{2, 1, .5} {
		add(2, 900, w)
		add(2, 1100, w)
	}
	add(10, 1000, 0)
	lost := func(v params.Vector) (sum float64) {
		for i, w := range weights {
			sum += float64(w * (v[i] - 1000) * (v[i] - 1000))
		}
		return sum
	}
	elo := toGain / lost(p.Start)
	step := math.Sqrt(stepCost / elo)
	for i, x := range p.Start {
		p.Optimum = append(p.Optimum, 1000)
		p.Space = append(p.Space, params.Param{Name: fmt.Sprint("x", i+1), Min: x - step/stepShare/2, Max: x + step/stepShare/2, Step: step})
	}
	p.Strength = func(v params.Vector) float64 { return -elo * lost(v) * math.Ln10 / 400 }
	return p
}
