package spsa

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/params"
)

// Observation is a trial and its score: X's mean points a game against Than.
type Observation struct {
	X, Than params.Vector
	Score   float64
}

// Effect is what a run's own games say about one parameter near the
// recommendation, in Elo and in the parameter's steps, with standard errors.
type Effect struct {
	Param            int     // index in the space
	Slope, SlopeSE   float64 // Elo a step upwards still gains, to first order
	Loss, LossSE     float64 // Elo lost one step away from the recommendation; the importance
	Covariance       float64 // of the errors of Slope and Loss
	Observations     int
	DegreesOfFreedom int
}

// Optimum returns where the fitted parabola peaks, in steps from the
// recommendation, with its interval at a confidence level such as 0.95: all u at
// which the slope that is left, Slope - 2 Loss u, is not shown to differ from 0
// (Fieller, "Some problems in interval estimation", J. Royal Statistical Society
// B 16, 1954). ok is false where no curvature is shown at that level: then the
// peak may lie anywhere.
func (e Effect) Optimum(level float64) (u, low, high float64, ok bool) {
	z2 := 2 * math.Pow(math.Erfinv(level), 2)
	// (Slope - 2 Loss u)^2 <= z^2 times its variance, as a u^2 - 2 b u + c <= 0.
	a := 4 * (float64(e.Loss*e.Loss) - float64(z2*e.LossSE*e.LossSE))
	b := 2 * (float64(e.Slope*e.Loss) - float64(z2*e.Covariance))
	c := float64(e.Slope*e.Slope) - float64(z2*e.SlopeSE*e.SlopeSE)
	d := float64(b*b) - float64(a*c)
	if !(e.Loss > 0 && a > 0 && d >= 0) {
		return 0, 0, 0, false
	}
	root := math.Sqrt(d)
	return e.Slope / (2 * e.Loss), (b - root) / a, (b + root) / a, true
}

// Effects regresses the results of a run on the probes. The model is Elo as a
// quadratic without cross terms around best,
//
//	elo(X) - elo(Than) = sum_j b_j (x_j - t_j) - h_j (x_j^2 - t_j^2),
//
// x and t in steps from best, and a result of y in [-1, 1] read as 347.4 y Elo,
// right near even. The games were played for the tuning anyway, so this costs
// nothing; cross effects and a path far from the optimum blur it.
//
// Parameters that the probes never moved are left out. It is an error to have
// too few observations.
func Effects(space params.Space, active []int, best params.Vector, obs []Observation) ([]Effect, error) {
	var moved []int
	for _, i := range active {
		for _, o := range obs {
			if o.X[i] != o.Than[i] {
				moved = append(moved, i)
				break
			}
		}
	}
	k := 2 * len(moved)
	if k == 0 {
		return nil, errors.New("no parameter moved")
	}
	if len(obs) < 2*k {
		return nil, fmt.Errorf("%d trials for %d unknowns: want at least %d", len(obs), k, 2*k)
	}
	normal, right, total := accumulate(space, moved, best, obs)
	var chol mat.Cholesky
	if !chol.Factorize(normal) {
		return nil, errors.New("the probes do not tell the parameters apart")
	}
	var beta mat.VecDense
	if err := chol.SolveVecTo(&beta, right); err != nil {
		return nil, fmt.Errorf("the probes hardly tell the parameters apart: %w", err)
	}
	free := len(obs) - k
	variance := max(total-mat.Dot(&beta, right), 0) / float64(free)
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return nil, fmt.Errorf("the probes hardly tell the parameters apart: %w", err)
	}
	effects := make([]Effect, len(moved))
	for j, i := range moved {
		effects[j] = Effect{
			Param: i, Observations: len(obs), DegreesOfFreedom: free,
			Slope: beta.AtVec(2 * j), SlopeSE: math.Sqrt(variance * inverse.At(2*j, 2*j)),
			Loss: -beta.AtVec(2*j + 1), LossSE: math.Sqrt(variance * inverse.At(2*j+1, 2*j+1)),
			Covariance: -variance * inverse.At(2*j, 2*j+1),
		}
	}
	return effects, nil
}

// accumulate returns the normal equations and the total sum of squares.
func accumulate(space params.Space, moved []int, best params.Vector, obs []Observation) (*mat.SymDense, *mat.VecDense, float64) {
	k := 2 * len(moved)
	normal, right, total := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil), 0.0
	row := mat.NewVecDense(k, nil)
	for _, o := range obs {
		for j, i := range moved {
			p := space[i]
			centre := p.Coordinate(best[i])
			x, t := p.Coordinate(o.X[i])-centre, p.Coordinate(o.Than[i])-centre
			row.SetVec(2*j, x-t)
			row.SetVec(2*j+1, x*x-t*t)
		}
		elo := eloUnit * (2*o.Score - 1)
		normal.SymRankOne(normal, 1, row)
		right.AddScaledVec(right, elo, row)
		total += elo * elo
	}
	return normal, right, total
}
