package problem

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"selfplaylab/params"
)

// engineLike describes a problem as a chess engine's: little to gain, 60 % draws, parameters of
// which few matter much.
type engineLike struct {
	d    int     // parameters
	gain float64 // Elo from the start to the optimum
	bent bool    // along each parameter the shape of LOG instead of a parabola
}

const (
	engineDraws  = .6
	engineSpread = .5 // standard deviation of openings, in log-odds
	engineSteps  = 10 // steps of a parameter from the start to a bound
	leastWeight  = .02
)

// name returns a name that is unique in Engines, such as ENGINE64-10-BENT.
func (e engineLike) name() string {
	name := fmt.Sprintf("ENGINE%d-%g", e.d, e.gain)
	if e.bent {
		name += "-BENT"
	}
	return name
}

// problem draws weights and optima. Weights are third powers of uniform numbers: a fifth of the
// parameters has half of the strength. Optima of a parabola are uniform over the range. With
// nothing to gain they are at the start, and the weights are those of a problem with unitLoss
// to gain. Along bent parameters strength falls steeply on one side of LOG's optimum, slowly on
// the other.
func (e engineLike) problem(r *rand.Rand) Problem {
	p := Problem{Name: e.name(), Doc: fmt.Sprintf("%d weights as of a strong engine, %g Elo to gain", e.d, e.gain), Draws: drawOdds(engineDraws), Spread: engineSpread, Start: make(params.Vector, e.d)}
	log, weights, sides := Log(), make([]float64, e.d), make([]float64, e.d)
	for i := range e.d {
		weights[i] = math.Pow(r.Float64(), 3) + leastWeight
		optimum := 2*r.Float64() - 1
		sides[i] = math.Copysign(1, optimum)
		if e.bent {
			optimum = sides[i] * log.Optimum[0]
		}
		p.Optimum = append(p.Optimum, engineSteps*optimum)
		p.Space = append(p.Space, params.Param{Name: fmt.Sprint("x", i+1), Min: -engineSteps, Max: engineSteps, Step: 1})
	}
	lost := func(v params.Vector) (sum float64) {
		for i, w := range weights {
			if e.bent {
				sum += float64(w * (log.Strength(log.Optimum) - log.Strength(params.Vector{sides[i] * v[i] / engineSteps})))
			} else {
				sum += float64(w * (v[i] - p.Optimum[i]) * (v[i] - p.Optimum[i]))
			}
		}
		return sum
	}
	scale := cmp.Or(e.gain, unitLoss) * eloOdds(p.Draws) / lost(p.Start)
	if e.gain == 0 {
		clear(p.Optimum)
	}
	p.Strength = func(v params.Vector) float64 { return -scale * lost(v) }
	return p
}

// Engines returns problems like those of a strong engine: 0 to 30 Elo to gain by 16 to 800
// parameters, 60 % draws. The same seed draws the same weights and optima.
func Engines(seed uint64) (list []Problem) {
	for i, e := range []engineLike{
		{16, 0, false}, {16, 2, false}, {16, 6, false}, {16, 20, false}, {40, 0, false}, {40, 20, false}, {16, 20, true}, {40, 20, true},
		{100, 30, false}, {300, 30, false}, {800, 30, false},
	} {
		list = append(list, e.problem(rand.New(rand.NewPCG(seed, uint64(100+i)))))
	}
	return list
}
